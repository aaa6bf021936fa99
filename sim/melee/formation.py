"""Where each unit of a group goes when the group is sent to one point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee.grids import walkable
from sim.melee.records import Target

if TYPE_CHECKING:
    from sim.melee.game import Game

KEPT = ("move", "attack", "patrol")
# Cells from edge to edge; a group wider or deeper than this closes up at the point (6 observed of 4.10).
WIDEST, WIDEST_OF_FLYERS = 6.0, 8.0  # catalog: MixedFormationDiameter, AirFormationDiameter


def points(game: Game, able: list[tuple[int, int]], target: Target) -> list[Target] | None:
    """A point for each unit, formation kept; None when all go to the same one.

    The formation is kept for moves to a point outside the group's own box, as long as the group, bodies included, fits
    a square of WIDEST, or is all in the air and fits one of WIDEST_OF_FLYERS: pairs of Marines 5.25 cells apart keep
    their distance, at 5.26 they do not, Marauders at 4.875, tanks at 4.25, and so for two that stand four cells apart
    in x and in y. What counts is the mean of their places. The box has the bodies in it, too: two that stand in a row
    close up at a point between them (players: the box fits around the units).
    """
    if not target.has_point or game.facts.abilities[able[0][1]].kind not in KEPT:
        return None
    places = [(float(game.units[slot]["x"]), float(game.units[slot]["y"])) for slot, _ in able]
    radii = [float(game.type_of(slot)["radius"]) for slot, _ in able]
    spans = [span(axis, radii) for axis in zip(*places, strict=True)]
    inside = all(near <= at <= far for at, (near, far) in zip((target.x, target.y), spans, strict=True))
    widest = WIDEST_OF_FLYERS if all(game.type_of(slot)["flying"] for slot, _ in able) else WIDEST
    if inside or any(far - near > widest for near, far in spans):
        return None
    middle_x, middle_y = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    result = []
    for (slot, _), (x, y) in zip(able, places, strict=True):
        goal_x, goal_y = target.x + x - middle_x, target.y + y - middle_y
        if not game.type_of(slot)["flying"] and not walkable(game, goal_x, goal_y):
            goal_x, goal_y = target.x, target.y
        result.append(Target(-1, goal_x, goal_y, True, target.queued))
    return result


def span(places: tuple[float, ...], radii: list[float]) -> tuple[float, float]:
    """Cells at which the bodies at these places begin and end along an axis."""
    near = min(place - radius for place, radius in zip(places, radii, strict=True))
    return near, max(place + radius for place, radius in zip(places, radii, strict=True))
