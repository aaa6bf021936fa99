"""Banshee: hunts ground units from the air; under cloak only where its mission is to infiltrate."""

from __future__ import annotations

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.task import Task
from bot.orders import Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """cloak, and one of: leave when discovered | retreat | dodge | fight | move."""
    order = cast.discovered(m, i, task) or common.chain(m, i, task)
    return [order for order in (cast.cloak(m, i, task), order) if order]
