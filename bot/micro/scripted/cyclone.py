"""Cyclone: locks on to what is worth it, then keeps its distance while the lock does the work."""

from __future__ import annotations

import numpy as np

from bot.micro.moment import Moment
from bot.micro.scene import LOCKED
from bot.micro.scripted import cast, common
from bot.micro.task import Task
from bot.orders import Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | drive on into the range of the lock | keep away | lock on | fight | move.

    Lock On casts itself, and how long a lock holds and cools down cannot be seen: what is ordered meanwhile is refused.
    """
    order = common.retreat(m, i, task) or common.dodge(m, i)
    if not order and cast.busy(m, i) and not locked(m).any():
        return []
    order = order or keep_away(m, i) or cast.spell(m, i) or common.fight(m, i, task) or common.move(m, i, task)
    return [order] if order else []


def locked(m: Moment) -> np.ndarray:
    """bool [m]: enemies that a Cyclone holds."""
    return (m.field.foe.buffs & LOCKED) != 0


def keep_away(m: Moment, i: int) -> Order | None:
    """Back from those who can hit it, as long as what is locked stays well within the lock's reach."""
    held = locked(m)
    if not held.any() or m.threat[i] == 0:
        return None
    gap = np.where(held, m.field.gap[i], np.inf).min()
    if gap > m.config["cyclone"]["leash"]:
        return None
    return common.step(m, i, m.back[i]) if m.backs[i] else None
