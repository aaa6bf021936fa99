"""Caustic Spray: how hard it strikes, when it ends, and when it is ready again."""

from __future__ import annotations

import pytest

from sim.melee.game import Game
from sim.melee.records import Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import away, duel, lost

MOVE, SPRAY, LIFT = 16, 2324, 417


def spraying(patch: str = "5.0.14") -> tuple[Game, int, int]:
    """A game, a Corruptor that has been told to spray on a hall in its range, and that hall."""
    game = duel(patch)
    corruptor, hall = give(game, "Corruptor", 40.0, 40.0), give(game, "CommandCenter", 46.5, 40.5, 2)
    game.step(4)
    assert order(game, corruptor, SPRAY, hall) == Result.SUCCESS
    return game, corruptor, hall


def test_caustic_spray_grows_stronger_and_stops_with_its_order() -> None:
    game = duel()
    corruptor, hall = give(game, "Corruptor", 40.0, 40.0), give(game, "CommandCenter", 46.5, 40.5, 2)
    marine = give(game, "Medivac", 44.0, 44.0, 2)
    game.step(4)
    assert order(game, corruptor, SPRAY, marine) == 115, "it must target structures"
    assert order(game, corruptor, SPRAY, hall) == Result.SUCCESS
    game.step(97)
    assert lost(game, hall) == pytest.approx(30, abs=5.1)
    game.step(32)
    assert lost(game, hall) == pytest.approx(30 + 50, abs=5.1)
    order(game, corruptor, MOVE, (30.0, 40.0))
    game.step(2)
    before = lost(game, hall)
    game.step(64)
    assert lost(game, hall) == before


def test_caustic_spray_strikes_five_times_a_normal_second() -> None:
    game, _, hall = spraying()
    until(game, lambda: lost(game, hall) > 0, 20)
    strikes = [until(game, lambda n=n: lost(game, hall) > n, 6) for n in range(1, 6)]
    assert sum(strikes) == 16
    assert set(strikes) == {3, 4}


def test_caustic_spray_ends_where_its_target_flies_away() -> None:
    """Catalog: within six cells, and two more while it sprays."""
    game, corruptor, hall = spraying()
    game.step(40)
    assert order(game, hall, LIFT) == Result.SUCCESS
    game.step(50)
    assert game.units[corruptor]["order_count"], "it sprays on what flies as near"
    assert order(game, hall, MOVE, (80.0, 40.0)) == Result.SUCCESS
    until(game, lambda: not game.units[corruptor]["order_count"], 250)
    assert away(game, corruptor, float(game.units[hall]["x"]), float(game.units[hall]["y"])) < 13
    before = lost(game, hall)
    game.step(64)
    assert lost(game, hall) == before


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_caustic_spray_cools_down_from_its_end_on(patch: str) -> None:
    """Catalog: DeferCooldown, and who sprays takes no further order to (NotChannelingCausticSpray)."""
    game, corruptor, hall = spraying(patch)
    game.step(64)
    assert order(game, corruptor, SPRAY, hall) == Result.CANT_QUEUE
    assert SPRAY not in available_abilities(game, corruptor)
    order(game, corruptor, MOVE, (40.0, 41.0))
    game.step(2)
    cooldown = int(game.facts.abilities[SPRAY].cooldown)
    game.step(cooldown - 10)
    assert order(game, corruptor, SPRAY, hall) == Result.COOLDOWN
    game.step(12)
    assert order(game, corruptor, SPRAY, hall) == Result.SUCCESS


def test_a_spray_that_never_began_costs_nothing() -> None:
    game = duel()
    corruptor, hall = give(game, "Corruptor", 30.0, 40.0), give(game, "CommandCenter", 56.5, 40.5, 2)
    game.step(4)
    assert order(game, corruptor, SPRAY, hall) == Result.SUCCESS
    game.step(10)
    order(game, corruptor, MOVE, (30.0, 40.0))
    game.step(2)
    assert order(game, corruptor, SPRAY, hall) == Result.SUCCESS
