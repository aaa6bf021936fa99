"""Liberator: with the army against flyers, zones over what walks; gives a zone up when nothing comes into it."""

from __future__ import annotations

import math

from bot.micro.fire import NONE
from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Mode, Task
from bot.orders import Order

SIEGE, UNSIEGE = VERB["SIEGE"], VERB["UNSIEGE"]
SAME = 1e-3
"""Cells between two points that are one."""


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """In the air: retreat | dodge | zone | fight | follow."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or zone(m, i, task) or common.fight(m, i, task)
    return [order] if order else move(m, i, task)


def zone(m: Moment, i: int, task: Task) -> Order | None:
    """A zone over the nearest walkers that are worth it, unless flyers are there to be shot."""
    rules = m.config["liberator"]
    if task.mode is Mode.RETREAT or m.target[i] != NONE or not m.may(i, SIEGE):
        return None
    if cast.ground_worth(m, i, rules["reach"] + rules["lead"]) < rules["worth"]:
        return None
    foe, kinds = m.field.foe, m.field.kinds
    point = cast.nearest_point(m, i, kinds.armed[foe.kind] & ~foe.flying & foe.targetable)
    m.memory.contact[m.tags[i]] = m.loop
    return cast.use(m, i, SIEGE, cast.towards(m, i, point, rules["range"]))


def act_zone(m: Moment, i: int, task: Task) -> list[Order]:
    """Over its zone: it fires by itself; up again to retreat, when hurt, or after a while without anyone in reach."""
    rules, tag = m.config["liberator"], m.tags[i]
    if cast.ground_worth(m, i, rules["reach"]) > 0:
        m.memory.contact[tag] = m.loop
    waited = m.loop - m.memory.contact.setdefault(tag, m.loop)
    on_guard = task.mode is Mode.HOLD and common.apart(m, i, task.point) <= rules["reach"]
    leave = task.mode is Mode.RETREAT or m.hurt[i] or (waited > rules["patience"] and not on_guard)
    order = cast.use(m, i, UNSIEGE) if leave else None
    return [order] if order else []


def move(m: Moment, i: int, task: Task) -> list[Order]:
    """Behind the fighters where there are any, else on to the point, but not alone into those who shoot flyers."""
    if m.led and math.dist(task.middle, task.point) > SAME:
        order = common.follow(m, i, task, m.config["medivac"]["behind"])
    else:
        order = common.go(m, i, task.point)
    return [order] if order else []
