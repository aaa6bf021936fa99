"""The guest's side of a game that another process hosts: requests are handed on, answers handed back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from google.protobuf.message import DecodeError
from s2clientprotocol import sc2api_pb2 as sc
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from sim.server import wire

log = logging.getLogger("ironsight")
PATIENCE = 300.0  # seconds in which the host has to appear; a first start compiles meanwhile
PAUSE = 0.05  # seconds between two attempts
GOING = {"leave_game": sc.launched, "quit": sc.quit}  # requests that need no host, and the status after them
FAR_FUTURE = 2**32 - 1  # game loop of the stub observation that ends a game whose host is gone


class HostMissingError(Exception):
    """Nobody hosts a game at the given port."""


class Relay:
    """A connection to the host; `left` once the client has left the game."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.player = 0
        self.left = False
        self.status = sc.launched  # what the host last said

    @classmethod
    async def to(cls, host: str, port: int, gone: Callable[[], bool]) -> Relay:
        """Connects to the host's peer port, waiting for it to open. `gone` tells that nobody waits for it any more.

        Raises:
            HostMissingError: it did not within PATIENCE, or there is no such place, or the client has gone: no later
                game at this port is to have a guest who is not there.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while not gone():
            try:
                connection = await connect(
                    f"ws://{host}:{port}/peer", compression=None, max_size=None, ping_interval=None, proxy=None
                )
                if not gone():
                    return cls(connection)
                await connection.close()
            except (ValueError, InvalidURI) as error:  # no port or no name of a host: nothing to wait for
                raise HostMissingError(f"there can be no host at {host}:{port}: {error}") from None
            except (OSError, InvalidHandshake, TimeoutError) as error:
                if loop.time() > until:
                    raise HostMissingError(f"no host at {host}:{port}: {error}") from None
            await asyncio.sleep(PAUSE)
        raise HostMissingError("the client has gone")

    async def ask(self, data: bytes) -> bytes:
        """The host's answer to a serialised request; made up when the host is gone."""
        try:
            await self.connection.send(data)
            found = await self.connection.recv(decode=False)
        except ConnectionClosed:
            log.info("the host is gone")
            return self._without_host(data)
        self.status = status_of(found, self.status)
        response = sc.Response.FromString(found) if len(found) < 256 else None
        if response is not None and response.HasField("join_game"):
            self.player = response.join_game.player_id
        return found

    async def close(self) -> None:
        """Hangs up; the host then counts the player as gone."""
        await self.connection.close()

    def _without_host(self, data: bytes) -> bytes:
        """Ends the game for the client: the host went away, so its player has lost."""
        try:
            request = sc.Request.FromString(data)
        except DecodeError:
            return wire.tail(self.status, None, [wire.UNREADABLE])
        name = request.WhichOneof("request")
        request_id = request.id if request.HasField("id") else None
        if name is None:
            return wire.tail(self.status, request_id, [wire.EMPTY])
        if name == "join_game":
            body = sc.ResponseJoinGame(error=sc.ResponseJoinGame.NetworkError, error_details="the host is gone")
            return wire.response(name, body.SerializeToString(), sc.launched, request_id)
        if name in GOING:
            return wire.response(name, b"", GOING[name], request_id)
        self.status = sc.ended
        body = b""
        if name == "observation":
            found = sc.ResponseObservation()
            found.observation.game_loop = FAR_FUTURE
            found.player_result.add(player_id=self.player, result=sc.Victory)
            found.player_result.add(player_id=3 - self.player, result=sc.Defeat)
            body = found.SerializeToString()
        return wire.response(name, body, sc.ended, request_id)


def status_of(response: bytes, otherwise: int) -> int:
    """The status that a serialised response of this server ends with."""
    mark = wire.number(99, 0)[:-1]
    return response[-1] if response[-len(mark) - 1 : -1] == mark else otherwise
