"""Saved games: the set-up and all that players did, from which the engine can play the same game again.

A file is an archive as StarCraft II's replays are: libraries read the build that has to play it from its metadata.
The game itself is in a file of ours within it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError
from s2clientprotocol import sc2api_pb2 as sc

from sim.server import mpq

if TYPE_CHECKING:
    from sim.server.builds import Build
    from sim.server.match import Match

MAGIC = b"IRONSIGHT REPLAY 2\n"
CONTENT, METADATA = "ironsight.game", "replay.gamemetadata.json"
RACES = {1: "Terr", 2: "Zerg", 3: "Prot", 4: "Rand"}
OUTCOMES = {1: "Win", 2: "Loss", 3: "Tie"}
SECOND, MINUTE = 16, 960  # loops of normal speed: what the metadata of real replays count in
SMART = 1  # the right click
MESSAGES = {"Action": sc.Action, "RequestDebug": sc.RequestDebug}  # what a record may hold
PLAYER = {
    "computer": bool,
    "requested": range(5),
    "race": range(1, 4),
    "difficulty": range(11),
    "build": range(7),
    "name": str,
}
SHAPE: dict[str, Any] = {
    "map": str,
    "title": str,
    "map_path": str,
    "patch": str,
    "seed": int,
    "fog": bool,
    "players": [PLAYER],
    "options": dict,
    "loops": range(1 << 31),
    "results": [range(4)],
    "records": [(range(1 << 31), range(1, 3), str, str)],
}


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
    loops = game.loop if game is not None else 0
    players = [
        {
            "PlayerID": number,
            "APM": float(apm(((by, what, data) for _, by, what, data in match.records), number, loops)),
            "Result": OUTCOMES.get(game.result(number) if game is not None else 0, "Undecided"),
            "SelectedRace": RACES.get(match.requested[number] or match.races[number], "Rand"),
            "AssignedRace": RACES.get(match.races[number], "Rand"),
        }
        for number in range(1, len(match.settings.players) + 1)
    ]
    metadata = {
        "Title": match.settings.terrain.title,
        "MapName": PureWindowsPath(match.settings.map_path).name,
        "GameVersion": f"{build.label}.{build.build}",
        "DataBuild": str(build.build),
        "DataVersion": data_version,
        "BaseBuild": f"Base{build.base}",
        "Duration": round(loops / SECOND),
        "Players": players,
    }
    files = {METADATA: json.dumps(metadata).encode(), CONTENT: content}
    return mpq.write(files, head(build, loops))


def apm(records: Iterable[tuple[int, str, bytes]], player: int, loops: int) -> int:
    """Actions a minute of a player by (player, what, message), as the metadata of real replays count them.

    There an order is the selection of its units and the command, which counts three times if it has a target that is
    not a right click's: so reckoned, the bots of 12 games (24 numbers) have 0.94 to 1.1 of what their replays say.
    """
    count = sum(_weight(sc.Action.FromString(data)) for by, what, data in records if by == player and what == "Action")
    return round(count * MINUTE / max(loops, 1))


def _weight(action: sc.Action) -> int:
    if not action.action_raw.HasField("unit_command"):
        return 1
    order = action.action_raw.unit_command
    return 4 if order.WhichOneof("target") and order.ability_id != SMART else 2


def head(build: Build, loops: int) -> bytes:
    """What programs read of a replay before they open its archive: the version and the length, tagged field by field.

    Source: the game's published protocol of replays (fields in order; a struct is 5, a blob 2, a number 9, a flag 6).
    """

    def number(value: int) -> bytes:
        value <<= 1  # the lowest bit is the sign; seven bits a byte, the last without its highest
        low = bytearray()
        while value >= 0x80:
            low.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes((*low, value))

    def blob(data: bytes) -> bytes:
        return b"\x02" + number(len(data)) + data

    def fields(values: dict[int, bytes]) -> bytes:
        return b"\x05" + number(len(values)) + b"".join(number(tag) + value for tag, value in values.items())

    label = [int(part) for part in build.label.split(".")]  # of some builds without the last part
    version = [0, *(*label, 0, 0)[:3], build.build, build.base]
    return fields(
        {
            0: blob(b"StarCraft II replay\x1b11"),
            1: fields({tag: b"\x09" + number(value) for tag, value in enumerate(version)}),
            2: b"\x09" + number(2),
            3: b"\x09" + number(loops),
            4: b"\x06\x01",
            6: b"\x09" + number(build.build),
        }
    )


def unpack(data: bytes) -> dict[str, Any]:
    """The content of a saved game. ValueError (one line) for anything else."""
    data = mpq.read(data, CONTENT) or data
    if not data.startswith(MAGIC):
        raise ValueError("this is no replay of this engine; those of StarCraft II cannot be played")
    try:
        content = json.loads(zlib.decompress(data[len(MAGIC) :]))
    except (zlib.error, ValueError):
        raise ValueError("the replay is damaged") from None
    if not _fits(content, SHAPE) or not _sound(content):
        raise ValueError("the replay is damaged")
    return content


def _fits(value: Any, shape: Any) -> bool:
    """True if a value read from JSON has the shape: a type, a range of numbers, or a list, tuple or dict of such."""
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            name in value and _fits(value[name], part) for name, part in shape.items()
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(part, shape[0]) for part in value)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(_fits, value, shape))
    if isinstance(shape, range):
        return type(value) is int and value in shape
    return type(value) is shape


def _sound(content: dict[str, Any]) -> bool:
    """True if the players are one or two and all that they did and asked for can be read."""
    numbers = range(1, len(content["players"]) + 1)
    try:
        for number, options in content["options"].items():
            if int(number) not in numbers:
                return False
            sc.InterfaceOptions.FromString(bytes.fromhex(options))
        for _, player, what, data in content["records"]:
            if player not in numbers or what not in MESSAGES:
                return False
            MESSAGES[what].FromString(bytes.fromhex(data))
    except (ValueError, TypeError, DecodeError):
        return False
    unknown = {name for player in content["players"] for name in player} - PLAYER.keys()
    return len(numbers) in (1, 2) and len(content["results"]) == len(numbers) and not unknown
