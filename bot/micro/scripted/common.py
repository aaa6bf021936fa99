"""The links of every unit's chain: `retreat or dodge or fight or move`. Each gives an order, or None to pass on."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bot.micro.fire import NONE
from bot.micro.moment import Moment
from bot.micro.task import Mode, Point, Task
from bot.orders import Attack, Move, Order

ARRIVED = 2.0
"""A unit this close to its point is there: closer, units only push each other about."""
LEASH = 9.0
"""A unit that holds a point does not pursue further from it than this (cells)."""


def chain(m: Moment, i: int, task: Task) -> Order | None:
    """What a unit without rules of its own does."""
    return retreat(m, i, task) or dodge(m, i) or fight(m, i, task) or move(m, i, task)


def retreat(m: Moment, i: int, task: Task) -> Order | None:
    """Home if the mission says so or the unit is worth saving; who cannot get away shoots."""
    if task.mode is not Mode.RETREAT and not m.hurt[i]:
        return None
    if m.ready[i] and m.target[i] != NONE and (m.caught[i] or m.threat[i] == 0):
        return shoot(m, i)
    return go(m, i, task.home)


def dodge(m: Moment, i: int) -> Order | None:
    """Out of harmful effects at once; off banelings whenever the weapon is not about to kill one."""
    if m.escapes[i]:
        return step(m, i, m.escape[i])
    if m.spreads[i] and not (m.ready[i] and m.target[i] != NONE):
        return step(m, i, m.spread[i])
    return None


def fight(m: Moment, i: int, task: Task) -> Order | None:
    """Stutter step: shoot when ready; between shots step back from who we outrange; close in on who is out of range."""
    if not m.ready[i] and m.outrun[i]:
        return step(m, i, m.back[i])
    if m.target[i] != NONE:
        return shoot(m, i)
    if m.nearest[i] != NONE and may_pursue(m, i, task):
        return Attack(m.tags[i], m.foe_tags[m.nearest[i]])
    return None


def may_pursue(m: Moment, i: int, task: Task) -> bool:
    """Whether following an enemy fits the task: a unit that holds a point stays about it, and lets them come where
    sieged tanks reach further than anyone."""
    return task.mode is Mode.FIGHT or (not m.dug_in and apart(m, i, task.point) <= LEASH)


def move(m: Moment, i: int, task: Task) -> Order | None:
    """On to the task's point, fighting what the game finds on the way; unarmed units stay behind the fighters."""
    if not m.armed[i]:
        return follow(m, i, task)
    if apart(m, i, task.point) <= ARRIVED:
        return None
    return Attack(m.tags[i], task.point)


def follow(m: Moment, i: int, task: Task, behind: float = 0.0) -> Order | None:
    """With the squad's middle, so far behind it as seen from where the squad is going; without fighters on the ground
    to its own point."""
    if not m.led and m.armed[i] and not m.field.kinds.worker[m.field.own.kind[i]]:
        return None if apart(m, i, task.point) <= ARRIVED else Attack(m.tags[i], task.point)
    x, y = task.middle
    dx, dy = task.home[0] - x, task.home[1] - y
    length = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    share = min(behind / length, 1.0)
    return go(m, i, (x + dx * share, y + dy * share))


def shoot(m: Moment, i: int) -> Order:
    """At the target which the group's fire plan gave it."""
    return Attack(m.tags[i], m.foe_tags[m.target[i]])


def go(m: Moment, i: int, point: Point) -> Order | None:
    """To a point without fighting; nothing where it is there already."""
    if apart(m, i, point) <= ARRIVED:
        return None
    return Move(m.tags[i], (float(point[0]), float(point[1])))


def step(m: Moment, i: int, point: Sequence[float]) -> Order:
    """A short move to a point that was computed for this unit."""
    return Move(m.tags[i], (point[0], point[1]))


def apart(m: Moment, i: int, point: Point) -> float:
    """Distance in cells between a unit's centre and a point."""
    x, y = m.places[i]
    return math.hypot(x - point[0], y - point[1])
