"""Reads a real map from a recording: the game_info and first observation that the real game once sent.

The grids of a real loop 0 already contain what stands on the ground (rocks; the recording player's own town hall,
minerals and geysers). A Terrain is the ground alone, so these cells are opened again, by footprint. Who recorded it
does not matter, nor what else he had by then: any start, any race, some loops later.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
from s2clientprotocol import common_pb2
from s2clientprotocol import sc2api_pb2 as sc

from .footprints import ROCK_TYPES, TOWN_HALL_TYPES, footprint_cells, placement_cells
from .terrain import MapError, Neutral, Terrain

GAME_INFO, OBSERVATION = "game_info.bin.xz", "observation.bin.xz"
NEUTRAL, OWN = 3, 1  # raw_pb2.Alliance
VISIBLE = 1  # raw_pb2.DisplayType
GRIDS = {"pathing_grid": 1, "placement_grid": 1, "terrain_height": 8}  # with their bits a cell
STEEPEST = 8  # height bytes between the corners of a cell of a ramp; more is a cliff


def grid(image: common_pb2.ImageData, name: str = "pathing_grid") -> np.ndarray:
    """One of GRIDS as uint8 [height, width], row 0 at the bottom. ValueError with its name for anything else."""
    raw, (width, height), bits = np.frombuffer(image.data, np.uint8), (image.size.x, image.size.y), image.bits_per_pixel
    if bits != GRIDS[name] or min(width, height) < 1 or raw.size != -(-width * height * bits // 8):
        raise ValueError(f"{name}: {raw.size} bytes of {bits} bits for {width}x{height} cells")
    if bits == 1:
        raw = np.unpackbits(raw)[: width * height]  # most significant bit first
    return raw.reshape(height, width)


def read_messages(folder: Path) -> tuple[sc.ResponseGameInfo, sc.ResponseObservation]:
    """Both messages of a recording; MapError with one line for a missing, cut or foreign file."""
    messages = []
    for file, message in ((GAME_INFO, sc.ResponseGameInfo), (OBSERVATION, sc.ResponseObservation)):
        try:
            messages.append(message.FromString(lzma.decompress((folder / file).read_bytes())))
        except OSError as error:
            raise MapError(f"recording {folder.name}: cannot read {file}: {error.strerror or error}") from None
        except Exception as error:  # lzma and protobuf each raise types of their own for the same fault
            raise MapError(f"recording {folder.name}: {file} is damaged ({type(error).__name__})") from None
    return messages[0], messages[1]


def read(folder: Path) -> Terrain:
    """The Terrain of the recording in `folder`; starts[0] is the recording player's."""
    info, observation = read_messages(folder)
    try:
        return _terrain(folder.name, info, observation)
    except ValueError as error:
        raise MapError(f"recording {folder.name}: {error}") from None


def _terrain(name: str, info: sc.ResponseGameInfo, observation: sc.ResponseObservation) -> Terrain:
    start = info.start_raw
    walkable, buildable, levels = (grid(getattr(start, name), name).copy() for name in GRIDS)
    width, height = start.map_size.x, start.map_size.y
    showing = 1 - walkable
    if not walkable.shape == buildable.shape == levels.shape == (height, width):
        raise ValueError("the grids and map_size differ in size")
    units = observation.observation.raw_data.units
    own = [unit for unit in units if unit.alliance == OWN and unit.unit_type in TOWN_HALL_TYPES]
    listed = [(at.x, at.y) for at in start.start_locations]
    starts = tuple(dict.fromkeys([*((hall.pos.x, hall.pos.y) for hall in own), *listed]))
    if len(own) != 1 or len(starts) < 2:
        raise ValueError("the first observation must show one own town hall, and game_info an enemy start")
    if not isinstance(info.map_name, str):  # what protobuf makes of a text with broken letters
        raise ValueError("the map's name is no text")
    found = [unit for unit in units if unit.alliance == NEUTRAL]  # in their order, on which clients' grouping depends
    neutrals = tuple(Neutral(unit.unit_type, unit.pos.x, unit.pos.y) for unit in found)
    places = [(x, y, 3) for x, y in starts] + [(unit.pos.x, unit.pos.y, 0) for unit in units]
    for x, y, edge in places:
        if not (edge <= x < width - edge and edge <= y < height - edge):
            raise ValueError(f"something stands at ({x:g}, {y:g}), outside the map")
    seen = {neutral for neutral, unit in zip(neutrals, found, strict=True) if unit.display_type == VISIBLE}
    _open(walkable, buildable, levels, neutrals, seen)
    for unit in units:
        if unit.alliance != NEUTRAL:
            _clear(walkable, buildable, unit.unit_type, unit.pos.x, unit.pos.y)
    area = start.playable_area
    if not (0 <= area.p0.x < area.p1.x <= width and 0 <= area.p0.y < area.p1.y <= height):
        raise ValueError("the playable area does not fit the map")
    return Terrain(
        name=name,
        title=info.map_name,
        width=width,
        height=height,
        playable=(area.p0.x, area.p0.y, area.p1.x, area.p1.y),
        walkable=walkable,
        buildable=buildable,
        levels=levels,
        starts=starts,
        neutrals=neutrals,
        showing=showing,
    )


def _clear(walkable: np.ndarray, buildable: np.ndarray, type_id: int, x: float, y: float) -> None:
    """Opens, in place, the cells on which something of this type stands."""
    height, width = walkable.shape
    for plane, cells in ((walkable, footprint_cells(type_id, x, y)), (buildable, placement_cells(type_id, x, y))):
        for column, row in cells:
            if 0 <= column < width and 0 <= row < height:
                plane[row, column] = 1


def _open(
    walkable: np.ndarray, buildable: np.ndarray, levels: np.ndarray, neutrals: tuple[Neutral, ...], seen: set[Neutral]
) -> None:
    """Opens, in place, the cells under what is in `seen` and under the rocks that show as blocked.

    The real grids leave out what the player has not seen: resources of other bases, plates, and the level ground under
    rocks. Where a rock does not show, the closed cells near it are cliffs and stay closed, as cliffs under any rock do.
    Under a rock the ground can be built on where it is level (the others stand on ramps).
    """
    height, width = walkable.shape
    for neutral in neutrals:
        if neutral.type_id not in ROCK_TYPES:
            if neutral in seen:
                _clear(walkable, buildable, neutral.type_id, neutral.x, neutral.y)
            continue
        cells = footprint_cells(neutral.type_id, neutral.x, neutral.y)
        cells = [(x, y) for x, y in cells if 0 <= x < width - 1 and 0 <= y < height - 1]
        if not cells or not _shows(walkable, cells):
            continue
        for x, y in cells:
            climb = np.ptp(levels[y : y + 2, x : x + 2])
            walkable[y, x] |= climb <= STEEPEST
            buildable[y, x] |= climb == 0


def _shows(walkable: np.ndarray, cells: list[tuple[int, int]]) -> bool:
    """Whether the grid has this rock's footprint: the middle third of its cells, by distance, is all closed."""
    middle = np.mean(cells, axis=0)
    nearest = sorted(cells, key=lambda cell: float(np.hypot(*(cell - middle))))[: max(1, len(cells) // 3)]
    return all(walkable[y, x] == 0 for x, y in nearest)
