"""Cliffs that Reapers and Colossi walk up and down: narrow closed bands between grounds one level apart.

Which cliffs the real game lets them climb is not in any recording; this is the common knowledge that they cross every
cliff of one level and nothing else.
"""

from __future__ import annotations

import numpy as np

LEVEL = 16  # height bytes between two levels of ground
TOLERANCE = 4  # ramps and rough ground
WIDEST = 5  # closed cells that a cliff may be wide, along a row, a column or a diagonal
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def shifted(grid: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """The grid as seen from cells that look (rows, columns) away; 0 beyond the edge."""
    out = np.zeros_like(grid)
    height, width = grid.shape
    to_y, to_x = slice(max(-rows, 0), height - max(rows, 0)), slice(max(-columns, 0), width - max(columns, 0))
    from_y, from_x = slice(max(rows, 0), height + min(rows, 0)), slice(max(columns, 0), width + min(columns, 0))
    out[to_y, to_x] = grid[from_y, from_x]
    return out


def climbable(walkable: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """uint8 [h, w]: where climbers pass: `walkable`, and closed cells of cliffs one level high.

    A closed cell belongs to a cliff when a straight row, column or diagonal through it meets open ground on both sides,
    at most WIDEST closed cells apart, and these grounds are one level apart.
    """
    height = levels.astype(np.int16)
    found = walkable.astype(bool).copy()
    closed = ~found
    open_ground = walkable.astype(np.uint8)
    for dy, dx in DIRECTIONS:
        near, near_height = _first_open(open_ground, height, -dy, -dx)
        far, far_height = _first_open(open_ground, height, dy, dx)
        apart = np.abs(near_height - far_height)
        fits = (near > 0) & (far > 0) & (near + far <= WIDEST + 1)
        found |= closed & fits & (np.abs(apart - LEVEL) <= TOLERANCE)
    return found.astype(np.uint8)


def _first_open(open_ground: np.ndarray, height: np.ndarray, dy: int, dx: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps to the first open cell in a direction (0 = none within WIDEST), and its height byte."""
    steps = np.zeros(open_ground.shape, np.int16)
    level = np.zeros(open_ground.shape, np.int16)
    for step in range(WIDEST, 0, -1):
        there = shifted(open_ground, dy * step, dx * step) > 0
        steps[there] = step
        level[there] = shifted(height, dy * step, dx * step)[there]
    return steps, level
