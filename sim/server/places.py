"""Points as clients send them, brought onto the map before the rules see them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sim.melee.game import Game


class Point(Protocol):
    """Any of the protocol's points."""

    x: float
    y: float


def on_map(game: Game, point: Point) -> tuple[float, float] | None:
    """The point, moved onto the map if it lies outside; None when it is no number at all."""
    if not (isfinite(point.x) and isfinite(point.y)):
        return None
    return clamped(game, point.x, point.y)


def clamped(game: Game, x: float, y: float) -> tuple[float, float]:
    """The place on the map nearest to these numbers, cells."""
    return min(max(x, 0.0), game.terrain.width - 0.01), min(max(y, 0.0), game.terrain.height - 0.01)
