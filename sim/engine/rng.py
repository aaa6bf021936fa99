"""Chance: one xorshift64* state per world, so that results do not depend on threads or on other worlds."""

from __future__ import annotations

import numpy as np

from sim.engine.jit import inlined

_A, _B, _C, _SCRAMBLE = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(0x2545F4914F6CDD1D)
_TOP = np.uint64(11)


@inlined
def draw(world):
    """Next number of the world's generator, uniform in [0, 1)."""
    state = world.rng
    state ^= state >> _A
    state ^= state << _B
    state ^= state >> _C
    world.rng = state
    return ((state * _SCRAMBLE) >> _TOP) * (1.0 / 9007199254740992.0)


@inlined
def uniform(world, low, high):
    """A number between low and high; costs no draw where both are equal."""
    if high <= low:
        return low
    return low + (high - low) * draw(world)


@inlined
def turn_of(world, slot, period):
    """True in one loop of every `period`, a power of two; which one differs from unit to unit and from time to time.

    A fixed turn would let the same units always act first: armies of equal strength would not be equal.
    """
    mixed = (slot + 1) * 2654435761 + (world.loop // period) * 40503 + world.salt
    mixed = (mixed ^ (mixed >> 15)) * 2246822519 & 0xFFFFFFFF
    mixed = (mixed ^ (mixed >> 13)) & 0xFFFFFFFF
    return (mixed ^ world.loop) & (period - 1) == 0
