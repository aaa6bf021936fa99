"""Reaper: the common stutter step, with a grenade between itself and those who come too close."""

from __future__ import annotations

from sc2.ids.ability_id import AbilityId

from bot.micro.fire import NONE
from bot.micro.moment import Moment
from bot.micro.scripted import common
from bot.micro.skills import VERB
from bot.micro.task import Task
from bot.orders import Cast, Order

BLAST = VERB["BLAST"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | grenade | fight | move."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or cast(m, i) or common.fight(m, i, task)
    order = order or common.move(m, i, task)
    return [order] if order else []


def cast(m: Moment, i: int) -> Order | None:
    """A grenade at the nearest attacker."""
    j = m.nearest[i]
    if j == NONE or m.threat[i] == 0 or not m.may(i, BLAST) or not m.victims(i, BLAST)[j]:
        return None
    if m.field.gap[i, j] > m.config["reaper"]["grenade_range"]:
        return None
    x, y = m.field.foe.xy[j]
    return Cast(m.tags[i], (float(x), float(y)), cast=AbilityId.KD8CHARGE_KD8CHARGE)
