"""Units as the bytes of protobuf messages, written by compiled code: an observation of hundreds of units must be cheap.

Each unit becomes one entry of `ObservationRaw.units`. Which fields a unit carries follows what real observations hold:
everything for own units, no orders or cargo for others, hardly more than a place for cloaked ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.engine.bufftable import INTERNAL
from sim.engine.jit import inlined, rule
from sim.engine.state import (
    BURROWED,
    CLOAKED,
    DETECTED,
    FLYING,
    HALLUCINATION,
    MAX_BUFFS,
    POWERED,
    REVEALED,
    STRUCTURE,
    UNFINISHED,
)
from sim.server.encode_own import fires, put_own, repair_of, tag_at
from sim.server.fields import put_float, put_number, put_point

OWN, OTHER, HIDDEN, VEILED, GLIMPSED = 0, 1, 2, 3, 4  # how much of a unit is shown
# veiled: what only lifting the fog shows; glimpsed: who killed out of the fog
MINERALS, GAS = 1, 2  # values of `KIND.resource`
MINERAL_BUFF, RICH_BUFF = 271, 272  # what a worker with minerals carries
GAS_BUFFS = (273, 273, 275, 274)  # by race: none (as Terran), Terran, Zerg, Protoss
RICH_LOADS = (7, 35)  # amounts that come from rich fields (worker, MULE)
SELF, ALLY, NEUTRAL, ENEMY = 1, 2, 3, 4  # alliances
NOBODY = -1  # no player: who watches all of them, and to whom all are allies
SHOWN, COPY, SHIMMER = 1, 2, 3  # display types
CLOAK_UNKNOWN, CLOAK_DETECTED, CLOAK_UNDETECTED, NOT_CLOAKED, CLOAKED_ALLIED = 0, 2, 1, 3, 4
MAP_OWNER = 16  # the map's player id on the wire
ENTRY = 2 << 3 | 2  # tag of ObservationRaw.units
ROOM = 832  # bytes reserved for one unit without orders and passengers
ROOM_ORDER, ROOM_PASSENGER = 40, 64
# odd multipliers of 64 bits, for chance (the last one splitmix64's)
_SEEDS, _LOOPS, _SLOTS, _SPREAD = map(
    np.uint64, (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0x8CB92BA72F3D8DD7, 0xBF58476D1CE4E5B9)
)

# What an observation adds to the record of a unit, by slot.
EXTRA = np.dtype(
    [
        ("shown", "u1"),  # OWN, OTHER, HIDDEN, VEILED or GLIMPSED
        ("selected", "u1"),
        ("miners", "i4"),  # workers of the player that gather from it or bring home from it
        ("assigned", "i4"),  # the same as its owner is told: of town halls the sum of their fields
        ("ideal", "i4"),
        ("hall", "i4"),  # of a mineral field: the player's town hall for which it counts, -1 = none
        ("waits", "i4"),  # of a worker at a gas structure that is not complete: the ability of its order, 0 = its own
        ("away", "f4"),  # and its distance from there, squared
    ],
    align=True,
)


class Look(NamedTuple):
    """What an observation is made from. `camera` f8[4]: its centre, and half its width and height, cells."""

    viewer: int
    camera: np.ndarray
    loop: int
    slots: int
    units: np.ndarray
    orders: np.ndarray
    jobs: np.ndarray
    players: np.ndarray
    types: np.ndarray  # TYPE[PLAYERS, types]
    kinds: np.ndarray  # KIND[types]
    extras: np.ndarray  # EXTRA[slots]
    lens: tuple[np.ndarray, np.ndarray]  # see `fields.put_float`


@rule
def list_units(units, side, in_sight, hidden, own_eyes, extras, listed):  # type: ignore[no-untyped-def]
    """Fills `listed` with the slots of who is in sight, then of who only shimmers; -> how many.

    `extras` are made anew, with how much is shown of each. bool [slots] each, or empty for nobody: `in_sight`,
    `hidden`, and `own_eyes`: whom the player would see under the fog as well (empty: no fog was lifted).
    """
    count = 0
    for slot in range(len(units)):
        extra = extras[slot]
        extra.shown = extra.selected = extra.miners = extra.assigned = extra.ideal = extra.waits = 0
        extra.hall = -1
    for slot in range(len(in_sight)):
        if in_sight[slot]:
            veiled = len(own_eyes) and not own_eyes[slot]
            own = units[slot].owner == side or (side == NOBODY and units[slot].owner > 0)  # allies tell all (observed)
            extras[slot].shown = VEILED if veiled else (OWN if own else OTHER)
            listed[count] = slot
            count += 1
    for slot in range(len(hidden)):
        if hidden[slot]:
            extras[slot].shown = HIDDEN
            listed[count] = slot
            count += 1
    return count


@rule
def falls(seed, loop, slot):  # type: ignore[no-untyped-def]
    """True for every second slot, by chance, anew in each loop of each game."""
    number = np.uint64(seed) * _SEEDS + np.uint64(loop) * _LOOPS + np.uint64(slot) * _SLOTS
    number = (number ^ number >> np.uint64(30)) * _SPREAD
    return (number ^ number >> np.uint64(27)) * _SPREAD >> np.uint64(63) != np.uint64(0)


@rule
def mix(slots, seed, loop, out):  # type: ignore[no-untyped-def]
    """Rising slots i8[n] in the order in which an observation lists units: each, from the highest down, is put before
    or behind those that are listed by chance, anew in each loop.

    So the real game has them: in all twelve recorded first observations slots rise to the highest and then fall, and in
    logs of pysc2's users the order changes from look to look.
    """
    first, last = 0, len(slots) - 1
    for k in range(len(slots)):
        if falls(seed, loop, slots[k]):
            out[last] = slots[k]
            last -= 1
        else:
            out[first] = slots[k]
            first += 1


@rule
def carried_buff(unit, race):  # type: ignore[no-untyped-def]
    """The buff that shows what a worker carries."""
    if unit.carry_gas:
        return GAS_BUFFS[race]
    return RICH_BUFF if unit.carry in RICH_LOADS else MINERAL_BUFF


@inlined
def put_state(out, at, unit, slot, kind, extra, look):  # type: ignore[no-untyped-def]
    """Life, levels and what else everybody sees of a unit in sight."""
    lens = look.lens
    first, resource = look.orders[slot, 0], look.kinds[unit.type].resource
    at = put_number(out, at, 11, extra.selected)
    active = unit.job_count > 0 or unit.order_count > 0 or fires(unit, kind) or repair_of(unit, first) > 0
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
    if resource == MINERALS:
        at = put_number(out, at, 18, max(unit.contents, 0))
    elif resource == GAS:
        at = put_number(out, at, 19, max(unit.contents, 0))
    at = put_number(out, at, 20, 1 if unit.flags & FLYING and kind.flying else 0)  # not what a beam holds up (observed)
    at = put_number(out, at, 21, 1 if unit.flags & BURROWED else 0)
    known = extra.shown == OWN or unit.flags & DETECTED  # an enemy's image looks real
    at = put_number(out, at, 38, 1 if unit.flags & HALLUCINATION and known else 0)
    if unit.carry > 0:
        at = put_number(out, at, 27, carried_buff(unit, look.players[unit.owner].race))
    for k in range(MAX_BUFFS):
        if 0 < unit.buff[k] < INTERNAL:
            at = put_number(out, at, 27, unit.buff[k])
    return at


@inlined
def put_unit(out, at, slot, look):  # type: ignore[no-untyped-def]
    """One entry of ObservationRaw.units; -> next position."""
    viewer, camera, lens = look.viewer, look.camera, look.lens
    unit = look.units[slot]
    extra = look.extras[slot]
    kind = look.types[unit.owner, unit.type]
    hidden = extra.shown == HIDDEN
    alliance = ALLY if viewer == NOBODY else ENEMY
    if unit.owner == 0:
        alliance = NEUTRAL
    elif unit.owner == viewer:
        alliance = SELF
    out[at] = np.uint8(ENTRY)
    start = at + 4  # the length is written last, padded to three bytes
    display = SHIMMER if hidden or extra.shown == VEILED else SHOWN
    at = put_number(out, start, 1, COPY if extra.shown == GLIMPSED else display)
    at = put_number(out, at, 2, alliance)
    at = put_number(out, at, 3, tag_at(slot, unit.generation))
    at = put_number(out, at, 4, unit.type)
    if not hidden:
        at = put_number(out, at, 5, MAP_OWNER if unit.owner == 0 else unit.owner)
    at = put_point(out, at, 6, unit.x, unit.y, unit.z, lens)
    if not hidden:
        at = put_float(out, at, 7, unit.facing if unit.facing >= 0 else unit.facing + 2 * np.pi, lens)
    at = put_float(out, at, 8, kind.api_radius, lens)
    if not hidden:  # a shimmer does not tell (observed)
        progress = 1.0
        if unit.build_left > 0 and unit.build_total > 0:
            progress = min(max(1.0 - unit.build_left / unit.build_total, 0.0), 1.0)
        at = put_float(out, at, 9, progress, lens)
    cloak = NOT_CLOAKED
    hides = CLOAKED if alliance == SELF else CLOAKED | BURROWED  # who only burrowed reads as not cloaked (observed)
    if unit.flags & hides and not unit.flags & REVEALED:
        cloak = CLOAKED_ALLIED if alliance == SELF else (CLOAK_UNDETECTED if hidden else CLOAK_DETECTED)
    if extra.shown >= VEILED:
        cloak = CLOAK_UNKNOWN
    at = put_number(out, at, 10, cloak)
    on_screen = abs(unit.x - camera[0]) < camera[2] and abs(unit.y - camera[1]) < camera[3]
    at = put_number(out, at, 12, 1 if on_screen else 0)
    at = put_number(out, at, 13, 0)
    if unit.owner == 0 or unit.flags & STRUCTURE:
        at = put_number(out, at, 35, 1 if unit.flags & POWERED else 0)
    if not hidden and extra.shown != GLIMPSED:
        if not unit.flags & UNFINISHED:
            if kind.detect > 0:
                at = put_float(out, at, 31, kind.detect, lens)
            if look.kinds[unit.type].radar > 0:
                at = put_float(out, at, 32, look.kinds[unit.type].radar, lens)
        at = put_state(out, at, unit, slot, kind, extra, look)
    if extra.shown == OWN:
        at = put_own(out, at, unit, slot, kind, extra, look)
    length = at - start
    out[start - 3] = np.uint8((length & 127) | 128)
    out[start - 2] = np.uint8((length >> 7 & 127) | 128)
    out[start - 1] = np.uint8(length >> 14 & 127)
    return at


@rule
def put_units(out, listed, look):  # type: ignore[no-untyped-def]
    """Writes the listed slots' units into `out`; -> bytes written, -1 where the room ran out."""
    at = 0
    for k in range(len(listed)):
        slot = listed[k]
        unit = look.units[slot]
        need = ROOM + ROOM_ORDER * (unit.order_count + unit.job_count + 1) + ROOM_PASSENGER * max(unit.cargo, 0)
        if at + need > len(out):
            return -1
        at = put_unit(out, at, slot, look)
    return at
