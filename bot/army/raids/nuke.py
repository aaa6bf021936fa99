"""Nukes: a Ghost walks under cloak to where it can see a base, calls the missile down, and leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.army.raids import infiltrate
from bot.army.raids.raid import Moment, Phase, Raid, aiming, apart, follow, has_missile, present, travel
from bot.micro.task import CLOAK, NUKE, Mode, Task


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """Close, still, and home. What exactly is struck is micro's choice among what the Ghost sees."""
    here = present(raid, m, rules, raid.tags)
    if here is None:
        return {}
    rows, place = here
    aims = aiming(rows, m)
    if raid.phase is Phase.GATHER:
        raid.turn(Phase.TRAVEL, m.loop, "a Ghost goes for a base")
    if raid.phase in (Phase.TRAVEL, Phase.STRIKE) and not aims:
        reason = infiltrate.must_leave(raid, rows, m, rules)
        if reason:
            raid.turn(Phase.LEAVE, m.loop, reason)
    if raid.phase is Phase.TRAVEL and apart(place, raid.line) <= rules["range"]:
        raid.turn(Phase.STRIKE, m.loop, "in range of the base")
    if raid.phase is Phase.TRAVEL and raid.lasted(m.loop) > rules["longest"]:
        raid.turn(Phase.LEAVE, m.loop, "there is no way through")
    if raid.phase is Phase.STRIKE:
        if aims:
            raid.useful = m.loop
        elif raid.useful > raid.since and not has_missile(m):  # not just called off
            raid.turn(Phase.LEAVE, m.loop, "the missile is down")
        elif raid.lasted(m.loop) > rules["patience"]:
            raid.turn(Phase.LEAVE, m.loop, "nothing here is worth a missile")
    goal = raid.line if raid.phase is Phase.TRAVEL else raid.home
    point = follow(raid, m, place, goal, flying=False, cloaked=True)
    if raid.phase is Phase.STRIKE:
        return dict.fromkeys(raid.tags, Task(Mode.HOLD, place, point, place, CLOAK | NUKE))
    return travel(raid.tags, point, CLOAK)
