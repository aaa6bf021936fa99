"""Marine and Marauder: the common stutter step, with Stim where the group's budget allows it."""

from __future__ import annotations

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Task
from bot.orders import Order

STIM = VERB["STIM"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """Stim leaves the unit's other orders alone, so it comes along with one of them."""
    stim = cast.use(m, i, STIM) if m.stim[i] else None
    return [order for order in (stim, common.chain(m, i, task)) if order]
