"""Who answers which threat, and whether they meet it now, gather first, or keep out of its way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.army import missions, predict
from bot.army.squad import middle
from bot.micro.task import Mode, Task

if TYPE_CHECKING:
    from bot.knowledge.model import Threat
    from bot.micro.battlefield import Battlefield

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows sent against one threat, and how that fight is predicted to go with all of them there."""

    threat: Threat
    rows: np.ndarray
    ratio: float
    foe: predict.Force


def answers(threats: Sequence[Threat], free: np.ndarray, field: Battlefield, config: Mapping[str, Any]) -> list[Answer]:
    """One answer per threat, the greatest threat first; `free` int [k] are the rows that may be sent.

    Every threat gets as many as win clearly; who is left then joins them, for few are lost where many fight: at odds of
    1.5 a quarter of them, at 3 a twentieth. Units that cannot hit anyone of the threat are not sent, except healers.
    """
    rows = {tag: row for row, tag in enumerate(field.foe.tags)} if threats else {}
    result: list[Answer] = []
    left = free
    for threat in threats:
        foe = _force([rows[tag] for tag in threat.tags if tag in rows], field)
        result.append(_more(Answer(threat, free[:0], 0.0, foe), left, field, config, "ratio"))
        left = np.setdiff1d(left, result[-1].rows)
    for number, answer in enumerate(result):
        result[number] = _more(answer, left, field, config, "overwhelm")
        left = np.setdiff1d(left, result[number].rows)
    return result


def goes(answer: Answer, rules: Mapping[str, float]) -> bool:
    """Whether the defenders meet the threat rather than wait for it behind a bunker. `rules`: the table `defend`."""
    return answer.ratio >= rules["stand" if _inside(answer, rules) else "meet"]


class Defenders:
    """Remembers at which bases a fight is on."""

    def __init__(self) -> None:
        self._fighting: set[Point] = set()

    def forget(self, threats: Sequence[Threat]) -> None:
        """Fights end with their threat."""
        self._fighting &= {_base(threat) for threat in threats}

    def tasks(
        self, answer: Answer, refuges: Sequence[Point], field: Battlefield, config: Mapping[str, Any]
    ) -> dict[int, Task]:
        """Together against the threat where those who stand together would win, else to each other first.

        `refuges` are places to keep away to; without any they fight whatever the odds.
        """
        rules, base = config["defend"], _base(answer.threat)
        centre = middle(field, answer.rows)
        if centre is None:
            return {}
        body = answer.rows[_apart(field, answer.rows, centre) <= config["engage"]["near"]]
        ratio = predict.ratio(
            predict.own_force(field, body, config["predict"]), answer.foe, field.kinds, config["predict"]
        )
        all_here = body.size >= rules["whole"] * answer.rows.size and _inside(answer, rules)
        if not refuges or ratio >= rules["stand" if base in self._fighting or all_here else "meet"]:
            self._fighting.add(base)
            return self._meet(answer, centre, field, config)
        self._fighting.discard(base)
        return self._gather(answer, centre, refuges, field, config)

    @staticmethod
    def _meet(answer: Answer, centre: Point, field: Battlefield, config: Mapping[str, Any]) -> dict[int, Task]:
        """All go; who is far ahead of the others but not in the fight yet waits for them."""
        threat, base = answer.threat.position, answer.threat.base
        apart = _apart(field, answer.rows, threat)
        ahead = float(np.hypot(centre[0] - threat[0], centre[1] - threat[1])) - apart > config["squad"]["cohesion"]
        waits = ahead & (apart > config["engage"]["look"])
        tags = [field.own.tags[row] for row in answer.rows.tolist()]
        tasks = missions.defend(tags, threat, base, centre, config["defend"]["leash"])
        wait = Task(Mode.FIGHT, centre, _base(answer.threat), centre)
        return tasks | {tag: wait for tag, waiting in zip(tags, waits.tolist(), strict=True) if waiting}

    @staticmethod
    def _gather(
        answer: Answer, centre: Point, refuges: Sequence[Point], field: Battlefield, config: Mapping[str, Any]
    ) -> dict[int, Task]:
        """To the middle of them all, out of the threat's reach; who would have to pass the threat keeps away."""
        threat, clear = answer.threat.position, config["engage"]["look"]
        meeting = centre
        if np.hypot(centre[0] - threat[0], centre[1] - threat[1]) <= clear:
            meeting = _refuge(centre, threat, refuges)
        tasks = {}
        for row in answer.rows.tolist():
            x, y = field.own.xy[row].tolist()
            goal = meeting if _passes((x, y), meeting, threat) > clear / 2 else _refuge((x, y), threat, refuges)
            tasks[field.own.tags[row]] = Task(Mode.RETREAT, goal, goal, centre)
        return tasks


def _refuge(place: Point, threat: Sequence[float], refuges: Sequence[Point]) -> Point:
    """The place that leads furthest away from the threat."""
    return max(
        refuges,
        key=lambda p: float(np.hypot(p[0] - threat[0], p[1] - threat[1]) - np.hypot(p[0] - place[0], p[1] - place[1])),
    )


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
        own = predict.own_force(field, order[:count], config["predict"])
        ratio = predict.ratio(own, answer.foe, field.kinds, config["predict"])
    return Answer(answer.threat, order[:count], ratio, answer.foe)
