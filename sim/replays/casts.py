"""Which boosts and injects the real game carried out, told from what came of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sim.facts import Facts
from sim.replays.boosts import CHRONO, LOOPS, Boosts
from sim.replays.reader import RealGame

INJECT = "SpawnLarva"
HATCH = 641  # loops at the least between an inject and the first of its larvae (chained ones; 644 else)
BROOD = (0, 4, 8)  # when they come
WALK = 200  # loops at the most between the order and the inject


class Job(NamedTuple):
    """What a boosted producer made, from the loop of its order on."""

    producer: int
    start: int
    end: int


def boosted(real: RealGame, given: Boosts, jobs: Iterable[Job]) -> Iterator[int]:
    """The commands that boosted these jobs."""
    chrono = [(n, command) for n, command in enumerate(real.commands) if command.ability == CHRONO]
    first = {(command.target, command.loop): n for n, command in reversed(chrono)}
    for job in jobs:
        yield from (first[job.producer, at] for at in given[job.producer] if job.start - LOOPS < at < job.end)


def injected(real: RealGame, facts: Facts) -> Iterator[int]:
    """The latest order to inject a town hall before three larvae came out of it together."""
    born: Mapping[int, set[int]] = defaultdict(set)  # town hall -> loops
    for event in real.events:
        if event.kind == "B" and event.type == "Larva":
            born[event.creator].add(event.loop)
    told: dict[int, list[int]] = defaultdict(list)  # town hall -> commands
    for index, command in enumerate(real.commands):
        ability = facts.abilities.get(command.ability)
        if ability is not None and ability.name == INJECT:
            told[command.target].append(index)
    for hall, orders in told.items():
        for loop in sorted(born[hall]):
            if not all(loop + later in born[hall] for later in BROOD):
                continue
            last = loop - HATCH
            found = [index for index in orders if last - WALK <= real.commands[index].loop <= last]
            yield from found[-1:]
