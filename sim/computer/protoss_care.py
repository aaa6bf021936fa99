"""What only a Protoss computer does at home: chrono boost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
