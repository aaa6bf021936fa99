"""Issues commands of real players to the engine, for those of their units that have a counterpart here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sim.engine.state import AUTOCAST, STRUCTURE
from sim.facts import Facts
from sim.melee.game import Command, Game
from sim.melee.records import Result
from sim.replays.binding import Binding
from sim.replays.reader import AUTOCAST_OFF, AUTOCAST_ON, NO_TARGET, QUEUED, RealCommand

NO_COUNTERPART = 0  # instead of a verdict


class Drift(NamedTuple):
    """Distance in cells between a mobile unit and where the real one stood; the key of that one, and both places."""

    loop: int
    player: int
    cells: float
    key: int = NO_TARGET
    ours: tuple[float, float] = (0.0, 0.0)
    real: tuple[float, float] = (0.0, 0.0)


class Issuer:
    """Issues commands, and keeps account of what those of one loop will cost.

    The engine carries them out later in the loop, so its bank does not know of them yet. `drifts` takes how far the
    targets of the commands were from the real ones a loop before: that is what the real player's client had seen (who
    stands and is told to move has gone just one step less there in 43 of 73 sightings).
    """

    def __init__(self, game: Game, binding: Binding, drifts: list[Drift]) -> None:
        self._game, self._binding, self._drifts = game, binding, drifts
        self._spent: dict[int, tuple[int, int]] = {}  # player -> minerals and gas that commands of this loop will cost
        self._before = self._now = game.units[[]][["generation", "x", "y"]]  # places of all slots

    def begin_loop(self) -> None:
        """Nothing is spent yet."""
        self._spent = dict.fromkeys(self._binding.sides, (0, 0))
        used = int(self._game.world[0]["slots"])
        self._before, self._now = self._now, self._game.units[:used][["generation", "x", "y"]].copy()

    def short(self, command: RealCommand, first: Sequence[RealCommand]) -> int | None:
        """What the bank is short of for a command once it has paid for the commands of `first` and those of this loop:
        an ActionResult, or None. A command alone is left to the engine to judge."""
        minerals, gas = price(self._game.facts, command)
        prices = [price(self._game.facts, other) for other in first]
        prices.append(self._spent.get(command.player, (0, 0)))
        saved = [sum(cost[n] for cost in prices) for n in (0, 1)]
        if minerals and saved[0] and not self._game.can_pay(command.player, saved[0] + minerals, 0):
            return Result.NOT_ENOUGH_MINERALS
        if gas and saved[1] and not self._game.can_pay(command.player, 0, saved[1] + gas):
            return Result.NOT_ENOUGH_VESPENE
        return None

    def give(self, command: RealCommand, touched: set[int]) -> int:
        """Issues one command to those of its units that have a counterpart. -> ActionResult or NO_COUNTERPART."""
        if command.player not in self._binding.sides:
            return NO_COUNTERPART
        game = self._game
        slots = [self._binding.slot(key) for key in command.units]
        known = [slot for slot in slots if slot >= 0]
        target = self._binding.slot(command.target) if command.target >= 0 else -1
        if target >= 0:
            self._measure(command, target)
        if not known:
            return NO_COUNTERPART
        flags, tag = command.flags, game.tag(target) if target >= 0 else 0
        wanted = flags & AUTOCAST_ON, flags & AUTOCAST_OFF
        if any(wanted):
            known = [slot for slot in known if bool(int(game.units[slot]["flags"]) & AUTOCAST) != bool(wanted[0])]
            if not known:
                return Result.SUCCESS
        point = command.has_point or (command.target != NO_TARGET and not tag)
        verdict = game.issue(
            Command(
                command.player,
                command.ability,
                tuple(game.tag(slot) for slot in known),
                tag,
                command.x if point else 0.0,
                command.y if point else 0.0,
                point,
                bool(flags & QUEUED),
                any(wanted),
            )
        )
        touched.update(known)
        if verdict == Result.SUCCESS:
            minerals, gas = price(self._game.facts, command)
            spent = self._spent[command.player]
            self._spent[command.player] = spent[0] + minerals, spent[1] + gas
        return verdict

    def whole(self, command: RealCommand) -> bool:
        """All units of a command have counterparts, and its target has one, unless nobody plays that one's owner."""
        driven = self._binding.owners.get(command.target, -1) in (0, *self._binding.sides)
        named = (*command.units, command.target) if command.target >= 0 and driven else command.units
        return all(self._binding.slot(key) >= 0 for key in named)

    def _measure(self, command: RealCommand, slot: int) -> None:
        """Compares a target's place with that of the real one."""
        unit = self._game.units[slot]
        if unit["owner"] in self._binding.sides and not int(unit["flags"]) & STRUCTURE:
            known = slot < len(self._before) and self._before["generation"][slot] == unit["generation"]
            seen = self._before[slot] if known else unit
            ours, real = (float(seen["x"]), float(seen["y"])), (command.x, command.y)
            drift = Drift(self._game.loop, int(unit["owner"]), math.dist(ours, real), command.target, ours, real)
            if self._game.loop == command.loop:  # the real one has gone on since then
                self._drifts.append(drift)


def price(facts: Facts, command: RealCommand) -> tuple[int, int]:
    """Minerals and gas that one unit pays for a command."""
    ability = facts.abilities.get(command.ability)
    return (ability.minerals, ability.gas) if ability else (0, 0)
