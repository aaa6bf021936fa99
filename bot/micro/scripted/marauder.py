"""Marauder: as a Marine; its shells slow, so that stepping back helps against almost everyone on the ground."""

from __future__ import annotations

from sc2.ids.ability_id import AbilityId

from bot.micro.moment import Moment
from bot.micro.scripted import common
from bot.micro.task import Task
from bot.orders import Cast, Order


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """Stim leaves the unit's other orders alone, so it comes along with one of them."""
    return [order for order in (cast(m, i), common.chain(m, i, task)) if order]


def cast(m: Moment, i: int) -> Order | None:
    """Stim."""
    return Cast(m.tags[i], cast=AbilityId.EFFECT_STIM_MARAUDER, instant=True) if m.stim[i] else None
