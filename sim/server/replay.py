"""Saved games: the set-up and all that players did, from which the engine can play the same game again."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.server.match import Match

MAGIC = b"IRONSIGHT REPLAY 2\n"
PARTS = {"map", "title", "map_path", "patch", "seed", "fog", "players", "options", "loops", "results", "records"}


def pack(match: Match) -> bytes:
    """The match so far as bytes."""
    settings, game = match.settings, match.game
    players = [
        asdict(player) | {"race": match.races[n], "requested": match.requested[n], "name": match.names[n]}
        for n, player in enumerate(settings.players, 1)
    ]
    content = {
        "map": settings.terrain.name,
        "title": settings.terrain.title,
        "map_path": settings.map_path,
        "patch": settings.patch,
        "seed": settings.seed,
        "fog": settings.fog,
        "players": players,
        "options": {player: options.hex() for player, options in match.options.items()},
        "loops": game.loop if game is not None else 0,
        "results": [game.result(n) if game is not None else 0 for n in range(1, len(players) + 1)],
        "records": [[loop, player, what, message.hex()] for loop, player, what, message in match.records],
    }
    return MAGIC + zlib.compress(json.dumps(content, separators=(",", ":")).encode())


def unpack(data: bytes) -> dict[str, Any]:
    """The content of a saved game. ValueError (one line) for anything else."""
    if not data.startswith(MAGIC):
        raise ValueError("this is no replay of this engine; those of StarCraft II cannot be played")
    try:
        content = json.loads(zlib.decompress(data[len(MAGIC) :]))
    except (zlib.error, ValueError):
        raise ValueError("the replay is damaged") from None
    if not isinstance(content, dict) or not content.keys() >= PARTS:
        raise ValueError("the replay is damaged")
    return content
