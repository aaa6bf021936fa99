"""Who casts which aimed skill at whom: one assignment over all casters, so that no two spend it on the same enemy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.micro import skills
from bot.micro.battlefield import Battlefield
from bot.micro.scene import ALLIED_CLOAK, CASTING
from bot.micro.skills import SKILLS, TARGET_ROW, VERB

AIMED = tuple(VERB[name] for name in ("NUKE", "SHOT", "BLAST"))
FULL_ENERGY = 0.5
"""A point of energy taken away is worth so many points of shields."""


def assign(
    field: Battlefield,
    verbs: np.ndarray,
    targets: np.ndarray,
    detected: np.ndarray,
    config: Mapping[str, Any],
) -> dict[int, tuple[int, int]]:
    """(verb, enemy) by own row, for those who should cast now.

    `verbs` bool [n, V] is the mask of the own units, `targets` bool [A, T, N] that of the whole battle; `detected` bool
    [n]: an enemy detector covers the unit. `config` is the table `spells` of micro.toml, by ability. The best pair
    first; what it will do to the enemies is taken off before the next.
    """
    left, free = _pending(field, config)
    calm = _calm(field, detected, config["margin"])
    chosen: dict[int, tuple[int, int]] = {}
    wishes = [(i, AIMED[k]) for i, k in np.argwhere(verbs[:, AIMED]).tolist()]
    while wishes:
        best, pick = 0.0, None
        for i, verb in wishes:
            rules = _rules(field, i, verb, config)
            if rules is None or (rules.get("calm") and not calm[i]):
                continue
            legal = targets[field.own.rows[i], TARGET_ROW[verb]][field.foe.rows]
            if "sight" in rules:
                legal = legal & (np.hypot(*(field.foe.xy - field.own.xy[i]).T) <= rules["sight"])
            if not legal.any():
                continue
            score = np.where(legal, _score(field, rules, left, free), 0.0)
            j = int(score.argmax())
            if score[j] >= rules["worth"] and score[j] / rules["worth"] > best:
                best, pick = score[j] / rules["worth"], (i, verb, j, rules)
        if pick is None:
            break
        i, verb, j, rules = pick
        chosen[i] = verb, j
        _spend(field, rules, j, left, free)
        wishes = [wish for wish in wishes if wish[0] != i]
    return chosen


def _calm(field: Battlefield, detected: np.ndarray, margin: float) -> np.ndarray:
    """bool [n]: nobody is about to hit the unit, or nobody can: it is cloaked and not detected."""
    calm = ~((field.foe_reach >= 0) & (field.gap - field.foe_reach <= margin)).any(axis=1)
    return calm | ((field.own.cloak == ALLIED_CLOAK) & ~detected)


def _rules(field: Battlefield, i: int, verb: int, config: Mapping[str, Any]) -> Mapping[str, Any] | None:
    skill = skills.book(field.kinds)[field.own.kind[i], verb]
    return config.get(SKILLS[skill].ability.name) if skill >= 0 else None


def _pending(field: Battlefield, config: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """(life left of each enemy, nobody disables it yet) after the casts that are on their way."""
    left, free = field.foe.hp.astype(np.float64), np.ones(len(field.foe), bool)
    scene, b = field.scene, field.b
    place = {row: j for j, row in enumerate(field.foe.rows.tolist())}
    for i in np.flatnonzero(scene.order[b, field.own.rows] == CASTING).tolist():
        j = place.get(int(scene.order_row[b, field.own.rows[i]]))
        rules = _rules(field, i, VERB["SHOT"], config)
        if j is not None and rules is not None:
            _spend(field, rules, j, left, free)
    return left, free


def _near(field: Battlefield, j: int, radius: float) -> np.ndarray:
    """bool [m]: enemies whose body reaches into a circle about enemy j."""
    foe = field.foe
    return np.hypot(*(foe.xy - foe.xy[j]).T) <= radius + foe.radius


def _score(field: Battlefield, rules: Mapping[str, Any], left: np.ndarray, free: np.ndarray) -> np.ndarray:
    """float [m]: what a cast at each enemy is worth, in resources or points."""
    foe, kinds = field.foe, field.kinds
    price = kinds.value[foe.kind] * np.where(kinds.armed[foe.kind] | (foe.energy > 0), 1.0, rules.get("passive", 0.3))
    if "rings" in rules:
        return _safe(field, rules, _harm(field, rules, price, left, _shares(field, rules)).sum(axis=1))
    if rules["kind"] == "damage":
        each = _harm(field, rules, price, left, 1.0)
    elif rules["kind"] == "drain":
        each = np.minimum(foe.shield, 100.0) + FULL_ENERGY * np.minimum(foe.energy, 100.0)
        each = np.where(free, each, 0.0)
    else:
        each = np.where(free, price, 0.0)
    if not rules.get("radius"):
        return each
    apart = np.hypot(*(foe.xy[:, None, :] - foe.xy[None, :, :]).transpose(2, 0, 1))
    return ((apart <= rules["radius"] + foe.radius[None, :]) * each[None, :]).sum(axis=1)


def _harm(
    field: Battlefield, rules: Mapping[str, Any], price: np.ndarray, left: np.ndarray, share: np.ndarray | float
) -> np.ndarray:
    """Resources that a share of the damage takes from each enemy."""
    foe = field.foe
    full = np.where(field.kinds.structure[foe.kind], rules.get("structures", rules["damage"]), rules["damage"])
    hit = np.minimum(full * share, np.maximum(left, 0.0))
    each = price * hit / foe.hp_max * np.where(hit >= left, 1.0, rules.get("wound", 1.0))
    return np.where(left >= rules.get("least_life", 0.0), each, 0.0)


def _shares(field: Battlefield, rules: Mapping[str, Any]) -> np.ndarray:
    """float [m, m]: the share of the damage at each enemy (columns) of a blast at each (rows)."""
    foe = field.foe
    gap = np.hypot(*(foe.xy[:, None, :] - foe.xy[None, :, :]).transpose(2, 0, 1)) - foe.radius[None, :]
    share = np.zeros(gap.shape)
    for radius, part in sorted(rules["rings"], reverse=True):
        share[gap <= radius] = part
    return share


def _safe(field: Battlefield, rules: Mapping[str, Any], score: np.ndarray) -> np.ndarray:
    """The score, nothing where the blast would reach one of ours."""
    friends = np.hypot(*(field.foe.xy[:, None, :] - field.own.xy[None, :, :]).transpose(2, 0, 1))
    return np.where((friends <= max(rules["rings"])[0] + rules["safety"]).any(axis=1), 0.0, score)


def _spend(field: Battlefield, rules: Mapping[str, Any], j: int, left: np.ndarray, free: np.ndarray) -> None:
    """Takes off what the cast at enemy j will do."""
    if "rings" in rules:
        left -= rules["damage"] * _shares(field, rules)[j]
        return
    hit = _near(field, j, rules["radius"]) if rules.get("radius") else np.arange(len(left)) == j
    if rules["kind"] == "damage":
        left[hit] -= rules["damage"]
    else:
        free[hit] = False
