"""A hash over all that a game remembers: equal games with equal commands have equal hashes, loop by loop."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from sim.melee.game import Game

DERIVED = (
    "setups",  # settled before the first loop
    *("finished_cache", "supply_dirty", "pending"),  # made anew, or empty, at the end of a loop
    *("scores", "inbox"),  # for those who look on
    *("watchtowers", "speed_zones", "shrines"),  # units of the map, by type
)
"""A game's own tables: nothing that comes depends on them. What it remembers is in its `Memory`."""


def state_hash(game: Game) -> str:
    """32 hexadecimal digits; taken between two loops."""
    digest = hashlib.blake2b(digest_size=16)
    used = int(game.world[0]["slots"])
    records = (game.world, game.units[:used], game.orders[:used], game.jobs[:used], game.players, game.creep, game.walk)
    for array in (*records, game.state.missiles, game.state.eyes, game.visibility):
        digest.update(np.ascontiguousarray(array).tobytes())
    if game.creep_state is not None:
        for patch in game.creep_state.all():
            digest.update(patch.left[: patch.free].tobytes() + repr(patch.due).encode())
    remembered = [_sorted(getattr(game.memory, table.name)) for table in fields(game.memory)]
    digest.update(repr([game.ended, game.progress, *remembered]).encode())
    return digest.hexdigest()


def _sorted(table: Collection[Any] | int) -> list[Any]:
    """The entries of a small table in an order of their own."""
    if isinstance(table, int):
        return [table]
    return sorted(table.items() if isinstance(table, dict) else table, key=repr)
