"""Psionic storms: what they deal, and for how long."""

from __future__ import annotations

import pytest

from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import full
from tests.sim.melee.protoss_world import enemy, protoss, research


def test_a_storm_deals_eighty_and_two_do_not_add_up() -> None:
    game = protoss()
    research(game, 1, "PsiStormTech")
    templar = [give(game, "HighTemplar", 40.0, 40.0 + k) for k in range(2)]
    full(game, *templar)
    victim = enemy(game, "SiegeTankSieged", 46.0, 40.0)
    game.step(10)
    before = float(game.units[victim]["hp"])
    for caster in templar:
        assert order(game, caster, 1036, (46.0, 40.0)) == 1
    game.step(3)
    assert game.units[templar[0]]["energy"] < 130
    for caster in templar:
        game.kill(caster)  # they would shoot as well
    game.step(20)
    assert 28 in game.units[victim]["buff"]
    assert any(effect.id == 1 for effect in game.memory.effects)
    game.step(90)
    assert before - game.units[victim]["hp"] == pytest.approx(80, abs=0.1)


def test_who_runs_out_of_a_storm_takes_one_more_blow() -> None:
    """Two blows at least; who stays takes eight, 64 loops from the first to the last."""
    game = protoss()
    research(game, 1, "PsiStormTech")
    templar = give(game, "HighTemplar", 40.0, 40.0)
    full(game, templar)
    stays, runs = enemy(game, "SiegeTankSieged", 46.0, 40.0), enemy(game, "Marauder", 46.0, 42.4)
    assert order(game, runs, 18) == 1
    game.step(10)
    life = {slot: float(game.units[slot]["hp"]) for slot in (stays, runs)}
    assert order(game, templar, 1036, (46.0, 41.0)) == 1
    until(game, lambda: game.units[runs]["hp"] < life[runs], 20)
    game.kill(templar)  # it would shoot as well
    first, blows = game.loop, []
    assert order(game, runs, 16, (46.0, 60.0)) == 1
    left = float(game.units[stays]["hp"])
    for _ in range(100):
        game.step()
        if game.units[stays]["hp"] < left:
            blows.append(game.loop - first)
            left = float(game.units[stays]["hp"])
    assert life[runs] - game.units[runs]["hp"] == pytest.approx(20, abs=0.1)
    assert life[stays] - left == pytest.approx(80, abs=0.1)
    assert blows[-1] == 64
    assert len(blows) == 7
