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
    medics = np.flatnonzero(kinds.of_type(UnitTypeId.MEDIVAC)[own.kind] & active & (own.energy >= config["energy"]))
    share = own.hp / own.hp_max
    wounded = np.flatnonzero(kinds.healable[own.kind] & (share < config["hurt"]))
    off = own.xy[medics][:, None] - own.xy[wounded]
    apart = np.hypot(off[..., 0], off[..., 1])
    near = apart <= config["look"]
    cost = np.where(near, share[wounded] + apart / config["look"], np.inf)
    room, idle = np.where(share[wounded] < 0.5, 2, 1).tolist(), set(range(medics.size))
    for flat in cost.argsort(axis=None, kind="stable")[: np.count_nonzero(near)].tolist():
        row, column = divmod(flat, wounded.size)
        if row in idle and room[column] > 0:
            patients[medics[row]] = wounded[column]
            room[column] -= 1
            idle.discard(row)
            if not idle:
                break
    return patients
