"""Which wounded each Medivac heals: the worst first, and not all Medivacs the same one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.micro.battlefield import Battlefield

NOBODY = -1


def assign(field: Battlefield, active: np.ndarray, config: Mapping[str, Any]) -> np.ndarray:
    """int [n]: the own row that each Medivac heals, NOBODY for other units and for Medivacs without a patient.

    A patient takes one Medivac, or two when it has lost most of its life; distance counts against it.
    """
    own, kinds = field.own, field.kinds
    patients = np.full(len(own), NOBODY, np.int64)
    types = [kinds.type_of(number) for number in range(len(kinds.speed))]
    medic = np.array([kind is UnitTypeId.MEDIVAC for kind in types], bool)
    if not len(own) or not medic.any():
        return patients
    medics = np.flatnonzero(medic[own.kind] & active & (own.energy >= config["energy"]))
    share = own.hp / own.hp_max
    wounded = np.flatnonzero(kinds.biological[own.kind] & ~own.flying & (share < config["hurt"]))
    if not medics.size or not wounded.size:
        return patients
    apart = np.hypot(*(own.xy[medics][:, None, :] - own.xy[wounded][None, :, :]).transpose(2, 0, 1))
    cost = np.where(apart <= config["look"], share[wounded][None, :] + apart / config["look"], np.inf)
    room = np.where(share[wounded] < 0.5, 2, 1)
    for flat in np.argsort(cost, axis=None).tolist():
        row, column = divmod(flat, wounded.size)
        if not np.isfinite(cost[row, column]):
            break
        if patients[medics[row]] == NOBODY and room[column] > 0:
            patients[medics[row]] = wounded[column]
            room[column] -= 1
    return patients
