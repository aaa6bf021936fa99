"""Where to step: away from enemies, apart from friends, around walls. Arrays over units, no orders."""

from __future__ import annotations

import numpy as np

from bot.micro.scene import Ground

TURNS = np.deg2rad(np.array([30, -30, 60, -60, 90, -90, 130, -130], np.float32))
"""Directions tried when the wanted one is not free; the last lead past the enemy, for who has a wall behind it."""
COS, SIN = np.cos(TURNS), np.sin(TURNS)


def directions(points: np.ndarray, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Unit vectors [n, 2] away from `others` [m, 2], each weighted by `weights` [n, m]; zeros where nothing weighs."""
    dx = points[:, None, 0] - others[None, :, 0]
    dy = points[:, None, 1] - others[None, :, 1]
    share = weights / np.maximum(np.sqrt(dx * dx + dy * dy), 0.1)
    push = np.empty((len(points), 2), share.dtype)
    (dx * share).sum(axis=1, out=push[:, 0])
    (dy * share).sum(axis=1, out=push[:, 1])
    return unit(push)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors [n, 2] of length 1; zeros stay zeros."""
    length = np.hypot(vectors[:, 0], vectors[:, 1])
    return vectors / np.where(length > 1e-6, length, 1.0)[:, None]


def free_points(points: np.ndarray, wanted: np.ndarray, step: float, ground: Ground, flying: np.ndarray) -> np.ndarray:
    """Where a step [n, 2] in the wanted direction ends, turned as little as the terrain allows.

    A direction is free when the cells half way and at the end are walkable; flying units need only the map. A unit
    that is shut in on all sides stays.
    """
    ends = points + wanted * step
    blocked = np.flatnonzero(~_free(points, ends, ground, flying))
    if not blocked.size:
        return ends
    here, (x, y) = points[blocked, None], wanted[blocked].T[..., None]
    turned = here + np.stack((x * COS - y * SIN, x * SIN + y * COS), axis=-1) * step
    free = _free(here, turned, ground, flying[blocked, None])
    first = turned[np.arange(len(blocked)), free.argmax(axis=1)]
    ends[blocked] = np.where(free.any(axis=1)[:, None], first, points[blocked])
    return ends


def _free(points: np.ndarray, ends: np.ndarray, ground: Ground, flying: np.ndarray) -> np.ndarray:
    """bool [...]: whether steps from points to ends, [..., 2], are free half way and at the end."""
    tried = np.array((ends, (points + ends) / 2))
    return ground.is_open(tried[..., 0], tried[..., 1], flying).all(axis=0)
