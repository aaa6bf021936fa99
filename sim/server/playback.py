"""Saved games played again: the same set-up, and at its loop everything that players did.

The engine is deterministic, so a replay is a game whose clients are the records. Each recorded player has a seat of its
own (an actor) with the options it played with; the client that watches sees through the eyes of one of them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2clientprotocol import sc2api_pb2 as sc

from sim.facts import patches
from sim.files import contents
from sim.maps import MapError, load
from sim.server import engine, replay
from sim.server.actions import do, settle
from sim.server.builds import find
from sim.server.config import Config
from sim.server.debug import run_debug
from sim.server.match import LOOPS_PER_SECOND, Match
from sim.server.seat import RequestError, Seat
from sim.server.settings import Player, Settings

if TYPE_CHECKING:
    from sim.server.server import Server

PAUSE = 500  # loops of loading after which other requests get a turn
Start, Info = sc.ResponseStartReplay, sc.ResponseReplayInfo


class Playback:
    """The records of a saved game on their way into the game that repeats it."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.end = int(content["loops"])
        self.actors: dict[int, Seat] = {}
        self._results = {player: result for player, result in enumerate(content["results"], 1) if result}
        self._records = [(loop, player, what, bytes.fromhex(data)) for loop, player, what, data in content["records"]]
        self._next = 0

    def feed(self, match: Match) -> None:
        """Does what the players did in the loop that begins now."""
        while self._next < len(self._records) and self._records[self._next][0] <= match.game.loop:
            _, player, what, data = self._records[self._next]
            self._next += 1
            self._repeat(self.actors[player], what, data)

    def tell(self, match: Match) -> None:
        """Lets the watchers look over the players' shoulders: what has been carried out in the loop just played; and,
        after the last one, how the game ended (what a computer that gives up does next is not played any more)."""
        if match.game.loop >= self.end and self._results:
            match.game.declare(self._results)
        for watcher in match.all_seats:
            actor = self.actors.get(watcher.viewer)
            if actor is not None:
                settle(actor)
                for told, done in ((watcher.actions, actor.actions), (watcher.errors, actor.errors)):
                    told.extend(done)
                    done.clear()

    def _repeat(self, actor: Seat, what: str, data: bytes) -> None:
        if what == "RequestDebug":
            with suppress(RequestError):  # it was refused then, too
                run_debug(actor, sc.RequestDebug.FromString(data).debug)
        else:
            do(actor, sc.Action.FromString(data))


def open_saved(file: Path, recordings: Path | None = None) -> Match:
    """A saved game at its first loop, for `engine.play_loop`: it is played by its records, until it is `over`.

    Raises:
        ValueError: it is no saved game of this engine, or its map is not here (one line).
    """
    from sim.server.server import Server

    data = contents(file)
    if not data:
        raise ValueError(f"{file}: {'there is no such file that can be read' if data is None else 'the file is empty'}")
    seat = Seat(Server(Config(recordings=recordings)))
    wanted = sc.RequestStartReplay(replay_data=data, observed_player_id=1, disable_fog=True)
    wanted.options.raw = True
    answer = asyncio.run(start_replay(seat, sc.Request(start_replay=wanted)))
    if answer.HasField("error"):
        raise ValueError(f"{file}: {answer.error_details or Start.Error.Name(answer.error)}")
    assert seat.match is not None
    return seat.match


def _content(seat: Seat, wanted: sc.RequestStartReplay | sc.RequestReplayInfo) -> dict[str, Any]:
    """The saved game that a request names, by its bytes or its path. FileNotFoundError, ValueError (one line each)."""
    data = wanted.replay_data
    if not data:
        if not wanted.replay_path:
            raise FileNotFoundError("no replay was named")
        home = seat.server.config.data_dir
        folders = (home / "Replays", home) if home is not None else ()
        folders += (Path.home() / "Documents" / "StarCraft II" / "Replays",)  # where the game keeps a user's own
        for folder in (*folders, Path()):
            data = contents(folder / wanted.replay_path)
            if data is not None:
                break
        else:
            raise FileNotFoundError(f"there is no replay {wanted.replay_path!r} that can be read")
    return replay.unpack(data)


async def replay_info(seat: Seat, request: sc.Request) -> Info:
    """What a saved game of this engine is about."""
    try:
        content = _content(seat, request.replay_info)
    except (FileNotFoundError, ValueError) as error:
        code = Info.ParsingError if isinstance(error, ValueError) else Info.MissingReplay
        return Info(error=code, error_details=str(error))
    config = seat.server.config
    build = find(config.base, config.data_version)
    found = Info(
        map_name=content["title"],
        local_map_path=content["map_path"],
        game_duration_loops=content["loops"],
        game_duration_seconds=content["loops"] / LOOPS_PER_SECOND,
        game_version=build.label,
        data_version=config.data_version or build.data_version,
        data_build=build.build,
        base_build=config.base,
    )
    done = [(by, what, bytes.fromhex(data)) for _, by, what, data in content["records"]]
    for number, player in enumerate(content["players"], 1):
        extra = found.player_info.add()
        extra.player_info.player_id = number
        extra.player_info.type = sc.Computer if player["computer"] else sc.Participant
        extra.player_info.race_requested = player["requested"] or player["race"]
        extra.player_info.race_actual = player["race"]
        if player["name"]:
            extra.player_info.player_name = player["name"]
        extra.player_result.player_id = number
        extra.player_result.result = content["results"][number - 1] or sc.Undecided
        extra.player_apm = replay.apm(done, number, content["loops"])
    return found


async def start_replay(seat: Seat, request: sc.Request) -> Start:
    """Plays a saved game of this engine again; the client steps through it and watches one player."""
    wanted, server = request.start_replay, seat.server
    try:
        content = _content(seat, wanted)
        settings, playback = _settings(content, server), Playback(content)
    except FileNotFoundError as error:
        # A named file that is not there fails the launch (so says an issue of burnysc2, of 2020, "7").
        code = Start.LaunchError if wanted.replay_path else Start.MissingReplay
        return Start(error=code, error_details=str(error))
    except ValueError as error:
        return Start(error=Start.InvalidReplayData, error_details=str(error))
    if wanted.observed_player_id > len(settings.players):
        text = f"there is no player {wanted.observed_player_id} to observe"
        return Start(error=Start.InvalidObservedPlayerId, error_details=text)
    if not wanted.HasField("options"):
        return Start(error=Start.MissingOptions)
    if server.match is not None and any(other is not seat for other in server.match.all_seats):
        raise RequestError("Other players are still in the game")
    if seat.match is not None:
        server.vacate(seat)
    await seat.hang_up()
    await asyncio.to_thread(engine.prepare)
    match = Match(settings)
    match.playback = playback
    seat.options.CopyFrom(wanted.options)
    seat.match, seat.player, seat.viewer = match, 0, wanted.observed_player_id
    match.observers.append(seat)
    server.match = match
    await match.start()
    _cast(match, content, server)
    actor = match.playback.actors.get(seat.viewer)
    engine.open_eyes(match.game, seat, settings.fog and not wanted.disable_fog)
    if actor is not None:
        seat.camera, seat.followed, seat.selection = actor.camera, seat.viewer, actor.selection
    return Start()


async def quick_save(seat: Seat, request: sc.Request) -> sc.ResponseQuickSave:
    """Keeps the game as it is now, in memory; one save a game."""
    _alone(seat)
    seat.match.saved = replay.pack(seat.match)
    return sc.ResponseQuickSave()


async def quick_load(seat: Seat, request: sc.Request) -> sc.ResponseQuickLoad:
    """Goes back to the saved moment, by playing up to it again."""
    _alone(seat)
    match = seat.match
    if not match.saved:
        raise RequestError("Nothing has been saved")
    content = replay.unpack(match.saved)
    match.settings = replace(match.settings, seed=content["seed"])  # a restart since then may have taken another one
    await match.restart()
    match.playback = Playback(content)
    match.playback.actors[seat.player] = seat
    try:
        while not match.over:
            engine.play_loop(match)
            if match.game.loop % PAUSE == 0:
                await asyncio.sleep(0)
        match.playback.end += 1
        match.playback.feed(match)  # what was asked in the loop of the save itself is still to be carried out
    finally:
        match.playback = None
    match.records.extend((loop, player, what, bytes.fromhex(data)) for loop, player, what, data in content["records"])
    match.game.events(seat.player)
    seat.hush()
    seat.target = match.game.loop
    return sc.ResponseQuickLoad()


def _alone(seat: Seat) -> None:
    """RequestError where a quick save makes no sense: several clients, the clock, observers."""
    if not seat.player or len(seat.match.participants) > 1 or seat.match.settings.realtime:
        raise RequestError("Quick save and load are for one player without realtime")


def _settings(content: dict[str, Any], server: Server) -> Settings:
    """The set-up of the saved game. ValueError when its map is not here or its balance is not known."""
    if content["patch"] not in patches():
        raise ValueError(f"the replay is of {content['patch']!r}; known balances: {', '.join(patches())}")
    try:
        terrain = load(content["map"], server.config.recordings)
    except MapError as error:
        raise ValueError(str(error)) from None
    return Settings(
        terrain=terrain,
        map_path=content["map_path"],
        players=tuple(Player(**player) for player in content["players"]),
        realtime=False,  # asked for or not: a saved game goes on by steps alone, as three users of the real one met it
        seed=content["seed"],
        fog=content["fog"],
        patch=content["patch"],
    )


def _cast(match: Match, content: dict[str, Any], server: Server) -> None:
    """Seats for the recorded players, with the options they had."""
    for number, options in content["options"].items():
        player = int(number)
        actor = Seat(server, match=match, player=player, viewer=player)
        actor.options.ParseFromString(bytes.fromhex(options))
        engine.open_eyes(match.game, actor, match.settings.fog)
        match.playback.actors[player] = actor
