"""Who uses Stim: a budget from what the enemy has in contact, spent on the healthiest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.battlefield import Battlefield
from bot.micro.fire import NONE
from bot.micro.kinds import Kinds
from bot.micro.scene import NEEDS

STIM = NEEDS.index("STIMPACK")
SHARES = {UnitTypeId.MARINE: 1, UnitTypeId.MARAUDER: 2}
"""What one stimmed unit takes out of the budget."""


def choose(field: Battlefield, active: np.ndarray, target: np.ndarray, config: Mapping[str, Any]) -> np.ndarray:
    """bool [n]: units that should use Stim in this step.

    `active` bool [n]; `target` int [n]. A unit qualifies when it is in contact (a target in range, or armed enemies
    just outside it), has life to spare (less is asked near a Medivac with energy) and no Stim running.
    """
    chosen = np.zeros(len(field.own), bool)
    if not field.scene.researched[field.b, STIM] or not len(field.foe) or not len(field.own):
        return chosen
    kinds, own = field.kinds, field.own
    shares, floors = kinds.noted("stim", config, _tables)
    share, floor = shares[own.kind], floors[own.kind]
    able = active & (share > 0) & ~own.stimmed
    if not (able & (own.hp >= floor - config["with_medivac"])).any():
        return chosen
    floor = np.where(_healed(field, config), floor - config["with_medivac"], floor)
    dangerous = kinds.armed[field.foe.kind] & ~kinds.worker[field.foe.kind] & field.foe.targetable
    engaged = (field.reach >= 0) & dangerous[None, :] & (field.gap <= field.reach + config["near"])
    contact = engaged.any(axis=1) & ((target != NONE) | (engaged.sum(axis=1) > 1))
    budget = kinds.value[field.foe.kind[engaged.any(axis=0)]].sum() / config["price"] - share[own.stimmed].sum()
    willing = able & contact & (own.hp >= floor)
    rows = np.flatnonzero(willing)
    for i in rows[np.argsort(-own.hp[rows] / own.hp_max[rows], kind="stable")].tolist():
        if budget <= 0:
            break
        budget -= share[i]
        chosen[i] = True
    return chosen


def _tables(kinds: Kinds, config: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """[K] each: what a stimmed unit of a kind takes out of the budget, and the life it needs."""
    types = [kinds.type_of(number) for number in range(len(kinds.speed))]
    floors = [config.get(kind.name.lower(), np.inf) if kind in SHARES else np.inf for kind in types]
    return np.array([SHARES.get(kind, 0) for kind in types]), np.array(floors)


def _healed(field: Battlefield, config: Mapping[str, Any]) -> np.ndarray:
    """bool [n]: a Medivac with energy is near."""
    medics = field.kinds.of_type(UnitTypeId.MEDIVAC)[field.own.kind]
    medics &= field.own.energy >= config["medivac_energy"]
    if not medics.any():
        return np.zeros(len(field.own), bool)
    points = field.own.xy[medics]
    apart = np.hypot(field.own.xy[:, None, 0] - points[None, :, 0], field.own.xy[:, None, 1] - points[None, :, 1])
    return (apart <= config["medivac_radius"]).any(axis=1)
