"""Cameras: where each looks first, what it shows, where the game and who watches move it."""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import mini_games
from sim.server import crop, screen
from sim.server.echo import SCREENS, echo
from sim.server.places import on_map
from sim.server.seat import Seat

if TYPE_CHECKING:
    from sim.melee.game import Game

CENTRED = 1  # loop in which the game moves every player's camera (observed)
BASE_REACH = 12.0  # cells from a town hall within which its fields lie
HALF_SCREEN = (14.0, 10.0)  # cells: half of what the game's own camera shows


def half_screen(seat: Seat) -> tuple[float, float]:
    """Half the width and height of what the seat's camera shows, cells."""
    if not seat.options.HasField("feature_layer"):
        return HALF_SCREEN
    view = screen.screen_view(seat.options.feature_layer, seat.camera)
    return (view.width * view.pixel / 2, view.height * view.pixel / 2) if view is not None else HALF_SCREEN


def on_screen(seat: Seat, x: float, y: float) -> bool:
    """The seat's camera shows a point."""
    width, height = half_screen(seat)
    return abs(x - seat.camera[0]) < width and abs(y - seat.camera[1]) < height


def home(game: Game, player: int) -> tuple[float, float] | None:
    """The player's first town hall, None when it has none."""
    for slot in game.owned(player):
        if int(game.units[slot]["type"]) in game.facts.town_halls:
            return float(game.units[slot]["x"]), float(game.units[slot]["y"])
    return None


def first_view(game: Game, player: int) -> tuple[float, float]:
    """Where the player looks first: from its first town hall towards the minerals (as in twelve recordings), else the
    middle of the map; a mini-game shows its whole ground."""
    if game.terrain.mini_game:
        return mini_games.VIEW
    hall = home(game, player)
    if hall is None:
        return game.terrain.width / 2, game.terrain.height / 2
    units = game.units[: int(game.world[0]["slots"])]
    fields = units[np.isin(units["type"], list(game.facts.minerals)) & (units["alive"] == 1)]
    right, up = fields["x"] - hall[0], fields["y"] - hall[1]
    near = np.hypot(right, up) < BASE_REACH
    if not near.any():
        return hall
    right, up = float(right[near].mean()), float(up[near].mean())
    across, along = (2.25, 0.25) if abs(up) < 1 else (1.75, 1.25)
    return hall[0] + copysign(across, right), hall[1] + copysign(along, up)


def centre(seat: Seat) -> None:
    """The game itself moves the camera over the town hall; clients with a screen see that as an action."""
    hall = home(seat.match.game, seat.player) if seat.player else None
    if hall is None or seat.match.game.terrain.mini_game:
        return
    seat.camera = hall
    if any(seat.options.HasField(option) for option, _ in SCREENS):
        moved = sc.Action(game_loop=seat.match.game.loop)
        moved.action_raw.camera_move.center_world_space.x, moved.action_raw.camera_move.center_world_space.y = hall
        seat.actions.append(echo(seat, moved))
        if not seat.options.raw:
            moved.ClearField("action_raw")


def point(seat: Seat, wanted: sc.ObserverAction) -> None:
    """Does what an observer's action says. Whose eyes it has does not change, nor how far the camera is (ours)."""
    kind = wanted.WhichOneof("action")
    if kind == "camera_move":
        place = on_map(seat.match.game, crop.to_world(seat, wanted.camera_move).world_pos)
        seat.camera, seat.followed = place or seat.camera, 0
    elif kind == "camera_follow_player":
        seat.followed = wanted.camera_follow_player.player_id
    elif kind == "camera_follow_units":
        seat.followed = tuple(wanted.camera_follow_units.unit_tags)
    follow(seat)


def follow(seat: Seat) -> None:
    """Brings the camera to the player's that it follows, or to the middle of its units; it stays once they are gone."""
    match, game = seat.match, seat.match.game
    if isinstance(seat.followed, int):
        players = match.seats if match.playback is None else match.playback.actors
        leader = players.get(seat.followed)
        seat.camera = leader.camera if leader is not None else seat.camera
        return
    slots = [slot for tag in seat.followed if (slot := game.slot(tag)) >= 0]
    if slots:
        seat.camera = float(game.units["x"][slots].mean()), float(game.units["y"][slots].mean())
