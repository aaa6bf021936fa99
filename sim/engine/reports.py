"""Events: what the kernel reports to the rules above it. Deaths and ends are never lost, hits may be."""

from __future__ import annotations

from sim.engine.jit import inlined, rule
from sim.engine.parameters import HIT_PERIOD
from sim.engine.state import HIT


@inlined
def is_news(loop, last_hit, slot):
    """Whether a hit is the unit's first of this period; under constant fire, too, each period has one. Slots shift the
    periods, so that the hits of a battle do not all report in the same loop."""
    return (loop + slot) // HIT_PERIOD != (last_hit + slot) // HIT_PERIOD


@rule
def report(world, events, kind, unit, other, value):
    """Append one event; a full list drops it, and hits leave room for the others."""
    count = world.event_count
    room = events.shape[0] // 2 if kind == HIT else events.shape[0]
    if count < room:
        row = events[count]
        row.kind = kind
        row.unit = unit
        row.other = other
        row.value = value
        world.event_count = count + 1
