"""The arithmetic of `tables.py`, compiled: in single precision and in the order of `bot/micro/tables.py`, so that no
bit differs. Sines come from numpy, whose last bit is its own.

Constants of `bot` are arguments: the cache of compiled code knows of changes in `sim` and in this file only.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.engine.jit import inlined, rule

_ONE, _ZERO = np.float32(1.0), np.float32(0.0)
_TENTH, _QUARTER, _TINY = np.float32(0.1), np.float32(0.25), np.float32(0.01)
_BODY, _ENERGY, _TIME, _LEVELS = np.float32(500.0), np.float32(200.0), np.float32(32.0), np.float32(3.0)
_TWO, _CARGO, _DISTANT = np.float32(2.0), np.float32(8.0), np.float32(60.0)


@inlined
def bounded(value, most):
    """The value, cut off at -most and most."""
    return min(max(value, -most), most)


class Bodies(NamedTuple):
    """Columns of entities that pairs are made of, each [B, N]: `level` and `haste` are factors of damage and rate,
    `share` is what one point of damage takes of its life."""

    present: np.ndarray
    kind: np.ndarray
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    radius: np.ndarray
    level: np.ndarray
    haste: np.ndarray
    share: np.ndarray
    speed: np.ndarray
    minus_cosine: np.ndarray
    sine: np.ndarray


class Weapons(NamedTuple):
    """What kinds can do to kinds, each f4[K, K]: see `kinds.Kinds`."""

    reach: np.ndarray
    volley: np.ndarray
    rate: np.ndarray


@rule
def relate(bodies, weapons, aim, ordered, limits, gaps, reach, attends, pairs):
    """Fill gaps, reach f4[B, A, N], attends bool[B, A, N] and pairs f4[B, A, N, G] (see `tables.PAIR_FEATURES`);
    nothing is known (0, reach -1) of those that are not there.

    aim, ordered [B, A]: the rows that agents fire at and are told to attack.
    """
    present, kind, x, y, z = bodies.present, bodies.kind, bodies.x, bodies.y, bodies.z
    radius, level, haste, share = bodies.radius, bodies.level, bodies.haste, bodies.share
    speed, minus_cosine, sine = bodies.speed, bodies.minus_cosine, bodies.sine
    reaches, volleys, rates = weapons.reach, weapons.volley, weapons.rate
    per_far = limits[3]
    view = limits[1]
    most = limits[2]
    for b in range(gaps.shape[0]):
        for i in range(gaps.shape[1]):
            mine = kind[b, i]
            for j in range(gaps.shape[2]):
                row = pairs[b, i, j]
                if not present[b, i] or not present[b, j]:
                    gaps[b, i, j] = _ZERO
                    reach[b, i, j] = -_ONE
                    attends[b, i, j] = False
                    for g in range(row.shape[0]):
                        row[g] = _ZERO
                    continue
                theirs = kind[b, j]
                dx = x[b, j] - x[b, i]
                dy = y[b, j] - y[b, i]
                apart = math.sqrt(dx * dx + dy * dy)
                gap = max(apart - radius[b, j] - radius[b, i], _ZERO)
                far = reaches[mine, theirs]
                its_far = reaches[theirs, mine]
                gaps[b, i, j] = gap
                reach[b, i, j] = far
                attends[b, i, j] = apart <= view
                row[0] = bounded(dx * per_far, most)
                row[1] = bounded(dy * per_far, most)
                row[2] = bounded(apart * per_far, most)
                row[3] = bounded(gap * per_far, most)
                row[4] = bounded((z[b, j] - z[b, i]) * _QUARTER, most)
                row[5] = _ONE if j < gaps.shape[1] else _ZERO
                row[6] = _ONE if i == j else _ZERO
                row[7] = _ONE if far >= _ZERO and gap - far <= _ZERO else _ZERO
                row[8] = _ONE if its_far >= _ZERO and gap - its_far <= _ZERO else _ZERO
                row[9] = bounded((gap - far) * _TENTH, most) if far >= _ZERO else _ONE
                row[10] = bounded((gap - its_far) * _TENTH, most) if its_far >= _ZERO else _ONE
                row[11] = _ONE if far >= _ZERO else _ZERO
                row[12] = _ONE if its_far >= _ZERO else _ZERO
                shots = volleys[mine, theirs] * level[b, i] * share[b, j]
                its_shots = volleys[theirs, mine] * level[b, j] * share[b, i]
                row[13] = min(shots, _ONE)
                row[14] = min(its_shots, _ONE)
                row[15] = bounded(shots * rates[mine, theirs] * haste[b, i], most)
                row[16] = bounded(its_shots * rates[theirs, mine] * haste[b, j], most)
                row[17] = bounded(speed[b, i] - speed[b, j], most)
                row[18] = (dx * minus_cosine[b, j] - dy * sine[b, j]) / max(apart, _TINY)
                row[19] = _ONE if aim[b, i] == j else _ZERO
                row[20] = _ONE if ordered[b, i] == j else _ZERO
                row[21] = _ZERO  # the advice is written afterwards


@inlined
def is_free(x, y, walkable, flying):
    """See `masks.is_open`."""
    column = int(x)
    row = int(y)
    if x < _ONE or y < _ONE or column >= walkable.shape[1] - 1 or row >= walkable.shape[0] - 1:
        return False
    return flying or walkable[row, column]


@rule
def free_steps(x, y, kind, flies, walkable, half, whole, steps):
    """Fill steps bool[B, A, 8]: see `masks.open_steps`. half, whole f4[8, 2]: the ways of a step."""
    for b in range(steps.shape[0]):
        for i in range(steps.shape[1]):
            flying = flies[kind[b, i]]
            for k in range(steps.shape[2]):
                steps[b, i, k] = is_free(x[b, i] + half[k, 0], y[b, i] + half[k, 1], walkable, flying) and is_free(
                    x[b, i] + whole[k, 0], y[b, i] + whole[k, 1], walkable, flying
                )


@inlined
def put_mission(row, at, x, y, mode, modes, point, home, middle, far):
    """The columns from mode_fight to middle_y; returns the column after them."""
    for k in range(modes):
        row[at + k] = _ONE if mode == k else _ZERO
    at += modes
    there = _ONE if mode >= 0 else _ZERO
    for k in range(2):
        goal = home if k else point
        dx = (goal[0] - x) * there
        dy = (goal[1] - y) * there
        apart = math.sqrt(dx * dx + dy * dy)
        length = max(apart, _ONE)
        row[at] = dx / length
        row[at + 1] = dy / length
        row[at + 2] = math.sqrt(apart / _DISTANT)
        at += 3
    row[at] = (middle[0] - x) * there / far
    row[at + 1] = (middle[1] - y) * there / far
    return at + 2


class State(NamedTuple):
    """Columns of entities as they are, each [B, N]; the names are those of `scene.Scene`."""

    present: np.ndarray
    kind: np.ndarray
    x: np.ndarray
    y: np.ndarray
    hp: np.ndarray
    hp_max: np.ndarray
    shield: np.ndarray
    shield_max: np.ndarray
    energy: np.ndarray
    energy_max: np.ndarray
    cooldown: np.ndarray
    attack_level: np.ndarray
    armor_level: np.ndarray
    shield_level: np.ndarray
    progress: np.ndarray
    detect: np.ndarray
    radius: np.ndarray
    flying: np.ndarray
    burrowed: np.ndarray
    targetable: np.ndarray
    cargo: np.ndarray
    cargo_max: np.ndarray
    cosine: np.ndarray
    sine: np.ndarray
    cloak: np.ndarray
    buffs: np.ndarray


class Mission(NamedTuple):
    """Columns of agents, [B, A, ...]: what each is told and may do."""

    order: np.ndarray
    mode: np.ndarray
    point: np.ndarray
    home: np.ndarray
    middle: np.ndarray
    steps: np.ndarray
    verbs: np.ndarray
    advised: np.ndarray


class Codes(NamedTuple):
    """How many values orders, modes and advice have, the bits of buffs, and the verbs of skills."""

    orders: int
    modes: int
    follow: int
    buff_bits: np.ndarray
    skill_verbs: np.ndarray


@rule
def describe(state, mission, codes, physical, limits, out):
    """Fill out f4[B, N, F] (see `tables.ENTITY_FEATURES`), which is 0 before, for all that are there.

    physical f4[K, P]: what is known of kinds.
    """
    far = limits[0]
    most = limits[2]
    for b in range(state.present.shape[0]):
        for j in range(state.present.shape[1]):
            if not state.present[b, j]:
                continue
            row = out[b, j]
            known = physical[state.kind[b, j]]
            for k in range(known.shape[0]):
                row[k] = known[k]
            at = known.shape[0]
            own = j < mission.order.shape[1]
            row[at] = own
            row[at + 1] = not own
            row[at + 2] = state.hp[b, j] / max(state.hp_max[b, j], _ONE)
            row[at + 3] = math.sqrt(state.hp[b, j] / _BODY)
            row[at + 4] = state.shield[b, j] / max(state.shield_max[b, j], _ONE)
            row[at + 5] = math.sqrt(state.shield[b, j] / _BODY)
            row[at + 6] = state.energy[b, j] / _ENERGY
            row[at + 7] = state.energy[b, j] / max(state.energy_max[b, j], _ONE)
            row[at + 8] = state.cooldown[b, j] / _TIME
            row[at + 9] = state.cooldown[b, j] <= _ZERO
            row[at + 10] = state.attack_level[b, j] / _LEVELS
            row[at + 11] = state.armor_level[b, j] / _LEVELS
            row[at + 12] = state.shield_level[b, j] / _LEVELS
            row[at + 13] = state.progress[b, j]
            row[at + 14] = state.detect[b, j] / far
            row[at + 15] = state.radius[b, j] / _TWO
            row[at + 16] = state.flying[b, j]
            row[at + 17] = state.burrowed[b, j]
            row[at + 18] = state.targetable[b, j]
            row[at + 19] = state.cargo[b, j] / max(state.cargo_max[b, j], _ONE)
            row[at + 20] = state.cargo_max[b, j] / _CARGO
            row[at + 21] = state.cosine[b, j]
            row[at + 22] = state.sine[b, j]
            at += 23
            for k in range(1, 5):
                row[at] = state.cloak[b, j] == k
                at += 1
            for k in range(codes.buff_bits.shape[0]):
                row[at] = state.buffs[b, j] & codes.buff_bits[k] != 0
                at += 1
            if own:
                for k in range(codes.orders):
                    row[at] = mission.order[b, j] == k
                    at += 1
                at = put_mission(
                    row,
                    at,
                    state.x[b, j],
                    state.y[b, j],
                    mission.mode[b, j],
                    codes.modes,
                    mission.point[b, j],
                    mission.home[b, j],
                    mission.middle[b, j],
                    far,
                )
                for k in range(mission.steps.shape[2]):
                    row[at] = mission.steps[b, j, k]
                    at += 1
                for k in range(codes.skill_verbs.shape[0]):
                    row[at] = mission.verbs[b, j, codes.skill_verbs[k]]
                    at += 1
                for k in range(codes.follow):
                    row[at] = mission.advised[b, j] == k
                    at += 1
            for k in range(row.shape[0]):
                row[k] = bounded(row[k], most)
