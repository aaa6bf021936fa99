"""Where to step: away from enemies, apart from friends, around walls. Arrays over units, no orders."""

from __future__ import annotations

import numpy as np

TURNS = np.deg2rad(np.array([0, 30, -30, 60, -60, 90, -90, 130, -130], np.float32))
"""Directions tried, the wanted one first; the last ones lead past the enemy, for units with their back to a wall."""
COS, SIN = np.cos(TURNS), np.sin(TURNS)


def directions(points: np.ndarray, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Unit vectors [n, 2] away from `others` [m, 2], each weighted by `weights` [n, m]; zeros where nothing weighs."""
    dx = points[:, None, 0] - others[None, :, 0]
    dy = points[:, None, 1] - others[None, :, 1]
    share = weights / np.maximum(np.sqrt(dx * dx + dy * dy), 0.1)
    return unit(np.stack(((dx * share).sum(axis=1), (dy * share).sum(axis=1)), axis=1))


def unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors [n, 2] of length 1; zeros stay zeros."""
    length = np.hypot(vectors[:, 0], vectors[:, 1])
    return vectors / np.where(length > 1e-6, length, 1.0)[:, None]


def free_points(
    points: np.ndarray, wanted: np.ndarray, step: float, walkable: np.ndarray, flying: np.ndarray
) -> np.ndarray:
    """Where a step [n, 2] in the wanted direction ends, turned as little as the terrain allows.

    A direction is free when the cells half way and at the end are walkable; flying units need only the map. A unit
    that is shut in on all sides stays.
    """
    if not len(points):
        return points
    turns = len(TURNS)
    tried = np.empty((len(points), 2 * turns, 2), np.result_type(points, wanted))  # ends, then half ways
    ends, halves = tried[:, :turns], tried[:, turns:]
    ends[..., 0] = points[:, :1] + (wanted[:, :1] * COS - wanted[:, 1:] * SIN) * step
    ends[..., 1] = points[:, 1:] + (wanted[:, :1] * SIN + wanted[:, 1:] * COS) * step
    halves[:] = (points[:, None, :] + ends) / 2
    free = is_open(tried, walkable, flying)
    open_ends = free[:, :turns] & free[:, turns:]
    choice = open_ends.argmax(axis=1)
    chosen = ends[np.arange(len(points)), choice]
    return np.where(open_ends.any(axis=1)[:, None], chosen, points)


def is_open(points: np.ndarray, walkable: np.ndarray, flying: np.ndarray) -> np.ndarray:
    """bool [n, k]: whether units [n] can be at points [n, k, 2]."""
    height, width = walkable.shape
    x, y = points[..., 0].astype(np.int64), points[..., 1].astype(np.int64)
    inside = (points[..., 0] >= 1) & (points[..., 1] >= 1) & (x < width - 1) & (y < height - 1)
    place = np.where(inside, y * width + x, 0)
    clear = walkable.ravel().take(place).astype(bool)
    return inside & (clear | flying[:, None])
