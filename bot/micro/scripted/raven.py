"""Raven: behind the fighters, with turrets, missiles and matrices where they pay; away from who can hit it."""

from __future__ import annotations

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Mode, Task
from bot.orders import Order

TURRET = VERB["TURRET"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | spell | keep away | turret | follow; no word while it aims."""
    if cast.busy(m, i):
        return []
    order = common.retreat(m, i, task) or common.dodge(m, i) or cast.spell(m, i) or keep_away(m, i, task)
    order = order or turret(m, i, task) or common.follow(m, i, task, m.config["medivac"]["behind"])
    return [order] if order else []


def keep_away(m: Moment, i: int, task: Task) -> Order | None:
    """It has no weapon: nothing is gained near those who have."""
    return common.go(m, i, task.home) if m.threat[i] > 0 else None


def turret(m: Moment, i: int, task: Task) -> Order | None:
    """A turret in front of it where there is enough to shoot at."""
    rules = m.config["raven"]
    if task.mode is Mode.RETREAT or not m.may(i, TURRET):
        return None
    foe, kinds = m.field.foe, m.field.kinds
    worthy = kinds.fighter[foe.kind] & foe.targetable
    near = worthy & (m.field.gap[i] <= rules["turret_near"])
    if float(kinds.value[foe.kind[near]].sum()) < rules["turret_worth"]:
        return None
    return cast.use(m, i, TURRET, cast.towards(m, i, cast.nearest_point(m, i, near), rules["turret_range"]))
