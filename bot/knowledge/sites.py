"""Where town halls belong: the places from which most resources are near, found on the grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sc2.position import Point2

HALF_TOWNHALL = 2
"""A town hall covers five cells; this many on each side of the middle one."""
REACH = 9.0
"""A resource belongs to a town hall at most this far away (cells, centre to centre; real bases need 8.1)."""
SAME_LEVEL = 10
"""terrain_height bytes; a resource further apart in height is on another level."""
FEWEST_FIELDS = 4
"""Fewer mineral fields do not pay for a town hall."""


@dataclass(frozen=True, slots=True)
class ResourceGroup:
    """Resources and the town hall place that serves them."""

    townhall: Point2
    minerals: tuple[Point2, ...]
    geysers: tuple[Point2, ...]


def find_sites(
    minerals: Sequence[Point2], geysers: Sequence[Point2], buildable: np.ndarray, levels: np.ndarray
) -> list[ResourceGroup]:
    """Town hall places, the richest first.

    `buildable` is bool [h, w], `levels` uint8 [h, w]. A place must have 5x5 buildable cells and keep the game's
    distance from every resource; each cell scores by how many resources are near and how near, and the best is taken
    until no place serves a base's worth of resources.
    """
    points = np.array([(p.x, p.y) for p in (*minerals, *geysers)], dtype=np.float64).reshape(-1, 2)
    is_gas = np.arange(len(points)) >= len(minerals)
    free = _square_free(buildable)
    for (x, y), gas in zip(points, is_gas, strict=True):
        _forbid(free, x, y, gas)
    if len(geysers):
        served = np.zeros(buildable.shape)
        for point in points[is_gas]:
            _add_score(served, point, levels, 1.0)
        free &= served > 0  # a wall of mineral fields is no base
    score = np.zeros(buildable.shape)
    for point in points:
        _add_score(score, point, levels, 1.0)
    left = np.ones(len(points), dtype=bool)
    groups: list[ResourceGroup] = []
    while left.any():
        best = int(np.where(free, score, -1.0).argmax())
        y, x = divmod(best, buildable.shape[1])
        near = left & (np.hypot(points[:, 0] - x - 0.5, points[:, 1] - y - 0.5) <= REACH)
        if not free.flat[best] or not near.any():
            break
        left &= ~near
        for point in points[near]:
            _add_score(score, point, levels, -1.0)
        fields, gas = near & ~is_gas, near & is_gas
        if fields.sum() >= FEWEST_FIELDS:
            groups.append(ResourceGroup(Point2((x + 0.5, y + 0.5)), _points(points[fields]), _points(points[gas])))
    return groups


def _points(rows: np.ndarray) -> tuple[Point2, ...]:
    return tuple(Point2((float(x), float(y))) for x, y in rows)


def _square_free(buildable: np.ndarray) -> np.ndarray:
    """bool [h, w]: the 5x5 cells round this one are all buildable."""
    free = np.zeros_like(buildable, dtype=bool)
    half = HALF_TOWNHALL
    height, width = buildable.shape
    inner = free[half : height - half, half : width - half]
    inner[:] = True
    for dy in range(2 * half + 1):
        for dx in range(2 * half + 1):
            inner &= buildable[dy : dy + inner.shape[0], dx : dx + inner.shape[1]].astype(bool)
    return free


def _forbid(free: np.ndarray, x: float, y: float, gas: bool) -> None:
    """Take away the cells where a town hall would stand too near to a resource: three cells, corners cut."""
    gap_x, gap_y, corner = (7.0, 7.0, 11.0) if gas else (6.5, 6.0, 10.0)
    ys, xs, window = _window(free, x, y)
    apart_x, apart_y = np.abs(xs - x), np.abs(ys - y)
    window &= (apart_x >= gap_x) | (apart_y >= gap_y) | (apart_x + apart_y >= corner)


def _add_score(score: np.ndarray, point: np.ndarray, levels: np.ndarray, sign: float) -> None:
    ys, xs, window = _window(score, *point)
    distance = np.hypot(xs - point[0], ys - point[1])
    level = int(levels[int(point[1]), int(point[0])])
    flat = np.abs(_window(levels, *point)[2].astype(int) - level) <= SAME_LEVEL
    # One more resource in reach always outweighs being nearer to the others.
    window += sign * np.where((distance <= REACH) & flat, 100.0 - distance, 0.0)


def _window(grid: np.ndarray, x: float, y: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cell centres (ys [n, 1], xs [1, m]) and the view of the grid within reach of a point."""
    reach = int(REACH) + 1
    y0, x0 = max(0, int(y) - reach), max(0, int(x) - reach)
    view = grid[y0 : int(y) + reach + 1, x0 : int(x) + reach + 1]
    return np.arange(y0, y0 + view.shape[0])[:, None] + 0.5, np.arange(x0, x0 + view.shape[1])[None, :] + 0.5, view
