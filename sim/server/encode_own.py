"""What its owner and who watches all players are told of a unit, as bytes: orders, passengers, harvesters, rally."""

from __future__ import annotations

import numpy as np

from sim.engine.answer import goes_home
from sim.engine.bufftable import INTERNAL, TIMED
from sim.engine.jit import inlined, rule
from sim.engine.mending import mends_by_itself
from sim.engine.order import ANYWHERE
from sim.engine.shown import shown_cooldown
from sim.engine.state import APPROACH, ATTACK_MOVE, FOLLOW, INSIDE, MAX_BUFFS, MOVE, PATROL, STRUCTURE, ZONED
from sim.server.fields import put_float, put_number, put_point, put_varint

NO_UNIT = 1 << 32  # what a rally point on a unit that is gone names (observed)
LASTING = 1e6  # loops from which on a buff has no end to report
SECOND = 16  # loops: lives are shown in whole normal seconds, as the catalog has them (1440 of a real MULE)
TOWN_HALL_SIDE = 5  # footprint of town halls: real ones are silent about their cargo room in loop 0, not in loop 2
NYDUS, WORM = 95, 142  # NydusNetwork, NydusCanal
GUARDING = 734  # a Liberator over its zone: the order is aimed at itself (observed)
FORMS = ((32, 388), (503, 2108), (GUARDING, 2554))  # with it a sieged tank and a burrowed lurker: their first order
# Baneling, brood lord, overseer, lurker, ravager and transport: their order shows how far they are (observed)
COCOONS = (8, 113, 128, 501, 687, 892)
ATTACK = 23  # what a structure that fires by itself shows
REPAIRS = ((45, 316), (268, 78))  # an SCV's and a MULE's
BOARD, MOVE_ON = 1, 16  # who is on the way aboard is moving there (the official C++ client's tests of the real game)
MORPHS = ((2558, 2554), (2560, 2556))  # a Liberator's orders, and the morphs that it runs in their place (observed)


@rule
def tag_at(slot, generation):  # type: ignore[no-untyped-def]
    """API tag of the unit of this generation in this slot."""
    return (np.int64(slot) << 18) + (np.int64(generation) & 0x3FFFF) + (1 << 32)


@rule
def put_order(out, at, ability, target, x, y, has_point, progress, lens):  # type: ignore[no-untyped-def]
    """One UnitOrder; `target` is a tag or 0."""
    at = put_varint(out, at, 22 << 3 | 2)
    start = at + 1  # an order is shorter than 128 bytes: one byte of length
    at = put_number(out, start, 1, ability)
    if has_point:
        at = put_point(out, at, 2, x, y, 0.0, lens)
    if target > 0:
        at = put_number(out, at, 3, target)
    if progress > 0:
        at = put_float(out, at, 4, progress, lens)
    out[start - 1] = np.uint8(at - start)
    return at


@rule
def fires(unit, kind):  # type: ignore[no-untyped-def]
    """A structure that has taken up a target by itself: it carries out an attack (observed)."""
    return unit.flags & STRUCTURE and unit.order_count == 0 and unit.target >= 0 and kind.weapons[0] >= 0


@rule
def engaged(unit, units):  # type: ignore[no-untyped-def]
    """It has a target that is still there: not dead, and in no transport."""
    if unit.target < 0:
        return False
    target = units[unit.target]
    return target.alive != 0 and target.generation == unit.target_generation and not target.flags & INSIDE


@rule
def grown(unit, order):  # type: ignore[no-untyped-def]
    """How far the morph in a cocoon is, 0 to 1; 0 for all others."""
    for k in range(len(COCOONS)):
        if unit.type == COCOONS[k] and order.verb == APPROACH and order.x2 > 0:  # x2 of a patrol is a place
            return max(1.0 - order.timer / order.x2, 1e-6)
    return 0.0


@rule
def running(order):  # type: ignore[no-untyped-def]
    """The ability that the unit runs for this order."""
    for k in range(len(MORPHS)):
        if order.ability == MORPHS[k][0] and order.stage > 0:
            return MORPHS[k][1]
    return order.ability


@rule
def repair_of(unit, order):  # type: ignore[no-untyped-def]
    """The order of who repairs by itself: what it leaves for it stands behind (observed); 0 for all others."""
    if mends_by_itself(unit, order):
        for k in range(len(REPAIRS)):
            if unit.type == REPAIRS[k][0]:
                return REPAIRS[k][1]
    return 0


@inlined
def put_orders(out, at, unit, slot, kind, extra, look):  # type: ignore[no-untyped-def]
    """The production queue, then the orders, of an own unit; forms show before them what made them (observed)."""
    units, orders, lens = look.units, look.orders, look.lens
    for k in range(unit.job_count):
        job = look.jobs[slot, k]
        progress = 0.0
        if job.started and job.total > 0:
            progress = max(1.0 - job.left / job.total, 1e-6)
        at = put_order(out, at, job.ability, 0, 0.0, 0.0, False, progress, lens)
    form = 0  # also what an order without an ability has
    for k in range(len(FORMS)):
        if unit.type == FORMS[k][0]:
            form = FORMS[k][1]
            target = tag_at(slot, unit.generation) if unit.type == GUARDING else 0
            at = put_order(out, at, form, target, 0.0, 0.0, False, 0.0, lens)
    mending = repair_of(unit, orders[slot, 0]) if engaged(unit, units) else 0
    if mending:
        at = put_order(out, at, mending, tag_at(unit.target, unit.target_generation), 0.0, 0.0, False, 0.0, lens)
    if goes_home(unit) or (mending and unit.order_count == 0 and unit.home_x >= 0):
        at = put_order(out, at, MOVE_ON, 0, unit.home_x, unit.home_y, True, 0.0, lens)  # back to where it stood
    for k in range(unit.order_count):
        order = orders[slot, k]
        shown = running(order)
        if shown == form:
            continue
        if order.target >= 0:
            target = tag_at(order.target, order.target_generation)
            shown = MOVE_ON if order.ability == BOARD else order.ability
            if k == 0 and extra.waits:
                shown = extra.waits
            at = put_order(out, at, shown, target, 0.0, 0.0, False, 0.0, lens)
        else:
            aimed = order.verb in (MOVE, PATROL, ATTACK_MOVE, FOLLOW)
            aimed = aimed or (order.verb == APPROACH and order.range != ANYWHERE and shown == order.ability)
            progress = grown(unit, order) if k == 0 else 0.0
            at = put_order(out, at, shown, 0, order.x, order.y, aimed, progress, lens)
    if fires(unit, kind) and engaged(unit, units):
        at = put_order(out, at, ATTACK, tag_at(unit.target, unit.target_generation), 0.0, 0.0, False, 0.0, lens)
    return at


@rule
def shared(units, slot, carrier):  # type: ignore[no-untyped-def]
    """Who is inside `carrier` is a passenger of `slot`: the same one, or both exits of one player's Nydus network."""
    if slot == carrier:
        return True
    a, b = units[slot], units[carrier]
    return a.owner == b.owner and (a.type == NYDUS or a.type == WORM) and (b.type == NYDUS or b.type == WORM)


@rule
def put_passengers(out, at, slot, units, slots, lens):  # type: ignore[no-untyped-def]
    """Units inside an own transport."""
    for other in range(slots):
        passenger = units[other]
        if passenger.alive and passenger.inside >= 0 and shared(units, slot, passenger.inside):
            at = put_varint(out, at, 24 << 3 | 2)
            start = at + 1
            at = put_number(out, start, 1, tag_at(other, passenger.generation))
            at = put_float(out, at, 2, passenger.hp, lens)
            at = put_float(out, at, 3, passenger.hp_max, lens)
            at = put_float(out, at, 4, passenger.shield, lens)
            at = put_float(out, at, 7, passenger.shield_max, lens)
            at = put_float(out, at, 5, passenger.energy, lens)
            at = put_number(out, at, 6, passenger.type)
            out[start - 1] = np.uint8(at - start)
    return at


@inlined
def put_own(out, at, unit, slot, kind, extra, look):  # type: ignore[no-untyped-def]
    """What enemies are not told of a unit; `look` is a `Look` (`encode.py`)."""
    units, loop, lens = look.units, look.loop, look.lens
    at = put_orders(out, at, unit, slot, kind, extra, look)
    if unit.addon >= 0 and unit.flags & STRUCTURE:
        at = put_number(out, at, 23, tag_at(unit.addon, units[unit.addon].generation))
    if kind.cargo_space > 0 and (loop > 0 or kind.footprint != TOWN_HALL_SIDE):
        if unit.cargo > 0:
            at = put_passengers(out, at, slot, units, look.slots, lens)
        at = put_number(out, at, 25, unit.cargo)
        at = put_number(out, at, 26, kind.cargo_space)
    at = put_number(out, at, 28, extra.assigned)
    at = put_number(out, at, 29, extra.ideal)
    if kind.weapons[0] >= 0:
        at = put_float(out, at, 30, shown_cooldown(unit), lens)
    if engaged(unit, units):
        at = put_number(out, at, 34, tag_at(unit.target, unit.target_generation))
    if unit.life_left > 0:
        whole = np.int64(unit.life_left) + loop - unit.born
        whole -= whole % SECOND
        at = put_number(out, at, 43, min(np.int64(unit.life_left), whole))
        at = put_number(out, at, 44, whole)
    else:
        for k in range(MAX_BUFFS):
            told = 0 < unit.buff[k] < INTERNAL or unit.buff[k] in TIMED
            if told and 0 < unit.buff_left[k] < LASTING:
                at = put_number(out, at, 43, np.int64(unit.buff_left[k]))
                at = put_number(out, at, 44, np.int64(unit.buff_total[k]))
                break
    if 0 < unit.rally < ZONED:
        at = put_varint(out, at, 45 << 3 | 2)
        start = at + 1
        at = put_point(out, start, 1, unit.rally_x, unit.rally_y, 0.0, lens)
        if unit.rally == 2 and unit.rally_target >= 0:
            goal = units[unit.rally_target]
            there = goal.alive and goal.generation == unit.rally_generation
            tag = tag_at(unit.rally_target, unit.rally_generation) if there else NO_UNIT
            at = put_number(out, at, 2, tag)
        out[start - 1] = np.uint8(at - start)
    return at
