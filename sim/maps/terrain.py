"""What a map is: the ground, where players start, and what stands on it.

Coordinates are cells, x to the right and y up; a cell (x, y) covers [x, x+1) by [y, y+1), and grids are indexed
[y, x] with row 0 at the bottom. Heights are the protocol's bytes: height in cells = (byte - 127) / 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.maps.cliffs import climbable


class MapError(ValueError):
    """A map that does not exist or cannot be read; the text is one line meant for the user."""


@dataclass(frozen=True)
class Neutral:
    """A resource, rock or other thing of the map itself: API unit type id and centre in cells."""

    type_id: int
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Terrain:
    """The ground of one map, as if no unit and no structure stood on it.

    walkable and buildable are uint8 [height, width] with 1 = yes; levels is uint8 [height, width], the protocol's
    terrain_height byte at the lower left corner of each cell. playable is (x0, y0, x1, y1): nothing may stand or
    fly outside it. starts are the centres of the starting town halls, one a player. arena names the table of
    `arenas.load` whose armies fight here instead of a melee game, mini_game the rules of `mini_games.GAMES` for one
    player. bare: nobody starts with a unit, so nobody loses for having none. showing is uint8 [height, width]: where
    rocks close the ground for who has not seen them yet; None for wherever it is not level (so real grids have it).
    """

    name: str
    title: str
    width: int
    height: int
    playable: tuple[int, int, int, int]
    walkable: np.ndarray
    buildable: np.ndarray
    levels: np.ndarray
    starts: tuple[tuple[float, float], ...]
    neutrals: tuple[Neutral, ...] = ()
    arena: str = ""
    bare: bool = False
    mini_game: str = ""
    showing: np.ndarray | None = None

    @cached_property
    def climbable(self) -> np.ndarray:
        """uint8 [height, width]: where Reapers and Colossi pass; see `cliffs.climbable`."""
        grid = climbable(self.walkable, self.levels)
        grid.setflags(write=False)
        return grid

    def __post_init__(self) -> None:
        if self.showing is None:
            object.__setattr__(self, "showing", uneven(self.levels))
        for label in ("walkable", "buildable", "levels", "showing"):
            grid = np.ascontiguousarray(getattr(self, label), dtype=np.uint8)
            if grid.shape != (self.height, self.width):
                raise MapError(f"map {self.name}: {label} has shape {grid.shape}, not {(self.height, self.width)}")
            grid.setflags(write=False)
            object.__setattr__(self, label, grid)


def uneven(levels: np.ndarray) -> np.ndarray:
    """uint8 [height, width]: cells whose four corners differ in height."""
    corners = np.pad(levels, ((0, 1), (0, 1)), mode="edge")
    others = corners[1:, :-1], corners[:-1, 1:], corners[1:, 1:]
    return np.any([other != levels for other in others], axis=0).astype(np.uint8)


def arena(width: int = 32, height: int = 32, margin: int = 2, level: int = 191, name: str = "Arena") -> Terrain:
    """A flat, empty field for battles and tests: everything within `margin` cells of the edge is closed.

    Sizes are cells. The wire packs eight cells into a byte, so width * height must divide by 8 (MapError otherwise).
    """
    if width * height % 8 or min(width, height) <= 2 * margin:
        raise MapError(f"an arena of {width}x{height} with margin {margin} is not possible")
    open_ground = np.zeros((height, width), np.uint8)
    open_ground[margin : height - margin, margin : width - margin] = 1
    middle = height // 2 + 0.5
    return Terrain(
        name=name,
        title=name,
        width=width,
        height=height,
        playable=(margin, margin, width - margin, height - margin),
        walkable=open_ground,
        buildable=open_ground.copy(),
        levels=np.full((height, width), level, np.uint8),
        starts=((margin + 3.5, middle), (width - margin - 3.5, middle)),
    )
