"""Broodlings that come out of dying Zerg structures.

Measured in replays: six from a structure, nine from a hatchery, lair or hive, at its middle, 8 loops later (1071 of
1575) or 9. They live 8 n, 129 to 133 loops of those that nobody killed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import UNFINISHED
from sim.melee.casts import timed_life
from sim.melee.registry import AFTER, ON_REMOVE
from sim.melee.zerg_larva import HALLS

if TYPE_CHECKING:
    from sim.melee.game import Game

LEAVES = {  # how many by type (catalog: ZergBuildingDies6, ZergBuildingDies9); of worms and crawlers come none
    **dict.fromkeys(HALLS, 9),
    **dict.fromkeys(
        (
            "BanelingNest",
            "EvolutionChamber",
            "GreaterSpire",
            "HydraliskDen",
            "InfestationPit",
            "LurkerDenMP",
            "NydusNetwork",
            "RoachWarren",
            "SpawningPool",
            "Spire",
            "UltraliskCavern",
        ),
        6,
    ),
}
WAIT, LATE = 8, 1.5  # loops from the death, of which the latter's part beyond one is a chance
LIFE_LOOPS = 128
APART = 0.3  # cells; all are born in the cell of the middle


def on_remove(game: Game, slot: int) -> None:
    """A finished structure died (not cancelled, not taken off)."""
    unit = game.units[slot]
    count = LEAVES.get(game.facts.names[int(unit["type"])], 0)
    if not count or unit["hp"] > 0 or int(unit["flags"]) & UNFINISHED or unit["owner"] == 0 or game.ended:
        return
    wait = WAIT + int(LATE * game.random())
    game.later(wait, "broodlings", int(unit["owner"]), float(unit["x"]), float(unit["y"]), count)


def crawl_out(game: Game, owner: float, x: float, y: float, count: float) -> None:
    """They come out of the ruin."""
    for index in range(int(count)):
        dx, dy = (index % 3 - 1) * APART, (index // 3 - 1) * APART
        life = timed_life(game, LIFE_LOOPS)
        game.spawn(game.facts.ids["Broodling"], int(owner), x + dx, y + dy, life_left=life)


AFTER["broodlings"] = crawl_out
ON_REMOVE.append(on_remove)
