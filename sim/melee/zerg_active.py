"""Rules that run every few loops, but only in games in which a Zerg unit has appeared (also by a debug command)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.melee.records import Race
from sim.melee.registry import EVERY, ON_SPAWN

if TYPE_CHECKING:
    from sim.melee.game import Game


def appeared(game: Game, slot: int) -> None:
    """The game's first Zerg unit wakes the rules."""
    unit = game.units[slot]
    if unit["owner"] > 0 and game.types[0, unit["type"]]["race"] == Race.ZERG:
        game.has_zerg = True


def every(period: int, rule: Callable[[Game], None]) -> None:
    """Registers a rule that runs when `loop % period == 0`."""

    @functools.wraps(rule)
    def run(game: Game) -> None:
        if getattr(game, "has_zerg", False):
            rule(game)

    EVERY.append((period, run))


ON_SPAWN.append(appeared)
