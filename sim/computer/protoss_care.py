"""What only a Protoss computer does: chrono boost at home; blinks, shields and alignments in a fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

CHRONO, CHRONO_BUFF, CHRONO_ENERGY = 3755, 281, 50
GUARDIAN, ALIGN = 76, 2393
NEAR, SHIELD_ENERGY = 9.0, 75


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
    """Void rays align and sentries shield when enemies are near."""
    units, ids, enemies = view.units, computer.game.facts.ids, view.enemies
    if not len(enemies):
        return
    for name, ability, energy in (("VoidRay", ALIGN, 0), ("Sentry", GUARDIAN, SHIELD_ENERGY)):
        mine = view.slots[view.mask(ids[name]) & view.finished & (units["energy"][view.slots] >= energy)]
        for slot in mine:
            x, y = view.place(int(slot))
            if np.hypot(units["x"][enemies] - x, units["y"][enemies] - y).min() < NEAR:
                computer.hands.order(ability, [int(slot)])
