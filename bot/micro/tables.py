"""What the network is shown of a scene: features of every entity, relations of every agent to every entity, masks.

All numbers are physical (what a thing is and does, where, how far, how long), scaled to about [-1, 1] and never beyond
[-MOST, MOST]. Every number of an entity or a pair depends on that entity or pair alone, so that neither the number nor
the order of entities changes any bit of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.micro import masks
from bot.micro.battlefield import BUFFS, CASTING, HASTE, IDLE, PER_LEVEL, STIM_SPEED, Scene
from bot.micro.kinds import LOOPS_PER_SECOND, MOST, PHYSICAL
from bot.micro.masks import Geometry
from bot.micro.skills import DIRECTIONS, SKILL_VERBS, VERBS
from bot.micro.task import MODES, Tasks

FAR = 15.0  # cells that count as 1
DISTANT = 60.0  # the same for places on the map
VIEW = 20.0  # an agent attends to entities so near
TIME = 32.0  # loops that count as 1
CLOAK_STATES = 5

ENTITY: tuple[str, ...] = (
    *("own", "foe", "hp_share", "hp", "shield_share", "shield", "energy", "energy_share"),
    *("cooldown", "ready", "attack_level", "armor_level", "shield_level", "progress", "detect", "radius"),
    *("flying", "burrowed", "targetable", "cargo_share", "cargo", "facing_x", "facing_y"),
    *(f"cloak_{state}" for state in range(1, CLOAK_STATES)),
    *(f"buff_{index}" for index in range(len(BUFFS))),
    *(f"order_{order}" for order in range(CASTING + 1)),
    *(f"mode_{mode.value}" for mode in MODES),
    *("point_x", "point_y", "point_far", "home_x", "home_y", "home_far", "middle_x", "middle_y"),
    *(f"open_{k}" for k in range(DIRECTIONS)),
    *(f"may_{VERBS[verb].lower()}" for verb in SKILL_VERBS),
)
"""Features of one entity besides those of its kind; the ones from `order_` on are 0 for all but our own."""
ENTITY_FEATURES: tuple[str, ...] = (*PHYSICAL, *ENTITY)
PAIR_FEATURES: tuple[str, ...] = (
    *("dx", "dy", "apart", "gap", "dz", "same_side", "itself"),
    *("in_range", "in_its_range", "to_my_range", "to_its_range", "hits_it", "hits_me"),
    *("shots_to_kill", "its_shots_to_kill", "my_share", "its_share", "faster", "faces_me", "aimed", "ordered"),
)


class Tables(NamedTuple):
    """See docs/micro.md; numpy from `tables`, torch for the network."""

    entities: np.ndarray
    """f4 [B, N, F]: columns of `ENTITY_FEATURES`."""
    pairs: np.ndarray
    """f4 [B, A, N, G]: columns of `PAIR_FEATURES`."""
    present: np.ndarray
    """bool [B, N]."""
    attends: np.ndarray
    """bool [B, A, N]."""
    alive: np.ndarray
    """bool [B, A]."""
    verbs: np.ndarray
    """bool [B, A, V]."""
    targets: np.ndarray
    """bool [B, A, T, N]."""


def tables(scene: Scene, tasks: Tasks) -> Tables:
    """The scene as the network sees it, with the legal verbs and targets."""
    geo = masks.geometry(scene)
    verbs, targets, steps = masks.legal(scene, tasks, geo)
    near = scene.present[:, None, :] & geo.alive[:, :, None] & (geo.apart <= VIEW)
    return Tables(
        entities=entities(scene, tasks, verbs, steps),
        pairs=pairs(scene, geo),
        present=scene.present,
        attends=near,
        alive=geo.alive,
        verbs=verbs,
        targets=targets,
    )


def entities(scene: Scene, tasks: Tasks, verbs: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """f4 [B, N, F]; zeros where nobody is. `verbs` and `steps` as from `masks.legal`."""
    b, n = scene.present.shape
    a = scene.agents
    out = np.zeros((b, n, len(ENTITY_FEATURES)), np.float32)
    out[..., : len(PHYSICAL)] = scene.kinds.physical[scene.kind]
    own = np.arange(n) < a
    at = len(PHYSICAL)
    for column in (own, ~own, *_state(scene)):
        out[..., at] = column
        at += 1
    for state in range(1, CLOAK_STATES):
        out[..., at] = scene.cloak == state
        at += 1
    for bit in BUFFS:
        out[..., at] = (scene.buffs & bit) != 0
        at += 1
    mine = out[:, :a]
    for column in (*(scene.order == order for order in range(IDLE, CASTING + 1)), *_mission(scene, tasks)):
        mine[..., at] = column
        at += 1
    mine[..., at : at + DIRECTIONS] = steps
    mine[..., at + DIRECTIONS :] = verbs[..., SKILL_VERBS]
    np.clip(out, -MOST, MOST, out=out)
    out[~scene.present] = 0.0
    return out


def _state(scene: Scene) -> tuple[np.ndarray, ...]:
    """The columns from hp_share to facing_y."""
    one = np.float32(1.0)
    return (
        scene.hp / np.maximum(scene.hp_max, one),
        np.sqrt(scene.hp / np.float32(500.0)),
        scene.shield / np.maximum(scene.shield_max, one),
        np.sqrt(scene.shield / np.float32(500.0)),
        scene.energy / np.float32(200.0),
        scene.energy / np.maximum(scene.energy_max, one),
        scene.cooldown / np.float32(TIME),
        scene.cooldown <= 0,
        scene.attack_level / np.float32(3.0),
        scene.armor_level / np.float32(3.0),
        scene.shield_level / np.float32(3.0),
        scene.progress,
        scene.detect / np.float32(FAR),
        scene.radius / np.float32(2.0),
        scene.flying,
        scene.burrowed,
        scene.targetable,
        scene.cargo / np.maximum(scene.cargo_max, one),
        scene.cargo_max / np.float32(8.0),
        np.cos(scene.facing),
        np.sin(scene.facing),
    )


def _mission(scene: Scene, tasks: Tasks) -> list[np.ndarray]:
    """The columns from mode_fight to middle_y, [B, A]."""
    a = scene.agents
    columns = [tasks.mode == mode for mode in range(len(MODES))]
    there = tasks.mode >= 0
    for points, far in ((tasks.point, True), (tasks.home, True), (tasks.middle, False)):
        dx, dy = (points[..., 0] - scene.x[:, :a]) * there, (points[..., 1] - scene.y[:, :a]) * there
        apart = np.sqrt(dx * dx + dy * dy)
        if far:
            length = np.maximum(apart, np.float32(1.0))
            columns += [dx / length, dy / length, np.sqrt(apart / np.float32(DISTANT))]
        else:
            columns += [dx / np.float32(FAR), dy / np.float32(FAR)]
    return columns


def pairs(scene: Scene, geo: Geometry) -> np.ndarray:
    """f4 [B, A, N, G]; zeros where agent or entity is not there. A view of [G, B, A, N], one plane a feature."""
    kinds, a = scene.kinds, scene.agents
    b, n = scene.present.shape
    one, most = np.float32(1.0), np.float32(MOST)
    out = np.empty((len(PAIR_FEATURES), b, a, n), np.float32)
    mine, other = scene.kind[:, :a, None], scene.kind[:, None, :]
    level = one + np.float32(PER_LEVEL) * scene.attack_level
    haste = np.where((scene.buffs & HASTE) != 0, np.float32(STIM_SPEED), one)
    life = np.maximum(scene.hp + scene.shield, one)
    volley = kinds.volley[mine, other] * level[:, :a, None]
    against = kinds.volley[other, mine] * level[:, None, :]
    its_reach = kinds.reach[other, mine]
    hits_it = geo.reach >= 0
    hits_me = its_reach >= 0
    second = np.float32(1.0 / LOOPS_PER_SECOND)
    # loops between attacks, as the table says it; a second is what the shares are of
    rate = haste[:, :a, None] / kinds.period[mine, other] / second
    its_rate = haste[:, None, :] / kinds.period[other, mine] / second
    speed = kinds.speed[scene.kind] * haste
    own = np.arange(n) < a
    length = np.maximum(geo.apart, np.float32(0.01))
    face_x, face_y = np.cos(scene.facing)[:, None, :], np.sin(scene.facing)[:, None, :]
    planes = (
        geo.dx / np.float32(FAR),
        geo.dy / np.float32(FAR),
        geo.apart / np.float32(FAR),
        geo.gap / np.float32(FAR),
        (scene.z[:, None, :] - scene.z[:, :a, None]) / np.float32(4.0),
        np.broadcast_to(own, (b, a, n)),
        np.broadcast_to(np.eye(a, n, dtype=bool), (b, a, n)),
        hits_it & (geo.gap <= geo.reach),
        hits_me & (geo.gap <= its_reach),
        np.where(hits_it, (geo.gap - geo.reach) / np.float32(10.0), one),
        np.where(hits_me, (geo.gap - its_reach) / np.float32(10.0), one),
        hits_it,
        hits_me,
        np.minimum(volley / life[:, None, :], one),
        np.minimum(against / life[:, :a, None], one),
        np.minimum(volley * rate / life[:, None, :], most),
        np.minimum(against * its_rate / life[:, :a, None], most),
        (speed[:, :a, None] - speed[:, None, :]) / np.float32(0.2),
        -(geo.dx * face_x + geo.dy * face_y) / length,
        scene.aim[..., None] == np.arange(n),
        scene.order_row[..., None] == np.arange(n),
    )
    assert len(planes) == len(PAIR_FEATURES)
    for plane, value in zip(out, planes, strict=True):
        plane[...] = value
    np.clip(out, -most, most, out=out)
    out *= scene.present[:, None, :] & geo.alive[:, :, None]
    return np.moveaxis(out, 0, -1)
