"""Whom a unit fights by its own choice, and how far it goes for that."""

from __future__ import annotations

from sim.engine.answer import answer, go_home, heed
from sim.engine.combat import clear_target, longer_reach, set_target
from sim.engine.geometry import between
from sim.engine.jit import inlined, rule
from sim.engine.parameters import (
    ANSWER_RANGE,
    CROWDED,
    IDLE_PERIOD,
    LEASH,
    LEASH_RESET,
    LOST,
    SEARCH_PERIOD,
    SWING_ENDS,
)
from sim.engine.rng import turn_of
from sim.engine.state import HOLD_FIRE, IMMOBILE, INSIDE, INVULNERABLE, LEASHED, ORDERED
from sim.engine.targeting import best_target, can_be_target, fight_distance, hidden, in_zone, range_of, rank, rank_of
from sim.engine.traits import reach_of_weapons, weapon_against


@inlined
def fight_target(unit, kind, distance, units, weapons):
    """Stand and fight where the target is in reach, else walk to it; `distance` from edge to edge."""
    target = units[unit.target]
    weapon = weapons[unit.owner, kind.weapons[unit.weapon]]
    slop = weapon.slop if unit.windup >= 0.0 else 0.0
    if distance < weapon.min_range or distance <= range_of(unit, weapon) + slop:
        unit.moving = 0
        if not weapon.glides and kind.deceleration <= 0.0:
            unit.speed = 0.0
    elif unit.backswing <= SWING_ENDS and not unit.flags & IMMOBILE and kind.speed > 0.0:
        unit.goal_x = target.x
        unit.goal_y = target.y
        unit.to_go = max(distance - range_of(unit, weapon), 0.0)
        unit.moving = 1
    else:
        unit.moving = 0


@inlined
def draw_near(unit, kind, weapon, target, target_kind, weapons):
    """Come up to whom it cannot fight now, as near as its weapon (-1 = none) needs to be, and stand there."""
    unit.moving = 0
    if weapon < 0 or unit.flags & IMMOBILE or kind.speed <= 0.0:
        return
    reach = range_of(unit, weapons[unit.owner, kind.weapons[weapon]])
    if fight_distance(unit, kind, target, target_kind) > reach:
        unit.goal_x = target.x
        unit.goal_y = target.y
        unit.moving = 1


@inlined
def take_target(unit, kind, trait, slot, generation, roster):
    """Fight an ordered target, there and in sight; False if the unit cannot fight it at all (no weapon for it, hidden,
    out of the reach of one that does not walk)."""
    target = roster.units[slot]
    if target.flags & INVULNERABLE or (target.owner != unit.owner and hidden(target)):
        return False
    weapon = weapon_against(trait, target.flags)
    target_kind = roster.kinds[slot]
    if not reach_of_weapons(trait, unit.flags):
        clear_target(unit)
        draw_near(unit, kind, weapon, target, target_kind, roster.weapons)
        return kind.weapons[0] >= 0  # disarmed for the moment (sieging, jammed, an Oracle without its beam): wait
    if weapon < 0 or not in_zone(unit, target.x, target.y, target_kind.radius, target_kind.structure):
        return False
    distance = fight_distance(unit, kind, target, target_kind)
    if kind.speed <= 0.0 and unit.windup < 0.0:
        own = roster.weapons[unit.owner, kind.weapons[weapon]]
        if distance > range_of(unit, own) or distance < own.min_range:
            return False
    set_target(unit, slot, generation, weapon)
    fight_target(unit, kind, distance, roster.units, roster.weapons)
    return True


@inlined
def looks(world, slot, unit, calm):
    """True in the loops in which a unit looks for targets: once in every SEARCH_PERIOD (`calm`: IDLE_PERIOD), and at
    once when it has lost one or could not fight before (a sieged tank whose enemy is there fires as soon as it has
    turned, see `fidelity/setups.py`)."""
    if unit.looked and not turn_of(world, slot, IDLE_PERIOD if calm else SEARCH_PERIOD):
        return False
    unit.looked = 1
    return True


@rule
def pick(world, unit, kind, trait, bits, still, extra, least, roster, visibility, crowd):
    """Take the best target within reach if it ranks higher than `least`; False if there is nobody."""
    found = best_target(world, unit, kind, trait, bits, still, extra, visibility, crowd)
    if found < 0 or found == unit.target:
        return found >= 0
    if rank_of(unit, trait, found, roster.units, roster.kinds, roster.traits) <= least:
        return True
    weapon = weapon_against(trait, roster.units[found].flags)
    if weapon >= 0:
        set_target(unit, found, roster.units[found].generation, weapon)
    return True


@inlined
def search(world, unit, kind, trait, bits, still, away, roster, visibility, crowd):
    """Look for a better target than the present one, `away` from edge to edge, and take it; False if there is nobody.
    One in reach is only left for one of higher rank, and by who is idle no threat for somebody harmless."""
    wanted = -1
    threat = rank(0, True, 1)
    if (
        unit.order_count == 0
        and unit.target >= 0
        and rank_of(unit, trait, unit.target, roster.units, roster.kinds, roster.traits) >= threat
    ):
        wanted = threat - 1
    if unit.target >= 0 and away <= range_of(unit, roster.weapons[unit.owner, kind.weapons[unit.weapon]]):
        wanted = rank_of(unit, trait, unit.target, roster.units, roster.kinds, roster.traits) | trait.steady
        if wanted >= rank(world.highest_priority, True, 0):
            return True
    return pick(world, unit, kind, trait, bits, still, 0.0, wanted, roster, visibility, crowd)


@inlined
def at_leisure(unit, trait, units, kinds, traits):
    """The unit has no target, or one that cannot hurt it: it answers a call for help (observed of 4.10: an Overlord is
    left for who shoots a friend, a Marine is not)."""
    return unit.target < 0 or rank_of(unit, trait, unit.target, units, kinds, traits) < rank(0, True, 1)


@rule
def man(world, slot, unit, kind, trait, roster, visibility, crowd):
    """A unit in a Bunker fights whom it reaches from there; melee weapons stay silent."""
    carrier = roster.units[unit.inside]
    unit.x = carrier.x
    unit.y = carrier.y
    own = roster.weapons[unit.owner]
    extra = longer_reach(unit, kind, roster.kinds)
    if unit.target >= 0:
        keep = unit.weapon >= 0 and can_be_target(
            roster.units, visibility, unit.owner, unit.target, unit.target_generation
        )
        if keep:
            target = roster.units[unit.target]
            reach = own[kind.weapons[unit.weapon]].range + extra
            keep = fight_distance(unit, kind, target, roster.kinds[unit.target]) <= reach
        if not keep:
            clear_target(unit)
    if unit.target < 0:
        unit.flags &= ~ORDERED
    bits = reach_of_weapons(trait, unit.flags & ~INSIDE)
    if kind.weapons[0] >= 0 and own[kind.weapons[0]].melee:
        bits = 0  # blades do not reach out
    if bits and unit.windup < 0.0 and not unit.flags & ORDERED and looks(world, slot, unit, False):
        wanted = -1 if unit.target < 0 else rank_of(unit, trait, unit.target, roster.units, roster.kinds, roster.traits)
        pick(world, unit, kind, trait, bits, True, extra, wanted, roster, visibility, crowd)


@inlined
def engage(world, slot, unit, kind, trait, chase, seeks, roster, visibility, crowd):
    """Fight whom the unit finds; False if there is nobody. Idle units remember where they stood and return there.

    Without `chase` it stays where it is (hold position); without `seeks` it looks for nobody by itself.
    """
    bits = reach_of_weapons(trait, unit.flags)
    if bits == 0 or unit.flags & HOLD_FIRE:
        clear_target(unit)
        go_home(world, unit)
        return False
    idle = unit.order_count == 0
    if unit.flags & LEASHED:
        if idle and unit.home_x >= 0.0 and between(unit.x, unit.y, unit.home_x, unit.home_y) > LEASH_RESET:
            go_home(world, unit)
            return False
        unit.flags &= ~LEASHED
    away = 0.0
    if unit.target >= 0:
        keep = unit.weapon >= 0 and can_be_target(
            roster.units, visibility, unit.owner, unit.target, unit.target_generation
        )
        if keep:
            target = roster.units[unit.target]
            target_kind = roster.kinds[unit.target]
            away = fight_distance(unit, kind, target, target_kind)
            keep = in_zone(unit, target.x, target.y, target_kind.radius, target_kind.structure)
        if keep and unit.home_x >= 0.0 and between(unit.x, unit.y, unit.home_x, unit.home_y) > LEASH:
            keep = False
            unit.flags |= LEASHED
        if keep and not idle and chase:
            keep = away <= ANSWER_RANGE or away <= max(trait.scan_ground, trait.scan_air) + LOST
        if keep and not chase:
            weapon = roster.weapons[unit.owner, kind.weapons[unit.weapon]]
            slop = weapon.slop if unit.windup >= 0.0 else 0.0
            keep = away <= range_of(unit, weapon) + slop and away >= weapon.min_range
        if not keep:
            clear_target(unit)
    kept = unit.target
    still = not chase or unit.flags & IMMOBILE or kind.speed <= 0.0
    if (
        idle
        and seeks
        and not still
        and unit.windup < 0.0
        and at_leisure(unit, trait, roster.units, roster.kinds, roster.traits)
    ):
        if world.loop - world.called[unit.owner] <= 1:
            heed(world, unit, kind, trait, roster, visibility, crowd)
        if at_leisure(unit, trait, roster.units, roster.kinds, roster.traits):
            answer(world, unit, kind, trait, roster.units, roster.kinds, visibility)
    if unit.windup < 0.0 and seeks and looks(world, slot, unit, idle and unit.target < 0 and not still):
        crowded = unit.stuck > CROWDED and unit.moving and not still
        near = still or crowded
        some = search(world, unit, kind, trait, bits, near, away, roster, visibility, crowd)
        if crowded and not some:  # on the way round others the nearest enemy is not always the one it set out for
            search(world, unit, kind, trait, bits, False, away, roster, visibility, crowd)
    if unit.target < 0:
        go_home(world, unit)
        return False
    if not chase:
        unit.moving = 0
        return True
    if idle and unit.home_x < 0.0:
        unit.home_x = unit.x
        unit.home_y = unit.y
    if unit.target != kept:
        away = fight_distance(unit, kind, roster.units[unit.target], roster.kinds[unit.target])
    fight_target(unit, kind, away, roster.units, roster.weapons)
    return True


@inlined
def engage_on_the_move(world, slot, unit, kind, trait, roster, visibility, crowd):
    """While it walks by order a unit fights only with weapons that fire on the move."""
    if not trait.mobile:
        clear_target(unit)
        return
    bits = reach_of_weapons(trait, unit.flags)
    if unit.target >= 0 and not can_be_target(
        roster.units, visibility, unit.owner, unit.target, unit.target_generation
    ):
        clear_target(unit)
    if bits and unit.windup < 0.0 and looks(world, slot, unit, False):
        away = 0.0
        if unit.target >= 0:
            away = fight_distance(unit, kind, roster.units[unit.target], roster.kinds[unit.target])
        search(world, unit, kind, trait, bits, True, away, roster, visibility, crowd)
