"""Spots that a player sees without a unit: scans, zones, held targets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import FLYING, INSIDE
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


def look_back(game: Game, slot: int) -> None:
    """The spot where a unit dies stays seen for a while, as of who falls in a fight (`deaths.leave_eye`)."""
    unit = game.units[slot]
    owner, free = int(unit["owner"]), np.flatnonzero(game.state.eyes["left"] <= 0)
    if game.world[0]["fog"] and owner > 0 and not int(unit["flags"]) & INSIDE and len(free):
        eye = game.state.eyes[free[0]]
        eye["owner"], eye["flying"], eye["x"], eye["y"] = owner, bool(unit["flags"] & FLYING), unit["x"], unit["y"]
        kind = game.types[owner, unit["type"]]
        eye["radius"], eye["detect"], eye["left"] = kind["linger"], 0.0, kind["linger_loops"]


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
