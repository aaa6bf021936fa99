"""Whom a power is not for, by the catalog's validators, and what who tries is told."""

import pytest

from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order
from tests.sim.melee.powers_world import duel, full, learn

FEEDBACK = 140


@pytest.mark.parametrize("name", ["OrbitalCommand", "OrbitalCommandFlying", "Nexus", "ShieldBattery"])
def test_feedback_leaves_the_energy_of_structures_alone(name: str) -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.TERRAN)
    templar, other = give(game, "HighTemplar", 40.0, 40.0), give(game, name, 46.5, 40.5, 2)
    full(game, templar, other)
    game.step(2)
    assert order(game, templar, FEEDBACK, other) == Result.CANT_TARGET_THAT_UNIT
