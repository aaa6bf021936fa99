"""Requests outside a running game: create, join, restart, leave, quit, and what is asked at any time.

Each handler takes the seat that asks and its request, and gives the answer's message (or its bytes). What cannot be
done it raises as RequestError, whose text is the response's `error`; `dispatch.py` has asked before whether the
request is allowed now.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import replace
from pathlib import Path

from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import load, names
from sim.maps.mini_games import lit
from sim.server import engine
from sim.server.builds import find
from sim.server.install import OTHER_MAPS
from sim.server.mapfiles import MapRequestError, name_in, wanted_map
from sim.server.match import JoinError, Match
from sim.server.seat import RequestError, Seat
from sim.server.settings import Player, Settings

log = logging.getLogger("ironsight")
LAST_PORT = 65535
ALONE = "Only 1v1 is supported when using multiple agents"  # the real game's words (s2client-proto #60)
QUIT_PATIENCE = 3.0  # seconds a quit waits for the other players to have left


async def ping(seat: Seat, request: sc.Request) -> sc.ResponsePing:
    """Which build of the game this process is."""
    config = seat.server.config
    build = find(config.base, config.data_version)
    return sc.ResponsePing(
        game_version=build.label,
        data_version=config.data_version or build.data_version,
        data_build=build.build,
        base_build=config.base,
    )


async def available_maps(seat: Seat, request: sc.Request) -> sc.ResponseAvailableMaps:
    """Paths that create_game takes, relative to the folder of maps."""
    paths = [f"{name}.SC2Map" for name in names(seat.server.config.recordings)]
    paths += [f"{folder}/{name}.SC2Map" for folder, known in OTHER_MAPS.items() for name in known()]
    return sc.ResponseAvailableMaps(local_map_paths=paths)


async def save_map(seat: Seat, request: sc.Request) -> sc.ResponseSaveMap:
    """Remembers a map's data under a path for a later create_game."""
    path = request.save_map.map_path
    name = name_in(request.save_map.map_data, path)
    if name is None:
        return sc.ResponseSaveMap(error=sc.ResponseSaveMap.InvalidMapData)
    seat.server.saved_maps[path] = name
    return sc.ResponseSaveMap()


async def create_game(seat: Seat, request: sc.Request) -> sc.ResponseCreateGame:
    """Settles map and players; the engine is made ready meanwhile, so that the join finds it compiled."""
    server, wanted = seat.server, request.create_game
    try:
        settings = _settings(seat, wanted)
    except MapRequestError as error:
        return sc.ResponseCreateGame(error=error.code, error_details=str(error))
    seconds = await asyncio.to_thread(engine.prepare)
    if server.match is not None and any(other is not seat for other in server.match.all_seats):
        raise RequestError("Other players are still in the game")
    if seat.match is not None:
        seat.match.leave(seat)
    server.match = Match(settings)
    log.info("created a game on %s; engine ready in %.1f s", settings.terrain.name, seconds)
    await seat.hang_up()
    return sc.ResponseCreateGame()


def _settings(seat: Seat, wanted: sc.RequestCreateGame) -> Settings:
    config = seat.server.config
    seed = wanted.random_seed if wanted.HasField("random_seed") else secrets.randbits(31)
    players: list[Player] = []
    for setup in wanted.player_setup:
        if setup.type == sc.Computer:
            race = engine.settled_race(setup.race, seed + len(players) + 1)
            players.append(Player(True, setup.race, race, setup.difficulty, setup.ai_build, setup.player_name))
        elif setup.type == sc.Participant:
            players.append(Player(False, setup.race, setup.race, name=setup.player_name))
    if not players:
        raise MapRequestError(sc.ResponseCreateGame.MissingPlayerSetup, "no players were given")
    if sum(not player.computer for player in players) > 1 and len(wanted.player_setup) > 2:
        raise MapRequestError(sc.ResponseCreateGame.InvalidPlayerSetup, ALONE)
    data, temporary = config.data_dir, config.temp_dir
    folders = tuple(f for f in (temporary, data and data / "Maps", data and data / "maps", Path("/")) if f)
    terrain = wanted_map(wanted, folders, seat.server.saved_maps, lambda name: load(name, config.recordings))
    if len(players) > len(terrain.starts):
        code = sc.ResponseCreateGame.InvalidPlayerSetup
        raise MapRequestError(code, f"{terrain.name} has room for {len(terrain.starts)} players, not {len(players)}")
    return Settings(
        terrain=terrain,
        map_path=wanted.local_map.map_path or f"{terrain.name}.SC2Map",
        players=tuple(players),
        realtime=wanted.realtime,
        seed=seed,
        fog=not (wanted.disable_fog or lit(terrain)),
        patch=config.patch,
        observers=sum(setup.type == sc.Observer for setup in wanted.player_setup),
        seeded=wanted.HasField("random_seed"),
    )


async def join_game(seat: Seat, request: sc.Request) -> sc.ResponseJoinGame:
    """Takes a seat in the created game and waits until all players have."""
    wanted, match = request.join_game, seat.server.match
    if match is None:
        raise RequestError("No game has been created")
    for missing, code in (
        (wanted.WhichOneof("participation") is None, sc.ResponseJoinGame.MissingParticipation),
        (not wanted.HasField("options"), sc.ResponseJoinGame.MissingOptions),
    ):
        if missing:
            return sc.ResponseJoinGame(error=code)
    if wanted.HasField("server_ports"):
        port = wanted.server_ports.game_port
        if not 0 <= port <= LAST_PORT:
            return sc.ResponseJoinGame(error=sc.ResponseJoinGame.NetworkError, error_details=f"there is no port {port}")
        try:
            await seat.server.listen_for_peers(port)
        except OSError as error:  # the others could not come: they would be waited for in vain
            text = f"no other player can join at port {port}: {error.strerror or error}"
            return sc.ResponseJoinGame(error=sc.ResponseJoinGame.NetworkError, error_details=text)
    try:
        await match.join(seat, wanted)
    except JoinError as error:
        return sc.ResponseJoinGame(error=error.code, error_details=str(error))
    return sc.ResponseJoinGame(player_id=seat.player)


async def restart_game(seat: Seat, request: sc.Request) -> sc.ResponseRestartGame:
    """The same single player game from its first loop; with another seed where the client asked for none (episodes of
    mini-games differ, though all but the first begin by this)."""
    for hinders, why in (
        (len(seat.match.participants) > 1, "several players"),
        (not seat.player and bool(seat.match.seats), "others play it"),
        (seat.match.playback is not None, "a replay is started again by start_replay"),
    ):
        if hinders:
            return sc.ResponseRestartGame(error=sc.ResponseRestartGame.LaunchError, error_details=why)
    if not seat.match.settings.seeded:
        seat.match.settings = replace(seat.match.settings, seed=secrets.randbits(31))
    await seat.match.restart()
    return sc.ResponseRestartGame()


async def leave_game(seat: Seat, request: sc.Request) -> sc.ResponseLeaveGame:
    """Gives the seat up; the game is lost if it still runs."""
    seat.server.vacate(seat)
    return sc.ResponseLeaveGame()


async def quit_game(seat: Seat, request: sc.Request) -> sc.ResponseQuit:
    """Ends the process once the other players have left, so that nobody's last words are cut off."""
    match = seat.match or seat.server.last_match
    seat.server.vacate(seat)
    seat.has_quit = True
    until = asyncio.get_running_loop().time() + QUIT_PATIENCE
    while match is not None and match.seats and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(0.01)
    return sc.ResponseQuit()
