"""Ways round danger: shortest paths over coarse squares, each of which costs what it is worth to avoid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from bot.army.raids import danger
from bot.army.raids.danger import Danger
from bot.knowledge.paths import neighbours

if TYPE_CHECKING:
    from bot.knowledge.terrain import Terrain

Point = tuple[float, float]
BLOCKED = 1.0e6


def find(start: Point, goal: Point, cost: np.ndarray, cell: int) -> list[Point]:
    """Middles of the squares from start to goal, the goal itself last; `cost` f4 [h, w] is for one square's width."""
    height, width = cost.shape
    rows, columns, lengths = neighbours(height, width)
    flat = cost.ravel()
    graph = csr_matrix((lengths * (flat[rows] + flat[columns]) * 0.5, (rows, columns)), shape=(flat.size, flat.size))
    source, target = (_number(point, cost.shape, cell) for point in (start, goal))
    _, before = dijkstra(graph, directed=False, indices=source, return_predecessors=True)
    way = [goal]
    at = target
    while at != source and before[at] >= 0:
        at = int(before[at])
        way.append(((at % width + 0.5) * cell, (at // width + 0.5) * cell))
    return way[::-1]


def _number(point: Point, shape: tuple[int, int], cell: int) -> int:
    y = min(max(int(point[1]) // cell, 0), shape[0] - 1)
    x = min(max(int(point[0]) // cell, 0), shape[1] - 1)
    return y * shape[1] + x


def air_cost(known: Danger, terrain: Terrain, config: Mapping[str, Any], *, cloaked: bool) -> np.ndarray:
    """f4 [h, w]: what a square costs a flyer: the map's edge is cheap, sight dear, fire very dear.

    Fire counts little for who is cloaked where nobody detects.
    """
    x0, y0, x1, y1 = terrain.playable
    ys, xs = danger.centres(terrain.shape, known.cell)
    inside = np.minimum.outer(np.minimum(ys - y0, y1 - ys), np.minimum(xs - x0, x1 - xs))
    edge = np.clip(inside, 0.0, config["edge"]) / config["edge"]
    fire = known.air * np.where(known.detected | (not cloaked), 1.0, config["under_cloak"])
    cost = 1.0 + config["off_edge"] * edge + config["in_sight"] * known.seen + config["fire"] * fire
    return np.where(inside < 0, BLOCKED, cost).astype(np.float32)


def ground_cost(known: Danger, terrain: Terrain, config: Mapping[str, Any], *, cloaked: bool) -> np.ndarray:
    """f4 [h, w]: the same for who walks: squares with anything in the way are closed."""
    cell = known.cell
    height, width = known.ground.shape
    padded = np.zeros((height * cell, width * cell), bool)
    padded[: terrain.shape[0], : terrain.shape[1]] = terrain.walkable
    free = padded.reshape(height, cell, width, cell).all(axis=(1, 3))
    fire = known.ground * np.where(known.detected | (not cloaked), 1.0, config["under_cloak"])
    cost = 1.0 + config["in_sight"] * known.seen + config["fire"] * fire
    return np.where(free, cost, BLOCKED).astype(np.float32)


def ahead(way: Sequence[Point], place: Point, reach: float) -> Point:
    """The point of the way that lies `reach` cells beyond the one nearest to `place`; its last one at the end."""
    points = np.array(way, np.float32)
    near = int(np.hypot(points[:, 0] - place[0], points[:, 1] - place[1]).argmin())
    gone = 0.0
    for k in range(near, len(way) - 1):
        gone += float(np.hypot(*(points[k + 1] - points[k])))
        if gone >= reach:
            return way[k + 1]
    return way[-1]
