"""Every unit without a file of its own: the common chain."""

from __future__ import annotations

from bot.micro.moment import Moment
from bot.micro.scripted import common
from bot.micro.task import Task
from bot.orders import Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | fight | move."""
    order = common.chain(m, i, task)
    return [order] if order else []
