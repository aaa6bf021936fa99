"""Where everybody stands to everybody: distances, ranges, and where the tables of kinds tell what they do to each.

Made once a step and shared by masks, features and rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.micro.scene import Scene


@dataclass(frozen=True, slots=True)
class Geometry:
    """Relations of all agents to all entities, f4 [B, A, N]."""

    dx: np.ndarray
    dy: np.ndarray
    apart: np.ndarray
    """From centre to centre."""
    gap: np.ndarray
    """From edge to edge, at least 0."""
    planes: np.ndarray
    """f4 [4, B, A, N]: these four as one."""
    reaches: np.ndarray
    """f4 [2, B, A, N]: the agent's range against the entity, -1 where it cannot hit it; the entity's against the
    agent."""
    places: np.ndarray
    """i8 [B, A, N]: where a table [K, K] of kinds, laid flat, has the row of the agent and the column of the entity."""
    alive: np.ndarray
    """bool [B, A]."""

    @property
    def reach(self) -> np.ndarray:
        """f4 [B, A, N]: the agent's range against the entity."""
        return self.reaches[0]


class Reaches(NamedTuple):
    """What masks ask of a `Geometry`; of agents or entities that are not there it may say anything."""

    gap: np.ndarray
    reach: np.ndarray
    alive: np.ndarray


def geometry(scene: Scene) -> Geometry:
    """The relations of a scene's agents."""
    a = scene.agents
    planes = np.empty((4, len(scene), a, scene.x.shape[1]), np.float32)
    dx, dy, apart, gap = planes
    np.subtract(scene.x[:, None, :], scene.x[:, :a, None], out=dx)
    np.subtract(scene.y[:, None, :], scene.y[:, :a, None], out=dy)
    np.multiply(dx, dx, out=apart)
    apart += dy * dy
    np.sqrt(apart, out=apart)
    np.subtract(apart, scene.radius[:, None, :], out=gap)
    gap -= scene.radius[:, :a, None]
    gap.clip(np.float32(0.0), np.float32(np.inf), out=gap)
    kinds, kind = scene.kinds, scene.kind
    places = kind[:, :a, None] * len(kinds.speed) + kind[:, None, :]
    reaches = kinds.mutual["reach"].take(places, axis=1)
    return Geometry(dx, dy, apart, gap, planes, reaches, places, scene.present[:, :a])
