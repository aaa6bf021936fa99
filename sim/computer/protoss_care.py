"""What only a Protoss computer does: chrono boost, power for what lost it, Archons, prisms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import casting, force, spend
from sim.engine.state import MORPHING, UNPOWERED
from sim.melee.protoss_templar import MERGE, MERGE_WITH

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.spend import Purse
    from sim.computer.view import View

PHASE, TRANSPORT = 1528, 1530
PRISM_NEAR, PRISM_FAR, KEEP = 7.0, 14.0, 3.0  # cells from the wave's middle: field opens, field closes, at rest
CHRONO, CHRONO_BUFF, CHRONO_ENERGY = 3755, 281, 50


def act(computer: Computer, view: View) -> None:
    """Town halls boost what works once a Pylon stands (the game's own AI scripts): the army's producers before the town
    halls."""
    units, facts = view.units, computer.game.facts
    if not casting.free(computer, view) or not view.ready[computer.role("supply")]:
        return
    halls = view.slots[view.mask(facts.ids["Nexus"]) & view.finished & (units["energy"][view.slots] >= CHRONO_ENERGY)]
    busy = view.slots[(view.jobs > 0) & ~(units["buff"][view.slots] == CHRONO_BUFF).any(axis=1)]
    if not len(halls) or not len(busy):
        return
    order = np.argsort(view.sheet.hall[units["type"][busy]], kind="stable")
    computer.hands.on(CHRONO, [int(halls[0])], int(busy[order[0]]))
    casting.done(computer, view)


def build(computer: Computer, view: View, purse: Purse) -> None:
    """What has lost its power gets another pylon beside it, one at a time."""
    dark = view.slots[view.finished & (view.flags & UNPOWERED != 0)]
    pylon = computer.role("supply")
    if len(dark) and view.have(pylon) == view.ready[pylon]:
        spend.make(computer, view, purse, computer.names["supply"], near=view.place(int(dark[0])))


def fight(computer: Computer, view: View) -> None:
    """Two Dark Templar become an Archon as soon as there are two, and so do High Templar without Psionic Storm; not
    those that the opening's own attack is made with, until the next wave."""
    storm = computer.game.players[computer.player]["upgrades"][computer.recipes["PsiStormTech"].product]
    apart = computer.opening.apart if computer.army.waves < 2 else ()
    merge = ("DarkTemplar",) if storm else ("DarkTemplar", "HighTemplar")
    for name in (name for name in merge if name not in apart):
        alike = view.mask(computer.game.facts.ids[name]) & view.finished
        templar = view.slots[alike & ~merging(computer, view.slots)] if alike.any() else ()
        if len(templar) > 1:
            x, y = view.units["x"][templar], view.units["y"][templar]
            computer.hands.order(MERGE, templar[np.argsort(np.hypot(x - x[0], y - y[0]), kind="stable")[:2]])
    prisms(computer, view)


def prisms(computer: Computer, view: View) -> None:
    """Prisms keep to the wave, and open their field for reinforcements where it fights."""
    ids, units, army = computer.game.facts.ids, view.units, computer.army
    mine = view.slots[view.mask(ids["WarpPrism"], ids["WarpPrismPhasing"]) & view.finished]
    if not len(mine):
        return
    wave = np.array(sorted(army.wave), np.int64)
    x, y = force.middle(view, wave) if len(wave) else computer.rally_point(view)
    open_now = army.state == force.STRIKING and len(wave) > 0 and force.in_fight(view, wave) is not None
    away = np.hypot(units["x"][mine] - x, units["y"][mine] - y)
    for slot, far in zip(mine.tolist(), away.tolist(), strict=True):
        phasing, free = units["type"][slot] == ids["WarpPrismPhasing"], units["flags"][slot] & MORPHING == 0
        if phasing and free and (far > PRISM_FAR or not len(wave)):
            computer.hands.order(TRANSPORT, [slot])
        elif not phasing and free and open_now and far < PRISM_NEAR:
            computer.hands.order(PHASE, [slot])
        elif not phasing and far > KEEP:
            computer.hands.walk([slot], x, y)


def merging(computer: Computer, slots: np.ndarray) -> np.ndarray:
    """Which units are on the way to becoming another; bool [n]."""
    has_order = computer.game.units["order_count"][slots] > 0
    return has_order & np.isin(computer.game.orders[slots, 0]["ability"], (MERGE, MERGE_WITH))
