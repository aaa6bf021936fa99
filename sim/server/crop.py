"""raw_crop_to_playable_area: a client whose world begins at the corner of the playable area.

Everything it is told and everything it sends is shifted by that corner; grids are cut to the playable area. Only seats
with an `offset` other than (0, 0) pay for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

if TYPE_CHECKING:
    from sim.maps import Terrain
    from sim.server.seat import Seat

POINTS = ("Point", "Point2D")  # messages that hold places of the world
LEFT_ALONE = ("action_feature_layer", "action_render", "action_ui", "feature_layer_data", "render_data", "virtual_pos")


def offset_of(options: sc.InterfaceOptions, terrain: Terrain) -> tuple[int, int]:
    """The corner at which this client's world begins, cells."""
    return (terrain.playable[0], terrain.playable[1]) if options.raw_crop_to_playable_area else (0, 0)


def _places(message: Message) -> Iterator[Any]:
    """Every place of the world in a message, at any depth."""
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE or field.name in LEFT_ALONE:
            continue
        for part in [value] if isinstance(value, Message) else value:
            if part.DESCRIPTOR.name in POINTS:
                yield part
            else:
                yield from _places(part)


def shift(message: Message, dx: float, dy: float) -> None:
    """Moves every place in the message, in the message itself."""
    for place in _places(message):
        place.x, place.y = place.x + dx, place.y + dy


def to_world(seat: Seat, message: Any) -> Any:
    """What a client sent, in coordinates of the whole map; the message itself where they are the same."""
    if seat.offset == (0, 0):
        return message
    moved = type(message)()
    moved.CopyFrom(message)
    shift(moved, *seat.offset)
    return moved


def observation(seat: Seat, raw: bytes) -> bytes:
    """A serialised ObservationRaw as this client sees the world."""
    found = raw_pb2.ObservationRaw.FromString(raw)
    shift(found, -seat.offset[0], -seat.offset[1])
    for image in (found.map_state.visibility, found.map_state.creep):
        _cut(image, seat.match.game.terrain)
    return found.SerializeToString()


def game_info(seat: Seat, info: sc.ResponseGameInfo) -> None:
    """Cuts the map of a ResponseGameInfo to the playable area, in place."""
    terrain, start = seat.match.game.terrain, info.start_raw
    for image in (start.pathing_grid, start.placement_grid, start.terrain_height):
        _cut(image, terrain)
    x0, y0, x1, y1 = terrain.playable
    start.map_size.x, start.map_size.y = x1 - x0, y1 - y0
    start.playable_area.p0.x, start.playable_area.p0.y = 0, 0
    start.playable_area.p1.x, start.playable_area.p1.y = x1 - x0, y1 - y0
    for place in start.start_locations:
        place.x, place.y = place.x - x0, place.y - y0


def _cut(image: Any, terrain: Terrain) -> None:
    x0, y0, x1, y1 = terrain.playable
    cells = np.frombuffer(image.data, np.uint8)
    if image.bits_per_pixel == 1:
        cells = np.unpackbits(cells)[: terrain.width * terrain.height]
    part = cells.reshape(terrain.height, terrain.width)[y0:y1, x0:x1]
    image.size.x, image.size.y = x1 - x0, y1 - y0
    image.data = (np.packbits(part) if image.bits_per_pixel == 1 else part).tobytes()
