"""Who answers which threat: the nearest units, as many as win clearly, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bot.army import predict

if TYPE_CHECKING:
    from bot.knowledge.model import Threat
    from bot.micro.battlefield import Battlefield


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows sent against one threat, and how that fight is predicted to go."""

    threat: Threat
    rows: np.ndarray
    ratio: float


def answers(threats: Sequence[Threat], free: np.ndarray, field: Battlefield, config: Mapping[str, Any]) -> list[Answer]:
    """One answer per threat, the greatest threat first; `free` int [k] are the rows that may be sent.

    Units that cannot hit anyone of the threat are not sent, except healers and others without a weapon.
    """
    result = []
    left = free
    rows = {tag: row for row, tag in enumerate(field.foe.tags)} if threats else {}
    for threat in threats:
        foe = _force([rows[tag] for tag in threat.tags if tag in rows], field)
        useful = left[_helps(field, left, foe)]
        apart = np.hypot(*(field.own.xy[useful] - np.array(threat.position, np.float32)).T) if useful.size else useful
        order = useful[np.argsort(apart, kind="stable")]
        count, ratio = _enough(order, foe, field, config)
        sent = order[:count]
        left = np.setdiff1d(left, sent)
        result.append(Answer(threat, sent, ratio))
    return result


def goes(answer: Answer, rules: Mapping[str, float]) -> bool:
    """Whether the defenders meet the threat rather than wait for it behind a bunker. `rules`: the table `defend`."""
    inside = answer.threat.position.distance_to(answer.threat.base) <= rules["inside"]
    return answer.ratio >= rules["stand" if inside else "meet"]


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


def _enough(order: np.ndarray, foe: predict.Force, field: Battlefield, config: Mapping[str, Any]) -> tuple[int, float]:
    """(how many of the nearest are needed, predicted ratio): doubles the group until it is strong enough."""
    wanted, count, ratio = max(2, len(foe) // 3), 0, 0.0
    while count < order.size:
        count = min(wanted, order.size)
        wanted *= 2
        ratio = predict.ratio(
            predict.own_force(field, order[:count], config["predict"]), foe, field.kinds, config["predict"]
        )
        if ratio >= config["defend"]["ratio"]:
            break
    return count, ratio
