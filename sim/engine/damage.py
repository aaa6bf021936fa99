"""What a hit does: armour, bonus, shields, splash, bounces, beams."""

from __future__ import annotations

import math

from sim.engine.buffs import air_guard, apply_buff, armor_bonus, fight_bonus, ranged_armor, shield_armor_bonus
from sim.engine.catalog import AIR, GROUND, MASSIVE, RINGS, SPLASH_ACROSS, SPLASH_AT_SELF, SPLASH_AT_TARGET, SPLASH_LINE
from sim.engine.geometry import between, heading, wrap
from sim.engine.grid import band, lane_of, record_of
from sim.engine.jit import inlined, rule
from sim.engine.parameters import CALL_PERIOD, CLIFF, LARGE, LOWERED_DEPOT, SWEEP
from sim.engine.reports import is_news, report
from sim.engine.state import EAGER, FLYING, HALLUCINATION, HIT, INSIDE, INVULNERABLE, STRUCTURE, UNFINISHED, UNHARMED
from sim.engine.targeting import hidden
from sim.engine.world import ANY_PLANE, IN_AIR


@inlined
def raw_damage(weapon, kind):
    """Damage of one hit before armour: base, or the special amount against structures, and the bonus."""
    damage = weapon.damage
    if kind.structure and weapon.structure_damage > 0.0:
        return weapon.structure_damage
    if kind.attributes & weapon.bonus_attribute:
        damage += weapon.bonus
    return damage


@inlined
def take_damage(unit, kind, amount, extra, ignore_armor, buffs):
    """One hit: shields first with the shields' armour (`extra` more of it there), the rest to life with the unit's; at
    least 0.5 comes through. Structures that are not complete have no armour of their own."""
    if unit.shield > 0.0:
        through = amount + extra
        if not ignore_armor:
            through = max(through - kind.shield_armor - shield_armor_bonus(unit, buffs), 0.5)
        if through <= unit.shield:
            unit.shield -= through
            return
        amount = min(through - unit.shield, amount)
        unit.shield = 0.0
    own = 0.0 if kind.structure and unit.flags & UNFINISHED else kind.armor
    unit.hp -= amount if ignore_armor else max(amount - own - armor_bonus(unit, buffs), 0.5)


@rule
def book(world, by, owner, life, shield):
    """Add damage to the books of both sides."""
    world.taken[owner, 0] += life
    world.taken[owner, 1] += shield
    if by != owner:
        world.dealt[by, 0] += life
        world.dealt[by, 1] += shield


@rule
def hit(world, victim_slot, attacker_slot, owner, flags, weapon, fraction, ranged, roster, events):
    """All hits of one attack on one victim, scaled by `fraction` (splash, bounces), of a player's unit with such flags:
    the one in `attacker_slot`, or -1 if it is gone since it fired. `ranged`: what weakens shots weakens it."""
    victim = roster.units[victim_slot]
    if not victim.alive or victim.flags & (INVULNERABLE | INSIDE | UNHARMED):
        return
    if flags & HALLUCINATION:
        return
    kind = roster.types[victim.owner, victim.type]
    before = victim.hp + victim.shield
    life = max(victim.hp, 0.0)
    shield = victim.shield
    amount = raw_damage(weapon, kind)
    if kind.attributes & weapon.bonus_attribute and attacker_slot >= 0:
        amount += fight_bonus(roster.units[attacker_slot], roster.buffs)
    amount *= fraction
    if not weapon.ignore_armor:  # an Oracle's beam is a spell (catalog: kind)
        if flags & FLYING and not victim.flags & FLYING:
            amount *= air_guard(victim, roster.buffs)
        if ranged:
            amount -= ranged_armor(victim, roster.buffs)
    extra = weapon.shield_bonus * fraction
    bare = weapon.ignore_armor != 0 or (kind.structure and weapon.structure_damage > 0.0)
    if victim.flags & HALLUCINATION:  # twice the damage, and no armour (catalog, buff Hallucination)
        amount *= 2.0
        extra *= 2.0
        bare = True
    for _ in range(1 if weapon.apart > 0.0 else weapon.attacks):  # else each hit comes alone
        take_damage(victim, kind, amount, extra, bare, roster.buffs)
    book(world, owner, victim.owner, life - max(victim.hp, 0.0), shield - victim.shield)
    if victim.flags & EAGER or is_news(world.loop, victim.last_hit, victim_slot):
        report(world, events, HIT, victim_slot, owner, before - victim.hp - victim.shield)
    blame(world, victim, owner, attacker_slot, roster.units[attacker_slot].generation if attacker_slot >= 0 else 0)
    call(world, victim)
    if weapon.slow_buff > 0 and not kind.attributes & MASSIVE and not victim.flags & STRUCTURE:
        apply_buff(victim, roster.buffs, weapon.slow_buff)


@rule
def blame(world, victim, owner, attacker, generation):
    """A unit was hit by a player's unit (-1: that is gone already): it remembers by whom."""
    victim.last_hit = world.loop
    victim.hit_by = owner
    victim.last_attacker = attacker
    victim.attacker_generation = generation


@rule
def call(world, victim):
    """Who was just hit calls its friends, if an enemy's unit did it."""
    foe = victim.last_attacker
    if victim.hit_by != victim.owner and foe >= 0 and world.loop - victim.called >= CALL_PERIOD:
        victim.called = world.loop
        victim.foe = foe
        victim.foe_generation = victim.attacker_generation
        world.called[victim.owner] = world.loop


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
def splash(world, x, y, spared, attacker_slot, owner, flags, weapon, roster, events, crowd):
    """Hit everything around the impact (along the line from the shooter, or across it there) but the slot `spared`.
    Who may be gone (see `hit`) has a missile, and no missile does so but around its impact.

    The distance that picks the ring is from the impact to the victim's edge. Buried ones are hit, too: no filter of
    the catalog's splashes spares them.
    """
    radius = widest_ring(weapon)
    shots = not weapon.melee and weapon.splash != SPLASH_AT_TARGET  # what bursts is Splash, not Ranged (catalog: kinds)
    level = 0.0
    if weapon.splash_level:
        centre = attacker_slot if weapon.splash == SPLASH_AT_SELF else spared
        level = ground_below(roster.units[centre], roster.types)
    ax = x
    ay = y
    if weapon.splash == SPLASH_LINE:
        shooter = roster.units[attacker_slot]
        ax = shooter.x
        ay = shooter.y
        length = max(between(ax, ay, x, y), 1e-3)
        far = max(weapon.range + roster.types[shooter.owner, shooter.type].radius, length)
        x = ax + (x - ax) * far / length
        y = ay + (y - ay) * far / length
    elif weapon.splash == SPLASH_ACROSS:
        shooter = roster.units[attacker_slot]
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
        if slot == attacker_slot or (spot.owner[lane] == 0 and not weapon.splash_neutral):
            continue
        if spot.owner[lane] == owner and not weapon.splash_friends:
            continue
        victim = roster.units[slot]
        distance = max(from_line(victim.x, victim.y, ax, ay, x, y) - spot.radius[lane], 0.0)
        fraction = ring_fraction(weapon, distance)
        arc = weapon.splash_arc if fraction > 0.0 else 0.0
        if arc > 0.0 and not in_arc(roster.units[attacker_slot], arc, victim, spot.radius[lane]):
            continue
        if fraction > 0.0 and weapon.splash_level:
            fraction = fraction if abs(ground_below(victim, roster.types) - level) < CLIFF else 0.0
        if fraction > 0.0:
            hit(world, slot, attacker_slot, owner, flags, weapon, fraction, shots, roster, events)


@rule
def next_bounce(world, x, y, owner, before, present, weapon, roster, crowd):
    """Slot of the nearest enemy around a point for a bouncing shot, -1 = none; `before`, `present` were hit already,
    and Changelings in disguise are spared (catalog: TargetNotChangeling)."""
    far = weapon.bounce_range + world.widest_radius
    best = -1
    best_distance = float(weapon.bounce_range)
    first, end = band(world, crowd.buckets, y - far, y + far)
    for place in range(first, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        slot = spot.slot[lane]
        if spot.owner[lane] == owner or spot.owner[lane] == 0 or slot == before:
            continue
        if slot == present:
            continue
        if roster.units[slot].flags & INVULNERABLE or hidden(roster.units[slot]) or roster.units[slot].hp <= 0.0:
            continue
        if roster.types[roster.units[slot].owner, roster.units[slot].type].target_priority <= 0:
            continue
        distance = max(between(x, y, roster.units[slot].x, roster.units[slot].y) - spot.radius[lane], 0.0)
        if distance < best_distance:
            best = slot
            best_distance = distance
    return best


@rule
def next_beam(world, target, shooter_slot, weapon, before, reached, units, crowd):
    """Slot of the enemy around the shooter that is next farther than `reached` (of slot `before`), without the shot's
    own target; -1 = none within the beams' range."""
    shooter = units[shooter_slot]
    far = weapon.beam_range + world.widest_radius
    best = -1
    best_distance = weapon.beam_range + 1e-4
    first, end = band(world, crowd.buckets, shooter.y - far, shooter.y + far)
    for place in range(first, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        slot = spot.slot[lane]
        if spot.owner[lane] == shooter.owner or spot.owner[lane] == 0 or slot == target:
            continue
        if units[slot].flags & (INVULNERABLE | INSIDE) or hidden(units[slot]) or units[slot].hp <= 0.0:
            continue
        distance = between(shooter.x, shooter.y, units[slot].x, units[slot].y) - spot.radius[lane]
        if distance < reached or (distance == reached and slot <= before):
            continue
        if distance < best_distance or (distance == best_distance and slot < best):
            best = slot
            best_distance = distance
    return best


@rule
def impact(world, target, attacker_slot, owner, flags, weapon, roster, events, crowd):
    """A shot lands on the unit in slot `target`: the hit itself, then its splash. The shooter as in `hit`; a shot that
    splashes round him or has beams is no missile."""
    victim = roster.units[target]
    x = victim.x
    y = victim.y
    ranged = not weapon.melee
    hit(world, target, attacker_slot, owner, flags, weapon, 1.0, ranged, roster, events)
    large = roster.types[victim.owner, victim.type].radius >= LARGE and victim.type != LOWERED_DEPOT
    if weapon.splash_small and large:
        return
    if weapon.splash and weapon.splash != SPLASH_AT_SELF:
        splash(world, x, y, target, attacker_slot, owner, flags, weapon, roster, events, crowd)
    elif weapon.splash:
        shooter = roster.units[attacker_slot]
        sx = shooter.x
        sy = shooter.y
        splash(world, sx, sy, target, attacker_slot, owner, flags, weapon, roster, events, crowd)
    before = -1
    reached = -1e6
    for _ in range(weapon.beams):
        before = next_beam(world, target, attacker_slot, weapon, before, reached, roster.units, crowd)
        if before < 0:
            break
        shooter = roster.units[attacker_slot]
        struck = roster.units[before]
        reached = between(shooter.x, shooter.y, struck.x, struck.y) - roster.types[struck.owner, struck.type].radius
        hit(world, before, attacker_slot, owner, flags, weapon, 1.0, ranged, roster, events)
