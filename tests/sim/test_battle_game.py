"""A battle among many is the same as a game of its own, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

from sim.battle import SWIFT, Battles, empty_game, open_map, ready
from sim.battle.issue import ASKED, POINTED, TARGETED
from sim.engine import state
from sim.engine.bufftable import MATRIX, add_buff
from sim.engine.state import HEAL, REPAIR
from sim.engine.world import first_rng
from sim.maps.terrain import arena
from sim.melee.barred import STASIS_TRAP
from sim.melee.game import Game
from sim.melee.records import Command
from tests.sim.fights import (
    CLOAK,
    SHIELDS,
    STIM,
    YAMATO_UPGRADE,
    attack_all,
    digest,
    rows,
    template,
)


class Driver:
    """The same orders for a game of its own, and for a row of battles."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def plain(self, units: np.ndarray, step: int) -> list[tuple[int, int, int, float, float]]:
        """(slot, verb, target, x, y) for some of the living units."""
        chosen = []
        for slot in np.flatnonzero((units["alive"] == 1) & (units["owner"] > 0)).tolist():
            if self.rng.random() < 0.4:
                continue
            verb = int(self.rng.choice([state.MOVE, state.ATTACK_MOVE, state.ATTACK, state.HOLD, state.IDLE]))
            enemies = np.flatnonzero((units["alive"] == 1) & (units["owner"] == 3 - units["owner"][slot]))
            target = int(self.rng.choice(enemies)) if len(enemies) else -1
            x, y = self.rng.uniform(8, 30, 2).tolist()
            chosen.append((slot, verb, target, x, y))
        return chosen


def as_command(game: Game, slot: int, verb: int, target: int, x: float, y: float) -> Command:
    """A plain order as a client gives it."""
    return Command(
        player=int(game.units[slot]["owner"]),
        ability=ASKED[verb][0],
        tags=(game.tag(slot),),
        target_tag=game.tag(target) if verb in TARGETED and target >= 0 else 0,
        x=x,
        y=y,
        has_point=verb in POINTED,
    )


def same_records(game: Game, battles: Battles, battle: int) -> list[str]:
    """Names of the fields in which a game and a battle differ."""
    used = int(game.world[0]["slots"])
    differ = [
        name
        for name in state.UNIT.names
        if not np.array_equal(game.units[name][:used], battles.units[name][battle, :used])
    ]
    depth = battles.orders.shape[2]
    valid = np.arange(depth)[None, :] < game.units["order_count"][:used, None]
    differ += [
        f"order {name}"
        for name in state.ORDER.names
        if not np.array_equal(game.orders[name][:used, :depth][valid], battles.orders[name][battle, :used][valid])
    ]
    head, other = game.world[0], battles.worlds[battle, 0]
    differ += [f"world {name}" for name in ("loop", "rng", "slots", "missile_count") if head[name] != other[name]]
    return differ


TERRAN = [
    "Marine",
    "Marauder",
    "SiegeTank",
    "Medivac",
    "Ghost",
    "Banshee",
    "Battlecruiser",
    "Reaper",
    "Raven",
    "Cyclone",
]
ZERG = ["Zergling", "Baneling", "Roach", "Ravager", "Infestor", "Mutalisk", "Hydralisk", "Queen", "Corruptor", "Viper"]
PROTOSS = [
    "Stalker",
    "Zealot",
    "Immortal",
    "HighTemplar",
    "Sentry",
    "Adept",
    "Phoenix",
    "Carrier",
    "Disruptor",
    "Archon",
]
FIGHTS = {
    "terran": (TERRAN, TERRAN, (1, 1), (STIM, SHIELDS, CLOAK, YAMATO_UPGRADE)),
    "zerg": (TERRAN, ZERG, (1, 2), (STIM,)),
    "protoss": (TERRAN, PROTOSS, (1, 3), (86, 87, 52)),
    "power": (TERRAN, ["Pylon", "PhotonCannon", "Zealot", "PhotonCannon", "ShieldBattery", "Stalker"], (1, 3), (STIM,)),
    "fog": (["Marine", "SiegeTank", "WidowMine", "Liberator"], ["Roach", "LurkerMP", "Zergling"], (1, 2), (STIM,)),
}


@pytest.mark.parametrize("name", list(FIGHTS))
def test_a_battle_equals_a_game(name: str) -> None:
    """Random plain orders and random abilities of every unit: all unit records stay equal, loop by loop."""
    one, two, races, upgrades = FIGHTS[name]
    army = rows(one, 1, 13) + rows(two, 2, 22)
    fog = name == "fog"
    seed = 5
    battles = Battles(template(army, fog=fog, races=races, upgrades=upgrades), 3, seed=seed - 1, threads=2, reserve=60)
    game = template(army, fog=fog, races=races, upgrades=upgrades)
    game.world["rng"] = first_rng(seed)
    game.world["salt"] = first_rng(seed) & 0xFFFFFFFF
    driver = Driver(1)
    casts = 0
    for step in range(50):
        for slot, verb, target, x, y in driver.plain(game.units[: int(game.world[0]["slots"])], step):
            verdict = game.issue(as_command(game, slot, verb, target, x, y))
            done = battles.issue(*(np.array([v]) for v in (1, slot, verb, target, x, y)))
            assert (verdict == 1) == bool(done[0]), (step, slot, verb, verdict)
        casts += cast_something(game, battles, driver.rng)
        for _ in range(8):
            game.step()
        battles.step(8)
        assert not same_records(game, battles, 1), (step, same_records(game, battles, 1))
    assert casts > 20


def cast_something(game: Game, battles: Battles, rng: np.random.Generator) -> int:
    """Random abilities of random units, to both. -> how many were accepted."""
    accepted = 0
    units = game.units[: int(game.world[0]["slots"])]
    for slot in np.flatnonzero((units["alive"] == 1) & (units["owner"] > 0)).tolist():
        if rng.random() < 0.6:
            continue
        kinds = game.abilities_of(int(units["type"][slot]))
        ids = [i for kind, found in kinds.items() if kind not in ("move", "attack", "stop", "hold") for i in found]
        if not ids:
            continue
        ability = game.facts.abilities[int(rng.choice(ids))]
        others = np.flatnonzero((units["alive"] == 1) & (units["owner"] > 0))
        target = int(rng.choice(others)) if ability.target in ("Unit", "PointOrUnit") else -1
        point = rng.uniform(10, 28, 2).tolist() if ability.target in ("Point", "PointOrNone") else None
        command = Command(
            player=int(units["owner"][slot]),
            ability=ability.id,
            tags=(game.tag(slot),),
            target_tag=game.tag(target) if target >= 0 else 0,
            x=point[0] if point else 0.0,
            y=point[1] if point else 0.0,
            has_point=point is not None,
        )
        verdict = game.issue(command)
        assert verdict == battles.cast(1, slot, ability.id, target, *(point or (None, None)))
        accepted += verdict == 1
    return accepted


def test_swift_abilities_do_what_casts_do_and_wake_nobody() -> None:
    """Stims and boosts of both sides, of the healthy and the weak, the dead and those whose side cannot."""
    army = rows(["Marine", "Marauder", "Medivac"] * 2, 1, 12) + rows(["Marine", "Medivac", "Marauder"] * 2, 2, 22)
    game = empty_game(arena(40, 40), (1, 1), upgrade_ids=((STIM,), ()))
    open_map(game)
    for name, owner, x, y in army:
        game.spawn(game.facts.ids[name], owner, x, y)
    ready(game)
    both = [template(army, upgrades=(STIM,)), game]
    swift, slow = (Battles(both, 6, seed=3, which=np.arange(6) % 2) for _ in range(2))
    rng, stimmed = np.random.default_rng(1), 0
    for _ in range(60):
        b, s = (column.ravel() for column in np.indices(swift.units.shape))
        some = rng.random(b.size) < 0.1
        b, s = b[some], s[some]
        kinds = [game.facts.ids[name] for name in ("Marine", "Marauder", "Medivac")]
        own = (swift.units["type"][b, s][:, None] == kinds).argmax(axis=1)
        abilities = np.array(SWIFT)[(own + (b == 1)) % 3]  # battle 1 asks for another type's: it takes the long way
        done = swift.use(b, s, abilities)
        assert done.tolist() == [slow.cast(*order) == 1 for order in zip(b, s, abilities, strict=True)]
        stimmed += int(done.sum())
        for battles in (swift, slow):
            attack_all(battles)
            battles.step(8)
        assert digest(swift) == digest(slow)
    assert stimmed > 30
    assert not swift.units["alive"][:, :12].all()
    assert not any(battle % 2 == 0 for battle in swift._games)
    assert swift.units["speed_factor"].max() > 1.6  # some boosted


def test_who_is_jammed_or_beyond_help_is_judged_like_in_a_game() -> None:
    """An Interference Matrix stops boosts, healing and repair; nobody in stasis is mended."""
    game = template(rows(["Medivac", "Marine", "SCV", "Hellion", "Medivac", "SCV"], 1, 12) + rows(["Raven"], 2, 30))
    for slot, buff in ((0, MATRIX), (2, MATRIX), (1, STASIS_TRAP), (3, STASIS_TRAP)):
        add_buff(game.units[slot], game.state.buffs, buff)
    battles, here = Battles(game, 1, seed=3), np.array([0])
    assert not battles.use(here, here, np.array([2116])).any()
    assert battles.use(here, here + 4, np.array([2116])).all()
    for healer, verb, patient in ((0, HEAL, 1), (4, HEAL, 1), (2, REPAIR, 3), (5, REPAIR, 3), (2, REPAIR, 0)):
        orders = (np.array([number]) for number in (0, healer, verb, patient, 0.0, 0.0))
        assert not battles.issue(*orders).any(), (healer, patient)
        assert battles.cast(0, healer, 386 if verb == HEAL else 316, patient) != 1
    assert battles.issue(*(np.array([number]) for number in (0, 5, REPAIR, 0, 0.0, 0.0))).all()


def test_a_battle_that_wakes_knows_its_cooldowns() -> None:
    battles = Battles(template(rows(["Medivac"], 1, 12) + rows(["Marine"], 2, 30)), 2, seed=3)
    boost, here = np.array([2116]), np.array([0])
    assert battles.use(here, here, boost).all()
    assert battles.game(0).memory.ready == {}
    battles.step(8)
    assert battles.game(0).memory.ready == {(0, 2116): 320}  # it had woken in between
    assert battles.use(here + 1, here, boost).all()
    battles.step(8)
    assert not battles.use(here + 1, here, boost).any()
    assert battles.game(1).memory.ready == {(0, 2116): 328}
    for battle in range(2):
        assert battles.cast(battle, 0, 2116) != 1
    battles.step(320)
    assert battles.use(np.arange(2), np.zeros(2, int), np.repeat(boost, 2)).all()
    battles.reset(np.arange(2), np.arange(2))
    assert battles.use(np.arange(2), np.zeros(2, int), np.repeat(boost, 2)).all()
