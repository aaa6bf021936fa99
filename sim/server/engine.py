"""The only place where the server reaches into the engine; the engine is imported here, when a game needs it.

Importing and compiling the kernel takes seconds, a client that starts the game expects an open port at once.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from s2clientprotocol import common_pb2

from sim.melee import kernel, protoss_power
from sim.melee.records import PlayerSetup
from sim.server import cheats, debug
from sim.server.actions import arrive
from sim.server.camera import CENTRED, centre, first_view, follow
from sim.server.crop import offset_of
from sim.server.selection import Selection

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.server.match import Match
    from sim.server.observation import Observer
    from sim.server.seat import Seat
    from sim.server.settings import Settings

__all__ = ["Opponent", "new_game", "open_eyes", "play_loop", "prepare", "settled_race", "unveiled"]

log = logging.getLogger("ironsight")
RACES = (common_pb2.Terran, common_pb2.Zerg, common_pb2.Protoss)


class Opponent(Protocol):
    """A built-in player: looks and orders once a loop."""

    def step(self) -> None:
        """Acts on the state as the last loop left it."""


def settled_race(race: int, seed: int) -> int:
    """The race behind a request: Random is drawn by the seed, anything unset is Terran."""
    if race == common_pb2.Random:
        return random.Random(seed).choice(RACES)
    return race or common_pb2.Terran


def prepare(report: Callable[[str, float], None] | None = None) -> float:
    """Imports and compiles all that a game needs; -> seconds it took. Later processes find it compiled.

    `report(part, share)` is called before each part with the share of the time that is behind.
    """
    begin = time.perf_counter()
    from sim.computer import Computer  # noqa: F401
    from sim.engine.compile import warm_up
    from sim.maps import arena
    from sim.melee.game import Game
    from sim.melee.sight import Sight
    from sim.server.observation import Observer

    tell = report or (lambda part, share: log.info("engine %3.0f %%: %s", 100 * share, part))
    warm_up(lambda part, share: tell(part, 0.85 * share) if share < 1 else None)
    tell("economy and observations", 0.85)
    game = Game(arena(48, 48), [PlayerSetup(common_pb2.Terran), PlayerSetup(common_pb2.Zerg)], seed=1)
    game.step(2)  # some rules look in every second loop only
    Observer(game, 1, Sight(game, 1)).warm_up()
    tell("done", 1.0)
    return time.perf_counter() - begin


def new_game(settings: Settings, races: list[int], names: list[str]) -> tuple[Game, list[Opponent]]:
    """A game at loop 0 and its built-in players. ValueError for what the engine cannot play."""
    from sim.computer import Computer, Marksmen
    from sim.melee import eyes
    from sim.melee.game import Game

    setups = [PlayerSetup(race, name) for race, name in zip(races, names, strict=True)]
    game = Game(settings.terrain, setups, seed=settings.seed, patch=settings.patch)
    if not settings.fog:
        for player in range(1, len(setups) + 1):
            eyes.lift_fog(game, player)
    opponents: list[Opponent] = []
    for number, (player, race) in enumerate(zip(settings.players, races, strict=True), 1):
        if player.computer and game.arena is not None:  # the map leads its units
            opponents.append(Marksmen(game, number, player.difficulty))
        elif player.computer and not game.terrain.bare:
            opponents.append(Computer(game, number, race, player.difficulty, player.build, settings.seed + number))
    return game, opponents


def open_eyes(game: Game, seat: Seat, fog: bool) -> None:
    """Gives a seat the sight of the player it plays or observes, and a camera over that player's start."""
    from sim.melee import mini_game
    from sim.melee.sight import Sight
    from sim.server.encode import NOBODY
    from sim.server.facts import FactsView
    from sim.server.game_info import MapView
    from sim.server.observation import Observer

    viewer = seat.viewer or 1
    everybody = seat.viewer == 0
    seat.sight = Sight(game, viewer, reveal=not fog or everybody or game.arena is not None, detect=everybody)
    seat.observer = Observer(game, viewer, seat.sight)
    if not seat.viewer:
        seat.observer.side = NOBODY
    seat.unveiled = None
    seat.map_view = MapView(game, viewer, seat.sight)
    seat.data = FactsView(game, viewer)
    seat.camera = first_view(game, viewer)
    seat.offset = offset_of(seat.options, game.terrain)
    seat.selection = Selection(viewer)
    rules = mini_game.playing(game)
    if rules is not None and rules.chosen:
        _choose_all(game, seat)
        seat.selection.early = True


def _choose_all(game: Game, seat: Seat) -> None:
    if seat.player:
        seat.selection.choose(game, game.owned(seat.player))


def unveiled(seat: Seat) -> Observer:
    """Another observer of the seat's game, to whom the fog hides nothing."""
    from sim.melee.sight import Sight
    from sim.server.observation import Observer

    if seat.unveiled is None:
        game, viewer = seat.match.game, seat.viewer or 1
        seat.unveiled = Observer(game, viewer, Sight(game, viewer, reveal=True, detect=True), seat.sight)
        seat.unveiled.side = seat.observer.side
    return seat.unveiled


def play_loop(match: Match) -> None:
    """One loop of the match: the built-in players act, the game steps, debug commands change it, eyes follow."""
    game = match.game
    assert game is not None
    if game.loop == CENTRED:
        for seat in match.eyes:
            centre(seat)
    if match.delayed:
        arrive(match)
    if match.playback is not None:
        match.playback.feed(match)
    for computer in match.computers:
        computer.step()
    game.step()
    if game.memory.mustered == game.loop:  # a mini-game's new wave
        for seat in match.eyes:
            _choose_all(game, seat)
    changed = debug.carry_out(match)
    if changed:
        kernel.look(game)  # who is made sees at once (observed)
        protoss_power.mark(game)
    if match.playback is not None:
        match.playback.tell(match)
    for seat in match.observers:
        follow(seat)
    if match.cheats:
        cheats.apply(match)
    for seat in match.eyes:  # in each loop: what they remember may not depend on when clients look
        if seat.sight is not None:
            seat.sight.update(force=changed)
