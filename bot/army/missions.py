"""Missions turn a group and a purpose into one task a unit. Plain functions; who is in which group is `step.py`'s."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.army.squad import Squad, middle, rows_of
from bot.micro.task import DROP, Mode, Task

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge
    from bot.micro.battlefield import Battlefield

Point = tuple[float, float]
FLYER_PENALTY = 1000.0
"""Added to the distance of places that walkers reach too, so that flyers first take what only they can reach."""
IN_RANGE = 4
"""Cells that foot soldiers shoot over to what nobody can walk to."""
NEAR_START = 25.0
"""Targets this close to the enemy's start are reached along the known paths to it."""


def hold(tags: Iterable[int], point: Point) -> dict[int, Task]:
    """Everyone stays about the point."""
    task = Task(Mode.HOLD, point, point, point)
    return dict.fromkeys(tags, task)


def retreat(squad: Squad, home: Point) -> dict[int, Task]:
    """Everyone goes home, shooting only where that costs nothing."""
    return dict.fromkeys(squad.tags, Task(Mode.RETREAT, home, home, home))


def defend(tags: Iterable[int], threat: Point, base: Point, centre: Point, leash: float) -> dict[int, Task]:
    """The group meets the threat, but does not follow it across the map."""
    dx, dy = threat[0] - base[0], threat[1] - base[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    share = min(leash / length, 1.0)
    point = (base[0] + dx * share, base[1] + dy * share)
    return dict.fromkeys(tags, Task(Mode.FIGHT, point, base, centre))


def attack(
    squad: Squad, target: Point, home: Point, knowledge: Knowledge, field: Battlefield, config: Mapping[str, Any]
) -> dict[int, Task]:
    """The squad advances together: whoever is far ahead of its middle waits there for the others."""
    rows = rows_of(squad, field)
    centre = middle(field, rows)
    if centre is None:
        return {}
    ahead = depth(np.array([centre], np.float32), target, knowledge)[0] - depth(field.own.xy[rows], target, knowledge)
    waits = ahead > config["squad"]["cohesion"]
    march = Task(Mode.FIGHT, target, home, centre)
    wait = Task(Mode.FIGHT, centre, home, centre)
    return {field.own.tags[row]: wait if waiting else march for row, waiting in zip(rows, waits, strict=True)}


def depth(points: np.ndarray, target: Point, knowledge: Knowledge) -> np.ndarray:
    """float [k]: how far points [k, 2] are from the target, walking where the way is known, else through the air."""
    straight = np.hypot(points[:, 0] - target[0], points[:, 1] - target[1])
    paths = knowledge.terrain.from_enemy
    if np.hypot(paths.source[0] - target[0], paths.source[1] - target[1]) > NEAR_START:
        return straight
    height, width = paths.distance.shape
    x = np.clip(points[:, 0].astype(int), 0, width - 1)
    y = np.clip(points[:, 1].astype(int), 0, height - 1)
    walk = paths.distance[y, x]
    return np.where(np.isfinite(walk), walk, straight)


def hunt(
    tags: Sequence[int],
    places: Sequence[Point],
    home: Point,
    before: Mapping[int, Point],
    knowledge: Knowledge,
    field: Battlefield,
) -> dict[int, Task]:
    """Spreads the units over the places to look at, one each; a unit keeps its place until that is seen.

    `before` holds the places of the last step. Places that nobody can walk to are for flyers; units without a place
    of their own follow the others.
    """
    unseen = [place for place in places if not knowledge.is_visible(place)] or list(places)
    if not unseen:
        return {}
    rows = {tag: row for row, tag in enumerate(field.own.tags)}
    number = {place: index for index, place in enumerate(unseen)}
    spots = np.array(unseen, np.float32)
    on_ground = np.array([walkable(place, knowledge) for place in unseen], bool)
    taken = np.zeros(len(unseen), bool)
    chosen = {tag: before[tag] for tag in tags if before.get(tag) in number}
    taken[[number[place] for place in chosen.values()]] = True
    for tag in tags:
        if tag in chosen:
            continue
        row = rows[tag]
        flying = bool(field.own.flying[row])
        usable = np.ones(len(unseen), bool) if flying else on_ground
        if not usable.any():
            continue
        free = usable & ~taken
        distance = np.hypot(*(spots - field.own.xy[row]).T) + FLYER_PENALTY * (flying & on_ground)
        best = int(np.where(free if free.any() else usable, distance, np.inf).argmin())
        taken[best] = True
        chosen[tag] = unseen[best]
    return {tag: Task(Mode.FIGHT, place, home, place) for tag, place in chosen.items()}


def set_down(field: Battlefield, busy: Collection[int], rally: Point) -> dict[int, Task]:
    """Transports that no mission needs any more let out whom they carry, where they are or else at the rally point."""
    tasks = {}
    for row in np.flatnonzero((field.own.cargo > 0) & field.own.flying).tolist():
        x, y = field.own.xy[row].tolist()
        point = (x, y) if field.ground.walkable[int(y), int(x)] else rally
        if field.own.tags[row] not in busy:
            tasks[field.own.tags[row]] = Task(Mode.FIGHT, point, rally, point, DROP)
    return tasks


def raze(
    tags: Sequence[int], targets: Sequence[Point], home: Point, knowledge: Knowledge, field: Battlefield, each: int
) -> dict[int, Task]:
    """Sends the nearest `each` units to each of the known targets, armed flyers where nobody can walk to; units that no
    target needs get no task."""
    rows = {tag: row for row, tag in enumerate(field.own.tags)}
    fly = field.own.flying & field.kinds.armed[field.own.kind]
    free = list(tags)
    tasks: dict[int, Task] = {}
    for x, y in targets:
        able = free if near_ways((x, y), knowledge) else [tag for tag in free if fly[rows[tag]]]
        able = sorted(able, key=lambda tag: float(np.hypot(*(field.own.xy[rows[tag]] - np.array((x, y), np.float32)))))
        tasks |= dict.fromkeys(able[:each], Task(Mode.FIGHT, (x, y), home, (x, y)))
        free = [tag for tag in free if tag not in tasks]
    return tasks


def near_ways(place: Point, knowledge: Knowledge) -> bool:
    """Whether one can walk from our start to where the place is in range."""
    x, y = int(place[0]), int(place[1])
    window = np.s_[max(0, y - IN_RANGE) : y + IN_RANGE + 1, max(0, x - IN_RANGE) : x + IN_RANGE + 1]
    return bool(np.isfinite(knowledge.terrain.from_start.distance[window]).any())


def walkable(place: Point, knowledge: Knowledge) -> bool:
    """Whether one can walk there from our start."""
    distance = knowledge.terrain.from_start.distance
    y, x = min(int(place[1]), distance.shape[0] - 1), min(int(place[0]), distance.shape[1] - 1)
    return bool(np.isfinite(distance[y, x]))
