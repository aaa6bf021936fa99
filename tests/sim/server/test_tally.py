"""What compiled code adds up for observations: a player's units, harvesters, sites of ordered structures."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import APPROACH, HALLUCINATION, INSIDE, ORDER_DEPTH, UNFINISHED
from sim.melee.game import Game
from sim.melee.sight import Sight
from sim.server.ghosts import placeholders
from sim.server.kinds import kinds
from sim.server.observation import Observer
from sim.server.score import holdings
from tests.sim.melee.field import give, order, terran

TRAIN_SCV, GATHER, REFINERY = 524, 295, 20
MARINE = {"army": 1, "food_army": 1, "food_others": 1, "worth": 50, "units": 50}


def sums(game: Game) -> dict[str, float]:
    """Every number of what player 1 has."""
    found = holdings(game, 1)
    numbers = {name: float(found[name]) for name in found.dtype.names if name != "used"}
    return numbers | {f"used {k}": float(used) for k, used in enumerate(found["used"].sum(axis=0))}


@pytest.mark.parametrize(
    ("name", "flags", "more"),
    [
        ("Marine", 0, {**MARINE, "used 0": 50}),
        ("Marine", INSIDE, {**MARINE, "used 0": 50}),
        ("Marine", HALLUCINATION, {}),
        ("Marine", UNFINISHED, {"food_others": 1, "worth": 50}),
        ("SCV", 0, {"workers": 1, "idle_workers": 1, "food_workers": 1, "worth": 50, "units": 50, "used 1": 50}),
        ("SCV", INSIDE, {"workers": 1, "food_workers": 1, "worth": 50, "units": 50, "used 1": 50}),
        ("WarpGate", 0, {"warp_gates": 1, "worth": 150, "structures": 150, "used 2": 150}),
        ("Barracks", UNFINISHED, {"worth": 150}),
        ("RavagerCocoon", 0, {"army": 1, "food_others": 3, "food_army": 3, "worth": 100, "units": 100, "used 0": 100}),
    ],
)
def test_what_a_unit_adds_to_what_a_player_has(name: str, flags: int, more: dict[str, float]) -> None:
    game = terran()
    before = sums(game)
    game.units["flags"][give(game, name)] |= flags
    give(game, "Marine", owner=2)
    after = sums(game)
    assert {key: after[key] - before[key] for key in after if after[key] != before[key]} == more


def test_units_in_production_count_as_paid() -> None:
    game = terran()
    hall = give(game, "CommandCenter", 48.5, 48.5)
    for _ in range(2):
        assert order(game, hall, TRAIN_SCV) == 1
    game.step(2)
    assert sums(game)["making"] == 100


def harvesters(game: Game) -> np.ndarray:
    """What an observer adds to the records of player 1's units, by slot."""
    observer = Observer(game, 1, Sight(game, 1))
    observer.warm_up()
    return observer._extras


def test_a_field_counts_for_the_nearest_finished_hall() -> None:
    game = terran()
    fields = np.flatnonzero(kinds(game.patch)["mineral"][game.units["type"]] & (game.units["alive"] == 1))
    left, right = give(game, "CommandCenter", 13.5, 73.5), give(game, "OrbitalCommand", 21.5, 73.5)
    workers = [give(game, "SCV", 17 + k, 76) for k in range(3)]
    for worker, goal in zip(workers, (fields[0], fields[0], fields[3]), strict=True):
        assert order(game, worker, GATHER, int(goal)) == 1
    game.step(2)
    found = harvesters(game)
    assert sorted(game.units["x"][fields].tolist()) == [14, 16, 18, 20]
    assert [(found[hall]["ideal"], found[hall]["assigned"]) for hall in (left, right)] == [(4, 2), (4, 1)]
    game.units["flags"][right] |= UNFINISHED
    found = harvesters(game)
    assert [(found[hall]["ideal"], found[hall]["assigned"]) for hall in (left, right)] == [(8, 3), (0, 0)]


def test_a_gas_structure_wants_three_until_it_is_empty() -> None:
    game = terran()
    refinery = give(game, "Refinery", 60.5, 80.5)
    game.units["contents"][refinery] = 100
    worker = give(game, "SCV", 60, 77)
    assert order(game, worker, GATHER, refinery) == 1
    game.step(2)
    found = harvesters(game)[refinery]
    assert (found["ideal"], found["assigned"]) == (3, 1)
    game.units["contents"][refinery] = 0
    assert harvesters(game)[refinery]["ideal"] == 0


def test_as_many_sites_are_found_as_there_are() -> None:
    game = terran()
    for k in range(3):
        orders = game.orders[give(game, "SCV", 40 + k, 40)]
        orders["verb"], orders["ability"], orders["product"], orders["minerals"] = APPROACH, REFINERY, 19, 100
        orders["x"], orders["y"] = np.arange(ORDER_DEPTH) + 0.5, 50.5 + k
        orders["range"] = 1
    game.units["order_count"][game.owned(1, "SCV")] = ORDER_DEPTH
    found = placeholders(game, 1)
    assert len(found) == 3 * ORDER_DEPTH
    assert set(found["type"]) == {19}
    assert (found["x"].min(), found["x"].max(), set(found["y"])) == (0.5, ORDER_DEPTH - 0.5, {50.5, 51.5, 52.5})
    game.orders["minerals"][:] = 0
    assert not len(placeholders(game, 1)), "what is paid for already stands"
