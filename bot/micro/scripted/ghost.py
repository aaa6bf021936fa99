"""Ghost: snipes, drains and calls nukes from its long range; under cloak only where its mission is to infiltrate."""

from __future__ import annotations

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.task import Task
from bot.orders import Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """cloak, and one of: leave when discovered | retreat | dodge | spell | fight | move; no word while it aims."""
    cloak = cast.cloak(m, i, task)
    if cast.busy(m, i):
        return [cloak] if cloak else []
    order = cast.discovered(m, i, task) or common.retreat(m, i, task) or common.dodge(m, i) or cast.spell(m, i)
    order = order or common.fight(m, i, task) or common.move(m, i, task)
    return [order for order in (cloak, order) if order]
