"""Tanks in siege mode are walls (catalog: the only form of a unit that walks with a footprint)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.engine.state import FLYING
from sim.melee import grids, walls
from sim.melee.game import Game
from sim.melee.harm import is_dragged
from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, full

MOVE, UNSIEGE, ABDUCT, GRAVITON, BILE, FORCE_FIELD = 16, 390, 2067, 173, 2338, 1526
LEFT, BOTTOM = 40, 40  # of the ground on which they meet


def wall(game: Game, *gaps: tuple[int, int]) -> float:
    """A wall of 26 cells from bottom to top, but for gaps. -> x of its middle"""
    x = LEFT + 15
    game.walk[BOTTOM : BOTTOM + 26, x] = 0
    for first, last in gaps:
        game.walk[BOTTOM + first : BOTTOM + last, x] = 1
    game.world[0]["terrain_version"] += 1
    return x + 0.5


@pytest.mark.parametrize(
    ("gap", "at"),
    [((12, 14), (0.0, 13.0)), ((10, 16), (-0.3, 13.3)), ((11, 16), (-1.5, 11.7)), ((14, 20), (-1.5, 13.0))],
    ids=["in the way", "in a wide gap", "before its edge", "before the wall"],
)
def test_friends_go_round_a_sieged_tank_and_none_through_it(gap: tuple[int, int], at: tuple[float, float]) -> None:
    game = duel(mine=Race.TERRAN)
    x = wall(game, gap, (21, 24))
    tank = give(game, "SiegeTankSieged", x + at[0], BOTTOM + at[1])
    group = [give(game, "Marine", x - 9 + k % 4 * 0.8, BOTTOM + 11 + k // 4 * 0.8) for k in range(12)]
    for slot in group:
        assert order(game, slot, MOVE, (x + 9, BOTTOM + 13.0)) == Result.SUCCESS
    nearest = 99.0
    for _ in range(400):
        game.step()
        nearest = min(nearest, *(away(game, slot, *place(game, tank)) for slot in group))
    assert nearest > 1.1, "bodies touch at 1.19"
    assert all(game.units[slot]["x"] > x and not game.units[slot]["order_count"] for slot in group)


def place(game: Game, slot: int) -> tuple[float, float]:
    """Where a unit is."""
    return float(game.units[slot]["x"]), float(game.units[slot]["y"])


def test_the_way_is_open_again_when_it_leaves_the_siege_mode_or_dies() -> None:
    game = duel(mine=Race.TERRAN)
    open_ground = game.walk.copy()
    first, second = (give(game, "SiegeTankSieged", LEFT + x, BOTTOM + 0.5) for x in (0.5, 1.5))
    assert (game.walk != open_ground).sum() == 2
    game.kill(second)
    assert (game.walk != open_ground).sum() == 1
    assert order(game, first, UNSIEGE) == Result.SUCCESS
    game.step(90)
    assert np.array_equal(game.walk, open_ground)


def test_a_wall_that_is_built_elsewhere_leaves_nothing_behind_and_none_is_in_the_air() -> None:
    game = duel(mine=Race.TERRAN)
    open_ground = game.walk.copy()
    tank = give(game, "SiegeTankSieged", LEFT + 0.5, BOTTOM + 0.5)
    game.units[tank]["x"] += 5
    walls.build(game, tank)
    assert [tuple(cell) for cell in np.argwhere(game.walk != open_ground)] == [(BOTTOM, LEFT + 5)]
    game.units[tank]["flags"] |= FLYING
    walls.build(game, tank)
    assert np.array_equal(game.walk, open_ground)


@pytest.mark.parametrize(
    ("caster", "race", "ability"), [("Viper", Race.ZERG, ABDUCT), ("Phoenix", Race.PROTOSS, GRAVITON)]
)
def test_who_takes_it_away_takes_the_wall_away(caster: str, race: int, ability: int) -> None:
    game = duel(mine=race)
    tank = give(game, "SiegeTankSieged", LEFT + 0.5, BOTTOM + 0.5, 2)
    hunter = give(game, caster, LEFT - 3.0, BOTTOM + 0.5)
    full(game, hunter)
    game.step()
    assert game.walk[BOTTOM, LEFT] == 0
    assert order(game, hunter, ability, tank) == Result.SUCCESS
    until(game, lambda: game.walk[BOTTOM, LEFT] == 1, 30)
    assert is_dragged(game, tank) == (ability == ABDUCT), "from its first moment in the air"
    game.step(230)
    x, y = place(game, tank)
    assert game.walk[int(y), int(x)] == 0
    assert (math.dist((x, y), (LEFT + 0.5, BOTTOM + 0.5)) > 1) == (ability == ABDUCT)


def test_a_wall_over_a_structure_outlasts_it() -> None:
    game = duel(mine=Race.TERRAN)
    depot, field = give(game, "SupplyDepot", LEFT + 1, BOTTOM + 1), give(game, "ForceField", LEFT + 2.5, BOTTOM + 1)
    game.kill(depot)
    assert all(game.walk[row, column] == 0 for column, row in game.memory.walls[field])
    assert game.walk[BOTTOM, LEFT] == 1


def test_rocks_whose_middle_is_far_off_stay_shut_where_a_structure_fell() -> None:
    game = duel(mine=Race.TERRAN)
    rocks = give(game, "DestructibleRampDiagonalHugeULBR", LEFT + 10, BOTTOM + 10, owner=0)
    shut = grids.cells_of(game, rocks)
    x, y = min(shut)
    hall = give(game, "CommandCenter", x - 1.5, y + 0.5)
    game.kill(hall)
    assert all(game.walk[row, column] == 0 for column, row in shut)


def test_a_structure_outlasts_a_wall_over_it() -> None:
    game = duel(mine=Race.TERRAN)
    depot, field = give(game, "SupplyDepot", LEFT + 1, BOTTOM + 1), give(game, "ForceField", LEFT + 2.5, BOTTOM + 1)
    game.kill(field)
    assert all(game.walk[row, column] == 0 for column, row in grids.cells_of(game, depot))
    assert game.walk[BOTTOM, LEFT + 3] == 1


def test_a_bile_breaks_the_force_fields_that_it_reaches() -> None:
    game = duel()
    ravager, sentry = give(game, "Ravager", LEFT - 4.0, BOTTOM), give(game, "Sentry", LEFT, BOTTOM + 5.0, 2)
    full(game, sentry)
    at_rest(game, ravager, sentry)
    for x in (LEFT + 2.4, LEFT + 5.5):
        assert order(game, sentry, FORCE_FIELD, (x, float(BOTTOM)), queued=True) == Result.SUCCESS
    until(game, lambda: len(game.owned(0, "ForceField")) == 2, 60)
    fields = sorted(game.owned(0, "ForceField"), key=lambda slot: float(game.units[slot]["x"]))
    assert order(game, ravager, BILE, (LEFT + 0.4, float(BOTTOM))) == Result.SUCCESS
    game.step(49)
    assert [bool(game.units[field]["alive"]) for field in fields] == [True, True]
    game.step(4)
    assert [bool(game.units[field]["alive"]) for field in fields] == [False, True]
