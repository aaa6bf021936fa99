"""Damage in the score's books."""

import numpy as np
import pytest
from s2clientprotocol import score_pb2

from sim.server.score import fill_score
from tests.sim.melee.field import give, order, terran, until

HOLD, KD8 = 18, 2588


def details(game, player):
    """score_details of a player."""
    score = score_pb2.Score()
    fill_score(score, game, player, np.array(game.owned(player)))
    return score.score_details


def test_damage_dealt_and_taken_by_life_and_shields():
    game = terran()
    zealot = give(game, "Zealot", 50.0, 48.5, owner=2)
    marines = [give(game, "Marine", 46.0, 46.0 + k) for k in range(6)]
    until(game, lambda: not game.units[zealot]["alive"], 600)
    own, enemy = details(game, 1), details(game, 2)
    regained = own.total_damage_dealt.shields - 50
    assert 0 <= regained < 5
    assert own.total_damage_dealt.life == pytest.approx(100)
    assert (enemy.total_damage_taken.life, enemy.total_damage_taken.shields) == (
        own.total_damage_dealt.life,
        own.total_damage_dealt.shields,
    )
    hurt = sum(45 - float(game.units[m]["hp"]) for m in marines if game.units[m]["alive"])
    dead = sum(45 for m in marines if not game.units[m]["alive"])
    assert own.total_damage_taken.life == pytest.approx(hurt + dead)
    assert enemy.total_damage_dealt.life == pytest.approx(hurt + dead)


def test_friendly_fire_is_taken_but_not_dealt_and_healing_counts():
    game = terran()
    reaper, marauder = give(game, "Reaper"), give(game, "Marauder", 52.5, 48.5)
    order(game, reaper, KD8, (52.5, 48.5))
    until(game, lambda: game.units[marauder]["hp"] < 125, 60)
    own = details(game, 1)
    assert own.total_damage_taken.life == 5
    assert own.total_damage_dealt.life == 0
    give(game, "Medivac", 50.5, 48.5)
    until(game, lambda: game.units[marauder]["hp"] >= 125, 100)
    assert details(game, 1).total_healed.life >= 5
