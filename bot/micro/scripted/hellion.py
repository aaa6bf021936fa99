"""Hellion: fast and outranging what it is good against, so the common stutter step is nearly all; no brawls."""

from __future__ import annotations

from bot.micro.moment import Moment
from bot.micro.scripted import common
from bot.micro.task import Task
from bot.orders import Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | fight | move, and a step back even before the first shot when someone is about to hit it."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or evade(m, i) or common.fight(m, i, task)
    order = order or common.move(m, i, task)
    return [order] if order else []


def evade(m: Moment, i: int) -> Order | None:
    """Off at once from those it outruns while the weapon is not ready."""
    if m.outrun[i] and not m.ready[i]:
        return common.step(m, i, m.back[i])
    return None
