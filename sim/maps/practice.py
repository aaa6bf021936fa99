"""Small maps under the names of the melee pack: Flat32 to Flat128, Simple64 to Simple128, and Empty128.

They are our own: the real files cannot be read. The number is the side of the square playable area; around it lies the
frame of the real Simple64, whose whole map is 88 by 96. Flat maps are one level without a cliff. Simple maps have the
two starts on plateaus in opposite corners, each with one wide ramp towards the middle. Empty128 is flat, without
resources and start units: test programs create on it what they need.
"""

from __future__ import annotations

from typing import Any

FRAME_X, FRAME_Y = 12, 16  # cells outside the playable area on each side
FLAT, SIMPLE = (32, 48, 64, 96, 128), (64, 96, 128)
NATURAL_FROM = 64  # side of the smallest map with room for a second base each
CORNER, PLATEAU = 13.5, 18.5  # from the playable corner to the town hall; radius of a plateau
EMPTY = "Empty128"
SIDES = {f"Flat{side}": side for side in FLAT} | {f"Simple{side}": side for side in SIMPLE} | {EMPTY: 128}


def names() -> tuple[str, ...]:
    """Names of the practice maps."""
    return tuple(SIDES)


def table(name: str) -> dict[str, Any]:
    """The text of a practice map as `shipped.from_text` describes it. KeyError for any other name."""
    side, raised = SIDES[name], name.startswith("Simple")
    x0, y0, x1, y1 = FRAME_X, FRAME_Y, FRAME_X + side, FRAME_Y + side
    corner = min(CORNER, side / 2 - 4.5)  # centres of town halls end in .5
    home = [x1 - int(corner) - 0.5, y0 + int(corner) + 0.5]
    level = 2 if raised else 1
    bases = [{"at": home, "level": level, "minerals": "SE"}]
    if side >= NATURAL_FROM:
        bases.append({"at": [x1 - int(corner) - 0.5, y1 - int(corner) - 0.5], "level": 1, "minerals": "NE"})
    out = 2  # cells by which the ground reaches beyond what is playable, so that the frame alone ends it
    left, low, right, high = x0 - out, y0 - out, x1 + out, y1 + out
    areas: list[dict[str, Any]] = [{"level": 1, "points": [[left, low], [right, low], [right, high], [left, high]]}]
    ramps = []
    if raised:
        areas.append({"level": 2, "circle": [*home, PLATEAU]})
        foot = int(PLATEAU * 0.72) + 1
        ramps.append({"at": [int(home[0]) - foot + 1, int(home[1]) + foot + 1], "uphill": "SE", "low": 1})
    return {
        "title": name,
        "size": [side + 2 * FRAME_X, side + 2 * FRAME_Y],
        "playable": [x0, y0, x1, y1],
        "seed": 1,
        "roughness": 0.0,
        "area": areas,
        "base": bases,
        "ramp": ramps,
        "bare": name == EMPTY,
    }
