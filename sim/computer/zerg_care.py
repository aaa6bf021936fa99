"""What only a Zerg computer does: injects."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

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
    units, orders = view.units, computer.game.orders[:, 0]
    peace = view.loop - computer.last_threat > PEACE
    for queen, hall in stations(view, queens):
        here, able = view.place(hall), units["energy"][queen] >= INJECT_ENERGY and orders["ability"][queen] != INJECT
        if able and not (units["buff"][hall] == INJECT_BUFF).any():
            if computer.rng.random() <= computer.level.inject:
                computer.hands.on(INJECT, [queen], hall)
        elif peace and not units["order_count"][queen] and math.dist(view.place(queen), here) > AT_HALL:
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
