"""Death: units without life leave the map; their sight stays a while."""

from __future__ import annotations

from sim.engine.jit import inlined, rule
from sim.engine.reports import report
from sim.engine.state import DEATH, FLYING, INSIDE


@rule
def leave_eye(unit, kind, eyes):
    """The spot where a unit died stays seen for a while."""
    for k in range(eyes.shape[0]):
        eye = eyes[k]
        if eye.left <= 0.0:
            eye.owner = unit.owner
            eye.flying = 1 if unit.flags & FLYING else 0
            eye.x = unit.x
            eye.y = unit.y
            eye.radius = kind.linger
            eye.detect = 0.0
            eye.left = kind.linger_loops
            return


@inlined
def bury(arrays):
    """Clear all units whose life is spent and report them."""
    world = arrays.world[0]
    for slot in range(world.slots):
        unit = arrays.units[slot]
        if not unit.alive or unit.hp > 0.0:
            continue
        beyond = -unit.hp
        unit.alive = 0
        unit.hp = 0.0
        unit.moving = 0
        unit.target = -1
        unit.weapon = -1
        unit.windup = -1.0
        report(world, arrays.events, DEATH, slot, unit.hit_by, beyond)
        if world.fog and unit.owner > 0 and not unit.flags & INSIDE:
            leave_eye(unit, arrays.types[unit.owner, unit.type], arrays.eyes)
