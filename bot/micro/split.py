"""Spreading out against units that explode: only those about to be reached, and only while a baneling is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.micro import steer
from bot.micro.battlefield import Battlefield


def away(field: Battlefield, config: Mapping[str, Any], step: float) -> np.ndarray:
    """float [n, 2]: where a threatened unit steps, nan for the others.

    Threatened is who can be reached within `contact` loops. It moves off the exploders, and off allies that stand so
    close that one splash would take both.
    """
    result = np.full((len(field.own), 2), np.nan, np.float32)
    exploders = field.kinds.suicide[field.foe.kind]
    gap = field.gap[:, exploders]
    speed = field.kinds.speed[field.foe.kind[exploders]]
    reached = (gap / np.maximum(speed, 0.01)[None, :] < config["contact"]) & ~field.own.flying[:, None]
    threatened = np.flatnonzero(reached.any(axis=1))
    if not threatened.size:
        return result
    points = field.own.xy[threatened]
    off = steer.directions(points, field.foe.xy[exploders], 1.0 / (gap[threatened] + 0.5))
    ground = np.flatnonzero(~field.own.flying)
    others = field.own.xy[ground]
    apart = np.hypot(points[:, None, 0] - others[None, :, 0], points[:, None, 1] - others[None, :, 1])
    close = (apart < config["radius"] + field.own.radius[threatened][:, None]) & (apart > 1e-3)
    crowd = steer.directions(points, others, close / np.maximum(apart, 0.1)) * config["push"]
    wanted = steer.unit(off + crowd)
    result[threatened] = steer.free_points(points, wanted, step, field.ground, field.own.flying[threatened])
    return result
