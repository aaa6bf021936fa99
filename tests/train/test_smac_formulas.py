"""Observations, state and rewards of the challenge, number by number, from the units as the interface shows them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from train.smac.units import Unit
from train.smac_api import StarCraft2Env
from train.smacv2_api import StarCraftCapabilityEnvWrapper, capability_config

COOLDOWNS = {"Marine": 15, "Marauder": 25, "Medivac": 200, "Stalker": 35, "Zealot": 22, "Hydralisk": 10}
COOLDOWNS |= {"Zergling": 11, "Baneling": 1}
SHIELDS = {"Stalker": 80, "Zealot": 50, "Colossus": 150}
OWN_TYPES = {
    "MMM": ("Marauder", "Marine", "Medivac"),
    "stalkers_and_zealots": ("Stalker", "Zealot"),
    "bane": ("Baneling", "Zergling"),
    "terran_gen": ("Marine", "Marauder", "Medivac"),
}
ENEMY_TYPES = OWN_TYPES | {"stalkers_and_zealots": ("Zealot", "Stalker")}
EVERYTHING = {"obs_last_action": True, "obs_pathing_grid": True, "obs_terrain_height": True, "obs_own_pos": True}
EVERYTHING |= {"obs_timestep_number": True, "state_timestep_number": True, "reward_only_positive": False}


def about(env: StarCraft2Env, unit: Unit, own: bool) -> list[float]:
    """Life, shields and type."""
    shields = env.shield_bits_ally if own else env.shield_bits_enemy
    types = (OWN_TYPES if own else ENEMY_TYPES).get(env.map_type, ())
    found = [unit.health / unit.health_max, *[unit.shield / SHIELDS.get(unit.name, 1)] * shields]
    return found + [float(unit.name == name) for name in types]


def row(env: StarCraft2Env, agent: int, other: Unit, own: bool, extra: list[float]) -> list[float]:
    """What an agent sees of somebody; `extra` is told of allies alone."""
    me, sight = env.agents[agent], env.unit_sight_range(agent)
    dx, dy = other.pos.x - me.pos.x, other.pos.y - me.pos.y
    away = math.hypot(dx, dy)
    number = next(k for k, unit in (env.agents if own else env.enemies).items() if unit.tag == other.tag)
    first = 1.0 if own else float(env.get_avail_agent_actions(agent)[6 + number])
    found = [first, away / sight, dx / sight, dy / sight, *about(env, other, own), *extra]
    return found if away < sight and other.health > 0 else [0.0] * len(found)


def ground(env: StarCraft2Env, x: int, y: int) -> tuple[float, float]:
    """(walkable, height); both 1 beyond the map."""
    terrain = env.info.arena.terrain
    if not (0 <= x < terrain.width and 0 <= y < terrain.height):
        return 1.0, 1.0
    return float(terrain.walkable[y, x]), terrain.levels[y, x] / 255


def observation(env: StarCraft2Env, agent: int) -> list[float]:
    me, blocks = env.agents[agent], env.blocks
    x, y = int(me.pos.x), int(me.pos.y)
    around = [(0, 4), (0, -4), (4, 0), (-4, 0), (2, 2), (-2, -2), (2, -2), (-2, 2)]
    points = [ground(env, x + dx, y + dy) for dx, dy in (*around, (0, 0))]
    found = [float(bit) for bit in env.get_avail_agent_actions(agent)[2:6]]
    found += [walkable for walkable, _ in points[:-1]] * blocks.obs_pathing_grid
    found += [height for _, height in points] * blocks.obs_terrain_height
    for unit in env.enemies.values():
        found += row(env, agent, unit, False, [])
    for k, unit in env.agents.items():
        if k != agent:
            found += row(env, agent, unit, True, env.last_action[k].tolist() * blocks.obs_last_action)
    own, vitals = about(env, me, True), 1 + env.shield_bits_ally
    place = [me.pos.x / 32, me.pos.y / 32] * blocks.obs_own_pos
    found += [*own[:vitals], *place, *own[vitals:]]
    found = found if me.health > 0 else [0.0] * len(found)
    return found + [env._episode_steps / env.episode_limit] * blocks.obs_timestep_number


def state(env: StarCraft2Env) -> list[float]:
    found: list[float] = []
    for own, units in ((True, env.agents), (False, env.enemies)):
        for unit in units.values():
            ready = (unit.energy if unit.name == "Medivac" else unit.weapon_cooldown) / COOLDOWNS[unit.name]
            life, *rest = about(env, unit, own)
            columns = [life, *[ready] * own, (unit.pos.x - 16) / 32, (unit.pos.y - 16) / 32, *rest]
            found += columns if unit.health > 0 else [0.0] * len(columns)
    found += env.last_action.ravel().tolist()
    return found + [env._episode_steps / env.episode_limit] * env.blocks.state_timestep_number


def losses(before: dict[int, Unit], now: dict[int, Unit]) -> float:
    """Life, shields and 10 for each death."""
    pairs = [(one, now[k]) for k, one in before.items() if one.health > 0]
    return sum(a.health + a.shield - b.health - b.shield + 10 * (b.health <= 0) for a, b in pairs)


@pytest.mark.parametrize("name", ["3m", "MMM", "2s3z", "6h_vs_8z", "bane_vs_bane"])
@pytest.mark.parametrize("options", [{}, EVERYTHING])
def test_what_is_seen_and_paid_follows_the_formulas(name: str, options: dict[str, bool]) -> None:
    check(StarCraft2Env(name, seed=1, **options))


def test_the_second_challenge_has_ranges_by_type_and_cuts_rewards_at_0() -> None:
    config = capability_config("10gen_terran", 5, 6)
    check(StarCraftCapabilityEnvWrapper(capability_config=config, map_name="10gen_terran", seed=1))


def check(env: StarCraft2Env) -> None:
    """Some steps of mostly attacks."""
    rng = np.random.default_rng(0)
    env.reset()
    for _ in range(24):
        for agent in range(env.n_agents):
            assert env.get_obs_agent(agent) == pytest.approx(observation(env, agent), abs=1e-5)
        assert env.get_state() == pytest.approx(state(env), abs=1e-5)
        agents, enemies = env.agents, env.enemies
        masks = [np.flatnonzero(mask) for mask in env.get_avail_actions()]
        reward, over, info = env.step([int(mask[-1] if rng.random() < 0.7 else rng.choice(mask)) for mask in masks])
        gained = losses(enemies, env.enemies)
        if env.reward_only_positive:
            paid = abs(gained) if env.reward_abs else max(gained, 0)
        else:
            paid = gained - 0.5 * losses(agents, env.agents)
        assert reward == pytest.approx((paid + 200 * info["battle_won"]) / (env.max_reward / 20), abs=1e-4)
        if over:
            env.reset()
