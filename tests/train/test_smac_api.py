"""The challenge's interface: sizes of all maps, masks, rewards, ends, options."""

from __future__ import annotations

import numpy as np
import pytest

from sim.maps import arenas
from train.errors import TrainError
from train.smac import heuristic
from train.smac.units import ENEMIES
from train.smac_api import StarCraft2Env

# map -> agents, enemies, limit, actions, obs, state: as published
SIZES = {
    "3m": (3, 3, 60, 9, 30, 48),
    "8m": (8, 8, 120, 14, 80, 168),
    "25m": (25, 25, 150, 31, 250, 950),
    "5m_vs_6m": (5, 6, 70, 12, 55, 98),
    "8m_vs_9m": (8, 9, 120, 15, 85, 179),
    "10m_vs_11m": (10, 11, 150, 17, 105, 243),
    "27m_vs_30m": (27, 30, 180, 36, 285, 1170),
    "MMM": (10, 10, 150, 16, 160, 290),
    "MMM2": (10, 12, 180, 18, 176, 322),
    "2s3z": (5, 5, 120, 11, 80, 120),
    "3s5z": (8, 8, 150, 14, 128, 216),
    "3s5z_vs_3s6z": (8, 9, 170, 15, 136, 230),
    "3s_vs_3z": (3, 3, 150, 9, 36, 54),
    "3s_vs_4z": (3, 4, 200, 10, 42, 61),
    "3s_vs_5z": (3, 5, 250, 11, 48, 68),
    "1c3s5z": (9, 9, 180, 15, 162, 270),
    "2m_vs_1z": (2, 1, 150, 7, 16, 26),
    "corridor": (6, 24, 400, 30, 156, 282),
    "6h_vs_8z": (6, 8, 150, 14, 78, 140),
    "2s_vs_1sc": (2, 1, 300, 7, 17, 27),
    "so_many_baneling": (7, 32, 100, 38, 202, 397),
    "bane_vs_bane": (24, 24, 200, 30, 336, 984),
    "2c_vs_64zg": (2, 64, 400, 70, 332, 342),
}
# the arguments of PyMARL's file for this environment
PYMARL = {
    "continuing_episode": False,
    "difficulty": "7",
    "game_version": None,
    "map_name": "3m",
    "move_amount": 2,
    "obs_all_health": True,
    "obs_instead_of_state": False,
    "obs_last_action": False,
    "obs_own_health": True,
    "obs_pathing_grid": False,
    "obs_terrain_height": False,
    "obs_timestep_number": False,
    "reward_death_value": 10,
    "reward_defeat": 0,
    "reward_negative_scale": 0.5,
    "reward_only_positive": True,
    "reward_scale": True,
    "reward_scale_rate": 20,
    "reward_sparse": False,
    "reward_win": 200,
    "replay_dir": "",
    "replay_prefix": "",
    "state_last_action": True,
    "state_timestep_number": False,
    "step_mul": 8,
    "seed": 7,
    "heuristic_ai": False,
    "heuristic_rest": False,
    "debug": False,
}


def play(env: StarCraft2Env, rng: np.random.Generator) -> tuple[float, int, dict]:
    """One episode of random legal actions. -> (return, steps, last info)."""
    env.reset()
    total, steps, over, info = 0.0, 0, False, {}
    while not over:
        reward, over, info = env.step([rng.choice(np.flatnonzero(mask)) for mask in env.get_avail_actions()])
        total, steps = total + reward, steps + 1
        assert env.get_state().shape == (env.get_state_size(),)
    return total, steps, info


@pytest.mark.parametrize("name", SIZES)
def test_every_map_has_its_published_sizes(name):
    env = StarCraft2Env(map_name=name, seed=1)
    info = env.get_env_info()
    found = tuple(info[key] for key in ("n_agents", "n_actions", "obs_shape", "state_shape"))
    agents, enemies, limit, actions, obs, state = SIZES[name]
    assert found == (agents, actions, obs, state)
    assert (env.n_enemies, env.episode_limit) == (enemies, limit)
    observations, whole = env.reset()
    assert {len(one) for one in observations} == {obs}
    assert whole.shape == (state,)
    assert whole.dtype == observations[0].dtype == np.float32
    assert all(mask[0] == 0 and mask[1] == 1 for mask in env.get_avail_actions())


def test_all_arenas_with_armies_are_covered():
    assert set(SIZES) == {name for name in arenas.names() if arenas.load(name).allies}


def test_pymarl_arguments_are_taken_and_episodes_count():
    env = StarCraft2Env(**PYMARL)
    rng = np.random.default_rng(0)
    for _ in range(2):
        total, steps, info = play(env, rng)
        assert total >= 0
        assert steps <= env.episode_limit
        assert set(info) <= {"battle_won", "dead_allies", "dead_enemies", "episode_limit"}
    assert env.get_stats()["battles_game"] == 2
    assert env.seed() == 7


def test_a_clean_win_returns_twenty():
    env = StarCraft2Env("3m", seed=3, heuristic_ai=True)
    totals = []
    for _ in range(8):
        env.reset()
        total, over, info = 0.0, False, {}
        while not over:
            reward, over, info = env.step([0] * env.n_agents)
            total += reward
        if info["battle_won"]:
            totals.append(total)
    assert totals, "the scripted agents win some of eight battles"
    assert totals == pytest.approx([20.0] * len(totals))


def test_the_scripted_agents_attack_from_afar_or_walk_where_they_shall_rest():
    def first_steps(rest: bool) -> tuple[np.ndarray, StarCraft2Env]:
        env = StarCraft2Env("3m", seed=3, heuristic_ai=True, heuristic_rest=rest)
        env.reset()
        orders = heuristic.actions(env)
        away = np.hypot(env.foes.x[None] - env.own.x[:, None], env.foes.y[None] - env.own.y[:, None])
        assert away.min() > env.unit_shoot_range(0)
        return np.array(orders), env

    attacks, env = first_steps(False)
    assert (attacks >= env.n_actions_no_attack).all()
    x = env.own.x.copy()
    env.step([1] * env.n_agents)
    assert (env.own.x > x).all(), "an order to attack walks there"
    walks, env = first_steps(True)
    assert ((walks >= 2) & (walks < env.n_actions_no_attack)).all()


def test_a_forbidden_action_is_an_assertion():
    env = StarCraft2Env("3m", seed=1)
    env.reset()
    with pytest.raises(AssertionError, match="Agent 0 cannot perform action 0"):
        env.step([0, 1, 1])


def test_beside_a_forbidden_action_nobody_is_ordered():
    env = StarCraft2Env("3m", seed=1)
    env.reset()
    with pytest.raises(AssertionError, match="Agent 2"):
        env.step([4, 4, 0])
    env._field.game.step(8)
    assert env._field.refresh(env.own).x.tolist() == env.own.x.tolist()


def test_actions_act():
    env = StarCraft2Env("3m", seed=1)
    env.reset()
    before = env.own
    env.step([2, 3, 4])
    moved = env.own.x - before.x, env.own.y - before.y
    assert moved[1][0] > 0.8
    assert moved[1][1] < -0.8
    assert moved[0][2] > 0.8
    assert env.last_action[0].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_attack_is_open_within_six_cells_and_hurts():
    env = StarCraft2Env("3m", seed=1)
    env.reset()
    for _ in range(env.episode_limit):
        masks = env.get_avail_actions()
        if any(any(mask[6:]) for mask in masks):
            break
        env.step([4 if mask[4] else 1 for mask in masks])
    away = np.hypot(env.foes.x[None] - env.own.x[:, None], env.foes.y[None] - env.own.y[:, None])
    assert (np.array(masks)[:, 6:] == (away <= 6)).all()
    health = env.foes.hp.sum()
    for _ in range(6):
        masks = env.get_avail_actions()
        env.step([int(np.flatnonzero(mask)[-1]) for mask in masks])
    assert env.foes.hp.sum() < health


def test_medivacs_heal_allies_by_the_same_columns():
    env = StarCraft2Env("MMM", seed=1)
    env.reset()
    medivac = env.own.names.index("Medivac")
    mask = env.get_avail_actions()[medivac]
    assert mask[6 + medivac] == 0
    assert sum(mask[6:]) > 0, "full health is no reason against it"
    obs = env.get_obs()[medivac]
    row = 4 + np.array([np.flatnonzero(mask[6:])[0]]) * (4 + 1 + 3)
    assert obs[row] == 0, "an enemy out of sight shows nothing, also where the mask of healing would stand"


def test_a_dead_agent_sees_nothing_and_does_nothing():
    env = StarCraft2Env("so_many_baneling", seed=2)
    env.reset()
    rng = np.random.default_rng(1)
    while env.own.alive.all():
        _, over, _ = env.step([rng.choice(np.flatnonzero(mask)) for mask in env.get_avail_actions()])
        assert not over, "with this seed somebody dies before the others"
    dead = int(np.flatnonzero(~env.own.alive)[0])
    assert env.get_avail_agent_actions(dead) == [1] + [0] * (env.n_actions - 1)
    assert not env.get_obs_agent(dead).any()
    assert not env.get_visibility_matrix()[dead].any()


@pytest.mark.parametrize(
    ("option", "longer"),
    [("obs_last_action", 2 * 9), ("obs_pathing_grid", 8), ("obs_terrain_height", 9), ("obs_timestep_number", 1)],
)
def test_optional_blocks_lengthen_the_observation(option, longer):
    env = StarCraft2Env("3m", seed=1, **{option: True})
    observations, _ = env.reset()
    assert env.get_obs_size() == len(observations[0]) == 30 + longer


def test_who_sees_all_health_sees_its_own():
    both = StarCraft2Env("3m", seed=1, obs_own_health=False)
    assert both.get_obs_size() == 30
    assert StarCraft2Env("3m", seed=1, obs_own_health=False, obs_all_health=False).get_obs_size() == 30 - 6


@pytest.mark.parametrize("name", ["3m", "MMM", "2s3z", "bane_vs_bane"])
def test_the_named_features_are_the_columns_of_the_state(name):
    env = StarCraft2Env(name, seed=1, state_last_action=False)
    info = env.get_env_info()
    own, foes = len(info["agent_features"]), len(info["enemy_features"])
    assert env.n_agents * own + env.n_enemies * foes == info["state_shape"]


@pytest.mark.parametrize("name", ["3m", "MMM", "3s5z", "1c3s5z", "bane_vs_bane"])
@pytest.mark.parametrize("on", [False, True])
def test_blocks_and_names_of_columns_add_up_to_what_is_played(name, on):
    options = ("obs_last_action", "obs_pathing_grid", "obs_terrain_height", "obs_timestep_number", "obs_all_health")
    env = StarCraft2Env(name, seed=1, state_timestep_number=on, state_last_action=on, **dict.fromkeys(options, on))
    observations, whole = env.reset()
    (enemies, enemy), (allies, ally) = env.get_obs_enemy_feats_size(), env.get_obs_ally_feats_size()
    moves, own = env.get_obs_move_feats_size(), env.get_obs_own_feats_size()
    assert moves + enemies * enemy + allies * ally + own == len(observations[0])
    names = env.get_obs_feature_names()
    assert len(set(names)) == len(names) == len(observations[0])
    health = observations[0][names.index("own_health")]
    assert health == 1
    assert observations[1][names.index("ally_visible_1")] == 1, "who comes first is the first that is not oneself"
    assert len(env.get_state_feature_names()) == len(whole)
    parts = env.get_state_dict()
    assert parts["allies"].shape == (env.n_agents, env.get_ally_num_attributes())
    assert parts["enemies"].shape == (env.n_enemies, env.get_enemy_num_attributes())
    assert ("last_action" in parts) == ("timestep" in parts) == on
    assert parts["enemies"][-1, 0] == whole[env.get_state_feature_names().index(f"enemy_health_{env.n_enemies - 1}")]


def test_the_state_may_be_all_observations():
    env = StarCraft2Env("3m", seed=1, obs_instead_of_state=True)
    _, whole = env.reset()
    names = env.get_state_feature_names()
    assert len(set(names)) == len(names) == len(whole) == env.get_state_size()


def test_the_script_tells_what_it_did():
    env = StarCraft2Env("3m", seed=3, heuristic_ai=True)
    env.reset()
    actions = np.zeros(env.n_agents, int)
    env.step(actions)
    assert (actions >= env.n_actions_no_attack).all()
    env.step(tuple(actions))


def test_a_full_restart_is_a_new_battle():
    env = StarCraft2Env("3m", seed=3, heuristic_ai=True)
    env.reset()
    for _ in range(12):
        env.step([0] * env.n_agents)
    assert not (env.own.hp == env.own.hp_max).all()
    env.full_restart()
    assert (env.own.hp == env.own.hp_max).all()
    assert env.get_stats()["restarts"] == 1


def test_a_map_may_say_how_long_a_step_is():
    env = StarCraft2Env("3m", step_mul=None, seed=1)
    env.reset()
    before = env._field.game.loop
    env.step([1] * env.n_agents)
    assert env._field.game.loop == before + 8


def test_state_options():
    assert StarCraft2Env("3m", seed=1, state_timestep_number=True).reset()[1].shape == (49,)
    assert StarCraft2Env("3m", seed=1, state_last_action=False).reset()[1].shape == (21,)
    assert StarCraft2Env("3m", seed=1, obs_instead_of_state=True).reset()[1].shape == (90,)


def test_sparse_rewards_stay_divided():
    env = StarCraft2Env("MMM2", seed=1, reward_sparse=True)
    total, _, info = play(env, np.random.default_rng(0))
    assert not info["battle_won"]
    assert total == pytest.approx(-20 / env.max_reward)


def test_same_seed_same_episode():
    def run() -> list[float]:
        env, rng = StarCraft2Env("2s3z", seed=5), np.random.default_rng(4)
        return [play(env, rng)[0] for _ in range(2)]

    assert run() == run()


def test_a_seed_given_later_plays_as_one_given_at_once():
    def battles(env: StarCraft2Env) -> list[float]:
        rng = np.random.default_rng(4)
        return [play(env, rng)[0] for _ in range(2)]

    late = StarCraft2Env("2s3z", seed=1)
    play(late, np.random.default_rng(0))
    assert late.seed(5) == late.seed() == 5
    assert battles(late) == battles(StarCraft2Env("2s3z", seed=5))


@pytest.mark.parametrize(("difficulty", "turn"), [("1", False), (7, True), ("A", True)])
def test_enemies_turn_to_the_best_targets_from_some_difficulty_on(difficulty, turn):
    env = StarCraft2Env("1c3s5z", difficulty=difficulty, seed=3, heuristic_ai=True)
    env.reset()
    told = set()
    for _ in range(20):
        env.step([0] * env.n_agents)
        game = env._field.game
        told |= {int(game.orders[slot, 0]["target"]) for slot in game.owned(ENEMIES)}
    assert (len(told - {-1}) > 0) == turn


def test_unknown_maps_and_arguments_are_one_line():
    with pytest.raises(TrainError, match="unknown arena"):
        StarCraft2Env("4m")
    with pytest.raises(TrainError, match="32x32_flat has no armies"):
        StarCraft2Env("32x32_flat")
    with pytest.raises(TrainError, match="nonsense"):
        StarCraft2Env("3m", nonsense=1)
    with pytest.raises(TrainError, match="difficulty '11'; there are 1 to 9 and A"):
        StarCraft2Env("3m", difficulty="11")
