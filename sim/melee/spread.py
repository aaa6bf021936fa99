"""Where units that are made at one point come to stand."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

GOLDEN_ANGLE = 2.39996
NEAR = 40.0  # cells within which those who stand already matter
SLACK = 1e-4  # cells by which two may stand in each other

Place = tuple[float, float, float]
"""x, y and the radius that keeps others away, cells."""


def spread(
    places: list[Place], walkable: np.ndarray, standing: list[Place] | None = None, turn: float = 0.0, far: float = 12.0
) -> list[tuple[float, float]]:
    """Where units made at given points end up, cells: each in the nearest room left by those before it.

    places are in the order of creation, walkable [h, w] says which cells may be taken (for fliers all of the map's),
    standing are others who keep their room. Points are tried along a spiral of half a radius, which begins `turn`
    radians from the east; one that finds no room within `far` cells stays.
    """
    taken = list(standing or [])
    found: list[tuple[float, float]] = []
    before, k = None, 0
    for place in places:
        x, y, radius = place
        if place != before:  # made at the same point as the last one it finds nothing where that one found nothing
            before, k = place, 0
        others = np.array([one for one in taken if abs(one[0] - x) + abs(one[1] - y) < NEAR]).reshape(-1, 3)
        while True:
            away, angle = max(radius, 0.1) / 2 * sqrt(k), k * GOLDEN_ANGLE + turn
            at_x, at_y = x + away * cos(angle), y + away * sin(angle)
            if away > far:
                at_x, at_y = x, y
                break
            k += 1
            inside = 0 <= at_y < walkable.shape[0] and 0 <= at_x < walkable.shape[1]
            if inside and walkable[int(at_y), int(at_x)]:
                gaps = np.hypot(others[:, 0] - at_x, others[:, 1] - at_y) - others[:, 2] - radius
                if not (gaps < -SLACK).any():
                    break
        taken.append((at_x, at_y, radius))
        found.append((at_x, at_y))
    return found
