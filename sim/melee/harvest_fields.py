"""Mining, compiled: whose a field is, and which one a worker chooses."""

from __future__ import annotations

from sim.engine.jit import rule
from sim.engine.state import GATHER, MOVE, UNFINISHED
from sim.melee.harvest_places import GAS, MINERALS, MULE, WAIT, WORK

SEARCH_RADIUS = 10.0  # catalog: AcquireRadius of the harvest ability
RESERVED = 128  # loops that a marker lasts (of who had gone elsewhere real ones did 129 and less, not 131)
MARKED_FROM = 0.5  # cells off the footprint, an eighth before touch (docs/fidelity/mining.md, Who finds its field busy)
PATIENCE = 0.5  # harvests that a worker waits for a busy field (there, too)
NOBODY, ANYBODY = -1, 1 << 16  # markers that a field may have at most: none, nor anybody on the way; any number


@rule
def is_field(units, table, slot, owner):
    """The slot holds something that a worker of the owner can harvest."""
    unit = units[slot]
    if unit.alive == 0:
        return False
    role = table[unit.type].role
    if unit.contents <= 0:
        return False  # an empty geyser is no field any more (Liquipedia: depleted ones give nothing)
    return role == MINERALS or (role == GAS and unit.owner == owner)


@rule
def holds(units, orders, holder, field):
    """The worker noted at a field is still at work on it."""
    unit = units[holder]
    if unit.alive == 0 or unit.order_count == 0 or unit.harvest_stage != WORK:
        return False
    return orders[holder, 0].verb == GATHER and orders[holder, 0].target == field


@rule
def at_work(world, units, orders, table, slot, field):
    """Slot of the one at work on a field whom a worker has to wait for, -1 = nobody.

    A worker and a MULE harvest a field at the same time, two MULEs do not (players): of two called to one field the
    later one mines elsewhere (docs/fidelity/mining.md, MULEs).
    """
    if table[units[slot].type].role == MULE:
        for other in range(world.slots):
            if other != slot and table[units[other].type].role == MULE and holds(units, orders, other, field):
                return other
        return -1
    holder = units[field].occupant
    return holder if holder >= 0 and holder != slot and holds(units, orders, holder, field) else -1


@rule
def mark(world, unit, field):
    """The worker puts its marker on a mineral field, off the one where that was."""
    unit.marked = field
    unit.marked_loop = world.loop


@rule
def markers(world, units, table, field, besides):
    """How many others of the worker's sort (see `at_work`) have the field marked.

    A worker marks its field as it comes to it, as long as it is there, and when it has turned to it from a busy one;
    not when it is told to go there or comes back from the town hall.
    """
    count = 0
    role = table[units[besides].type].role
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or slot == besides or unit.marked != field or table[unit.type].role != role:
            continue
        if world.loop - unit.marked_loop < RESERVED:
            count += 1
    return count


@rule
def is_sought(world, units, orders, table, field, besides):
    """Another of the worker's sort (see `at_work`) is about to harvest the field, or led there by a move."""
    role = table[units[besides].type].role
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or slot == besides or unit.order_count == 0 or table[unit.type].role != role:
            continue
        n = 1 if orders[slot, 0].verb == MOVE and unit.order_count > 1 else 0
        if orders[slot, n].verb == GATHER and orders[slot, n].target == field:
            return True
    return False


@rule
def find_field(world, units, orders, table, slot, x, y, most):
    """The mineral field within SEARCH_RADIUS of a point that a worker goes to from there: one that the fewest others
    have marked, at most `most` (NOBODY: none, and none is on the way), the nearest such, not the one that it has. -1 =
    none."""
    best = -1
    best_rank = max(most, 0) + 1
    best_distance = 0.0
    for other in range(world.slots):
        field = units[other]
        if field.alive == 0 or table[field.type].role != MINERALS or field.contents <= 0:
            continue
        distance = (field.x - x) ** 2 + (field.y - y) ** 2
        if distance > SEARCH_RADIUS * SEARCH_RADIUS or other == units[slot].harvest_target:
            continue
        rank = markers(world, units, table, other, slot)
        if most == NOBODY and is_sought(world, units, orders, table, other, slot):
            continue
        if rank < best_rank or (rank == best_rank and best >= 0 and distance < best_distance):
            best = other
            best_rank = rank
            best_distance = distance
    return best


@rule
def at_site(units, orders, slot):
    """It waits at a gas structure that is not complete."""
    unit = units[slot]
    goal = unit.harvest_target
    if unit.order_count == 0 or orders[slot, 0].verb != GATHER or unit.harvest_stage != WAIT or goal < 0:
        return False
    return units[goal].flags & UNFINISHED != 0


@rule
def waiting(world, units, orders, table, field, besides):
    """How many others of the worker's sort (see `at_work`) wait for a field."""
    count = 0
    role = table[units[besides].type].role
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or slot == besides or unit.harvest_target != field or unit.order_count == 0:
            continue
        if table[unit.type].role != role:
            continue
        if orders[slot, 0].verb == GATHER and unit.harvest_stage == WAIT:
            count += 1
    return count


@rule
def other_field(world, units, orders, table, slot, holder):
    """A field for a worker that has come to one at which `holder` is at work, -1 = none, so that it waits: one that
    nobody has marked at any time; with more than PATIENCE to wait one that fewer others have marked than this one.

    So the workers of 44 sides of the ladder did whose bots sent them back at once, or steered them to whatever field
    they had turned to: see docs/fidelity/mining.md, Who finds its field busy.
    """
    unit = units[slot]
    here = unit.harvest_target
    harvest = table[units[here].type].loops * table[unit.type].factor
    wait = units[holder].harvest_timer + harvest * waiting(world, units, orders, table, here, slot)
    most = NOBODY
    if wait > PATIENCE * harvest:
        most = max(markers(world, units, table, here, slot) - 1, 0)
    return find_field(world, units, orders, table, slot, unit.x, unit.y, most)
