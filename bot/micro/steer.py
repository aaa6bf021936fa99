"""Where to step: away from enemies, apart from friends, around walls. Arrays over units, no orders."""

from __future__ import annotations

import numpy as np

from bot.micro.battlefield import Ground

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


def free_points(points: np.ndarray, wanted: np.ndarray, step: float, ground: Ground, flying: np.ndarray) -> np.ndarray:
    """Where a step [n, 2] in the wanted direction ends, turned as little as the terrain allows.

    A direction is free when the cells half way and at the end are walkable; flying units need only the map. A unit
    that is shut in on all sides stays.
    """
    if not len(points):
        return points
    turns = len(TURNS)
    x, y, wanted_x, wanted_y = points[:, :1], points[:, 1:], wanted[:, :1], wanted[:, 1:]
    tried_x, tried_y = np.empty((2, len(points), 2 * turns), np.result_type(points, wanted))  # ends, then half ways
    tried_x[:, :turns] = x + (wanted_x * COS - wanted_y * SIN) * step
    tried_y[:, :turns] = y + (wanted_x * SIN + wanted_y * COS) * step
    tried_x[:, turns:] = (x + tried_x[:, :turns]) / 2
    tried_y[:, turns:] = (y + tried_y[:, :turns]) / 2
    free = ground.is_open(tried_x, tried_y, flying[:, None])
    open_ends = free[:, :turns] & free[:, turns:]
    rows, choice = np.arange(len(points)), open_ends.argmax(axis=1)
    shut = ~open_ends[rows, choice]
    chosen = np.stack((tried_x[rows, choice], tried_y[rows, choice]), axis=1)
    chosen[shut] = points[shut]
    return chosen
