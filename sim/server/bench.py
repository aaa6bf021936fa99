"""Speed of the server: observations built, requests answered. Printed by `python -m sim bench`."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from statistics import median

from s2clientprotocol import common_pb2, debug_pb2
from s2clientprotocol import sc2api_pb2 as sc
from websockets.asyncio.server import ServerConnection
from websockets.sync.client import connect

from sim.maps import names
from sim.server import selection
from sim.server.config import Config
from sim.server.play import MOST_LOOPS
from sim.server.seat import Seat
from sim.server.server import Server

SIZES = (20, 200, 400)  # own units
MARINE = 48
SPAWN = multiprocessing.get_context("spawn")
SETTLE = 30  # loops until units that were asked for are there and stand still
PIXELS, SMALL = common_pb2.Size2DI(x=84, y=84), common_pb2.Size2DI(x=64, y=64)
SCREEN = sc.SpatialCameraSetup(width=24, resolution=PIXELS, minimap_resolution=SMALL)
STEP, OBSERVE = sc.Request(step=sc.RequestStep(count=1)), sc.Request(observation=sc.RequestObservation())
PING = sc.Request(ping=sc.RequestPing())
PARSE = sc.ResponseObservation.FromString
# What burnysc2 asks for.
OPTIONS = sc.InterfaceOptions(
    raw=True, score=True, show_cloaked=True, show_burrowed_shadows=True, show_placeholders=True
)


class TimedServer(Server):
    """A server that notes how long each request takes it."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.taken: dict[str, list[float]] = {}
        """By the name of the request: milliseconds from its bytes to the response's bytes in the socket."""

    async def respond(self, connection: ServerConnection, seat: Seat, data: bytes) -> None:
        """Answers as ever."""
        begin = time.perf_counter()
        await super().respond(connection, seat, data)
        taken = (time.perf_counter() - begin) * 1000
        self.taken.setdefault(sc.Request.FromString(data).WhichOneof("request"), []).append(taken)


class Client:
    """A client in a process of its own."""

    def __init__(self, port: int) -> None:
        self._pipe, far_end = SPAWN.Pipe()
        self._process = SPAWN.Process(target=_run_client, args=(port, far_end), daemon=True)
        self._process.start()

    def begin(self, repeat: int, *requests: sc.Request) -> None:
        """Has it ask these requests, so many times."""
        self._pipe.send((repeat, [request.SerializeToString() for request in requests]))

    def end(self) -> list[float]:
        """Milliseconds that each time took it, once it is done. RuntimeError for a last answer that is an error."""
        taken, answer = self._pipe.recv()
        if error := sc.Response.FromString(answer).error:
            raise RuntimeError(error[0])
        return taken

    def times(self, repeat: int, *requests: sc.Request) -> list[float]:
        """Both."""
        self.begin(repeat, *requests)
        return self.end()

    def close(self) -> None:
        """Ends it."""
        self._process.terminate()
        self._process.join()


def _run_client(port: int, pipe: Connection) -> None:
    with connect(f"ws://127.0.0.1:{port}/sc2api", compression=None, max_size=None, proxy=None) as socket:
        while True:
            repeat, requests = pipe.recv()
            taken = []
            for _ in range(repeat):
                begin = time.perf_counter()
                for request in requests:
                    socket.send(request)
                    answer = socket.recv()
                taken.append((time.perf_counter() - begin) * 1000)
            pipe.send((taken, answer))


def bench_server(repeat: int = 50) -> None:
    """Plays with 20, 200 and 400 own Marines and prints the least, middle and greatest milliseconds of what is done in
    every step. The server's share of a step is that of a request for one loop and of one for an observation, the game's
    loop included. The way through the socket is what a client in another process waits for both; it then has to make
    objects of the bytes."""
    server, stop = _start()
    begin = time.perf_counter()
    client, guest = _join(server)
    print(f"\nserver, {names()[0]}: game ready in {time.perf_counter() - begin:.1f} s; milliseconds min / median / max")
    seat = next(seat for seat in server.match.all_seats if seat.options.raw)
    _line("ping over the socket", client.times(repeat, PING))
    _line("game_info over the socket", client.times(repeat, sc.Request(game_info=sc.RequestGameInfo())))
    have = 0
    for size in SIZES:
        _create(client, seat, size - have)
        have = size
        data = seat.observer.build(seat, False)
        _line(f"{size} units: observation built, {len(data) / 1024:.0f} KB", _building(seat, repeat))
        client.times(1, PING)  # before and after: requests are answered in turn, so that all others are noted by then
        server.taken.clear()
        whole = client.times(repeat, STEP, OBSERVE)
        client.times(1, PING)
        observing = server.taken["observation"]
        shares = [step + look for step, look in zip(server.taken["step"], observing, strict=True)]
        _line(f"{size} units: step and observation, server's share", shares)
        _line(f"{size} units: of that the observation", observing)
        _line(f"{size} units: game loop alone", _times(repeat, seat.match.game.step))
        _line(f"{size} units: step and observation over the socket", whole)
        _line(f"{size} units: observation parsed by the client", _times(repeat, partial(PARSE, data)))
    seat.options.feature_layer.CopyFrom(SCREEN)
    seat.selection.choose(seat.match.game, selection.army(seat.match.game, seat.player))
    _line(f"{have} units: built with feature layers 84x84 and 64x64, all selected", _building(seat, repeat))
    guest.close()
    client.close()
    stop()


def _start() -> tuple[TimedServer, Callable[[], None]]:
    """A server in a thread of its own, and how to stop it."""
    ready = threading.Event()
    found: list = []

    async def run() -> None:
        server = TimedServer(Config())
        await server.listen()
        found.extend([server, asyncio.get_running_loop()])
        ready.set()
        await server.run()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    ready.wait()
    server, loop = found

    def stop() -> None:
        loop.call_soon_threadsafe(server.stop.set)
        thread.join(5)

    return server, stop


def _join(server: Server) -> tuple[Client, Client]:
    """A game of two clients. The second lets the first play on for as long as it likes."""
    client, guest = Client(server.port), Client(server.port)
    create = sc.RequestCreateGame(local_map=sc.LocalMap(map_path=names()[0]), random_seed=1)
    create.player_setup.add(type=sc.Participant)
    create.player_setup.add(type=sc.Participant)
    client.times(1, sc.Request(create_game=create))
    quiet = sc.RequestJoinGame(race=1, options=sc.InterfaceOptions(score=True))
    guest.begin(1, sc.Request(join_game=quiet))
    client.times(1, sc.Request(join_game=sc.RequestJoinGame(race=1, options=OPTIONS)))
    guest.end()
    guest.begin(1, sc.Request(step=sc.RequestStep(count=MOST_LOOPS)))
    return client, guest


def _create(client: Client, seat: Seat, count: int) -> None:
    """More Marines in the middle of the map."""
    unit = debug_pb2.DebugCreateUnit(unit_type=MARINE, owner=seat.player, quantity=count)
    unit.pos.x, unit.pos.y = seat.match.game.terrain.width / 2, seat.match.game.terrain.height / 2
    client.times(1, sc.Request(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(create_unit=unit)])))
    client.times(1, sc.Request(step=sc.RequestStep(count=SETTLE)))


def _building(seat: Seat, repeat: int) -> list[float]:
    return _times(repeat, lambda: seat.observer.build(seat, False))


def _times(repeat: int, action: Callable[[], object]) -> list[float]:
    """Milliseconds that an action takes, each time."""
    taken = []
    for _ in range(max(repeat, 1)):
        begin = time.perf_counter()
        action()
        taken.append((time.perf_counter() - begin) * 1000)
    return taken


def _line(label: str, taken: list[float]) -> None:
    print(f"  {label:64} {min(taken):7.3f} {median(taken):7.3f} {max(taken):7.3f}")
