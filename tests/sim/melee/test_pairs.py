"""Powers that meet: what ends one when another takes hold (validators of the catalog)."""

from __future__ import annotations

import pytest

from sim.engine.state import INSIDE
from sim.melee.game import Game
from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import at_rest, duel, full, lost

NOVA, ABDUCT, LOAD = 2346, 2067, 911


# -- a Disruptor's ball -----------------------------------------------------------------------------------------------
def kill(game: Game, disruptor: int) -> None:
    """It falls."""
    game.kill(disruptor)


def pick_up(game: Game, disruptor: int) -> None:
    """A prism takes it in."""
    prism = give(game, "WarpPrism", 41.0, 40.0, int(game.units[disruptor]["owner"]))
    game.step()
    assert order(game, prism, LOAD, disruptor) == Result.SUCCESS
    until(game, lambda: bool(game.units[disruptor]["flags"] & INSIDE), 20)


def abduct(game: Game, disruptor: int) -> None:
    """A Viper draws it away."""
    viper = give(game, "Viper", 40.0, 44.0)
    full(game, viper)
    game.step()
    assert order(game, viper, ABDUCT, disruptor) == Result.SUCCESS
    until(game, lambda: game.units[disruptor]["y"] > 40.2, 20)


@pytest.mark.parametrize("end", [kill, pick_up, abduct])
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_ball_goes_out_with_its_disruptor(patch, end) -> None:
    game = duel(patch, Race.ZERG, Race.PROTOSS)
    disruptor, hydralisk = give(game, "Disruptor", 40.0, 40.0, 2), give(game, "Hydralisk", 52.0, 40.0)
    at_rest(game, hydralisk)
    game.step(4)
    assert order(game, disruptor, NOVA, (52.0, 40.0)) == Result.SUCCESS
    game.step(4)
    assert game.owned(2, "DisruptorPhased")
    end(game, disruptor)
    game.step(3)
    assert not game.owned(2, "DisruptorPhased")
    game.step(60)
    assert lost(game, hydralisk) == 0
