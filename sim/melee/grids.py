"""The grids that structures change: where units walk, where one may build."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import FLYING, INSIDE, PLAYERS, STRUCTURE
from sim.maps import footprint_cells, placement_cells

if TYPE_CHECKING:
    from sim.melee.game import Game

REACH = 6.0  # cells from the middle of a footprint: none has any farther off (ramp rocks 5.7)


def cells_of(game: Game, slot: int) -> list[tuple[int, int]]:
    """Cells of the map that the unit's footprint covers now (none for flyers)."""
    unit = game.units[slot]
    if int(unit["flags"]) & FLYING:
        return []
    return _inside(game, footprint_cells(int(unit["type"]), float(unit["x"]), float(unit["y"])))


def _inside(game: Game, cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    height, width = game.walk.shape
    return [(x, y) for x, y in cells if 0 <= x < width and 0 <= y < height]


def block(game: Game, slot: int) -> None:
    """Writes a unit's footprint into `walk` and `place`."""
    if int(game.units[slot]["flags"]) & FLYING:
        return
    _close(game, slot)
    game.world[0]["terrain_version"] += 1


def unblock(game: Game, slot: int) -> None:
    """Frees a unit's footprint again, except where another unit's (a gas structure's its geyser's) or a wall's overlaps
    it."""
    unit = game.units[slot]
    sites = placement_cells(int(unit["type"]), float(unit["x"]), float(unit["y"]))
    if int(unit["flags"]) & FLYING or not sites:
        return
    terrain = game.terrain
    for x, y in cells_of(game, slot):
        game.walk[y, x] = terrain.walkable[y, x]
        game.state.climb[y, x] = terrain.climbable[y, x]
    for x, y in _inside(game, sites):
        game.place[y, x] = terrain.buildable[y, x]
    game.world[0]["terrain_version"] += 1
    units = game.units[: int(game.world[0]["slots"])]
    overlapping = 2 * REACH  # from middle to middle at most
    for other in game.near(float(unit["x"]), float(unit["y"]), overlapping, units["owner"] < PLAYERS):
        if other != slot and placement_cells(int(game.units[other]["type"]), 0, 0):
            _close(game, other)
    for cells in game.memory.walls.values():
        shut(game, cells)


def shut(game: Game, cells: Iterable[tuple[int, int]]) -> None:
    """Nobody walks over these cells (column, row) of the map."""
    for x, y in cells:
        game.walk[y, x] = game.state.climb[y, x] = 0


def _close(game: Game, slot: int) -> None:
    unit = game.units[slot]
    if int(unit["flags"]) & FLYING:
        return
    shut(game, cells_of(game, slot))
    for x, y in _inside(game, placement_cells(int(unit["type"]), float(unit["x"]), float(unit["y"]))):
        game.place[y, x] = 0


def covered(game: Game, x: int, y: int) -> bool:
    """A structure, a resource or rocks on the ground keep others from building on the cell."""
    units = game.units[: int(game.world[0]["slots"])]
    on_ground = (units["owner"] < PLAYERS) & (units["flags"] & FLYING == 0)
    others = (units[slot] for slot in game.near(x + 0.5, y + 0.5, REACH, on_ground))
    return any((x, y) in placement_cells(int(u["type"]), float(u["x"]), float(u["y"])) for u in others)


def in_the_way(game: Game) -> np.ndarray:
    """Living units on the ground that no grid shows; bool [slots]. Crawlers on their legs are among them."""
    units = game.units[: int(game.world[0]["slots"])]
    mobile = (units["flags"] & STRUCTURE == 0) | (game.types["speed"][0][units["type"]] > 0)
    return (units["alive"] == 1) & (units["flags"] & (FLYING | INSIDE) == 0) & mobile


def walkable(game: Game, x: float, y: float) -> bool:
    """A ground unit may stand at the point."""
    height, width = game.walk.shape
    return 0 <= x < width and 0 <= y < height and bool(game.walk[int(y), int(x)])
