"""The compiled part of one loop: mining, then the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.jit import bound
from sim.engine.step import step_world
from sim.engine.vision import see
from sim.melee.harvest_rules import harvest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sim.engine.world import World
    from sim.melee.game import Game


def ready(state: World) -> Callable[[], Any]:
    """The kernel's step of a game's arrays."""
    return bound(step_world, state)


def step(game: Game) -> Iterator[Any]:
    """Plays one loop of the compiled rules and yields its EVENT records.

    Workers decide before anything moves: one that came in the loop before delivers, or sets out, in the loop in which
    its first step on is seen (observed of 4.10).
    """
    head, events = game.world[0], game.state.events
    head["event_count"] = 0
    harvest(head, game.units, game.orders, game.players, game.harvest_table, game.walk, events)
    game.run_kernel()
    for index in range(int(head["event_count"])):
        yield events[index]


def look(game: Game) -> None:
    """Fills the visibility grids: before the first loop, and where a debug command made somebody."""
    see(game.state)
