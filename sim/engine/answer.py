"""What a unit does about a hit, on itself or on a friend: it turns on who did it, or flees; and its way home."""

from __future__ import annotations

from sim.engine.combat import set_target
from sim.engine.geometry import between
from sim.engine.grid import band, lane_of, record_of
from sim.engine.jit import inlined, rule
from sim.engine.order import write_order
from sim.engine.parameters import ANSWER_RANGE, FLEE_ORDER, FLEE_STEP, FLEE_TIME, HELP_RADIUS, SEARCH_PERIOD
from sim.engine.route import ARRIVED, WAY_BITS
from sim.engine.state import HOLD_FIRE, IMMOBILE, INSIDE, MOVE, STRUCTURE
from sim.engine.targeting import can_be_target, fight_distance, is_there
from sim.engine.traits import reach_of_weapons, weapon_against


@rule
def answer(world, unit, kind, trait, hurt, units, kinds, visibility):
    """A unit without a target turns on who has just hit the unit `hurt`, itself or a friend, if it can."""
    slot = hurt.last_attacker
    if world.loop - hurt.last_hit > SEARCH_PERIOD or not is_there(units, slot, hurt.attacker_generation):
        return
    if units[slot].flags & INSIDE and units[slot].inside >= 0:
        slot = units[slot].inside  # shot out of a Bunker
    enemy = units[slot]
    if enemy.owner == unit.owner:
        return
    if not can_be_target(units, visibility, unit.owner, slot, enemy.generation):
        return
    weapon = weapon_against(trait, enemy.flags)
    if weapon < 0 or fight_distance(unit, kind, enemy, kinds[slot]) > ANSWER_RANGE:
        return
    set_target(unit, slot, enemy.generation, weapon)


@rule
def friend_in_need(world, slot, unit, kind, units, spots, buckets):
    """Slot of the nearest other own unit within call that has just been hit, -1 = none. The radius counts from edge to
    edge (observed of 4.10: a Marine helps an SCV 4.75 cells off, not at 4.76)."""
    best = -1
    best_distance = HELP_RADIUS + 1e-3
    reach = HELP_RADIUS + kind.radius + world.widest_radius
    first, end = band(world, buckets, unit.y - reach, unit.y + reach)
    for place in range(first, end):
        spot = spots[record_of(place)]
        lane = lane_of(place)
        if spot.owner[lane] != unit.owner or spot.slot[lane] == slot:
            continue
        distance = between(unit.x, unit.y, spot.x[lane], spot.y[lane]) - kind.radius - spot.radius[lane]
        if distance < best_distance and world.loop - units[spot.slot[lane]].last_hit <= SEARCH_PERIOD:
            best = spot.slot[lane]
            best_distance = distance
    return best


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
def go_home(world, unit):
    """After a chase an idle unit returns to where it stood; one that flees runs on."""
    if unit.home_x < 0.0 or unit.order_count:
        if unit.order_count == 0 and world.loop - unit.last_hit > FLEE_TIME:
            unit.moving = 0
        return
    arrived = unit.moving == 0 and unit.way_state & WAY_BITS == ARRIVED
    if arrived or between(unit.x, unit.y, unit.home_x, unit.home_y) < 0.5:
        unit.home_x = -1.0
        unit.moving = 0
        return
    unit.goal_x = unit.home_x
    unit.goal_y = unit.home_y
    unit.moving = 1
