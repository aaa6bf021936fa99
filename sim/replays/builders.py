"""Which worker builds: bots choose one that is near the site, so the worker that stands for it here is near it, too.

A plain worker's trip is at another point here than in the real game after a minute, and who happens to be the
counterpart of the chosen one is as often far from the site as near it. Workers that nobody has told anything for a
while are alike, so the nearest of these that has no load takes its place, and it the nearest one's.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.state import GATHER, INSIDE, RETURN
from sim.melee.game import Game
from sim.replays.binding import Binding
from sim.replays.reader import QUEUED, RealCommand

QUIET = 200  # loops without a command after which a worker at its work is as good as any other


class Builders:
    """Chooses the workers for the structures of one game.

    begun: indices of the commands that started a structure.
    """

    def __init__(self, game: Game, binding: Binding, begun: frozenset[int]) -> None:
        self._game, self._binding, self._begun = game, binding, begun
        self._told: dict[int, int] = {}  # worker -> loop of the real game's last command to it
        self._chosen: set[int] = set()  # commands that have been looked at

    def choose(self, index: int, command: RealCommand) -> None:
        """Before a command is given for the first time: if it is a plain worker's that starts a structure, the nearest
        plain miner of its player without a load becomes that one's counterpart."""
        if index in self._chosen:
            return
        self._chosen.add(index)
        if index in self._begun and len(command.units) == 1 and not command.flags & QUEUED:
            slot = self._binding.slot(command.units[0])
            if slot >= 0 and self._plain(slot, command.loop):
                self._binding.exchange(command.units[0], self._nearest(slot, command))
        for key in command.units:
            self._told[key] = command.loop

    def _nearest(self, slot: int, command: RealCommand) -> int:
        """Slot of the plain worker without a load, of its player and type, that is nearest to the site; its own where
        there is none."""
        units = self._game.units[: int(self._game.world[0]["slots"])]
        target = self._binding.slot(command.target)
        x, y = (units["x"][target], units["y"][target]) if target >= 0 else (command.x, command.y)
        alike = (units["alive"] == 1) & (units["owner"] == command.player) & (units["type"] == units["type"][slot])
        free = np.flatnonzero(alike & (units["carry"] == 0))
        plain = [int(other) for other in free if self._plain(int(other), command.loop)]
        return min(plain, key=lambda other: math.dist((units["x"][other], units["y"][other]), (x, y)), default=slot)

    def _plain(self, slot: int, loop: int) -> bool:
        """It mines minerals and nobody has told the real one anything else of late."""
        game, unit, order = self._game, self._game.units[slot], self._game.orders[slot, 0]
        key, field = self._binding.slots.get(slot), int(unit["harvest_target"])
        if key is None or loop - self._told.get(key, -QUIET) < QUIET or unit["order_count"] != 1:
            return False
        mines = order["verb"] in (GATHER, RETURN) and field >= 0 and not int(unit["flags"]) & INSIDE
        return bool(mines) and int(game.units[field]["type"]) in game.facts.minerals
