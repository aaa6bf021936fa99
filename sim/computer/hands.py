"""How the computer acts: every order goes through `Game.issue`, like a client's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sim.melee.records import Command, Result

if TYPE_CHECKING:
    from sim.melee.game import Game

ATTACK, MOVE, GATHER = 3674, 16, 3666  # general ids but for move, which is exact


class Hands:
    """Gives the orders of one player."""

    def __init__(self, game: Game, player: int) -> None:
        self.game, self.player = game, player

    def order(self, ability: int, slots: Iterable[int] | np.ndarray, **where: float | int | bool) -> int:
        """An order to units by slot; `where` holds target_tag, x, y, has_point, queued. -> ActionResult id, ERROR
        without any unit."""
        tags = tuple(self.game.tag(int(slot)) for slot in slots)
        if not tags:
            return int(Result.ERROR)
        return int(self.game.issue(Command(self.player, int(ability), tags, **where)))  # type: ignore[arg-type]

    def walk(self, slots: Iterable[int] | np.ndarray, x: float, y: float, queued: bool = False, how: int = MOVE) -> int:
        """A move (or ATTACK) to a point (cells) of those whose form walks. -> ActionResult id."""
        speed, kinds = self.game.facts.types["speed"], self.game.units["type"]
        return self.at(how, [slot for slot in slots if speed[kinds[slot]] > 0], x, y, queued)

    def at(self, ability: int, slots: Iterable[int] | np.ndarray, x: float, y: float, queued: bool = False) -> int:
        """An order with a point (cells). -> ActionResult id."""
        return self.order(ability, slots, x=float(x), y=float(y), has_point=True, queued=queued)

    def on(self, ability: int, slots: Iterable[int] | np.ndarray, target: int, queued: bool = False) -> int:
        """An order with a unit, by slot. -> ActionResult id."""
        return self.order(ability, slots, target_tag=self.game.tag(int(target)), queued=queued)
