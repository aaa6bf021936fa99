"""Rules that run every few loops, but only in games in which a unit of their race has appeared (also by a debug
command): a game of two Terrans never pays for Zerg and Protoss rules."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.melee.records import Race
from sim.melee.registry import EVERY, ON_SPAWN

if TYPE_CHECKING:
    from sim.melee.game import Game


def appeared(game: Game, slot: int) -> None:
    """The first unit of a race wakes its rules; the map's own units do not."""
    unit = game.units[slot]
    if unit["owner"] > 0:
        game.memory.races.add(int(game.types[0, unit["type"]]["race"]))


def every(period: int, rule: Callable[[Game], None], race: Race) -> None:
    """Registers a rule that runs when `loop % period == 0`, once a unit of `race` has appeared."""

    @functools.wraps(rule)
    def run(game: Game) -> None:
        if race in game.memory.races:
            rule(game)

    EVERY.append((period, run))


ON_SPAWN.append(appeared)
