"""Where the minerals and geysers of a base lie around its town hall."""

from __future__ import annotations

from .terrain import Neutral

MINERAL_FIELD, MINERAL_FIELD_750, VESPENE_GEYSER = 341, 483, 342

# The most frequent layout of real mains (10 of 24 starts of 12 ladder maps): offsets of the resources from the centre
# of the town hall, for a base whose minerals lie to the left and below. The other corners are its mirror images.
LAYOUT: tuple[tuple[int, float, float], ...] = (
    (MINERAL_FIELD, -6.5, 0.0),
    (MINERAL_FIELD_750, -7.5, -1.0),
    (MINERAL_FIELD, -6.5, -2.0),
    (MINERAL_FIELD_750, -6.5, -4.0),
    (MINERAL_FIELD_750, -5.5, -5.0),
    (MINERAL_FIELD, -2.5, -6.0),
    (MINERAL_FIELD_750, -0.5, -7.0),
    (MINERAL_FIELD, 0.5, -6.0),
    (VESPENE_GEYSER, -7.0, 3.0),
    (VESPENE_GEYSER, 4.0, -7.0),
)
SIDES = {"SW": (1, 1), "SE": (-1, 1), "NW": (1, -1), "NE": (-1, -1)}


def base(x: float, y: float, side: str) -> list[Neutral]:
    """Eight mineral fields and two geysers around a town hall at (x, y), on the `side` (SW, SE, NW, NE) of it."""
    flip_x, flip_y = SIDES[side]
    return [Neutral(type_id, x + flip_x * dx, y + flip_y * dy) for type_id, dx, dy in LAYOUT]
