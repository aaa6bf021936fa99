"""Who answers which threat, and whether they meet it now, gather first, or keep out of its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.army import missions, predict
from bot.army.squad import middle
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.task import Mode, Task

if TYPE_CHECKING:
    from bot.knowledge.model import Threat
    from bot.micro.battlefield import Battlefield

Point = tuple[float, float]
NOBODY = 0
MARCH = 4.0
"""Cells beyond the reach of a fight in which those who come to it count as there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows sent against one threat, and how that fight is predicted to go with all of them there."""

    threat: Threat
    rows: np.ndarray
    ratio: float
    foe: predict.Force
    stim: bool = False

    def odds(self, rows: np.ndarray, field: Battlefield, config: Mapping[str, Any]) -> float:
        """How the fight is predicted to go with these rows."""
        own = predict.own_force(field, rows, config["predict"], stim=self.stim)
        return predict.ratio(own, self.foe, field.kinds, config["predict"])


def answers(
    threats: Sequence[Threat], free: np.ndarray, field: Battlefield, config: Mapping[str, Any], *, stim: bool = False
) -> list[Answer]:
    """One answer per threat, the greatest threat first; `free` int [k] are the rows that may be sent, `stim` says that
    Stim is researched.

    Every threat gets as many as win clearly; who is left then joins them, for few are lost where many fight: at odds of
    1.5 a quarter of them, at 3 a twentieth. Units that cannot hit anyone of the threat are not sent, except healers.
    """
    rows = {tag: row for row, tag in enumerate(field.foe.tags)} if threats else {}
    result: list[Answer] = []
    left = free
    for threat in threats:
        foe = _force([rows[tag] for tag in threat.tags if tag in rows], field)
        result.append(_more(Answer(threat, free[:0], 0.0, foe, stim), left, field, config, "ratio"))
        left = np.setdiff1d(left, result[-1].rows)
    for number, answer in enumerate(result):
        result[number] = _more(answer, left, field, config, "overwhelm")
        left = np.setdiff1d(left, result[number].rows)
    return result


def goes(answer: Answer, rules: Mapping[str, float]) -> bool:
    """Whether the defenders meet the threat rather than wait for it behind a bunker. `rules`: the table `defend`."""
    return answer.ratio >= rules["stand" if _inside(answer, rules) else "meet"]


class Defenders:
    """Remembers at which bases a fight is on, and since when there was a threat."""

    def __init__(self) -> None:
        self._fighting: set[Point] = set()
        self._since: dict[Point, int] = {}

    def forget(self, threats: Sequence[Threat]) -> None:
        """Fights end with their threat."""
        bases = {_base(threat) for threat in threats}
        self._fighting &= bases
        self._since = {base: loop for base, loop in self._since.items() if base in bases}

    def tasks(
        self, answer: Answer, refuges: Sequence[Point], loop: int, field: Battlefield, config: Mapping[str, Any]
    ) -> dict[int, Task]:
        """Against the threat where those near it would win; else those who stand together and would win go there, and
        who is there already falls back on them; else all gather first. Where nobody else can come, or none came for a
        while, they stand in their base at worse odds, and fight from wherever they are if all of them would win.

        `refuges` are places to keep away to; without any they fight whatever the odds.
        """
        rules, base = config["defend"], _base(answer.threat)
        centre = middle(field, answer.rows)
        if centre is None:
            return {}
        front = answer.rows[_apart(field, answer.rows, answer.threat.position) <= config["engage"]["look"] + MARCH]
        if not refuges or answer.odds(front, field, config) >= rules["stand" if base in self._fighting else "meet"]:
            self._fighting.add(base)
            return self._meet(answer, centre, field, config)
        self._fighting.discard(base)
        gathering = self._gather(answer, centre, refuges, field, config)
        meeting = gathering.pop(NOBODY).point
        away = _apart(field, answer.rows, centre) > config["engage"]["near"]
        coming = any(gathering[field.own.tags[row]].point == meeting for row in answer.rows[away].tolist())
        waited = (loop - self._since.setdefault(base, loop)) / LOOPS_PER_SECOND > rules["longest_gather"]
        ready = waited or not coming
        enough = rules["stand" if ready and _inside(answer, rules) else "meet"]
        if answer.odds(answer.rows[~away], field, config) < enough and not (ready and answer.ratio >= rules["meet"]):
            return gathering
        tasks = self._meet(answer, centre, field, config)
        if set(front.tolist()) & set(answer.rows[~away].tolist()):
            return tasks
        return tasks | {tag: gathering[tag] for tag in (field.own.tags[row] for row in front.tolist())}

    @staticmethod
    def _meet(answer: Answer, centre: Point, field: Battlefield, config: Mapping[str, Any]) -> dict[int, Task]:
        """All go; who is far ahead of the others but not in the fight yet waits where it is."""
        threat, base = answer.threat.position, answer.threat.base
        tags = [field.own.tags[row] for row in answer.rows.tolist()]
        tasks = missions.defend(tags, threat, base, centre, config["defend"]["leash"])
        apart = _apart(field, answer.rows, threat)
        ahead = float(np.hypot(centre[0] - threat[0], centre[1] - threat[1])) - apart > config["squad"]["cohesion"]
        for row in answer.rows[ahead & (apart > config["engage"]["look"])].tolist():
            x, y = field.own.xy[row].tolist()
            tasks[field.own.tags[row]] = Task(Mode.FIGHT, (x, y), _base(answer.threat), centre)
        return tasks

    @staticmethod
    def _gather(
        answer: Answer, centre: Point, refuges: Sequence[Point], field: Battlefield, config: Mapping[str, Any]
    ) -> dict[int, Task]:
        """To the middle of them all, out of the threat's reach; who would have to pass the threat keeps away. The place
        where they meet stands under NOBODY."""
        threat, clear = answer.threat.position, config["engage"]["look"]
        meeting = centre
        if np.hypot(centre[0] - threat[0], centre[1] - threat[1]) <= clear:
            meeting = _refuge(centre, threat, refuges, clear)
        tasks = {NOBODY: Task(Mode.RETREAT, meeting, meeting, centre)}
        for row in answer.rows.tolist():
            x, y = field.own.xy[row].tolist()
            passes = _passes((x, y), meeting, threat) <= clear / 2
            goal = _refuge((x, y), threat, refuges, clear) if passes else meeting
            tasks[field.own.tags[row]] = Task(Mode.RETREAT, goal, goal, centre)
        return tasks


def _refuge(place: Point, threat: Sequence[float], refuges: Sequence[Point], clear: float) -> Point:
    """The nearest place out of the threat's reach with a way that does not pass it; without any it stays."""
    safe = [p for p in refuges if np.hypot(p[0] - threat[0], p[1] - threat[1]) > clear]
    safe = [p for p in safe if _passes(place, p, threat) > clear / 2]
    return min(safe, key=lambda p: float(np.hypot(p[0] - place[0], p[1] - place[1])), default=place)


def _passes(start: Point, end: Point, point: Sequence[float]) -> float:
    """How near (cells) the straight way comes to a point, its start left out: who is near must be able to leave."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    if not square:
        return float("inf")
    share = min(((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / square, 1.0)
    if share <= 0.0:
        return float("inf")
    return float(np.hypot(start[0] + share * dx - point[0], start[1] + share * dy - point[1]))


def _base(threat: Threat) -> Point:
    return threat.base[0], threat.base[1]


def _inside(answer: Answer, rules: Mapping[str, float]) -> bool:
    return bool(answer.threat.position.distance_to(answer.threat.base) <= rules["inside"])


def _apart(field: Battlefield, rows: np.ndarray, place: Sequence[float]) -> np.ndarray:
    """float [k]: cells between these rows and a place."""
    return np.hypot(*(field.own.xy[rows] - np.array((place[0], place[1]), np.float32)).T)


def _force(rows: Sequence[int], field: Battlefield) -> predict.Force:
    """The threat with its workers: a worker rush is one too. `rows` are rows of enemies."""
    foe = field.foe
    return predict.Force(foe.kind[rows], foe.hp[rows], foe.level[rows])


def _helps(field: Battlefield, rows: np.ndarray, foe: predict.Force) -> np.ndarray:
    """bool [k]: who can hit someone of the threat, or heals."""
    kinds = field.kinds
    if not rows.size or not len(foe):
        return np.zeros(rows.size, bool)
    hits = (kinds.reach[field.own.kind[rows]][:, foe.kind] >= 0).any(axis=1)
    return hits | ~kinds.armed[field.own.kind[rows]]


def _more(answer: Answer, left: np.ndarray, field: Battlefield, config: Mapping[str, Any], goal: str) -> Answer:
    """The answer with the nearest of `left`: the group is doubled until it is as strong as `defend`'s `goal` says."""
    useful = left[_helps(field, left, answer.foe)]
    nearest = useful[np.argsort(_apart(field, useful, answer.threat.position), kind="stable")]
    order = np.concatenate((answer.rows, nearest))
    count, ratio = answer.rows.size, answer.ratio
    wanted = max(2, len(answer.foe) // 3, 2 * count)
    while count < order.size and ratio < config["defend"][goal]:
        count = min(wanted, order.size)
        wanted *= 2
        ratio = answer.odds(order[:count], field, config)
    return replace(answer, rows=order[:count], ratio=ratio)
