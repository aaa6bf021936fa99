"""Walls that are no structures: force fields, tanks in siege mode, and depots that are about to rise.

Ways lead round them; who stands in them walks out. In the catalog the siege mode is the only form of a unit that walks
with a footprint (FootprintSieged). Its size is not in our tables: ours are the cells whose middles lie under its hull.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.state import FLYING, PLAYERS
from sim.melee import grids
from sim.melee.registry import ON_REMOVE, ON_SPAWN, ON_TYPE

if TYPE_CHECKING:
    from sim.melee.game import Game

RADII = {"ForceField": 1.7, "SiegeTankSieged": 0.75}  # cells whose middles lie so near to the unit's are closed
NEAR = 8.0  # cells from the middle of a wall: no footprint that overlaps it has its own middle any farther off


def build(game: Game, slot: int) -> None:
    """Nobody walks there any more, if this is a wall and on the ground; the one that it was before is gone."""
    tear_down(game, slot)
    unit = game.units[slot]
    radius = RADII.get(game.facts.names[int(unit["type"])])
    if radius is None or int(unit["flags"]) & FLYING:
        return
    x, y = float(unit["x"]), float(unit["y"])
    height, width = game.walk.shape
    reach = math.ceil(radius)
    cells = [
        (column, row)
        for row in range(max(int(y) - reach, 0), min(int(y) + reach + 1, height))
        for column in range(max(int(x) - reach, 0), min(int(x) + reach + 1, width))
        if math.hypot(column + 0.5 - x, row + 0.5 - y) <= radius
    ]
    close(game, slot, cells)


def close(game: Game, slot: int, cells: list[tuple[int, int]]) -> None:
    """Nobody walks over these cells (column, row) until the unit changes its form or is gone."""
    game.memory.walls[slot] = cells
    grids.shut(game, cells)
    game.world[0]["terrain_version"] += 1


def tear_down(game: Game, slot: int) -> None:
    """The way is open again, except where a structure or another wall stands."""
    cells = game.memory.walls.pop(slot, ())
    if not cells:
        return
    for column, row in cells:
        game.walk[row, column] = game.terrain.walkable[row, column]
        game.state.climb[row, column] = game.terrain.climbable[row, column]
    units = game.units[: int(game.world[0]["slots"])]
    standing = (units["owner"] < PLAYERS) & (units["flags"] & FLYING == 0)
    x, y = cells[0]
    for other in game.near(x + 0.5, y + 0.5, NEAR, standing):
        if grids.cells_of(game, other):
            grids.block(game, other)
    for other in game.memory.walls.values():
        grids.shut(game, other)
    game.world[0]["terrain_version"] += 1


def on_type(game: Game, slot: int, old: int) -> None:
    """A tank goes into siege mode, or out of it."""
    build(game, slot)


ON_SPAWN.append(build)
ON_TYPE.append(on_type)
ON_REMOVE.append(tear_down)
