"""How battles start anew in place: their rows copied from the templates', compiled, and their generators seeded."""

from __future__ import annotations

import numpy as np

from sim.engine.jit import rule

UNREAD = ("events", "distance", "corner")  # read only as far as other records say: nothing to start anew
_GOLDEN, _MIX_A, _MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@rule
def _copy_rows(rows, firsts, battles, choices):
    """rows u1[B, n] of the battles i8[m] become firsts u1[T, n] of their choices i8[m]."""
    for k in range(battles.shape[0]):
        row = rows[battles[k]]
        first = firsts[choices[k]]
        for place in range(row.shape[0]):
            row[place] = first[place]


def as_bytes(array: np.ndarray) -> np.ndarray:
    """The same memory as u1[first axis, bytes]."""
    return array.view(np.uint8).reshape(len(array), -1) if array.dtype.names is None else _record_bytes(array)


def _record_bytes(array: np.ndarray) -> np.ndarray:
    flat = array.reshape(len(array), -1)
    return flat.view(np.dtype((np.void, flat.dtype.itemsize))).view(np.uint8).reshape(len(array), -1)


class Starts:
    """The first rows of every template, beside the rows of all battles; both as plain bytes."""

    def __init__(self, firsts: list[dict[str, np.ndarray]], arrays: dict[str, np.ndarray]) -> None:
        self._pairs = []
        for name, array in arrays.items():
            if name in UNREAD:
                continue
            stacked = np.zeros((len(firsts), *array.shape[1:]), array.dtype)
            for row, first in zip(stacked, firsts, strict=True):
                row[: len(first[name])] = first[name]
            self._pairs.append((as_bytes(array), as_bytes(stacked)))

    def put(self, battles: np.ndarray, choices: np.ndarray) -> None:
        """Battles i8[m] start as the templates choices i8[m]."""
        battles = np.ascontiguousarray(battles, np.int64)
        choices = np.ascontiguousarray(choices, np.int64)
        for rows, firsts in self._pairs:
            _copy_rows(rows, firsts, battles, choices)


def mixed(numbers: np.ndarray) -> np.ndarray:
    """u8: splitmix64 of whole numbers: neighbours far apart."""
    value = np.asarray(numbers).astype(np.uint64)
    with np.errstate(over="ignore"):
        value = (value + np.uint64(1)) * np.uint64(_GOLDEN)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(_MIX_A)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(_MIX_B)
    return value ^ (value >> np.uint64(31))


def first_states(seeds: np.ndarray) -> np.ndarray:
    """u8: what `engine.world.first_rng` gives for each seed."""
    return np.maximum(mixed(seeds), np.uint64(1))
