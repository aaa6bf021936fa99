"""PettingZoo's own contract tests."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from train.smac_pettingzoo import parallel_env


@pytest.mark.parametrize("name", ["3m", "MMM", "2s_vs_1sc"])
def test_it_passes_the_parallel_api_test(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(name), num_cycles=130)


def test_the_same_seed_gives_the_same_battle():
    parallel_seed_test(lambda: parallel_env("2s3z"), num_cycles=20)


def test_a_seed_at_reset_goes_before_one_at_the_start():
    def first(env, seed):
        env.reset(seed=seed)
        found = [env.state()]
        for _ in range(12):
            env.step(dict.fromkeys(env.agents, 4))
            found.append(env.state())
        return np.array(found)

    early, late = (first(parallel_env("3m", **given), 5) for given in ({"seed": 3}, {}))
    assert (early == late).all()


def test_after_the_end_there_is_nobody_to_tell():
    env = parallel_env("3m")
    env.reset(seed=1)
    while env.agents:
        env.step(dict.fromkeys(env.agents, 1))
    assert env.step({}) == ({}, {}, {}, {}, {})
    observations, _ = env.reset()
    assert list(observations) == env.agents == env.possible_agents
