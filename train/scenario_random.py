"""Random fights: types, numbers, upgrades, ground and distances drawn from a seed, both armies of about equal strength.

`random` is for training, `random_held_out` draws from other seeds and holds army mixes back: no training fight has one
of the mixes that evaluation uses.
"""

from __future__ import annotations

import zlib

import numpy as np

from sim.facts import load as load_facts
from train import grounds
from train.scenario import PATCH, RACES, Group, Mission, Scenario, upgrade_ids

NAMES = {"random": (0.5, 1.5), "random_small": (0.25, 0.5), "random_large": (1.5, 3.0), "random_held_out": (0.5, 1.5)}
BASE_VALUE = 1500.0  # minerals and gas of an army of size 1
LIMIT = 150
HELD_SHARE = 5  # one mix in so many is held back
GROUNDS = ("field", "large_field", "choke", "two_chokes", "pillars", "ramp", "hill")
MIXES: dict[str, tuple[str, ...]] = {
    "Terran": (
        *("Marine", "Marine", "Marauder", "Marauder", "Medivac", "SiegeTank", "Hellion", "HellionTank"),
        *("WidowMine", "Cyclone", "Thor", "VikingFighter", "Banshee", "Ghost", "Reaper", "Liberator", "Battlecruiser"),
    ),
    "Zerg": (
        *("Zergling", "Zergling", "Baneling", "Roach", "Roach", "Hydralisk", "Mutalisk", "Queen", "Ravager"),
        *("Corruptor", "Ultralisk", "LurkerMP", "BroodLord"),
    ),
    "Protoss": (
        *("Zealot", "Zealot", "Stalker", "Stalker", "Adept", "Immortal", "Archon", "Colossus", "Phoenix"),
        *("VoidRay", "DarkTemplar", "Carrier", "PhotonCannon"),
    ),
}
UPGRADES = {
    "Terran": (
        *("Stimpack", "ShieldWall", "PunisherGrenades", "TerranInfantryWeaponsLevel1", "TerranInfantryArmorsLevel1"),
        *("BansheeCloak", "PersonalCloaking", "TerranVehicleWeaponsLevel1", "BattlecruiserEnableSpecializations"),
    ),
    "Zerg": (
        *("zerglingmovementspeed", "CentrificalHooks", "GlialReconstitution", "ZergMissileWeaponsLevel1"),
        *("ZergMeleeWeaponsLevel1", "ZergGroundArmorsLevel1"),
    ),
    "Protoss": (
        *("Charge", "ProtossGroundWeaponsLevel1", "ProtossGroundArmorsLevel1", "ExtendedThermalLance"),
        *("ProtossShieldsLevel1",),
    ),
}
SHARE_OF_UPGRADES = 0.5


def names() -> tuple[str, ...]:
    """All random families."""
    return tuple(NAMES)


def load(name: str) -> Scenario:
    """A random family by its name."""
    held = name == "random_held_out"

    def make(rng: np.random.Generator) -> Scenario:
        while True:
            made = fight(rng, name)
            if is_held_out(made) == held:
                return made

    start = fight(np.random.default_rng(0), name)
    return Scenario(
        name=name,
        title="random fights" + (", held back for evaluation" if held else ""),
        ground=start.ground,
        own=start.own,
        enemy=start.enemy,
        limit=LIMIT,
        family="random",
        races=(1, 2),
        reserve=24,
        make=make,
    )


def is_held_out(scenario: Scenario) -> bool:
    """One in HELD_SHARE of all combinations of types is never trained on."""
    mix = [*sorted({g.unit for g in scenario.own}), "v", *sorted({g.unit for g in scenario.enemy})]
    return zlib.crc32(" ".join(mix).encode()) % HELD_SHARE == 0


def fight(rng: np.random.Generator, name: str) -> Scenario:
    """One random fight."""
    low, high = NAMES[name]
    value = BASE_VALUE * float(rng.uniform(low, high))
    race = str(rng.choice(("Terran", "Zerg", "Protoss"), p=(0.3, 0.4, 0.3)))
    ground = grounds.named(str(rng.choice(GROUNDS)))
    own_x, enemy_x = 10.0, ground.width - 10.0
    if not ground.name.endswith("choke") and rng.random() < 0.5:
        middle, half = ground.width / 2, float(rng.uniform(7, 13))
        own_x, enemy_x = max(middle - half, 6.0), min(middle + half, ground.width - 6.0)
    y = ground.height / 2
    own = _army(rng, "Terran", value, (own_x, y))
    enemy = _army(rng, race, value * float(rng.uniform(0.7, 1.15)), (enemy_x, y))
    own, enemy = _fair(rng, own, enemy, race)
    behaviour = str(rng.choice(("attack", "hold", "raid"), p=(0.7, 0.15, 0.15)))
    upgrades = tuple(
        upgrade_ids([n for n in UPGRADES[side] if rng.random() < SHARE_OF_UPGRADES], "random fights")
        for side in ("Terran", race)
    )
    return Scenario(
        name=name,
        title=name,
        ground=ground,
        own=own,
        enemy=enemy,
        limit=LIMIT,
        family="random",
        races=(1, RACES[race]),
        upgrades=(upgrades[0], upgrades[1]),
        behaviour=behaviour,
        enemy_point=(own_x, y),
        mission=Mission(point=(enemy_x, y), home=(max(own_x - 6, 3.0), y), allows=_allowed(rng)),
        jitter=2.0,
        mirror=True,
        reserve=24,
    )


def _allowed(rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(name for name in ("cloak", "jump", "drop") if rng.random() < 0.5)


def _army(rng: np.random.Generator, race: str, value: float, at: tuple[float, float]) -> tuple[Group, ...]:
    """One to four types that cost about so much together."""
    facts = load_facts(PATCH)
    kinds = [str(k) for k in rng.choice(sorted(set(MIXES[race])), size=int(rng.integers(1, 5)), replace=False)]
    kinds[0] = str(rng.choice(MIXES[race][:4]))
    shares = rng.dirichlet(np.ones(len(kinds)) * 2)
    groups: dict[str, int] = {}
    for kind, share in zip(kinds, shares, strict=True):
        row = facts.types[facts.ids[kind]]
        price = float(row["minerals"] + row["gas"]) * (0.5 if kind == "Zergling" else 1.0)
        count = round(share * value / max(price, 25.0))
        if count:
            groups[kind] = groups.get(kind, 0) + min(count, 40)
    if not groups:
        groups[kinds[0]] = 2
    return tuple(Group(kind, count, at) for kind, count in groups.items())


def _fair(
    rng: np.random.Generator, own: tuple[Group, ...], enemy: tuple[Group, ...], race: str
) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Armies that can hit each other: fliers meet something that shoots up."""
    ours, theirs = (_hits(own), _hits(enemy))
    if not (ours[0] and ours[1]):
        own = (*own, Group("Marine", int(rng.integers(4, 9)), own[0].at))
    if not (theirs[0] and theirs[1]):
        kind = {"Terran": "Marine", "Zerg": "Hydralisk", "Protoss": "Stalker"}[race]
        enemy = (*enemy, Group(kind, int(rng.integers(2, 6)), enemy[0].at))
    return own, enemy


def _hits(groups: tuple[Group, ...]) -> tuple[bool, bool]:
    """(something shoots at the ground, something shoots up)."""
    facts = load_facts(PATCH)
    bits = 0
    for group in groups:
        for row in facts.types[facts.ids[group.unit]]["weapons"]:
            if row >= 0:
                bits |= int(facts.weapons[row]["targets"])
    return bool(bits & 1), bool(bits & 2)
