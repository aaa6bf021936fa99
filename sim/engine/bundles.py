"""Arrays of a world that rules hand on together. In compiled code a bundle costs what its arrays cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.engine.jit import inlined


class Roster(NamedTuple):
    """The units, and what their types and weapons are; see `World`."""

    units: np.ndarray
    types: np.ndarray
    kinds: np.ndarray
    traits: np.ndarray
    weapons: np.ndarray
    buffs: np.ndarray


class Crowd(NamedTuple):
    """The units in the order of their places: who is near; see `World`."""

    keys: np.ndarray
    spots: np.ndarray
    buckets: np.ndarray
    near: np.ndarray


class Ground(NamedTuple):
    """Where who may stand, and how high; see `World`."""

    walk: np.ndarray
    levels: np.ndarray
    creep: np.ndarray
    climb: np.ndarray
    broad: np.ndarray


class Ways(NamedTuple):
    """The distance fields, and the queue that fills them; see `World`."""

    fields: np.ndarray
    distance: np.ndarray
    corner: np.ndarray
    labels: np.ndarray
    queue: np.ndarray


@inlined
def roster_of(arrays):
    """The `Roster` of a `World`."""
    return Roster(arrays.units, arrays.types, arrays.kinds, arrays.traits, arrays.weapons, arrays.buffs)


@inlined
def crowd_of(arrays):
    """The `Crowd` of a `World`."""
    return Crowd(arrays.keys, arrays.spots, arrays.buckets, arrays.near)


@inlined
def ground_of(arrays):
    """The `Ground` of a `World`."""
    return Ground(arrays.walk, arrays.levels, arrays.creep, arrays.climb, arrays.broad)


@inlined
def ways_of(arrays):
    """The `Ways` of a `World`."""
    return Ways(arrays.fields, arrays.distance, arrays.corner, arrays.labels, arrays.queue)
