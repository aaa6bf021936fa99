"""Plain orders, compiled: the verdict and the effect of many of them, one after the other."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.engine.catalog import AIR, BIOLOGICAL, GROUND, MAX_WEAPONS, MECHANICAL
from sim.engine.jit import rule
from sim.engine.order import write_order
from sim.engine.state import (
    APPROACH,
    ATTACK,
    ATTACK_MOVE,
    DISARMED,
    FLYING,
    FOLLOW,
    HALLUCINATION,
    HEAL,
    HOLD,
    IDLE,
    IMMOBILE,
    INSIDE,
    INVULNERABLE,
    MORPHING,
    MOVE,
    PATROL,
    REPAIR,
    STRUCTURE,
    TALL,
    UNFINISHED,
    ZONED,
)

REFUSED, GIVEN, LONG_WAY = 0, 1, 2  # answers: LONG_WAY = it has to go through `Game.issue`
UNLIKE = -1  # in the table of abilities: see `issue.ability_table`
UNUSUAL = MORPHING | INSIDE | UNFINISHED | HALLUCINATION | STRUCTURE  # orders of these are more than a row to write
POINTS = 4096.0  # points are kept to one part in so many, cut down, as `melee/commands.py` does


@rule
def is_unusual(unit, kind, current):
    """True if the unit's orders are more than a row to write: a morph or an ability under way, a queue, stasis."""
    if unit.flags & UNUSUAL or unit.order_count > 1:
        return True
    if unit.order_count and current.verb >= APPROACH:
        return True
    return unit.flags & IMMOBILE != 0 and kind.speed > 0.0


@rule
def mends(verb, unit, other, kind):
    """True if the other unit is a patient for HEAL or REPAIR; `kind` is its type. Who is jammed mends nobody."""
    if other.owner != unit.owner or other.flags & INVULNERABLE or unit.flags & DISARMED:
        return False
    if verb == HEAL:
        return kind.attributes & BIOLOGICAL != 0 and not other.flags & STRUCTURE
    return kind.attributes & MECHANICAL != 0 and not other.flags & UNFINISHED


@rule
def can_hit(unit, kind, weapons, other, size):
    """The checks of `melee/moving.py` for a target of this size (radius, cells): some weapon reaches its plane, and who
    does not walk can fire from there."""
    if kind.weapons[0] < 0:
        return kind.speed > 0.0
    wanted = GROUND | AIR if other.flags & TALL else AIR if other.flags & FLYING else GROUND
    away = max(math.hypot(unit.x - other.x, unit.y - other.y) - kind.radius - size, 0.0)
    any_fits = False
    near_enough = False
    far_enough = False
    for place in range(MAX_WEAPONS):
        row = kind.weapons[place]
        if row >= 0 and weapons[row].targets & wanted:
            any_fits = True
            near_enough = near_enough or away <= weapons[row].range
            far_enough = far_enough or away >= weapons[row].min_range
    return any_fits if kind.speed > 0.0 else near_enough and far_enough


@rule
def allowed(verb, unit, slot, kind, target, units, types, weapons):
    """The checks of `melee/moving.py` and `melee/mending.py`."""
    if kind.speed <= 0.0 and verb in (MOVE, FOLLOW, PATROL, HOLD):
        return False
    if verb in (FOLLOW, ATTACK, HEAL, REPAIR):
        if target < 0 or target == slot:
            return False
        other = units[target]
        if not other.alive or other.flags & INSIDE or types[other.owner, other.type].untargetable:
            return False
        if verb == ATTACK:
            size = types[other.owner, other.type].radius
            return not other.flags & INVULNERABLE and can_hit(unit, kind, weapons[unit.owner], other, size)
        if verb in (HEAL, REPAIR):
            return mends(verb, unit, other, types[other.owner, other.type])
    return True


@rule
def same_order(order, ability, target, generation, x, y, pointed):
    """True if an order asks for nothing new."""
    if order.ability != ability or order.target != target:
        return False
    if target >= 0:
        return order.target_generation == generation
    if not pointed:
        return True
    return abs(order.x - x) < 1.0 / POINTS and abs(order.y - y) < 1.0 / POINTS


@rule
def stop(unit, order):
    """No orders."""
    order.ability = 0
    order.verb = 0
    order.stage = 0
    order.target = 0
    order.target_generation = 0
    order.timer = 0.0
    order.range = 0.0
    unit.order_count = 0
    unit.moving = 0


class Asked(NamedTuple):
    """Plain orders for m units, as `Battles.issue` takes them."""

    battles: np.ndarray  # i8[m]
    slots: np.ndarray  # i8[m]
    verbs: np.ndarray  # i8[m]
    targets: np.ndarray  # i8[m]
    xs: np.ndarray  # f8[m]
    ys: np.ndarray  # f8[m]


@rule
def give(asked, answers, spoke, tables, abilities, units, orders, types, weapons):
    """Give m orders; answers u1[m] tells what came of each.

    spoke u1[B, PLAYERS] is set where a player has commanded; abilities i4[verbs, types] as `issue.ability_table`;
    units UNIT[B, slots], orders ORDER[B, slots, depth], types and weapons by the battles' tables i4[B].
    """
    for index in range(asked.battles.shape[0]):
        battle = asked.battles[index]
        slot = asked.slots[index]
        verb = asked.verbs[index]
        answers[index] = REFUSED
        mine = units[battle]
        catalog = types[tables[battle]]
        unit = mine[slot]
        if not unit.alive:
            continue
        kind = catalog[unit.owner, unit.type]
        order = orders[battle, slot, 0]
        ability = abilities[verb, unit.type]
        if ability == 0:
            continue
        if is_unusual(unit, kind, order) or (verb == ATTACK and unit.rally >= ZONED):
            answers[index] = LONG_WAY
            continue
        aimed = verb in (FOLLOW, ATTACK, HEAL, REPAIR)
        target = asked.targets[index] if aimed else -1
        if ability == UNLIKE or not allowed(verb, unit, slot, kind, target, mine, catalog, weapons[tables[battle]]):
            continue
        answers[index] = GIVEN
        spoke[battle, unit.owner] = 1
        pointed = verb in (MOVE, ATTACK_MOVE, PATROL)
        x = float(unit.x)
        y = float(unit.y)
        generation = 0
        if aimed:
            x = float(mine[target].x)
            y = float(mine[target].y)
            generation = mine[target].generation
        elif pointed:
            x = int(asked.xs[index] * POINTS) / POINTS
            y = int(asked.ys[index] * POINTS) / POINTS
        if unit.order_count and same_order(order, ability, target, generation, x, y, pointed):
            continue
        if verb == ATTACK_MOVE and (kind.speed <= 0.0 or unit.flags & IMMOBILE):
            continue
        if verb == IDLE:
            stop(unit, order)
            continue
        if verb == ATTACK and kind.weapons[0] < 0:  # who has no weapon goes where the target is
            write_order(unit, order, ability, ATTACK_MOVE, -1, 0, x, y)
        else:
            write_order(unit, order, ability, verb, target, generation, x, y)
        unit.moving = 0
