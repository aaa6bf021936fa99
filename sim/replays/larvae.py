"""Larvae stand in for each other: whoever names one means any of that hall's.

Where ours has no larva for a real one that is told to become something (it is born later here, or has become something
else already) another one takes its place: an unbound one or one whose counterpart has done its work first, then the
nearest to where the real one was born. Which of a group does a command in the real game is known: the first that is a
larva still.
"""

from __future__ import annotations

import numpy as np

from sim.engine.state import INSIDE
from sim.melee.game import Game
from sim.replays.binding import Binding
from sim.replays.reader import RealCommand, RealGame


class Larvae:
    """The larvae that commands name, and who has done what it was told in the real game."""

    def __init__(self, game: Game, real: RealGame, binding: Binding) -> None:
        self._game, self._binding = game, binding
        larva = game.facts.ids["Larva"]
        self._larva = larva
        self._trains = {n for n, a in game.facts.abilities.items() if a.kind == "train" and larva in a.casters}
        self._born = {e.key: (e.x + 0.5, e.y + 0.5) for e in real.events if e.kind == "B" and e.type == "Larva"}
        self._did: dict[int, int] = {}  # command -> who did it in the real game
        self._hatched: set[int] = set()  # all of these

    def named(self, index: int, command: RealCommand, effective: bool) -> RealCommand:
        """The command with those of its larvae that were larvae still; each of them has a counterpart after this, if
        any larva of ours is left. Other commands stay as they are."""
        if command.ability not in self._trains:
            return command
        did = self._did.get(index)
        units = tuple(key for key in command.units if key == did or key not in self._hatched) or command.units
        if effective and did is None:
            self._did[index] = units[0]
            self._hatched.add(units[0])
        for key in units:
            if key in self._born and not self._free(self._binding.slot(key)):
                self._stand_in(key, command, units)
        return command._replace(units=units)

    def _free(self, slot: int) -> bool:
        if slot < 0:
            return False
        unit = self._game.units[slot]
        return bool(unit["type"] == self._larva and not unit["order_count"] and not unit["flags"] & INSIDE)

    def _stand_in(self, key: int, command: RealCommand, units: tuple[int, ...]) -> None:
        all_units, keys = self._game.units[: int(self._game.world[0]["slots"])], self._binding.slots
        own = (all_units["alive"] == 1) & (all_units["owner"] == command.player) & (all_units["type"] == self._larva)
        own &= all_units["flags"] & INSIDE == 0
        taken = {self._binding.slot(other) for other in units}
        free = [int(slot) for slot in np.flatnonzero(own & (all_units["order_count"] == 0)) if slot not in taken]
        if not free:
            return
        x, y = self._born[key]

        def rank(slot: int) -> tuple[bool, float]:
            wanted = slot in keys and keys[slot] not in self._hatched
            return wanted, float((all_units["x"][slot] - x) ** 2 + (all_units["y"][slot] - y) ** 2)

        self._binding.exchange(key, min(free, key=rank))
