"""What only a Protoss computer does: chrono boost, and Archons while there is no Psionic Storm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.melee.protoss_templar import MERGE, MERGE_WITH

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

CHRONO, CHRONO_BUFF, CHRONO_ENERGY = 3755, 281, 50


def act(computer: Computer, view: View) -> None:
    """Town halls boost what works, at the better levels: the army's producers before the town halls."""
    if computer.level.inject <= computer.rng.random():
        return
    units, facts = view.units, computer.game.facts
    halls = view.slots[view.mask(facts.ids["Nexus"]) & view.finished & (units["energy"][view.slots] >= CHRONO_ENERGY)]
    busy = view.slots[(view.jobs > 0) & ~(units["buff"][view.slots] == CHRONO_BUFF).any(axis=1)]
    if not len(halls) or not len(busy):
        return
    order = np.argsort(view.sheet.hall[units["type"][busy]], kind="stable")
    computer.hands.on(CHRONO, [int(halls[0])], int(busy[order[0]]))


def fight(computer: Computer, view: View) -> None:
    """Without Psionic Storm two High Templar become an Archon as soon as there are two."""
    game, ids = computer.game, computer.game.facts.ids
    if game.players[computer.player]["upgrades"][computer.recipes["PsiStormTech"].product]:
        return
    templar = view.slots[view.mask(ids["HighTemplar"]) & view.finished & ~merging(computer, view.slots)]
    if len(templar) > 1:
        x, y = view.units["x"][templar], view.units["y"][templar]
        computer.hands.order(MERGE, templar[np.argsort(np.hypot(x - x[0], y - y[0]), kind="stable")[:2]])


def merging(computer: Computer, slots: np.ndarray) -> np.ndarray:
    """Which units are on the way to becoming another; bool [n]."""
    has_order = computer.game.units["order_count"][slots] > 0
    return has_order & np.isin(computer.game.orders[slots, 0]["ability"], (MERGE, MERGE_WITH))
