"""Distance fields, lines and walking distances against slow exact answers."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from sim.engine.bundles import Ways
from sim.engine.lines import clear_cells, clear_line
from sim.engine.pathing import walking_distance
from sim.engine.state import MOVE
from tests.sim.engine.worlds import arena, order, place, put, step


def random_ground(seed: int, size: int = 32, blocks: int = 14) -> np.ndarray:
    """u1[size, size] with rectangles in the way."""
    rng = np.random.default_rng(seed)
    walk = np.ones((size, size), np.uint8)
    for _ in range(blocks):
        y, x = rng.integers(1, size - 6, 2)
        h, w = rng.integers(1, 7, 2)
        walk[y : y + h, x : x + w] = 0
    return walk


def exact_distance(walk: np.ndarray, a: tuple[int, int], b: tuple[int, int]) -> float:
    """Shortest way of straight legs between free cell centres (x, y), found by a search over what sees what."""
    best = {a: 0.0}
    queue = [(0.0, a)]
    corners = [(x, y) for y, x in np.argwhere(walk) if is_corner(walk, x, y)]
    while queue:
        length, here = heapq.heappop(queue)
        if here == b:
            return length
        if length > best[here]:
            continue
        for other in [*corners, b]:
            if other == here or not clear_cells(walk, *here, *other):
                continue
            total = length + math.dist(here, other)
            if total < best.get(other, math.inf) - 1e-9:
                best[other] = total
                heapq.heappush(queue, (total, other))
    return 0.0


def is_corner(walk: np.ndarray, x: int, y: int) -> bool:
    """True if a way may bend at this cell: it touches a blocked cell diagonally or sideways."""
    patch = walk[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
    return not patch.all()


def ask(world, ax: float, ay: float, bx: float, by: float) -> float:
    """The pathing query."""
    ways = Ways(world.fields, world.distance, world.corner, world.labels, world.queue)
    return walking_distance(world.world[0], 0, world.walk, ways, ax, ay, bx, by)


@pytest.mark.parametrize("seed", range(6))
def test_walking_distances_are_near_the_shortest(seed: int) -> None:
    walk = random_ground(seed)
    world = arena(walk=walk)
    rng = np.random.default_rng(seed)
    free = np.argwhere(walk)
    for _ in range(6):
        (ay, ax), (by, bx) = free[rng.integers(len(free), size=2)]
        exact = exact_distance(walk, (int(ax), int(ay)), (int(bx), int(by)))
        found = ask(world, ax + 0.5, ay + 0.5, bx + 0.5, by + 0.5)
        if exact == 0.0:
            assert found == 0.0 or (ax, ay) == (bx, by)
        else:
            assert exact * 0.995 <= found <= exact * 1.03 + 0.1


@pytest.mark.parametrize("seed", range(6))
def test_who_asks_from_farther_off_hears_what_a_new_field_says(seed: int) -> None:
    """A field ends a little beyond who asked first, and goes on from there: no way is longer or shorter for it."""
    walk = random_ground(seed, 96, 60)
    rng = np.random.default_rng(seed)
    free = np.argwhere(walk)
    by, bx = free[rng.integers(len(free))] + 0.5
    by_distance = free[np.argsort(np.hypot(*(free + 0.5 - (by, bx)).T))]
    asked = arena(walk=walk)
    for ay, ax in by_distance[len(free) // 8 :: len(free) // 8] + 0.5:
        assert ask(asked, ax, ay, bx, by) == pytest.approx(ask(arena(walk=walk), ax, ay, bx, by), abs=0.02)


@pytest.mark.parametrize("seed", range(6))
def test_units_walk_little_more_than_the_shortest_way(seed: int) -> None:
    walk = random_ground(seed + 100)
    world = arena(walk=walk)
    rng = np.random.default_rng(seed)
    free = np.argwhere(walk)
    walkers = []
    while len(walkers) < 5:
        (ay, ax), (by, bx) = free[rng.integers(len(free), size=2)]
        exact = exact_distance(walk, (int(ax), int(ay)), (int(bx), int(by)))
        if exact < 12:
            continue
        slot = put(world, "Marine", 1, ax + 0.5, ay + 0.5)
        world.units["flags"][slot] |= 1 << 8  # no collision: the way alone counts
        order(world, slot, MOVE, bx + 0.5, by + 0.5)
        walkers.append((slot, exact, (bx + 0.5, by + 0.5)))
    arrived = {}
    for loop in range(1, 1500):
        step(world)
        for slot, _, _ in walkers:
            if slot not in arrived and world.units["order_count"][slot] == 0:
                arrived[slot] = loop
    for slot, exact, goal in walkers:
        assert place(world, slot) == pytest.approx(goal, abs=0.05)
        # corners are cut a little closer than through the middles of cells; goals of one block share a field, which
        # may cost part of the block's side at the end
        assert exact * 0.95 - 0.3 <= arrived[slot] * 0.140625 <= exact * 1.03 + 1.6


@pytest.mark.parametrize("off", [0.0, 0.0197, 0.05, 0.3])
def test_who_stands_just_beside_the_middle_of_a_cell_gets_round_a_corner(off: float) -> None:
    """The next corner is seen from the cell's middle, but from a fiftieth of a cell below it a wall is in between."""
    walk = np.ones((96, 96), np.uint8)
    walk[:, 47:49] = 0
    walk[48:54, 47:49] = 1
    world = arena(96, 96, walk=walk)
    marine = put(world, "Marine", 1, 54.5, 47.5 - off)
    order(world, marine, MOVE, 20, 48.5)
    step(world, 300)
    assert place(world, marine) == (20.0, 48.5)


def test_no_way_is_zero() -> None:
    walk = np.ones((30, 30), np.uint8)
    walk[:, 15] = 0
    world = arena(walk=walk)
    assert ask(world, 5, 5, 25, 5) == 0
    assert ask(world, 5, 5, 15.5, 5) == 0  # the goal itself is blocked
    assert ask(world, 5, 5, 12, 9) == pytest.approx(math.hypot(7, 4))
    assert ask(world, -3, 5, 12, 9) == 0
    assert ask(world, 5, 5, 99, 9) == 0


def test_a_start_inside_a_structure_counts_from_its_side() -> None:
    walk = np.ones((30, 30), np.uint8)
    walk[10:15, 10:15] = 0
    world = arena(walk=walk)
    assert ask(world, 12.5, 12.5, 22.5, 12.5) == pytest.approx(8, abs=3)


def test_closing_a_gap_changes_the_answer() -> None:
    walk = np.ones((30, 30), np.uint8)
    walk[:, 15] = 0
    walk[3, 15] = 1
    world = arena(walk=walk)
    assert ask(world, 5.5, 20.5, 25.5, 20.5) > 39
    world.walk[3, 15] = 0
    world.world["terrain_version"] += 1
    assert ask(world, 5.5, 20.5, 25.5, 20.5) == 0


def test_more_goals_than_slots_for_fields() -> None:
    walk = random_ground(3, 48, 20)
    world = arena(walk=walk)
    free = np.argwhere(walk)
    rng = np.random.default_rng(0)
    pairs = [free[rng.integers(len(free), size=2)] + 0.5 for _ in range(50)]
    first = [ask(world, a[1], a[0], b[1], b[0]) for a, b in pairs]
    again = [ask(world, a[1], a[0], b[1], b[0]) for a, b in pairs]
    fresh = arena(walk=walk)
    assert first == pytest.approx(again, rel=0.02)
    assert again == pytest.approx([ask(fresh, a[1], a[0], b[1], b[0]) for a, b in reversed(pairs)][::-1], rel=0.02)


def test_lines() -> None:
    walk = np.ones((10, 10), np.uint8)
    walk[5, 5] = walk[4, 6] = 0
    assert clear_line(walk, 1.5, 1.5, 8.5, 1.5)
    assert not clear_line(walk, 1.5, 5.5, 8.5, 5.5)
    assert not clear_line(walk, 5.5, 4.5, 6.5, 5.5)  # between two diagonal neighbours
    assert clear_line(walk, 1.5, 5.5, 5.4, 5.5)  # a goal inside a body may be seen
    assert not clear_line(walk, 1.5, 1.5, 12.0, 1.5)
    assert clear_line(walk, 1.0, 1.0, 2.0, 2.0)
    assert clear_line(walk, 3.0, 3.0, 1.0, 1.0)
    assert clear_line(walk, 3.0, 3.0, 3.0, 3.0)


@pytest.mark.parametrize("seed", range(3))
def test_both_kinds_of_lines_agree_between_cell_centres(seed: int) -> None:
    walk = random_ground(seed, 20, 8)
    free = np.argwhere(walk)
    rng = np.random.default_rng(seed)
    for _ in range(300):
        (ay, ax), (by, bx) = free[rng.integers(len(free), size=2)]
        assert clear_cells(walk, ax, ay, bx, by) == clear_line(walk, ax + 0.5, ay + 0.5, bx + 0.5, by + 0.5)
