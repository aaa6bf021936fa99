"""SCV beside the army: mends machines, the worst first, a few to each; fights only where it is caught."""

from __future__ import annotations

import numpy as np

from bot.micro.fire import NONE
from bot.micro.moment import Moment
from bot.micro.scripted import cast, common
from bot.micro.skills import VERB
from bot.micro.task import Mode, Task
from bot.orders import Order

MEND = VERB["MEND"]


def act(m: Moment, i: int, task: Task) -> list[Order]:
    """dodge | repair | defend itself | follow."""
    order = common.dodge(m, i) or (None if task.mode is Mode.RETREAT else repair(m, i))
    if order is None and m.caught[i] and m.target[i] != NONE:
        order = common.shoot(m, i)
    order = order or common.follow(m, i, task, m.config["scv"]["behind"])
    return [order] if order else []


def repair(m: Moment, i: int) -> Order | None:
    """The patient that is worst off and has too few SCVs nearer to it than this one."""
    if not m.may(i, MEND):
        return None
    own, rules = m.field.own, m.config["scv"]
    able = np.flatnonzero(m.helped(i, MEND))
    share = own.hp[able] / own.hp_max[able]
    menders = np.array([m.may(k, MEND) and m.kinds[k] == m.kinds[i] for k in range(len(own))])
    for row in able[np.argsort(share, kind="stable")].tolist():
        apart = np.where(menders, np.hypot(*(own.xy - own.xy[row]).T), np.inf)
        apart[row] = np.inf
        if (apart < apart[i]).sum() < rules["each"]:
            return cast.use(m, i, MEND, m.tags[row])
    return None
