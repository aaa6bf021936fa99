"""One loop of one world: the order of the phases."""

from __future__ import annotations

import numpy as np

from sim.engine.bundles import crowd_of, ground_of, roster_of, ways_of
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
def move_units(arrays):
    """Movement of all units; each sees the others where they stood at the loop's start, so order does not matter."""
    world, orders = arrays.world[0], arrays.orders
    ground, crowd, ways = ground_of(arrays), crowd_of(arrays), ways_of(arrays)
    world.fields_filled = 0
    for slot in range(world.slots):
        unit = arrays.units[slot]
        if unit.alive:
            kind = arrays.kinds[slot]
            if kind.ground != WALK:
                move_apart(world, slot, unit, kind, orders, ground, crowd, ways)
            else:
                move_unit(world, slot, unit, kind, orders, ground.walk, ground.creep, crowd, ways)
            if kind.speed > 0.0:
                stand_on_ground(unit, kind, ground.levels)


@inlined
def fight_units(arrays):
    """Combat of all units. Who loses all life in this loop still gets its shot of this loop."""
    world, roster, crowd = arrays.world[0], roster_of(arrays), crowd_of(arrays)
    for slot in range(world.slots):
        unit = arrays.units[slot]
        if not unit.alive or unit.owner == 0 or unit.flags & UNFINISHED:
            continue
        if not unit.flags & INSIDE or unit.target >= 0:
            fight(world, slot, roster, arrays.missiles, arrays.events, crowd)


@inlined
def play_loop(arrays):
    """One game loop of a `World`, for `step_world` and for those who play many: they `learn` and `muster` before."""
    build_grid(arrays)
    tick_units(arrays)
    carry_out_orders(arrays)
    fight_units(arrays)
    fly_missiles(arrays)
    bury(arrays)
    mark_anew(arrays)
    move_units(arrays)
    tick_eyes(arrays.eyes)
    world = arrays.world[0]
    world.loop += 1
    if world.loop % VISION_PERIOD == 0:
        see(arrays)


@rule
def step_world(arrays):
    """One game loop of a `World`. Events are appended: the caller empties them."""
    learn(arrays)
    muster(arrays)
    play_loop(arrays)
