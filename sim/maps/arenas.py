"""The arenas of the StarCraft Multi-Agent Challenge under their own names: the ground, and who fights there.

Everything is in `data/arenas.toml`. The server plays them as those maps do (`sim/melee/arena.py`), training reads the
same table.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from .terrain import MapError, Terrain

FILE = Path(__file__).parent / "data" / "arenas.toml"
SIDE = 32  # cells
LEVEL, CLIFF = 191, 16  # height byte of the ground, bytes that a plateau lies higher
ALLY_PLACE, ENEMY_PLACE = (9.0, 16.0), (23.0, 16.0)
DUTIES = ("attack_point", "attack_between", "attack_units", "hunt", "nothing")
RACES = {"T": 1, "Z": 2, "P": 3}


@dataclass(frozen=True, slots=True)
class Group:
    """Units made at one point, cells; `type` is the name of the live unit type, also of the agents' units."""

    type: str
    count: int
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Arena:
    """One arena.

    races are API ids of agents and enemies, limit the length of an episode in environment steps of 8 loops. duty (one
    of DUTIES) is what the enemies are told, `to` the point for attack_point. copies are the unit types of which the
    agents play copies under type ids of their own: these start behind the patch's types and follow the order here.
    """

    name: str
    terrain: Terrain
    races: tuple[int, int]
    limit: int
    allies: tuple[Group, ...]
    enemies: tuple[Group, ...]
    duty: str
    to: tuple[float, float]
    copies: tuple[str, ...]


@cache
def _table() -> dict:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def names() -> tuple[str, ...]:
    """All arenas."""
    return tuple(_table()["arena"])


@cache
def load(name: str) -> Arena:
    """The arena of this exact name; MapError when there is none."""
    if name not in _table()["arena"]:
        raise MapError(f"unknown arena {name!r}; there are: {', '.join(names())}")
    row = _table()["arena"][name]
    allies, enemies = _groups(row["allies"], ALLY_PLACE), _groups(row["enemies"], ENEMY_PLACE)
    duty = row.get("enemies_do", DUTIES[0])
    if duty not in DUTIES:
        raise MapError(f"arena {name}: {duty!r} is nothing that enemies can do")
    return Arena(
        name=name,
        terrain=_terrain(name, _table()["ground"][row["ground"]]),
        races=(RACES[row["races"][0]], RACES[row["races"][1]]),
        limit=row["limit"],
        allies=allies,
        enemies=enemies,
        duty=duty,
        to=tuple(row.get("to", ALLY_PLACE)),
        copies=tuple(sorted(row.get("copies") or {group.type for group in allies})),
    )


def _groups(rows: list[dict], place: tuple[float, float]) -> tuple[Group, ...]:
    return tuple(Group(row["type"], row["count"], *map(float, row.get("at", place))) for row in rows)


def _cells(rows: list[str]) -> np.ndarray:
    """Rows like `8..9: 2-5 7-9` as bool [SIDE, SIDE], ends included."""
    grid = np.zeros((SIDE, SIDE), bool)
    for row in rows:
        lines, spans = row.split(":")
        first, last = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", lines).groups()
        for span in spans.split():
            begin, end = map(int, span.split("-"))
            grid[int(first) : int(last or first) + 1, begin : end + 1] = True
    return grid


def _terrain(name: str, ground: dict) -> Terrain:
    surely, edge = _cells(ground["open"]), _cells(ground.get("edge", []))
    padded = np.pad(surely, 1)
    beside = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    walkable = surely | (edge & beside)
    levels = np.full((SIDE, SIDE), LEVEL, np.uint8)
    levels[_cells(ground.get("high", []))] = LEVEL + CLIFF
    flat = np.ones((SIDE, SIDE), bool)
    for part in ground.get("slope", []):
        cells = _cells([part["rows"]])
        levels[cells] = LEVEL + CLIFF * part["eighths"] // 8
        flat &= ~cells
    return Terrain(
        name=name,
        title=name,
        width=SIDE,
        height=SIDE,
        playable=(0, 0, SIDE, SIDE),
        walkable=walkable,
        buildable=walkable & flat,
        levels=levels,
        starts=(ALLY_PLACE, ENEMY_PLACE),
        arena=name,
    )
