"""Observations, state and action masks of the challenge, for all agents at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.maps import Terrain
from train.smac.maps import BASIC_ACTIONS, HEALING, MAX_COOLDOWN, MAX_SHIELD, MOVES, MapInfo
from train.smac.units import Side, apart

STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))  # north, south, east, west: actions 2 to 5
DIAGONALS = ((1, 1), (-1, -1), (1, -1), (-1, 1))
HEIGHT_UNIT = 255.0  # heights are shares of the highest byte


@dataclass(frozen=True, slots=True)
class Blocks:
    """Which optional blocks the observation and the state have; names and defaults as the challenge's own."""

    obs_all_health: bool = True
    obs_own_health: bool = True
    obs_own_pos: bool = False  # of the second challenge
    obs_last_action: bool = False
    obs_pathing_grid: bool = False
    obs_terrain_height: bool = False
    obs_instead_of_state: bool = False
    obs_timestep_number: bool = False
    state_last_action: bool = True
    state_timestep_number: bool = False


def obs_blocks(info: MapInfo, blocks: Blocks) -> dict[str, tuple[int, ...]]:
    """Shapes of the blocks of one agent's observation, in order, without the time step."""
    move = MOVES + 8 * blocks.obs_pathing_grid + 9 * blocks.obs_terrain_height
    enemy, ally, own = 4 + info.type_bits, 4 + info.type_bits, info.type_bits
    if blocks.obs_all_health:
        enemy, ally = enemy + 1 + info.shields[1], ally + 1 + info.shields[0]
    if blocks.obs_own_health:
        own += 1 + info.shields[0]
    own += 2 * blocks.obs_own_pos
    ally += info.actions * blocks.obs_last_action
    return {"move": (move,), "enemy": (info.enemies, enemy), "ally": (info.agents - 1, ally), "own": (own,)}


def state_blocks(info: MapInfo) -> dict[str, tuple[int, ...]]:
    """Shapes of the unit blocks of the state."""
    ally, enemy = 4 + info.shields[0] + info.type_bits, 3 + info.shields[1] + info.type_bits
    return {"ally": (info.agents, ally), "enemy": (info.enemies, enemy)}


def healers(info: MapInfo, side: Side) -> np.ndarray:
    """bool[n]: Medivacs that act on allies; only where armies have some."""
    return np.array([info.map_type in HEALING and name == "Medivac" for name in side.names], bool)


def masks(info: MapInfo, agents: Side, enemies: Side, step: float) -> np.ndarray:
    """bool[agents, actions]: what each may do. The dead can only do nothing, and nobody else can.

    Moves look half a step ahead; targets are in reach as far as the map says, Medivacs heal any ally on foot.
    """
    found = np.zeros((info.agents, info.actions), bool)
    found[:, 1] = True
    for number, (dx, dy) in enumerate(STEPS, 2):
        x, y = (agents.x + dx * step / 2).astype(int), (agents.y + dy * step / 2).astype(int)
        found[:, number] = _walkable(info.arena.terrain, x, y, beyond=False)
    reach, heal = info.shoot(agents.names)[:, None], healers(info, agents)
    found[:, BASIC_ACTIONS : BASIC_ACTIONS + info.enemies] = (apart(agents, enemies) <= reach) & enemies.alive[None, :]
    if heal.any():
        patients = (apart(agents, agents) <= reach) & (agents.alive & ~heal)[None, :]
        found[heal, BASIC_ACTIONS:] = False
        found[heal, BASIC_ACTIONS : BASIC_ACTIONS + info.agents] = patients[heal]
    found[~agents.alive] = False
    found[:, 0] = ~agents.alive
    return found


def observations(
    info: MapInfo, blocks: Blocks, agents: Side, enemies: Side, mask: np.ndarray, last_action: np.ndarray, step: int
) -> np.ndarray:
    """f4[agents, obs]: all observations without the time step; zeros for the dead."""
    n = info.agents
    move = [mask[:, 2 : 2 + MOVES], *_ground(info.arena.terrain, blocks, agents, step)]
    vitals = blocks.obs_all_health
    sight = info.sight(agents.names)[:, None]
    open_to = mask[:, BASIC_ACTIONS : BASIC_ACTIONS + info.enemies]
    enemy = _others(agents, enemies, sight, open_to, _about(info, enemies, 1, vitals))
    seen = np.ones((n, n), bool)
    about = _about(info, agents, 0, vitals)
    if blocks.obs_last_action:
        about = np.concatenate([about, last_action], axis=1)
    ally = _others(agents, agents, sight, seen, about)[~np.eye(n, dtype=bool)].reshape(n, n - 1, 4 + about.shape[1])
    own = _about(info, agents, 0, blocks.obs_own_health)
    if blocks.obs_own_pos:
        terrain, types = info.arena.terrain, own.shape[1] - info.type_bits
        own = np.insert(own, [types, types], np.stack([agents.x / terrain.width, agents.y / terrain.height], 1), axis=1)
    parts = [*move, enemy.reshape(n, -1), ally.reshape(n, -1), own]
    whole = np.concatenate([np.asarray(part, np.float32) for part in parts], axis=1)
    whole[~agents.alive] = 0
    return whole


def state(info: MapInfo, agents: Side, enemies: Side) -> np.ndarray:
    """f4: the rows of all units; zeros for the dead."""
    side = info.arena.terrain.width
    full = np.array([MAX_COOLDOWN.get(name, 15) for name in agents.names])
    ready = np.where(healers(info, agents), agents.energy, agents.cooldown) / full
    rows = []
    for number, units in enumerate((agents, enemies)):
        about = _about(info, units, number, True)
        place = [(units.x - side / 2) / side, (units.y - side / 2) / side]
        columns = [about[:, 0], *([ready] if number == 0 else []), *place, *about[:, 1:].T]
        rows.append((np.stack(columns, axis=1) * units.alive[:, None]).ravel())
    return np.concatenate(rows).astype(np.float32)


def _about(info: MapInfo, units: Side, side: int, vitals: bool) -> np.ndarray:
    """f[n, k]: shares of life and (Protoss) shields where asked for, and the columns of types."""
    columns = []
    if vitals:
        columns.append(units.hp / units.hp_max)
        if info.shields[side]:
            columns.append(units.shield / np.array([MAX_SHIELD.get(name, 1) for name in units.names]))
    for name in (info.columns, info.enemy_columns)[side]:
        columns.append(np.array([float(other == name) for other in units.names]))
    return np.stack(columns, axis=1) if columns else np.zeros((len(units), 0))


def _others(agents: Side, others: Side, sight: np.ndarray, first: np.ndarray, about: np.ndarray) -> np.ndarray:
    """f[n, m, 4 + k]: rows of those in `sight` f[n, 1]: `first`, distance, offsets, what is known of them."""
    away = apart(agents, others)
    rows = np.zeros((*away.shape, 4 + about.shape[1]))
    rows[..., 0], rows[..., 1] = first, away / sight
    rows[..., 2] = (others.x[None, :] - agents.x[:, None]) / sight
    rows[..., 3] = (others.y[None, :] - agents.y[:, None]) / sight
    rows[..., 4:] = about[None]
    return rows * ((away < sight) & others.alive[None, :])[..., None]


def _walkable(terrain: Terrain, x: np.ndarray, y: np.ndarray, beyond: bool) -> np.ndarray:
    """Whether cells are walkable; `beyond` for those off the map."""
    inside = (x >= 0) & (x < terrain.width) & (y >= 0) & (y < terrain.height)
    column, row = np.clip(x, 0, terrain.width - 1), np.clip(y, 0, terrain.height - 1)
    return np.where(inside, terrain.walkable[row, column] != 0, beyond)


def _ground(terrain: Terrain, blocks: Blocks, agents: Side, step: int) -> Sequence[np.ndarray]:
    """Eight points around for paths, these and its own for heights; beyond the map both are 1."""
    offsets = [(2 * step * dx, 2 * step * dy) for dx, dy in STEPS] + [(step * dx, step * dy) for dx, dy in DIAGONALS]
    dx, dy = np.array([*offsets, (0, 0)]).T
    x, y = agents.x.astype(int)[:, None] + dx[None, :], agents.y.astype(int)[:, None] + dy[None, :]
    found = []
    if blocks.obs_pathing_grid:
        found.append(_walkable(terrain, x[:, :-1], y[:, :-1], beyond=True))
    if blocks.obs_terrain_height:
        inside = (x >= 0) & (x < terrain.width) & (y >= 0) & (y < terrain.height)
        column, row = np.clip(x, 0, terrain.width - 1), np.clip(y, 0, terrain.height - 1)
        found.append(np.where(inside, terrain.levels[row, column] / HEIGHT_UNIT, 1.0))
    return found
