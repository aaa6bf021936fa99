"""One game with its seats: who joins, how far the game may run, who has won."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from google.protobuf.message import Message
from s2clientprotocol import sc2api_pb2 as sc

from sim.melee.records import Outcome
from sim.server import engine, screen
from sim.server.seat import RequestError, Seat
from sim.server.settings import Settings

if TYPE_CHECKING:
    import numpy as np

    from sim.melee.game import Game
    from sim.server.playback import Playback

log = logging.getLogger("ironsight")
LOOPS_PER_SECOND = 22.4
SLICE = 0.05  # seconds of play after which other requests get a turn
MOST_RECORDS = 200_000  # kept for the replay: programs that learn play one game for days
BEHIND = 1.0  # seconds: a realtime game that lags more does not try to catch up


class JoinError(Exception):
    """A join that fails: `code` is a ResponseJoinGame.Error."""

    def __init__(self, code: int, details: str) -> None:
        super().__init__(details)
        self.code = code


class Match:
    """A created game, from create_game until every seat has left it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.game: Game | None = None
        self.computers: list[engine.Opponent] = []
        self.seats: dict[int, Seat] = {}  # participants by player id
        self.observers: list[Seat] = []
        self.races: dict[int, int] = {n: player.race for n, player in enumerate(settings.players, 1)}
        self.requested: dict[int, int] = {n: player.requested for n, player in enumerate(settings.players, 1)}
        self.cheats: set[tuple[int, int]] = set()  # (player, DebugGameState) that are on
        self.mortal: dict[int, np.ndarray] = {}  # weapons of players whose cheat `god` is on, as they were without it
        self.debug_orders: list[tuple[int, Callable[[], None]]] = []  # loop of the request, what it does to units
        self.broken = ""  # why the engine stopped, for the clients
        self.records: list[tuple[int, int, str, bytes]] = []  # (loop, player, what, message): the replay
        self.names: dict[int, str] = {n: player.name for n, player in enumerate(settings.players, 1)}
        self.options: dict[int, bytes] = {}  # serialised InterfaceOptions of the participants, for the replay
        self.playback: Playback | None = None  # what repeats itself here
        self.saved = b""  # the quick save
        self.delayed: list[tuple[int, Seat, sc.Action]] = []  # (loop, seat, action) on their way to the host
        self._starting = False
        self._clock: asyncio.Task[None] | None = None

    # -- joining and leaving -----------------------------------------------------------------------------------------
    @property
    def participants(self) -> list[int]:
        """Player ids that clients take."""
        return [n for n, player in enumerate(self.settings.players, 1) if not player.computer]

    @property
    def open(self) -> bool:
        """It still waits for its players."""
        return self.game is None and not self._starting and not self.broken

    @property
    def all_seats(self) -> list[Seat]:
        """Everybody who joined and has not left."""
        return [*self.seats.values(), *self.observers]

    @property
    def eyes(self) -> list[Seat]:
        """All seats through which somebody looks, those of recorded players included."""
        return [*self.all_seats, *(self.playback.actors.values() if self.playback else ())]

    async def join(self, seat: Seat, request: sc.RequestJoinGame) -> None:
        """Gives the client a seat and returns when the game has started. Who takes a seat for observers may come later
        than the players, who do not wait for it (ours).

        Raises:
            JoinError: no seat is free, or another client went away before the start.
        """
        observes = request.HasField("observed_player_id")
        if self.broken:
            raise JoinError(sc.ResponseJoinGame.NetworkError, self.broken)
        ended = self.game is not None and self.over
        awaited = observes and len(self.observers) < self.settings.observers and not ended
        if not self.open and not awaited:
            raise JoinError(sc.ResponseJoinGame.GameFull, "the game has already started")
        seat.options.CopyFrom(request.options)
        seat.name = request.player_name
        for setup in (request.options.feature_layer, request.options.render):
            if reason := screen.fault(setup):
                raise JoinError(sc.ResponseJoinGame.FeatureUnsupported, reason)
        if observes:
            self._observe(seat, request.observed_player_id)
        else:
            self._take_seat(seat, request.race)
        seat.match = self
        if self.game is not None:
            engine.open_eyes(self.game, seat, self.settings.fog)
            seat.target = self.game.loop
        elif self.open and set(self.seats) == set(self.participants):
            self._starting = True
            try:
                await self.start()
            except Exception as error:
                self.broken = f"the game could not be started: {error}"
                raise
            finally:
                self._starting = False
                if self.broken:
                    self._call_off()
                for other in self.all_seats:
                    other.wake()
        while self.game is None and not self.broken and seat.match is self:
            await seat.changed()
        if self.broken or seat.match is not self:
            seat.clear()
            raise JoinError(sc.ResponseJoinGame.NetworkError, self.broken or "the game was given up before it started")

    def _observe(self, seat: Seat, observed: int) -> None:
        if observed > len(self.settings.players):
            code = sc.ResponseJoinGame.InvalidObservedPlayerId
            raise JoinError(code, f"there is no player {observed} to observe")
        seat.player, seat.viewer = 0, observed
        self.observers.append(seat)

    def _take_seat(self, seat: Seat, race: int) -> None:
        free = [player for player in self.participants if player not in self.seats]
        if not free:
            raise JoinError(sc.ResponseJoinGame.GameFull, "all seats of the game are taken")
        seat.player = seat.viewer = free[0]
        self.seats[seat.player] = seat
        self.requested[seat.player] = race
        self.races[seat.player] = engine.settled_race(race, self.settings.seed + seat.player)

    async def start(self) -> None:
        """Makes the game at loop 0, and opens the eyes of all seats. ValueError for what the engine cannot play."""
        for number, seat in self.seats.items():
            self.names[number] = seat.name or self.names[number]
            self.options[number] = seat.options.SerializeToString()
        names = [self.names[n] for n in range(1, len(self.settings.players) + 1)]
        races = [self.races[n] for n in range(1, len(self.settings.players) + 1)]
        self.game, self.computers = await asyncio.to_thread(engine.new_game, self.settings, races, names)
        for seat in self.all_seats:
            engine.open_eyes(self.game, seat, self.settings.fog)
        if self.settings.realtime and self.all_seats:  # who asked for it may have gone meanwhile
            self._clock = asyncio.create_task(self._run_clock())
        log.info("game started: %s, seed %d, races %s", self.settings.terrain.name, self.settings.seed, races)

    async def restart(self) -> None:
        """The same game again from its first loop, for the one client that plays it."""
        self._stop_clock()
        self.records.clear()
        self.cheats.clear()
        self.mortal.clear()
        self.debug_orders.clear()
        self.delayed.clear()
        self.broken = ""
        await self.start()
        for seat in self.all_seats:
            seat.target, seat.told_end = 0, False
            seat.hush()

    def leave(self, seat: Seat) -> None:
        """The seat is given up; a participant who leaves a running game loses it."""
        if self.seats.get(seat.player) is seat:
            del self.seats[seat.player]
            if self.game is not None and not self.over:
                self.game.surrender(seat.player)
                self._log_end()
            elif self._starting:
                self.broken = "a player went away while the game started"
            elif self.game is None:
                self._call_off()
        if seat in self.observers:
            self.observers.remove(seat)
        seat.clear()
        seat.wake()
        for other in self.all_seats:
            other.wake()
        if not self.seats and not self.observers:
            self._stop_clock()

    def _call_off(self) -> None:
        """Sends everybody home who waits for the start; their joins fail."""
        waiting = self.all_seats
        self.seats.clear()
        self.observers.clear()
        for seat in waiting:
            seat.clear()
            seat.wake()

    def record(self, player: int, message: Message) -> None:
        """Notes for the replay what a player did: an Action or a RequestDebug. Who leaves ends the game, whose results
        the replay has."""
        kept = self.playback is None and len(self.records) < MOST_RECORDS
        if self.game is not None and kept and not self.over:
            self.records.append((self.game.loop, player, type(message).__name__, message.SerializeToString()))

    # -- time --------------------------------------------------------------------------------------------------------
    @property
    def over(self) -> bool:
        """Nothing moves any more."""
        if self.game is None or self.broken or self.game.ended:
            return True
        return self.playback is not None and self.game.loop >= self.playback.end

    def result_for(self, seat: Seat) -> bool:
        """The game is over for this seat's player."""
        assert self.game is not None
        return self.over or (seat.player > 0 and self.game.result(seat.player) != 0)

    async def run_until(self, seat: Seat, loop: int) -> None:
        """Returns when the game has reached the loop, or is over; other seats may hold it back until then.

        Raises:
            RequestError: the engine failed.
        """
        game = self.game
        assert game is not None
        seat.target = loop
        while game.loop < seat.target and seat.match is self and not self.result_for(seat):
            if self._free_to_run():
                until = time.perf_counter() + SLICE
                while self._free_to_run() and time.perf_counter() < until:
                    self._play_loop()
                self._wake_those_due()
                if game.loop < seat.target and self._free_to_run():
                    await asyncio.sleep(0)
            else:
                await seat.changed()
        seat.target = min(seat.target, game.loop)
        if self.broken:
            raise RequestError(self.broken)

    def _free_to_run(self) -> bool:
        """Every seat has asked for a later loop, and the game does not follow the clock."""
        if self.settings.realtime or self.over:
            return False
        assert self.game is not None
        return min((seat.target for seat in self.all_seats), default=0) > self.game.loop

    def _play_loop(self) -> None:
        """One loop of the game; a failing engine ends the match instead of the connections."""
        try:
            engine.play_loop(self)
            self._log_end()
        except Exception as error:
            log.exception("the engine failed in loop %d", self.game.loop if self.game else -1)
            self.broken = f"the engine failed: {type(error).__name__}: {error}"

    def _log_end(self) -> None:
        """Writes down how the game ended, once it has."""
        game = self.game
        if game is not None and game.ended:
            told = (f"player {n} {Outcome(game.result(n)).name.lower()}" for n in self.races)
            log.info("game over at loop %d: %s", game.loop, ", ".join(told))

    def _wake_those_due(self) -> None:
        assert self.game is not None
        for seat in self.all_seats:
            if self.over or seat.target <= self.game.loop:
                seat.wake()

    async def _run_clock(self) -> None:
        """Plays 22.4 loops a second until the game is over."""
        started = time.perf_counter()
        played = 0
        while not self.over:
            self._play_loop()
            played += 1
            self._wake_those_due()
            ahead = started + played / LOOPS_PER_SECOND - time.perf_counter()
            if ahead < -BEHIND:
                started, ahead = started - ahead, 0.0
            await asyncio.sleep(max(ahead, 0.0))
        for seat in self.all_seats:
            seat.wake()

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
