"""Saved games: the set-up and all that players did, from which the engine can play the same game again."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.server.match import Match

MAGIC = b"IRONSIGHT REPLAY 2\n"


def pack(match: Match) -> bytes:
    """The match so far as bytes."""
    settings = match.settings
    content = {
        "map": settings.terrain.name,
        "patch": settings.patch,
        "seed": settings.seed,
        "fog": settings.fog,
        "players": [asdict(player) | {"race": match.races[n]} for n, player in enumerate(settings.players, 1)],
        "loops": match.game.loop if match.game is not None else 0,
        "records": [[loop, player, what, message.hex()] for loop, player, what, message in match.records],
    }
    return MAGIC + zlib.compress(json.dumps(content, separators=(",", ":")).encode())


def unpack(data: bytes) -> dict[str, Any]:
    """The content of a saved game. ValueError for anything else."""
    if not data.startswith(MAGIC):
        raise ValueError("not a replay of this engine")
    return json.loads(zlib.decompress(data[len(MAGIC) :]))
