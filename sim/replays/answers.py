"""Commands are answers: they were sent when something had happened in the real game. Where that happens a few loops
later in ours, they wait for it; how late it is, the figures of starts and births tell.

Bots that steer every trip of their workers answer loads and deliveries: given to a worker that is a few loops late,
such a command would cost it the trip, and nobody would set it right. What needs a structure, its power or supply,
answers its completion.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable

from sim.engine.state import GATHER
from sim.facts import Facts
from sim.melee.game import Game
from sim.melee.protoss_power import NO_BUILD_POWER, NO_TRAIN_POWER
from sim.melee.records import Result
from sim.replays.binding import Binding
from sim.replays.reader import QUEUED, RealCommand, RealGame

HOMEWARD, OUTWARD = 1, 2  # what is waited for: the load; its delivery
LOOPS = {HOMEWARD: 48, OUTWARD: 16}  # and for how long at most
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
    """Index of a command -> HOMEWARD or OUTWARD.

    Homeward is what a worker is told in the loop in which it is sent to a town hall by a right-click, outward the next
    that it is told, if it is to move or to gather.
    """
    workers = {facts.names[kind] for kind in facts.harvesters}
    halls = {facts.names[kind] for kind in facts.town_halls}
    types = {event.key: event.type for event in real.events if event.kind in "BI"}
    told: dict[tuple[int, int], list[int]] = defaultdict(list)  # (worker, loop) -> commands
    for index, command in enumerate(real.commands):
        for key in command.units:
            if types.get(key) in workers:
                told[key, command.loop].append(index)
    found: dict[int, int] = {}
    loaded: dict[int, bool] = {}  # worker -> it was sent home by what it was told last
    for (key, _), batch in told.items():
        home = [n for n in batch if _goes_home(real.commands[n], types, halls)]
        if home:
            found |= {n: HOMEWARD for n in batch if n <= home[0]}
        elif loaded.get(key) and all(_steers(facts, real.commands[n]) for n in batch):
            found |= dict.fromkeys(batch, OUTWARD)
        if home or not all(real.commands[n].flags & QUEUED for n in batch):
            loaded[key] = bool(home)
    return found


def _goes_home(command: RealCommand, types: dict[int, str], halls: set[str]) -> bool:
    return command.ability == SMART and types.get(command.target) in halls


def _steers(facts: Facts, command: RealCommand) -> bool:
    ability = facts.abilities.get(command.ability)
    return command.ability == SMART or (ability is not None and ability.kind in STEERING)


def too_early(game: Game, slot: int, sort: int, since: int) -> bool:
    """The worker in this slot is not yet where its real counterpart was when it got a command stamped `since`."""
    if slot < 0 or game.loop > since + LOOPS[sort]:
        return False
    unit = game.units[slot]
    if sort == HOMEWARD:
        return bool(unit["carry"] == 0 and unit["order_count"] and game.orders[slot, 0]["verb"] == GATHER)
    return bool(unit["carry"] and unit["order_count"])


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
