"""Who plays the other side beside an environment: what he is told of battles that begin anew, and after a restart."""

from __future__ import annotations

from typing import Any

import numpy as np

from bot.micro import skills
from tests.train.test_battles import attack, duel
from train.battles import Environment
from train.opponent import Opposed
from train.play import Always


class Noting(Always):
    """Advances, and keeps which battles were new to him."""

    def __init__(self, seed: int) -> None:
        super().__init__(skills.ADVANCE)
        self.seed, self.fresh = seed, []

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.fresh.append(fresh.tolist())
        return super().__call__(tables, fresh)


def environment(seed: int) -> Environment:
    return Environment([duel(limit=3)], 3, seed=seed, enemy="learned", variants=2)


def test_an_opponent_learns_which_battles_are_new_and_comes_anew_with_a_restart() -> None:
    env = Opposed(environment(2), Noting, 7)
    first = env.player
    assert first.seed == 7
    for turn in range(5):
        env.step(*attack(env.observe()))
        if turn == 0:
            env.begin(np.array([1]))
    assert first.fresh == [
        [True, True, True],
        [False, True, False],
        [False, False, False],
        [True, False, True],
        [False, True, False],
    ]
    env.restart(9)
    other = Opposed(environment(9), Noting, 9)
    assert (env.player.seed, env.player.fresh) == (9, [])
    for _ in range(3):
        one, two = env.observe(), other.observe()
        assert np.array_equal(one.tables.entities, two.tables.entities)
        assert np.array_equal(env.step(*attack(one)).reward, other.step(*attack(two)).reward)
    assert env.player.fresh == other.player.fresh
