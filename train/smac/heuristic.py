"""The challenge's scripted agent: keep a target until it is dead, then take the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from train.smac.features import healers
from train.smac.maps import BASIC_ACTIONS
from train.smac.units import Side, apart

if TYPE_CHECKING:
    from train.smac_api import StarCraft2Env

NORTH, SOUTH, EAST, WEST, STOP = 2, 3, 4, 5, 1


def actions(env: StarCraft2Env) -> list[int]:
    """The scripted actions of all agents. A target that is too far for the mask is attacked all the same, or walked to
    where the environment's `heuristic_rest` asks for it."""
    agents, mask = env.own, env.masks
    heal = healers(env.info, agents)
    return [_action(env, k, agents if heal[k] else env.foes, bool(heal[k]), mask[k]) for k in range(len(agents))]


def _action(env: StarCraft2Env, k: int, pool: Side, heals: bool, mask: np.ndarray) -> int:
    agents = env.own
    if not agents.alive[k]:
        return 0
    wanted = pool.alive & ((pool.hp < pool.hp_max) | (not heals))
    if heals or agents.names[k] == "Marauder":  # who heals or shoots at the ground does not look up
        wanted &= np.array([name != "Medivac" for name in pool.names])
    target = env.heuristic_targets[k]
    if target is None or not wanted[target]:
        away = np.where(wanted, apart(agents, pool)[k], np.inf)
        target = int(away.argmin()) if wanted.any() else None
        env.heuristic_targets[k] = target
    if target is None:
        return STOP
    if mask[BASIC_ACTIONS + target] or not env.heuristic_rest:
        return BASIC_ACTIONS + target
    dx, dy = pool.x[target] - agents.x[k], pool.y[target] - agents.y[k]
    across, along = (EAST if dx > 0 else WEST), (NORTH if dy > 0 else SOUTH)
    order = (across, along) if abs(dx) > abs(dy) else (along, across)
    return next((step for step in order if mask[step]), STOP)
