"""Battlecruisers jump to a mineral line that little defends, and come home to be repaired."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.army.raids.raid import Moment, Phase, Raid, aiming, odds, present, travel
from bot.micro.task import JUMP, Mode, Task


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """Together, in, strike, and out. Each ship jumps home by itself before it is too late: that is micro's."""
    here = present(raid, m, rules, raid.tags)
    if here is None:
        return {}
    rows, _ = here
    xy = m.field.own.xy[rows]
    there = rows[((xy - raid.line) ** 2).sum(axis=1) <= rules["arrive"] ** 2]
    if raid.phase is Phase.GATHER:
        if ((xy - m.plan.rally) ** 2).sum(axis=1).max() <= rules["together"] ** 2:
            raid.turn(Phase.TRAVEL, m.loop, f"{rows.size} ships jump to a mineral line")
        elif raid.lasted(m.loop) > rules["longest"]:
            raid.turn(Phase.DONE, m.loop, "they do not come together")
    elif raid.phase is Phase.TRAVEL:
        if there.size and not aiming(rows, m):
            raid.turn(Phase.STRIKE, m.loop, f"{there.size} ships are there")
        elif raid.lasted(m.loop) > rules["jump"] and not aiming(rows, m):
            raid.turn(Phase.DONE, m.loop, "they cannot jump now")
    elif raid.phase is Phase.STRIKE:
        ratio = odds(there, raid.line, m, army, rules["look"]) if there.size else 0.0
        if not there.size:
            raid.turn(Phase.LEAVE, m.loop, "all have jumped home")
        elif ratio < rules["leave"]:
            raid.turn(Phase.LEAVE, m.loop, f"odds of {ratio:.1f}")
        elif raid.lasted(m.loop) > rules["stay"]:
            raid.turn(Phase.LEAVE, m.loop, "the work is done")
    if raid.phase is Phase.DONE:
        return {}
    if raid.phase is Phase.GATHER:
        rally = (m.plan.rally[0], m.plan.rally[1])
        return dict.fromkeys(raid.tags, Task(Mode.HOLD, rally, raid.home, rally))
    if raid.phase is Phase.LEAVE:
        return travel(raid.tags, raid.home)
    allows = JUMP if raid.phase is Phase.TRAVEL else 0
    here = set(there.tolist())
    tasks = dict.fromkeys(raid.tags, Task(Mode.FIGHT, raid.line, raid.home, raid.line, allows))
    if raid.phase is Phase.STRIKE:  # who has jumped home already waits there for the others
        gone = [tag for tag in raid.tags if m.rows.get(tag) not in here]
        tasks |= dict.fromkeys(gone, Task(Mode.HOLD, raid.home, raid.home, raid.home))
    return tasks
