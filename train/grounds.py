"""Grounds of scenarios: named ones in `scenarios/grounds.toml`, arenas, and those that a scenario describes itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.maps import MapError, Terrain, arenas
from train.errors import TrainError

FILE = Path(__file__).parent / "scenarios" / "grounds.toml"
LOW, STEP = 191, 16  # height bytes: the ground, and how much higher a plateau lies
EDGE = 1  # cells round the map where nothing stands
SMALLEST, LARGEST = 16, 128
KEYS = ("size", "walls", "open", "high", "ramps")


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def names() -> tuple[str, ...]:
    """All named grounds but the arenas."""
    return tuple(_table())


@cache
def named(name: str) -> Terrain:
    """A ground by its name: one of `names()` or of the arenas. Raises TrainError: there is none of that name."""
    if name in _table():
        return build(name, _table()[name], str(FILE.name))
    try:
        return arenas.load(name).terrain
    except MapError:
        raise TrainError(
            f"unknown ground {name!r}; there are: {', '.join(names())}, the arenas, and [ground] tables"
        ) from None


def build(name: str, table: Mapping[str, Any], where: str) -> Terrain:
    """A ground from its description: size = [width, height]; walls, high and ramps are lists of rectangles
    [x0, y0, x1, y1] (cells, the last ones outside). Cliffs between low and high ground are closed but for the ramps;
    `open` rectangles are opened again after the walls.

    Raises:
        TrainError: an unknown key, a size or a rectangle that cannot be; `where` names the source.
    """
    unknown = set(table) - set(KEYS)
    if unknown:
        raise TrainError(f"{where}: ground {name!r} has unknown keys {sorted(unknown)}; allowed: {', '.join(KEYS)}")
    width, height = _size(table.get("size", (48, 40)), where)
    walk = np.zeros((height, width), np.uint8)
    walk[EDGE : height - EDGE, EDGE : width - EDGE] = 1
    levels = np.full((height, width), LOW, np.uint8)
    for x0, y0, x1, y1 in _boxes(table, "walls", width, height, where):
        walk[y0:y1, x0:x1] = 0
    for x0, y0, x1, y1 in _boxes(table, "open", width, height, where):
        walk[y0:y1, x0:x1] = 1
    for x0, y0, x1, y1 in _boxes(table, "high", width, height, where):
        levels[y0:y1, x0:x1] = LOW + STEP
    cliff = _cliff(levels)
    walk[cliff] = 0
    flat = np.ones_like(walk)
    for x0, y0, x1, y1 in _boxes(table, "ramps", width, height, where):
        walk[y0:y1, x0:x1] = 1
        flat[y0:y1, x0:x1] = 0
        levels[y0:y1, x0:x1] = _slope(levels, x0, y0, x1, y1)
    return Terrain(
        name=name,
        title=name,
        width=width,
        height=height,
        playable=(0, 0, width, height),
        walkable=walk,
        buildable=walk & flat,
        levels=levels,
        starts=((4.5, height / 2), (width - 4.5, height / 2)),
    )


def _cliff(levels: np.ndarray) -> np.ndarray:
    """bool: low cells beside a higher one."""
    padded = np.pad(levels, 1, mode="edge")
    around = np.stack([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
    return around.max(0) > levels


def _slope(levels: np.ndarray, x0: int, y0: int, x1: int, y1: int) -> np.ndarray:
    """Heights of a ramp that rises along its longer side's neighbours, from the low end to the high one."""
    height, width = levels.shape
    left, right = levels[y0:y1, max(x0 - 1, 0)].mean(), levels[y0:y1, min(x1, width - 1)].mean()
    below, above = levels[max(y0 - 1, 0), x0:x1].mean(), levels[min(y1, height - 1), x0:x1].mean()
    if abs(right - left) >= abs(above - below):
        line = np.linspace(left, right, x1 - x0 + 2)[1:-1]
        return np.broadcast_to(line, (y1 - y0, x1 - x0)).round().astype(np.uint8)
    line = np.linspace(below, above, y1 - y0 + 2)[1:-1]
    return np.broadcast_to(line[:, None], (y1 - y0, x1 - x0)).round().astype(np.uint8)


def _size(value: Any, where: str) -> tuple[int, int]:
    whole = isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(v, int) for v in value)
    if not whole or not all(SMALLEST <= v <= LARGEST for v in value) or value[0] * value[1] % 8:
        raise TrainError(f"{where}: size must be two whole numbers from {SMALLEST} to {LARGEST}, area divisible by 8")
    return value[0], value[1]


def _boxes(table: Mapping[str, Any], key: str, width: int, height: int, where: str) -> list[tuple[int, int, int, int]]:
    boxes = table.get(key, [])
    if not isinstance(boxes, list):
        raise TrainError(f"{where}: {key} must be a list of rectangles [x0, y0, x1, y1]")
    for box in boxes:
        fits = isinstance(box, list) and len(box) == 4 and all(isinstance(v, int) and v >= 0 for v in box)
        if not fits or box[0] >= box[2] or box[1] >= box[3]:
            raise TrainError(f"{where}: {key} has {box!r}, which is no rectangle [x0, y0, x1, y1] of whole cells")
        if box[2] > width or box[3] > height:
            raise TrainError(f"{where}: {key} has {box!r}, which ends outside the {width} x {height} cells")
    return [tuple(box) for box in boxes]
