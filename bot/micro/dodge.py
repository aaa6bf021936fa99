"""Walking out of effects that hurt: biles, storms, nukes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.effect_id import EffectId

from bot.micro import steer
from bot.micro.battlefield import Battlefield

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI


def escapes(bot: BotAI, field: Battlefield, config: Mapping[str, Any], walkable: np.ndarray) -> np.ndarray:
    """float [n, 2]: where to step out of the nearest effect the unit stands in, nan for who stands in none."""
    result = np.full((len(field.own), 2), np.nan, np.float32)
    if not len(field.own):
        return result
    for centre, radius in circles(bot, config["effects"]):
        off = field.own.xy - np.array(centre, np.float32)
        inside = radius + field.own.radius + config["margin"] - np.hypot(off[:, 0], off[:, 1])
        rows = np.flatnonzero(inside > 0)
        if not rows.size:
            continue
        still = np.hypot(off[rows, 0], off[rows, 1]) < 1e-3
        off[rows[still]] = (1.0, 0.0)
        for row in rows.tolist():
            point = field.own.xy[row : row + 1]
            flying = field.own.flying[row : row + 1]
            step = float(inside[row]) + config["margin"]
            result[row] = steer.free_points(point, steer.unit(off[row : row + 1]), step, walkable, flying)[0]
    return result


def circles(bot: BotAI, known: Mapping[str, float]) -> list[tuple[tuple[float, float], float]]:
    """(centre, radius) of every harmful effect in the observation; effects of unknown ids are left out."""
    found = []
    for effect in bot.state.effects:
        name = effect.id.name if isinstance(effect.id, EffectId) else str(effect.id)
        radius = known.get(name)
        if radius is not None:
            found += [((point.x, point.y), max(radius, float(effect.radius or 0.0))) for point in effect.positions]
    return found
