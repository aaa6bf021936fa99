"""Which commands the real game carried out, told from what the replay tracked afterwards."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sim.facts import Ability, Facts
from sim.replays.boosts import SLACK, Boosts, boosts, start_of
from sim.replays.casts import Job, boosted, injected
from sim.replays.reader import QUEUED, RealCommand, RealEvent, RealGame

SITE = 1.6  # cells between a build order's point and the whole cell of the structure
ADDON = 3  # whole cells from a host to its add-on, to the right
LONGEST_WALK = 2000  # loops between a build order and its structure
GATHERING = ("gather", "smart")
FOR_EVER = 1 << 30
TURNING = dict.fromkeys(("morph", "lift", "land"), "T")
MAKING = {"train": "B", "build": "I", "addon": "I", "warp": "I", "research": "U"} | TURNING
"""Kind of ability -> kind of event."""
CALLED = {"CalldownMULE": "MULE"}  # spell -> unit that is born of it


class Effects(NamedTuple):
    """What the real game made of the commands.

    commands: indices of commands that made something
    gathers: indices of orders to gather from a gas structure
    casts: indices of boosts and injects that took effect
    idle: keys of units whose producer had nothing else to do when they were ordered
    waiting: (player, from loop, to loop, minerals, gas) of what was paid and is in no book: builders' orders and queued
        units until they begin, research for ever
    begun: command that started a structure -> (loop of the start, key of the structure)
    done: key of a structure -> loop at which it was complete
    """

    commands: frozenset[int]
    gathers: frozenset[int]
    casts: frozenset[int]
    idle: frozenset[int]
    waiting: tuple[tuple[int, int, int, int, int], ...]
    begun: Mapping[int, tuple[int, int]]
    done: Mapping[int, int]


def effects(real: RealGame, facts: Facts) -> Effects:
    """Assigns each birth, start, change of type and upgrade to the latest command that explains it."""
    told = _Explanations(real, facts)
    upgrades = {upgrade.name: upgrade.id for upgrade in facts.upgrades.values()}
    for event in sorted(real.events, key=lambda event: -event.loop):
        if event.kind not in EXPLAIN or (event.loop > real.loops and event.kind != "U"):
            continue  # long games have commands up to a loop only
        ordered = event.type.removesuffix("Rich")  # of a gas structure on a rich geyser
        product = upgrades.get(event.type, 0) if event.kind == "U" else facts.ids.get(ordered, 0)
        found = EXPLAIN[event.kind](told, event, product)
        if found is not None:
            told.used.add(found)
    casts = frozenset((*boosted(real, told.boosts, told.boosted), *injected(real, facts)))
    gathers, idle = _gathers(real, facts), frozenset(told.idle)
    return Effects(frozenset(told.used), gathers, casts, idle, tuple(told.waiting), told.begun, told.done)


class _Explanations:
    """The commands that may explain an event, and what has been explained so far, the latest events first."""

    def __init__(self, real: RealGame, facts: Facts) -> None:
        self.real, self.facts, self.boosts = real, facts, boosts(real)
        self.by_unit: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        """(event, unit key, product) -> commands."""
        self.by_player: dict[tuple[str, int, int], list[int]] = defaultdict(list)
        """(event, player, product) -> commands."""
        self.used: set[int] = set()
        self.idle: set[int] = set()
        self.boosted: list[Job] = []
        self.waiting: list[tuple[int, int, int, int, int]] = []
        self.begun: dict[int, tuple[int, int]] = {}
        self.told: dict[int, list[int]] = defaultdict(list)  # unit -> commands that it carries out at once
        self.done = {event.key: event.loop for event in real.events if event.kind == "D"}
        self._births: set[tuple[int, int]] = set()
        for index, command in enumerate(real.commands):
            for key in command.units if not command.flags & QUEUED else ():
                self.told[key].append(index)
            ability = facts.abilities.get(command.ability)
            product = facts.ids.get(CALLED.get(ability.name, ""), ability.product) if ability else 0
            event = "B" if ability and ability.name in CALLED else MAKING.get(ability.kind, "") if ability else ""
            if not event or not product:
                continue
            self.by_player[event, command.player, product].append(index)
            for key in command.units:
                self.by_unit[event, key, product].append(index)

    def birth(self, event: RealEvent, product: int) -> int | None:
        """A unit is born: its producer's latest order, once for all that are born together."""
        if event.creator < 0 or (event.creator, event.loop) in self._births:
            return None
        self._births.add((event.creator, event.loop))
        real, facts, given = self.real, self.facts, self.boosts
        found = _latest(real, facts, self.by_unit["B", event.creator, product], self.used, event.loop, given)
        if found is not None:
            ordered, (start, slack) = real.commands[found].loop, _start(real, facts, found, event.loop, given)
            if abs(start - ordered) <= slack:
                self.idle.add(event.key)
                self.boosted += [Job(event.creator, ordered, event.loop)] if slack else []
            elif start > ordered:
                self.waiting.append(_paid(real, facts, found, ordered, start))
        return found

    def start(self, event: RealEvent, product: int) -> int | None:
        """A structure is begun: the latest order to build it in just that place, or beside it where none was given;
        until then its price is in no book."""
        there = _builders(self.real, self.by_player["I", event.player, product], self.used, event)
        shape = self.facts.shapes.get(product, (1, 1))
        there = [index for index in there if _names(self.real.commands[index], event, shape)] or there
        found = next((n for n in there if not self._called_off(n, event)), there[0] if there else None)
        if found is not None:
            ordered = _first_of_run(self.real, found)
            if event.loop > ordered:
                self.waiting.append(_paid(self.real, self.facts, found, ordered, event.loop))
            self.begun[found] = event.loop, event.key
        return found

    def _called_off(self, index: int, event: RealEvent) -> bool:
        """Its worker was told something else before the structure was begun or, if he has to stay, complete: of two who
        were sent to one site, he came too late."""
        command = self.real.commands[index]
        stays = self.real.races[command.player] != "Protoss"
        end = self.done.get(event.key, FOR_EVER) if stays else event.loop
        later = self.told[command.units[0]][bisect_right(self.told[command.units[0]], index) :]
        return bool(later) and self.real.commands[later[0]].loop < end

    def change(self, event: RealEvent, product: int) -> int | None:
        """A unit changes its type."""
        return _latest(self.real, self.facts, self.by_unit["T", event.key, product], self.used, event.loop)

    def upgrade(self, event: RealEvent, product: int) -> int | None:
        """A research ends; no book ever holds its price."""
        real, facts, given = self.real, self.facts, self.boosts
        found = _latest(real, facts, self.by_player["U", event.player, product], self.used, event.loop, given)
        if found is None or _start(real, facts, found, event.loop, given)[0] > real.loops:
            return None
        self.waiting.append(_paid(real, facts, found, real.commands[found].loop, FOR_EVER))
        return found


EXPLAIN = {
    "B": _Explanations.birth,
    "I": _Explanations.start,
    "T": _Explanations.change,
    "U": _Explanations.upgrade,
}
"""By the kind of event; the others (deaths, completions) no command explains."""


def _paid(real: RealGame, facts: Facts, index: int, since: int, until: int) -> tuple[int, int, int, int, int]:
    """An entry of `Effects.waiting`: the price of what a command made, between its order and its start."""
    ability = facts.abilities[real.commands[index].ability]
    return real.commands[index].player, since, until, ability.minerals, ability.gas


def _gathers(real: RealGame, facts: Facts) -> frozenset[int]:
    gas = {facts.names[kind] for kind in facts.gas_structures}
    places = {event.key for event in real.events if event.kind == "I" and event.type in gas}
    return frozenset(
        index
        for index, command in enumerate(real.commands)
        if command.target in places and kind_of(facts, command) in GATHERING
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


def _builders(real: RealGame, options: Iterable[int], used: set[int], event: RealEvent) -> list[int]:
    """The unused build commands that may have started a structure, the latest first. One for an add-on names no site:
    its host stood beside it, unless none of the hosts did (they have flown)."""
    hosts = {e.key for e in real.events if e.kind == "I" and (e.x, e.y) == (event.x - ADDON, event.y)}
    if any(real.commands[index].units[0] in hosts for index in options):
        options = [index for index in options if real.commands[index].units[0] in hosts or _aimed(real.commands[index])]
    return [index for index in reversed(list(options)) if index not in used and _leads_to(real.commands[index], event)]


def _leads_to(command: RealCommand, event: RealEvent) -> bool:
    """A build command that may have started this structure."""
    if not event.loop - LONGEST_WALK <= command.loop <= event.loop:
        return False
    return not _aimed(command) or (abs(command.x - 0.5 - event.x) <= SITE and abs(command.y - 0.5 - event.y) <= SITE)


def _names(command: RealCommand, event: RealEvent, shape: tuple[int, int]) -> bool:
    """The command names just this place, if it names any: structures of an even width stand on the cells' corners."""
    places = zip((command.x, command.y), (event.x, event.y), shape, strict=True)
    return not _aimed(command) or all(int(at + (width % 2 == 0) / 2) == cell for at, cell, width in places)


def _aimed(command: RealCommand) -> bool:
    """It names a point or a unit."""
    return command.has_point or command.target >= 0


def _first_of_run(real: RealGame, index: int) -> int:
    """Loop of the first of equal build commands to one worker that end with this one."""
    last = real.commands[index]
    begun = last.loop
    for command in reversed(real.commands[:index]):
        if begun - command.loop > LONGEST_WALK:
            break
        if last.units[0] in command.units and not command.flags & QUEUED:
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
