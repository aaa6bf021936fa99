"""Whom a power is not for, by the catalog's validators, and what who tries is told."""

import pytest

from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order
from tests.sim.melee.powers_world import duel, full, learn

PATCHES = ("5.0.14", "4.10.0")
FEEDBACK, NEURAL, ABDUCT = 140, 249, 2067


@pytest.mark.parametrize("name", ["OrbitalCommand", "OrbitalCommandFlying", "Nexus", "ShieldBattery"])
def test_feedback_leaves_the_energy_of_structures_alone(name: str) -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.TERRAN)
    templar, other = give(game, "HighTemplar", 40.0, 40.0), give(game, name, 46.5, 40.5, 2)
    full(game, templar, other)
    game.step(2)
    assert order(game, templar, FEEDBACK, other) == Result.CANT_TARGET_THAT_UNIT


@pytest.mark.parametrize(("caster", "power"), [("Infestor", NEURAL), ("Viper", ABDUCT)])
@pytest.mark.parametrize("patch", PATCHES)
def test_an_ultralisk_is_spared_in_the_words_of_its_validator(caster: str, power: int, patch: str) -> None:
    game = duel(patch, Race.ZERG, Race.ZERG)
    learn(game, "NeuralParasite")
    slot, other = give(game, caster, 40.0, 40.0), give(game, "Ultralisk", 46.0, 40.0, 2)
    full(game, slot)
    game.step(2)
    assert order(game, slot, power, other) == Result.MUST_TARGET_STRUCTURES
