"""Widow Mine: burrows in front of whoever comes, waits, and comes out again when nobody does."""

from __future__ import annotations

import numpy as np

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Mode, Task
from bot.orders import Order

BURROW, UNBURROW = VERB["SIEGE"], VERB["UNSIEGE"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """Above the ground: burrow | retreat | move. It cannot fight there."""
    order = burrow(m, i, task) or common.retreat(m, i, task) or common.dodge(m, i) or move(m, i, task)
    return [order] if order else []


def burrow(m: Moment, i: int, task: Task) -> Order | None:
    """Where enemies will soon be in reach, or at the post it guards."""
    rules = m.config["widow_mine"]
    guard = task.mode is Mode.HOLD and common.apart(m, i, task.point) <= rules["post"]
    if not (guard or near(m, i, rules["reach"] + rules["lead"])):
        return None
    m.memory.contact[m.tags[i]] = m.loop
    return cast.use(m, i, BURROW)


def act_burrowed(m: Moment, i: int, task: Task) -> list[Order]:
    """Under the ground it fires by itself; out to retreat before they are near, or after a while alone."""
    rules, tag = m.config["widow_mine"], m.tags[i]
    close = near(m, i, rules["stay"])
    if close:
        m.memory.contact[tag] = m.loop
    waited = m.loop - m.memory.contact.setdefault(tag, m.loop)
    guard = task.mode is Mode.HOLD and common.apart(m, i, task.point) <= rules["post"]
    leave = not close and (task.mode is Mode.RETREAT or (waited > rules["patience"] and not guard))
    order = cast.use(m, i, UNBURROW) if leave else None
    return [order] if order else []


def near(m: Moment, i: int, reach: float) -> bool:
    """Whether an enemy that is no structure and no worker is so near."""
    foe, kinds = m.field.foe, m.field.kinds
    worthy = kinds.fighter[foe.kind] & ~kinds.structure[foe.kind] & foe.targetable
    return bool(np.any(worthy & (m.field.gap[i] <= reach)))


def move(m: Moment, i: int, task: Task) -> Order | None:
    """With the fighters; alone to its point."""
    if m.led and task.mode is Mode.FIGHT:
        return common.follow(m, i, task)
    return common.go(m, i, task.point)
