"""Looks at the units of all battles, compiled: one pass over the records instead of several."""

from __future__ import annotations

from sim.engine.focus import CHOSEN, turn_to
from sim.engine.jit import rule
from sim.engine.state import BURROWED, CLOAKED, INSIDE, UNFINISHED


@rule
def idle(units, wanted, owner, battles, slots):
    """Write (battle, slot) of the owner's units without orders into battles, slots i8[B * slots]; returns how many.

    units UNIT[B, slots], wanted bool[B]: the battles that count.
    """
    count = 0
    for b in range(units.shape[0]):
        if not wanted[b]:
            continue
        for slot in range(units.shape[1]):
            unit = units[b, slot]
            if unit.alive and unit.owner == owner and unit.order_count == 0 and not unit.flags & INSIDE:
                battles[count] = b
                slots[count] = slot
                count += 1
    return count


@rule
def turning(units, orders, tables, types, weapons, visibility, wanted, owner, most, room, battles, slots, targets):
    """Write (battle, slot, slot of the target) of the owner's fighters who should turn to another target into battles,
    slots, targets i8[B * slots]; returns how many.

    units UNIT[B, slots], orders ORDER[B, slots, depth], wanted bool[B]: the battles that count; tables i4[B]: row of
    each in types TYPE[tables, PLAYERS, n] and weapons; visibility u1[B, PLAYERS, h, w]; most, room: see `turn_to`.
    """
    count = 0
    for b in range(units.shape[0]):
        if not wanted[b]:
            continue
        table = tables[b]
        turn_to(units[b], orders[b], types[table], weapons[table], visibility[b], owner, most, room)
        for slot in range(units.shape[1]):
            target = room[CHOSEN, slot]
            if target >= 0 and target != units[b, slot].target:
                battles[count] = b
                slots[count] = slot
                targets[count] = target
                count += 1
    return count


@rule
def any_hidden(units, owner):
    """True if some unit of the owner is cloaked or burrowed in some battle."""
    for b in range(units.shape[0]):
        for slot in range(units.shape[1]):
            unit = units[b, slot]
            if unit.alive and unit.owner == owner and unit.flags & (CLOAKED | BURROWED):
                return True
    return False


@rule
def mark_owned(units, owner, type_id, timer, found):
    """Set found bool[B] where the owner has a finished unit of the type whose `timer` is at least so much."""
    for b in range(units.shape[0]):
        for slot in range(units.shape[1]):
            unit = units[b, slot]
            if unit.type == type_id and unit.alive and unit.owner == owner and not unit.flags & UNFINISHED:
                found[b] |= unit.timer >= timer
