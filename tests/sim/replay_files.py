"""A small real game in the files' format, to be read and played again."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

HALL, SCV, DEPOT, FIELD, BORN, REFINERY = (number << 18 | 1 for number in range(100, 106))
TRAIN_SCV, TRAIN_DRONE, BUILD_DEPOT, BUILD_BARRACKS, BUILD_REFINERY = 524, 1342, 319, 321, 320
MOVE, SMART, BRING = 16, 1, 296


def write(folder: Path, terrain, commands: list, extra_events: list = (), extra_units: list = ()) -> None:
    """A game of two Terrans on a shipped map in the files' format; player 2 gives no commands."""
    (x1, y1), (x2, y2) = terrain.starts[:2]
    at = [int(x1) + 12, int(y1)] if x1 < terrain.width / 2 else [int(x1) - 12, int(y1)]
    head = {
        "id": "abc12345",
        "set": "LE-ai",
        "terrain": terrain.name,
        "balance": "4.10.0",
        "players": [
            {"id": 1, "name": "one", "race": "Terran", "commands": len(commands)},
            {"id": 2, "name": "two", "race": "Terran", "commands": 0},
        ],
        "loops": 900,
        "fight_loop": 700,
        "commands_until": None,
    }
    units = [
        [HALL, "CommandCenter", 1, 0, int(x1), int(y1), 0],
        [SCV, "SCV", 1, 0, int(x1) - 3, int(y1) - 3, 0],
        [DEPOT, "SupplyDepot", 1, 400, *at, 1],
        [BORN, "SCV", 1, 272, int(x1), int(y1) - 3, 0],
        *extra_units,
    ]
    lines = [{"game": head}, {"units": units}, *commands, ["chat", 5, 1, "gl hf"]]
    with gzip.open(folder / "commands-dev.jsonl.gz", "wt", encoding="utf8") as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    corners = [(dx, dy) for dx in (-3, 3) for dy in (-3, 3)]
    events = [
        [0, "B", HALL, "CommandCenter", 1, int(x1), int(y1)],
        [0, "B", HALL + 1, "CommandCenter", 2, int(x2), int(y2)],
        *([0, "B", SCV + (n << 1), "SCV", 1, int(x1) + dx, int(y1) + dy] for n, (dx, dy) in enumerate(corners)),
        [272, "B", BORN, "SCV", 1, int(x1), int(y1) - 3, [HALL, "CommandCenterTrain"]],
        [400, "I", DEPOT, "SupplyDepot", 1, *at],
        [880, "D", DEPOT],
        [890, "U", None, "Stimpack", 1],
        *extra_events,
    ]
    stats = [
        [1, {"MineralsUsedInProgressEconomy": 50, "MineralsUsedCurrentEconomy": 1000, "FoodUsed": 13, "FoodMade": 15}],
        [320, {"MineralsCurrent": 30, "MineralsUsedCurrentEconomy": 1050, "FoodUsed": 13, "FoodMade": 15}],
        [480, {"MineralsCurrent": 60, "MineralsUsedInProgressEconomy": 100, "MineralsUsedCurrentEconomy": 1050}],
    ]
    track = {"stats": {"1": stats, "2": []}, "ev": sorted(events, key=lambda event: event[0]), "id": "abc12345"}
    with gzip.open(folder / "tracker-dev.jsonl.gz", "wt", encoding="utf8") as file:
        file.write(json.dumps(track, separators=(",", ":")) + "\n")


def commands(terrain) -> list:
    (x, y), middle = terrain.starts[0], terrain.width / 2
    at = [int(x) + 12 + 0.0, int(y) + 0.0] if x < middle else [int(x) - 12 + 0.0, int(y) + 0.0]
    return [
        [0, 1, TRAIN_SCV, 0, None, [0]],
        [10, 1, MOVE, 1, [at[0], at[1]], [1]],
        [12, 1, SMART, 0, [0, x, y], [1]],
        [14, 1, SMART, 8, [-1, 7.5, 8.5], [1]],
        [16, 1, SMART, 0, [-1, 7.5, 8.5], [1]],
        [300, 1, BUILD_DEPOT, 0, at, [1]],
        [310, 1, BUILD_DEPOT, 0, at, [1]],
        [500, 1, TRAIN_SCV, 0, None, [0]],
    ]
