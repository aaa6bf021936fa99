"""Larvae crawl about below their town hall.

Eggs of 5,539 larvae of real games lie in the cell at which the larva was born for 79 % of larvae younger than 50 loops
and for 50 % of those older than 300, and nearly all others one cell beside it: a larva that crawls to a point of that
place, waits and crawls on fits this within a few percent. The speed is a fact, the waiting time is fitted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import INSIDE
from sim.melee.grids import walkable
from sim.melee.registry import EVERY

if TYPE_CHECKING:
    from sim.melee.game import Game

PERIOD = 8  # loops between two steps
BELOW = 3.0  # cells below the middle of the hall
ASIDE, UP = 1.5, 0.45  # how far a larva strays from there
SET_OUT = 0.1  # chance in each period that a larva that waits sets out again


def wander(game: Game) -> None:
    """One step of every larva; `rally_x`, `rally_y` of a larva are the point it crawls to."""
    units, larva = game.units[: int(game.world[0]["slots"])], game.facts.ids["Larva"]
    speed = float(game.facts.types["speed"][larva])
    here = (units["alive"] == 1) & (units["flags"] & INSIDE == 0)
    for slot in np.flatnonzero(here & (units["type"] == larva)):
        unit = units[slot]
        hall = int(unit["builder"])
        if hall < 0:
            continue
        home = float(units["x"][hall]), float(units["y"][hall]) - BELOW
        x, y = float(unit["x"]), float(unit["y"])
        dx, dy = float(unit["rally_x"]) - x, float(unit["rally_y"]) - y
        way = math.hypot(dx, dy)
        stray = math.hypot(float(unit["rally_x"]) - home[0], float(unit["rally_y"]) - home[1])
        if way < 0.01 or stray > 2 * ASIDE:  # it is there, or has just been born
            unit["rally_x"], unit["rally_y"] = x, y
            if game.random() < SET_OUT:
                unit["rally_x"] = home[0] + (game.random() + game.random() - 1) * ASIDE  # rather near
                unit["rally_y"] = home[1] + (2 * game.random() - 1) * UP
            continue
        share = min(1.0, PERIOD * speed / way)
        if walkable(game, x + share * dx, y + share * dy):
            unit["x"], unit["y"], unit["facing"] = x + share * dx, y + share * dy, math.atan2(dy, dx)
        else:
            unit["rally_x"], unit["rally_y"] = x, y


EVERY.append((PERIOD, wander))
