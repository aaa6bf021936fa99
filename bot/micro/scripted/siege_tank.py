"""Siege Tank: sieges before the enemy is in range, off ramps and apart; packs up after a while without a target."""

from __future__ import annotations

import numpy as np
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.moment import Moment
from bot.micro.scripted import common
from bot.micro.task import Mode, Task
from bot.orders import Cast, Order

POST = 5.0
"""A tank on guard this close to its point sieges there."""


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """A rolling tank: retreat | dodge | siege | fight | move."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or siege(m, i, task) or tail(m, i, task)
    return [order] if order else []


def tail(m: Moment, i: int, task: Task) -> Order | None:
    """Fights like everyone; on its way it stays behind the others, whose eyes and bodies it needs."""
    order = common.fight(m, i, task)
    if order:
        return order
    leads = common.apart(m, i, task.point) < np.hypot(task.middle[0] - task.point[0], task.middle[1] - task.point[1])
    if task.mode is Mode.FIGHT and leads and common.apart(m, i, task.middle) > common.ARRIVED * 2:
        return common.follow(m, i, task)
    return common.move(m, i, task)


def siege(m: Moment, i: int, task: Task) -> Order | None:
    """Siege where contact is near and the ground is good for it."""
    tank = m.config["tank"]
    if task.mode is Mode.RETREAT or not (wanted(m, i, tank["siege_below"] + tank["lead"]) or on_guard(m, i, task)):
        return None
    if crowded(m, i) or near_ramp(m, i):
        return None
    m.memory.contact[m.tags[i]] = m.loop
    return Cast(m.tags[i], cast=AbilityId.SIEGEMODE_SIEGEMODE)


def act_sieged(m: Moment, i: int, task: Task) -> list[Order]:
    """A sieged tank fires by itself; the only question is when to pack up."""
    tank, tag, loop = m.config["tank"], m.tags[i], m.loop
    if wanted(m, i, tank["unsiege_beyond"], least=1.0):
        m.memory.contact[tag] = loop
    waited = loop - m.memory.contact.setdefault(tag, loop)
    if task.mode is Mode.RETREAT:
        leave = not wanted(m, i, tank["siege_below"], least=1.0)
    else:
        leave = waited > tank["patience"] and not on_guard(m, i, task) and not arrived(m, i, task)
    return [Cast(tag, cast=AbilityId.UNSIEGE_UNSIEGE)] if leave else []


def wanted(m: Moment, i: int, reach: float, least: float | None = None) -> bool:
    """Whether ground enemies worth the tank's shells are between its minimum range and `reach`."""
    worth = m.once(("shelled", reach), _shelled)[i]
    return worth >= (m.config["tank"]["worth"] if least is None else least)


def _shelled(m: Moment, key: tuple[str, float]) -> list[float]:
    """Resources of the armed enemies on the ground between a tank's minimum range and this reach, for each own unit."""
    foe, kinds, gap = m.field.foe, m.field.kinds, m.field.gap
    worthy = kinds.ground_fighter[foe.kind] & foe.targetable
    there = (gap >= m.config["tank"]["least"]) & (gap <= key[1])
    return (there @ (kinds.value[foe.kind] * worthy)).tolist()


def on_guard(m: Moment, i: int, task: Task) -> bool:
    """Whether the tank stands at the post it shall hold."""
    return task.mode is Mode.HOLD and common.apart(m, i, task.point) <= POST


def arrived(m: Moment, i: int, task: Task) -> bool:
    """Whether its shells reach the point of its task from here."""
    return common.apart(m, i, task.point) <= m.config["tank"]["siege_below"] - 1.0 and task.mode is Mode.FIGHT


def near_ramp(m: Moment, i: int) -> bool:
    """Whether cells that one can walk but not build on are near: a sieged tank there blocks its own army."""
    x, y = m.field.own.xy[i]
    reach = m.config["tank"]["ramp"]
    terrain = m.ground
    window = np.s_[max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1]
    return bool((terrain.walkable[window] & ~terrain.buildable[window]).any())


def crowded(m: Moment, i: int) -> bool:
    """Whether a sieged tank stands so close to a rolling one that one splash would hit both."""
    return m.once("crowded", _crowded)[i]


def _crowded(m: Moment, _: str) -> list[bool]:
    """`crowded` of all own units."""
    own = m.field.own
    sieged = np.flatnonzero(m.field.kinds.of_type(UnitTypeId.SIEGETANKSIEGED)[own.kind])
    off = own.xy[None, sieged] - own.xy[:, None]
    near = np.hypot(off[..., 0], off[..., 1]) - own.radius[sieged] < m.config["tank"]["spacing"]
    return near.any(axis=1).tolist()
