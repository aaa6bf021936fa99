"""Workers whose nearest side of a town hall or gas structure lies in a pocket between other structures."""

from __future__ import annotations

import dataclasses

import pytest

from sim.maps import Neutral, arena
from sim.melee.game import Command, Game, PlayerSetup

GATHER, SMART, ATTACK = 298, 1, 23  # the first a Probe's
SIDES = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def base(*structures: tuple[str, float, float], sides: tuple[int, int]) -> Game:
    """A start on flat ground, a geyser and structures beside it (name, cells off its middle), turned over."""
    at = [64.5 + sides[n] * off for n, off in ((0, -7), (1, -3))]
    field = dataclasses.replace(arena(128, 128), starts=((64.5, 64.5), (110.5, 64.5)), neutrals=(Neutral(342, *at),))
    game = Game(field, [PlayerSetup(3, start=0)], seed=1)
    for name, x, y in (("Assimilator", -7, -3), *structures):
        game.spawn(game.facts.ids[name], 1, 64.5 + sides[0] * x, 64.5 + sides[1] * y)
    game.step()
    return game


def gas_of(game: Game, loops: int) -> int:
    """What a Probe brings home within so many loops."""
    worker, (structure,) = game.owned(1, "Probe")[0], game.owned(1, "Assimilator")
    assert game.issue(Command(1, GATHER, (game.tag(worker),), game.tag(structure))) == 1
    for _ in range(loops):
        game.step()
    return int(game.players[1]["gas_gathered"])


@pytest.mark.parametrize("sides", SIDES)
def test_a_corner_between_nexus_gateway_and_bay_keeps_no_probe(sides):
    """A public bot's Probes stood before that corner for the rest of the game, each with its load."""
    free = gas_of(base(sides=sides), 600)
    game = base(("Gateway", -4, -1), ("RoboticsBay", -2, -4), sides=sides)
    assert 0.6 * free <= gas_of(game, 600) < free


@pytest.mark.parametrize("sides", SIDES)
def test_who_finds_a_wider_yard_closed_walks_round_it(sides):
    """Pylons all round a yard before the Nexus, wider than what a worker looks at before it sets out."""
    fence = [("Pylon", -3.5 - 2 * n, row) for n in range(6) for row in (-4.5, 4.5)]
    fence += [("Pylon", -15.5, row - 0.5) for row in range(-4, 6, 2)] + [("Pylon", -1.5, row) for row in (-3.5, 3.5)]
    game = base(*fence, sides=sides)
    worker, (nexus,) = game.owned(1, "Probe")[0], game.owned(1, "Nexus")
    game.units[worker]["x"], game.units[worker]["carry"] = 64.5 - 20 * sides[0], 5
    assert game.issue(Command(1, SMART, (game.tag(worker),), game.tag(nexus))) == 1
    for _ in range(500):
        game.step()
    assert game.units[worker]["carry"] == 0


@pytest.mark.parametrize("sides", SIDES)
def test_who_finds_a_pylon_before_its_side_of_the_nexus_walks_round_both(sides):
    """A public bot built one in a Probe's way: it stood at it to the end, as the two passed for one body."""
    game = base(sides=sides)
    worker, (nexus,) = game.owned(1, "Probe")[0], game.owned(1, "Nexus")
    game.units[worker]["x"], game.units[worker]["y"], game.units[worker]["carry"] = 66.0, 64.5 - 7 * sides[1], 5
    assert game.issue(Command(1, SMART, (game.tag(worker),), game.tag(nexus))) == 1
    for _ in range(6):
        game.step()
    game.spawn(game.facts.ids["Pylon"], 1, 65.0, 64.5 - 3.5 * sides[1])
    for _ in range(200):
        game.step()
    assert game.units[worker]["carry"] == 0


def test_a_zealot_gets_round_a_pylon_at_the_nexus_that_it_is_told_to_strike():
    game = base(("Pylon", 0.5, -3.5), sides=(1, 1))
    (nexus,) = game.owned(1, "Nexus")
    zealot = game.spawn(game.facts.ids["Zealot"], 2, 65.5, 58.5)
    game.step()
    assert game.issue(Command(2, ATTACK, (game.tag(zealot),), game.tag(nexus))) == 1
    for _ in range(64):  # 80 where it first walks at the Pylon
        game.step()
    assert game.units[nexus]["shield"] < game.units[nexus]["shield_max"]
