"""Creep: where it is, how it grows and recedes, who lives on it."""

import numpy as np
import pytest

from sim.melee import placement, zerg_creep
from sim.melee.records import Result
from tests.sim.melee.powers_world import duel
from tests.sim.melee.zerg_world import at, count, first, give, spot, until, zerg_game

QUEEN_TUMOR, SPREAD, CRAWLER = 1694, 1733, 1166


def test_creep_covers_the_main_at_the_start():
    game = zerg_game()
    hall = game.units[first(game, "Hatchery")]
    rows, columns = np.nonzero(game.creep)
    far = np.hypot(columns + 0.5 - hall["x"], rows + 0.5 - hall["y"])
    mine = far[far < 20]
    assert 13.0 < mine.max() <= 13.2
    assert len(mine) > 250
    assert (game.terrain.walkable[rows, columns] == 1).all()


def test_a_grown_hatchery_covers_the_footprint_of_the_catalog():
    """Of its 27 rows the outermost have 5 cells and the next 9: less than a disc that reaches as far as their tips."""
    game, x, y = duel(), 60.5, 40.5
    hall = game.spawn(game.facts.ids["Hatchery"], 1, x, y)
    game.step(2400)
    rows = [int(game.creep[40 + dy, 40:81].sum()) for dy in range(-14, 15)]
    half = [5, 9, 13, 15, 17, 19, 21, 23, 23, 25, 25, 27, 27]
    assert rows == [0, *half, 27, *half[::-1], 0]
    assert game.units[hall]["alive"]


def test_creep_grows_round_a_new_hatchery_and_recedes_when_it_dies():
    game = zerg_game()
    game.step()
    hall = game.units[first(game, "Hatchery")]
    free = np.argwhere((game.terrain.buildable == 1) & (game.creep == 0))
    away = np.hypot(free[:, 1] - hall["x"], free[:, 0] - hall["y"])
    candidates = free[(away > 35) & (away < 60)]
    row, column = candidates[len(candidates) // 2]
    before = int(game.creep.sum())
    new = game.spawn(game.facts.ids["Hatchery"], 1, column + 0.5, row + 0.5)
    game.step(16)
    early = int(game.creep.sum())
    y, x = np.mgrid[: game.creep.shape[0], : game.creep.shape[1]]
    close = (np.hypot(x - column, y - row) <= 4.5) & (game.terrain.walkable == 1)
    assert game.creep[close].all(), (
        "a real Spore Crawler was begun 4 cells off 57 loops after the hatchery was complete"
    )
    game.step(300)
    late = int(game.creep.sum())
    assert before < early < late
    assert abs(late - early - 300 * 2 / (0.352 * 16)) <= 2, "two cells a period, wherever there is room"
    game.step(1400)
    full = int(game.creep.sum())
    assert late < full
    game.step(200)
    assert int(game.creep.sum()) == full
    game.kill(new)
    game.step(400)
    assert abs(full - int(game.creep.sum()) - 400 * 0.41) <= 2
    game.step(1400)
    assert int(game.creep.sum()) == before


@pytest.mark.parametrize("far", [8.0])
def test_tumors_dig_in_spread_once_and_make_creep(far):
    game = zerg_game()
    queen = give(game, "Queen", 5, 5, energy=60)
    hall = game.units[first(game, "Hatchery")]
    x, y = spot(game, QUEEN_TUMOR, far=6)
    game.step()
    assert at(game, queen, QUEEN_TUMOR, x, y) == Result.SUCCESS
    until(game, lambda: count(game, "CreepTumorQueen") == 1, 300)
    assert game.units[queen]["energy"] < 40
    until(game, lambda: count(game, "CreepTumorBurrowed") == 1, 300)
    tumor = first(game, "CreepTumorBurrowed")
    assert at(game, tumor, SPREAD, x + 3, y) in (Result.COOLDOWN, Result.CANT_FIND_PLACEMENT, 49)
    game.step(305)
    sites = [
        (x + far * np.cos(a), y + far * np.sin(a))
        for a in np.linspace(0, 6.2, 24)
        if placement.can_place(game, 1, SPREAD, x + far * np.cos(a), y + far * np.sin(a)) == Result.SUCCESS
    ]
    assert sites
    before = int(game.creep.sum())
    assert at(game, tumor, SPREAD, *max(sites, key=lambda s: np.hypot(s[0] - hall["x"], s[1] - hall["y"]))) == 1
    game.step(240 + 16 + 330)
    assert count(game, "CreepTumorBurrowed") == 2
    assert int(game.creep.sum()) > before
    assert at(game, tumor, SPREAD, *sites[0]) == Result.NOT_SUPPORTED


@pytest.mark.parametrize("creep", [True, False])
def test_only_a_seed_wants_its_place_in_sight(creep):
    """Catalog: footprint CreepTumor has Fogged among what bars it, CreepTumorQueen has not. Where the Queen finds no
    creep nothing comes of it, and she keeps her energy."""
    game = duel()
    queen = game.spawn(game.facts.ids["Queen"], 1, 40.5, 40.5, energy=60)
    tumor = game.spawn(game.facts.ids["CreepTumorBurrowed"], 1, 56.5, 40.5)
    game.types["sight"][1, game.facts.ids["CreepTumorBurrowed"]] = 2
    game.step(4)
    game.creep[35:46, 45:70] = creep
    assert at(game, tumor, SPREAD, 63.5, 40.5) == Result.CANT_SEE_BUILD_LOCATION
    assert at(game, queen, QUEEN_TUMOR, 63.5, 40.5) == Result.SUCCESS
    game.step(900)
    assert count(game, "CreepTumorQueen") + count(game, "CreepTumorBurrowed") == 1 + creep
    assert (game.units[queen]["energy"] > 60) is not creep


def test_a_tumor_on_open_ground_takes_two_cells_a_period_as_far_as_ten_cells_off():
    game, x, y = duel(), 60.5, 40.5
    rows, columns = np.indices(game.creep.shape)
    far = np.hypot(columns + 0.5 - x, rows + 0.5 - y)
    game.spawn(game.facts.ids["CreepTumorBurrowed"], 1, x, y)
    start = int(game.creep[far < 14].sum())
    assert start == 21
    game.step(304)
    covered = (game.creep == 1) & (far < 14)
    assert abs(int(covered.sum()) - start - 304 * 2 / (0.63 * 16)) <= 2, "a fifth of its disc when it may spread"
    assert far[covered].max() < 9
    game.step(1400)
    covered = (game.creep == 1) & (far < 14)
    assert covered[far < 10.2].all()
    assert far[covered].max() < 10.2


def test_a_seed_wants_nobody_standing_where_it_lands():
    game = zerg_game()
    x, y = spot(game, SPREAD)
    tumor = game.spawn(game.facts.ids["CreepTumorBurrowed"], 1, x + 2, y)
    queen = game.spawn(game.facts.ids["Queen"], 1, x, y)
    game.step()
    assert at(game, tumor, SPREAD, x, y) == Result.CANT_BUILD_LOCATION_INVALID
    game.kill(queen)
    game.step(2)
    assert at(game, tumor, SPREAD, x, y) == Result.SUCCESS


def test_tumors_alone_stand_on_slopes_and_only_one_on_a_cell():
    game = zerg_game()
    hall = game.units[first(game, "Hatchery")]
    slopes = np.argwhere((game.terrain.walkable == 1) & (game.terrain.buildable == 0))
    off = np.hypot(slopes[:, 1] + 0.5 - hall["x"], slopes[:, 0] + 0.5 - hall["y"])
    row, column = slopes[off.argmin()]
    x, y = column + 0.5, row + 0.5
    game.creep[row - 2 : row + 3, column - 2 : column + 3] = 1
    queen = game.spawn(game.facts.ids["Queen"], 1, float(hall["x"]), float(hall["y"]) - 4, energy=60)
    game.spawn(game.facts.ids["Overlord"], 1, x, y)  # lights the place
    game.step(8)
    assert placement.can_place(game, 1, CRAWLER, x, y) == Result.CANT_FIND_PLACEMENT
    cliff = np.argwhere((game.terrain.walkable == 0) & (game.terrain.buildable == 0))[0]
    assert placement.can_place(game, 1, SPREAD, cliff[1] + 0.5, cliff[0] + 0.5) == Result.CANT_FIND_PLACEMENT
    assert at(game, queen, QUEEN_TUMOR, x, y) == Result.SUCCESS
    until(game, lambda: count(game, "CreepTumorBurrowed") == 1, 2000)
    tumor = game.units[first(game, "CreepTumorBurrowed")]
    assert (tumor["x"], tumor["y"]) == (x, y)
    assert placement.can_place(game, 1, SPREAD, x, y) == Result.CANT_FIND_PLACEMENT


@pytest.mark.parametrize(
    ("name", "decays"),
    [("SpawningPool", True), ("GreaterSpire", True), ("Extractor", False), ("NydusCanal", False), ("Lair", False)],
)
def test_structures_off_creep_decay(name, decays):
    """Who has the catalog's ZergBuildingNotOnCreep."""
    game = zerg_game()
    free = np.argwhere((game.place == 1) & (game.creep == 0))
    row, column = free[len(free) // 2]
    structure = game.spawn(game.facts.ids[name], 1, column + 0.5, row + 0.5)
    game.creep[:] = 0
    game.units[structure]["hp"] -= 100
    game.step(16)
    before = float(game.units[structure]["hp"])
    game.step(320)
    lost = 20 * (3 * decays - 0.2734)
    assert before - game.units[structure]["hp"] == pytest.approx(lost, abs=0.1), "3.82 in a second (Liquipedia)"


def test_reach_stops_at_closed_ground():
    walkable = np.ones((20, 20), np.uint8)
    walkable[:, 12] = 0
    cells, distance = zerg_creep.reach(walkable, 10.5, 10.5, 6.0)
    assert (cells % 20 < 12).all()
    assert (np.diff(distance) >= 0).all()
    assert distance.max() <= 6.0


def test_who_decays_long_enough_dies():
    game = zerg_game()
    free = np.argwhere((game.place == 1) & (game.creep == 0))
    row, column = free[len(free) // 2]
    pool = game.spawn(game.facts.ids["SpawningPool"], 1, column + 0.5, row + 0.5)
    game.creep[:] = 0
    game.units[pool]["hp"] = 40
    game.step(300)
    assert not game.owned(1, "SpawningPool")
    assert count(game, "Broodling"), "and leaves them as any other"
