"""Saved games: the set-up and all that players did, from which the engine can play the same game again.

A file is an archive as StarCraft II's replays are: libraries read the build that has to play it from its metadata.
The game itself is in a file of ours within it.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sim.server import mpq

if TYPE_CHECKING:
    from sim.server.builds import Build
    from sim.server.match import Match

MAGIC = b"IRONSIGHT REPLAY 2\n"
CONTENT, METADATA = "ironsight.game", "replay.gamemetadata.json"
RACES = {1: "Terr", 2: "Zerg", 3: "Prot", 4: "Rand"}
OUTCOMES = {1: "Win", 2: "Loss", 3: "Tie"}
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


def archive(match: Match, build: Build, data_version: str) -> bytes:
    """The match so far as the bytes of a replay file of a build."""
    content = pack(match)
    game = match.game
    seconds = (game.loop if game is not None else 0) / 22.4
    players = [
        {
            "PlayerID": number,
            "APM": 0.0,
            "Result": OUTCOMES.get(game.result(number) if game is not None else 0, "Undecided"),
            "SelectedRace": RACES.get(match.requested[number] or match.races[number], "Rand"),
            "AssignedRace": RACES.get(match.races[number], "Rand"),
        }
        for number in range(1, len(match.settings.players) + 1)
    ]
    metadata = {
        "Title": match.settings.terrain.title,
        "GameVersion": f"{build.label}.{build.build}",
        "DataBuild": str(build.build),
        "DataVersion": data_version,
        "BaseBuild": f"Base{build.base}",
        "Duration": round(seconds),
        "Players": players,
    }
    return mpq.write({METADATA: json.dumps(metadata).encode(), CONTENT: content})


def unpack(data: bytes) -> dict[str, Any]:
    """The content of a saved game. ValueError (one line) for anything else."""
    data = mpq.read(data, CONTENT) or data
    if not data.startswith(MAGIC):
        raise ValueError("this is no replay of this engine; those of StarCraft II cannot be played")
    try:
        content = json.loads(zlib.decompress(data[len(MAGIC) :]))
    except (zlib.error, ValueError):
        raise ValueError("the replay is damaged") from None
    if not isinstance(content, dict) or not content.keys() >= PARTS:
        raise ValueError("the replay is damaged")
    return content
