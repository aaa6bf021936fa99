"""The compiled part of many battles: the loops of each, until the rules of `sim/melee` are needed."""

from __future__ import annotations

from sim.engine.grid import muster
from sim.engine.jit import rule
from sim.engine.rng import draw
from sim.engine.state import APPROACH, DEATH, HIT, INSIDE, MAX_BUFFS, PLAYERS
from sim.engine.step import play_loop
from sim.engine.traits import learn

GRAVITON_BUFF = 5  # its Phoenix is free when the unit that it holds up dies
ALWAYS, BY_DEATH, BY_HIT = 1, 2, 4  # bits of `loud_kinds` (ALWAYS) and of `loud_types`


@rule
def heavy_death(unit, slot, orders):
    """True if a death touches more than the dead unit: cargo, work in progress, an ability under way, who held it."""
    if unit.flags & INSIDE or unit.cargo > 0 or unit.job_count:
        return True
    for k in range(MAX_BUFFS):
        if unit.buff[k] == GRAVITON_BUFF:
            return True
    for k in range(unit.order_count):
        if orders[slot, k].verb >= APPROACH or orders[slot, k].minerals or orders[slot, k].gas:
            return True
    return False


@rule
def is_loud(world, units, orders, events, loud_kinds, loud_types):
    """True if some event of this loop needs the rules above the kernel."""
    for index in range(world.event_count):
        event = events[index]
        unit = units[event.unit]
        if event.kind == DEATH:
            if loud_types[unit.type] & BY_DEATH or heavy_death(unit, event.unit, orders):
                return True
        elif event.kind == HIT:
            if loud_types[unit.type] & BY_HIT:
                return True
        elif loud_kinds[event.kind] & ALWAYS:
            return True
    return False


@rule
def book(world, units, events, damage):
    """Adds up what a player's hits wasted on the dying and did to its own units; damage f4[PLAYERS, 2]."""
    for index in range(world.event_count):
        event = events[index]
        by = event.other
        if by <= 0 or (event.kind != DEATH and event.kind != HIT):
            continue
        same = by == units[event.unit].owner
        if event.kind == DEATH and not same:
            damage[by, 0] += event.value
        elif event.kind == HIT and same:
            damage[by, 1] += event.value


@rule
def settle(world, units, orders, died, events):
    """Clear what the dead leave behind; `died` keeps the loop for the rules that book it later."""
    for index in range(world.event_count):
        event = events[index]
        if event.kind != DEATH:
            continue
        slot = event.unit
        unit = units[slot]
        for k in range(unit.order_count):
            order = orders[slot, k]
            order.ability = 0
            order.verb = 0
            order.stage = 0
            order.target = 0
            order.target_generation = 0
            order.x = 0.0
            order.y = 0.0
            order.x2 = 0.0
            order.y2 = 0.0
            order.range = 0.0
            order.timer = 0.0
            order.product = 0
        unit.order_count = 0
        died[slot] = world.loop


@rule
def play(
    chosen,
    first,
    last,
    left,
    due,
    stopped,
    spoke,
    died,
    damage,
    grounds,
    tables,
    loud_kinds,
    loud_types,
    worlds,
    units,
    orders,
    jobs,
    players,
    types,
    weapons,
    buffs,
    walk,
    levels,
    creep,
    visibility,
    eyes,
    missiles,
    events,
    kinds,
    traits,
    keys,
    spots,
    buckets,
    fields,
    distance,
    corner,
    queue,
    near,
    climb,
    broad,
):
    """Play the battles chosen[first..last-1] for left[k] loops each, or until one has to stop for the rules.

    chosen i8[m], left i4[B], due i4[B] (loop at which the rules must act), stopped u1[B] (answer), spoke
    u1[B, PLAYERS] (players that gave orders; cleared), died i4[B, slots], damage f4[B, PLAYERS, 2] (see `book`),
    grounds and tables i4[B] (rows of `levels` and of `types`, `weapons`). The rest as `World.arrays` with the battle as
    first axis, but for buffs and the scratch memory.
    """
    for index in range(first, last):
        k = chosen[index]
        world = worlds[k, 0]
        stopped[k] = 0
        if spoke[k, 1] and spoke[k, 2]:  # a game draws who is first when both players command
            draw(world)
        for player in range(PLAYERS):
            spoke[k, player] = 0
        kind = types[tables[k]]
        arms = weapons[tables[k]]
        height = levels[grounds[k]]
        mine = units[k]
        given = orders[k]
        happened = events[k]
        learn(world, mine, kind, arms, kinds, traits)
        muster(world, mine, keys)
        while left[k] > 0:
            world.event_count = 0
            play_loop(
                world,
                mine,
                given,
                jobs[k],
                players[k],
                kind,
                arms,
                buffs,
                walk[k],
                height,
                creep[k],
                visibility[k],
                eyes[k],
                missiles[k],
                happened,
                kinds,
                traits,
                keys,
                spots,
                buckets,
                fields[k],
                distance[k],
                corner[k],
                queue,
                near,
                climb[k],
                broad[k],
            )
            left[k] -= 1
            if world.event_count:
                book(world, mine, happened, damage[k])
            if world.loop >= due[k]:
                stopped[k] = 1
                break
            if world.event_count:
                if is_loud(world, mine, given, happened, loud_kinds, loud_types):
                    stopped[k] = 1
                    break
                settle(world, mine, given, died[k], happened)
