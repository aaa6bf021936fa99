"""Focus fire without overkill: who shoots at whom, decided once for everyone who is ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.micro.battlefield import Relations
from bot.micro.kinds import Kinds

NONE = -1
OUT = -1.0
"""The score of an enemy that is out of range or dead."""


def worth(kinds: Kinds, config: Mapping[str, Any]) -> np.ndarray:
    """float [K]: what killing one of a kind is worth; the unit is damage a second, prices count where it deals none."""
    price = kinds.value / 10.0
    passive = np.where(kinds.structure, price * config["structure"], price * config["passive"])
    value = np.where(kinds.armed, kinds.power + 1.0, np.maximum(passive, 0.1))
    value = np.where(kinds.worker, value * config["worker"], value)
    value = np.where(kinds.suicide, value * config["suicide"], value)
    return np.where(kinds.healer, value + config["healer"], value).astype(np.float32)


def present(relations: Relations) -> np.ndarray:
    """i8 [b, A]: the enemy's column at which each unit's weapon is at work, NONE for own units and for nobody."""
    aim = relations.own(relations.scene.aim).astype(np.int64)
    column = np.maximum(aim - relations.scene.agents, NONE)
    if relations.whole:  # where only the used part is complete, somebody may aim at who is beyond it and not seen
        return column
    return np.where(relations.here[np.arange(len(aim))[:, None], aim], column, NONE)


def winding(relations: Relations, present: np.ndarray, damage_points: Mapping[str, float]) -> np.ndarray:
    """bool [b, A]: the unit may have begun its attack on its present target: it is ready, reaches it, and does not fire
    at once. Another target would call that shot off; nothing shows it, as the cooldown begins with the shot."""
    kinds, kind = relations.kinds, relations.own_kind
    waits = kinds.noted("damage_point", damage_points, _damage_points)[kind]
    result = (present != NONE) & (relations.own(relations.scene.cooldown) <= 0) & (waits > 1.0)
    battle, agent = np.nonzero(result)
    aim = battle, agent, present[battle, agent]
    result[battle, agent] = relations.gap[aim] <= relations.reach[aim]
    return result


def _damage_points(kinds: Kinds, loops: Mapping[str, float]) -> np.ndarray:
    """float [K]: loops from the beginning of an attack to its shot."""
    names = [kinds.type_of(number).name for number in range(len(kinds.speed))]
    return np.array([loops.get(name, loops["default"]) for name in names], np.float32)


def assign(relations: Relations, shooters: np.ndarray, present: np.ndarray, config: Mapping[str, Any]) -> np.ndarray:
    """Targets of the shooters: i8 [b, A], columns of the enemies, NONE for who shoots not or has nothing in range.

    `shooters` bool [b, A]; `present` i8 [b, A], the enemy each unit aims at now or NONE. Each unit ranks what is in its
    range by worth over the time it takes to kill, and takes the first that the shots promised so far leave alive: so
    the group shoots one enemy after the other and wastes nothing.
    """
    r, kinds = relations, relations.kinds
    targets = np.full(shooters.shape, NONE, np.int64)
    if not r.foe_kind.shape[1]:
        return targets
    in_range = (r.gap <= r.reach + config["slack"]) & (r.reach >= 0)
    choices = in_range.sum(axis=-1)
    shooting = shooters & (choices > 0)
    hp = r.foe_life
    value = kinds.noted("worth", config, worth)[r.foe_kind]
    score = np.where(in_range, np.minimum(r.volley, hp[:, None]) * (value / hp)[:, None], np.float32(OUT))
    battle, agent = np.nonzero(present != NONE)
    score[battle, agent, present[battle, agent]] *= config["keep"]
    # Those with the fewest choices first: the others can still take what remains.
    turns = np.argsort(np.where(shooting, choices, in_range.shape[-1] + 1), axis=1, kind="stable").tolist()
    best = score.argmax(axis=-1)
    rows = np.arange(best.size).reshape(best.shape) * score.shape[-1]
    shots, best, left = r.volley.take(rows + best).tolist(), best.tolist(), hp.tolist()
    for k, count in enumerate(shooting.sum(axis=1).tolist()):
        mine = turns[k][:count]
        targets[k, mine] = _share_out(mine, score[k], r.volley[k], best[k], shots[k], left[k])
    return targets


def _share_out(
    turns: list[int],
    score: np.ndarray,
    volley: np.ndarray,
    best: list[int],
    shots: list[float],
    left: list[float],
) -> list[int]:
    """The targets of one battle's units, in the turns in which they choose: `best` is the highest of each row of
    `score` [A, M], `shots` its part of `volley` [A, M], which is taken off the life `left`."""
    targets, dead = [], set()
    for i in turns:
        target, shot = best[i], shots[i]
        if target in dead:
            other = int(score[i].argmax())
            if score[i, other] >= 0:  # else all that it could shoot at will be dead: it helps with the best
                target, shot = other, float(volley[i, other])
        targets.append(target)
        left[target] -= shot
        if left[target] <= 0 and target not in dead:
            dead.add(target)
            score[:, target] = OUT
    return targets
