"""Medivac: heals the wounded it was given, else flies behind the fighters; never leads, saves itself when low."""

from __future__ import annotations

from sc2.ids.ability_id import AbilityId

from bot.micro.heal import NOBODY
from bot.micro.moment import Moment
from bot.micro.scripted import common
from bot.micro.task import Mode, Task
from bot.orders import Cast, Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | heal | follow."""
    order = retreat(m, i, task) or common.dodge(m, i) or cast(m, i) or move(m, i, task)
    return [order] if order else []


def retreat(m: Moment, i: int, task: Task) -> Order | None:
    """Away when it is shot at and low; with the squad when that leaves."""
    own = m.field.own
    low = m.threat[i] > 0 and own.hp[i] < m.config["medivac"]["low"] * own.hp_max[i]
    if low or (task.mode is Mode.RETREAT and m.patient[i] == NOBODY):
        return common.go(m, i, task.home)
    return None


def cast(m: Moment, i: int) -> Order | None:
    """Heal; the game flies it into range and keeps it there."""
    patient = m.patient[i]
    if patient == NOBODY:
        return None
    return Cast(m.tag(i), m.field.own.tags[patient], cast=AbilityId.MEDIVACHEAL_HEAL)


def move(m: Moment, i: int, task: Task) -> Order | None:
    """Behind the middle of the fighters."""
    return common.follow(m, i, task, m.config["medivac"]["behind"])
