"""Where to look for an enemy of whom nothing is left in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge

Point = tuple[float, float]


def places(knowledge: Knowledge, spacing: int) -> list[Point]:
    """A raster over the playable area, never seen places first, then those not in sight; all of it where all is seen.

    Lifted buildings like edges and corners over ground that nobody can reach, so the raster leaves nothing out.
    """
    x0, y0, x1, y1 = knowledge.terrain.playable
    half = spacing / 2
    raster = [
        (x0 + half + i * spacing, y0 + half + j * spacing)
        for j in range(int((y1 - y0) // spacing))
        for i in range(int((x1 - x0) // spacing))
    ]
    raster += [(float(x), float(y)) for x in (x0 + 1, x1 - 2) for y in (y0 + 1, y1 - 2)]
    unseen = [place for place in raster if not knowledge.is_visible(place)]
    return sorted(unseen or raster, key=lambda p: int(knowledge.visibility[int(p[1]), int(p[0])]))
