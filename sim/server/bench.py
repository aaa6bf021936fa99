"""Speed of the server: observations built, requests over the socket. Printed by `python -m sim bench`."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from statistics import median

from s2clientprotocol import common_pb2, debug_pb2
from s2clientprotocol import sc2api_pb2 as sc
from websockets.sync.client import ClientConnection, connect

from sim.maps import names
from sim.server.config import Config
from sim.server.debug import DELAY, carry_out
from sim.server.seat import Seat
from sim.server.server import Server

SIZES = (20, 200, 400)  # own units
MARINE = 48
PIXELS, SMALL = common_pb2.Size2DI(x=84, y=84), common_pb2.Size2DI(x=64, y=64)
SCREEN = sc.SpatialCameraSetup(width=24, resolution=PIXELS, minimap_resolution=SMALL)


def bench_server(repeat: int = 50) -> None:
    """Plays with 20, 200 and 400 own Marines and prints the least, middle and greatest milliseconds of each request."""
    server, stop = _start()
    socket = connect(f"ws://127.0.0.1:{server.port}/sc2api", compression=None, max_size=None, proxy=None)
    begin = time.perf_counter()
    create = sc.RequestCreateGame(local_map=sc.LocalMap(map_path=names()[0]), random_seed=1)
    create.player_setup.add(type=sc.Participant)
    create.player_setup.add(type=sc.Participant)
    _ask(socket, create_game=create)
    guest = connect(f"ws://127.0.0.1:{server.port}/sc2api", compression=None, max_size=None, proxy=None)
    quiet = sc.RequestJoinGame(race=1, options=sc.InterfaceOptions(score=True))
    guest.send(sc.Request(join_game=quiet).SerializeToString())
    _ask(socket, join_game=sc.RequestJoinGame(race=1, options=sc.InterfaceOptions(raw=True, score=True)))
    guest.recv()
    print(f"\nserver, {names()[0]}: game ready in {time.perf_counter() - begin:.1f} s; milliseconds min / median / max")
    seat = max(server.match.all_seats, key=lambda one: one.options.raw)
    _line("ping", repeat, lambda: _ask(socket, ping=sc.RequestPing()))
    _line("game_info", repeat, lambda: _ask(socket, game_info=sc.RequestGameInfo()))
    have = 0
    for size in SIZES:
        _create(socket, seat, size - have)
        have = size
        data = seat.observer.build(seat, False)
        _line(
            f"{size} units: observation built, {len(data) / 1024:.0f} KB",
            repeat,
            lambda: seat.observer.build(seat, False),
        )
        _line(
            f"{size} units: observation over the socket",
            repeat,
            lambda: _ask(socket, observation=sc.RequestObservation()),
        )
        _line(f"{size} units: game loop", repeat, lambda: seat.match.game.step())
    from sim.server import selection

    seat.options.feature_layer.CopyFrom(SCREEN)
    seat.selection.choose(seat.match.game, selection.army(seat.match.game, seat.player))
    _line(
        f"{have} units: all selected, feature layers 84x84 and 64x64",
        repeat,
        lambda: seat.observer.build(seat, False),
    )
    socket.close()
    guest.close()
    stop()


def _start() -> tuple[Server, Callable[[], None]]:
    """A server in a thread of its own, and how to stop it."""
    ready = threading.Event()
    found: list = []

    async def run() -> None:
        server = Server(Config())
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


def _ask(socket: ClientConnection, **request: object) -> sc.Response:
    socket.send(sc.Request(**request).SerializeToString())
    response = sc.Response.FromString(socket.recv())
    if response.error:
        raise RuntimeError(f"{next(iter(request))}: {response.error[0]}")
    return response


def _create(socket: ClientConnection, seat: Seat, count: int) -> None:
    """More Marines beside the camera."""
    unit = debug_pb2.DebugCreateUnit(unit_type=MARINE, owner=seat.player, quantity=count)
    unit.pos.x, unit.pos.y = seat.match.game.terrain.width / 2, seat.match.game.terrain.height / 2
    _ask(socket, debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(create_unit=unit)]))
    seat.match.game.step(DELAY)
    carry_out(seat.match)
    seat.match.game.step(20)
    seat.sight.update(force=True)


def _line(label: str, repeat: int, action: Callable[[], object]) -> None:
    """Measures an action and prints one line."""
    taken = []
    for _ in range(max(repeat, 1)):
        begin = time.perf_counter()
        action()
        taken.append((time.perf_counter() - begin) * 1000)
    print(f"  {label:48} {min(taken):7.3f} {median(taken):7.3f} {max(taken):7.3f}")
