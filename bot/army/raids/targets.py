"""Which of the enemy's bases a raid goes for: far from what shoots there, and not where one has just been."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.ndimage import binary_erosion

from bot.army.raids.raid import Moment, apart
from bot.knowledge.model import LOOPS_PER_SECOND

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge

Point = tuple[float, float]
SAME = 6.0
LEVEL = 0.75
"""Ground whose height differs by less (cells) is one level."""


def bases(knowledge: Knowledge) -> list[Point]:
    """Places of the enemy's town halls: those remembered, else where it must have begun."""
    known = [(p[0], p[1]) for p in knowledge.enemy.bases]
    start = knowledge.enemy.start
    if start is not None and not any(apart(p, start) < SAME for p in known) and not knowledge.is_visible(start):
        known.append((start[0], start[1]))
    return known


def mineral_line(base: Point, knowledge: Knowledge, beyond: float) -> Point:
    """A point of the base's mineral line, so far beyond its middle as seen from the town hall (negative: before it)."""
    site = knowledge.terrain.site_at(base)
    if site is None or not site.minerals:
        return base
    x, y = site.mineral_centre
    dx, dy = x - base[0], y - base[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    share = (length + beyond) / length
    place = knowledge.terrain.clamp((base[0] + dx * share, base[1] + dy * share), 2.0)
    return place[0], place[1]


def landing(base: Point, knowledge: Knowledge, rules: Mapping[str, Any]) -> Point:
    """Open ground on the base's level beside its mineral line, clear of the town hall, of known structures and of the
    fields themselves (on the grid of walkable ground they are open)."""
    terrain = knowledge.terrain
    line = mineral_line(base, knowledge, 0.0)
    far = int(rules["landing_far"]) + 1
    x0, y0 = max(int(base[0]) - far, 0), max(int(base[1]) - far, 0)
    window = np.s_[y0 : int(base[1]) + far, x0 : int(base[0]) + far]
    open_ = binary_erosion(terrain.walkable[window], iterations=2)
    level = terrain.height[int(base[1]), int(base[0])]
    ys, xs = np.nonzero(open_ & (np.abs(terrain.height[window] - level) < LEVEL))
    spots = np.stack((xs + x0 + 0.5, ys + y0 + 0.5), axis=1)
    away = np.hypot(*(spots - base).T)
    spots = spots[(away >= rules["landing_near"]) & (away <= rules["landing_far"])]
    site = terrain.site_at(base)
    fields = (*site.minerals, *site.geysers) if site is not None else ()
    structures = [s.position for s in knowledge.enemy.memory.values() if s.is_structure]
    for places, clear in ((structures, rules["landing_clear"]), (fields, rules["landing_fields"])):
        for place in places:
            spots = spots[np.hypot(*(spots - np.array(place)).T) > clear]
    if not len(spots):
        return line
    x, y = spots[np.hypot(*(spots - line).T).argmin()].tolist()
    return x, y


def choose(m: Moment, raided: Mapping[Point, int], kind: Mapping[str, Any]) -> tuple[Point, Point] | None:
    """(town hall, point at its mineral line) with the best prospects, None where all are hopeless.

    `raided` says in which loop the last raid on a town hall ended; `kind` is the raid's table.
    """
    rules, flying, cloaked = m.config["targets"], kind["flying"], kind.get("cloaked", False)
    cell = m.config["route"]["cell"]
    known = m.danger(cell)
    best: tuple[float, Point, Point] | None = None
    for base in bases(m.knowledge):
        line = (
            landing(base, m.knowledge, rules) if kind.get("lands") else mineral_line(base, m.knowledge, kind["beyond"])
        )
        fire = known.at(known.air if flying else known.ground, line)
        hidden = cloaked and not known.at(known.detected, line)
        if fire > rules["fire"] and not hidden:
            continue
        last = raided.get(base, -(10**6))
        if (m.loop - last) / LOOPS_PER_SECOND < rules["again"]:
            continue
        army = _fighters(line, m)
        if army > rules["army"] and not hidden:
            continue
        score = fire * (0.2 if hidden else 1.0) + 0.1 * army + rules["way"] * apart(base, m.plan.rally)
        if best is None or score < best[0]:
            best = score, base, line
    return best[1:] if best else None


def _fighters(place: Point, m: Moment) -> float:
    """Resources of enemy fighters seen lately near a place."""
    knowledge, rules = m.knowledge, m.config["targets"]
    oldest = m.loop - rules["memory"] * LOOPS_PER_SECOND
    return float(
        sum(
            knowledge.facts[s.type_id].cost.value
            for s in knowledge.enemy.memory.values()
            if not s.is_structure
            and s.loop >= oldest
            and knowledge.facts[s.type_id].is_fighter
            and apart((s.position[0], s.position[1]), place) <= rules["radius"]
        )
    )
