"""Walking distances over the terrain, as arrays: one Dijkstra per source at the start of a game."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

STEPS = ((1, 0, 1.0), (0, 1, 1.0), (1, 1, math.sqrt(2.0)), (1, -1, math.sqrt(2.0)))
"""Half of the eight neighbours (dx, dy, length); the graph is undirected."""


@lru_cache(maxsize=8)
def neighbours(height: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(from, to, length) i8 [k], i8 [k], f8 [k]: all pairs of neighbours, diagonal ones too, among height x width
    cells numbered row by row; lengths in cells."""
    index = np.arange(height * width).reshape(height, width)
    rows, columns, lengths = [], [], []
    for dx, dy, length in STEPS:
        here = index[max(0, -dy) : height - max(0, dy), : width - dx].ravel()
        rows.append(here)
        columns.append(here + dy * width + dx)
        lengths.append(np.full(here.size, length))
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(lengths)


def grid_graph(walkable: np.ndarray) -> csr_matrix:
    """The graph of walkable cells: bool [h, w] -> sparse [h*w, h*w] of step lengths.

    A diagonal step needs both cells beside it free, as a unit has a width.
    """
    width, free = walkable.shape[1], walkable.ravel()
    rows, columns, lengths = neighbours(*walkable.shape)
    beside = rows - rows % width + columns % width, columns - columns % width + rows % width
    open_ = free[rows] & free[columns] & free[beside[0]] & free[beside[1]]
    return csr_matrix((lengths[open_], (rows[open_], columns[open_])), shape=(free.size, free.size))


class Paths:
    """Distances and shortest paths from one source point to every walkable cell."""

    def __init__(self, graph: csr_matrix, shape: tuple[int, int], source: tuple[float, float]) -> None:
        self.source = source
        self._width = shape[1]
        start = int(source[1]) * shape[1] + int(source[0])
        distance, self._previous = dijkstra(graph, directed=False, indices=start, return_predecessors=True)
        self.distance: np.ndarray = distance.reshape(shape)
        """float [h, w]; inf where one cannot walk."""

    def to(self, point: tuple[float, float]) -> float:
        """Walking distance between the source and a point; the nearest walkable cell counts for a blocked one."""
        x, y = int(point[0]), int(point[1])
        here = float(self.distance[y, x])
        if math.isfinite(here):
            return here
        near = self.distance[max(0, y - 4) : y + 5, max(0, x - 4) : x + 5]
        return float(near.min()) if near.size else math.inf

    def towards_source(self, point: tuple[float, float], cells: float) -> tuple[float, float]:
        """The point that a walk from `point` to the source reaches after so many cells; `point` if there is no way."""
        width = self._width
        cell = int(point[1]) * width + int(point[0])
        goal = self.distance.flat[cell] - cells
        if not math.isfinite(goal):
            return point
        while self.distance.flat[cell] > max(goal, 0.0) and self._previous[cell] >= 0:
            cell = int(self._previous[cell])
        return (cell % width + 0.5, cell // width + 0.5)
