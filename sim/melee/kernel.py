"""The compiled part of one loop: the kernel, then mining."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.step import step_world
from sim.engine.vision import see
from sim.melee.harvest_rules import harvest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.melee.game import Game


def step(game: Game) -> Iterator[Any]:
    """Plays one loop of the compiled rules and yields its EVENT records."""
    head, events = game.world[0], game.state.events
    head["event_count"] = 0
    step_world(*game.state_arrays)
    harvest(head, game.units, game.orders, game.players, game.harvest_table, game.walk, events)
    for index in range(int(head["event_count"])):
        yield events[index]


def look(game: Game) -> None:
    """Fills the visibility grids before the first loop."""
    state = game.state
    see(state.world[0], state.units, state.types, state.levels, state.visibility, state.eyes)
