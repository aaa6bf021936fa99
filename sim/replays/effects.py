"""Which commands the real game carried out, told from what the replay tracked afterwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sim.facts import Ability, Facts
from sim.replays.reader import RealCommand, RealEvent, RealGame

SITE = 1.6  # cells between a build order's point and the whole cell of the structure
LONGEST_WALK = 2000  # loops between a build order and its structure
GATHERING = ("gather", "smart")
MAKING = ("train", "build", "addon", "morph", "research")


class Effects(NamedTuple):
    """What the real game made of the commands.

    commands: indices of commands that made something
    gathers: indices of orders to gather from a gas structure that was complete then
    idle: keys of units whose producer had nothing else to do when they were ordered
    waiting: (player, from loop, to loop, minerals, gas) of build orders that were paid but not begun
    begun: command that started a structure -> (loop of the start, key of the structure)
    """

    commands: frozenset[int]
    gathers: frozenset[int]
    idle: frozenset[int]
    waiting: tuple[tuple[int, int, int, int, int], ...]
    begun: Mapping[int, tuple[int, int]]


def effects(real: RealGame, facts: Facts) -> Effects:
    """Assigns each birth, start, change of type and upgrade to the latest command that explains it."""
    by_unit: dict[tuple[int, int], list[int]] = defaultdict(list)  # (unit key, product) -> commands
    by_player: dict[tuple[int, int], list[int]] = defaultdict(list)  # (player, product)
    for index, command in enumerate(real.commands):
        ability = facts.abilities.get(command.ability)
        if ability is None or ability.kind not in MAKING or not ability.product:
            continue
        by_player[command.player, ability.product].append(index)
        for key in command.units:
            by_unit[key, ability.product].append(index)
    used: set[int] = set()
    idle: set[int] = set()
    waiting = []
    begun: dict[int, tuple[int, int]] = {}
    upgrades = {upgrade.name: upgrade.id for upgrade in facts.upgrades.values()}
    births: set[tuple[int, int]] = set()
    for event in sorted(real.events, key=lambda event: -event.loop):
        product = upgrades.get(event.type, 0) if event.kind == "U" else facts.ids.get(event.type, 0)
        if event.kind == "B" and event.creator >= 0 and (event.creator, event.loop) not in births:
            found = _latest(real, facts, by_unit[event.creator, product], used, event.loop, timed=True)
            births.add((event.creator, event.loop))
            if found is not None and real.commands[found].loop + _loops(real, facts, found) == event.loop:
                idle.add(event.key)
        elif event.kind == "I":
            found = _builder(real, by_player[event.player, product], used, event)
            if found is not None and event.loop > real.commands[found].loop:
                ability = facts.abilities[real.commands[found].ability]
                paid = _first_of_run(real, found)
                waiting.append((event.player, paid, event.loop, ability.minerals, ability.gas))
            if found is not None:
                begun[found] = event.loop, event.key
        elif event.kind == "T":
            found = _latest(real, facts, by_unit[event.key, product], used, event.loop, timed=False)
        elif event.kind == "U":
            found = _latest(real, facts, by_player[event.player, product], used, event.loop, timed=True)
        else:
            found = None
        if found is not None:
            used.add(found)
    return Effects(frozenset(used), _gathers(real, facts), frozenset(idle), tuple(waiting), begun)


def _gathers(real: RealGame, facts: Facts) -> frozenset[int]:
    gas = {facts.names[kind] for kind in facts.gas_structures}
    places = {event.key for event in real.events if event.kind == "I" and event.type in gas}
    done = {event.key: event.loop for event in real.events if event.kind == "D" and event.key in places}
    return frozenset(
        index
        for index, command in enumerate(real.commands)
        if command.target in done and done[command.target] <= command.loop and kind_of(facts, command) in GATHERING
    )


def _loops(real: RealGame, facts: Facts, index: int) -> int:
    return round(facts.abilities[real.commands[index].ability].loops)


def _latest(
    real: RealGame, facts: Facts, options: Iterable[int], used: set[int], loop: int, *, timed: bool
) -> int | None:
    """The latest unused command that could have led to something at `loop`."""
    for index in reversed(list(options)):
        start = real.commands[index].loop + (_loops(real, facts, index) if timed else 0)
        if index not in used and start <= loop:
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
