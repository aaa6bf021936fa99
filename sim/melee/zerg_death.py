"""Broodlings that come out of dying Zerg structures.

Measured in replays: six from a structure, nine from a hatchery, lair or hive. They live 5 n (80 loops).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import STRUCTURE, UNFINISHED
from sim.melee.registry import ON_REMOVE
from sim.melee.zerg_larva import HALLS

if TYPE_CHECKING:
    from sim.melee.game import Game

FROM_STRUCTURE, FROM_HALL = 6, 9
LIFE_LOOPS = 80
NONE = (
    "Extractor",
    "ExtractorRich",
    "CreepTumor",
    "CreepTumorQueen",
    "CreepTumorBurrowed",
    "SpineCrawler",
    "SporeCrawler",
)
ZERG = 2


def on_remove(game: Game, slot: int) -> None:
    """A finished structure died (not cancelled, not taken off)."""
    unit = game.units[slot]
    flags, name = int(unit["flags"]), game.facts.names[int(unit["type"])]
    if unit["hp"] > 0 or not flags & STRUCTURE or flags & UNFINISHED or name in NONE:
        return
    if game.facts.types[unit["type"]]["race"] != ZERG or unit["owner"] == 0 or game.ended:
        return
    count = FROM_HALL if name in HALLS else FROM_STRUCTURE
    for index in range(count):
        dx, dy = (index % 3 - 1) * 0.8, (index // 3 - 1) * 0.8
        x, y = float(unit["x"]) + dx, float(unit["y"]) + dy
        game.spawn(game.facts.ids["Broodling"], int(unit["owner"]), x, y, life_left=LIFE_LOOPS)


ON_REMOVE.append(on_remove)
