"""Fields of protobuf messages as bytes, written by compiled code into an array `out` from the place `at` on."""

from __future__ import annotations

import numpy as np

from sim.engine.jit import rule


@rule
def put_varint(out, at, value):  # type: ignore[no-untyped-def]
    """Writes an unsigned integer at `at`; -> next position."""
    while value > 127:
        out[at] = np.uint8((value & 127) | 128)
        value >>= 7
        at += 1
    out[at] = np.uint8(value)
    return at + 1


@rule
def put_number(out, at, field, value):  # type: ignore[no-untyped-def]
    """A varint field (number, enum, bool)."""
    at = put_varint(out, at, field << 3)
    return put_varint(out, at, value)


@rule
def put_float(out, at, field, value, lens):  # type: ignore[no-untyped-def]
    """A float field; `lens` is (float32 [1], its bytes as uint8 [4])."""
    at = put_varint(out, at, field << 3 | 5)
    lens[0][0] = value
    for k in range(4):
        out[at + k] = lens[1][k]
    return at + 4


@rule
def put_point(out, at, field, x, y, z, lens):  # type: ignore[no-untyped-def]
    """A Point field."""
    at = put_varint(out, at, field << 3 | 2)
    out[at] = np.uint8(15)
    at = put_float(out, at + 1, 1, x, lens)
    at = put_float(out, at, 2, y, lens)
    return put_float(out, at, 3, z, lens)
