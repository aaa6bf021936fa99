"""Lanes: many numbers at once, with the results of one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from numba import TypingError

from sim.engine.jit import inlined, rule
from sim.engine.lanes import bits_of, load, span
from sim.engine.world import LANES, SPOTS


@inlined
def nearer(spot, x, y, far):
    """Lanes whose place lies nearer than `far`."""
    dx = load(spot.x) - x
    dy = load(spot.y) - y
    return dx * dx + dy * dy < far * far


@rule
def searched(spots, x, y, far, marks, slot):
    spot = spots[0]
    near = nearer(spot, x, y, far)
    marked = load(spot.marks) & marks != np.uint32(0)
    return bits_of(near), bits_of(near & marked & (load(spot.slot) != slot)), bits_of(load(spot.rank) >= slot)


@rule
def compared(row, first, limit):
    part = span(row, first, 8)
    return bits_of(part < limit), bits_of(part == limit), bits_of(part * limit <= part + limit)


@rule
def mixed(spots):
    return bits_of(load(spots[0].x) < 1.5)  # a double: lanes hold single precision


def bits(flags: np.ndarray) -> int:
    return sum(1 << k for k in np.flatnonzero(flags).tolist())


def test_a_record_is_compared_as_its_numbers_are() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        spots = np.zeros(1, SPOTS)
        spot = spots[0]
        spot["x"], spot["y"] = rng.uniform(-4, 4, (2, LANES))
        spot["marks"], spot["slot"] = rng.integers(0, 4, LANES), np.arange(LANES)
        spot["rank"] = rng.integers(-20, 20, LANES)
        x, y, far = rng.uniform(-2, 2, 3).astype(np.float32)
        dx, dy = spot["x"] - x, spot["y"] - y
        near = dx * dx + dy * dy < far * far
        both = near & (spot["marks"] & 2 != 0) & (spot["slot"] != 5)
        found = searched(spots, x, y, far, np.uint32(2), np.int32(5))
        assert found == (bits(near), bits(both), bits(spot["rank"] >= 5))


def test_a_part_of_an_array_is_compared_from_its_place_on() -> None:
    row = np.arange(32, dtype=np.float32) / 3
    limit = np.float32(row[9])
    part = row[5:13]
    assert compared(row, 5, limit) == (bits(part < limit), bits(part == limit), bits(part * limit <= part + limit))


def test_numbers_of_unlike_types_are_refused() -> None:
    with pytest.raises(TypingError):
        mixed(np.zeros(1, SPOTS))
