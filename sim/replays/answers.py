"""Commands are answers: they were sent when something had happened in the real game. Where that happens a few loops
later in ours, they wait for it; how late it is, the figures of starts and births tell.

Bots that steer every trip of their workers answer loads and deliveries: given to a worker that is a few loops late,
such a command would cost it the trip, and nobody would set it right. What they say on the way answers to a place (so
far from the hall, so near the field): it comes as late as the answer to the load. A worker that is ahead is told as
soon as it is as near to the point as bots let theirs come, up to LEAD loops early; what it has done by itself is left
out, but for a change between minerals and gas. What needs a structure, its power or
supply, answers its completion.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from sim.engine.state import GATHER, INSIDE, MOVE, RETURN
from sim.facts import Facts
from sim.melee.game import Game
from sim.melee.harvest_places import GAS, GONE, MINERALS, WALK, WORK
from sim.melee.protoss_power import NO_BUILD_POWER, NO_TRAIN_POWER
from sim.melee.records import Result
from sim.replays.binding import Binding
from sim.replays.effects import kind_of
from sim.replays.reader import QUEUED, RealCommand, RealGame

# on the load; on its delivery; queued behind one of these later; a return that is queued behind the harvest to which
# the worker has turned by itself
HOMEWARD, OUTWARD, ONWARD, BEHIND = 1, 2, 3, 4
PATIENT = 48  # loops for which the first two wait for the load or the delivery
AHEAD = 40  # loops by which a delivery of ours may come before the command to the real worker that led to it
PAIR = 2  # workers whom bots that steer trips tell the same in one loop; who tells more does not answer to their loads
LEAD = 24  # loops by which a worker that is ahead gets what steers it earlier than the real one
NEAR = 2.0  # cells from the point of a move at which four bots of the ladder send their workers there
EARLY, NOW, PAST = range(3)  # when a command comes, seen from the worker
NEVER = 1 << 30
STEERING = ("move", "gather", "smart")
SMART = 1
NOT_YET = (  # verdicts that the completion of something may change
    Result.NOT_SUPPORTED,
    Result.NOT_ENOUGH_FOOD,
    Result.TECH_REQUIREMENTS_NOT_MET,
    NO_BUILD_POWER,
    NO_TRAIN_POWER,
)


def answers(real: RealGame, facts: Facts) -> dict[int, int]:
    """Index of a command -> HOMEWARD, OUTWARD, ONWARD or BEHIND.

    Homeward is what a worker is told in the loop in which it is sent to a town hall by a right-click, up to that or
    queued behind it, outward the next that it is told, if it is to move or to gather, onward what is queued behind
    these in a later loop, behind an order to return that is all that it is told in a loop, and queued.
    """
    workers = {facts.names[kind] for kind in facts.harvesters}
    halls = {facts.names[kind] for kind in facts.town_halls}
    types = {event.key: event.type for event in real.events if event.kind in "BI"}
    told: dict[tuple[int, int], list[int]] = defaultdict(list)  # (worker, loop) -> commands
    for index, command in enumerate(real.commands):
        for key in command.units if len(command.units) <= PAIR else ():
            if types.get(key) in workers:
                told[key, command.loop].append(index)
    found: dict[int, int] = {}
    before: dict[int, int] = {}  # worker -> sort of what it was told last
    for (key, _), batch in told.items():
        home = [n for n in batch if _goes_home(real.commands[n], facts, types, halls)]
        last, queued = before.get(key, 0), all(real.commands[n].flags & QUEUED for n in batch)
        if last == HOMEWARD and queued and all(kind_of(facts, real.commands[n]) == "return" for n in batch):
            found |= dict.fromkeys(batch, BEHIND)
            continue
        if home:
            before[key] = HOMEWARD
            found |= {n: HOMEWARD for n in batch if n <= home[0] or real.commands[n].flags & QUEUED}
            continue
        sort = 0
        if last and all(kind_of(facts, real.commands[n]) in STEERING for n in batch):
            sort = ONWARD if queued else OUTWARD if last == HOMEWARD else 0
        found |= dict.fromkeys(batch, sort) if sort else {}
        if not queued:
            before[key] = sort
    return found


class Batch(NamedTuple):
    """What one worker is told in one loop to steer it: commands by index, the loop of what it was told before, and the
    point that it is sent to (`x` below zero: what is queued behind the move that it is on)."""

    loop: int
    before: int
    worker: int
    sort: int
    commands: tuple[int, ...]
    x: float
    y: float


def batches(real: RealGame, sorts: Mapping[int, int]) -> list[Batch]:
    """All that steers single workers to a point, by loop; `sorts` as `answers` gives them."""
    told: dict[tuple[int, int], list[int]] = defaultdict(list)  # (worker, loop) -> commands
    for index, command in enumerate(real.commands):
        for key in command.units:
            told[key, command.loop].append(index)
    steering, last = [], {}
    for (key, loop), indices in told.items():
        before, last[key] = last.get(key, -1), loop
        given = [real.commands[n] for n in indices]
        if any(n not in sorts for n in indices) or any(len(command.units) > 1 for command in given):
            continue
        points = [(command.x, command.y) for command in given if command.has_point and command.target < 0]
        if points or all(sorts[n] == ONWARD for n in indices):
            x, y = points[0] if points else (-1.0, -1.0)
            steering.append(Batch(loop, before, key, sorts[indices[0]], tuple(indices), x, y))
    return sorted(steering)


def _goes_home(command: RealCommand, facts: Facts, types: dict[int, str], halls: set[str]) -> bool:
    """It sends to a town hall, by a right-click or a move, or home with the load."""
    kind = kind_of(facts, command)
    return kind == "return" or (kind in ("smart", "move") and types.get(command.target) in halls)


class Trips:
    """Where workers of ours are on their trips, compared with the real ones that got commands."""

    def __init__(self, game: Game, travel: int = 0) -> None:
        self.game = game
        self.travel = travel  # loops after what it answers in which a command comes at the soonest
        self.loaded = np.zeros(len(game.units), bool)
        self.home = np.full(len(game.units), -NEVER)  # loop of the last delivery
        self.off = np.full(len(game.units), -NEVER)  # and of the last load
        self.lags: dict[int, tuple[int, int]] = {}  # worker -> (sort of its last answer, loops by which that came late)

    def update(self) -> None:
        """Books the loads and deliveries of the last loop."""
        loaded = self.game.units["carry"] > 0
        self.home[self.loaded & ~loaded] = self.game.loop
        self.off[loaded & ~self.loaded] = self.game.loop
        self.loaded = loaded

    def late(self, command: RealCommand, sort: int) -> int:
        """Loops by which what a worker is told on its trip waits, as the answer to its load did. Commands to several
        units do not wait, nor does the answer to the next load."""
        if len(command.units) != 1:
            return 0
        last, lag = self.lags.get(command.units[0], (0, 0))
        return 0 if not sort or (sort == HOMEWARD and last != HOMEWARD) else lag

    def told(self, command: RealCommand, sort: int) -> None:
        """Books that a command has been given to a worker: the lag of a trip is that of the answer to its load, or to
        its delivery where that waited longer."""
        if len(command.units) != 1:
            return
        key = command.units[0]
        last, lag = self.lags.get(key, (0, 0))
        waited = min(self.game.loop - command.loop, PATIENT)
        if not sort:
            self.lags.pop(key, None)
        elif sort == HOMEWARD and last != HOMEWARD:
            self.lags[key] = sort, waited
        else:
            self.lags[key] = sort, max(lag, waited)

    def inside(self, slot: int) -> bool:
        """The worker in this slot is in a gas structure, where nobody can command it."""
        unit = self.game.units[slot]
        return slot >= 0 and bool(int(unit["flags"]) & INSIDE) and unit["inside"] == unit["harvest_target"]

    def elsewhere(self, slot: int, target: int) -> bool:
        """The target is a resource of another sort than the worker in this slot gathers, which it would not go to by
        itself."""
        if slot < 0 or target < 0:
            return False
        role, types = self.game.harvest_table["role"], self.game.units["type"]
        field = int(self.game.units["harvest_target"][slot])
        present = role[types[field]] if field >= 0 else MINERALS if field == GONE else 0
        wanted = role[types[target]]
        return wanted in (MINERALS, GAS) and wanted != present

    def ready(self, slot: int, batch: Batch) -> bool:
        """The worker in this slot is ahead of the real one: it is as near to the point as bots let theirs come."""
        if slot < 0:
            return False
        unit = self.game.units[slot]
        if not unit["order_count"]:
            return batch.sort == ONWARD
        order = self.game.orders[slot, 0]
        x, y = (batch.x, batch.y) if batch.x >= 0 else (order["x"], order["y"])
        if batch.sort == HOMEWARD:
            fits = order["verb"] == RETURN and unit["carry"]
        elif batch.sort == OUTWARD:
            fits = order["verb"] == GATHER and not unit["carry"] and unit["harvest_stage"] == WALK
        else:
            fits = order["verb"] == MOVE and unit["order_count"] == 1
        return bool(fits) and math.hypot(float(unit["x"]) - x, float(unit["y"]) - y) <= NEAR

    def when(self, slot: int, sort: int, since: int) -> int:
        """Whether a command of that sort, stamped `since`, comes too early for the worker in this slot (EARLY), or too
        late, for what it has done by itself already (PAST)."""
        if slot < 0:
            return NOW
        unit, patient = self.game.units[slot], self.game.loop <= since + PATIENT
        verbs = self.game.orders[slot, : unit["order_count"]]["verb"]
        gathers = len(verbs) > 0 and verbs[0] == GATHER
        if sort == BEHIND:
            return NOW if gathers and len(verbs) == 1 and not unit["carry"] else EARLY if patient else PAST
        if sort == HOMEWARD and not unit["carry"]:
            return EARLY if GATHER in verbs and patient and self.home[slot] < since - AHEAD else PAST
        if sort == OUTWARD and unit["order_count"] and unit["carry"]:
            return EARLY if patient else NOW
        answered = {HOMEWARD: self.off, OUTWARD: self.home}.get(sort)
        if answered is not None and since <= answered[slot] and self.game.loop < answered[slot] + self.travel:
            return EARLY
        done = gathers and (sort == ONWARD or (sort == OUTWARD and unit["harvest_stage"] == WORK))
        return PAST if done else NOW


def owed(real: RealGame, binding: Binding, patience: int) -> Callable[[RealCommand, int], bool]:
    """-> whether a command with that verdict rests on a unit or structure of its player that was finished when it was
    sent, at most `patience` loops ago, and is still to come here."""
    finished: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
    for event in real.events:
        if event.kind in "BD":
            finished[binding.owners.get(event.key, 0)].append((event.loop, event.kind, event.key))

    def rests_on(command: RealCommand, verdict: int) -> bool:
        if verdict not in NOT_YET:
            return False
        events, since = finished[command.player], binding.game.loop - patience
        first = bisect_right(events, since, key=lambda event: event[0])
        last = bisect_right(events, command.loop, key=lambda event: event[0])
        return any((kind, key) not in binding.happened for _, kind, key in events[first:last])

    return rests_on
