"""Eyes for what hides: the detectors of the openings go with the army, and something hidden asks for more of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import alarm, force, spend
from sim.computer.hands import MOVE

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.spend import Purse
    from sim.computer.view import View

HIDDEN_MEMORY = 6000  # loops for which something hidden is remembered
MORE = 2  # beyond those of the opening once something hidden was seen
KEEP = 3.0  # cells from their place at which they rest


def more(computer: Computer, view: View, purse: Purse) -> None:
    """One more at a time while something hidden is remembered."""
    name = computer.names.get("detector")
    if not name:
        return
    if len(alarm.hidden_enemies(computer, view)):
        computer.hidden_seen = view.loop
    if view.loop - computer.hidden_seen >= HIDDEN_MEMORY:
        return
    listed = sum(what == name for what, _ in computer.opening.tech + computer.opening.after)
    if computer.counted(view, name) < listed + MORE:
        spend.make(computer, view, purse, name)


def follow(computer: Computer, view: View) -> None:
    """Every other one keeps to the middle of the wave; the rest, and all without one, wait where the army does or go
    with those who defend: ahead of them they died one after the other. Who casts is left alone."""
    ids, units, orders = computer.game.facts.ids, view.units, computer.game.orders
    types = [ids[name] for name in computer.table["detectors"]]
    wave = np.array(sorted(computer.army.wave), np.int64)
    guards = np.setdiff1d(view.slots[view.army], wave)
    for index, slot in enumerate(view.slots[view.mask(*types) & view.finished]):
        goal = computer.rally_point(view)
        if len(wave) and index % 2 == 0:
            goal = force.middle(view, wave)
        elif len(guards) and view.loop - computer.last_threat < 60:
            goal = force.middle(view, guards)
        free = not units["order_count"][slot] or orders[slot, 0]["ability"] == MOVE
        if free and np.hypot(units["x"][slot] - goal[0], units["y"][slot] - goal[1]) > KEEP:
            computer.hands.walk([int(slot)], *goal)
