"""What a unit's type and weapons say about it, looked up once for many loops: rules ask by slot."""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import AIR, BIOLOGICAL, GROUND, MAX_WEAPONS, MECHANICAL
from sim.engine.jit import inlined, rule
from sim.engine.parameters import SIEGED_TANK
from sim.engine.state import (
    BENIGN,
    BURROWED,
    CLOAKED,
    DETECTED,
    DISARMED,
    FLYING,
    HOLD,
    IMMOBILE,
    INSIDE,
    INVULNERABLE,
    NO_COLLISION,
    STRUCTURE,
    TALL,
    UNFINISHED,
    UNPOWERED,
)
from sim.engine.world import (
    ANY_PLANE,
    BODY,
    FIGHTING,
    FIXED,
    HIDDEN,
    HITS_AIR,
    HITS_GROUND,
    HOLDING,
    IN_AIR,
    MOVING,
    PATIENT_BODY,
    PATIENT_MACHINE,
    SOLID,
    SOLID_BELOW,
    SOLID_IN_AIR,
    TARGETABLE,
)


@inlined
def sum_up(kind, weapons, trait):
    """What the type's weapons can do together."""
    hits = 0
    mobile = 0
    free = 0
    steady = 0
    by_angle = 0
    melee = 1
    ground = -1
    air = -1
    tall = -1
    least = np.float32(1000.0)
    still_ground = np.float32(-1.0)
    still_air = np.float32(-1.0)
    scan_ground = np.float32(-1.0)
    scan_air = np.float32(-1.0)
    for k in range(MAX_WEAPONS - 1, -1, -1):
        if kind.weapons[k] >= 0:
            weapon = weapons[kind.weapons[k]]
            hits |= weapon.targets
            mobile |= weapon.moving_fire
            free |= weapon.free_fire
            steady |= weapon.steady
            by_angle |= weapon.by_angle
            melee &= weapon.melee
            scan = max(weapon.range, weapon.scan_range)
            if weapon.targets & GROUND:
                ground = k
                still_ground = max(still_ground, weapon.range)
                scan_ground = max(scan_ground, scan)
            if weapon.targets & AIR:
                air = k
                still_air = max(still_air, weapon.range)
                scan_air = max(scan_air, scan)
            if not weapon.spares_tall:
                tall = k
            least = min(least, weapon.min_range)
    trait.hits = hits
    trait.mobile = mobile
    trait.against_ground = ground
    trait.against_air = air
    trait.against_tall = tall
    trait.free = free
    trait.steady = steady
    trait.by_angle = by_angle
    trait.melee = melee
    trait.least_range = least
    trait.still_ground = still_ground
    trait.still_air = still_air
    trait.scan_ground = scan_ground
    trait.scan_air = scan_air


@rule
def learn(arrays):
    """Look up the types of all units: of the living, the dead keep what they had."""
    kinds, traits = arrays.kinds, arrays.traits
    for slot in range(arrays.world[0].slots):
        unit = arrays.units[slot]
        if unit.alive:
            kinds[slot] = arrays.types[unit.owner, unit.type]
            sum_up(kinds[slot], arrays.weapons[unit.owner], traits[slot])
            traits[slot].flags = ~unit.flags  # of no unit: its marks are not known yet


@inlined
def reach_of_weapons(trait, flags):
    """GROUND and AIR bits of what a unit's weapons can hit now; 0 for the disarmed."""
    return 0 if flags & (DISARMED | UNFINISHED | INSIDE) else trait.hits


@inlined
def weapon_against(trait, flags):
    """Index of the first weapon of a unit that can hit something with these flags, -1 if none can."""
    if flags & TALL:
        return trait.against_tall
    return trait.against_air if flags & FLYING else trait.against_ground


@rule
def lasting_marks(unit, kind, trait):
    """The bits by which a unit's neighbours know it, as far as they follow from its type and flags."""
    flags = unit.flags
    marks = 0
    structure = flags & STRUCTURE
    if not flags & (INVULNERABLE | BENIGN):
        marks |= TARGETABLE
    if flags & TALL:
        marks |= ANY_PLANE
    if flags & (CLOAKED | BURROWED) and not flags & DETECTED:
        marks |= HIDDEN
    if kind.separation > 0.0 and not flags & NO_COLLISION and (not structure or kind.speed > 0.0):
        marks |= SOLID_IN_AIR if flags & (FLYING | TALL) else SOLID_BELOW if flags & BURROWED else SOLID
    if structure:
        marks |= BODY
    if flags & FLYING:
        marks |= IN_AIR
    if flags & IMMOBILE or kind.speed <= 0.0:
        marks |= FIXED
    if unit.type == SIEGED_TANK:
        marks |= HOLDING
    bits = 0 if flags & (UNPOWERED | UNFINISHED | INSIDE) else trait.hits  # a weapon that is off for now threatens
    if bits & GROUND or kind.threatens:
        marks |= HITS_GROUND
    if bits & AIR or kind.threatens:
        marks |= HITS_AIR
    if not flags & (UNFINISHED | INVULNERABLE):
        if kind.attributes & BIOLOGICAL and not structure:
            marks |= PATIENT_BODY
        if kind.attributes & MECHANICAL or (structure and unit.owner > 0 and kind.race == 1):
            marks |= PATIENT_MACHINE
    return marks


@inlined
def repairs(unit, kind):
    """True if the unit is a worker that looks after a patient: its target, for which it takes no weapon. As a target
    it counts as that one (Liquipedia, Attack Target Priority)."""
    return kind.worker and unit.target >= 0 and unit.weapon < 0


@inlined
def marks_of(loop, unit, kind, trait, verb):
    """The bits by which a unit's neighbours know it."""
    if trait.flags != unit.flags:
        trait.flags = unit.flags
        trait.marks = lasting_marks(unit, kind, trait)
    marks = trait.marks
    fighting = FIGHTING if (unit.windup >= 0.0) | (unit.target >= 0) else 0  # no branches: they are hard to foresee
    marks |= MOVING if unit.moving else fighting
    if verb == HOLD:
        marks |= FIXED | HOLDING
    if kind.worker and unit.target < 0:
        marks &= ~(HITS_GROUND | HITS_AIR)
    if unit.hp >= unit.hp_max:
        marks &= ~(PATIENT_BODY | PATIENT_MACHINE)
    elif unit.mended >= loop - 1:  # one healer is enough
        marks &= ~PATIENT_BODY
    return marks
