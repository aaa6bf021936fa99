"""One server process: its listening sockets, its connections, its current match."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress

from google.protobuf.message import DecodeError
from s2clientprotocol import sc2api_pb2 as sc
from websockets.asyncio.server import Server as Listener
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from sim.server import wire
from sim.server.config import Config
from sim.server.match import Match
from sim.server.relay import HostMissingError, Relay
from sim.server.seat import Seat

log = logging.getLogger("ironsight")
OWN_BUSINESS = frozenset({"ping", "available_maps", "save_map", "create_game", "replay_info", "start_replay"})
ORPHAN_GRACE = 5.0  # seconds an unused process outlives the program that started it


class Server:
    """State shared by all connections of the process."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.match: Match | None = None
        self.last_match: Match | None = None  # kept for the hold of quit after everybody here has left
        self.saved_maps: dict[str, str] = {}
        self.seats: set[Seat] = set()
        self.stop = asyncio.Event()
        self.port = config.port
        self._listeners: list[Listener] = []
        self._peer_port: int | None = None

    # -- sockets -----------------------------------------------------------------------------------------------------
    async def listen(self) -> None:
        """Opens the port clients connect to. OSError when it is taken."""
        listener = await _open(self._serve_client, self.config.host, self.config.port)
        self.port = listener.sockets[0].getsockname()[1]
        self._listeners.append(listener)
        log.info("listening on %s:%d as build %d", self.config.host, self.port, self.config.base)

    async def listen_for_peers(self, port: int) -> None:
        """Opens the port on which the other players' processes join this game. OSError when it is taken."""
        if self._peer_port == port:
            return
        listener = await _open(self._serve_peer, "127.0.0.1", port)
        for older in self._listeners[1:]:  # of a game before: each names ports of its own, and programs play thousands
            older.close(close_connections=False)
        self._listeners[1:] = [listener]
        self._peer_port = port
        log.info("peers may join at port %d", port)

    async def run(self) -> None:
        """Serves until a client quits, or for too long nobody is connected."""
        watch = asyncio.create_task(self._watch())
        await self.stop.wait()
        watch.cancel()
        for listener in self._listeners:
            listener.close(close_connections=False)

    async def _watch(self) -> None:
        """Ends a process that nobody uses any more."""
        parent, loop = os.getppid(), asyncio.get_running_loop()
        used = loop.time()
        while self.config.idle_exit is not None:
            await asyncio.sleep(0.5)
            if self.seats:
                used = loop.time()
            limit = self.config.idle_exit if os.getppid() == parent else ORPHAN_GRACE
            if loop.time() - used > limit:
                log.info("nobody is connected: the process ends")
                self.stop.set()

    # -- connections -------------------------------------------------------------------------------------------------
    async def _serve_client(self, connection: ServerConnection) -> None:
        await self._serve(connection, ends_process=True)

    async def _serve_peer(self, connection: ServerConnection) -> None:
        await self._serve(connection, ends_process=False)

    async def _serve(self, connection: ServerConnection, ends_process: bool) -> None:
        """Answers one connection's requests in order until it closes or quits."""
        seat = Seat(self)
        self.seats.add(seat)
        hang_up = asyncio.create_task(self._on_close(connection, seat))
        try:
            while not seat.has_quit:
                await self.respond(connection, seat, await connection.recv(decode=False))
        except ConnectionClosed:
            pass
        finally:
            self.seats.discard(seat)
            self.vacate(seat)
            await seat.hang_up()
            if seat.has_quit and ends_process:
                log.info("a client quit: the process ends")
                self.stop.set()
            hang_up.cancel()

    async def respond(self, connection: ServerConnection, seat: Seat, data: bytes) -> None:
        """Answers one request; returns when the socket has taken the response."""
        await connection.send(await self._answer(seat, data))

    async def _on_close(self, connection: ServerConnection, seat: Seat) -> None:
        """A connection that closes while a request waits gives its seat up at once, at the host of its game, too."""
        await connection.wait_closed()
        seat.gone = True
        self.vacate(seat)
        await seat.hang_up()

    def vacate(self, seat: Seat) -> None:
        """Takes the seat out of its match; a match without seats is over."""
        match = seat.match
        if match is None:
            return
        match.leave(seat)
        self.last_match = match
        if match is self.match and not match.all_seats and not match.open:
            self.match = None

    # -- requests ----------------------------------------------------------------------------------------------------
    async def _answer(self, seat: Seat, data: bytes) -> bytes:
        """Answers here, or has the host of the game answer."""
        from sim.server.dispatch import answer

        request, relay = sc.Request(), seat.relay
        name = None
        if relay is not None or self.match is None:
            with suppress(DecodeError):
                request.ParseFromString(data)
                name = request.WhichOneof("request")
        elsewhere = name == "join_game" and request.join_game.HasField("server_ports") and self.match is None
        if elsewhere and seat.status != sc.in_game:
            return await self._join_elsewhere(seat, request, data)
        if relay is None or name in OWN_BUSINESS or (relay.left and name != "quit"):
            return await answer(seat, data)
        found = await relay.ask(data)
        if name == "leave_game":
            relay.left = True
        if name == "quit":
            seat.has_quit = True
        return found

    async def _join_elsewhere(self, seat: Seat, request: sc.Request, data: bytes) -> bytes:
        """Becomes the guest of the process that has created the game."""
        await seat.hang_up()
        host = request.join_game.host_ip or "127.0.0.1"
        try:
            seat.relay = await Relay.to(host, request.join_game.server_ports.game_port, lambda: seat.gone)
        except HostMissingError as error:
            body = sc.ResponseJoinGame(error=sc.ResponseJoinGame.NetworkError, error_details=str(error))
            request_id = request.id if request.HasField("id") else None
            return wire.response("join_game", body.SerializeToString(), seat.status, request_id)
        return await seat.relay.ask(data)


async def _open(handler: Callable[[ServerConnection], Awaitable[None]], host: str, port: int) -> Listener:
    """A listening socket: no compression, no pings (bots think for long), no limit of size."""
    return await serve(
        handler,
        host,
        port,
        compression=None,
        ping_interval=None,
        max_size=None,
        open_timeout=None,
        close_timeout=1,
        server_header=None,
        logger=logging.getLogger("ironsight.websockets"),
    )
