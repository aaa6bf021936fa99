"""Fights of whole games: armies, places, upgrades and missions as they were when both met.

`games` draws one of the fights in `scenarios/games.jsonl.gz`, which `tools/fights.py` collected from games of the bot,
led by its rules, against the built-in opponents (levels Hard to VeryHard, both of our maps); `games_held_out` draws
from other games. Some of one side are missing, since few games give few fights. The ground is the game's map with its
resources and rocks; of the structures only armed ones stand, and who would march up later does not come.

A row is one fight: `game` (the saved file's name), `map`, `loop`, `races` (ours, theirs), `own` and `enemy` (a list
[type, x, y, share of life and shields, energy] for each unit), `upgrades` (ids, ours and theirs) and `starts` (where
both first town halls stood); places in cells.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bot.report import write_atomically
from sim.maps import Terrain, footprint_cells, shipped
from train.errors import TrainError
from train.scenario import Group, Mission, Point, Scenario

FILE = Path(__file__).parent / "scenarios" / "games.jsonl.gz"
NAMES = ("games", "games_held_out")
HELD_SHARE = 5  # one game in so many is held back
LIMIT = 150
RESERVE = 24
MISSING = 0.4  # share of one side that may be missing at most: few games give more fights


def names() -> tuple[str, ...]:
    """Both families."""
    return NAMES


def load(name: str) -> Scenario:
    """`games` or `games_held_out`. TrainError: the file of fights is damaged."""
    held = name == "games_held_out"
    rows = [row for row in read(FILE) if is_held_out(row) == held]

    def make(rng: np.random.Generator) -> Scenario:
        row = rows[int(rng.integers(len(rows)))]
        side = ("own", "enemy")[int(rng.integers(2))]
        here = rng.random(len(row[side])) >= rng.uniform(0, MISSING)
        left = [unit for unit, is_here in zip(row[side], here, strict=True) if is_here]
        return fight(name, row | {side: left or row[side]})

    start = fight(name, rows[0])
    title = "fights as whole games had them" + (", held back for evaluation" if held else "")
    return replace(start, title=title, make=make)


def is_held_out(row: dict[str, Any]) -> bool:
    """All fights of one game in HELD_SHARE."""
    return zlib.crc32(row["game"].encode()) % HELD_SHARE == 0


def write(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Writes fights as `load` reads them, one in a line of compressed JSON; the same fights make the same bytes."""
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    write_atomically(file, gzip.compress(lines.encode(), mtime=0))


@cache
def read(file: Path) -> list[dict[str, Any]]:
    """The fights in a file. TrainError: it is damaged."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    except (OSError, EOFError, ValueError) as error:
        raise TrainError(f"{file}: {error}") from error


def fight(name: str, row: dict[str, Any]) -> Scenario:
    """One of the collected fights."""
    own, enemy = (_groups(row[side]) for side in ("own", "enemy"))
    base, target = (np.array(start) for start in row["starts"])
    ours, theirs = (np.mean([group.at for group in side], axis=0) for side in (own, enemy))
    at_home = np.hypot(*(theirs - base)) < np.hypot(*(theirs - target))
    return Scenario(
        name=name,
        title=name,
        ground=ground(row["map"]),
        own=own,
        enemy=enemy,
        limit=LIMIT,
        family="game",
        races=(row["races"][0], row["races"][1]),
        upgrades=(tuple(row["upgrades"][0]), tuple(row["upgrades"][1])),
        behaviour="attack",
        enemy_point=_point(ours),
        mission=Mission("fight", _point(theirs if at_home else target), _point(ours if at_home else base)),
        jitter=1.0,
        reserve=RESERVE,
    )


def _groups(units: list[list[Any]]) -> tuple[Group, ...]:
    return tuple(Group(kind, 1, (x, y), energy=energy, life=life) for kind, x, y, life, energy in units)


def _point(place: np.ndarray) -> Point:
    return float(place[0]), float(place[1])


@cache
def ground(name: str) -> Terrain:
    """A map of ours as the ground of battles: what stands on it from the beginning is part of it. TrainError: no such
    map."""
    if name not in shipped.shipped():
        raise TrainError(f"fights on {name!r}: the maps are {', '.join(shipped.shipped())}")
    terrain = shipped.build(name)
    walkable, buildable = terrain.walkable.copy(), terrain.buildable.copy()
    for neutral in terrain.neutrals:
        for column, row in footprint_cells(neutral.type_id, neutral.x, neutral.y):
            walkable[row, column] = buildable[row, column] = 0
    return replace(terrain, walkable=walkable, buildable=buildable, neutrals=())
