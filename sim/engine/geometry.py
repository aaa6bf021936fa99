"""Distances, angles and cells: the arithmetic that every rule needs."""

from __future__ import annotations

import math

from sim.engine.jit import inlined


@inlined
def between(ax, ay, bx, by):
    """Distance of two points in cells."""
    dx = bx - ax
    dy = by - ay
    return math.sqrt(dx * dx + dy * dy)


@inlined
def wrap(angle):
    """The same angle in [-pi, pi]; for angles within a few turns."""
    while angle > math.pi:
        angle -= 2.0 * math.pi
    while angle < -math.pi:
        angle += 2.0 * math.pi
    return angle


@inlined
def turned(facing, wanted, rate):
    """Facing after turning towards `wanted` by at most `rate`."""
    rest = wrap(wanted - facing)
    if rest > rate:
        rest = rate
    elif rest < -rate:
        rest = -rate
    return wrap(facing + rest)


@inlined
def free_cell(walk, x, y):
    """True if a ground unit may stand at the point: inside the map and walkable."""
    if x < 0.0 or y < 0.0:
        return False
    column = int(x)
    row = int(y)
    return row < walk.shape[0] and column < walk.shape[1] and walk[row, column] != 0


@inlined
def seen(visibility, owner, x, y):
    """True if the owner sees the point now."""
    column = min(max(int(x), 0), visibility.shape[2] - 1)
    row = min(max(int(y), 0), visibility.shape[1] - 1)
    return visibility[owner, row, column] == 2
