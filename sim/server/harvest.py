"""How many workers each town hall and gas structure has, and how many it wants, as observations report it."""

from __future__ import annotations

from sim.engine.jit import rule
from sim.engine.state import GATHER, RETURN, UNFINISHED
from sim.melee.harvest_fields import at_site

FIELD_RANGE = 10.0  # cells between a town hall's centre and a field that counts as its own
OF_GAS, OF_FIELD = 3, 2  # workers that a gas structure and a mineral field want


@rule
def count_harvesters(units, orders, kinds, player, slots, extras):  # type: ignore[no-untyped-def]
    """Sets `miners`, `assigned`, `ideal` and `waits` in `extras` (as `list_units` leaves them) for a player's units.

    A worker counts where it gathers from or brings home from; a mineral field counts for the nearest town hall.
    """
    for slot in range(slots):
        unit = units[slot]
        if not unit.alive or unit.owner != player:
            continue
        if kinds[unit.type].worker and unit.order_count > 0:
            goal = mined(unit, orders[slot, 0])
            if goal >= 0:
                extras[goal].miners += 1
            if at_site(units, orders, slot):
                extras[slot].waits = kinds[unit.type].waits
        if kinds[unit.type].hall and not unit.flags & UNFINISHED:
            claim_fields(units, kinds, slot, slots, extras)
    for slot in range(slots):
        unit = units[slot]
        if extras[slot].hall >= 0:
            extras[extras[slot].hall].assigned += extras[slot].miners
            extras[extras[slot].hall].ideal += OF_FIELD
        elif kinds[unit.type].gas and unit.alive and unit.owner == player and not unit.flags & UNFINISHED:
            extras[slot].assigned = extras[slot].miners
            extras[slot].ideal = OF_GAS if unit.contents > 0 else 0


@rule
def mined(unit, order):  # type: ignore[no-untyped-def]
    """Slot of what a worker mines under this order, negative where it does not."""
    if order.verb == GATHER:
        return unit.harvest_target if unit.harvest_target >= 0 else order.target
    return unit.harvest_target if order.verb == RETURN else -1


@rule
def claim_fields(units, kinds, hall, slots, extras):  # type: ignore[no-untyped-def]
    """Gives a town hall the mineral fields near it that are no nearer to one before it."""
    for slot in range(slots):
        field = units[slot]
        if kinds[field.type].mineral and field.alive:
            dx, dy = field.x - units[hall].x, field.y - units[hall].y
            away = dx * dx + dy * dy
            if away <= FIELD_RANGE * FIELD_RANGE and (extras[slot].hall < 0 or away < extras[slot].away):
                extras[slot].hall = hall
                extras[slot].away = away
