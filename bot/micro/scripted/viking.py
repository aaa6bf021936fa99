"""Viking: hunts flyers from its long range, stays with the army without them, lands when only the ground is left."""

from __future__ import annotations

import numpy as np
from sc2.ids.ability_id import AbilityId

from bot.micro.fire import NONE
from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.task import Mode, Task
from bot.orders import Cast, Order

LANDING = 8.0
"""Ground enemies this close (cells) are worth landing for."""


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """In the air: retreat | dodge | fight | land | move."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or common.fight(m, i, task) or land(m, i, task)
    order = order or move(m, i, task)
    return [order] if order else []


def act_landed(m: Moment, i: int, task: Task) -> list[Order]:
    """On the ground: takes off for flyers or to leave, else fights as everyone."""
    if task.mode is Mode.RETREAT or flyers(m) or not near_ground(m, i, m.config["viking"]["stay"]):
        return [Cast(m.tags[i], cast=AbilityId.MORPH_VIKINGFIGHTERMODE)]
    order = common.chain(m, i, task)
    return [order] if order else []


def land(m: Moment, i: int, task: Task) -> Order | None:
    """Lands where nothing flies, and those who land together can finish what is on the ground."""
    if task.mode is not Mode.FIGHT or flyers(m) or not near_ground(m, i) or outgunned(m, i):
        return None
    x, y = m.places[i]
    if not m.ground.walkable[int(y), int(x)]:
        return None
    return Cast(m.tags[i], cast=AbilityId.MORPH_VIKINGASSAULTMODE)


def outgunned(m: Moment, i: int) -> bool:
    """Whether the armed enemies about are worth more than the share of the Vikings here that may be risked."""
    own, kinds = m.field.own, m.field.kinds
    together = np.hypot(*(own.xy - own.xy[i]).T) <= LANDING
    mine = float(kinds.value[own.kind[together & (own.kind == own.kind[i])]].sum())
    return cast.ground_worth(m, i, LANDING) > m.config["viking"]["brave"] * mine


def move(m: Moment, i: int, task: Task) -> Order | None:
    """With the fighters, whom it needs against everything on the ground; alone it goes where it is sent."""
    if m.nearest[i] == NONE and task.middle != task.point:
        return common.follow(m, i, task, m.config["medivac"]["behind"])
    return common.move(m, i, task)


def flyers(m: Moment) -> bool:
    """Whether any enemy is in the air in sight."""
    return bool((m.field.foe.flying & m.field.foe.targetable).any())


def near_ground(m: Moment, i: int, reach: float = LANDING) -> bool:
    """Whether a ground enemy is close."""
    return bool(np.any(~m.field.foe.flying & (m.field.gap[i] <= reach)))
