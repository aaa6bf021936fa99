"""Which commands the real game carried out, told from what the replay tracked afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sim.facts import Ability, Facts
from sim.replays.boosts import SLACK, Boosts, boosts, start_of
from sim.replays.reader import RealCommand, RealEvent, RealGame

SITE = 1.6  # cells between a build order's point and the whole cell of the structure
LONGEST_WALK = 2000  # loops between a build order and its structure
GATHERING = ("gather", "smart")
FOR_EVER = 1 << 30
MAKING = {"train": "B", "build": "I", "addon": "I", "warp": "I", "morph": "T", "research": "U"}  # kind -> event


class Effects(NamedTuple):
    """What the real game made of the commands.

    commands: indices of commands that made something
    gathers: indices of orders to gather from a gas structure that was complete then
    idle: keys of units whose producer had nothing else to do when they were ordered
    waiting: (player, from loop, to loop, minerals, gas) of what was paid and is in no book: builders' orders and queued
        units until they begin, research for ever
    begun: command that started a structure -> (loop of the start, key of the structure)
    done: key of a structure -> loop at which it was complete
    """

    commands: frozenset[int]
    gathers: frozenset[int]
    idle: frozenset[int]
    waiting: tuple[tuple[int, int, int, int, int], ...]
    begun: Mapping[int, tuple[int, int]]
    done: Mapping[int, int]


def effects(real: RealGame, facts: Facts) -> Effects:
    """Assigns each birth, start, change of type and upgrade to the latest command that explains it."""
    by_unit: dict[tuple[str, int, int], list[int]] = defaultdict(list)  # (event, unit key, product) -> commands
    by_player: dict[tuple[str, int, int], list[int]] = defaultdict(list)  # (event, player, product)
    for index, command in enumerate(real.commands):
        ability = facts.abilities.get(command.ability)
        if ability is None or ability.kind not in MAKING or not ability.product:
            continue
        event = MAKING[ability.kind]
        by_player[event, command.player, ability.product].append(index)
        for key in command.units:
            by_unit[event, key, ability.product].append(index)
    given = boosts(real)
    used: set[int] = set()
    idle: set[int] = set()
    waiting = []
    begun: dict[int, tuple[int, int]] = {}
    upgrades = {upgrade.name: upgrade.id for upgrade in facts.upgrades.values()}
    births: set[tuple[int, int]] = set()
    for event in sorted(real.events, key=lambda event: -event.loop):
        if event.loop > real.loops and event.kind != "U":  # long games have commands up to a loop only
            continue
        product = upgrades.get(event.type, 0) if event.kind == "U" else facts.ids.get(event.type, 0)
        if event.kind == "B" and event.creator >= 0 and (event.creator, event.loop) not in births:
            found = _latest(real, facts, by_unit["B", event.creator, product], used, event.loop, given)
            births.add((event.creator, event.loop))
            if found is not None:
                ordered, (start, slack) = real.commands[found].loop, _start(real, facts, found, event.loop, given)
                if abs(start - ordered) <= slack:
                    idle.add(event.key)
                elif start > ordered:
                    waiting.append(_paid(real, facts, found, ordered, start))
        elif event.kind == "I":
            found = _builder(real, by_player["I", event.player, product], used, event)
            if found is not None and event.loop > real.commands[found].loop:
                waiting.append(_paid(real, facts, found, _first_of_run(real, found), event.loop))
            if found is not None:
                begun[found] = event.loop, event.key
        elif event.kind == "T":
            found = _latest(real, facts, by_unit["T", event.key, product], used, event.loop)
        elif event.kind == "U":
            found = _latest(real, facts, by_player["U", event.player, product], used, event.loop, given)
            if found is not None and _start(real, facts, found, event.loop, given)[0] > real.loops:
                found = None
            if found is not None:
                waiting.append(_paid(real, facts, found, real.commands[found].loop, FOR_EVER))
        else:
            found = None
        if found is not None:
            used.add(found)
    done = {event.key: event.loop for event in real.events if event.kind == "D"}
    return Effects(frozenset(used), _gathers(real, facts), frozenset(idle), tuple(waiting), begun, done)


def _paid(real: RealGame, facts: Facts, index: int, since: int, until: int) -> tuple[int, int, int, int, int]:
    """An entry of `Effects.waiting`: the price of what a command made, between its order and its start."""
    ability = facts.abilities[real.commands[index].ability]
    return real.commands[index].player, since, until, ability.minerals, ability.gas


def _gathers(real: RealGame, facts: Facts) -> frozenset[int]:
    gas = {facts.names[kind] for kind in facts.gas_structures}
    places = {event.key for event in real.events if event.kind == "I" and event.type in gas}
    done = {event.key: event.loop for event in real.events if event.kind == "D" and event.key in places}
    return frozenset(
        index
        for index, command in enumerate(real.commands)
        if command.target in done and done[command.target] <= command.loop and kind_of(facts, command) in GATHERING
    )


def _start(real: RealGame, facts: Facts, index: int, end: int, given: Boosts) -> tuple[int, int]:
    """-> (when what a command made, over at `end`, began; loops by which that may be off)."""
    command = real.commands[index]
    start, boosted = start_of(given.get(command.units[0], ()), end, round(facts.abilities[command.ability].loops))
    return start, SLACK if boosted else 0


def _latest(
    real: RealGame, facts: Facts, options: Iterable[int], used: set[int], loop: int, given: Boosts | None = None
) -> int | None:
    """The latest unused command that could have led to something at `loop`; `given` boosts: it took its time."""
    for index in reversed(list(options)):
        if index in used or real.commands[index].loop > loop:
            continue
        start, slack = _start(real, facts, index, loop, given) if given is not None else (loop, 0)
        if real.commands[index].loop <= start + slack:
            return index
    return None


def _builder(real: RealGame, options: Iterable[int], used: set[int], event: RealEvent) -> int | None:
    """The latest unused build command at the site of a structure; add-ons have no site of their own."""
    for index in reversed(list(options)):
        command = real.commands[index]
        if index in used or not event.loop - LONGEST_WALK <= command.loop <= event.loop:
            continue
        aimed = command.has_point or command.target >= 0
        if not aimed or (abs(command.x - 0.5 - event.x) <= SITE and abs(command.y - 0.5 - event.y) <= SITE):
            return index
    return None


def _first_of_run(real: RealGame, index: int) -> int:
    """Loop of the first of equal build commands to one worker that end with this one."""
    last = real.commands[index]
    begun = last.loop
    for command in reversed(real.commands[:index]):
        if begun - command.loop > LONGEST_WALK:
            break
        if last.units[0] in command.units and not command.flags & 1:
            if not _same(command, last):
                break
            begun = command.loop
    return begun


def _same(a: RealCommand, b: RealCommand) -> bool:
    return (a.ability, a.target, a.x, a.y) == (b.ability, b.target, b.x, b.y)


def kind_of(facts: Facts, command: RealCommand) -> str:
    """Sort of the command's ability; "" for one that the facts do not know."""
    ability: Ability | None = facts.abilities.get(command.ability)
    return ability.kind if ability else ("smart" if command.ability == 1 else "")
