"""Reads real games: their commands (`commands-*.jsonl.gz`) and what the replay tracked (`tracker-*.jsonl.gz`)."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

QUEUED, AUTOCAST_ON, AUTOCAST_OFF, CLIENT_POINT = 1, 2, 4, 8  # flags of a command
NO_TARGET, UNKNOWN = -1, -2  # instead of the key of a target unit
PLAYERS = (1, 2)
COMMANDS, TRACKED = "commands-*.jsonl.gz", "tracker-*.jsonl.gz"


class ReplayError(ValueError):
    """The files of real games are missing or damaged; the text is one line for the user."""


class RealCommand(NamedTuple):
    """One command of a player; `units` and `target` are unit keys, x, y the point or the target's true place."""

    loop: int
    player: int
    ability: int
    flags: int
    target: int
    x: float
    y: float
    has_point: bool
    units: tuple[int, ...]


class RealEvent(NamedTuple):
    """What the replay tracked. kind: B born, I started, D done, X died, T type changed, U upgrade, O owner changed."""

    loop: int
    kind: str
    key: int
    type: str
    player: int
    x: int
    y: int
    creator: int  # key of the producer, -1 = unknown or none
    killer: int = 0  # of a death: the player who did it, 0 = unknown or nobody


@dataclass(frozen=True, slots=True)
class RealGame:
    """One game. Keys of units are (index << 18) + recycle, cells are whole numbers."""

    id: str
    set: str
    terrain: str
    balance: str
    races: dict[int, str]
    sides: tuple[int, ...]  # players whose commands are known
    loops: int
    fight_loop: int
    commands: tuple[RealCommand, ...]
    owners: dict[int, int]  # of the units that commands name
    events: tuple[RealEvent, ...]
    stats: dict[int, list[tuple[int, dict[str, float]]]]

    @property
    def patch(self) -> str:
        """The balance as the facts name it."""
        return ".".join(self.balance.split(".")[:3])


def _target(aim: list[float] | None, keys: list[int]) -> tuple[int, float, float, bool]:
    """-> (key, x, y, has_point) of a command's target field."""
    if aim is None or len(aim) == 1:  # [u] names a passenger, which a client cannot do
        return NO_TARGET, 0.0, 0.0, False
    if len(aim) == 2:
        return NO_TARGET, aim[0], aim[1], True
    index = int(aim[0])
    return (keys[index] if index >= 0 else UNKNOWN), aim[1], aim[2], False


def _command(row: list[Any], keys: list[int]) -> RealCommand:
    loop, player, ability, flags, aim, who = row
    target = _target(aim, keys)
    if flags & CLIENT_POINT:
        target = NO_TARGET, 0.0, 0.0, False
    return RealCommand(loop, player, ability, flags, *target, tuple(keys[index] for index in who))


def _event(row: list[Any]) -> RealEvent:
    loop, kind, key, *rest = row
    if kind == "U":
        return RealEvent(loop, kind, -1, rest[0], rest[1], 0, 0, -1)
    name, player, x, y, extra = (*rest, *("", 0, 0, 0, None)[len(rest) :])
    creator = extra[0] if kind == "B" and extra and extra[0] is not None else -1
    killer = extra[0] if kind == "X" and extra and extra[0] is not None else 0
    return RealEvent(loop, kind, key, name, player, x, y, creator, killer)


def read_tracker(path: Path, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """The raw tracker records of the wanted games, by id."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines_of(path):
        if any(f'"{name}"' in line for name in wanted - found.keys()):
            record = _parsed(line, path)
            found[record["id"]] = record
    return found


def _parsed(line: str, path: Path) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise ReplayError(f"{path} is damaged: {line[:40].strip()!r} is no record") from None


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a compressed file. Raises ReplayError."""
    try:
        with gzip.open(path, "rt", encoding="utf8") as lines:
            yield from lines
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ReplayError(f"{path} is missing or damaged ({type(error).__name__})") from None


def read_heads(folder: Path) -> list[dict[str, Any]]:
    """Heads of all games with commands, in the order of the files; of a damaged file those before the damage."""
    paths = sorted(folder.glob(COMMANDS))
    if not paths:
        raise ReplayError(f"{folder} holds no {COMMANDS}")
    heads: list[dict[str, Any]] = []
    for path in paths:
        try:
            heads += (_parsed(line, path)["game"] for line in lines_of(path) if line.startswith('{"game"'))
        except ReplayError:
            if path == paths[-1] and not heads:
                raise
    return heads


def read_games(folder: Path, wanted: set[str], left_out: list[str] | None = None) -> Iterator[RealGame]:
    """The wanted games (ids), in the order of the files; `left_out` gets a line for each that cannot be read, and for
    each damaged file."""
    left_out = [] if left_out is None else left_out
    tracked: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob(TRACKED)):
        try:
            tracked |= read_tracker(path, wanted)
        except ReplayError as error:
            left_out.append(str(error))
    for path in sorted(folder.glob(COMMANDS)):
        for head, units, rows in _records(path, wanted, left_out):
            name = head["id"]
            if name not in tracked:
                left_out.append(f"{name}: no tracker events")
                continue
            try:
                game = _game(head, units, rows, tracked[name])
            except (KeyError, IndexError, TypeError, ValueError) as error:
                left_out.append(f"{name}: damaged record ({type(error).__name__}: {error})")
                continue
            yield game


def _records(path: Path, wanted: set[str], left_out: list[str]) -> Iterator[tuple[dict[str, Any], list, list]]:
    """Head, unit table and rows of each wanted game of a file; one that the file breaks off in is left out."""
    head: dict[str, Any] = {}
    units: list[list[Any]] = []
    rows: list[list[Any]] = []
    try:
        for line in lines_of(path):
            if line.startswith('{"game"'):
                if head:
                    yield head, units, rows
                head, units, rows = _parsed(line, path)["game"], [], []
                head = head if head["id"] in wanted else {}
            elif head and line[0] == "{":
                units = _parsed(line, path)["units"]
            elif head:
                rows.append(_parsed(line, path))
    except ReplayError as error:
        left_out.append(f"{error}; {head['id']} breaks off there" if head else str(error))
        return
    if head:
        yield head, units, rows


def _game(head: dict[str, Any], units: list[list[Any]], rows: list[list[Any]], track: dict[str, Any]) -> RealGame:
    keys = [unit[0] for unit in units]
    last = min(head["loops"], head.get("commands_until") or head["loops"])
    return RealGame(
        id=head["id"],
        set=head["set"],
        terrain=head["terrain"] or "",
        balance=head["balance"],
        races={player["id"]: player["race"] for player in head["players"]},
        sides=tuple(player["id"] for player in head["players"] if player["commands"]),
        loops=last,
        fight_loop=min(last, head["fight_loop"] or last),
        commands=tuple(_command(row, keys) for row in rows if not isinstance(row[0], str)),
        owners={unit[0]: unit[2] for unit in units},
        events=tuple(_event(row) for row in track["ev"]),
        stats={player: [(loop, values) for loop, values in track["stats"][str(player)]] for player in PLAYERS},
    )
