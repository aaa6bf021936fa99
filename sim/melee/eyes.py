"""Spots that a player sees without a unit: scans, zones, held targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sim.melee.game import Game


def reveal(game: Game, owner: int, x: float, y: float, radius: float, loops: float, *, detect: float = 0.0) -> None:
    """Lights a circle for a while, high ground too; `detect` is the radius of detection."""
    free = np.flatnonzero(game.state.eyes["left"] <= 0)
    if len(free):
        eye = game.state.eyes[free[0]]
        eye["owner"], eye["flying"], eye["x"], eye["y"] = owner, 1, x, y
        eye["radius"], eye["detect"], eye["left"] = radius, detect, loops
