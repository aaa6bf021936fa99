"""Requests of a running game: what a bot asks every step.

Each handler takes the seat that asks and its request, and gives the answer's message (or its bytes). What cannot be
done it raises as RequestError, whose text is the response's `error`; `dispatch.py` has asked before whether the
request is allowed now.
"""

from __future__ import annotations

from s2clientprotocol import sc2api_pb2 as sc

from sim.server import crop, engine, replay
from sim.server.actions import act, send
from sim.server.builds import find
from sim.server.camera import point
from sim.server.debug import run_debug
from sim.server.queries import run_queries
from sim.server.seat import RequestError, Seat

MOST_LOOPS = 1 << 20  # of one step


async def game_info(seat: Seat, request: sc.Request) -> bytes:
    """The map and the players."""
    return seat.map_view.serialised(seat)


async def data(seat: Seat, request: sc.Request) -> bytes:
    """Facts, with the asking player's own upgrades folded in."""
    return seat.data.serialised(request.data)


async def observation(seat: Seat, request: sc.Request) -> bytes:
    """The state of the game; in realtime games of the loop asked for or a later one."""
    wanted, match = request.observation, seat.match
    if match.settings.realtime and wanted.HasField("game_loop") and not match.result_for(seat):
        await match.run_until(seat, wanted.game_loop)
    if match.broken:
        raise RequestError(match.broken)
    seat.told_end = seat.told_end or match.result_for(seat)
    observer = engine.unveiled(seat) if wanted.disable_fog else seat.observer
    return observer.build(seat, seat.told_end)


async def step(seat: Seat, request: sc.Request) -> sc.ResponseStep:
    """Plays on; returns when all players have asked for the loops of this one."""
    match = seat.match
    if match.settings.realtime:
        raise RequestError("Step is not supported in realtime")
    game = match.game
    count = min(request.step.count or 1, MOST_LOOPS)
    await match.run_until(seat, game.loop + count)
    if seat.match is match and match.result_for(seat):
        seat.told_end = True
    return sc.ResponseStep(simulation_loop=game.loop)


async def action(seat: Seat, request: sc.Request) -> sc.ResponseAction:
    """Judges each action at once, in order; orders take effect with the next step."""
    if not seat.player:
        raise RequestError("Observers cannot act")
    do = act if len(seat.match.participants) < 2 else send
    return sc.ResponseAction(result=[do(seat, wanted) for wanted in request.action.actions])


async def observer_action(seat: Seat, request: sc.Request) -> sc.ResponseObserverAction:
    """Where the camera of who watches looks."""
    for wanted in request.obs_action.actions:
        point(seat, wanted)
    return sc.ResponseObserverAction()


async def query(seat: Seat, request: sc.Request) -> sc.ResponseQuery:
    """Walking distances, placements, abilities."""
    return run_queries(seat, crop.to_world(seat, request.query))


async def debug(seat: Seat, request: sc.Request) -> sc.ResponseDebug:
    """Cheats and drawings."""
    wanted = crop.to_world(seat, request.debug)
    seat.match.record(seat.player, wanted)
    run_debug(seat, wanted.debug)
    return sc.ResponseDebug()


async def map_command(seat: Seat, request: sc.Request) -> sc.ResponseMapCommand:
    """Triggers of a map: there are none."""
    code = sc.ResponseMapCommand.NoTriggerError
    return sc.ResponseMapCommand(error=code, error_details="the map has no triggers")


async def save_replay(seat: Seat, request: sc.Request) -> sc.ResponseSaveReplay:
    """The game so far: set-up and commands, from which it can be played again."""
    if seat.match.playback is not None:
        raise RequestError("Replays of replays are not saved")
    config = seat.server.config
    build = find(config.base, config.data_version)
    return sc.ResponseSaveReplay(data=replay.archive(seat.match, build, config.data_version or build.data_version))
