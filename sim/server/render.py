"""Rendered images: the feature layers in colour. The game's own artwork is not here; what is where can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.melee.sight import VISIBLE
from sim.server import layers, screen, wire
from sim.server.things import gather

if TYPE_CHECKING:
    from sim.melee.sight import Sight
    from sim.server.screen import View
    from sim.server.seat import Seat

CREEP = np.array((70, 25, 80))
SELF, NEUTRAL, ENEMY = (40, 200, 60), (80, 150, 220), (220, 50, 40)
OF_RELATION = np.array(((0, 0, 0), SELF, SELF, NEUTRAL, ENEMY))
FRAME = np.array((255, 255, 255))  # the camera on the minimap
FOGGED = 0.5  # brightness of what was seen once


def serialised(seat: Seat, sight: Sight, setup: Any) -> bytes:
    """The ObservationRender of a seat: the camera's picture (field 1) and the minimap (field 2), 24 bits a pixel."""
    game = seat.match.game
    things = gather(game, seat.viewer or 1, sight, [], seat.options.show_cloaked)
    camera = screen.screen_view(setup, seat.camera)
    minimap = screen.minimap_view(setup, game.terrain)
    out = b""
    if camera is not None:
        out += wire.field(1, _image(camera, _colours(layers.screen_planes(seat, sight, camera, things), camera)))
    if minimap is not None:
        planes = layers.minimap_planes(seat, sight, minimap, camera, things)
        picture = _colours(planes, minimap)
        inner = planes["camera"].astype(bool)
        edge = inner & ~(np.roll(inner, 1, 0) & np.roll(inner, -1, 0) & np.roll(inner, 1, 1) & np.roll(inner, -1, 1))
        picture[edge] = FRAME
        out += wire.field(2, _image(minimap, picture))
    return out


def _colours(planes: layers.Planes, view: View) -> np.ndarray:
    """Ground by its height, creep, fog, and things by whose they are; float [height, width, 3]."""
    shape = (view.height, view.width)
    height, seen = planes["height_map"].astype(float), planes["visibility_map"]
    picture = (0.6 * height)[:, :, None] * np.array((1.0, 0.85, 0.6))
    picture[planes["creep"] > 0] = CREEP
    picture *= np.where(planes["pathable"] > 0, 1.0, 0.6)[:, :, None]
    relation = planes["player_relative"].reshape(shape)
    picture = np.where((relation > 0)[:, :, None], OF_RELATION[relation], picture)
    bright = np.where(seen == VISIBLE, 1.0, np.where(seen > 0, FOGGED, FOGGED / 2))
    return picture * bright[:, :, None]


def _image(view: View, picture: np.ndarray) -> bytes:
    size = wire.number(1, view.width) + wire.number(2, view.height)
    data = np.clip(picture, 0, 255).astype(np.uint8).tobytes()
    return wire.number(1, 24) + wire.field(2, size) + wire.field(3, data)
