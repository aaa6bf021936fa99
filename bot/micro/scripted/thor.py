"""Thor: the common chain; its missiles burst among light flyers, or strike single heavy ones, as the sky demands."""

from __future__ import annotations

from sc2.data import Attribute

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Task
from bot.orders import Order

HIGH_IMPACT, EXPLOSIVE = VERB["SIEGE"], VERB["UNSIEGE"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | change of missiles | fight | move."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or missiles(m, i)
    order = order or common.fight(m, i, task) or common.move(m, i, task)
    return [order] if order else []


def missiles(m: Moment, i: int) -> Order | None:
    """Changing takes almost two seconds: only for clearly more of the other sort near."""
    rules, foe, kinds = m.config["thor"], m.field.foe, m.field.kinds
    near = foe.flying & foe.targetable & (m.field.gap[i] <= rules["near"]) if len(foe) else foe.flying
    if not near.any():
        return None
    value, heavy = kinds.value[foe.kind], kinds.attribute[Attribute.Massive][foe.kind]
    light = kinds.attribute[Attribute.Light][foe.kind]
    one, many = float(value[near & (heavy | ~light)].sum()), float(value[near & light].sum())
    if one > rules["clearly"] * many:
        return cast.use(m, i, HIGH_IMPACT)
    return cast.use(m, i, EXPLOSIVE) if many > rules["clearly"] * one else None
