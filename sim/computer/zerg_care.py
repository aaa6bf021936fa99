"""What only a Zerg computer does: injects, transfusions and creep tumors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.melee import placement
from sim.melee.records import Result
from sim.melee.sight import VISIBLE

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

INJECT, QUEEN_TUMOR, SPREAD_TUMOR = 251, 1694, 1733
INJECT_BUFF = 11
QUEEN_RANGE = 30.0  # a queen injects halls within this of her
SPREAD = 9.0
TUMOR_GAP = 7.0  # tumors keep this distance from one another
MOST_TUMORS = 24


def act(computer: Computer, view: View) -> None:
    """One decision for queens and tumors."""
    ids = computer.game.facts.ids
    queens = view.slots[view.mask(ids["Queen"]) & view.finished]
    if len(queens):
        inject(computer, view, queens)
    if computer.level.tumors and view.loop > 2500:
        spread(computer, view, queens)


def inject(computer: Computer, view: View, queens: np.ndarray) -> None:
    """Every hall without an inject gets one from the nearest queen that has the energy."""
    units = view.units
    halls = view.halls
    ready = [int(q) for q in queens if units["energy"][q] >= 25 and computer.game.orders[q, 0]["ability"] != INJECT]
    for hall in halls:
        if not ready or computer.rng.random() > computer.level.inject:
            continue
        if (units["buff"][hall] == INJECT_BUFF).any():
            continue
        far = [math.hypot(units["x"][q] - units["x"][hall], units["y"][q] - units["y"][hall]) for q in ready]
        best = int(np.argmin(far))
        if far[best] < QUEEN_RANGE:
            computer.hands.on(INJECT, [ready.pop(best)], int(hall))


def spread(computer: Computer, view: View, queens: np.ndarray) -> None:
    """Tumors towards the enemy: a queen with energy to spare plants, a tumor that can spreads once."""
    ids = computer.game.facts.ids
    units = view.units
    tumors = view.slots[view.mask(ids["CreepTumorBurrowed"], ids["CreepTumor"], ids["CreepTumorQueen"])]
    if len(tumors) >= MOST_TUMORS:
        return
    rich = [int(q) for q in queens if units["energy"][q] >= 60 and units["order_count"][q] == 0]
    if rich and len(tumors) < 6:
        hall = view.place(int(rich[0]))
        _plant(computer, view, rich[0], QUEEN_TUMOR, hall, 7.0, tumors)
    ready = computer.game.memory.ready
    for slot in view.slots[view.mask(ids["CreepTumorBurrowed"])]:
        if units["timer"][slot] or ready.get((int(slot), SPREAD_TUMOR), 0) > view.loop:
            continue
        if _plant(computer, view, int(slot), SPREAD_TUMOR, view.place(int(slot)), SPREAD, tumors):
            return


def _plant(
    computer: Computer, view: View, slot: int, ability: int, start: tuple[float, float], far: float, tumors: np.ndarray
) -> bool:
    """Tries some points ahead of `start`, roughly towards the enemy."""
    ex, ey = computer.ground.enemy_start
    ahead = math.atan2(ey - start[1], ex - start[0])
    units = view.units
    for _ in range(3):
        angle = ahead + (2 * float(computer.rng.random()) - 1) * 1.4
        x, y = start[0] + far * math.cos(angle), start[1] + far * math.sin(angle)
        row, column = int(y), int(x)
        if (
            not (0 <= row < view.game.creep.shape[0] and 0 <= column < view.game.creep.shape[1])
            or not view.game.creep[row, column]
        ):
            continue
        if len(tumors) and (np.hypot(units["x"][tumors] - x, units["y"][tumors] - y) < TUMOR_GAP).any():
            continue
        if any(math.hypot(base.x - x, base.y - y) < 4.5 for base in computer.ground.bases):
            continue
        if view.game.visibility[computer.player, row, column] != VISIBLE:
            continue
        if placement.can_place(computer.game, computer.player, ability, x, y) != Result.SUCCESS:
            continue
        if computer.hands.at(ability, [slot], x, y) == Result.SUCCESS:
            return True
    return False
