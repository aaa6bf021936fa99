"""Fog: copies of what left sight, and what cloak and burrow hide."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import BURROWED, CLOAKED, DETECTED, INVULNERABLE
from sim.maps import Neutral, Terrain, arena
from sim.melee.game import Game
from sim.melee.lifecycle import REUSE_AFTER
from sim.melee.records import PlayerSetup
from sim.melee.sight import COPY_BASE, Sight

TERRAN, ZERG = 1, 2


@pytest.fixture
def game() -> Game:
    """A wide arena with one mineral field in the middle; player 1 has its base on the left."""
    plain = arena(96, 48)
    fields = {name: getattr(plain, name) for name in ("width", "height", "playable", "walkable", "buildable", "levels")}
    terrain = Terrain("Fog", "Fog", **fields, starts=plain.starts, neutrals=(Neutral(341, 48.0, 40.5),))
    return Game(terrain, [PlayerSetup(TERRAN, start=0), PlayerSetup(ZERG, start=1)], seed=1)


def scout_sees(game: Game, sight: Sight, slot: int, x: float, y: float) -> None:
    """Puts a unit somewhere and lets vision follow, loop by loop as the server does."""
    game.units[slot]["x"], game.units[slot]["y"] = x, y
    game.clear_orders(slot)
    for _ in range(20):
        game.step()
        sight.update()


def scout(game: Game) -> int:
    """A flyer of player 1 that fights nobody."""
    return game.spawn(game.facts.ids["Overlord"], 1, 10.0, 10.0)


def test_unseen_fields_are_copies_and_seen_ones_are_not(game: Game) -> None:
    sight = Sight(game, 1)
    field = game.owned(0, "MineralField")[0]
    copies = sight.snapshots()
    assert list(copies["slot"]) == [field]
    assert not copies["seen"][0]
    assert copies["tag"][0] >= COPY_BASE
    assert not sight.is_visible(field)
    eye = scout(game)
    scout_sees(game, sight, eye, 48, 36)
    assert sight.is_visible(field)
    assert not len(sight.snapshots())
    scout_sees(game, sight, eye, 10, 10)
    again = sight.snapshots()
    assert list(again["slot"]) == [field]
    assert again["seen"][0]
    assert again["tag"][0] > copies["tag"][0], "each fogging makes a new copy"
    assert sight.original(int(again["tag"][0]))[0] == field
    assert sight.original(int(copies["tag"][0])) is None


def test_a_structure_leaves_a_copy_that_its_spot_disproves(game: Game) -> None:
    sight, eye = Sight(game, 1), scout(game)
    pool = game.spawn(game.facts.ids["SpawningPool"], 2, 70.5, 20.5)
    scout_sees(game, sight, eye, 66, 20)
    assert sight.is_visible(pool)
    scout_sees(game, sight, eye, 10, 10)
    copies = sight.snapshots()
    assert [int(c["type"]) for c in copies if c["owner"] == 2] == [game.facts.ids["SpawningPool"]]
    game.remove(pool)  # no Broodling takes its slot
    game.step(4)
    assert 2 in sight.snapshots()["owner"], "a death in the fog is not noticed"
    scout_sees(game, sight, eye, 66, 20)
    assert 2 not in sight.snapshots()["owner"]
    assert not sight.is_visible(pool)


def test_units_leave_nothing_behind(game: Game) -> None:
    sight, eye = Sight(game, 1), scout(game)
    drone = game.spawn(game.facts.ids["Overlord"], 2, 60.0, 20.0)
    scout_sees(game, sight, eye, 56, 20)
    assert sight.is_visible(drone)
    scout_sees(game, sight, eye, 10, 10)
    assert not sight.is_visible(drone)
    assert 2 not in sight.snapshots()["owner"]


def test_a_stasis_ward_leaves_nothing_behind(game: Game) -> None:
    """Catalog: it lacks what other structures have, FogVisibility Snapshot."""
    sight, eye = Sight(game, 1), game.spawn(game.facts.ids["Raven"], 1, 10.0, 10.0)
    kinds = [game.facts.ids[name] for name in ("OracleStasisTrap", "AutoTurret")]
    seen = [game.spawn(kind, 2, 60.0 + 4 * k, 24.0) for k, kind in enumerate(kinds)]
    game.units["flags"][eye] |= INVULNERABLE
    scout_sees(game, sight, eye, 60, 20)
    assert [sight.is_visible(slot) for slot in seen] == [True, True]
    scout_sees(game, sight, eye, 10, 10)
    assert list(sight.snapshots()["slot"][sight.snapshots()["owner"] == 2]) == seen[1:]


def test_cloaked_ones_shimmer_and_burrowed_ones_vanish(game: Game) -> None:
    sight = Sight(game, 1)
    banshee = game.spawn(game.facts.ids["Banshee"], 2, 10.0, 24.0)
    roach = game.spawn(game.facts.ids["RoachBurrowed"], 2, 12.0, 20.0)
    game.units[banshee]["flags"] |= CLOAKED
    game.units[roach]["flags"] |= BURROWED
    sight.update(force=True)
    assert not sight.is_visible(banshee)
    assert list(sight.hidden_slots()) == [banshee]
    assert not sight.is_visible(roach)
    game.units["flags"][[banshee, roach]] |= np.uint32(DETECTED)
    sight.update(force=True)
    assert sight.is_visible(banshee)
    assert sight.is_visible(roach)
    assert not len(sight.hidden_slots())


def test_revealed_sight_sees_all(game: Game) -> None:
    sight = Sight(game, 1, reveal=True)
    alive = np.flatnonzero(game.units["alive"] == 1)
    assert set(sight.visible_slots()) == set(alive)
    assert not len(sight.snapshots())


def test_lifted_fog_does_not_detect(game: Game) -> None:
    """show_map and disable_fog light the ground; who is cloaked stays a shimmer, who is buried is not there."""
    banshee, roach = (game.spawn(game.facts.ids[name], 2, x, 60.0) for name, x in (("Banshee", 70.0), ("Roach", 74.0)))
    game.units["flags"][banshee] |= np.uint32(CLOAKED)
    game.units["flags"][roach] |= np.uint32(BURROWED)
    sight = Sight(game, 1, reveal=True)
    assert list(sight.hidden_slots()) == [banshee]
    assert not sight.is_visible(banshee)
    assert not sight.is_visible(roach)
    assert {banshee, roach} <= set(Sight(game, 1, reveal=True, detect=True).visible_slots()), "who watches all sides"


def test_a_reused_slot_is_another_unit(game: Game) -> None:
    """The copy keeps showing the dead structure although its slot now holds something else."""
    sight, eye = Sight(game, 1), scout(game)
    pool = game.spawn(game.facts.ids["SpawningPool"], 2, 70.5, 20.5)
    scout_sees(game, sight, eye, 66, 20)
    scout_sees(game, sight, eye, 10, 10)
    game.remove(pool)
    game.step(REUSE_AFTER)
    reused = [game.spawn(game.facts.ids["Zergling"], 2, 80.0, 24.0) for _ in range(4)]
    assert pool in reused
    game.step(4)
    copy = next(c for c in sight.snapshots() if c["owner"] == 2)
    assert int(copy["type"]) == game.facts.ids["SpawningPool"]
    assert int(copy["generation"]) != int(game.units[pool]["generation"])


def test_creep_is_known_as_it_was_last_seen(game: Game) -> None:
    sight, eye = Sight(game, 1), scout(game)
    there = game.creep == 1
    assert there.any()
    assert not sight.creep().any(), "recordings of loop 0 against Zerg show none"
    assert Sight(game, 2).creep().any()
    assert (Sight(game, 1, reveal=True).creep() == game.creep).all()
    row, column = np.argwhere(there)[0]
    scout_sees(game, sight, eye, column + 0.5, row + 0.5)
    assert sight.creep()[row, column]
    scout_sees(game, sight, eye, 10, 10)
    game.creep[row, column] = 0
    game.step()
    assert sight.creep()[row, column], "that it is gone is not known in the fog"
    scout_sees(game, sight, eye, column + 0.5, row + 0.5)
    assert not sight.creep()[row, column]
