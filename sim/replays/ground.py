"""Ground for real games whose map nobody has recorded: flat, with the resources where the game's events have them."""

from __future__ import annotations

import numpy as np

from sim.facts import Facts
from sim.maps import Terrain
from sim.maps.terrain import Neutral
from sim.replays.reader import RealGame, ReplayError

EDGE = 6  # cells of open ground around the outermost resources: on recorded maps three to ten
FLAT = "flat ground"
LEVEL = 191  # byte of the protocol's heights: any will do where all of it is level


def flat_ground(real: RealGame, facts: Facts) -> Terrain:
    """The Terrain of `real` as far as its events of loop 0 tell: starts, mineral fields and geysers (events name whole
    cells). No cliffs, ramps, rocks or plates: what walks far or needs creep goes other ways than in the real game.
    ReplayError where a player has no town hall, or nothing was seen of the map.
    """
    halls, neutrals = {}, []
    town_halls, minerals, geysers = facts.town_halls, facts.minerals, facts.geysers
    for event in real.events:
        kind = facts.ids.get(event.type, 0)
        if event.loop or event.kind != "B":
            continue
        if kind in town_halls and event.player:
            halls.setdefault(event.player, (event.x + 0.5, event.y + 0.5))
        elif kind in minerals:
            neutrals.append(Neutral(kind, event.x, event.y + 0.5))  # two cells wide
        elif kind in geysers:
            neutrals.append(Neutral(kind, event.x + 0.5, event.y + 0.5))
    if len(halls) != 2 or not neutrals:
        raise ReplayError("no two town halls, or no resources, at the start")
    xs, ys = [neutral.x for neutral in neutrals], [neutral.y for neutral in neutrals]
    left, low = (max(int(min(at)) - EDGE, 0) for at in (xs, ys))
    right, high = (int(max(at)) + EDGE for at in (xs, ys))
    width, height = right + left, -(-(high + low) // 8) * 8  # the wire packs eight cells into a byte
    ground = np.zeros((height, width), np.uint8)
    ground[low:high, left:right] = 1
    return Terrain(
        name=FLAT,
        title=FLAT,
        width=width,
        height=height,
        playable=(left, low, right, high),
        walkable=ground,
        buildable=ground.copy(),
        levels=np.full_like(ground, LEVEL),
        starts=tuple(halls[player] for player in sorted(halls)),
        neutrals=tuple(neutrals),
    )
