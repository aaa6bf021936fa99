"""The maps that come with Ironsight: a small text each, from which the ground is made."""

from __future__ import annotations

from functools import cache

from .terrain import Terrain, arena


def shipped() -> tuple[str, ...]:
    """Names of the shipped maps; the first one is the default."""
    return ()


@cache
def build(name: str) -> Terrain:
    """The shipped map of this exact name."""
    return arena(name=name)
