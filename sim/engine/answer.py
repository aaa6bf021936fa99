"""What a unit does about a hit, on itself or on a friend: it turns on who did it, or flees; and its way home."""

from __future__ import annotations

from sim.engine.combat import set_target
from sim.engine.geometry import between
from sim.engine.grid import band, lane_of, record_of
from sim.engine.jit import inlined, rule
from sim.engine.order import write_order
from sim.engine.parameters import ANSWER_RANGE, FLEE_ORDER, FLEE_STEP, FLEE_TIME, HELP_RADIUS, NEAR_ENOUGH
from sim.engine.route import ARRIVED, WAY_BITS
from sim.engine.state import HOLD_FIRE, IMMOBILE, INSIDE, MOVE, STRUCTURE
from sim.engine.targeting import can_be_target, fight_distance, is_there
from sim.engine.traits import reach_of_weapons, weapon_against


@inlined
def _turn_on(unit, trait, attacker, units):
    slot = _shooter(units, attacker)
    set_target(unit, slot, units[slot].generation, weapon_against(trait, units[slot].flags))


@inlined
def _shooter(units, attacker):
    """Whom to fight for a hit by this unit: the Bunker that it is in, or itself."""
    if units[attacker].flags & INSIDE and units[attacker].inside >= 0:
        return units[attacker].inside
    return attacker


@inlined
def _can_fight(unit, kind, trait, attacker, units, kinds, visibility):
    """The unit has a weapon for the attacker, sees it, and it is not too far off."""
    slot = _shooter(units, attacker)
    enemy = units[slot]
    if enemy.owner == unit.owner or weapon_against(trait, enemy.flags) < 0:
        return False
    if not can_be_target(units, visibility, unit.owner, slot, enemy.generation):
        return False
    return fight_distance(unit, kind, enemy, kinds[slot]) <= ANSWER_RANGE


@rule
def heed(world, unit, kind, trait, roster, visibility, crowd):
    """A unit without a target takes the enemy of whoever calls within reach, from edge to edge (observed of 4.10: a
    Marine helps an SCV 4.75 cells off, not at 4.76), or its own. Of several calls the one of the enemy who shot first
    is heeded, and attackers shoot in the order of their slots: so idle friends turn on the same one."""
    foe = -1
    reach = HELP_RADIUS + kind.radius + world.widest_radius
    start, end = band(world, crowd.buckets, unit.y - reach, unit.y + reach)
    for place in range(start, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        caller = roster.units[spot.slot[lane]]
        if spot.owner[lane] != unit.owner or world.loop - caller.called > 1 or (foe >= 0 and caller.foe >= foe):
            continue
        apart = between(unit.x, unit.y, spot.x[lane], spot.y[lane]) - kind.radius - spot.radius[lane]
        if apart > HELP_RADIUS + 1e-3 or not is_there(roster.units, caller.foe, caller.foe_generation):
            continue
        if _can_fight(unit, kind, trait, caller.foe, roster.units, roster.kinds, visibility):
            foe = caller.foe
    if foe >= 0:
        _turn_on(unit, trait, foe, roster.units)


@rule
def answer(world, unit, kind, trait, units, kinds, visibility):
    """A unit without a target turns on who has just hit it, if it can."""
    foe = unit.last_attacker
    if world.loop - unit.last_hit > 1 or not is_there(units, foe, unit.attacker_generation):
        return
    if _can_fight(unit, kind, trait, foe, units, kinds, visibility):
        _turn_on(unit, trait, foe, units)


@rule
def flee(world, unit, kind, trait, order, units, visibility, walk):
    """A resting unit that is hit runs away from who did it, if it has no weapon for that or does not see it, and a
    worker always (catalog: its response is to flee; observed of 4.10 of an SCV shot by a Marine, idle or stopped).

    An SCV has an order to move then and heeds nothing before it is there; who has a weapon looks for somebody to fight
    all the way (ours).
    """
    slot = unit.last_attacker
    if world.loop - unit.last_hit > 1 or kind.speed <= 0.0 or not is_there(units, slot, unit.attacker_generation):
        return
    if unit.flags & (STRUCTURE | IMMOBILE | HOLD_FIRE):
        return
    enemy = units[slot]
    distance = between(unit.x, unit.y, enemy.x, enemy.y)
    if enemy.owner == unit.owner or distance < 1e-3:
        return
    known = can_be_target(units, visibility, unit.owner, slot, enemy.generation)
    if known and weapon_against(trait, enemy.flags) >= 0 and not kind.worker:
        return
    unit.goal_x = min(max(unit.x + (unit.x - enemy.x) * FLEE_STEP / distance, 0.5), walk.shape[1] - 0.5)
    unit.goal_y = min(max(unit.y + (unit.y - enemy.y) * FLEE_STEP / distance, 0.5), walk.shape[0] - 0.5)
    unit.moving = 1
    if kind.worker or reach_of_weapons(trait, unit.flags) == 0:
        write_order(unit, order, FLEE_ORDER, MOVE, -1, 0, unit.goal_x, unit.goal_y)


@inlined
def goes_home(unit):
    """It has no order and is on its way back to where it stood: that shows as an order to move (observed: an order)."""
    return unit.order_count == 0 and unit.home_x >= 0.0 and unit.target < 0 and unit.moving != 0


@inlined
def go_home(world, unit):
    """After a chase an idle unit returns to the very place where it stood (observed); one that flees runs on."""
    if unit.home_x < 0.0 or unit.order_count:
        if unit.order_count == 0 and world.loop - unit.last_hit > FLEE_TIME:
            unit.moving = 0
        return
    arrived = unit.moving == 0 and unit.way_state & WAY_BITS == ARRIVED
    if arrived or between(unit.x, unit.y, unit.home_x, unit.home_y) < NEAR_ENOUGH:
        unit.home_x = -1.0
        unit.moving = 0
        return
    unit.goal_x = unit.home_x
    unit.goal_y = unit.home_y
    unit.moving = 1
