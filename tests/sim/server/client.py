"""A bare protocol client and a server in a thread: tests talk to the real thing over a socket, without a bot."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from s2clientprotocol import sc2api_pb2 as sc
from websockets.sync.client import connect

from sim.server.config import Config
from sim.server.server import Server

TERRAN, ZERG, PROTOSS, RANDOM = 1, 2, 3, 4
PARTICIPANT, COMPUTER = sc.Participant, sc.Computer


class Client:
    """One connection. `ask(step=...)` returns the whole Response and checks what every response must carry."""

    def __init__(self, port: int) -> None:
        self.socket = connect(
            f"ws://127.0.0.1:{port}/sc2api", compression=None, max_size=None, ping_interval=None, proxy=None
        )
        self.count = 0
        self.player = 0

    def send(self, **request: Any) -> None:
        """Sends a request without waiting."""
        self.count += 1
        self.socket.send(sc.Request(id=self.count, **request).SerializeToString())

    def receive(self) -> sc.Response:
        """The next response."""
        response = sc.Response.FromString(self.socket.recv(timeout=300))
        assert response.HasField("status")
        return response

    def ask(self, **request: Any) -> sc.Response:
        """Sends a request and waits for its response."""
        self.send(**request)
        response = self.receive()
        assert response.id == self.count
        return response

    def raw(self, data: bytes | str) -> sc.Response:
        """Sends any frame."""
        self.socket.send(data)
        return self.receive()

    # -- shorthands --------------------------------------------------------------------------------------------------
    def create(self, map_path: str, *players: tuple, **more: Any) -> sc.Response:
        """create_game with (type, race, difficulty) for each player."""
        request = sc.RequestCreateGame(local_map=sc.LocalMap(map_path=map_path), **more)
        for player in players:
            setup = request.player_setup.add(type=player[0])
            if len(player) > 1:
                setup.race = player[1]
            if len(player) > 2:
                setup.difficulty = player[2]
        return self.ask(create_game=request)

    def join_request(self, race: int = TERRAN, ports: int | None = None, **more: Any) -> sc.RequestJoinGame:
        """A join with raw data and score; `ports` is the first of the four ports of a two player game."""
        request = sc.RequestJoinGame(race=race, options=sc.InterfaceOptions(raw=True, score=True), **more)
        if ports is not None:
            request.server_ports.game_port, request.server_ports.base_port = ports, ports + 1
            request.client_ports.add(game_port=ports + 2, base_port=ports + 3)
        return request

    def join(self, race: int = TERRAN, ports: int | None = None, **more: Any) -> sc.Response:
        """join_game; remembers the player id."""
        response = self.ask(join_game=self.join_request(race, ports, **more))
        self.player = response.join_game.player_id
        return response

    def observe(self, **more: Any) -> sc.ResponseObservation:
        """The observation of a running or finished game."""
        response = self.ask(observation=sc.RequestObservation(**more))
        assert not response.error, response.error
        return response.observation

    def step(self, count: int = 1) -> sc.Response:
        """Plays on."""
        return self.ask(step=sc.RequestStep(count=count))

    def command(self, ability: int, *tags: int, **more: Any) -> int:
        """One raw order; -> its ActionResult."""
        request = sc.RequestAction()
        order = request.actions.add().action_raw.unit_command
        order.ability_id = ability
        order.unit_tags.extend(tags)
        if "at" in more:
            order.target_world_space_pos.x, order.target_world_space_pos.y = more["at"]
        if "target" in more:
            order.target_unit_tag = more["target"]
        order.queue_command = more.get("queued", False)
        return self.ask(action=request).action.result[0]

    def close(self) -> None:
        """Hangs up."""
        self.socket.close()


@contextmanager
def running_server(**settings: Any) -> Iterator[Server]:
    """A server on a free port, in a thread of its own."""
    started = threading.Event()
    found: list[Any] = []

    async def run() -> None:
        server = Server(Config(**settings))
        await server.listen()
        found.extend([server, asyncio.get_running_loop()])
        started.set()
        await server.run()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert started.wait(20)
    server, loop = found
    try:
        yield server
    finally:
        with suppress(RuntimeError):  # its loop is closed where a client's quit has ended it already
            loop.call_soon_threadsafe(server.stop.set)
        thread.join(20)
        assert not thread.is_alive()
