"""What only a Zerg computer does: injects, at every level (the game's own AI scripts)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import casting

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

INJECT = 251
INJECT_BUFF, INJECT_ENERGY = 11, 25
AT_HALL = 7.0  # cells from her town hall within which a Queen waits
PEACE = 60  # loops without a threat after which she goes there


def act(computer: Computer, view: View) -> None:
    """One decision for queens. No real computer plants a tumor (22 games of Zerg computers, levels 3 to 7)."""
    queens = view.slots[view.mask(computer.game.facts.ids["Queen"]) & view.finished]
    units = view.units
    peace = view.loop - computer.last_threat > PEACE
    for queen, hall in stations(view, queens):
        here, idle = view.place(hall), not units["order_count"][queen]
        lacks = units["energy"][queen] >= INJECT_ENERGY and not (units["buff"][hall] == INJECT_BUFF).any()
        if idle and lacks and casting.free(computer, view):
            computer.hands.on(INJECT, [queen], hall)
            casting.done(computer, view)
        elif idle and peace and math.dist(view.place(queen), here) > AT_HALL:
            computer.hands.walk([queen], *here)


def stations(view: View, queens: np.ndarray) -> list[tuple[int, int]]:
    """(queen, town hall) by slot: every hall has one Queen of its own as far as there are any, the nearest pairs first;
    two that stood at one hall left the other without larvae."""
    units, halls = view.units, view.halls
    x = units["x"][queens][:, None] - units["x"][halls][None, :]
    y = units["y"][queens][:, None] - units["y"][halls][None, :]
    way, pairs = np.hypot(x, y), []
    for _ in range(min(way.shape)):
        queen, hall = np.unravel_index(int(way.argmin()), way.shape)
        pairs.append((int(queens[queen]), int(halls[hall])))
        way[queen, :] = way[:, hall] = np.inf
    return pairs
