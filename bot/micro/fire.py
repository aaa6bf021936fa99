"""Focus fire without overkill: who shoots at whom, decided once for everyone who is ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.micro.battlefield import STIM_SPEED, Battlefield
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


def winding(field: Battlefield, present: np.ndarray, damage_points: Mapping[str, float]) -> np.ndarray:
    """bool [n]: the unit's attack on its present target has begun and its shot is not out yet.

    The cooldown counts from the beginning of the attack, so it is still nearly the weapon's whole period.
    """
    own, kinds = field.own, field.kinds
    waits = kinds.noted("damage_point", damage_points, _damage_points)[own.kind]
    result = (present != NONE) & (own.cooldown > 0) & (waits > 1.0)
    aiming = np.flatnonzero(result)
    period = kinds.period[own.kind[aiming], field.foe.kind[present[aiming]]]
    period /= np.where(own.stimmed[aiming], np.float32(STIM_SPEED), np.float32(1.0))
    result[aiming] = own.cooldown[aiming] > period - waits[aiming]
    return result


def _damage_points(kinds: Kinds, loops: Mapping[str, float]) -> np.ndarray:
    """float [K]: loops from the beginning of an attack to its shot."""
    names = [kinds.type_of(number).name for number in range(len(kinds.speed))]
    return np.array([loops.get(name, loops["default"]) for name in names], np.float32)


def assign(
    field: Battlefield, shooters: np.ndarray, present: np.ndarray, value: np.ndarray, config: Mapping[str, Any]
) -> np.ndarray:
    """Targets of the shooters: int [n], NONE for who shoots not or has nothing in range.

    `shooters` bool [n]; `present` int [n], the enemy each unit aims at now or NONE; `value` float [m]. Each unit ranks
    what is in its range by worth over the time it takes to kill, and takes the first that the shots promised so far
    leave alive: so the group shoots one enemy after the other and wastes nothing.
    """
    targets = np.full(len(field.own), NONE, np.int64)
    if not len(field.foe):
        return targets
    in_range = (field.gap <= field.reach + config["slack"]) & (field.reach >= 0)
    # Those with the fewest choices first: the others can still take what remains.
    choices = in_range.sum(axis=1)
    who = np.flatnonzero(shooters & (choices > 0))
    who = who[np.argsort(choices[who], kind="stable")]
    hp = field.foe.hp
    volleys = field.volley[who]
    score = np.where(in_range[who], np.minimum(volleys, hp) * (value / hp), np.float32(OUT))
    aiming = np.flatnonzero(present[who] != NONE)
    score[aiming, present[who[aiming]]] *= config["keep"]
    first, left = score.argmax(axis=1).tolist(), hp.tolist()
    for k, i in enumerate(who.tolist()):
        target = int(score[k].argmax())
        if score[k, target] < 0:  # all that it could shoot at will be dead: it helps with the best
            target = first[k]
        targets[i] = target
        left[target] -= float(volleys[k, target])
        if left[target] <= 0:
            score[:, target] = OUT
    return targets
