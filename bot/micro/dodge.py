"""Walking out of effects that hurt: biles, storms, nukes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bot.micro import steer
from bot.micro.battlefield import Battlefield


def escapes(field: Battlefield, config: Mapping[str, Any]) -> np.ndarray:
    """float [n, 2]: where to step out of an effect that the unit stands in, nan for who stands in none."""
    result = np.full((len(field.own), 2), np.nan, np.float32)
    for x, y, radius in field.scene.effects[field.b].tolist():
        if radius == 0:
            continue
        off = field.own.xy - np.array((x, y), np.float32)
        inside = abs(radius) + field.own.radius + config["margin"] - np.hypot(off[:, 0], off[:, 1])
        rows = np.flatnonzero((inside > 0) & ~(field.own.flying & (radius < 0)))
        if not rows.size:
            continue
        still = np.hypot(off[rows, 0], off[rows, 1]) < 1e-3
        off[rows[still]] = (1.0, 0.0)
        for row in rows.tolist():
            point = field.own.xy[row : row + 1]
            flying = field.own.flying[row : row + 1]
            step = float(inside[row]) + config["margin"]
            result[row] = steer.free_points(point, steer.unit(off[row : row + 1]), step, field.ground, flying)[0]
    return result
