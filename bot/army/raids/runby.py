"""Run-bys: fast units on the ground past the enemy's army to its workers, and away from whoever comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.army.raids.raid import Moment, Phase, Raid, apart, follow, odds, present, prey, travel
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.task import CLOAK, Mode, Task

RAIDING = CLOAK
"""Any bit makes micro go for workers; on those who cannot cloak this one does nothing else."""


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """There, strike while the fight is a good one, and home."""
    here = present(raid, m, rules, raid.tags)
    if here is None:
        return {}
    rows, place = here
    ratio = odds(rows, place, m, army, rules["look"])
    if raid.phase is Phase.GATHER:
        raid.turn(Phase.TRAVEL, m.loop, f"{rows.size} go for a mineral line")
    if raid.phase is Phase.TRAVEL and apart(place, raid.line) <= rules["arrive"]:
        raid.turn(Phase.STRIKE, m.loop, "at the mineral line")
    if raid.phase is Phase.TRAVEL and raid.lasted(m.loop) > rules["longest"]:
        raid.turn(Phase.LEAVE, m.loop, "there is no way through")
    worker = prey(raid, place, m, rules["prey"]) if raid.phase is Phase.STRIKE else None
    if raid.phase is Phase.STRIKE:
        if worker:
            raid.useful = m.loop
        if ratio < rules["leave"]:
            raid.turn(Phase.LEAVE, m.loop, f"odds of {ratio:.1f}")
        elif (m.loop - raid.useful) / LOOPS_PER_SECOND > rules["patience"]:
            raid.turn(Phase.LEAVE, m.loop, "no workers here")
    goal = raid.line if raid.phase is Phase.TRAVEL else raid.home
    point = follow(raid, m, place, goal, flying=False)
    if raid.phase is Phase.STRIKE:
        return dict.fromkeys(raid.tags, Task(Mode.FIGHT, worker or raid.line, point, place, RAIDING))
    return travel(raid.tags, point)
