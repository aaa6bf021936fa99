"""The camera of who watches: it stays where it is sent, or follows a player's camera or units."""

from __future__ import annotations

from s2clientprotocol import sc2api_pb2 as sc

from sim.server import crop
from sim.server.places import on_map
from sim.server.seat import Seat


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
