"""A unit's way to its goal: straight where it sees it, else from corner to corner of a distance field."""

from __future__ import annotations

from sim.engine.geometry import between
from sim.engine.jit import inlined, rule
from sim.engine.lines import clear_into, clear_line
from sim.engine.parameters import BODY, EDGE, FIELDS_PER_LOOP, NEAR_ENOUGH, PATIENCE, REPLAN_PERIOD
from sim.engine.pathing import anchor_of, field_for
from sim.engine.state import FLYING, ROAMING
from sim.engine.world import QUERY_FIELDS

# low bits of unit.way_state
UNPLANNED, STRAIGHT, CORNER, ARRIVED, DEAD_END = range(5)
WAY_BITS = 0x0F
HALF_DIAGONAL = 0.7072  # of a square of side one
# high bits: the side on which it passes those who stand in its way
SIDE_LEFT, SIDE_RIGHT = 0x40, 0x80
SIDE_BITS = SIDE_LEFT | SIDE_RIGHT
AGAIN = 0x10  # it was on its way there before this order


@inlined
def set_way(unit, state, x, y):
    """Remember the next corner; the side it steers to stays."""
    unit.way_state = (unit.way_state & (SIDE_BITS | AGAIN)) | state
    unit.way_x = x
    unit.way_y = y


@inlined
def start_way(unit):
    """Forget the old way, as for a new goal; who was hemmed in still is (bots give new orders every few loops)."""
    unit.way_state = UNPLANNED
    unit.stuck = 0
    unit.way_goal_x = unit.goal_x
    unit.way_goal_y = unit.goal_y


@rule
def next_corner(unit, walk, here, leg, corner):
    """The farthest corner on the way that the unit sees, itself in the cell `here` with the corner `leg`; -1 if it sees
    none, not even the middle of its own cell being of help."""
    width = walk.shape[1]
    for _ in range(4):
        further = corner[leg]
        if further == leg or further < 0:
            break
        if not clear_into(walk, unit.x, unit.y, further % width + 0.5, further // width + 0.5, EDGE):
            break
        leg = further
    x = leg % width + 0.5
    y = leg // width + 0.5
    if clear_into(walk, unit.x, unit.y, x, y, EDGE):
        return leg
    # off the middle of its cell the unit may just miss the corner: through the middle it does not
    middle_x = here % width + 0.5
    middle_y = here // width + 0.5
    if not clear_into(walk, middle_x, middle_y, x, y, EDGE):
        return -1
    # ... nor does who is as good as there: it slides past
    return here if between(unit.x, unit.y, middle_x, middle_y) > NEAR_ENOUGH else leg


@rule
def sees_goal_cell(unit, walk):
    """True if the unit sees the middle of its goal's cell: the goal itself may lie behind a corner of that cell."""
    x = int(unit.goal_x)
    y = int(unit.goal_y)
    if x < 0 or y < 0 or x >= walk.shape[1] or y >= walk.shape[0] or walk[y, x] == 0:
        return False
    if x == int(unit.x) and y == int(unit.y):
        return False
    return clear_line(walk, unit.x, unit.y, x + 0.5, y + 0.5)


@rule
def plan_corner(world, unit, ground, walk, ways):
    """Find the corner to walk to where the goal is not in sight of the unit."""
    width = walk.shape[1]
    last = ways.fields.shape[0] - QUERY_FIELDS
    here = int(unit.y) * width + int(unit.x)
    goal = anchor_of(walk, unit.goal_x, unit.goal_y, unit.goal_side != ROAMING)
    patience = PATIENCE
    for _ in range(2):
        place = field_for(world, ground, walk, ways, 0, last, goal, here, FIELDS_PER_LOOP, patience)
        if place < 0:
            set_way(unit, UNPLANNED, unit.goal_x, unit.goal_y)
            return
        leg = ways.corner[place, here]
        if leg == here and between(unit.x, unit.y, here % width + 0.5, here // width + 0.5) > 0.1:
            # in the anchor's cell: its middle sees the middle of the goal's cell
            set_way(unit, CORNER, here % width + 0.5, here // width + 0.5)
            return
        blocked = leg >= 0 and walk[leg // width, leg % width] == 0 and walk[here // width, here % width] != 0
        if leg < 0 or leg == here or blocked:
            if ways.fields[place].version != world.terrain_version:
                patience = 0  # what lies ahead may have been built on since
                continue
            # only blocked ground lies ahead: this is as near as it gets, unless the wall is still some way off
            end = leg if blocked else here
            set_way(unit, DEAD_END, end % width + 0.5, end // width + 0.5)
            return
        leg = next_corner(unit, walk, here, leg, ways.corner[place])
        if leg >= 0:
            set_way(unit, CORNER, leg % width + 0.5, leg // width + 0.5)
            return
        patience = 0  # the ground has changed on this very way
    set_way(unit, CORNER, here % width + 0.5, here // width + 0.5)


@inlined
def depth_of(unit):
    """How far a straight way may lead inside a body: to the middle of the structure that is its goal, so that it does
    not end at another one in front of that."""
    return HALF_DIAGONAL * unit.goal_side + 0.05 if 0 < unit.goal_side < ROAMING else BODY


@inlined
def follow_way(world, unit, slot, ground, moved, step, walk, ways):
    """Keep `way_x`, `way_y` right: the point the unit heads for in this loop. `moved` is how far its goal is from that
    of its plan, `step` how far it goes at most.

    `walk` is the grid of its `ground`.
    """
    if unit.flags & FLYING:
        set_way(unit, STRAIGHT, unit.goal_x, unit.goal_y)
        return
    state = unit.way_state & WAY_BITS
    if state == UNPLANNED or moved > 1.0:
        due = True
    elif state == STRAIGHT:
        due = (world.loop + slot) % REPLAN_PERIOD == 0
        if moved > 0.0:
            unit.way_x = unit.goal_x
            unit.way_y = unit.goal_y
    else:
        near = state == CORNER and between(unit.x, unit.y, unit.way_x, unit.way_y) <= step
        due = near or (world.loop + slot) % REPLAN_PERIOD == 0
    if not due:
        return
    unit.way_goal_x = unit.goal_x
    unit.way_goal_y = unit.goal_y
    if clear_into(walk, unit.x, unit.y, unit.goal_x, unit.goal_y, depth_of(unit)):
        set_way(unit, STRAIGHT, unit.goal_x, unit.goal_y)
    elif sees_goal_cell(unit, walk):
        set_way(unit, CORNER, int(unit.goal_x) + 0.5, int(unit.goal_y) + 0.5)
    else:
        plan_corner(world, unit, ground, walk, ways)
