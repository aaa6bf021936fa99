"""Commands of bots that steer every trip of their workers are answers: they were sent when the real worker had its
load, or had delivered it. Given to a worker of ours that is a few loops late they would cost it the trip, and nobody
would set it right; so they wait for it."""

from __future__ import annotations

from collections import defaultdict

from sim.engine.state import GATHER
from sim.facts import Facts
from sim.melee.game import Game
from sim.replays.reader import QUEUED, RealCommand, RealGame

HOMEWARD, OUTWARD = 1, 2  # what is waited for: the load; its delivery
LOOPS = {HOMEWARD: 48, OUTWARD: 16}  # and for how long at most
STEERING = ("move", "gather", "smart")
SMART = 1


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
