"""Battlecruisers jump to a mineral line that little defends, and come home to be repaired."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.army.raids.raid import Moment, Phase, Point, Raid, aiming, odds, present, travel
from bot.micro.task import JUMP, Mode, Task


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """Together, in, strike, and out. Each ship jumps home by itself before it is too late: that is micro's."""
    here = present(raid, m, rules, raid.tags)
    if here is None:
        return {}
    rows, _ = here
    there = rows[_near(rows, m, raid.line, rules["arrive"])]
    _turn(raid, m, rules, army, rows, there)
    if raid.phase is Phase.DONE:
        return {}
    if raid.phase is Phase.GATHER:
        rally = (m.plan.rally[0], m.plan.rally[1])
        return dict.fromkeys(raid.tags, Task(Mode.HOLD, rally, raid.home, rally))
    if raid.phase is Phase.LEAVE:
        return travel(raid.tags, raid.home)
    allows = JUMP if raid.phase is Phase.TRAVEL else 0
    tasks = dict.fromkeys(raid.tags, Task(Mode.FIGHT, raid.line, raid.home, raid.line, allows))
    if raid.phase is Phase.STRIKE:  # who has jumped home already waits there for the others
        gone = raid.tags - {m.field.own.tags[row] for row in there.tolist()}
        tasks |= dict.fromkeys(gone, Task(Mode.HOLD, raid.home, raid.home, raid.home))
    return tasks


def _turn(
    raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any], rows: np.ndarray, there: np.ndarray
) -> None:
    """The next phase, where it is time for it; `there` are those of the rows that are at the line."""
    if raid.phase is Phase.GATHER:
        if _near(rows, m, m.plan.rally, rules["together"]).all():
            raid.turn(Phase.TRAVEL, m.loop, f"{rows.size} ships jump to a mineral line")
        elif raid.lasted(m.loop) > rules["longest"]:
            raid.turn(Phase.DONE, m.loop, "they do not come together")
    elif raid.phase is Phase.TRAVEL and not aiming(rows, m):
        if there.size:
            raid.turn(Phase.STRIKE, m.loop, f"{there.size} ships are there")
        elif raid.lasted(m.loop) > rules["jump"]:
            raid.turn(Phase.DONE, m.loop, "they cannot jump now")
    elif raid.phase is Phase.STRIKE:
        ratio = odds(there, raid.line, m, army, rules["look"])
        if not there.size:
            raid.turn(Phase.LEAVE, m.loop, "all have jumped home")
        elif ratio < rules["leave"]:
            raid.turn(Phase.LEAVE, m.loop, f"odds of {ratio:.1f}")
        elif raid.lasted(m.loop) > rules["stay"]:
            raid.turn(Phase.LEAVE, m.loop, "the work is done")


def _near(rows: np.ndarray, m: Moment, point: Point, reach: float) -> np.ndarray:
    """bool [k]: who of these rows is so near to a point."""
    return np.hypot(*(m.field.own.xy[rows] - np.array(point, np.float32)).T) <= reach
