"""Who passes the gaps between structures (broad units want two cells, or one and a diagonal), and how crowds arrive."""

import numpy as np
import pytest

from sim.maps import load
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.moving import walking_distance
from tests.sim.melee.field import give, order, terran

MOVE = 16
LEFT = 47  # the left half of the wall ends here
BELOW, BEYOND = (47.5, 34.5), (47.5, 50.5)


def walled(gap: int, askew: int = 0, patch: str = "5.0.14") -> Game:
    """A wall of Bunkers across the field with a gap so many cells wide, its right half so many cells higher up."""
    game = terran(tech=False, enemy=False, patch=patch)
    for number in range(16):
        give(game, "Bunker", LEFT - 1.5 - 3 * number, 40.5)
        give(game, "Bunker", LEFT + gap + 1.5 + 3 * number, 40.5 + askew)
    return game


def passes(game: Game, name: str) -> bool:
    """The unit walks from below the wall to the other side."""
    slot = give(game, name, *BELOW)
    order(game, slot, MOVE, BEYOND)
    game.step(int(20 / float(game.type_of(slot)["speed"])))
    beyond = float(game.units[slot]["y"]) > 44
    assert (walking_distance(game, BELOW, BEYOND, slot) > 0) is beyond, "the query says what the unit does"
    game.remove(slot)
    return beyond


NARROW = ("SCV", "Zergling", "Zealot", "Stalker", "Immortal", "Roach", "Hellion", "Cyclone")
BROAD = ("SiegeTank", "Thor", "Ultralisk")


def test_one_cell_stops_broad_units_only():
    game = walled(1)
    assert [name for name in (*NARROW, *BROAD) if passes(game, name)] == list(NARROW)


@pytest.mark.parametrize(("patch", "fits"), [("4.10.0", False), ("5.0.14", True)])
def test_archons_have_been_made_narrower(patch, fits):
    assert passes(walled(1, patch=patch), "Archon") is fits


@pytest.mark.parametrize(("gap", "askew"), [(2, 0), (1, 3)])
def test_two_cells_or_one_and_a_diagonal_let_all_pass(gap, askew):
    game = walled(gap, askew)
    assert [name for name in BROAD if passes(game, name)] == list(BROAD)


def test_a_wall_that_opens_lets_broad_units_pass():
    game = walled(1)
    slot = give(game, "SiegeTank", *BELOW)
    order(game, slot, MOVE, BEYOND)
    game.step(150)
    assert game.units[slot]["y"] < 40
    game.kill(next(s for s in game.owned(1, "Bunker") if game.units[s]["x"] == LEFT - 1.5))
    game.step(150)
    assert not passes(walled(1), "SiegeTank")
    order(game, slot, MOVE, BEYOND)
    game.step(150)
    assert game.units[slot]["y"] > 44


def test_who_comes_to_one_point_together_settles_there(shared):
    """On this ground three of a hundred Zerglings once pushed each other off the point in turn, for ever."""
    terrain = load("PersephoneAIE", shared / "recordings")
    game = Game(terrain, [PlayerSetup(1, start=0), PlayerSetup(2, start=1)], seed=1)
    game.step(4)
    spread = np.array([31.5, 139.5]) + np.random.default_rng(0).uniform(-3, 3, (100, 2))
    pack = [give(game, "Zergling", float(x), float(y)) for x, y in spread]
    game.step(8)
    game.issue(Command(1, MOVE, tuple(game.tag(slot) for slot in pack), 0, 116.5, 86.5, True))
    game.step(1400)
    assert not game.units["moving"][pack].any()


def test_the_gates_of_torches_fall_by_themselves(shared):
    """All six die in loop 10665 in all six real games on that map, and the four bases behind them can be walked to."""
    terrain = load("TorchesAIE", shared / "recordings")
    game = Game(terrain, [PlayerSetup(1, start=0), PlayerSetup(2, start=1)], seed=1)
    worker = game.owned(1, "SCV")[0]
    outside, inside = (90.5, 104.5), (102.5, 110.5)
    game.step(10664)
    assert len(game.owned(0, "DestructibleExpeditionGate6x6")) == 6
    assert not walking_distance(game, outside, inside, worker)
    game.step(1)
    assert not game.owned(0, "DestructibleExpeditionGate6x6")
    assert walking_distance(game, outside, inside, worker)
