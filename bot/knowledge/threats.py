"""Which enemies are near our bases, in groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sc2.position import Point2
from sc2.unit import Unit

from bot.knowledge.facts import Facts
from bot.knowledge.model import Threat


def find_threats(
    enemies: Sequence[Unit], bases: Sequence[Point2], facts: Facts, *, radius: float, cluster: float
) -> tuple[Threat, ...]:
    """Groups of armed enemies (and workers) within `radius` of a base, the most valuable first.

    `bases` are the points to guard (town halls and outlying structures). Units that cannot hurt are left out.
    """
    armed = [unit for unit in enemies if (fact := facts[unit.type_id]).is_fighter or fact.is_worker]
    if not armed or not bases:
        return ()
    places = np.array([unit.position_tuple for unit in armed], dtype=np.float64)
    guarded = np.array([(base[0], base[1]) for base in bases], dtype=np.float64)
    apart = np.hypot(places[:, None, 0] - guarded[None, :, 0], places[:, None, 1] - guarded[None, :, 1])
    nearest = apart.argmin(axis=1)
    left = np.flatnonzero(apart.min(axis=1) <= radius)
    threats = []
    while left.size:
        seed = left[apart[left, nearest[left]].argmin()]
        close = np.hypot(*(places[left] - places[seed]).T) <= cluster
        members = left[close]
        left = left[~close]
        base = guarded[nearest[seed]]
        threats.append(_threat([armed[i] for i in members], places[members], base, facts))
    return tuple(sorted(threats, key=lambda threat: -threat.value))


def _threat(units: Sequence[Unit], places: np.ndarray, base: np.ndarray, facts: Facts) -> Threat:
    ground = air = 0.0
    workers = 0
    for unit in units:
        fact = facts[unit.type_id]
        workers += fact.is_worker
        if unit.is_flying:
            air += fact.cost.value
        else:
            ground += fact.cost.value
    # The member nearest to the middle stands for the group: the middle itself may lie behind a cliff.
    middle = places.mean(axis=0)
    front = places[np.hypot(*(places - middle).T).argmin()]
    return Threat(
        position=Point2((float(front[0]), float(front[1]))),
        base=Point2((float(base[0]), float(base[1]))),
        tags=frozenset(unit.tag for unit in units),
        ground_value=ground,
        air_value=air,
        workers=workers,
    )
