"""Random fights: types, numbers, upgrades, ground and distances drawn from a seed.

`random` is for training, `random_held_out` draws from other seeds and holds army mixes back: no training fight has one
of the mixes that evaluation uses. In these both armies are about equally strong. `random_met` and `random_sought` are
the halves of `random` in which the enemy comes or waits: they teach different things. `random_army` has fights as whole
games have them: bio with tanks as the bot makes it, drawn out on its way or holding a place, against less.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sim.facts import load as load_facts
from train import grounds
from train.scenario import PATCH, RACES, Group, Mission, Point, Scenario, upgrade_ids


class Family(NamedTuple):
    """What the fights of one name have in common."""

    size: tuple[float, float]
    """Value of our army, of BASE_VALUE."""
    balance: tuple[float, float] = (0.7, 1.15)
    """The enemy's value, of ours."""
    shares: dict[str, float] | None = None
    """How much of our value each type tends to have (weights of a Dirichlet draw); none: one to four types of MIXES."""
    behaviours: tuple[float, float, float] = (0.7, 0.15, 0.15)
    """How often the enemy attacks, holds (an army of `shares` meets a base there) and raids."""


ARMY = {"Marine": 5.0, "Marauder": 2.0, "SiegeTank": 2.0, "Medivac": 1.5} | dict.fromkeys(
    ("VikingFighter", "Thor", "Liberator", "Ghost", "Hellion"), 0.15
)
FAMILIES = {
    "random": Family((0.5, 1.5)),
    "random_small": Family((0.25, 0.5)),
    "random_large": Family((1.5, 3.0)),
    "random_met": Family((0.25, 1.5), behaviours=(0.8, 0.0, 0.2)),
    "random_sought": Family((0.25, 1.5), behaviours=(0.0, 1.0, 0.0)),
    "random_army": Family((0.3, 2.5), (0.3, 0.9), ARMY, (0.45, 0.4, 0.15)),
    "random_held_out": Family((0.5, 1.5)),
}
BASE_VALUE = 1500.0  # minerals and gas of an army of size 1
COLUMN = 12.0  # cells
BASES = {
    "Terran": ("CommandCenter", "SupplyDepot", "Barracks", "EngineeringBay", "SCV"),
    "Zerg": ("Hatchery", "SpineCrawler", "RoachWarren", "EvolutionChamber", "Drone"),
    "Protoss": ("Nexus", "Pylon", "PhotonCannon", "Gateway", "Probe"),
}
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
    return tuple(FAMILIES)


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
    family = FAMILIES[name]
    value = BASE_VALUE * float(rng.uniform(*family.size))
    race = str(rng.choice(("Terran", "Zerg", "Protoss"), p=(0.3, 0.4, 0.3)))
    ground = grounds.named(str(rng.choice(GROUNDS)))
    own_x, enemy_x = 10.0, ground.width - 10.0
    if not ground.name.endswith("choke") and rng.random() < 0.5:
        middle, half = ground.width / 2, float(rng.uniform(7, 13))
        own_x, enemy_x = max(middle - half, 6.0), min(middle + half, ground.width - 6.0)
    y = ground.height / 2
    start = (own_x, y)
    own = _column(rng, family.shares, value, start) if family.shares else _army(rng, "Terran", value, start)
    enemy = _army(rng, race, value * float(rng.uniform(*family.balance)), (enemy_x, y))
    own, enemy = _fair(rng, own, enemy, race)
    behaviour = str(rng.choice(("attack", "hold", "raid"), p=family.behaviours))
    if family.shares and behaviour == "hold":
        enemy += _base(rng, race, (enemy_x, y))
    upgrades = tuple(
        upgrade_ids([n for n in UPGRADES[side] if rng.random() < SHARE_OF_UPGRADES], "random fights")
        for side in ("Terran", race)
    )
    holds = family.shares is not None and behaviour != "hold" and rng.random() < 0.5
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
        mission=Mission(
            "hold" if holds else "fight", start if holds else (enemy_x, y), (max(own_x - 6, 3.0), y), _allowed(rng)
        ),
        jitter=2.0,
        mirror=True,
        reserve=24,
    )


def _allowed(rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(name for name in ("cloak", "jump", "drop") if rng.random() < 0.5)


def _army(rng: np.random.Generator, race: str, value: float, at: tuple[float, float]) -> tuple[Group, ...]:
    """One to four types that cost about so much together."""
    kinds = [str(k) for k in rng.choice(sorted(set(MIXES[race])), size=int(rng.integers(1, 5)), replace=False)]
    kinds[0] = str(rng.choice(MIXES[race][:4]))
    shares = rng.dirichlet(np.ones(len(kinds)) * 2)
    return _bought(kinds, shares, value, at)


def _column(rng: np.random.Generator, weights: dict[str, float], value: float, at: Point) -> tuple[Group, ...]:
    """An army of so much value whose types are spread over up to COLUMN cells of its way."""
    groups = _bought(list(weights), rng.dirichlet(list(weights.values())), value, at)
    spread = float(rng.uniform(0, COLUMN))
    return tuple(replace(group, at=(max(at[0] - rng.uniform(0, spread), 3.0), at[1])) for group in groups)


def _bought(kinds: list[str], shares: np.ndarray, value: float, at: Point) -> tuple[Group, ...]:
    facts = load_facts(PATCH)
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


def _base(rng: np.random.Generator, race: str, at: Point) -> tuple[Group, ...]:
    """A town hall and some of what stands and works about it."""
    hall, *rest = BASES[race]
    places = np.array(at) + rng.uniform((-3, -9), (5, 9), (len(rest), 2))
    counts = rng.integers(0, 4, len(rest))
    others = (
        Group(kind, int(count), (float(x), float(y)))
        for kind, count, (x, y) in zip(rest, counts, places, strict=True)
        if count
    )
    return (Group(hall, 1, (at[0] + 4, at[1])), *others)


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
