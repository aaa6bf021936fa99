"""Where town halls go: one place per group of resources, found from what every player knows of the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.maps import Terrain, footprint_cells
from sim.melee import placement

if TYPE_CHECKING:
    from sim.melee.game import Game

LINK = 8.5  # resources nearer to one another than this belong together (cells, centre to centre along the group)
SHORTEST_LINK = 4.0
LEVEL = 1.0  # resources of one base lie on one level of the ground
FEWEST = 4  # mineral fields of a base
REACH = 10.0  # a town hall uses the resources within this distance


@dataclass(frozen=True, slots=True)
class Base:
    """A place for a town hall, and the slots of its resources."""

    x: float
    y: float
    minerals: tuple[int, ...]
    geysers: tuple[int, ...]


def find(game: Game) -> list[Base]:
    """All bases of the map; the start locations are taken as they are."""
    units = game.units[: int(game.world[0]["slots"])]
    facts = game.facts
    wanted = sorted(facts.minerals | facts.geysers)
    slots = np.flatnonzero((units["alive"] == 1) & np.isin(units["type"], wanted))
    x, y = units["x"][slots], units["y"][slots]
    minerals = np.isin(units["type"][slots], sorted(facts.minerals))
    result = []
    for group, spot in settled(game, x, y, units["z"][slots], minerals, LINK):
        members = slots[group]
        near = np.hypot(units["x"][members] - spot[0], units["y"][members] - spot[1]) < REACH
        kinds = minerals[group]
        result.append(
            Base(spot[0], spot[1], tuple(map(int, members[near & kinds])), tuple(map(int, members[near & ~kinds])))
        )
    return result


def settled(
    game: Game, x: np.ndarray, y: np.ndarray, z: np.ndarray, minerals: np.ndarray, link: float
) -> list[tuple[np.ndarray, tuple[float, float]]]:
    """Groups with the place of their town hall; a group too big for one (bases joined by a wall of fields) is split."""
    found: list[tuple[np.ndarray, tuple[float, float]]] = []
    for group in groups(x, y, z, link):
        if minerals[group].sum() < FEWEST:
            continue  # a wall of fields in a passage
        spot = best_spot(game, x[group], y[group])
        if spot is not None:
            found.append((group, spot))
        elif link > SHORTEST_LINK:
            parts = settled(game, x[group], y[group], z[group], minerals[group], link - 1.0)
            found += [(group[part], place) for part, place in parts]
    return found


def groups(x: np.ndarray, y: np.ndarray, z: np.ndarray, link: float = LINK) -> list[np.ndarray]:
    """Resources that hang together on one level, as index arrays (single linkage at `link`; x, y, z [n])."""
    near = np.hypot(x[:, None] - x[None, :], y[:, None] - y[None, :]) < link
    near &= np.abs(z[:, None] - z[None, :]) < LEVEL
    label = np.arange(len(x))
    changed = True
    while changed:
        new = np.where(near, label[None, :], len(x)).min(axis=1) if len(x) else label
        changed = bool((new != label).any())
        label = new
    return [np.flatnonzero(label == value) for value in np.unique(label)]


def best_spot(game: Game, x: np.ndarray, y: np.ndarray) -> tuple[float, float] | None:
    """The town hall centre with the least total distance to the resources; None where none fits."""
    for start in game.terrain.starts:
        if np.hypot(x - start[0], y - start[1]).max() < REACH:
            return float(start[0]), float(start[1])
    zone = placement.resource_zone(game)
    ground = (game.terrain.buildable == 1) & (zone == 0)
    middle_x, middle_y = int(x.mean()), int(y.mean())
    best, spot = 1e9, None
    height, width = ground.shape
    for row in range(max(middle_y - 9, 2), min(middle_y + 10, height - 3)):
        for column in range(max(middle_x - 9, 2), min(middle_x + 10, width - 3)):
            if not ground[row - 2 : row + 3, column - 2 : column + 3].all():
                continue
            far = np.hypot(x - column - 0.5, y - row - 0.5)
            if far.sum() < best and far.max() < REACH:
                best, spot = float(far.sum()), (column + 0.5, row + 0.5)
    return spot


def by_distance(game: Game, bases: list[Base], home: tuple[float, float], enemy: tuple[float, float]) -> list[int]:
    """Indices of the bases in the order in which one expands: near to home on foot, far from the enemy."""
    ways = flood(open_ground(game.terrain), home)

    def cost(index: int) -> float:
        base = bases[index]
        way = ways[int(base.y), int(base.x)]
        return float(way) - 0.4 * float(np.hypot(base.x - enemy[0], base.y - enemy[1]))

    return sorted(range(len(bases)), key=cost)


def open_ground(terrain: Terrain) -> np.ndarray:
    """Where units walk at the start but for structures of players, u1 [h, w]: mineral fields and rocks wall off some of
    the ground."""
    ground = terrain.walkable.copy()
    for neutral in terrain.neutrals:
        for column, row in footprint_cells(neutral.type_id, neutral.x, neutral.y):
            ground[row, column] = 0
    return ground


def flood(walkable: np.ndarray, start: tuple[float, float]) -> np.ndarray:
    """Steps over the four neighbours from a point to every cell, int32 [h, w]; 30000 where there is no way."""
    height, width = walkable.shape
    steps = np.full(walkable.shape, 30000, np.int32)
    free = walkable.tolist()
    here = [(int(start[1]), int(start[0]))]
    steps[here[0]] = 0
    seen = {here[0]}
    count = 0
    while here:
        count += 1
        following = []
        for row, column in here:
            for cell in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if cell in seen or not (0 <= cell[0] < height and 0 <= cell[1] < width) or not free[cell[0]][cell[1]]:
                    continue
                seen.add(cell)
                steps[cell] = count
                following.append(cell)
        here = following
    return steps
