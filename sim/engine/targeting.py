"""Whom a unit fights: weapons against planes, who may be a target, and the search for the best one."""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import AIR, GROUND
from sim.engine.geometry import between, heading, seen, wrap
from sim.engine.grid import band, lane_of, record_of
from sim.engine.jit import inlined, lowest, rule
from sim.engine.lanes import bits_of, load
from sim.engine.parameters import BLIND_RANGE, THREAT, ZONE_RADIUS
from sim.engine.state import (
    BLINDED,
    BURROWED,
    CLOAKED,
    DETECTED,
    DISARMED,
    FLYING,
    FORMING,
    INSIDE,
    INVULNERABLE,
    SPARES_STRUCTURES,
    STRUCTURE,
    TALL,
    UNFINISHED,
    ZONED,
)
from sim.engine.traits import repairs, weapon_against
from sim.engine.world import ANY_PLANE, BODY, HIDDEN, HITS_AIR, HITS_GROUND, IN_AIR, LANES, TARGETABLE

_ONE, _NOBODY = np.uint32(1), np.int32(0)
_SHOWN, _VISIBLE = np.uint32(TARGETABLE), np.uint32(TARGETABLE | HIDDEN)
TOUCH = 1 / 16  # cells between two bodies that touch
_ROUNDED = 0.01  # cells: a first look is this much too wide, the exact distance decides


@inlined
def edge_distance(a, kind_a, b, kind_b):
    """Distance of two units from edge to edge; 0 where they overlap."""
    return max(between(a.x, a.y, b.x, b.y) - kind_a.radius - kind_b.radius, 0.0)


@inlined
def fight_distance(a, kind_a, b, kind_b):
    """Distance from edge to edge as weapons count it: nothing to a structure whose ground the body touches. A town hall
    has a radius of 2 but stands on five cells, rocks have .5 and stand on six: else no Zergling could bite them. Nor to
    an egg or an uprooted crawler that it touches: their bodies keep others farther off than a claw reaches."""
    gap = edge_distance(a, kind_a, b, kind_b)
    bodies = kind_a.separation + kind_b.separation + TOUCH
    if gap > 0.0 and kind_b.separation > kind_b.radius and between(a.x, a.y, b.x, b.y) <= bodies:
        return np.float64(0.0)
    if gap > 0.0 and b.flags & STRUCTURE and kind_b.speed <= 0.0:
        half = kind_b.footprint * 0.5 if kind_b.footprint > 0 else kind_b.api_radius
        dx = max(abs(a.x - b.x) - half, 0.0)
        dy = max(abs(a.y - b.y) - half, 0.0)
        if dx * dx + dy * dy <= kind_a.radius * kind_a.radius:
            return np.float64(0.0)
    return np.float64(gap)


@inlined
def range_of(unit, weapon):
    """How far a weapon reaches in its unit's hands now: blades are not blinded."""
    if unit.flags & BLINDED and not weapon.melee:
        return min(weapon.range, BLIND_RANGE)
    return weapon.range


@inlined
def armed(unit):
    """True if the unit's state lets it fire."""
    return not unit.flags & (DISARMED | UNFINISHED | INSIDE)


@inlined
def hidden(unit):
    """True if the unit's enemies cannot fight it where they see its place."""
    return unit.flags & (CLOAKED | BURROWED) != 0 and not unit.flags & DETECTED


@inlined
def is_there(units, slot, generation):
    """True if the slot still holds the living unit that was meant; -1 is nobody."""
    return slot >= 0 and units[slot].alive != 0 and units[slot].generation == generation


@inlined
def can_be_target(units, visibility, owner, slot, generation):
    """True if the owner can fight the unit that the slot and generation name: there, seen, detected, vulnerable."""
    if slot < 0:
        return False
    unit = units[slot]
    if not unit.alive or unit.generation != generation or unit.flags & (INSIDE | INVULNERABLE):
        return False
    if unit.owner == owner:
        return True
    return not hidden(unit) and seen(visibility, owner, unit.x, unit.y)


@inlined
def in_zone(unit, x, y, radius, structure):
    """True for what a unit with a zone may fire at: units that reach into it, no structures; without one: all."""
    if unit.rally < ZONED:
        return True
    return unit.rally != FORMING and not structure and between(unit.rally_x, unit.rally_y, x, y) <= ZONE_RADIUS + radius


@inlined
def threats_to(unit):
    """The marks of those whose weapons reach a unit where it is: a Colossus' head is in the air."""
    if unit.flags & TALL:
        return HITS_AIR | HITS_GROUND
    return HITS_AIR if unit.flags & FLYING else HITS_GROUND


@inlined
def rank_of(unit, trait, slot, units, kinds, traits):
    """How much the unit wants to fight who is in a slot, see `rank`."""
    known = units[slot].target if repairs(units[slot], kinds[slot]) else slot
    threat = traits[known].marks & threats_to(unit) != 0 and (not kinds[known].worker or units[known].target >= 0)
    return rank(kinds[known].target_priority, threat, weapon_against(trait, units[slot].flags))


@inlined
def rank(priority, threat, weapon):
    """Order of targets: who threatens first, then by target priority, then who is hit by the first weapon of several
    (a Queen, a Thor and a Tempest shoot at flyers first)."""
    return 2 * (priority + (THREAT if threat else 0)) + (1 if weapon == 0 else 0)


@inlined
def fair_game(spot, owner, x, y, far):
    """Bits of the lanes of a record in which a visible enemy of the owner stands about as near as `far`."""
    dx = load(spot.x) - x
    dy = load(spot.y) - y
    near = dx * dx + dy * dy < np.float32(far + _ROUNDED) ** 2
    enemy = (load(spot.owner) != np.int32(owner)) & (load(spot.owner) != _NOBODY) & (load(spot.rank) > _NOBODY)
    return bits_of(near & enemy & (load(spot.marks) & _VISIBLE == _SHOWN))


@inlined
def reaches(unit, trait, still, extra):
    """How far a unit looks for targets on the ground, in the air, and for a Colossus, edge to edge: as far as its
    weapons for these, or their search, where it may leave its place; `extra` from a Bunker."""
    ground = trait.still_ground if still else trait.scan_ground
    air = trait.still_air if still else trait.scan_air
    if still and unit.flags & BLINDED and not trait.melee:
        ground = min(ground, np.float32(BLIND_RANGE))
        air = min(air, np.float32(BLIND_RANGE))
    tall = ground if trait.against_tall == trait.against_ground else air
    return np.float64(ground + extra), np.float64(air + extra), np.float64(tall + extra)


@inlined
def best_target(world, unit, kind, trait, bits, still, extra, visibility, crowd):
    """Slot of the best enemy within reach (see `reaches`) that `bits` (GROUND | AIR) can hit, -1 if there is none.

    The highest `rank` comes first, then the nearest (or who needs the least turn), then the lowest slot.
    """
    ground, air, tall = reaches(unit, trait, still, extra)
    far = max(ground, air) + kind.radius + world.widest_radius
    best = -1
    best_rank = 0
    best_distance = 0.0
    threat = threats_to(unit)
    first, end = band(world, crowd.buckets, unit.y - far, unit.y + far)
    for record in range(record_of(first), record_of(end + LANES - 1)):
        spot = crowd.spots[record]
        candidates = fair_game(spot, unit.owner, unit.x, unit.y, far)
        while candidates:
            lane = lowest(candidates)
            candidates &= candidates - _ONE
            marks = spot.marks[lane]
            if not bits & (AIR if marks & IN_AIR else GROUND) and not marks & ANY_PLANE:
                continue
            reach = tall if marks & ANY_PLANE else (air if marks & IN_AIR else ground)
            x = spot.x[lane]
            y = spot.y[lane]
            distance = max(between(unit.x, unit.y, x, y) - kind.radius - spot.radius[lane], 0.0)
            if distance > reach or distance < trait.least_range - 1e-4:
                continue
            weapon = trait.against_air if marks & IN_AIR else trait.against_ground
            weapon = trait.against_tall if marks & ANY_PLANE else weapon
            wanted = rank(spot.rank[lane], marks & threat, weapon)
            if marks & BODY and unit.flags & SPARES_STRUCTURES:
                continue
            if trait.by_angle:
                distance = np.float64(abs(wrap(heading(x - unit.x, y - unit.y) - unit.facing)))
            if best >= 0 and (wanted < best_rank or (wanted == best_rank and distance >= best_distance)):
                continue
            if seen(visibility, unit.owner, x, y) and in_zone(unit, x, y, spot.radius[lane], marks & BODY):
                best = spot.slot[lane]
                best_rank = wanted
                best_distance = distance
    return best


@rule
def find_patient(world, slot, unit, kind, mark, reach, units, crowd):
    """Slot of the own unit with the mark (wounded and of the right kind) within `reach` to look after, -1 = none. A
    healer takes who has the smallest share of life, the nearest of several; a worker the nearest (catalog: only
    MedivacHeal sorts its targets)."""
    far = reach + kind.radius + world.widest_radius
    best = -1
    best_share = 1.0
    best_distance = reach
    first, end = band(world, crowd.buckets, unit.y - far, unit.y + far)
    for place in range(first, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        if spot.owner[lane] != unit.owner or not spot.marks[lane] & mark:
            continue
        x = spot.x[lane]
        y = spot.y[lane]
        distance = between(unit.x, unit.y, x, y) - kind.radius - spot.radius[lane]
        if distance >= reach or spot.slot[lane] == slot:
            continue
        patient = units[spot.slot[lane]]
        share = patient.hp / patient.hp_max if kind.heal_rate > 0.0 else 0.0
        if best < 0 or share < best_share or (share == best_share and distance < best_distance):
            best = spot.slot[lane]
            best_share = share
            best_distance = distance
    return best
