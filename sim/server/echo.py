"""Actions as observations report them: in the words of every interface that the client has asked for.

A client with raw data and feature layers, or pictures, is told the same order or camera move in each form (pysc2 reads
its own actions back from the form of its layers or, where it acts in pictures, from theirs, whichever form it sent).
"""

from __future__ import annotations

from typing import Any

from s2clientprotocol import sc2api_pb2 as sc

from sim.server import screen
from sim.server.places import on_map
from sim.server.seat import Seat

SCREENS = (("feature_layer", "action_feature_layer"), ("render", "action_render"))  # options of an interface, its form


def echo(seat: Seat, action: sc.Action) -> sc.Action:
    """The action with what its other interfaces call it; changed in place and returned."""
    raw = action.action_raw
    for option, form in SCREENS:
        if not seat.options.HasField(option) or not action.HasField("action_raw"):
            continue
        setup, spatial = getattr(seat.options, option), getattr(action, form)
        if raw.HasField("camera_move"):
            at = on_map(seat.match.game, raw.camera_move.center_world_space) or seat.camera
            _minimap(seat, setup, spatial.camera_move.center_minimap, *at)
        elif raw.HasField("unit_command"):
            _order(seat, setup, raw.unit_command, spatial.unit_command)
        elif raw.HasField("toggle_autocast"):
            action.action_ui.toggle_autocast.ability_id = raw.toggle_autocast.ability_id
    return action


def _minimap(seat: Seat, setup: sc.SpatialCameraSetup, pixel: Any, x: float, y: float) -> None:
    """Writes where a place is on the minimap, moved into the picture if it lies outside."""
    view = screen.minimap_view(setup, seat.match.game.terrain)
    if view is not None:
        column, row = view.pixel_of(x, y)
        pixel.x, pixel.y = min(max(column, 0), view.width - 1), min(max(row, 0), view.height - 1)


def _order(seat: Seat, setup: sc.SpatialCameraSetup, wanted: Any, order: Any) -> None:
    """A raw order as an order to a selection: at a pixel of the screen if it shows the target, else of the minimap."""
    game = seat.match.game
    order.ability_id, order.queue_command = wanted.ability_id, wanted.queue_command
    slot = game.slot(wanted.target_unit_tag) if wanted.target_unit_tag else -1
    if slot >= 0:
        x, y = float(game.units[slot]["x"]), float(game.units[slot]["y"])
    elif wanted.HasField("target_world_space_pos"):
        x, y = wanted.target_world_space_pos.x, wanted.target_world_space_pos.y
    else:
        return
    view = screen.screen_view(setup, seat.camera)
    if view is not None and view.inside(*view.pixel_of(x, y)):
        order.target_screen_coord.x, order.target_screen_coord.y = view.pixel_of(x, y)
    else:
        _minimap(seat, setup, order.target_minimap_coord, x, y)
