"""Pictures of maps: `python -m sim maps [NAME ...] [--out FOLDER] [--recordings FOLDER]`.

Colours: ground brighter the higher it lies, ramps brown, walkable but not buildable ground olive, cliffs and void dark,
minerals blue, geysers green, rocks grey, starts red.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .catalog import load, names
from .footprints import GEYSER_TYPES, MINERAL_TYPES, placement_cells
from .terrain import MapError, Terrain

RICH_TYPES = frozenset({146, 147, 796, 797})
GROUND = {191: (105, 125, 95), 207: (150, 160, 120), 223: (195, 195, 150), 239: (225, 225, 190)}
CLIFF, VOID, RAMP, UNBUILDABLE = (58, 50, 46), (24, 26, 32), (176, 128, 72), (128, 130, 60)
MINERAL, RICH, GEYSER, ROCK, START = (60, 130, 230), (235, 190, 40), (50, 190, 90), (110, 110, 118), (220, 50, 50)


def picture(terrain: Terrain, scale: int = 4) -> np.ndarray:
    """The map as uint8 [height * scale, width * scale, 3], with the top of the map in the first row."""
    levels = terrain.levels
    image = np.empty((terrain.height, terrain.width, 3), np.uint8)
    image[:] = VOID
    image[levels > 127] = CLIFF
    walkable, buildable = terrain.walkable == 1, terrain.buildable == 1
    nearest = np.array(sorted(GROUND))
    shade = nearest[np.abs(levels[..., None].astype(int) - nearest).argmin(-1)]
    for level, colour in GROUND.items():
        image[walkable & (shade == level)] = colour
    padded = np.pad(levels, 1, mode="edge").astype(int)
    around = np.stack([padded[y : y + levels.shape[0], x : x + levels.shape[1]] for y in range(3) for x in range(3)])
    sloped = around.min(0) != around.max(0)
    image[walkable & ~buildable & sloped] = RAMP
    image[walkable & ~buildable & ~sloped] = UNBUILDABLE
    for thing in terrain.neutrals:
        if thing.type_id in MINERAL_TYPES:
            colour = RICH if thing.type_id in RICH_TYPES else MINERAL
        else:
            colour = GEYSER if thing.type_id in GEYSER_TYPES else ROCK
        for x, y in placement_cells(thing.type_id, thing.x, thing.y):
            if 0 <= x < terrain.width and 0 <= y < terrain.height:
                image[y, x] = colour
    for x, y in terrain.starts:
        image[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3] = START
    return image[::-1].repeat(scale, 0).repeat(scale, 1)


def png(image: np.ndarray) -> bytes:
    """uint8 [height, width, 3] as the bytes of a PNG file."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    height, width, _ = image.shape
    rows = np.zeros((height, 1 + width * 3), np.uint8)  # each row begins with its filter type, 0
    rows[:, 1:] = image.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + content


def describe(terrain: Terrain) -> str:
    """One line of text about a map."""
    kinds = [thing.type_id for thing in terrain.neutrals]
    minerals, geysers = (sum(kind in types for kind in kinds) for types in (MINERAL_TYPES, GEYSER_TYPES))
    size = f"{terrain.width}x{terrain.height}"
    return f"{terrain.name:<20} {terrain.title:<20} {size:>8}  {minerals:>4} minerals {geysers:>3} geysers"


def show(wanted: Sequence[str], recordings: Path | None = None, out: Path | None = None, scale: int = 4) -> int:
    """Prints a line about each map (all without names), and writes NAME.png to `out` if given. -> exit code."""
    code = 0
    for name in wanted or names(recordings):
        try:
            terrain = load(name, recordings)
            print(describe(terrain), flush=True)
            if out:
                out.mkdir(parents=True, exist_ok=True)
                (out / f"{terrain.name}.png").write_bytes(png(picture(terrain, scale)))
        except MapError as error:  # the others can be shown all the same
            print(f"python -m sim: {error}", file=sys.stderr)
            code = 2
        except OSError as error:
            print(f"python -m sim: cannot write {error.filename or out}: {error.strerror}", file=sys.stderr)
            return 2
    return code
