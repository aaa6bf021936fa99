"""One battle of a scene with the relations between its sides, for the missions and the scripted rules.

Everything is made when it is first asked for: most of a step's battles need only a part of it. `Relations` are made for
many battles at once, where one operation costs hardly more than for one. Distances are in cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bot.micro.geometry import Geometry, geometry
from bot.micro.kinds import Kinds
from bot.micro.scene import HASTE, NOBODY, Ground, Scene
from bot.micro.side import Side, haste, level, life


class Relations:
    """What our units and the enemies are to each other in some battles of a scene: arrays [b, A, M], each made when
    first asked for; A = `agents` and M are as many as these battles need. Where either is not there the gap is endless
    and nobody reaches anybody."""

    def __init__(self, scene: Scene, battles: Sequence[int]) -> None:
        self.scene, self.kinds, self.battles = scene, scene.kinds, battles
        unbroken = list(battles) == list(range(battles[0], battles[0] + len(battles)))
        self.part = slice(battles[0], battles[0] + len(battles)) if unbroken else np.array(battles)
        self.here = scene.present[self.part]
        self.whole = self.complete = bool(self.here.all())  # nobody is missing: of the scene's room, of what is used
        self.agents, self._end = scene.agents, scene.present.shape[1]
        if not self.complete:
            self.agents = _used(self.here[:, : scene.agents])
            self._end = scene.agents + _used(self.here[:, scene.agents :])
            self.complete = bool(self.own(scene.present).all() and self.foe(scene.present).all())

    def __len__(self) -> int:
        return len(self.battles)

    @property
    def _shared(self) -> bool:
        """The geometry of the scene is that of its only battle, in which nobody is missing."""
        return self.complete and len(self.scene) == 1

    def own(self, array: np.ndarray) -> np.ndarray:
        """Our part of an array [B, N, ...]: [b, A, ...]."""
        return array[self.part, : self.agents]

    def foe(self, array: np.ndarray) -> np.ndarray:
        """The enemies' part of an array [B, N, ...]: [b, M, ...]."""
        return array[self.part, self.scene.agents : self._end]

    def _where_both(self, array: np.ndarray, otherwise: float) -> np.ndarray:
        """The array with this value where either is not there."""
        if not self.complete:
            own, foe = self.own(self.scene.present), self.foe(self.scene.present)
            np.copyto(array, np.float32(otherwise), where=~(own[..., None] & foe[:, None]))
        return array

    def among(self, columns: np.ndarray) -> np.ndarray:
        """Enemies i8 [b, A], by their columns, numbered among those that are there; NOBODY stays."""
        if self.complete or not self.foe_kind.shape[1]:
            return columns
        numbers = self.foe(self.scene.present).cumsum(axis=1) - 1
        return np.where(columns >= 0, np.take_along_axis(numbers, np.maximum(columns, 0), axis=1), NOBODY)

    @cached_property
    def geometry(self) -> Geometry:
        """That of the whole scene, which masks and features need too: of a game's one battle it is made once."""
        return geometry(self.scene)

    def _of_geometry(self, array: np.ndarray) -> np.ndarray:
        """Our and the enemies' part of one of its arrays."""
        return array[:, : self.agents, self.scene.agents : self._end]

    @cached_property
    def gap(self) -> np.ndarray:
        """f4: distance from edge to edge, 0 where they touch."""
        x, y, radius = self.scene.x, self.scene.y, self.scene.radius
        dx = self.own(x)[..., None] - self.foe(x)[:, None]
        dy = self.own(y)[..., None] - self.foe(y)[:, None]
        gap = np.hypot(dx, dy, out=dx)
        gap -= self.own(radius)[..., None]
        gap -= self.foe(radius)[:, None]
        return self._where_both(gap.clip(np.float32(0.0), np.float32(np.inf), out=gap), np.inf)

    @cached_property
    def own_kind(self) -> np.ndarray:
        """i8 [b, A]."""
        return self.own(self.scene.kind)

    @cached_property
    def foe_kind(self) -> np.ndarray:
        """i8 [b, M]."""
        return self.foe(self.scene.kind)

    @cached_property
    def stimmed(self) -> np.ndarray:
        """bool [b, A]."""
        return (self.own(self.scene.buffs) & HASTE) != 0

    @cached_property
    def life(self) -> tuple[np.ndarray, ...]:
        """f4 [b, N] each: life and shields of everybody, the same when nothing is lost."""
        scene = self.scene
        return life(*(array[self.part] for array in (scene.hp, scene.hp_max, scene.shield, scene.shield_max)))

    @property
    def own_life(self) -> tuple[np.ndarray, np.ndarray]:
        """f4 [b, A] each: the part of ours."""
        left, most = self.life
        return left[:, : self.agents], most[:, : self.agents]

    @property
    def foe_life(self) -> np.ndarray:
        """f4 [b, M]: what the enemies have left."""
        return self.life[0][:, self.scene.agents : self._end]

    @cached_property
    def _places(self) -> np.ndarray:
        """i8: of our kind's row and the enemy's column in tables [K, K] laid flat."""
        if self._shared:
            return self._of_geometry(self.geometry.places)
        return self.own_kind[..., None] * len(self.kinds.speed) + self.foe_kind[:, None]

    @cached_property
    def reach(self) -> np.ndarray:
        """f4: our unit's range against this enemy, -1 where it cannot hit it."""
        shown, shared = self.foe(self.scene.targetable)[:, None], self._shared
        reach = self._of_geometry(self.geometry.reach) if shared else self.kinds.reach.take(self._places)
        return self._where_both(np.where(shown, reach, np.float32(-1.0)), -1.0)

    @cached_property
    def volley(self) -> np.ndarray:
        """f4: damage of one of our attacks on this enemy."""
        volley = self.kinds.volley.take(self._places)
        volley *= level(self.own(self.scene.attack_level))[..., None]
        return np.where(self.reach >= 0, volley, np.float32(0.0))

    @cached_property
    def foe_reach(self) -> np.ndarray:
        """f4: the enemy's range against our unit, -1 where it cannot hit it."""
        if self._shared:
            return self._of_geometry(self.geometry.reaches[1])
        return self._where_both(self.kinds.mutual["reach"][1].take(self._places), -1.0)

    @cached_property
    def foe_dps(self) -> np.ndarray:
        """f4: damage a second of the enemy against our unit."""
        dps = self.kinds.mutual["dps"][1].take(self._places)
        dps *= level(self.foe(self.scene.attack_level))[:, None]
        return dps


def _used(here: np.ndarray) -> int:
    """Columns up to the last that somebody of bool [b, k] is in: scenes have room for the largest of many battles."""
    used = np.flatnonzero(here.any(axis=0))
    return int(used[-1]) + 1 if used.size else 0


@dataclass(frozen=True)
class Battlefield:
    """Both sides of one battle, number `b` of its scene and `place` of those that `relations` are about; the n x m
    relations between them are parts of those, made when first asked for."""

    relations: Relations
    place: int

    @cached_property
    def own(self) -> Side:
        """Our units."""
        here = self.relations.here[self.place, : self.scene.agents]
        return Side(self.relations, self.place, np.flatnonzero(here))

    @cached_property
    def foe(self) -> Side:
        """The enemies."""
        agents = self.scene.agents
        return Side(self.relations, self.place, agents + np.flatnonzero(self.relations.here[self.place, agents:]))

    @property
    def scene(self) -> Scene:
        """The moment."""
        return self.relations.scene

    @property
    def b(self) -> int:
        """The battle's number in the scene."""
        return self.relations.battles[self.place]

    @property
    def kinds(self) -> Kinds:
        """The tables of kinds."""
        return self.relations.kinds

    @property
    def ground(self) -> Ground:
        """The map."""
        return self.scene.ground

    def part(self, array: np.ndarray) -> np.ndarray:
        """Our n x m part of an array [b, A, M]."""
        mine = array[self.place]
        if mine.shape == (len(self.own), len(self.foe)):
            return mine
        return mine[self.own.rows[:, None], self.foe.rows - self.scene.agents]

    @cached_property
    def gap(self) -> np.ndarray:
        """float [n, m]: distance from edge to edge, 0 where they touch."""
        return self.part(self.relations.gap)

    @cached_property
    def reach(self) -> np.ndarray:
        """float [n, m]: our unit's range against this enemy, -1 where it cannot hit it."""
        return self.part(self.relations.reach)

    @cached_property
    def volley(self) -> np.ndarray:
        """float [n, m]: damage of one of our attacks on this enemy."""
        return self.part(self.relations.volley)

    @cached_property
    def foe_reach(self) -> np.ndarray:
        """float [n, m]: the enemy's range against our unit, -1 where it cannot hit it."""
        return self.part(self.relations.foe_reach)

    @cached_property
    def foe_dps(self) -> np.ndarray:
        """float [n, m]: damage a second of the enemy against our unit."""
        return self.part(self.relations.foe_dps)

    @cached_property
    def speed(self) -> np.ndarray:
        """float [n]: our cells a loop, Stim included."""
        return self.kinds.speed[self.own.kind] * haste(self.own.stimmed)


def battle(scene: Scene, b: int = 0) -> Battlefield:
    """One battle of a scene."""
    return Battlefield(Relations(scene, [b]), 0)
