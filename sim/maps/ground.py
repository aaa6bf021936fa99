"""Makes the ground of a map from a few polygons and ramps, symmetric under half a turn.

Heights live on the corners of cells, [height + 1, width + 1], because that is what the protocol's terrain_height
describes and what a half turn maps onto itself. A cell is level where its four corners agree; a cell on a slope is a
ramp if a ramp was asked for there, and a cliff otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

VOID = 127  # height 0: where nothing can stand
LEVELS = (VOID, 191, 207, 223, 239)  # heights 0, 8, 10, 12, 14: ground levels are 16 bytes = 2 cells apart
STEPS = 8  # a ramp climbs 2 bytes a diagonal step, as real ones do, so 8 steps join two levels
UPHILL = {"NE": (1, 1), "NW": (-1, 1), "SE": (1, -1), "SW": (-1, -1)}

Point = tuple[float, float]


@dataclass(frozen=True)
class Ramp:
    """A diagonal ramp: centre (a corner of cells), uphill direction, low level, and half width in diagonal steps.

    half_width 1 is the standard main ramp (16 cells, closed by two depots and a barracks), 6 the usual wide one.
    """

    x: int
    y: int
    uphill: str
    low: int
    half_width: int = 6

    def turned(self, width: int, height: int) -> Ramp:
        """The same ramp after half a turn around the middle of the map."""
        opposite = {"NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}[self.uphill]
        return Ramp(width - self.x, height - self.y, opposite, self.low, self.half_width)


def smooth_noise(rng: np.random.Generator, shape: tuple[int, int], scale: int) -> np.ndarray:
    """Values in about [-1, 1] that change over `scale` cells: a coarse random grid, interpolated smoothly."""
    rows, columns = (size // scale + 3 for size in shape)
    coarse = rng.uniform(-1, 1, (rows, columns))

    def blend(size: int) -> tuple[np.ndarray, np.ndarray]:
        place = np.arange(size) / scale
        whole = place.astype(int)
        part = place - whole
        return whole, part * part * (3 - 2 * part)

    (row, v), (column, u) = blend(shape[0]), blend(shape[1])
    low = coarse[np.ix_(row, column)] * (1 - u) + coarse[np.ix_(row, column + 1)] * u
    high = coarse[np.ix_(row + 1, column)] * (1 - u) + coarse[np.ix_(row + 1, column + 1)] * u
    return low * (1 - v)[:, None] + high * v[:, None]


def inside(polygon: Sequence[Point], xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Which of the points (xs, ys) lie in the polygon (even-odd rule)."""
    result = np.zeros(xs.shape, bool)
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if y0 == y1:
            continue
        crosses = (ys >= min(y0, y1)) & (ys < max(y0, y1))
        result ^= crosses & (xs < x0 + (ys - y0) * (x1 - x0) / (y1 - y0))
    return result


def half_turn(points: Iterable[Point], width: int, height: int) -> list[Point]:
    """The points after half a turn around the middle of the map."""
    return [(width - x, height - y) for x, y in points]


def paint(
    width: int, height: int, areas: Sequence[tuple[int, Sequence[Point]]], rng: np.random.Generator, roughness: float
) -> np.ndarray:
    """Corner levels (indices into LEVELS) [height + 1, width + 1]: each area and its half turn, later ones on top.

    roughness moves the borders by up to that many cells, so that cliffs do not look drawn with a ruler.
    """
    ys, xs = np.mgrid[0 : height + 1, 0 : width + 1].astype(float)
    for grid in (xs, ys):
        noise = smooth_noise(rng, grid.shape, 9)
        grid += roughness * (noise - noise[::-1, ::-1])
    corners = np.zeros((height + 1, width + 1), np.int64)
    for level, polygon in areas:
        for shape in (polygon, half_turn(polygon, width, height)):
            corners[inside(shape, xs, ys)] = level
    return corners


def flatten(corners: np.ndarray, x: float, y: float, radius: float, level: int) -> None:
    """Puts every corner within `radius` of (x, y) on one level, in place: room for a base."""
    ys, xs = np.ogrid[: corners.shape[0], : corners.shape[1]]
    corners[(xs - x) ** 2 + (ys - y) ** 2 <= radius**2] = level


def _grow(mask: np.ndarray) -> np.ndarray:
    """The mask with its eight neighbours."""
    padded = np.pad(mask, 1)
    rows, columns = mask.shape
    return np.any([padded[dy : dy + rows, dx : dx + columns] for dy in range(3) for dx in range(3)], axis=0)


def _frame(ramp: Ramp, xs: np.ndarray, ys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points in the ramp's own frame: diagonal steps uphill from its foot, and steps to the side of its middle."""
    ux, uy = UPHILL[ramp.uphill]
    along = (xs - ramp.x) * ux + (ys - ramp.y) * uy + STEPS // 2
    return along, np.abs((xs - ramp.x) * uy - (ys - ramp.y) * ux)


def finish(
    corners: np.ndarray, ramps: Sequence[Ramp], playable: tuple[int, int, int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corner levels and ramps -> (walkable, buildable, levels) as a Terrain has them, uint8 [height, width].

    The cells of a ramp are those of real ones: rows that alternate in length. Main ramps have 16 cells, with a first
    row at the foot and a longer last but one row; wide ones have neither (half_width 6: 52 cells).
    """
    heights = np.array(LEVELS)[corners]
    rows, columns = heights.shape[0] - 1, heights.shape[1] - 1
    ys, xs = np.mgrid[: rows + 1, : columns + 1]
    cell_ys, cell_xs = np.mgrid[:rows, :columns] + 0.5
    on_ramp, landing, wall = (np.zeros((rows, columns), bool) for _ in range(3))
    for ramp in ramps:
        low, half, wide = LEVELS[ramp.low], ramp.half_width, ramp.half_width > 1
        beside = half + (2 if wide else 5)  # beside the top of a main ramp stand two depots
        along, across = _frame(ramp, xs, ys)
        near = (across <= beside) & (along >= -5) & (along <= STEPS + 5)
        heights[near & (along >= STEPS - 1)] = low + 2 * STEPS
        heights[near & (along <= 0)] = low
        slope = (across <= half + 2) & (along >= 0) & (along <= STEPS)
        heights[slope] = low + 2 * along[slope]
        along, across = _frame(ramp, cell_xs, cell_ys)
        sloped = (along >= wide) & (along <= STEPS)
        on_ramp |= sloped & (across <= half + ((along >= STEPS - 1) & (not wide)))
        wall |= sloped & (along < STEPS) & (across <= half + 3)
        above = (across < beside) & (along >= STEPS) & (along < STEPS + 5)
        below = (across <= half + 1) & (along < wide) & (along > -5)
        landing |= above | below
    stack = np.stack([heights[:-1, :-1], heights[1:, :-1], heights[:-1, 1:], heights[1:, 1:]])
    level = (stack.min(0) == stack.max(0)) | (landing & ~on_ramp)
    cliff = ~level & ~on_ramp
    walkable = level & (stack.min(0) > VOID) & ~_grow(cliff) & ~wall
    walkable |= (landing & level) | on_ramp
    x0, y0, x1, y1 = playable
    frame = np.zeros_like(walkable)
    frame[y0:y1, x0:x1] = True
    walkable &= frame
    return (
        walkable.astype(np.uint8),
        (walkable & level & ~on_ramp).astype(np.uint8),
        heights[:-1, :-1].astype(np.uint8),
    )
