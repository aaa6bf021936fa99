"""One loop of one world: the order of the phases."""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import WALK
from sim.engine.combat import fight
from sim.engine.deaths import bury
from sim.engine.grid import build_grid, mark_anew, muster
from sim.engine.jit import inlined, rule
from sim.engine.missiles import fly_missiles
from sim.engine.movement import move_apart, move_unit
from sim.engine.orders import carry_out_orders
from sim.engine.parameters import VISION_PERIOD
from sim.engine.state import INSIDE, UNFINISHED
from sim.engine.timers import tick_eyes, tick_units
from sim.engine.traits import learn
from sim.engine.vision import see

_STEP = np.float32(0.125)  # cells of height


@inlined
def stand_on_ground(unit, kind, levels):
    """Height of a unit: that of the ground below it, and the type's flying height."""
    row = min(int(unit.y), levels.shape[0] - 1)
    column = min(int(unit.x), levels.shape[1] - 1)
    unit.z = np.float32(levels[row, column] - 127) * _STEP + kind.height


@inlined
def move_units(
    world,
    units,
    orders,
    kinds,
    walk,
    levels,
    creep,
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
    """Movement of all units; each sees the others where they stood at the loop's start, so order does not matter."""
    world.fields_filled = 0
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive:
            kind = kinds[slot]
            if kind.ground != WALK:
                move_apart(
                    world,
                    slot,
                    unit,
                    kind,
                    orders,
                    walk,
                    creep,
                    spots,
                    buckets,
                    fields,
                    distance,
                    corner,
                    queue,
                    near,
                    climb,
                    broad,
                )
            else:
                move_unit(
                    world, slot, unit, kind, orders, walk, creep, spots, buckets, fields, distance, corner, queue, near
                )
            if kind.speed > 0.0:
                stand_on_ground(unit, kind, levels)


@inlined
def fight_units(world, units, types, kinds, weapons, buffs, missiles, events, spots, buckets):
    """Combat of all units. Who loses all life in this loop still gets its shot of this loop."""
    for slot in range(world.slots):
        unit = units[slot]
        if not unit.alive or unit.owner == 0 or unit.flags & UNFINISHED:
            continue
        if not unit.flags & INSIDE or unit.target >= 0:
            fight(world, slot, units, types, kinds, weapons, buffs, missiles, events, spots, buckets)


@inlined
def play_loop(
    world,
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
    """One game loop of one world, for `step_world` and for those who play many: they `learn` and `muster` before."""
    build_grid(world, units, orders, kinds, traits, keys, spots, buckets)
    tick_units(world, units, kinds, orders, jobs, buffs, events)
    carry_out_orders(world, units, orders, players, kinds, traits, weapons, walk, visibility, events, spots, buckets)
    fight_units(world, units, types, kinds, weapons, buffs, missiles, events, spots, buckets)
    fly_missiles(world, units, types, weapons, buffs, missiles, eyes, events, spots, buckets)
    bury(world, units, types, eyes, events)
    mark_anew(world, units, spots)
    move_units(
        world,
        units,
        orders,
        kinds,
        walk,
        levels,
        creep,
        spots,
        buckets,
        fields,
        distance,
        corner,
        queue,
        near,
        climb,
        broad,
    )
    tick_eyes(eyes)
    world.loop += 1
    if world.loop % VISION_PERIOD == 0:
        see(world, units, types, levels, visibility, eyes)


@rule
def step_world(
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
    """One game loop of one world; the arguments are `World.arrays`. Events are appended: the caller empties them."""
    learn(worlds[0], units, types, weapons, kinds, traits)
    muster(worlds[0], units, keys)
    play_loop(
        worlds[0],
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
    )
