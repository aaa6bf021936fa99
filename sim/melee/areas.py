"""What spells share: circles, the flight of missiles, what a player sees."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.state import INVULNERABLE

if TYPE_CHECKING:
    from sim.melee.game import Game

WIDEST = 3.0  # no unit has a larger radius


def within(
    game: Game,
    x: float,
    y: float,
    radius: float,
    *,
    without: int = 0,
    owner: int = 0,
    enemy: int = 0,
    neutral: bool = False,
    spared: int = INVULNERABLE,
) -> list[int]:
    """Slots of units whose body reaches into a circle, nearest first; map features only with `neutral`.

    `without` names flags that exclude a unit, besides those `spared` by nearly all that is cast; `owner` keeps the
    units of one player, `enemy` those of the other.
    """
    units = game.units[: int(game.world[0]["slots"])]
    fit = ((units["owner"] > 0) | neutral) & (units["flags"] & (spared | without) == 0)
    if owner:
        fit &= units["owner"] == owner
    if enemy:
        fit &= units["owner"] != enemy
    radii = game.types["radius"][0]
    return [
        slot
        for slot in game.near(x, y, radius + WIDEST, fit)
        if math.hypot(float(units["x"][slot]) - x, float(units["y"][slot]) - y)
        <= radius + float(radii[units["type"][slot]])
    ]


def flight(game: Game, slot: int, x: float, y: float, speed: float) -> int:
    """Loops that a missile of the unit needs to a point; speed in cells per loop."""
    unit = game.units[slot]
    return max(math.ceil(math.hypot(float(unit["x"]) - x, float(unit["y"]) - y) / speed), 1)


def seen(game: Game, player: int, x: float, y: float) -> bool:
    """The player sees the point now."""
    row, column = int(y), int(x)
    height, width = game.walk.shape
    return 0 <= row < height and 0 <= column < width and int(game.visibility[player, row, column]) == 2
