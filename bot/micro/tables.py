"""What the network is shown of a scene: features of every entity, relations of every agent to every entity, masks.

All numbers are physical (what a thing is and does, where, how far, how long), scaled to about [-1, 1] and never beyond
[-MOST, MOST]. Every number of an entity or a pair depends on that entity or pair alone, so that neither the number nor
the order of entities changes any bit of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bot.micro import masks
from bot.micro.geometry import Geometry, geometry
from bot.micro.kinds import MOST, PHYSICAL
from bot.micro.scene import BUFFS, CASTING, HASTE, IDLE, NOBODY, PER_LEVEL, STIM_SPEED, Scene
from bot.micro.skills import DIRECTIONS, FOLLOW, SKILL_VERBS, STOP, VERBS
from bot.micro.task import MODES, Tasks

FAR = 15.0  # cells that count as 1
DISTANT = 60.0  # the same for places on the map
VIEW = 20.0  # an agent attends to entities so near
TIME = 32.0  # loops that count as 1
CLOAK_STATES = 5
BUFF_BITS = np.array(tuple(BUFFS), np.int32)[:, None, None]
CLOAKS, ORDERS, MISSIONS, ADVISED = (
    np.arange(first, end, dtype=dtype)[:, None, None]
    for first, end, dtype in (
        *((1, CLOAK_STATES, np.uint8), (IDLE, CASTING + 1, np.uint8)),
        *((0, len(MODES), np.int8), (0, FOLLOW, np.int64)),
    )
)
"""What flags say of an entity, one plane each, of the type that they are compared with; as `BUFF_BITS` [k, 1, 1]."""
PART = 1 << 14  # pairs of agent and entity that are worked on at once

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
    *(f"advised_{verb.lower()}" for verb in VERBS[:FOLLOW]),
)
"""Features of one entity besides those of its kind; the ones from `order_` on are 0 for all but our own."""
ENTITY_FEATURES: tuple[str, ...] = (*PHYSICAL, *ENTITY)
PAIR_FEATURES: tuple[str, ...] = (
    *("dx", "dy", "apart", "gap", "dz", "same_side", "itself"),
    *("in_range", "in_its_range", "to_my_range", "to_its_range", "hits_it", "hits_me"),
    *("shots_to_kill", "its_shots_to_kill", "my_share", "its_share", "faster", "faces_me", "aimed", "ordered"),
    "advised",
)
PAIR = {name: index for index, name in enumerate(PAIR_FEATURES)}


def columns(first: str, last: str) -> slice:
    """The features of pairs from the first to the last of these."""
    return slice(PAIR[first], PAIR[last] + 1)


CLIPPED = columns("dx", "dz"), columns("to_my_range", "to_its_range"), columns("my_share", "faster")
"""The features of pairs that could leave [-MOST, MOST]."""
EMPTY, PLACES, HITS, IN_RANGE, MARGIN, SHOTS, SHARES = (
    columns(first, last)
    for first, last in (
        *(("same_side", "itself"), ("dx", "gap"), ("hits_it", "hits_me"), ("in_range", "in_its_range")),
        *(("to_my_range", "to_its_range"), ("shots_to_kill", "its_shots_to_kill"), ("my_share", "its_share")),
    )
)
"""What is made at once; `EMPTY` is 0 for nearly all pairs."""

Advise = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""(legal verbs, legal targets) -> the advised verb i8 [B, A] (-1 without advice) and its target i8 [B, A]."""


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


def tables(scene: Scene, tasks: Tasks, advise: Advise | None = None, geo: Geometry | None = None) -> Tables:
    """The scene as the network sees it, with the legal verbs and targets. `advise` is asked once, with the masks; `geo`
    is the scene's geometry, if it was made already."""
    b, n = scene.present.shape
    a = scene.agents
    planes = np.empty((len(PAIR_FEATURES), b, a, n), np.float32)
    geo = geo or geometry(scene)
    verbs, targets, steps = masks.legal(scene, tasks, geo)
    advised = advise(verbs, targets) if advise else None
    if advised:
        verbs[..., FOLLOW] = verbs[..., STOP] & (advised[0] >= 0)
    attends = geo.apart <= np.float32(VIEW)
    attends &= scene.present[:, None, :] & geo.alive[:, :, None]
    pairs(scene, geo, planes[: PAIR["advised"]])
    _mark(np.where(geo.alive, advised[1], NOBODY) if advised else np.full((b, a), NOBODY), planes[PAIR["advised"]])
    return Tables(
        entities=entities(scene, tasks, verbs, steps, advised and advised[0]),
        pairs=planes.transpose(1, 2, 3, 0),
        present=scene.present,
        attends=attends,
        alive=geo.alive,
        verbs=verbs,
        targets=targets,
    )


def entities(
    scene: Scene, tasks: Tasks, verbs: np.ndarray, steps: np.ndarray, advised: np.ndarray | None = None
) -> np.ndarray:
    """f4 [B, N, F]; zeros where nobody is. `verbs` and `steps` as from `masks.legal`, `advised` verbs i8 [B, A]."""
    b, n = scene.present.shape
    a = scene.agents
    planes = np.zeros((len(ENTITY_FEATURES), b, n), np.float32)
    planes[: len(PHYSICAL)] = scene.kinds.physical.take(scene.kind, axis=0).transpose(2, 0, 1)
    own = np.arange(n) < a
    at = len(PHYSICAL)
    for column in (own, ~own, *_state(scene)):
        planes[at] = column
        at += 1
    at = _put(planes, at, scene.cloak == CLOAKS)
    at = _put(planes, at, (scene.buffs & BUFF_BITS) != 0)
    mine = planes[:, :, :a]
    at = _put(mine, at, scene.order == ORDERS)
    at = _put(mine, at, tasks.mode == MISSIONS)
    at = _mission(scene, tasks, mine, at)
    at = _put(mine, at, steps.transpose(2, 0, 1))
    at = _put(mine, at, verbs.transpose(2, 0, 1).take(SKILL_VERBS, axis=0))
    if advised is not None:
        _put(mine, at, advised == ADVISED)
    planes.clip(-MOST, MOST, out=planes)
    if not scene.present.all():
        planes[:, ~scene.present] = 0.0
    return planes.transpose(1, 2, 0)


def _put(planes: np.ndarray, at: int, flags: np.ndarray) -> int:
    """Write flags bool [k, B, N] into the planes from `at`; the plane after them."""
    planes[at : at + len(flags)] = flags
    return at + len(flags)


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


def _mission(scene: Scene, tasks: Tasks, out: np.ndarray, at: int) -> int:
    """Write the planes from point_x to middle_y into [F, B, A]; the plane after them."""
    b, a = tasks.mode.shape
    place, tasked = np.array((scene.x[:, :a], scene.y[:, :a])), (tasks.mode >= 0).astype(np.float32)
    ways = np.empty((3, 2, b, a), np.float32)
    for way, goal in zip(ways, tasks[1:4], strict=True):
        np.subtract(goal.transpose(2, 0, 1), place, out=way)
    ways *= tasked
    far = np.sqrt(ways[:2, 0] * ways[:2, 0] + ways[:2, 1] * ways[:2, 1])
    there = out[at : at + 6].reshape(2, 3, *out.shape[1:])
    np.divide(ways[:2], np.maximum(far, np.float32(1.0))[:, None], out=there[:, :2])
    np.sqrt(far / np.float32(DISTANT), out=there[:, 2])
    np.divide(ways[2], np.float32(FAR), out=out[at + 6 : at + 8])
    return at + 8


def _mark(rows: np.ndarray, plane: np.ndarray) -> None:
    """Fill a plane [B, A, N] with 1 at each agent's row [B, A], NOBODY without one, and 0 elsewhere."""
    np.equal(rows[..., None], np.arange(plane.shape[-1], dtype=rows.dtype), out=plane)


def pairs(scene: Scene, geo: Geometry, out: np.ndarray) -> None:
    """Fill f4 [G - 1, B, A, N], all but `advised`, with 0 where agent or entity is not there. Battles are taken in
    parts that fit into the processor's cache."""
    b, a, n = geo.apart.shape
    size = max(PART // max(a * n, 1), 1)
    for low in range(0, b, size):
        part = slice(low, low + size)
        _pairs(scene, geo, part, out[:, part])


def _pairs(scene: Scene, geo: Geometry, part: slice, out: np.ndarray) -> None:
    """The planes of these battles."""
    kinds, a = scene.kinds, scene.agents
    one, most = np.float32(1.0), np.float32(MOST)
    out[EMPTY] = 0.0
    places, reaches, apart = geo.places[part], geo.reaches[:, part], geo.apart[part]
    level = one + np.float32(PER_LEVEL) * scene.attack_level[part]
    haste = np.where((scene.buffs[part] & HASTE) != 0, np.float32(STIM_SPEED), one)
    share = one / np.maximum(scene.hp[part] + scene.shield[part], one)
    speed = kinds.speed[scene.kind[part]] * haste * np.float32(1.0 / 0.2)
    out[PAIR["same_side"]][..., :a] = one
    out[PAIR["itself"]][:, np.arange(a), np.arange(a)] = one
    np.multiply(geo.planes[:, part], np.float32(1.0 / FAR), out=out[PLACES])
    np.subtract(scene.z[part, None, :], scene.z[part, :a, None], out=out[PAIR["dz"]])
    out[PAIR["dz"]] *= np.float32(0.25)
    hits, margin = out[HITS], out[MARGIN]
    can = reaches >= 0
    hits[...] = can
    np.subtract(geo.gap[part], reaches, out=margin)
    out[IN_RANGE] = can & (margin <= 0)
    margin *= np.float32(0.1)
    np.copyto(margin, one, where=~can)
    shots, shares = out[SHOTS], out[SHARES]
    kinds.mutual["volley"].take(places, axis=1, out=shots, mode="clip")
    kinds.mutual["rate"].take(places, axis=1, out=shares, mode="clip")
    shots[0] *= level[:, :a, None]
    shots[0] *= share[:, None, :]
    shots[1] *= level[:, None, :]
    shots[1] *= share[:, :a, None]
    shares *= shots
    shares[0] *= haste[:, :a, None]
    shares[1] *= haste[:, None, :]
    shots.clip(np.float32(0.0), one, out=shots)
    np.subtract(speed[:, :a, None], speed[:, None, :], out=out[PAIR["faster"]])
    faces = out[PAIR["faces_me"]]
    np.multiply(geo.dx[part], -np.cos(scene.facing[part])[:, None, :], out=faces)
    faces -= geo.dy[part] * np.sin(scene.facing[part])[:, None, :]
    faces /= np.maximum(apart, np.float32(0.01))
    _mark(scene.aim[part], out[PAIR["aimed"]])
    _mark(scene.order_row[part], out[PAIR["ordered"]])
    for some in CLIPPED:
        out[some].clip(-most, most, out=out[some])
    if not scene.present[part].all():
        out *= (scene.present[part, None, :] & geo.alive[part, :, None]).astype(np.float32)
