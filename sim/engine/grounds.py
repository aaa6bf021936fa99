"""Where whom the ground bears: most walk where `walk` is open, climbers pass cliffs too, broad units need more room."""

from __future__ import annotations

from sim.engine.jit import inlined, rule
from sim.engine.parameters import ONE_CELL
from sim.engine.state import FLYING

WALK, CLIMB, BROAD = range(3)


@inlined
def ground_of(unit, kind):
    """The ground a unit walks on; flyers and structures count as walkers."""
    if kind.climber:
        return CLIMB
    return BROAD if kind.inner_radius > ONE_CELL and kind.speed > 0.0 and not unit.flags & FLYING else WALK


@rule
def fit_broad(world, walk, broad):
    """Bring the broad units' ground up to date: cells of `walk` that are one of four open ones in a square.

    So a gap one cell wide between two structures that face each other stops them, one between two that stand askew does
    not, as players describe it (two squares, or one and a diagonal).
    """
    if world.broad_version == world.terrain_version:
        return
    world.broad_version = world.terrain_version
    height, width = walk.shape
    for y in range(height):
        for x in range(width):
            broad[y, x] = 0
    for y in range(height - 1):
        for x in range(width - 1):
            if walk[y, x] & walk[y, x + 1] & walk[y + 1, x] & walk[y + 1, x + 1]:
                broad[y, x] = 1
                broad[y, x + 1] = 1
                broad[y + 1, x] = 1
                broad[y + 1, x + 1] = 1
