"""The fighters of a built-in opponent turn to the best target around them, whoever leads them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import levels
from sim.computer.hands import ATTACK, Hands
from sim.engine import state
from sim.engine.focus import CHOSEN, ROOM, turn_to

if TYPE_CHECKING:
    from sim.melee.game import Game

Goal = tuple[int, float, float]  # an order to attack: slot of its target or -1, place


class Marksmen:
    """Gives one player's fighters their targets. Call `step()` once per game loop.

    game, player  whose fighters
    difficulty    API difficulty 1 to 10 (ComputerError for others): how often they look, and how many may turn to one
    """

    def __init__(self, game: Game, player: int, difficulty: int) -> None:
        self.game, self.player, self.level = game, player, levels.level(difficulty)
        self.hands = Hands(game, player)
        self.told: dict[int, tuple[int, int]] = {}  # slot -> its generation, slot of the target that it was given
        self._room = np.zeros((ROOM, len(game.units)), np.int32)

    def step(self) -> None:
        """Gives targets, every so many loops by the level."""
        game, level = self.game, self.level
        if not level.focus or game.loop % level.focus or game.ended:
            return
        count = int(game.world[0]["slots"])
        units, chosen = game.units[:count], self._room[CHOSEN, :count]
        tables = game.types, game.weapons, game.visibility
        turn_to(units, game.orders[:count], *tables, self.player, level.attackers, self._room)
        turning = np.flatnonzero((chosen >= 0) & (chosen != units["target"]))
        if not len(turning):
            return
        goals = {slot: self._goals(slot) for slot in turning.tolist()}
        for target in np.unique(chosen[turning]).tolist():
            group = turning[chosen[turning] == target]
            self.hands.on(ATTACK, group, target)
            self.told.update((slot, (int(units[slot]["generation"]), target)) for slot in group.tolist())
        self._afterwards(goals)

    def _goals(self, slot: int) -> list[Goal]:
        """What the unit was told to attack besides the target that it was given here."""
        unit, orders = self.game.units[slot], self.game.orders[slot]
        goals = [
            (int(order["target"]) if order["verb"] == state.ATTACK else -1, float(order["x"]), float(order["y"]))
            for order in orders[: int(unit["order_count"])]
            if order["verb"] in (state.ATTACK, state.ATTACK_MOVE)
        ]
        mine = self.told.get(slot) == (int(unit["generation"]), goals[0][0]) if goals else False
        return goals[1:] if mine else goals

    def _afterwards(self, goals: dict[int, list[Goal]]) -> None:
        """Queues what they were told before, many in one order where it is the same."""
        for place in range(max(map(len, goals.values()))):
            alike: dict[Goal, list[int]] = defaultdict(list)
            for slot, known in goals.items():
                if place < len(known):
                    alike[known[place] if known[place][0] < 0 else (known[place][0], 0.0, 0.0)].append(slot)
            for (target, x, y), slots in alike.items():
                if target >= 0:
                    self.hands.on(ATTACK, slots, target, queued=True)
                else:
                    self.hands.at(ATTACK, slots, x, y, queued=True)
