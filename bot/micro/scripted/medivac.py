"""Medivac: heals the wounded it was given, else flies behind the fighters; carries them where the mission is a drop."""

from __future__ import annotations

import numpy as np
from sc2.ids.ability_id import AbilityId

from bot.micro.heal import NOBODY
from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import DROP, Mode, Task
from bot.orders import Cast, Order

BOOST, LOAD, UNLOAD = VERB["BOOST"], VERB["LOAD"], VERB["UNLOAD"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """boost, and one of: retreat | dodge | drop | heal | follow."""
    if m.field.own.cargo[i] == 0:
        m.memory.landing.pop(m.tags[i], None)
    order = retreat(m, i, task) or common.dodge(m, i) or drop(m, i, task) or heal(m, i) or move(m, i, task)
    return [order for order in (boost(m, i, task), order) if order]


def retreat(m: Moment, i: int, task: Task) -> Order | None:
    """Away when it is shot at and low, without those it carries; with the squad when that leaves. A loaded one heals
    nobody on its way."""
    own, rules = m.field.own, m.config["medivac"]
    low = m.threat[i] > 0 and own.hp[i] < rules["low"] * own.hp_max[i]
    out = set_down(m, i) if low and own.cargo[i] > 0 else None
    if out:
        return out
    if low or (task.mode is Mode.RETREAT and (m.patient[i] == NOBODY or own.cargo[i] > 0)):
        return common.go(m, i, task.home)
    return None


def boost(m: Moment, i: int, task: Task) -> Order | None:
    """Afterburners out of fire, and into a drop."""
    leaving = m.threat[i] > 0 and (task.mode is Mode.RETREAT or m.field.own.hp[i] < 0.5 * m.field.own.hp_max[i])
    carrying = m.field.own.cargo[i] > 0 and m.threat[i] > 0
    return cast.use(m, i, BOOST) if leaving or carrying else None


def drop(m: Moment, i: int, task: Task) -> Order | None:
    """Takes aboard who stands near, flies to the point, sets everyone down there."""
    if not task.allows & DROP or task.mode is not Mode.FIGHT:
        return None
    rules, own = m.config["medivac"], m.field.own
    there = common.apart(m, i, task.point) <= rules["drop_at"]
    if own.cargo[i] > 0 and there:
        return set_down(m, i) or common.go(m, i, task.point)
    if m.may(i, LOAD) and common.apart(m, i, task.point) > rules["drop_far"]:
        able = m.helped(i, LOAD)
        apart = np.where(able, np.hypot(*(own.xy - own.xy[i]).T), np.inf)
        return cast.use(m, i, LOAD, m.tags[int(apart.argmin())])
    return common.go(m, i, task.point) if own.cargo[i] > 0 else None


def set_down(m: Moment, i: int) -> Order | None:
    """Everybody out at the first place where it may: flying on while the place moves along would scatter them. Nobody
    gets out over a structure."""
    tag = m.tags[i]
    field = m.field
    if len(field.foe) and (field.kinds.structure[field.foe.kind] & (field.gap[i] <= 0.0)).any():
        m.memory.landing.pop(tag, None)
        return None
    place = m.memory.landing.get(tag)
    if place is None or common.apart(m, i, place) > m.config["medivac"]["drop_at"]:
        if not m.may(i, UNLOAD):
            return None
        x, y = m.places[i]
        place = m.memory.landing[tag] = (x, y)
    return Cast(tag, place, cast=AbilityId.UNLOADALLAT_MEDIVAC)


def heal(m: Moment, i: int) -> Order | None:
    """Heal; the game flies it into range and keeps it there."""
    patient = m.patient[i]
    if patient == NOBODY:
        return None
    return Cast(m.tags[i], m.tags[patient], cast=AbilityId.MEDIVACHEAL_HEAL)


def move(m: Moment, i: int, task: Task) -> Order | None:
    """Behind the middle of the fighters."""
    return common.follow(m, i, task, m.config["medivac"]["behind"])
