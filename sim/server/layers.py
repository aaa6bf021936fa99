"""Feature layers: the camera's picture and the minimap, one plane a fact, as serialised ObservationFeatureLayer.

Numbers and bits of the planes are those of the protocol (spatial.proto). Rows run from the top of the picture down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from s2clientprotocol import spatial_pb2

from sim.engine.state import PLAYERS
from sim.melee import protoss_power
from sim.melee.sight import VISIBLE
from sim.server import screen, wire
from sim.server.effects import seen_effects
from sim.server.ghosts import seen, towers
from sim.server.paint import paint
from sim.server.things import gather

if TYPE_CHECKING:
    from sim.melee.sight import Sight
    from sim.server.screen import View
    from sim.server.seat import Seat

BIT, BYTE, INT = 1, 8, 32  # bits per pixel
SCREEN_BITS = {
    "height_map": BYTE,
    "visibility_map": BYTE,
    "creep": BIT,
    "power": BIT,
    "player_id": BYTE,
    "player_relative": BYTE,
    "unit_type": INT,
    "selected": BIT,
    "unit_hit_points": INT,
    "unit_hit_points_ratio": BYTE,
    "unit_energy": INT,
    "unit_energy_ratio": BYTE,
    "unit_shields": INT,
    "unit_shields_ratio": BYTE,
    "unit_density": BYTE,
    "unit_density_aa": BYTE,
    "effects": BYTE,
    "hallucinations": BIT,
    "cloaked": BIT,
    "blip": BIT,
    "buffs": INT,
    "buff_duration": BYTE,
    "active": BIT,
    "build_progress": BYTE,
    "pathable": BIT,
    "buildable": BIT,
    "placeholder": BIT,
}
MINIMAP_BITS = {
    "height_map": BYTE,
    "visibility_map": BYTE,
    "creep": BIT,
    "camera": BIT,
    "player_id": BYTE,
    "player_relative": BYTE,
    "selected": BIT,
    "alerts": BIT,
    "pathable": BIT,
    "buildable": BIT,
}
CHEATING = {"unit_type": INT}  # on the minimap, for who allows it
OF_THINGS = (
    "player_id",
    "player_relative",
    "unit_type",
    "selected",
    "unit_hit_points",
    "unit_hit_points_ratio",
    "unit_energy",
    "unit_energy_ratio",
    "unit_shields",
    "unit_shields_ratio",
    "hallucinations",
    "cloaked",
    "buffs",
    "buff_duration",
    "active",
    "build_progress",
    "blip",
    "placeholder",
)
AA_STEPS = 16  # a unit that covers a whole pixel counts this much in unit_density_aa
ALERT_LOOPS = 22  # loops for which the minimap flashes where an own unit was hit
ALERT_RADIUS = 2.0  # cells

Planes = dict[str, np.ndarray]


def serialised(seat: Seat, sight: Sight, setup: Any) -> bytes:
    """The ObservationFeatureLayer of a seat for its SpatialCameraSetup, by its camera and selection."""
    game = seat.match.game
    camera = screen.screen_view(setup, seat.camera)
    minimap = screen.minimap_view(setup, game.terrain)
    viewer, options = seat.viewer or 1, seat.options
    ghosts = seen(options, game, seat.viewer, sight, towers(game, seat.viewer))
    things = gather(game, viewer, sight, seat.selection.slots(game), options.show_cloaked, ghosts)
    out = b""
    if camera is not None:
        planes = screen_planes(seat, sight, camera, things)
        if not seat.selection.shown(game):
            planes["selected"] = np.zeros_like(planes["selected"])
        out += wire.field(1, _message(spatial_pb2.FeatureLayers, camera, planes, SCREEN_BITS))
    if minimap is not None:
        bits = MINIMAP_BITS | (CHEATING if setup.allow_cheating_layers else {})
        planes = minimap_planes(seat, sight, minimap, camera, things)
        out += wire.field(2, _message(spatial_pb2.FeatureLayersMinimap, minimap, planes, bits))
    return out


def _message(kind: Any, view: View, planes: Planes, bits: dict[str, int]) -> bytes:
    fields = kind.DESCRIPTOR.fields_by_name
    size = wire.field(2, wire.number(1, view.width) + wire.number(2, view.height))
    return b"".join(wire.field(fields[name].number, _image(planes[name], count, size)) for name, count in bits.items())


def _image(plane: np.ndarray, bits: int, size: bytes) -> bytes:
    """A serialised ImageData of a plane of height * width values; `size` is its field of that name."""
    if bits == BIT:
        data = np.packbits(plane.reshape(-1) != 0).tobytes()
    else:
        data = plane.astype(np.uint8 if bits == BYTE else np.dtype("<i4")).tobytes()
    return b"".join((wire.number(1, bits), size, *wire.parts(3, [data])))


def screen_planes(seat: Seat, sight: Sight, view: View, things: np.ndarray) -> Planes:
    """All planes of the camera's picture, each [height * width] or [height, width]."""
    game = seat.match.game
    painted = paint(view, things["x"], things["y"], things["radius"])
    planes = _ground(seat, sight, view) | _of_things(things, painted.top)
    planes["unit_density"] = np.minimum(painted.standing, 255)
    planes["unit_density_aa"] = np.minimum(AA_STEPS * painted.covered, 255)
    sources = [s for player in range(PLAYERS) for s in protoss_power.of(game).sources[player] if player == seat.viewer]
    planes["power"] = _discs(view, [(s.x, s.y, s.radius, 1) for s in sources])
    effects = seen_effects(game, seat.viewer or 1, sight.reveal)
    planes["effects"] = _discs(view, [(e.x, e.y, e.radius, e.id) for e in effects])
    return planes


def minimap_planes(seat: Seat, sight: Sight, view: View, camera: View | None, things: np.ndarray) -> Planes:
    """All planes of the minimap, each [height * width] or [height, width]."""
    game = seat.match.game
    top = paint(view, things["x"], things["y"], things["radius"]).top
    planes = _ground(seat, sight, view) | _of_things(things, top)
    planes["camera"] = np.zeros((view.height, view.width), np.uint8)
    if camera is not None:
        right, bottom = camera.left + camera.width * camera.pixel, camera.top - camera.height * camera.pixel
        across = (view.xs >= camera.left) & (view.xs < right)
        planes["camera"] = np.logical_and.outer((view.ys > bottom) & (view.ys <= camera.top), across)
    hurt = things[(things["player_relative"] == 1) & (things["slot"] >= 0)]
    hit = game.units["last_hit"][hurt["slot"]]
    hurt = hurt[(hit > 0) & (hit > game.loop - ALERT_LOOPS)]
    planes["alerts"] = _discs(view, [(x, y, ALERT_RADIUS, 1) for x, y in zip(hurt["x"], hurt["y"], strict=True)])
    return planes


def _ground(seat: Seat, sight: Sight, view: View) -> Planes:
    """Terrain, fog and creep; 0 beyond the map."""
    game = seat.match.game
    height, width = game.creep.shape
    columns, rows = np.floor(view.xs).astype(np.int64), np.floor(view.ys).astype(np.int64)
    off = np.logical_or.outer((rows < 0) | (rows >= height), (columns < 0) | (columns >= width))
    at = np.ix_(np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1))
    seen = np.full(off.shape, VISIBLE, np.uint8) if sight.reveal else game.visibility[seat.viewer or 1][at]
    walk, place = seat.map_view.grids()
    planes = {
        "height_map": game.terrain.levels[at],
        "visibility_map": seen,
        "creep": sight.creep()[at],
        "pathable": walk[at],
        "buildable": place[at],
    }
    return {name: np.where(off, 0, plane) for name, plane in planes.items()}


def _of_things(things: np.ndarray, top: np.ndarray) -> Planes:
    """What the topmost thing says at each pixel; 0 where there is none (-1, the end of each column)."""
    return {name: np.append(things[name], things.dtype[name].type(0))[top] for name in OF_THINGS}


def _discs(view: View, discs: list[tuple[float, float, float, int]]) -> np.ndarray:
    """A plane of discs (x, y, radius, value), later ones on top; uint8 [height * width]."""
    plane = np.zeros(view.width * view.height, np.uint8)
    if discs:
        x, y, radius, value = (np.array(column) for column in zip(*discs, strict=True))
        top = paint(view, x, y, radius).top
        covered = top >= 0
        plane[covered] = value[top[covered]]
    return plane
