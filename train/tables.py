"""The tables of `bot/micro/tables.py` for many battles at once: the same bits, most of them from compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.micro import masks
from bot.micro.geometry import Reaches
from bot.micro.kinds import MOST
from bot.micro.scene import BUFFS, CASTING, HASTE, NOBODY, PER_LEVEL, STIM_SPEED, Scene
from bot.micro.skills import DIRECTIONS, FOLLOW, SKILL_VERBS, STEPS, STOP, STRIDE
from bot.micro.tables import ENTITY_FEATURES, FAR, PAIR_FEATURES, VIEW, Advise, Tables
from bot.micro.task import MODES, Tasks
from train.table_rules import Bodies, Codes, Mission, State, Weapons, describe, free_steps, relate

_LIMITS = np.array((FAR, VIEW, MOST, 1.0 / FAR), np.float32)
_CODES = Codes(CASTING + 1, len(MODES), FOLLOW, np.array(tuple(BUFFS), np.int32), np.array(SKILL_VERBS, np.int64))
_HALF, _WHOLE = STEPS * np.float32(STRIDE) / 2, STEPS * np.float32(STRIDE)


class Room(NamedTuple):
    """Where the large tables are written, again in every step: memory that is fetched anew each time costs small
    battles a third of a step."""

    pairs: np.ndarray
    """f4 [B, A, N, G]."""
    entities: np.ndarray
    """f4 [B, N, F + 1]; the last column is left alone."""

    @classmethod
    def of(cls, battles: int, agents: int, entities: int) -> Room:
        """Room for so many."""
        pairs = np.empty((battles, agents, entities, len(PAIR_FEATURES)), np.float32)
        return cls(pairs, np.empty((battles, entities, len(ENTITY_FEATURES) + 1), np.float32))


def tables(scene: Scene, tasks: Tasks, advise: Advise | None = None, room: Room | None = None) -> Tables:
    """The scene as the network sees it; the ground is one map for all battles. See `bot.micro.tables.tables`.

    The tables lie in `room` and are good until that is used again; without one they have their own.
    """
    (b, n), a = scene.present.shape, scene.agents
    room = room or Room.of(b, a, n)
    alive = scene.present[:, :a]
    cosine, sine = np.cos(scene.facing), np.sin(scene.facing)
    geo = Reaches(np.empty((b, a, n), np.float32), np.empty((b, a, n), np.float32), alive)
    attends = np.empty((b, a, n), bool)
    pairs = room.pairs
    _relate(scene, cosine, sine, geo, attends, pairs)
    verbs, targets, steps = masks.legal(scene, tasks, geo, _steps(scene))
    advised = advise(verbs, targets) if advise else None
    if advised:
        verbs[..., FOLLOW] = verbs[..., STOP] & (advised[0] >= 0)
        battle, agent = np.nonzero(alive & (advised[1] != NOBODY))
        pairs[battle, agent, advised[1][battle, agent], PAIR_FEATURES.index("advised")] = 1.0
    return Tables(
        entities=_entities(scene, tasks, verbs, steps, advised and advised[0], cosine, sine, room.entities),
        pairs=pairs,
        present=scene.present,
        attends=attends,
        alive=alive,
        verbs=verbs,
        targets=targets,
    )


def entities(scene: Scene, tasks: Tasks, verbs: np.ndarray, advised: np.ndarray | None, out: np.ndarray) -> np.ndarray:
    """The entities' part alone, with known verbs; out as `Room.entities`."""
    return _entities(scene, tasks, verbs, _steps(scene), advised, np.cos(scene.facing), np.sin(scene.facing), out)


def _steps(scene: Scene) -> np.ndarray:
    """See `bot.micro.masks.open_steps`."""
    found = np.empty((len(scene), scene.agents, DIRECTIONS), bool)
    free_steps(scene.x, scene.y, scene.kind, scene.kinds.flying, scene.ground.walkable, _HALF, _WHOLE, found)
    return found


def _relate(
    scene: Scene, cosine: np.ndarray, sine: np.ndarray, geo: Reaches, attends: np.ndarray, pairs: np.ndarray
) -> None:
    """Fill what is known of pairs."""
    kinds, one = scene.kinds, np.float32(1.0)
    haste = np.where((scene.buffs & HASTE) != 0, np.float32(STIM_SPEED), one)
    bodies = Bodies(
        present=scene.present,
        kind=scene.kind,
        x=scene.x,
        y=scene.y,
        z=scene.z,
        radius=scene.radius,
        level=one + np.float32(PER_LEVEL) * scene.attack_level,
        haste=haste,
        share=one / np.maximum(scene.hp + scene.shield, one),
        speed=kinds.speed[scene.kind] * haste * np.float32(1.0 / 0.2),
        minus_cosine=-cosine,
        sine=sine,
    )
    weapons = Weapons(kinds.reach, kinds.volley, kinds.rate)
    relate(bodies, weapons, scene.aim, scene.order_row, _LIMITS, geo.gap, geo.reach, attends, pairs)


def _entities(
    scene: Scene,
    tasks: Tasks,
    verbs: np.ndarray,
    steps: np.ndarray,
    advised: np.ndarray | None,
    cosine: np.ndarray,
    sine: np.ndarray,
    out: np.ndarray,
) -> np.ndarray:
    """See `bot.micro.tables.entities`."""
    if advised is None:
        advised = np.full(verbs.shape[:2], -1, np.int64)
    out[:] = 0.0
    columns = {name: getattr(scene, name) for name in State._fields if name not in ("cosine", "sine")}
    state = State(**columns, cosine=cosine, sine=sine)
    mission = Mission(scene.order, tasks.mode, tasks.point, tasks.home, tasks.middle, steps, verbs, advised)
    describe(state, mission, _CODES, scene.kinds.physical, _LIMITS, out)
    return out[..., :-1]
