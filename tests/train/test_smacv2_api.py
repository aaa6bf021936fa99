"""The second challenge's interface: published sizes, teams and places drawn anew, ranges by type, refusals."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from train.errors import TrainError
from train.smac.teams import draw
from train.smacv2_api import RACES, StarCraftCapabilityEnvWrapper, capability_config

# map, agents, enemies -> actions, obs, state: as published
SIZES = {
    ("10gen_terran", 5, 5): (11, 82, 120),
    ("10gen_protoss", 5, 5): (11, 92, 130),
    ("10gen_zerg", 5, 5): (11, 82, 120),
    ("10gen_terran", 10, 11): (17, 170, 306),
}


def make(name: str = "10gen_terran", units: int = 5, enemies: int = 5, **more: object) -> StarCraftCapabilityEnvWrapper:
    """An environment with the published settings."""
    config = capability_config(name, units, enemies)
    return StarCraftCapabilityEnvWrapper(capability_config=config, map_name=name, seed=3, **more)


@pytest.mark.parametrize("case", SIZES)
def test_sizes_are_the_published_ones(case):
    env = make(*case)
    info = env.get_env_info()
    assert tuple(info[key] for key in ("n_actions", "obs_shape", "state_shape")) == SIZES[case]
    observations, state = env.reset()
    assert {len(one) for one in observations} == {info["obs_shape"]}
    assert (len(state), env.episode_limit) == (info["state_shape"], 200)
    assert env.get_capabilities().shape == (case[1] * info["cap_shape"],)


@pytest.mark.parametrize("name", RACES)
def test_every_episode_has_its_own_teams_and_ends(name):
    env, rng = make(name), np.random.default_rng(0)
    teams = set()
    for _ in range(6):
        env.reset()
        assert Counter(env.own.names) == Counter(env.foes.names), "the enemy's team is a copy"
        teams.add((tuple(env.own.names), *env.own.x.round(2)))
        over = False
        while not over:
            reward, over, _ = env.step([rng.choice(np.flatnonzero(mask)) for mask in env.get_avail_actions()])
            assert reward >= 0
    assert len(teams) == 6
    assert env.get_stats()["battles_game"] == 6


def test_units_see_and_shoot_as_far_as_their_types_do():
    env = make("10gen_protoss", 10, 10)
    env.reset()
    reach = {"Stalker": (6, 10), "Zealot": (2, 9), "Colossus": (7, 10)}
    for k, name in enumerate(env.own.names):
        assert (env.unit_shoot_range(k), env.unit_sight_range(k)) == reach[name]
    own = env.get_obs_feature_names().index("own_pos_x")
    assert env.get_obs()[0][own : own + 2] == pytest.approx([env.own.x[0] / 32, env.own.y[0] / 32])
    assert len(env.get_obs_feature_names()) == env.get_obs_size()


def test_surrounded_agents_stand_in_the_middle_and_mirrored_ones_on_the_left():
    config = capability_config("10gen_zerg", 8, 10)
    rng, seen = np.random.default_rng(1), Counter()
    for _ in range(60):
        drawn = draw(config, rng)
        assert len(drawn.enemies) == len(drawn.enemy_places) == 10
        assert drawn.enemies[:8] == drawn.allies
        middle = bool((drawn.ally_places == 16).all())
        seen[middle] += 1
        if middle:
            away = abs(drawn.enemy_places - 16)
            assert np.allclose(away[:, 0], away[:, 1])
            assert away.min() >= 2
            assert len({tuple(place) for place in drawn.enemy_places.round(6)}) <= 4
        else:
            assert drawn.ally_places[:, 0].max() <= 15
            assert np.allclose(drawn.enemy_places[:8, 0], 32 - drawn.ally_places[:, 0])
            assert np.allclose(drawn.enemy_places[:8, 1], drawn.ally_places[:, 1])
            assert (drawn.enemy_places[8:, 0] >= 16).all()
    assert min(seen.values()) > 15


def test_nobody_fights_with_medivacs_alone():
    config = capability_config("10gen_terran", 2, 2)
    config["team_gen"]["weights"] = [0.05, 0.05, 0.9]
    rng = np.random.default_rng(2)
    assert all(set(draw(config, rng).allies) != {"medivac"} for _ in range(50))


def test_an_enemy_of_whom_only_medivacs_are_left_has_lost():
    """However many: the challenge asks whether anybody else is alive."""
    config = capability_config("10gen_terran", 5, 6)
    config["team_gen"]["weights"] = [0.4, 0.2, 0.4]
    env = StarCraftCapabilityEnvWrapper(capability_config=config, seed=3)
    while env.foes.names.count("Medivac") < 2:
        env.reset()
        env.step([1] * env.n_agents)
    for name, slot in zip(env.foes.names, env.foes.slots.tolist(), strict=True):
        if name != "Medivac":
            env._field.game.kill(slot)
    _, over, info = env.step([1] * env.n_agents)
    assert (over, info["battle_won"]) == (True, True)


def test_arguments_and_names_that_programs_use_are_there():
    published = {"action_mask": True, "kill_unit_step_mul": 2, "num_fov_actions": 12, "use_unit_ranges": True}
    env = make(obs_starcraft=True, min_attack_range=2, prob_obs_enemy=1.0, **published)
    assert (env.env.n_agents, env.env.n_actions) == (5, 11)


@pytest.mark.parametrize("key", ["enemy_mask", "attack", "health"])
def test_what_a_config_asks_beyond_teams_and_places_is_refused(key):
    config = {**capability_config("10gen_zerg", 3, 3), key: {"dist_type": "mask", "mask_probability": 0.5}}
    with pytest.raises(TrainError, match=key):
        StarCraftCapabilityEnvWrapper(capability_config=config, map_name="10gen_zerg")
    config = capability_config("10gen_zerg", 3, 3)
    config["team_gen"]["observe"] = False
    with pytest.raises(TrainError, match="observe"):
        StarCraftCapabilityEnvWrapper(capability_config=config, map_name="10gen_zerg")


def test_what_is_not_there_is_refused_in_one_line():
    with pytest.raises(TrainError, match="conic_fov"):
        make(conic_fov=True)
    with pytest.raises(TrainError, match="action_mask can only be True"):
        make(action_mask=False)
    with pytest.raises(TrainError, match="no map"):
        StarCraftCapabilityEnvWrapper(capability_config={"n_units": 1, "n_enemies": 1}, map_name="3m")
    config = capability_config("10gen_zerg", 3, 3)
    config["start_positions"] = {"dist_type": "everywhere"}
    with pytest.raises(TrainError, match="surrounded_and_reflect"):
        StarCraftCapabilityEnvWrapper(capability_config=config, map_name="10gen_zerg")
    for key in capability_config("10gen_zerg", 3, 3):
        config = capability_config("10gen_zerg", 3, 3)
        del config[key]
        with pytest.raises(TrainError, match=f"lacks '{key}'"):
            StarCraftCapabilityEnvWrapper(capability_config=config, map_name="10gen_zerg")
