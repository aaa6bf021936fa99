"""One client's place at the server: its connection's state, what it joined and what it has been told."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.records import PlayerEvents
from sim.server.selection import Selection

if TYPE_CHECKING:
    from sim.melee.commands import Accepted
    from sim.melee.sight import Sight
    from sim.server.facts import FactsView
    from sim.server.game_info import MapView
    from sim.server.match import Match
    from sim.server.observation import Observer
    from sim.server.relay import Relay
    from sim.server.server import Server


class RequestError(Exception):
    """A request that cannot be answered now; the text goes out as `Response.error`, the state does not change."""


NOT_STARTED = "A game has not been started yet"
NOT_IN_GAME = "Not in a game"
ENDED = "Game has already ended"
NOT_AFTER_END = "Not supported if game has already ended"


@dataclass(eq=False)
class Seat:
    """State of one connection.

    player is the API player id it plays (0: none, an observer); viewer the player whose eyes it sees with. `target` is
    the game loop it has asked for: the game may run no further than the lowest target of all seats. `told_end` says
    that this client knows the game is over, whatever has become of the game itself.
    """

    server: Server
    match: Match | None = None
    player: int = 0
    viewer: int = 0
    name: str = ""
    options: sc.InterfaceOptions = field(default_factory=sc.InterfaceOptions)
    target: int = 0
    waiter: asyncio.Future[None] | None = None
    told_end: bool = False
    has_quit: bool = False
    gone: bool = False  # its connection has closed
    relay: Relay | None = None
    sight: Sight | None = None
    observer: Observer | None = None
    unveiled: Observer | None = None  # for observations without fog
    map_view: MapView | None = None
    data: FactsView | None = None
    camera: tuple[float, float] = (0.0, 0.0)
    followed: int | tuple[int, ...] = 0  # the player (0: nobody), or tags of units, whom an observer's camera follows
    offset: tuple[int, int] = (0, 0)  # where this client's world begins on the map
    selection: Selection = field(default_factory=lambda: Selection(0))
    # said once, in the next observation
    actions: list[sc.Action] = field(default_factory=list)
    under_way: list[tuple[sc.Action, list[Accepted]]] = field(default_factory=list)  # with the orders each has given
    errors: list[sc.ActionError] = field(default_factory=list)
    chat: list[sc.ChatReceived] = field(default_factory=list)
    told: PlayerEvents = field(default_factory=PlayerEvents)

    @property
    def in_match(self) -> bool:
        """It has joined a game that was started."""
        return self.match is not None and self.match.game is not None

    @property
    def status(self) -> int:
        """The API status this client is in."""
        if self.has_quit:
            return sc.quit
        if self.relay is not None and not self.relay.left:
            return self.relay.status
        if self.in_match:
            return sc.ended if self.told_end else sc.in_game if self.match.playback is None else sc.in_replay
        match = self.server.match
        return sc.init_game if match is not None and match.open else sc.launched

    def wake(self) -> None:
        """Lets a request of this seat that waits for the game look again."""
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    async def changed(self) -> None:
        """Waits for the next `wake`."""
        self.waiter = asyncio.get_running_loop().create_future()
        try:
            await self.waiter
        finally:
            self.waiter = None

    async def hang_up(self) -> None:
        """Gives up the game that another process hosts, if it is in one."""
        relay, self.relay = self.relay, None
        if relay is not None:
            await relay.close()

    def clear(self) -> None:
        """Forgets the game it was in."""
        self.match = self.sight = self.observer = self.unveiled = self.map_view = self.data = None
        self.player = self.viewer = self.target = self.followed = 0
        self.offset, self.selection = (0, 0), Selection(0)
        self.told_end = False
        self.hush()

    def hush(self) -> None:
        """Forgets what the next observation would have said: it is of a game, or a part of one, that is no more."""
        for said_once in (self.actions, self.under_way, self.errors, self.chat):
            said_once.clear()
        self.told = PlayerEvents()
