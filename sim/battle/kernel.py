"""The compiled part of many battles: the loops of each, until the rules of `sim/melee` are needed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.engine.grid import muster
from sim.engine.jit import inlined, rule
from sim.engine.rng import draw
from sim.engine.state import APPROACH, DEATH, HIT, INSIDE, MAX_BUFFS, PLAYERS
from sim.engine.step import play_loop
from sim.engine.traits import learn
from sim.engine.world import World

GRAVITON_BUFF = 5  # its Phoenix is free when the unit that it holds up dies
ALWAYS, BY_DEATH, BY_HIT = 1, 2, 4  # bits of `Loud.kinds` (ALWAYS) and of `Loud.types`


class Books(NamedTuple):
    """What is kept of each of B battles beside its arrays."""

    left: np.ndarray  # i4[B]: loops still to play
    due: np.ndarray  # i4[B]: loop in which the rules must act
    stopped: np.ndarray  # u1[B]: it waits for the rules
    spoke: np.ndarray  # u1[B, PLAYERS]: players that gave orders since the last loop
    died: np.ndarray  # i4[B, slots]: loops of deaths that the rules have not booked
    damage: np.ndarray  # f4[B, PLAYERS, 2], see `book`
    grounds: np.ndarray  # i4[B]: rows of `levels`
    tables: np.ndarray  # i4[B]: rows of `types` and `weapons`


class Loud(NamedTuple):
    """Which events need the rules above the kernel."""

    kinds: np.ndarray  # u1[kinds of events]
    types: np.ndarray  # u1[type ids]


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
def is_loud(arrays, loud):
    """True if some event of this loop needs the rules above the kernel."""
    for index in range(arrays.world[0].event_count):
        event = arrays.events[index]
        unit = arrays.units[event.unit]
        if event.kind == DEATH:
            if loud.types[unit.type] & BY_DEATH or heavy_death(unit, event.unit, arrays.orders):
                return True
        elif event.kind == HIT:
            if loud.types[unit.type] & BY_HIT:
                return True
        elif loud.kinds[event.kind] & ALWAYS:
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
def settle(arrays, died):
    """Clear what the dead leave behind; `died` keeps the loop for the rules that book it later."""
    world = arrays.world[0]
    for index in range(world.event_count):
        event = arrays.events[index]
        if event.kind != DEATH:
            continue
        slot = event.unit
        unit = arrays.units[slot]
        for k in range(unit.order_count):
            order = arrays.orders[slot, k]
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


@inlined
def battle_of(stack, k, ground, table):
    """The arrays of battle `k`, its ground's levels and its types' tables among them."""
    return World(
        stack.world[k],
        stack.units[k],
        stack.orders[k],
        stack.jobs[k],
        stack.players[k],
        stack.types[table],
        stack.weapons[table],
        stack.buffs,
        stack.walk[k],
        stack.levels[ground],
        stack.creep[k],
        stack.visibility[k],
        stack.eyes[k],
        stack.missiles[k],
        stack.events[k],
        stack.kinds,
        stack.traits,
        stack.keys,
        stack.spots,
        stack.buckets,
        stack.fields[k],
        stack.distance[k],
        stack.corner[k],
        stack.labels,
        stack.queue,
        stack.near,
        stack.climb[k],
        stack.broad[k],
    )


@rule
def play(chosen, first, last, books, loud, stack):
    """Play the battles chosen[first..last-1] for left[k] loops each, or until one has to stop for the rules.

    chosen i8[m]; `books` and `loud` as their types say; `stack` is a `World` whose arrays have the battle as first
    axis, but for buffs and the scratch memory, for `levels` (by ground) and `types` and `weapons` (by table).
    """
    for index in range(first, last):
        k = chosen[index]
        arrays = battle_of(stack, k, books.grounds[k], books.tables[k])
        world = arrays.world[0]
        books.stopped[k] = 0
        if books.spoke[k, 1] and books.spoke[k, 2]:  # a game draws who is first when both players command
            draw(world)
        for player in range(PLAYERS):
            books.spoke[k, player] = 0
        learn(arrays)
        muster(arrays)
        while books.left[k] > 0:
            world.event_count = 0
            play_loop(arrays)
            books.left[k] -= 1
            if world.event_count:
                book(world, arrays.units, arrays.events, books.damage[k])
            if world.loop >= books.due[k]:
                books.stopped[k] = 1
                break
            if world.event_count:
                if is_loud(arrays, loud):
                    books.stopped[k] = 1
                    break
                settle(arrays, books.died[k])
