"""What a hit does around its victim: rings, lines, arcs, cones."""

from __future__ import annotations

import math

from sim.engine.catalog import AIR, GROUND, RINGS, SPLASH_ACROSS, SPLASH_AT_SELF, SPLASH_AT_TARGET, SPLASH_LINE
from sim.engine.damage import hit
from sim.engine.geometry import between, heading, wrap
from sim.engine.grid import band, lane_of, record_of
from sim.engine.jit import rule
from sim.engine.parameters import CLIFF, SWEEP
from sim.engine.world import ANY_PLANE, IN_AIR


@rule
def ring_fraction(weapon, distance):
    """Part of the damage at a distance from the impact: that of the first ring that reaches so far, 0 outside."""
    for k in range(RINGS):
        if weapon.ring_radius[k] > 0.0 and distance <= weapon.ring_radius[k]:
            return weapon.ring_fraction[k]
    return 0.0


@rule
def widest_ring(weapon):
    """Radius of the outermost ring."""
    widest = 0.0
    for k in range(RINGS):
        widest = max(widest, weapon.ring_radius[k])
    return widest


@rule
def from_line(px, py, ax, ay, bx, by):
    """Distance of a point from the segment a-b."""
    dx = bx - ax
    dy = by - ay
    along = ((px - ax) * dx + (py - ay) * dy) / max(dx * dx + dy * dy, 1e-9)
    along = min(max(along, 0.0), 1.0)
    return between(px, py, ax + along * dx, ay + along * dy)


@rule
def ground_below(unit, types):
    """Height of the ground under a unit, cells."""
    return unit.z - types[unit.owner, unit.type].height


@rule
def in_arc(shooter, arc, victim, radius):
    """True if the victim's body reaches into a cone before the shooter, `arc` radians either side of its facing."""
    dx = victim.x - shooter.x
    dy = victim.y - shooter.y
    width = math.asin(min(radius / max(between(0.0, 0.0, dx, dy), 1e-3), 1.0))
    return abs(wrap(heading(dx, dy) - shooter.facing)) <= arc + width


@rule
def splash(world, x, y, spared, shot, roster, events, crowd):
    """Hit everything around the impact (along the line from the shooter, or across it there) but the slot `spared`.
    Who may be gone (see `Shot`) has a missile, and no missile does so but around its impact.

    The distance that picks the ring is from the impact to the victim's edge. Buried ones are hit, too: no filter of
    the catalog's splashes spares them.
    """
    weapon = shot.weapon
    radius = widest_ring(weapon)
    shots = not weapon.melee and weapon.splash != SPLASH_AT_TARGET  # what bursts is Splash, not Ranged (catalog: kinds)
    level = 0.0
    if weapon.splash_level:
        centre = shot.shooter if weapon.splash == SPLASH_AT_SELF else spared
        level = ground_below(roster.units[centre], roster.types)
    ax = x
    ay = y
    if weapon.splash == SPLASH_LINE:
        shooter = roster.units[shot.shooter]
        ax = shooter.x
        ay = shooter.y
        length = max(between(ax, ay, x, y), 1e-3)
        far = max(weapon.range + roster.types[shooter.owner, shooter.type].radius, length)
        x = ax + (x - ax) * far / length
        y = ay + (y - ay) * far / length
    elif weapon.splash == SPLASH_ACROSS:
        shooter = roster.units[shot.shooter]
        length = max(between(shooter.x, shooter.y, x, y), 1e-3)
        aside = (y - shooter.y) * SWEEP / length
        ahead = (x - shooter.x) * SWEEP / length
        ax = x - aside
        ay = y + ahead
        x += aside
        y -= ahead
    margin = radius + world.widest_radius + 0.5  # half a cell: units have moved since the hash was built
    first, end = band(world, crowd.buckets, min(ay, y) - margin, max(ay, y) + margin)
    for place in range(first, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        slot = spot.slot[lane]
        plane = AIR if spot.marks[lane] & IN_AIR else GROUND
        if slot == spared or not (weapon.splash_targets & plane or spot.marks[lane] & ANY_PLANE):
            continue
        if slot == shot.shooter or (spot.owner[lane] == 0 and not weapon.splash_neutral):
            continue
        if spot.owner[lane] == shot.owner and not weapon.splash_friends:
            continue
        victim = roster.units[slot]
        distance = max(from_line(victim.x, victim.y, ax, ay, x, y) - spot.radius[lane], 0.0)
        fraction = ring_fraction(weapon, distance)
        arc = weapon.splash_arc if fraction > 0.0 else 0.0
        if arc > 0.0 and not in_arc(roster.units[shot.shooter], arc, victim, spot.radius[lane]):
            continue
        if fraction > 0.0 and weapon.splash_level:
            fraction = fraction if abs(ground_below(victim, roster.types) - level) < CLIFF else 0.0
        if fraction > 0.0:
            hit(world, slot, shot, fraction, shots, roster, events)
