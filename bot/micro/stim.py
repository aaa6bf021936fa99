"""Who uses Stim: a budget from what the enemy has in contact, spent on the healthiest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def choose(
    fields: Sequence[Battlefield], active: np.ndarray, target: np.ndarray, config: Mapping[str, Any]
) -> np.ndarray:
    """bool [b, A]: units that should use Stim in this step.

    `fields` are the battles of one `Relations`; `active` bool [b, A]; `target` int [b, A]. A unit qualifies when it is
    in contact (a target in range, or armed enemies just outside it), has life to spare (less is asked near a Medivac
    with energy) and no Stim running.
    """
    r = fields[0].relations
    kinds, kind, foe_kind = r.kinds, r.own_kind, r.foe_kind
    chosen, known = np.zeros(active.shape, bool), r.scene.researched[r.part, STIM]
    if not known.any():
        return chosen
    shares, floors = kinds.noted("stim", config, _tables)
    share, floor = shares[kind], floors[kind]
    able = active & (share > 0) & ~r.stimmed & known[:, None] & (r.own_life[0] >= floor - config["with_medivac"])
    if not able.any():
        return chosen
    dangerous = kinds.fighter[foe_kind] & r.foe(r.scene.targetable)
    engaged = (r.reach >= 0) & dangerous[:, None] & (r.gap <= r.reach + config["near"])
    able &= engaged.any(axis=-1) & ((target != NONE) | (engaged.sum(axis=-1) > 1))
    for k in np.flatnonzero(able.any(axis=1)).tolist():
        worth = kinds.value[foe_kind[k, engaged[k].any(axis=0)]].sum()
        budget = worth / config["price"] - share[k, r.stimmed[k] & r.own(r.scene.present)[k]].sum()
        chosen[k, _healthiest(fields[k], able[k], floor[k], share[k], budget, config)] = True
    return chosen


def _healthiest(
    field: Battlefield, able: np.ndarray, floor: np.ndarray, share: np.ndarray, budget: float, config: Mapping[str, Any]
) -> list[int]:
    """Agents of one battle, the healthiest first, until the budget is spent; arrays [A]."""
    own = field.own
    floor = np.where(_healed(field, config), floor[own.rows] - config["with_medivac"], floor[own.rows])
    rows = np.flatnonzero(able[own.rows] & (own.hp >= floor))
    taken = []
    for i in own.rows[rows[np.argsort(-own.hp[rows] / own.hp_max[rows], kind="stable")]].tolist():
        if budget <= 0:
            break
        budget -= share[i]
        taken.append(i)
    return taken


def _tables(kinds: Kinds, config: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """[K] each: what a stimmed unit of a kind takes out of the budget, and the life it needs."""
    types = [kinds.type_of(number) for number in range(len(kinds.speed))]
    floors = [config.get(kind.name.lower(), np.inf) if kind in SHARES else np.inf for kind in types]
    return np.array([SHARES.get(kind, 0) for kind in types]), np.array(floors)


def _healed(field: Battlefield, config: Mapping[str, Any]) -> np.ndarray:
    """bool [n]: a Medivac with energy is near."""
    medics = field.kinds.of_type(UnitTypeId.MEDIVAC)[field.own.kind]
    medics &= field.own.energy >= config["medivac_energy"]
    points = field.own.xy[medics]
    apart = np.hypot(field.own.xy[:, None, 0] - points[None, :, 0], field.own.xy[:, None, 1] - points[None, :, 1])
    return (apart <= config["medivac_radius"]).any(axis=1)
