"""Flyers that come to rest before they change, by orders that the catalog does not let act on the move.

A zone's (LiberatorAGTarget lacks AllowMovement) and a Warp Prism's setting up (the column `halts` of the abilities: of
all flyers' changes only that has WaitUntilStopped; walkers that have it change two loops later when they walked).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.melee.game import Game


def slows(game: Game, slot: int, speed: float, angle: float) -> bool:
    """It goes on for another loop, slower by what it gains in one; told anything else meanwhile it does that. The speed
    is kept in `x2` of its order, the way in `y2`."""
    unit, order = game.units[slot], game.orders[slot, 0]
    speed -= float(game.type_of(slot)["acceleration"])
    order["x2"], order["y2"] = max(speed, 0.0), angle
    if speed <= 0:
        return False
    height, width = game.walk.shape
    unit["x"] = min(max(float(unit["x"]) + speed * math.cos(angle), 0.0), width - 0.01)
    unit["y"] = min(max(float(unit["y"]) + speed * math.sin(angle), 0.0), height - 0.01)
    unit["moving"], unit["speed"], order["timer"] = 0, speed, 1  # the kernel forgets the speed again
    return True
