"""Who casts turns to its target first."""

from __future__ import annotations

import math

import pytest

from sim.melee.game import Game
from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order, permit, until
from tests.sim.melee.powers_world import at_rest, duel, full

STORM, STRIDE, BLINK, GRAVITON, TIME_WARP, FUNGAL, MOVE = 1036, 2700, 1442, 173, 2244, 74, 16


@pytest.mark.parametrize(
    ("name", "ability", "facing", "loops"),
    [
        ("HighTemplar", STORM, 0.0, 1),
        ("HighTemplar", STORM, 1.0, 1),
        ("HighTemplar", STORM, math.pi / 2, 2),
        ("HighTemplar", STORM, math.pi, 3),
        ("Infestor", FUNGAL, math.pi, 3),
        ("Phoenix", GRAVITON, math.pi, 2),
        ("Mothership", TIME_WARP, math.pi, 1),
        ("DarkTemplar", STRIDE, math.pi, 3),
        ("Stalker", BLINK, math.pi, 1),
    ],
)
def test_a_caster_turns_to_its_target_first(name: str, ability: int, facing: float, loops: int) -> None:
    """62 degrees a loop most, a Phoenix 94; what is cast all round waits for nothing (catalog: an Arc of 360)."""
    game = duel("5.0.14", Race.PROTOSS)
    caster, prey = give(game, name, 40.0, 40.0), give(game, "Marauder", 43.5, 40.0, owner=2)
    at_rest(game, prey)
    full(game, caster)
    if game.facts.abilities[ability].requirement:
        permit(game, ability)
    game.step(4)
    game.units[caster]["facing"] = facing
    before = float(game.units[caster]["energy"])
    assert order(game, caster, ability, prey if ability == GRAVITON else (43.5, 40.0)) == Result.SUCCESS

    def cast() -> bool:
        return float(game.units[caster]["energy"]) < before or (caster, ability) in game.memory.ready

    assert until(game, cast, 10) == loops
    if ability != TIME_WARP:
        assert game.units[caster]["facing"] == pytest.approx(0.0, abs=1e-4)


def turned_away(x: float) -> tuple[Game, int]:
    """A game and a Templar at 40, 40 who looks to the west and is told to cast a storm at `x`, 40."""
    game = duel("5.0.14", Race.PROTOSS)
    templar = give(game, "HighTemplar", 40.0, 40.0)
    full(game, templar)
    permit(game, STORM)
    game.step(4)
    game.units[templar]["facing"] = math.pi
    assert order(game, templar, STORM, (x, 40.0)) == Result.SUCCESS
    return game, templar


def test_who_turns_may_be_told_something_else() -> None:
    game, templar = turned_away(45.0)
    game.step()
    assert order(game, templar, MOVE, (30.0, 40.0)) == Result.SUCCESS
    game.step(4)
    assert not game.memory.effects
    assert float(game.units[templar]["x"]) < 40.0


def test_who_casts_as_it_comes_looks_there_already() -> None:
    game, templar = turned_away(52.0)
    until(game, lambda: game.memory.effects, 60)
    assert 52.0 - float(game.units[templar]["x"]) == pytest.approx(9.0, abs=0.1)
    assert game.units[templar]["facing"] == pytest.approx(0.0, abs=0.01)
