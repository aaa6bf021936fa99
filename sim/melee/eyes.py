"""Spots that a player sees without a unit: scans, zones, held targets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.melee import kernel

if TYPE_CHECKING:
    from sim.melee.game import Game


def reveal(game: Game, owner: int, x: float, y: float, radius: float, loops: float, *, detect: float = 0.0) -> None:
    """Lights a circle for a while, high ground too; `detect` is the radius of detection."""
    free = np.flatnonzero(game.state.eyes["left"] <= 0)
    if len(free):
        eye = game.state.eyes[free[0]]
        eye["owner"], eye["flying"], eye["x"], eye["y"] = owner, 1, x, y
        eye["radius"], eye["detect"], eye["left"] = radius, detect, loops


def lift_fog(game: Game, owner: int) -> None:
    """A player sees the whole map; once more: as before. On arenas everybody does anyway."""
    if game.arena is not None:
        return
    height, width = game.walk.shape
    eyes, whole = game.state.eyes, math.hypot(width, height)
    lit = (eyes["owner"] == owner) & (eyes["left"] == math.inf) & (eyes["radius"] >= whole)
    if lit.any():
        eyes["left"][lit] = 0
    else:
        reveal(game, owner, width / 2, height / 2, whole, math.inf)
    kernel.look(game)
