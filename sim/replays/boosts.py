"""Chrono Boost in real games: when what a producer finished at some loop must have begun."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sim.replays.reader import RealGame

CHRONO, LOOPS, GAIN = 3755, 448, 0.5  # a boosted structure does one loop more in two
ROUNDS = 12  # the start converges by half the error a round
SLACK = 1  # loops that rounding may cost a boosted job

Boosts = Mapping[int, Sequence[int]]  # structure -> loops of the boosts that it was given, in order


def boosts(real: RealGame) -> Boosts:
    """The boosts that were ordered; one that the real game refused (no energy) was given again by the bot later."""
    found: dict[int, list[int]] = defaultdict(list)
    for command in real.commands:
        last = found[command.target][-1] if found.get(command.target) else -LOOPS
        if command.ability == CHRONO and command.target >= 0 and command.loop >= last + LOOPS:
            found[command.target].append(command.loop)
    return found


def start_of(given: Sequence[int], end: int, loops: int) -> tuple[int, bool]:
    """-> (the loop at which a job of so many loops that was over at `end` began, whether it was boosted)."""
    if not given:
        return end - loops, False
    start = float(end - loops)
    for _ in range(ROUNDS):
        shared = sum(max(0.0, min(end, at + LOOPS) - max(start, at)) for at in given)
        start = end - loops + GAIN * shared
    return round(start), start > end - loops
