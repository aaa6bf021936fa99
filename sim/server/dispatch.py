"""From request bytes to response bytes: what may be asked when, and by which function it is answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from google.protobuf.message import DecodeError, Message
from s2clientprotocol import sc2api_pb2 as sc

from sim.server import play, playback, rooms, wire
from sim.server.seat import ENDED, NOT_AFTER_END, NOT_IN_GAME, NOT_STARTED, RequestError, Seat

log = logging.getLogger("ironsight")

Answer = Message | bytes  # a sub-message, or the same serialised
Handler = Callable[[Seat, sc.Request], Awaitable[Answer]]

LAUNCHED, INIT, IN_GAME, IN_REPLAY, OVER = sc.launched, sc.init_game, sc.in_game, sc.in_replay, sc.ended
ANY = frozenset({LAUNCHED, INIT, IN_GAME, IN_REPLAY, OVER, sc.quit})
IN_OR_AFTER = frozenset({IN_GAME, OVER})
PLAYING = frozenset({IN_GAME})
RUNNING = frozenset({IN_GAME, IN_REPLAY})
WATCHED = RUNNING | {OVER}


@dataclass(frozen=True, slots=True)
class Rule:
    """Who answers a request, and in which states it is answered."""

    handler: Handler
    states: frozenset[int]


RULES: dict[str, Rule] = {
    "ping": Rule(rooms.ping, ANY),
    "available_maps": Rule(rooms.available_maps, ANY),
    "save_map": Rule(rooms.save_map, ANY),
    "replay_info": Rule(playback.replay_info, ANY),
    "start_replay": Rule(playback.start_replay, frozenset({LAUNCHED, IN_GAME, IN_REPLAY, OVER})),
    "quit": Rule(rooms.quit_game, ANY),
    "create_game": Rule(rooms.create_game, frozenset({LAUNCHED, INIT, IN_GAME, IN_REPLAY, OVER})),
    "join_game": Rule(rooms.join_game, frozenset({LAUNCHED, INIT})),
    "restart_game": Rule(rooms.restart_game, IN_OR_AFTER),
    "leave_game": Rule(rooms.leave_game, WATCHED),
    "game_info": Rule(play.game_info, WATCHED),
    "data": Rule(play.data, WATCHED),
    "observation": Rule(play.observation, WATCHED),
    "save_replay": Rule(play.save_replay, IN_OR_AFTER),
    "quick_save": Rule(playback.quick_save, PLAYING),
    "quick_load": Rule(playback.quick_load, PLAYING),
    "step": Rule(play.step, RUNNING),
    "action": Rule(play.action, PLAYING),
    "obs_action": Rule(play.observer_action, RUNNING),
    "query": Rule(play.query, RUNNING),
    "debug": Rule(play.debug, PLAYING),
    "map_command": Rule(play.map_command, PLAYING),
}


def refusal(name: str, status: int) -> str | None:
    """Why a request is out of place in a state; None when it is not."""
    if status in RULES[name].states:
        return None
    if status == OVER:
        return ENDED if name in ("step", "action") else NOT_AFTER_END
    if status == IN_REPLAY:
        return "Not supported in a replay"
    if name in ("create_game", "join_game"):
        return "A game is already in progress" if status == IN_GAME else "Not supported after quit"
    return NOT_STARTED if status == INIT else NOT_IN_GAME


async def answer(seat: Seat, data: bytes) -> bytes:
    """The Response to one serialised Request. Never raises: what goes wrong is said in the response and logged."""
    request = sc.Request()
    try:
        request.ParseFromString(data)
    except DecodeError:
        return wire.tail(seat.status, None, [wire.UNREADABLE])
    name = request.WhichOneof("request")
    request_id = request.id if request.HasField("id") else None
    if name is None:
        return wire.tail(seat.status, request_id, [wire.EMPTY])
    try:
        reason = refusal(name, seat.status)
        if reason is not None:
            raise RequestError(reason)
        found = await RULES[name].handler(seat, request)
    except RequestError as error:
        return wire.tail(seat.status, request_id, [str(error)])
    except Exception as error:
        log.exception("request %s failed", name)
        return wire.tail(seat.status, request_id, [f"Internal error: {type(error).__name__}: {error}"])
    return wire.response(name, _bytes(found), seat.status, request_id)


def _bytes(found: Answer) -> bytes:
    return found if isinstance(found, bytes) else found.SerializeToString()
