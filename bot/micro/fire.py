"""Focus fire without overkill: who shoots at whom, decided once for everyone who is ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.micro.battlefield import STIM_SPEED, Battlefield

NONE = -1


def worth(field: Battlefield, config: Mapping[str, Any], healers: np.ndarray) -> np.ndarray:
    """float [m]: what killing each enemy is worth; the unit is damage a second, prices count where it deals none."""
    kinds, kind = field.kinds, field.foe.kind
    price = kinds.value[kind] / 10.0
    passive = np.where(kinds.structure[kind], price * config["structure"], price * config["passive"])
    value = np.where(kinds.armed[kind], kinds.power[kind] + 1.0, np.maximum(passive, 0.1))
    value = np.where(kinds.worker[kind], value * config["worker"], value)
    value = np.where(kinds.suicide[kind], value * config["suicide"], value)
    return np.where(healers[kind], value + config["healer"], value).astype(np.float32)


def winding(field: Battlefield, present: np.ndarray, damage_points: Mapping[str, float]) -> np.ndarray:
    """bool [n]: the unit's attack on its present target has begun and its shot is not out yet.

    The cooldown counts from the beginning of the attack, so it is still nearly the weapon's whole period.
    """
    own, kinds = field.own, field.kinds
    aiming = np.flatnonzero((present != NONE) & (own.cooldown > 0))
    result = np.zeros(len(own), bool)
    for i in aiming.tolist():
        period = kinds.period[own.kind[i], field.foe.kind[present[i]]] / (STIM_SPEED if own.stimmed[i] else 1.0)
        wait = damage_points.get(kinds.type_of(own.kind[i]).name, damage_points["default"])
        result[i] = wait > 1.0 and own.cooldown[i] > period - wait
    return result


def assign(
    field: Battlefield, shooters: np.ndarray, present: np.ndarray, value: np.ndarray, config: Mapping[str, Any]
) -> np.ndarray:
    """Targets of the shooters: int [n], NONE for who shoots not or has nothing in range.

    `shooters` bool [n]; `present` int [n], the enemy each unit aims at now or NONE; `value` float [m]. Each unit takes
    what is in its range and worth most for the time it takes to kill, with the damage already promised taken off.
    """
    targets = np.full(len(field.own), NONE, np.int64)
    if not len(field.foe):
        return targets
    in_range = (field.gap <= field.reach + config["slack"]) & (field.reach >= 0)
    left = field.foe.hp.copy()
    factor = value / np.maximum(left, 1.0)
    # Those with the fewest choices first: the others can still take what remains.
    who = np.flatnonzero(shooters & in_range.any(axis=1))
    who = who[np.argsort(in_range[who].sum(axis=1), kind="stable")]
    overkill, keep = config["overkill"], config["keep"]
    for i in who.tolist():
        choices = np.flatnonzero(in_range[i])
        volley = field.volley[i, choices]
        remaining = left[choices]
        score = factor[choices] * np.where(remaining > 0, np.minimum(volley, remaining), volley * overkill)
        aim = present[i]
        if aim != NONE and in_range[i, aim]:
            score[choices == aim] *= keep
        best = int(choices[score.argmax()])
        targets[i] = best
        left[best] -= field.volley[i, best]
        factor[best] = value[best] / max(float(left[best]) if left[best] > 0 else float(field.foe.hp[best]), 1.0)
    return targets
