"""Links of chains that use skills: the group's spells, cloaking, and standing still while a skill is being used."""

from __future__ import annotations

import numpy as np
from sc2.ids.ability_id import AbilityId

from bot.micro.moment import Moment
from bot.micro.scene import CASTING
from bot.micro.scripted import common
from bot.micro.skills import SKILLS, VERB, book
from bot.micro.task import CLOAK, Mode, Task
from bot.orders import Cast, Order

CLOAK_ON, CLOAK_OFF = VERB["CLOAK"], VERB["UNCLOAK"]


def busy(m: Moment, i: int) -> bool:
    """Whether the unit aims, channels or jumps: any other order would call that off."""
    return m.order[i] == CASTING


def spell(m: Moment, i: int) -> Order | None:
    """What the group's assignment gave the unit to cast."""
    given = m.spells.get(i)
    if given is None:
        return None
    verb, j = given
    skill = SKILLS[book(m.field.kinds)[m.field.own.kind[i], verb]]
    if skill.aim == "point":
        x, y = m.field.foe.xy[j].tolist()
        return Cast(m.tags[i], (x, y), cast=skill.ability)
    return Cast(m.tags[i], m.foe_tags[j], cast=skill.ability)


def use(m: Moment, i: int, verb: int, target: int | tuple[float, float] | None = None) -> Order | None:
    """The unit's own skill for a verb, if it is legal now."""
    if not m.may(i, verb):
        return None
    skill = SKILLS[book(m.field.kinds)[m.field.own.kind[i], verb]]
    return Cast(m.tags[i], target, cast=AbilityId(skill.ability.value), instant=skill.instant)


def cloak(m: Moment, i: int, task: Task) -> Order | None:
    """Under cloak where the mission is to infiltrate, an enemy is about to shoot and nobody detects the place; off
    again where no enemy is near."""
    rules = m.config["cloak"]
    if m.may(i, CLOAK_OFF):
        away = not len(m.field.foe) or bool((m.field.gap[i] > rules["off_beyond"]).all())
        return use(m, i, CLOAK_OFF) if away else None
    if not task.allows & CLOAK or m.detected[i] or not m.may(i, CLOAK_ON):
        return None
    energy = m.field.own.energy[i]
    if m.threat[i] > 0:
        return use(m, i, CLOAK_ON) if energy >= rules["energy_hit"] else None
    close = (m.field.foe_reach[i] >= 0) & (m.field.gap[i] <= m.field.foe_reach[i] + rules["ahead"])
    return use(m, i, CLOAK_ON) if energy >= rules["energy"] and close.any() else None


def discovered(m: Moment, i: int, task: Task) -> Order | None:
    """Away from where a cloaked unit is seen and shot at, unless it is there to fight: who strikes leaves when its raid
    does, and would go to and fro at the edge of a detector's reach otherwise."""
    if task.mode != Mode.FIGHT and m.may(i, CLOAK_OFF) and m.detected[i] and m.threat[i] > 0:
        return common.go(m, i, task.home)
    return None


def ground_worth(m: Moment, i: int, reach: float) -> float:
    """Resources of armed enemies on the ground within `reach` (edge to edge), workers left out."""
    foe, kinds = m.field.foe, m.field.kinds
    worthy = kinds.ground_fighter[foe.kind] & foe.targetable
    return float(kinds.value[foe.kind[worthy & (m.field.gap[i] <= reach)]].sum())


def nearest_point(m: Moment, i: int, which: np.ndarray) -> tuple[float, float]:
    """Place of the nearest of these enemies, bool [m]; there must be one at least."""
    x, y = m.field.foe.xy[int(np.where(which, m.field.gap[i], np.inf).argmin())].tolist()
    return x, y


def towards(m: Moment, i: int, point: tuple[float, float], reach: float) -> tuple[float, float]:
    """The point, or as far towards it as `reach` goes."""
    x, y = m.places[i]
    dx, dy = point[0] - x, point[1] - y
    share = min(reach / max((dx * dx + dy * dy) ** 0.5, 1e-6), 1.0)
    return x + dx * share, y + dy * share
