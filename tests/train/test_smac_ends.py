"""The challenge's battles: how they end and begin anew, who is who, the script's orders, the edges of the map."""

from __future__ import annotations

import numpy as np
import pytest

from train.smac import heuristic
from train.smac.features import masks
from train.smac.units import AGENTS, ENEMIES
from train.smac_api import StarCraft2Env


@pytest.mark.parametrize(("name", "defeat"), [("MMM", -30), ("3m", 0)])
def test_armies_that_die_together_have_lost_where_medivacs_fight_and_neither_has_elsewhere(name, defeat):
    """The challenge asks there whether anybody but Medivacs is left, not whether a Medivac is."""
    env = StarCraft2Env(name, seed=1, reward_defeat=-30, reward_scale=False)
    env.reset()
    game = env._field.game
    for slot in (*game.owned(AGENTS), *game.owned(ENEMIES)):
        game.kill(slot)
    dealt = float((env.foes.hp + env.foes.shield).sum()) + 10 * env.n_enemies
    reward, over, info = env.step([1] * env.n_agents)
    assert over
    assert not info["battle_won"]
    assert reward == pytest.approx(dealt + defeat)
    assert env.step([0] * env.n_agents)[:2] == (0, True), "nobody is paid twice"


def test_a_single_medivac_cannot_hold_out():
    env = StarCraft2Env("MMM", seed=1)
    env.reset()
    medivac = env.foes.names.index("Medivac")
    for k, slot in enumerate(env.foes.slots.tolist()):
        if k != medivac:
            env._field.game.kill(slot)
    _, over, info = env.step([1] * env.n_agents)
    assert (over, info["battle_won"]) == (True, True)
    assert info["dead_enemies"] == env.n_enemies - 1
    assert env.get_stats()["win_rate"] == 1.0


@pytest.mark.parametrize("name", ["MMM", "2s3z", "8m"])
def test_agents_are_numbered_by_type_and_place_and_see_nine_cells_far(name):
    env = StarCraft2Env(name, seed=1)
    env.reset()
    order = list(zip(env.own.types.tolist(), env.own.x.tolist(), env.own.y.tolist(), strict=True))
    assert order == sorted(order)
    assert {env.unit_sight_range(k) for k in range(env.n_agents)} == {9.0}
    assert {env.unit_shoot_range(k) for k in range(env.n_agents)} == {6.0}


def test_a_reset_in_mid_battle_begins_anew():
    env = StarCraft2Env("3m", seed=3, heuristic_ai=True)
    env.reset()
    start = env.own.x.copy()
    for _ in range(8):
        env.step([0] * env.n_agents)
    assert abs(env.own.x - start).max() > 1
    env.reset()
    assert abs(env.own.x - start).max() < 1
    assert not env.last_action.any()


def test_the_resting_script_attacks_what_is_in_reach():
    env = StarCraft2Env("3m", seed=3, heuristic_ai=True, heuristic_rest=True)
    env.reset()
    whole = env.foes.hp.sum()
    for _ in range(20):
        env.step([0] * env.n_agents)
    assert env.foes.hp.sum() < whole


def test_beyond_the_map_there_is_no_way_to_go():
    env = StarCraft2Env("3m", seed=1, obs_pathing_grid=True, obs_terrain_height=True)
    env.reset()
    far = env.info.arena.terrain.width - 0.5
    env.own.x, env.own.y = np.array([0.5, far, far]), np.array([0.5, far, 0.5])
    here = [env.info.arena.terrain.levels[int(y), int(x)] / 255 for x, y in zip(env.own.x, env.own.y, strict=True)]
    found = masks(env.info, env.own, env.foes, 2.0)
    north, south, east, west = found[:, 2:6].T.tolist()
    assert (north[1], south[0], south[2], east[1], east[2], west[0]) == (False,) * 6
    grid = np.array(env.get_obs())[:, 4 : 4 + 8 + 8]
    beyond = np.array([[0, 1, 0, 1, 0, 1, 1, 1], [1, 0, 1, 0, 1, 0, 1, 1], [0, 1, 1, 0, 1, 1, 1, 0]], bool)
    assert (grid[:, :8][beyond] == 1).all()
    assert (grid[:, 8:][beyond] == 1).all()
    assert np.array(env.get_obs())[:, 20] == pytest.approx(here)


@pytest.mark.parametrize(("dx", "dy", "action"), [(3, 10, 2), (-3, -10, 3), (10, 3, 4), (-10, -3, 5)])
def test_the_resting_script_walks_to_what_is_out_of_reach(dx, dy, action):
    env = StarCraft2Env("3m", seed=3, heuristic_ai=True, heuristic_rest=True)
    env.reset()
    env.own.x, env.own.y = np.full(3, 16.0), np.full(3, 16.0)
    env.foes.x, env.foes.y = np.full(3, 16.0 + dx), np.full(3, 16.0 + dy)
    env.masks = masks(env.info, env.own, env.foes, 2.0)
    assert heuristic.actions(env) == [action] * 3


def test_in_the_script_marauders_leave_medivacs_to_others():
    env = StarCraft2Env("MMM", seed=1, heuristic_ai=True)
    env.reset()
    medivac = env.foes.names.index("Medivac")
    env.foes.x[medivac], env.foes.y[medivac] = env.own.x.mean(), env.own.y.mean()
    told = dict(zip(env.own.names, np.array(heuristic.actions(env)) - env.n_actions_no_attack, strict=True))
    assert told["Marine"] == medivac
    assert env.foes.names[told["Marauder"]] != "Medivac"
