"""The computer leaves room for broad units between its structures."""

import numpy as np
import pytest

from sim.computer import Computer
from sim.computer.room import passable, roomy
from tests.sim.melee.field import give, terran


@pytest.fixture(scope="module")
def computer() -> Computer:
    """A computer on a field with one Bunker (47 to 50, 39 to 42) above a wall of Bunkers below row 36 with a gap of two
    cells at 48."""
    game = terran(tech=False)
    give(game, "Bunker", 48.5, 40.5)
    for number in range(15):
        give(game, "Bunker", 46.5 - 3 * number, 34.5)
        give(game, "Bunker", 51.5 + 3 * number, 34.5)
    return Computer(game, 1, 1, 5)


@pytest.mark.parametrize(
    ("x", "y", "has_room"),
    [
        (51.5, 40.5, True),  # touches it
        (52.5, 40.5, False),  # one cell
        (53.5, 40.5, True),  # two
        (52.5, 43.5, True),  # one and a diagonal
        (52.5, 42.5, False),  # they face each other by a cell
    ],
)
def test_gaps_of_one_cell_are_avoided(computer, x, y, has_room):
    assert roomy(computer, computer.game.facts.ids["EngineeringBay"], x, y) is has_room


def test_barracks_keep_room_for_their_addon(computer):
    """The add-on's two cells begin a cell lower, right of the host's three."""
    barracks = computer.game.facts.ids["Barracks"]
    assert roomy(computer, barracks, 40.5, 40.5)
    assert not roomy(computer, barracks, 42.5, 40.5), "one cell is left between the add-on and the Bunker"


def test_the_only_way_is_never_closed(computer):
    depot = computer.game.facts.ids["SupplyDepot"]
    assert passable(computer, depot, 49, 38)
    assert not passable(computer, depot, 49, 35)


def test_passable_ground_may_become_narrow(computer):
    bay = computer.game.facts.ids["EngineeringBay"]
    assert passable(computer, bay, 52.5, 40.5)
    assert np.all(computer.game.walk[39:42, 51:54] == 1), "asking builds nothing"


@pytest.mark.parametrize(("x", "has_room"), [(48.5, False), (51.5, True), (52.5, False), (53.5, True)])
def test_a_site_that_a_worker_is_on_the_way_to_counts_as_built_on(x, has_room):
    """Two structures ordered one after the other stood a cell apart, and tanks between them stood walled in."""
    game = terran(tech=False)
    worker, built = give(game, "SCV", 20.5, 60.5), Computer(game, 1, 1, 5)
    bay = game.facts.ids["EngineeringBay"]
    assert roomy(built, bay, x, 40.5)
    assert built.hands.at(built.recipes["EngineeringBay"].ability, [worker], 48.5, 40.5) == 1
    game.step()
    assert roomy(built, bay, x, 40.5) is has_room
    assert not game.owned(1, "EngineeringBay")
