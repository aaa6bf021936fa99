"""Units as the bytes of protobuf messages, written by compiled code: an observation of hundreds of units must be cheap.

Each unit becomes one entry of `ObservationRaw.units`. Which fields a unit carries follows what real observations hold:
everything for own units, no orders or cargo for others, hardly more than a place for cloaked ones.
"""

from __future__ import annotations

import numpy as np

from sim.engine.bufftable import INTERNAL
from sim.engine.jit import rule
from sim.engine.state import (
    APPROACH,
    ATTACK_MOVE,
    BURROWED,
    CLOAKED,
    DETECTED,
    FLYING,
    FOLLOW,
    HALLUCINATION,
    MAX_BUFFS,
    MAX_WEAPONS,
    MOVE,
    PATROL,
    POWERED,
    REVEALED,
    STRUCTURE,
    ZONED,
)

OWN, OTHER, HIDDEN, VEILED = 0, 1, 2, 3  # how much of a unit is shown; veiled: what only lifting the fog shows
MINERALS, GAS = 1, 2  # kinds of resource in `Look`
SELF, ALLY, NEUTRAL, ENEMY = 1, 2, 3, 4  # alliances
NOBODY = -1  # no player: who watches all of them, and to whom all are allies
SHOWN, SHIMMER = 1, 3  # display types
CLOAK_UNKNOWN, CLOAK_DETECTED, CLOAK_UNDETECTED, NOT_CLOAKED, CLOAKED_ALLIED = 0, 2, 1, 3, 4
NO_UNIT = 1 << 32  # what a rally point on a unit that is gone names (observed)
LASTING = 1e6  # loops from which on a buff has no end to report
MAP_OWNER = 16  # the map's player id on the wire
ENTRY = 2 << 3 | 2  # tag of ObservationRaw.units
ANYWHERE = 1e5  # an order with a larger range aims at no point
TOWN_HALL_SIDE = 5  # footprint of town halls: real observations are silent about their cargo room while it is empty
NYDUS, WORM = 95, 142  # NydusNetwork, NydusCanal
FORMS = ((32, 388), (503, 2108), (734, 2554))  # sieged tank, burrowed lurker, guarding liberator: their first order
ATTACK = 23  # what a structure that fires by itself shows
ZONE_ORDER = 2558  # a Liberator's; its form shows in its stead
ROOM = 640  # bytes reserved for one unit without orders and passengers
ROOM_ORDER, ROOM_PASSENGER = 40, 64

# What an observation adds to the record of a unit, by slot.
EXTRA = np.dtype(
    [
        ("shown", "u1"),  # OWN, OTHER, HIDDEN or VEILED
        ("detector", "f4"),
        ("radar", "f4"),
        ("resource", "u1"),  # 0, MINERALS or GAS
        ("assigned", "i4"),
        ("ideal", "i4"),
        ("carried_buff", "i2"),  # the buff that shows what a worker carries, 0 = none
        ("selected", "u1"),
    ],
    align=True,
)


@rule
def put_varint(out, at, value):  # type: ignore[no-untyped-def]
    """Writes an unsigned integer at `at`; -> next position."""
    while value > 127:
        out[at] = np.uint8((value & 127) | 128)
        value >>= 7
        at += 1
    out[at] = np.uint8(value)
    return at + 1


@rule
def put_number(out, at, field, value):  # type: ignore[no-untyped-def]
    """A varint field (number, enum, bool)."""
    at = put_varint(out, at, field << 3)
    return put_varint(out, at, value)


@rule
def put_float(out, at, field, value, lens):  # type: ignore[no-untyped-def]
    """A float field; `lens` is (float32 [1], its bytes as uint8 [4])."""
    at = put_varint(out, at, field << 3 | 5)
    lens[0][0] = value
    for k in range(4):
        out[at + k] = lens[1][k]
    return at + 4


@rule
def put_point(out, at, field, x, y, z, lens):  # type: ignore[no-untyped-def]
    """A Point field."""
    at = put_varint(out, at, field << 3 | 2)
    out[at] = np.uint8(15)
    at = put_float(out, at + 1, 1, x, lens)
    at = put_float(out, at, 2, y, lens)
    return put_float(out, at, 3, z, lens)


@rule
def tag_at(units, slot, generation):  # type: ignore[no-untyped-def]
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
def put_orders(out, at, unit, slot, units, orders, jobs, kind, lens):  # type: ignore[no-untyped-def]
    """The production queue, then the orders, of an own unit; forms show before them what made them (observed)."""
    for k in range(unit.job_count):
        job = jobs[slot, k]
        progress = 0.0
        if job.started and job.total > 0:
            progress = max(1.0 - job.left / job.total, 1e-6)
        at = put_order(out, at, job.ability, 0, 0.0, 0.0, False, progress, lens)
    form = 0
    for k in range(len(FORMS)):
        if unit.type == FORMS[k][0]:
            form = FORMS[k][1]
            at = put_order(out, at, form, 0, 0.0, 0.0, False, 0.0, lens)
    for k in range(unit.order_count):
        order = orders[slot, k]
        if order.ability == 0 or (order.ability == ZONE_ORDER and form):
            continue
        if order.target >= 0:
            target = tag_at(units, order.target, order.target_generation)
            at = put_order(out, at, order.ability, target, 0.0, 0.0, False, 0.0, lens)
        else:
            aimed = order.verb in (MOVE, PATROL, ATTACK_MOVE, FOLLOW)
            aimed = aimed or (order.verb == APPROACH and order.range < ANYWHERE)
            at = put_order(out, at, order.ability, 0, order.x, order.y, aimed, 0.0, lens)
    if fires(unit, kind) and units[unit.target].alive and units[unit.target].generation == unit.target_generation:
        at = put_order(out, at, ATTACK, tag_at(units, unit.target, unit.target_generation), 0.0, 0.0, False, 0.0, lens)
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
            at = put_number(out, start, 1, tag_at(units, other, passenger.generation))
            at = put_float(out, at, 2, passenger.hp, lens)
            at = put_float(out, at, 3, passenger.hp_max, lens)
            at = put_float(out, at, 4, passenger.shield, lens)
            at = put_float(out, at, 7, passenger.shield_max, lens)
            at = put_float(out, at, 5, passenger.energy, lens)
            at = put_number(out, at, 6, passenger.type)
            out[start - 1] = np.uint8(at - start)
    return at


@rule
def put_state(out, at, unit, kind, extra, lens):  # type: ignore[no-untyped-def]
    """Life, levels and what else everybody sees of a unit in sight."""
    at = put_number(out, at, 11, extra.selected)
    active = unit.job_count > 0 or unit.order_count > 0 or fires(unit, kind)
    at = put_number(out, at, 39, 1 if active else 0)
    if kind.weapons[0] >= 0:
        at = put_number(out, at, 40, kind.attack_level)
    at = put_number(out, at, 41, kind.armor_level)
    at = put_number(out, at, 42, kind.shield_level)
    at = put_float(out, at, 14, unit.hp, lens)
    at = put_float(out, at, 15, unit.hp_max, lens)
    at = put_float(out, at, 16, min(unit.shield, unit.shield_max), lens)
    at = put_float(out, at, 36, unit.shield_max, lens)
    at = put_float(out, at, 17, unit.energy, lens)
    at = put_float(out, at, 37, kind.energy_max, lens)
    if extra.resource == MINERALS:
        at = put_number(out, at, 18, max(unit.contents, 0))
    elif extra.resource == GAS:
        at = put_number(out, at, 19, max(unit.contents, 0))
    at = put_number(out, at, 20, 1 if unit.flags & FLYING and kind.flying else 0)  # not what a beam holds up (observed)
    at = put_number(out, at, 21, 1 if unit.flags & BURROWED else 0)
    known = extra.shown == OWN or unit.flags & DETECTED  # an enemy's image looks real
    at = put_number(out, at, 38, 1 if unit.flags & HALLUCINATION and known else 0)
    if extra.carried_buff > 0:
        at = put_number(out, at, 27, extra.carried_buff)
    for k in range(MAX_BUFFS):
        if 0 < unit.buff[k] < INTERNAL:
            at = put_number(out, at, 27, unit.buff[k])
    return at


@rule
def put_own(out, at, unit, slot, units, orders, jobs, kind, extra, loop, slots, lens):  # type: ignore[no-untyped-def]
    """What only its owner is told of a unit."""
    at = put_orders(out, at, unit, slot, units, orders, jobs, kind, lens)
    if unit.addon >= 0 and unit.flags & STRUCTURE:
        at = put_number(out, at, 23, tag_at(units, unit.addon, units[unit.addon].generation))
    if kind.cargo_space > 0 and (kind.footprint != TOWN_HALL_SIDE or unit.cargo > 0):
        if unit.cargo > 0:
            at = put_passengers(out, at, slot, units, slots, lens)
        at = put_number(out, at, 25, unit.cargo)
        at = put_number(out, at, 26, kind.cargo_space)
    at = put_number(out, at, 28, extra.assigned)
    at = put_number(out, at, 29, extra.ideal)
    if kind.weapons[0] >= 0:
        cooldown = unit.cooldown[0]
        for k in range(1, MAX_WEAPONS):
            cooldown = max(cooldown, unit.cooldown[k])
        at = put_float(out, at, 30, max(cooldown, 0.0), lens)
    if unit.target >= 0 and units[unit.target].alive and units[unit.target].generation == unit.target_generation:
        at = put_number(out, at, 34, tag_at(units, unit.target, unit.target_generation))
    if unit.life_left > 0:
        at = put_number(out, at, 43, np.int64(unit.life_left))
        at = put_number(out, at, 44, np.int64(unit.life_left) + loop - unit.born)
    else:
        for k in range(MAX_BUFFS):
            if 0 < unit.buff[k] < INTERNAL and 0 < unit.buff_left[k] < LASTING:
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
            tag = tag_at(units, unit.rally_target, unit.rally_generation) if there else NO_UNIT
            at = put_number(out, at, 2, tag)
        out[start - 1] = np.uint8(at - start)
    return at


@rule
def put_unit(out, at, slot, viewer, camera, loop, slots, units, orders, jobs, types, extras, lens):  # type: ignore[no-untyped-def]
    """One entry of ObservationRaw.units; -> next position. camera: its centre, and half its width and height."""
    unit = units[slot]
    extra = extras[slot]
    kind = types[unit.owner, unit.type]
    hidden = extra.shown == HIDDEN
    alliance = ALLY if viewer == NOBODY else ENEMY
    if unit.owner == 0:
        alliance = NEUTRAL
    elif unit.owner == viewer:
        alliance = SELF
    out[at] = np.uint8(ENTRY)
    start = at + 4  # the length is written last, padded to three bytes
    at = put_number(out, start, 1, SHIMMER if hidden or extra.shown == VEILED else SHOWN)
    at = put_number(out, at, 2, alliance)
    at = put_number(out, at, 3, tag_at(units, slot, unit.generation))
    at = put_number(out, at, 4, unit.type)
    if not hidden:
        at = put_number(out, at, 5, MAP_OWNER if unit.owner == 0 else unit.owner)
    at = put_point(out, at, 6, unit.x, unit.y, unit.z, lens)
    if not hidden:
        at = put_float(out, at, 7, unit.facing if unit.facing >= 0 else unit.facing + 2 * np.pi, lens)
    at = put_float(out, at, 8, kind.api_radius, lens)
    progress = 1.0
    if unit.build_left > 0 and unit.build_total > 0:
        progress = min(max(1.0 - unit.build_left / unit.build_total, 0.0), 1.0)
    at = put_float(out, at, 9, progress, lens)
    cloak = NOT_CLOAKED
    if unit.flags & (CLOAKED | BURROWED) and not unit.flags & REVEALED:
        cloak = CLOAKED_ALLIED if alliance == SELF else (CLOAK_UNDETECTED if hidden else CLOAK_DETECTED)
    if extra.shown == VEILED:
        cloak = CLOAK_UNKNOWN
    at = put_number(out, at, 10, cloak)
    on_screen = abs(unit.x - camera[0]) < camera[2] and abs(unit.y - camera[1]) < camera[3]
    at = put_number(out, at, 12, 1 if on_screen else 0)
    at = put_number(out, at, 13, 0)
    if unit.owner == 0 or unit.flags & STRUCTURE:
        at = put_number(out, at, 35, 1 if unit.flags & POWERED else 0)
    if extra.detector > 0:
        at = put_float(out, at, 31, extra.detector, lens)
    if extra.radar > 0:
        at = put_float(out, at, 32, extra.radar, lens)
    if not hidden:
        at = put_state(out, at, unit, kind, extra, lens)
    if extra.shown == OWN:
        at = put_own(out, at, unit, slot, units, orders, jobs, kind, extra, loop, slots, lens)
    length = at - start
    out[start - 3] = np.uint8((length & 127) | 128)
    out[start - 2] = np.uint8((length >> 7 & 127) | 128)
    out[start - 1] = np.uint8(length >> 14 & 127)
    return at


@rule
def put_units(out, listed, viewer, camera, loop, slots, units, orders, jobs, types, extras, lens):  # type: ignore[no-untyped-def]
    """Writes the listed slots' units into `out`; -> bytes written, or minus the slot at which the room ran out."""
    at = 0
    for k in range(len(listed)):
        slot = listed[k]
        unit = units[slot]
        need = ROOM + ROOM_ORDER * (unit.order_count + unit.job_count + 1) + ROOM_PASSENGER * max(unit.cargo, 0)
        if at + need > len(out):
            return -1
        at = put_unit(out, at, slot, viewer, camera, loop, slots, units, orders, jobs, types, extras, lens)
    return at
