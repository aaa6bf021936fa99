"""How units keep apart and pass each other: pushes, and who stands in the way (round them: `detour`)."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.detour import note_obstacle
from sim.engine.grid import band, record_of
from sim.engine.jit import inlined, lowest, rule
from sim.engine.lanes import bits_of, load
from sim.engine.parameters import CROWD_FILL, LOOK_AHEAD, OVERLAP, PUSH_SHARE
from sim.engine.state import BURROWED, FLYING, TALL
from sim.engine.world import BLOCKERS, FIGHTING, FIXED, HOLDING, LANES, MOVING, SOLID, SOLID_BELOW, SOLID_IN_AIR

_AHEAD, _OVERLAP = np.float32(LOOK_AHEAD), np.float32(OVERLAP)
_TOUCH, _NOWHERE = np.float32(0.15), np.float32(1e-6)
_ZERO, _BEHIND = np.float32(0.0), np.float32(-0.3)
_EVER = np.float32(1e3)  # cells to go of who does not walk to a target
YIELDS = PUSH_SHARE / 3.0  # a mover's own share of the way that it and a friend at rest make for each other
_NONE, _ONE_BIT = np.uint32(0), np.uint32(1)
_MOVES, _STAYS, _HOLDS = np.uint32(MOVING), np.uint32(FIGHTING | FIXED), np.uint32(HOLDING)
# length of the direction in which a unit leaves one on the same spot; a table, since roots are taken ahead of branches
_APART = np.sqrt([(slot * 7 % 16 - 7.5) ** 2 + (slot * 5 % 16 - 7.5) ** 2 for slot in range(16)])


@inlined
def yielding(marks, friend):
    """How readily a unit gives way: not when it holds, hardly when it fights or an enemy shoves, most at rest."""
    if marks & FIXED:
        return 0.0
    if marks & FIGHTING:
        return 0.25 if friend else 0.05
    if marks & MOVING:
        return 1.0
    return 2.0 if friend else 0.05


@inlined
def close_by(spot, dx, dy, apart, room, solid, slot):
    """Lanes of a record in which somebody else of a plane (`solid`) stands nearer than `room`, edge to edge; `dx`, `dy`
    and `apart` are its lanes' places from the unit, and the distances at which they touch."""
    reach = apart + room
    near = dx * dx + dy * dy < reach * reach
    return near & (load(spot.marks) & solid != _NONE) & (load(spot.slot) != slot)


@inlined
def plane_of(unit):
    """The mark of those who are in the unit's way (catalog: layers of collision): a Colossus strides over who walks, as
    it collides with flyers, and the burrowed collide with each other."""
    return np.uint32(SOLID_IN_AIR if unit.flags & (FLYING | TALL) else SOLID_BELOW if unit.flags & BURROWED else SOLID)


@inlined
def push_apart(unit, slot, kind, spot, lane, marks):
    """Push the unit away from another that it overlaps, by its share; by the marks of both."""
    friend = spot.owner[lane] == unit.owner
    mine = yielding(marks, friend)
    if mine <= 0.0:
        return
    theirs = yielding(spot.marks[lane], friend)
    dx = spot.x[lane] - unit.x
    dy = spot.y[lane] - unit.y
    distance = math.sqrt(dx * dx + dy * dy)
    amount = PUSH_SHARE * (kind.separation + spot.separation[lane] - distance) * mine / (mine + theirs)
    if distance > 1e-3:
        unit.push_x -= dx / distance * amount
        unit.push_y -= dy / distance * amount
    else:  # exactly on top of each other: part along a direction that differs from slot to slot
        amount /= _APART[slot & 15]
        unit.push_x += (slot * 7 % 16 - 7.5) * amount
        unit.push_y += (slot * 5 % 16 - 7.5) * amount


@inlined
def feel_round(world, unit, slot, kind, marks, crowd):
    """Sum up the overlaps of a unit that stands into `push_x`, `push_y`."""
    x = unit.x
    y = unit.y
    far = kind.separation + world.widest_separation
    first, end = band(world, crowd.buckets, y - far, y + far)
    for record in range(record_of(first), record_of(end + LANES - 1)):
        spot = crowd.spots[record]
        dx = load(spot.x) - x
        dy = load(spot.y) - y
        apart = load(spot.separation) + kind.separation
        bits = bits_of(close_by(spot, dx, dy, apart, -_OVERLAP, plane_of(unit), np.int32(slot)))
        while bits:
            lane = lowest(bits)
            bits &= bits - _ONE_BIT
            push_apart(unit, slot, kind, spot, lane, marks)


@inlined
def aside_of(slot, spot, lane, apart, dx, dy, course_x, course_y):
    """How far to the left (below 0: right) of its course a mover gets past a friend at rest that it shoves; else it
    would push who stands straight ahead along with it."""
    ahead = dx * course_x + dy * course_y
    left = course_x * dy - course_y * dx
    if ahead <= 0.0 or spot.marks[lane] & (MOVING | FIGHTING | FIXED):
        return 0.0
    step = YIELDS * (apart - math.sqrt(dx * dx + dy * dy))
    return -step if left > 0.0 or (left == 0.0 and slot & 1) else step


@inlined
def depth_ahead(widths, dx, dy, course_x, course_y):
    """How deep a mover stands in another that is ahead of it, as far as its course leads deeper."""
    distance = math.sqrt(dx * dx + dy * dy)
    if distance < 1e-3:
        return 0.0
    return (widths - distance) * (dx * course_x + dy * course_y) / distance


@inlined
def look_round(world, unit, slot, kind, course_x, course_y, squeezing, crowd):
    """Sum up the neighbours of a mover: `push_x`, `push_y` away from overlaps, and into `near` those in its way.

    Returns (obstacles in `near`; whether one may lie on the course; whether it met a friend resting nearer to the
    goal; cells to the left that lead past such friends; whether somebody stands firm near by, see
    `blocking`; how deep it stands in friends on the move ahead of it, and in any). The course is where it wants to go.
    """
    x = unit.x
    y = unit.y
    to_goal = (unit.goal_x - x) ** 2 + (unit.goal_y - y) ** 2
    count = 0
    met = False
    barred = False
    wary = False
    flies = unit.flags & FLYING != 0  # over all others: only friends on the move push it
    chases = unit.target >= 0 and not flies
    to_go = np.float32(unit.to_go) if chases else _EVER
    aside = 0.0
    pressed = 0.0
    leant = 0.0
    far = kind.separation + world.widest_separation + _AHEAD
    first, end = band(world, crowd.buckets, y - far, y + far)
    for record in range(record_of(first), record_of(end + LANES - 1)):
        spot = crowd.spots[record]
        dx = load(spot.x) - x
        dy = load(spot.y) - y
        apart = load(spot.separation) + kind.separation
        close = close_by(spot, dx, dy, apart, load(spot.room), plane_of(unit), np.int32(slot))
        if not bits_of(close):
            continue
        square = dx * dx + dy * dy
        friend = load(spot.owner) == np.int32(unit.owner)
        passed = _NONE
        if flies:
            passed = ~bits_of(friend & (load(spot.marks) & _MOVES != _NONE))
        elif squeezing:  # through friends, but not who holds his place
            passed = bits_of(friend & (load(spot.marks) & _HOLDS == _NONE))
        shoving = close & (square < (apart - _OVERLAP) * (apart - _OVERLAP))
        bits = bits_of(shoving) & ~passed
        while bits:
            lane = lowest(bits)
            bits &= bits - _ONE_BIT
            push_apart(unit, slot, kind, spot, lane, MOVING)
            if spot.owner[lane] == unit.owner:
                widths = kind.separation + spot.separation[lane]
                away_x = spot.x[lane] - x
                away_y = spot.y[lane] - y
                depth = depth_ahead(widths, away_x, away_y, course_x, course_y)
                leant = max(leant, depth)
                if spot.marks[lane] & MOVING:
                    pressed = max(pressed, depth)
                aside += aside_of(slot, spot, lane, widths, away_x, away_y, course_x, course_y)
                if chases and count < BLOCKERS and spot.marks[lane] & MOVING:  # it goes round those it would shove
                    barred |= note_obstacle(unit, kind, spot, lane, course_x, course_y, count, crowd.near)
                    count += 1
        standing = close & (load(spot.marks) & _MOVES == _NONE) & (square >= _NOWHERE)
        if not bits_of(standing):
            continue
        if not flies:
            enemy = load(spot.owner) != np.int32(unit.owner)
            wary |= bits_of(standing & (enemy | (load(spot.marks) & _HOLDS != _NONE))) != _NONE
        goal_dx = load(spot.x) - unit.goal_x
        goal_dy = load(spot.y) - unit.goal_y
        from_goal = goal_dx * goal_dx + goal_dy * goal_dy
        resting = friend & (load(spot.marks) & _STAYS == _NONE)  # it gives way
        touching = square < (apart + _TOUCH) * (apart + _TOUCH)
        met |= bits_of(standing & resting & touching & (from_goal < to_goal)) != _NONE
        if flies:
            continue
        # who stands beyond the goal, or on it, is nobody to go round
        # nor, on the way to a target, who stands beyond where the weapon reaches that
        between = (square <= to_goal) & (from_goal >= load(spot.separation) * load(spot.separation))
        between = between & (square < (apart + to_go) * (apart + to_go))
        along = dx * course_x + dy * course_y
        ahead = along > apart * _BEHIND
        bits = bits_of(standing & between & ahead) & ~bits_of(resting) & ~passed
        while bits and count < BLOCKERS:
            lane = lowest(bits)
            bits &= bits - _ONE_BIT
            barred |= note_obstacle(unit, kind, spot, lane, course_x, course_y, count, crowd.near)
            count += 1
    return count, barred, met, aside, wary, pressed, leant


@rule
def crowded(world, unit, slot, left, crowd):
    """True if friends at rest fill the ground round the unit's goal, `left` cells from it, so that it has arrived: one
    who merely stands on the way is passed."""
    filled = 0.0
    first, end = band(world, crowd.buckets, unit.goal_y - left, unit.goal_y + left)
    for record in range(record_of(first), record_of(end + LANES - 1)):
        spot = crowd.spots[record]
        dx = load(spot.x) - unit.goal_x
        dy = load(spot.y) - unit.goal_y
        inside = close_by(spot, dx, dy, np.float32(left), _ZERO, plane_of(unit), np.int32(slot))
        resting = load(spot.marks) & np.uint32(MOVING | FIXED) == _NONE
        bits = bits_of(inside & resting & (load(spot.owner) == np.int32(unit.owner)))
        while bits:
            lane = lowest(bits)
            bits &= bits - _ONE_BIT
            filled += spot.separation[lane] * spot.separation[lane]
    return filled >= CROWD_FILL * left * left
