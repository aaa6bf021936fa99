"""Infiltration: Banshees along the map's edge to a mineral line, under cloak where needed, out when discovered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.army.raids.raid import (
    Moment,
    Phase,
    Raid,
    apart,
    follow,
    present,
    pressure,
    prey,
    seen_through,
    travel,
)
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.scene import ALLIED_CLOAK
from bot.micro.task import CLOAK, Mode, Task


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """There, strike, and home. All go together; the weakest one decides when it is time to leave."""
    here = present(raid, m, rules, raid.tags)
    if here is None:
        return {}
    rows, place = here
    reason = must_leave(raid, rows, m, rules)
    if raid.phase is Phase.GATHER:
        raid.turn(Phase.TRAVEL, m.loop, f"{rows.size} go for a mineral line")
    if raid.phase in (Phase.TRAVEL, Phase.STRIKE) and reason:
        raid.turn(Phase.LEAVE, m.loop, reason)
    if raid.phase is Phase.TRAVEL and apart(place, raid.line) <= rules["arrive"]:
        raid.turn(Phase.STRIKE, m.loop, "at the mineral line")
    worker = prey(raid, place, m, rules["prey"]) if raid.phase is Phase.STRIKE else None
    if raid.phase is Phase.STRIKE:
        if worker:
            raid.useful = m.loop
        elif (m.loop - raid.useful) / LOOPS_PER_SECOND > rules["patience"]:
            raid.turn(Phase.LEAVE, m.loop, "no workers here")
    hidden = bool((m.field.own.energy[rows] >= rules["energy_way"]).all())
    if raid.phase is Phase.STRIKE:
        out = follow(raid, m, place, raid.home, flying=True, cloaked=hidden)
        return dict.fromkeys(raid.tags, Task(Mode.FIGHT, worker or raid.line, out, place, CLOAK))
    goal = raid.home if raid.phase is Phase.LEAVE else raid.line
    return travel(raid.tags, follow(raid, m, place, goal, flying=True, cloaked=hidden), CLOAK)


def must_leave(raid: Raid, rows: np.ndarray, m: Moment, rules: Mapping[str, Any]) -> str:
    """Why the raid cannot stay, empty while it can."""
    own = m.field.own
    if (own.hp[rows] / own.hp_max[rows]).min() < rules["life"]:
        return "one is badly hurt"
    cloaked = own.cloak[rows] == ALLIED_CLOAK
    if cloaked.any() and own.energy[rows][cloaked].min() < rules["energy_low"]:
        return "the energy for cloak runs out"
    fire = pressure(rows, m, rules["margin"])
    if fire <= 0.0:
        return ""
    discovered = seen_through(raid, rows, m)
    hides = cloaked | (own.energy[rows] >= rules["energy_cloak"])
    if not discovered and hides.all():
        return ""
    if fire * rules["seconds"] < own.hp[rows].sum() * rules["worth"]:
        return ""  # so few shoot that the raid pays all the same
    return "discovered" if discovered and cloaked.any() else "too much fire"
