"""Many battles at once: each the same as alone, and the same as a game of its own."""

from __future__ import annotations

import numpy as np
import pytest

from sim.battle import SWIFT, Battles, empty_game, open_map, quiet, ready
from sim.battle.issue import ASKED, POINTED, TARGETED
from sim.engine import state
from sim.engine.world import first_rng
from sim.facts import load
from sim.maps.terrain import arena
from sim.melee.game import Game
from sim.melee.records import Command
from sim.melee.registry import EVERY, ON_EVENT, ON_REMOVE
from tests.sim.fights import (
    CLOAK,
    NOBODY,
    SHIELDS,
    STIM,
    UNDECIDED,
    YAMATO_UPGRADE,
    Army,
    attack_all,
    digest,
    marines,
    play,
    rows,
    template,
    winners,
)


def test_threads_and_company_do_not_matter() -> None:
    alone, together = play(40, 1), play(40, 3)
    assert digest(alone) == digest(together)
    assert digest(play(2, 2)) == digest(alone)[:2]
    assert len(set(digest(alone))) == 40


def test_battles_end_with_a_winner() -> None:
    battles = play(8, 2)
    assert set(winners(battles).tolist()) <= {1, 2, NOBODY}
    fresh = Battles(marines(), 2, seed=0)
    assert winners(fresh).tolist() == [UNDECIDED, UNDECIDED]
    fresh.units["alive"][0] = 0
    assert winners(fresh).tolist() == [NOBODY, UNDECIDED]


@pytest.mark.parametrize("name", ["Marine", "Zergling", "Stalker", "Zealot"])
@pytest.mark.parametrize("first", [1, 2])
def test_armies_that_mirror_each_other_win_equally_often(name: str, first: int) -> None:
    """Ten of a kind a side, places and looks turned by half about the middle of the field: 240 battles come out even
    within what chance allows (3.5 deviations), whichever side has the lower slots."""
    game = empty_game(arena(48, 48))
    open_map(game)
    for owner in (first, 3 - first):
        sign = 1 if owner == 1 else -1
        for k in range(10):
            x, y = 24 - sign * (6 + 1.2 * (k // 5)), 24 - sign * 1.2 * (k % 5 - 2)
            facing = 0.0 if owner == 1 else np.pi
            game.spawn(game.facts.ids[name], owner, x, y, facing=facing, turret=facing)
    ready(game)
    battles = Battles(game, 240, seed=90)
    b, s = np.nonzero(battles.units["alive"])
    x = np.where(battles.units["owner"][b, s] == 1, 38.0, 10.0)
    battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 24.0))
    for _ in range(20):
        battles.step(80)
    won = [int((winners(battles) == owner).sum()) for owner in (1, 2)]
    assert sum(won) > 100
    assert abs(won[0] - won[1]) < 3.5 * np.sqrt(sum(won))


def test_an_equal_order_is_not_begun_anew() -> None:
    battles = Battles(marines(), 1, seed=1)
    attack_all(battles)
    battles.step(4)
    stages = battles.orders["stage"][0, :, 0].copy()
    attack_all(battles)
    assert (battles.orders["stage"][0, :, 0] == stages).all()
    assert stages.any()


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


def test_reset_in_place_gives_the_same_battle_again() -> None:
    battles = Battles([marines(), template(rows(["Marine"] * 3, 1, 12) + rows(["Roach"] * 2, 2, 24))], 4, seed=3)

    def fight() -> list[str]:
        for step in range(20):
            attack_all(battles)
            if step == 2:
                battles.cast(1, 0, 380)
            battles.step(8)
        return digest(battles)

    before = fight()
    battles.reset(np.arange(4), np.array([3, 4, 99, 6]), np.array([0, 0, 0, 1]))
    after = fight()
    assert after[:2] == before[:2]
    assert after[2] != before[2]
    assert (battles.units["type"][3, 3:5] == battles.facts.ids["Roach"]).all()


def test_orders_that_a_type_does_not_have_wake_nobody() -> None:
    battles = Battles(template(rows(["PhotonCannon", "Pylon", "Bunker"], 2, 12) + rows(["Marine"], 1, 24)), 1, seed=1)
    zeros, slots = np.zeros(3, int), np.arange(3)
    for verb in (state.HOLD, state.MOVE):
        done = battles.issue(zeros, slots, np.full(3, verb), zeros - 1, np.full(3, 20.0), np.full(3, 20.0))
        assert not done.any()
        assert not battles._games
    attack = np.full(3, state.ATTACK)
    done = battles.issue(zeros, slots, attack, np.full(3, 3), np.zeros(3), np.zeros(3))
    assert done.tolist() == [True, False, False]  # the Bunker's attack would be its passengers'


def test_plain_fights_never_wake_the_rules() -> None:
    battles = Battles(marines(), 3, seed=1)
    for _ in range(30):
        attack_all(battles)
        battles.step(8)
    assert (winners(battles) != UNDECIDED).any()
    assert not battles._games
    assert battles.cast(0, int(np.flatnonzero(battles.units["alive"][0])[0]), 3674, x=20.0, y=20.0) == 1
    assert list(battles._games) == [0]


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


def test_a_battle_that_wakes_knows_its_cooldowns() -> None:
    battles = Battles(template(rows(["Medivac"], 1, 12) + rows(["Marine"], 2, 30)), 2, seed=3)
    boost, here = np.array([2116]), np.array([0])
    assert battles.use(here, here, boost).all()
    assert battles.game(0).ready == {}
    battles.step(8)
    assert battles.game(0).ready == {(0, 2116): 320}  # it had woken in between
    assert battles.use(here + 1, here, boost).all()
    battles.step(8)
    assert not battles.use(here + 1, here, boost).any()
    assert battles.game(1).ready == {(0, 2116): 328}
    for battle in range(2):
        assert battles.cast(battle, 0, 2116) != 1
    battles.step(320)
    assert battles.use(np.arange(2), np.zeros(2, int), np.repeat(boost, 2)).all()
    battles.reset(np.arange(2), np.arange(2))
    assert battles.use(np.arange(2), np.zeros(2, int), np.repeat(boost, 2)).all()


def test_every_rule_that_runs_by_itself_is_known() -> None:
    """A rule that sim/battle/quiet.py does not know makes every battle slow: say there for whom it matters."""
    assert {quiet.name_of(rule) for _, rule in EVERY} <= set(quiet.PERIODIC)
    assert {quiet.name_of(rule) for rule in ON_REMOVE} <= set(quiet.REMOVALS)
    assert {quiet.name_of(rule) for rule in ON_EVENT[state.HIT]} <= set(quiet.HITS)
    listed = [row if isinstance(row, tuple) else (row,) for row in quiet.PERIODIC.values()]
    names = {kind for row in listed for wanted in row for kind in wanted.types}
    names |= {kind for kinds in quiet.REMOVALS.values() for kind in kinds}
    assert names - {quiet.STRUCTURES} <= set(load("5.0.14").ids)


def test_slots_of_the_dead_are_used_again() -> None:
    """Many turrets of many ravens in few slots: nothing breaks when the slots run out."""
    game = template(rows(["Raven"] * 4, 1, 12) + rows(["Marine"] * 4, 2, 26))
    battles = Battles(game, 1, seed=1, reserve=3)
    battles.units["energy"][0, :4] = 200
    for step in range(60):
        for slot in range(4):
            if battles.units["alive"][0, slot]:
                battles.cast(0, slot, 1764, x=10.0 + 3 * slot, y=10.0 + 3 * (step % 7))
        battles.step(8)
    assert (battles.units["generation"][0, 8:] > 1).any()


def test_neither_side_has_an_advantage() -> None:
    """Twelve marines on each side, mirrored: over many battles the survivors balance."""
    army: Army = []
    for owner, side in ((1, -1), (2, 1)):
        rng = np.random.default_rng(0)
        for k in range(12):
            x, y = rng.uniform(-0.2, 0.2, 2)
            army.append(("Marine", owner, 20 + side * (7 + k // 6 + x), 17 + k % 6 + y))
    battles = Battles(template(army), 96, seed=9, threads=2)
    b, s = np.indices((96, 24)).reshape(2, -1)
    x = np.where(battles.units["owner"][b, s] == 1, 34.0, 6.0)
    battles.issue(b, s, np.full(len(b), state.ATTACK_MOVE), np.full(len(b), -1), x, np.full(len(b), 20.0))
    battles.step(500)
    left = battles.units["alive"].astype(int)
    lead = left[:, :12].sum(axis=1) - left[:, 12:24].sum(axis=1)
    assert abs(lead.mean()) < 4 * lead.std() / np.sqrt(96)
    assert (lead > 0).sum() > 20
    assert (lead < 0).sum() > 20
