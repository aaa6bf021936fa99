"""What a mission asks of one unit. Micro decides how; it never decides whether to fight a battle at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Point = tuple[float, float]


class Mode(Enum):
    """How a unit treats enemies on its way."""

    FIGHT = "fight"
    """Go to the point and fight what is met."""
    HOLD = "hold"
    """Stay about the point, fight what comes into reach."""
    RETREAT = "retreat"
    """Get to the point; shoot only where that costs nothing."""


@dataclass(frozen=True, slots=True)
class Task:
    """One unit's part in a mission.

    `point` is where it should be going, `home` where safety lies, `middle` the middle of its squad's ground fighters.
    """

    mode: Mode
    point: Point
    home: Point
    middle: Point
