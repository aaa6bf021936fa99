"""Hellion: fast and outranging what it is good against, so the common stutter step is nearly all; no brawls.

Where it cannot get away, or stands guard among others, it fights as a Hellbat, and drives on as a Hellion.
"""

from __future__ import annotations

import numpy as np

from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Mode, Task
from bot.orders import Order

TO_HELLBAT, TO_HELLION = VERB["SIEGE"], VERB["UNSIEGE"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """retreat | dodge | become a Hellbat | fight | move."""
    order = common.retreat(m, i, task) or common.dodge(m, i) or stand(m, i, task)
    order = order or common.fight(m, i, task) or common.move(m, i, task)
    return [order] if order else []


def act_hellbat(m: Moment, i: int, task: Task) -> list[Order]:
    """drive again | retreat | dodge | fight | move."""
    order = drive(m, i, task) or common.chain(m, i, task)
    return [order] if order else []


def stand(m: Moment, i: int, task: Task) -> Order | None:
    """A Hellbat where many come close who are faster, or where it holds a place."""
    rules = m.config["hellbat"]
    wanted = (m.caught[i] or task.mode is Mode.HOLD) and brawlers(m, i, rules["near"]) >= rules["crowd"]
    return cast.use(m, i, TO_HELLBAT) if wanted else None


def drive(m: Moment, i: int, task: Task) -> Order | None:
    """A Hellion again on long ways without enemies, and to run."""
    rules = m.config["hellbat"]
    if brawlers(m, i, rules["calm"]) or common.apart(m, i, task.point) < rules["far"]:
        return None
    return cast.use(m, i, TO_HELLION)


def brawlers(m: Moment, i: int, reach: float) -> int:
    """Enemies on the ground within `reach` that must come close to hit."""
    foe, kinds = m.field.foe, m.field.kinds
    close = kinds.armed[foe.kind] & ~foe.flying & (kinds.range[foe.kind] <= m.config["hellbat"]["melee"])
    return int(np.sum(close & (m.field.gap[i] <= reach)))
