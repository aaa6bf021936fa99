"""Battlecruiser: Yamato at what is worth it, a jump home before it is too late, and back in with the others."""

from __future__ import annotations

import numpy as np
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import JUMP, Mode, Task
from bot.orders import Cast, Move, Order

JUMP_HOME = VERB["JUMP_HOME"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """repair | jump home | dodge | retreat | Yamato | jump in | fight | move; no word while it aims or jumps."""
    if cast.busy(m, i):
        return []
    order = mend(m, i, task) or leave(m, i, task) or common.dodge(m, i) or retreat(m, i, task) or cast.spell(m, i)
    order = order or enter(m, i, task) or common.fight(m, i, task) or common.move(m, i, task)
    return [order] if order else []


def leave(m: Moment, i: int, task: Task) -> Order | None:
    """Home while it still can: the jump takes a second and a half under fire."""
    rules, own = m.config["battlecruiser"], m.field.own
    lethal = max(rules["hp"], rules["expected"] * rules["charge"] * m.threat[i])
    if m.threat[i] == 0 or own.hp[i] >= lethal:
        return None
    jump = cast.use(m, i, JUMP_HOME, task.home)
    if jump is None and m.caught[i]:  # they would shoot it all the way
        return None
    m.memory.going_home.add(m.tags[i])
    return jump or common.go(m, i, task.home)


def mend(m: Moment, i: int, task: Task) -> Order | None:
    """At home it waits until SCVs have repaired it; on the way there it does not turn round."""
    tag, own = m.tags[i], m.field.own
    if tag not in m.memory.going_home:
        return None
    if own.hp[i] >= m.config["battlecruiser"]["healed"] * own.hp_max[i]:
        m.memory.going_home.discard(tag)
        return None
    if common.apart(m, i, task.home) > common.ARRIVED:
        return cast.use(m, i, JUMP_HOME, task.home) if m.threat[i] > 0 else common.go(m, i, task.home)
    x, y = task.home
    return common.fight(m, i, task) or Move(tag, (float(x), float(y)))


def retreat(m: Moment, i: int, task: Task) -> Order | None:
    """With the mission only, at once where the way is long and under fire: its own life is watched by `leave`."""
    if task.mode is not Mode.RETREAT:
        return None
    long = m.threat[i] > 0 and common.apart(m, i, task.home) >= m.config["battlecruiser"]["far"]
    return (cast.use(m, i, JUMP_HOME, task.home) if long else None) or common.retreat(m, i, task)


def enter(m: Moment, i: int, task: Task) -> Order | None:
    """To a far point at once, where the mission allows it, at full life and not alone, and not into anti-air fire that
    it would have to jump out of again: that takes more than a minute to be ready."""
    rules, own = m.config["battlecruiser"], m.field.own
    if not task.allows & JUMP or task.mode is not Mode.FIGHT or not jump_ready(m, i):
        return None
    if common.apart(m, i, task.point) < rules["far"] or m.threat[i] > 0:
        return None
    fleet = m.field.kinds.of_type(UnitTypeId.BATTLECRUISER)[m.field.own.kind]
    fit = fleet & (own.hp >= rules["healed"] * own.hp_max) & (np.hypot(*(own.xy - own.xy[i]).T) <= rules["together"])
    if not fit[i] or fit.sum() < rules["least"] or dangerous(m, i, task):
        return None
    return Cast(m.tags[i], task.point, cast=AbilityId.EFFECT_TACTICALJUMP)


def jump_ready(m: Moment, i: int) -> bool:
    """Whether it may jump anywhere: the mask of JUMP_HOME also asks for a way home that is worth it."""
    scene = m.field.scene
    return bool(scene.ready_at[m.field.b, m.field.own.rows[i], JUMP_HOME] <= m.loop)


def dangerous(m: Moment, i: int, task: Task) -> bool:
    """Whether nothing is known about the point, or what can shoot at ships there is worth too much."""
    foe, kinds, rules = m.field.foe, m.field.kinds, m.config["battlecruiser"]
    near = np.hypot(*(foe.xy - np.array(task.point, np.float32)).T) <= rules["landing"]
    if not near.any():
        return True
    value = kinds.value[foe.kind[near & (m.field.foe_reach[i] >= 0)]].sum()
    return bool(value >= rules["danger"] * kinds.value[m.field.own.kind[i]])
