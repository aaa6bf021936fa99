"""A group of units with one purpose, and its judgement whether to fight here and now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.upgrade_id import UpgradeId

from bot.army import predict
from bot.knowledge.model import LOOPS_PER_SECOND

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge, Sighting
    from bot.micro.battlefield import Battlefield

Point = tuple[float, float]


@dataclass(slots=True)
class Squad:
    """Units by tag; `retreating` lasts until the judgement turns, `since` is the loop of its last turn."""

    tags: set[int] = field(default_factory=set)
    retreating: bool = False
    since: int = -10_000
    ratio: float = predict.CERTAIN_WIN
    """The last predicted outcome, for the log."""


def rows_of(squad: Squad, battlefield: Battlefield) -> np.ndarray:
    """int [k]: rows of the squad's units."""
    return np.array([row for row, tag in enumerate(battlefield.own.tags) if tag in squad.tags], np.int64)


def middle(battlefield: Battlefield, rows: np.ndarray) -> Point | None:
    """The place of the unit in the middle of these rows (None without any): a mean could lie in a cliff. Ground
    fighters count first."""
    if not rows.size:
        return None
    own, kinds = battlefield.own, battlefield.kinds
    fighters = rows[kinds.armed[own.kind[rows]] & ~own.flying[rows]]
    chosen = fighters if fighters.size else rows
    points = own.xy[chosen]
    centre = np.median(points, axis=0)
    nearest = points[np.hypot(*(points - centre).T).argmin()]
    return float(nearest[0]), float(nearest[1])


def judge(squad: Squad, knowledge: Knowledge, battlefield: Battlefield, config: Mapping[str, Any]) -> None:
    """Turns the squad to fight or to retreat by the predicted outcome of the fight it is in or about to be in."""
    rows = rows_of(squad, battlefield)
    centre = middle(battlefield, rows)
    if centre is None:
        return
    engage = config["engage"]
    enemies = contacts(rows, knowledge, battlefield, engage)
    if not enemies:
        squad.ratio = predict.CERTAIN_WIN
        return
    near = np.hypot(*(battlefield.own.xy[rows] - np.array(centre)).T) <= engage["near"]
    own = predict.own_force(battlefield, rows[near], config["predict"], stim=UpgradeId.STIMPACK in knowledge.upgrades)
    foe = predict.seen_force(enemies, battlefield.kinds, knowledge.loop, config["predict"])
    squad.ratio = predict.ratio(own, foe, battlefield.kinds, config["predict"])
    turn(squad, knowledge, engage)


def turn(squad: Squad, knowledge: Knowledge, engage: Mapping[str, Any]) -> None:
    """Applies the thresholds with their gap and their patience."""
    if knowledge.loop - squad.since < engage["patience"] * LOOPS_PER_SECOND:
        return
    if knowledge.supply_used >= engage["desperate"]:
        wanted = False
    elif squad.retreating:
        wanted = squad.ratio < engage["fight"]
    else:
        wanted = squad.ratio < engage["leave"]
    if wanted != squad.retreating:
        squad.retreating = wanted
        squad.since = knowledge.loop


def contacts(
    rows: np.ndarray, knowledge: Knowledge, battlefield: Battlefield, engage: Mapping[str, Any]
) -> list[Sighting]:
    """Enemies that may take part in the fight of these rows: structures, and units seen within `memory` seconds, at
    most `look` cells from one of the rows."""
    oldest = knowledge.loop - engage["memory"] * LOOPS_PER_SECOND
    recent = [s for s in knowledge.enemy.memory.values() if s.is_structure or s.loop >= oldest]
    if not recent or not rows.size:
        return []
    places = np.array([(s.position[0], s.position[1]) for s in recent], np.float32)
    points = battlefield.own.xy[rows]
    apart = np.hypot(places[:, None, 0] - points[None, :, 0], places[:, None, 1] - points[None, :, 1]).min(axis=1)
    return [sighting for sighting, distance in zip(recent, apart.tolist(), strict=True) if distance <= engage["look"]]
