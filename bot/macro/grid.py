"""Small operations on bool grids [h, w] that placement is made of."""

from __future__ import annotations

import numpy as np
from scipy import ndimage


def cells(x: float, y: float, width: int, height: int) -> tuple[slice, slice]:
    """The rows and columns that a structure of `width` x `height` cells covers when its centre is at (x, y)."""
    x0, y0 = round(x - width / 2), round(y - height / 2)
    return slice(y0, y0 + height), slice(x0, x0 + width)


def fits(free: np.ndarray, width: int, height: int) -> np.ndarray:
    """bool [h, w]: whether the rectangle with its lower left cell here is free altogether."""
    rows, cols = free.shape
    result = np.zeros_like(free)
    inner = result[: rows - height + 1, : cols - width + 1]
    inner[:] = True
    for dy in range(height):
        for dx in range(width):
            inner &= free[dy : dy + inner.shape[0], dx : dx + inner.shape[1]]
    return result


def inflate(mask: np.ndarray, by: int) -> np.ndarray:
    """bool [h, w]: the mask and all cells at most `by` away from it along both axes."""
    return ndimage.binary_dilation(mask, structure=np.ones((3, 3), dtype=bool), iterations=by) if by > 0 else mask


def disc(shape: tuple[int, int], x: float, y: float, radius: float) -> np.ndarray:
    """bool [h, w] of this shape: cells whose centre is at most `radius` cells from a point."""
    ys, xs = np.ogrid[: shape[0], : shape[1]]
    return np.hypot(xs + 0.5 - x, ys + 0.5 - y) <= radius


def lane(shape: tuple[int, int], a: tuple[float, float], b: tuple[float, float], half_width: float) -> np.ndarray:
    """bool [h, w] of this shape: cells whose centre is at most `half_width` cells from the segment from `a` to `b`."""
    ys, xs = np.ogrid[: shape[0], : shape[1]]
    px, py = xs + 0.5 - a[0], ys + 0.5 - a[1]
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    along = np.clip((px * dx + py * dy) / length, 0.0, 1.0) if length else np.zeros_like(px + py)
    return np.hypot(px - along * dx, py - along * dy) <= half_width


def large_parts(mask: np.ndarray, cells_at_least: int) -> np.ndarray:
    """bool [h, w]: the mask without connected parts (diagonals count) of fewer cells than this."""
    labels, count = ndimage.label(mask, structure=np.ones((3, 3)))
    if not count:
        return mask
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    return sizes[labels] >= cells_at_least


def reachable(walkable: np.ndarray, x: float, y: float) -> np.ndarray:
    """bool [h, w]: cells one can walk to from a point, never diagonally; none where the point itself is blocked."""
    labels, _ = ndimage.label(walkable)
    here = labels[int(y), int(x)]
    return (labels == here) if here else np.zeros_like(walkable)


def wide(walkable: np.ndarray) -> np.ndarray:
    """bool [h, w]: cells of passages at least two cells wide; through narrower ones not every unit gets."""
    return ndimage.binary_opening(walkable, structure=np.ones((2, 2), dtype=bool))
