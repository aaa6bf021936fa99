"""Overseers and overlords: changelings, contamination, creep."""

from __future__ import annotations

import dataclasses

import pytest

from sim.engine.state import AUTOCAST
from sim.melee.records import Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import duel, full, learn, lost

CHANGELING, CONTAMINATE, CREEP_ON, CREEP_OFF, MOVE, ATTACK, STOP, CANCEL = 181, 1825, 1692, 1693, 16, 23, 4, 3659
OVERSEER = 1448


@pytest.mark.parametrize(
    ("race", "upgrade", "look"),
    [
        (Race.TERRAN, "", "ChangelingMarine"),
        (Race.TERRAN, "ShieldWall", "ChangelingMarineShield"),
        (Race.ZERG, "", "ChangelingZergling"),
        (Race.ZERG, "zerglingmovementspeed", "ChangelingZerglingWings"),
        (Race.PROTOSS, "", "ChangelingZealot"),
    ],
)
def test_a_changeling_looks_like_what_it_meets(race: int, upgrade: str, look: str) -> None:
    game = duel(enemy=race)
    learn(game, upgrade, player=2)
    overseer = give(game, "Overseer", 40.0, 40.0)
    full(game, overseer)
    assert order(game, overseer, CHANGELING) == Result.SUCCESS
    game.step(20)
    slot = game.owned(1, "Changeling")[0]
    tag, generation = game.tag(slot), int(game.units[slot]["generation"])
    game.events(1)
    order(game, slot, MOVE, (30.0, 40.0))
    soldier = give(game, {1: "Marine", 2: "Roach", 3: "Stalker"}[race], 46.0, 40.0, 2)
    game.step(10)
    assert not game.units[slot]["alive"] or game.units[slot]["generation"] != generation
    assert tag in game.events(1).dead, "it is a new unit"
    slot = game.owned(1, look)[0]
    assert game.orders[slot, 0]["ability"] == MOVE
    order(game, slot, STOP)
    game.step(60)
    assert lost(game, slot) == 0, "nobody fires at it by himself"
    assert lost(game, soldier) == 0, "and it has no weapon"
    order(game, soldier, ATTACK, slot)
    until(game, lambda: not game.owned(1, look), 80)
    assert lost(game, slot) < game.units[slot]["hp_max"], "the first hit kills it, whatever it is"


def test_mines_and_buried_units_leave_the_disguised_alone() -> None:
    game = duel()
    mine = give(game, "WidowMineBurrowed", 60.0, 60.0, 2)
    spy = give(game, "ChangelingMarine", 62.0, 60.0)
    zergling, other = give(game, "ZerglingBurrowed", 40.0, 40.0), give(game, "ChangelingMarine", 41.0, 40.0, 2)
    game.units[zergling]["flags"] |= AUTOCAST
    game.step(100)
    assert game.units[spy]["alive"]
    assert not game.units[mine]["order_count"]
    assert name_of(game, zergling) == "ZerglingBurrowed"
    assert game.units[other]["alive"]


def test_a_changeling_lives_150_seconds() -> None:
    game = duel()
    overseer = give(game, "Overseer", 40.0, 40.0)
    full(game, overseer)
    order(game, overseer, CHANGELING)
    until(game, lambda: bool(game.owned(1, "Changeling")), 5)
    slot = game.owned(1, "Changeling")[0]
    assert 2400 <= game.units[slot]["life_left"] <= 2405
    game.units[slot]["life_left"] = 3
    game.step(4)
    assert not game.owned(1, "Changeling")


def test_a_contaminated_barracks_stands_still() -> None:
    game = duel()
    overseer, barracks = give(game, "Overseer", 40.0, 40.0), give(game, "Barracks", 44.5, 40.5, 2)
    give(game, "SupplyDepot", 60.0, 60.0, 2)
    full(game, overseer)
    game.players[2]["minerals"] = 500
    game.step(4)
    assert order(game, barracks, 560) == Result.SUCCESS
    game.step(20)
    assert order(game, overseer, CONTAMINATE, barracks) == Result.SUCCESS
    until(game, lambda: 36 in game.units[barracks]["buff"], 40)
    game.step(4)
    left = int(game.jobs[barracks, 0]["left"])
    assert order(game, barracks, 560) == Result.ERROR
    game.step(300)
    assert game.jobs[barracks, 0]["left"] == left
    game.step(200)
    assert game.jobs[barracks, 0]["left"] < left
    assert order(game, barracks, 560) == Result.SUCCESS


def test_overlords_drip_creep_while_they_stay() -> None:
    game = duel()
    lord = give(game, "Overlord", 60.5, 40.5)
    game.step()
    assert order(game, lord, CREEP_ON) == Result.TECH_REQUIREMENTS_NOT_MET
    give(game, "Lair", 20.5, 20.5)
    game.step()
    assert CREEP_ON in available_abilities(game, lord)
    assert order(game, lord, CREEP_ON) == Result.SUCCESS
    game.step(400)
    assert game.creep[40, 60]
    assert game.creep[43, 60]
    assert not game.creep[40, 67]
    assert CREEP_OFF in available_abilities(game, lord)
    assert CREEP_ON not in available_abilities(game, lord)
    order(game, lord, MOVE, (70.5, 40.5))
    game.step(100)
    assert CREEP_ON in available_abilities(game, lord)
    game.step(300)
    assert not game.creep[40, 60]


def test_an_overlord_covers_nine_cells_across_with_cut_corners() -> None:
    """Catalog: Footprint2x2OverlordCreepSourceGrown."""
    game = duel()
    give(game, "Lair", 20.5, 20.5)
    lord = give(game, "Overlord", 60.9, 40.1)
    game.step()
    order(game, lord, CREEP_ON)
    game.step(900)
    rows = [int(game.creep[40 + dy, 50:72].sum()) for dy in range(-5, 6)]
    assert rows == [0, 5, 7, 9, 9, 9, 9, 9, 7, 5, 0]


def test_no_creep_comes_of_an_overlord_over_ground_where_nobody_walks() -> None:
    """Catalog: it takes ground that is pathable."""
    game = duel()
    give(game, "Lair", 20.5, 20.5)
    lord = give(game, "Overlord", 60.5, 40.5)
    game.step()
    ground = game.terrain.walkable.copy()
    ground[30:51, 60] = 0
    game.terrain = dataclasses.replace(game.terrain, walkable=ground)
    assert order(game, lord, CREEP_ON) == Result.SUCCESS
    game.step(400)
    assert not game.creep[36:45, 56:65].any()
    assert CREEP_OFF in available_abilities(game, lord)
    order(game, lord, CREEP_OFF)
    game.step(100)
    assert not game.creep[36:45, 56:65].any()


def test_an_overlord_that_becomes_an_overseer_drips_no_more() -> None:
    game = duel()
    give(game, "Lair", 20.5, 20.5)
    lord = give(game, "Overlord", 60.5, 40.5)
    game.step()
    order(game, lord, CREEP_ON)
    game.step(100)
    assert game.creep[40, 60]
    assert order(game, lord, OVERSEER) == Result.SUCCESS
    game.step(500)
    assert name_of(game, lord) == "Overseer"
    assert not game.creep[40, 60]


def test_a_contaminated_hatchery_spawns_no_larvae() -> None:
    game = duel(enemy=Race.ZERG)
    hall = game.owned(2, "Hatchery")[0]
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    overseer = give(game, "Overseer", x, y + 5)
    full(game, overseer)
    game.kill(game.owned(2, "Larva")[0])
    game.step(4)
    assert order(game, overseer, CONTAMINATE, hall) == Result.SUCCESS
    until(game, lambda: 36 in game.units[hall]["buff"], 40)
    game.kill(overseer)
    game.step(470)
    assert len(game.owned(2, "Larva")) == 2
    until(game, lambda: len(game.owned(2, "Larva")) == 3, 40)


def test_a_transport_that_gives_up_becoming_an_overseer_is_a_transport_again() -> None:
    game = duel()
    give(game, "Lair", 60.5, 60.5)
    for name in ("Overlord", "OverlordTransport"):
        overlord = give(game, name, 40.0, 40.0)
        game.step()
        assert order(game, overlord, 1448) == Result.SUCCESS
        game.step(4)
        assert name_of(game, overlord) == "OverlordCocoon"
        assert order(game, overlord, CANCEL) == Result.SUCCESS
        game.step()
        assert name_of(game, overlord) == name
