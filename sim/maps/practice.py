"""Small maps under the names of the melee pack: Flat32 to Flat128, Simple64 to Simple128, and Empty128.

They are our own: the real files cannot be read. The number is the side of the square playable area; around it lies the
frame of the real ones (a public program has their sizes; the real Flat64 is 88 by 96 and played on from (12, 10) to
(76, 74)). Flat maps are one level without a cliff. Simple maps have the two starts on plateaus in opposite corners,
each with one ramp towards the middle, as wide as main ramps are: client libraries look for those. The halls of
Simple64 stand where those of the real one do, whose public programs build and attack by tables of places. Empty128 is
flat, without resources and start units: test programs create on it what they need.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .terrain import Terrain

FRAME_X, FRAME_Y = 12, 16  # cells outside the playable area on each side
LOWER = 6  # cells by which what is played on lies below the middle of the real Flat64
FLAT, SIMPLE = (32, 48, 64, 96, 128), (64, 96, 128)
NATURAL_FROM = 64  # side of the smallest map with room for a second base each
CORNER, PLATEAU = 13.5, 18.5  # from the playable corner to the town hall; radius of a plateau
EMPTY = "Empty128"
SIDES = {f"Flat{side}": side for side in FLAT} | {f"Simple{side}": side for side in SIMPLE} | {EMPTY: 128}


class Halls(NamedTuple):
    """The start, the second base, the ramp between them and the rows by which the map is lowered in the end."""

    home: tuple[float, float]
    natural: tuple[float, float]
    ramp: tuple[int, int]
    lower: int


# Five public programs have tables of the real one for pysc2, which squeezes columns by 88 / 96 and counts rows from
# above: (26, 35) and (54, 68) are the starts, (57, 31) and (23, 72) their second bases, on maps of 64 rows (19, 23),
# (39, 45), (41, 21) and (17, 48). Of their 136 sites 130 to 134 are open here, by rounding; the ramp is ours.
HALLS = {"Simple64": Halls((59.5, 31.5), (25.5, 27.5), (41, 39), 4)}


def names() -> tuple[str, ...]:
    """Names of the practice maps."""
    return tuple(SIDES)


def table(name: str) -> dict[str, Any]:
    """The text of a practice map as `shipped.from_text` describes it. KeyError for any other name."""
    side, raised = SIDES[name], name.startswith("Simple")
    x0, y0, x1, y1 = FRAME_X, FRAME_Y, FRAME_X + side, FRAME_Y + side
    home, natural, ramp, _ = halls(name)
    level = 2 if raised else 1
    bases = [{"at": home, "level": level, "minerals": "SE"}]
    if side >= NATURAL_FROM:
        bases.append({"at": natural, "level": 1, "minerals": "NE" if natural[0] == home[0] else "SW"})
    out = 2  # cells by which the ground reaches beyond what is playable, so that the frame alone ends it
    left, low, right, high = x0 - out, y0 - out, x1 + out, y1 + out
    areas: list[dict[str, Any]] = [{"level": 1, "points": [[left, low], [right, low], [right, high], [left, high]]}]
    ramps = []
    if raised:
        areas.append({"level": 2, "circle": [*home, PLATEAU]})
        ramps.append({"at": ramp, "uphill": "SE", "low": 1, "width": 1})
    return {
        "title": f"Simple Test Map {side}x{side}" if name != EMPTY else name,
        "size": [side + 2 * FRAME_X, side + 2 * FRAME_Y],
        "playable": [x0, y0, x1, y1],
        "seed": 1,
        "roughness": 0.0,
        "area": areas,
        "base": bases,
        "ramp": ramps,
        "bare": name == EMPTY,
    }


def halls(name: str) -> Halls:
    """Where a map's halls stand: known ones, or in the lower right corner and above that."""
    side = SIDES[name]
    corner = int(min(CORNER, side / 2 - 4.5)) + 0.5  # centres of town halls end in .5
    right, low, foot = FRAME_X + side - corner, FRAME_Y + corner, int(PLATEAU * 0.72) + 1
    ramp = int(right) - foot + 1, int(low) + foot + 1
    return HALLS.get(name, Halls((right, low), (right, FRAME_Y + side - corner), ramp, LOWER))


def lowered(terrain: Terrain) -> Terrain:
    """The map that a practice map's text makes, with all that is played on where the real ones have it."""
    x0, y0, x1, y1 = terrain.playable
    down = halls(terrain.name).lower
    grids = {name: np.roll(getattr(terrain, name), -down, axis=0) for name in ("walkable", "buildable", "levels")}
    return replace(
        terrain,
        playable=(x0, y0 - down, x1, y1 - down),
        starts=tuple((x, y - down) for x, y in terrain.starts),
        neutrals=tuple(replace(thing, y=thing.y - down) for thing in terrain.neutrals),
        **grids,
    )
