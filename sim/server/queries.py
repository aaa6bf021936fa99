"""Queries: answers from the game's own rules."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Any

import numpy as np
from s2clientprotocol import query_pb2
from scipy import ndimage

from sim.engine.state import FLYING
from sim.melee.records import Result
from sim.server.places import on_map
from sim.server.seat import Seat

if TYPE_CHECKING:
    from sim.melee.game import Game

REACH = 4  # cells within which a way may begin beside a point that is blocked
ROUND = 0.9  # cells that such a place may be farther off than the nearest one, to lie towards the other end


def run_queries(seat: Seat, wanted: query_pb2.RequestQuery) -> query_pb2.ResponseQuery:
    """Answers every query of the request, each kind in its order."""
    from sim.server.sites import Sites

    game, player = seat.match.game, seat.viewer or 1
    found = query_pb2.ResponseQuery()
    for path in wanted.pathing:
        found.pathing.add(distance=_distance(game, path))
    for asked in wanted.abilities:
        _add_abilities(found, game, player, asked.unit_tag, wanted.ignore_resource_requirements)
    sites = Sites(game, player, seat.sight) if len(wanted.placements) else None
    for place in wanted.placements:
        ignored = game.slot(place.placing_unit_tag) if place.placing_unit_tag else -1
        spot = on_map(game, place.target_pos)
        result = Result.ERROR if spot is None else sites.result(place.ability_id, *spot, ignored)
        found.placements.add(result=int(result))
    return found


def _distance(game: Game, path: query_pb2.RequestQueryPathing) -> float:
    """Cells to walk; straight for flyers; 0 = no way, as to any point in a structure."""
    from sim.melee.moving import walking_distance

    slot = -1
    end = on_map(game, path.end_pos)
    if path.HasField("unit_tag"):
        slot = game.slot(path.unit_tag)
        if slot < 0:
            return 0.0
        unit = game.units[slot]
        start = (float(unit["x"]), float(unit["y"]))
        if end is not None and int(unit["flags"]) & FLYING:
            return hypot(end[0] - start[0], end[1] - start[1])
    else:
        start = on_map(game, path.start_pos)
    if start is None or end is None:
        return 0.0
    for place in _beside(game, start, end):
        away = float(walking_distance(game, place, end, slot))
        if away > 0.0:
            return away
    return 0.0


def _beside(game: Game, point: tuple[float, float], other: tuple[float, float]) -> list[tuple[float, float]]:
    """The point, or open ground beside it when it lies in a structure (bots ask for ways from town halls): on the side
    of the other end, then one place for each other piece of ground there, as the first may be a closed pocket."""
    column, row = int(point[0]), int(point[1])
    if game.walk[row, column]:
        return [point]
    low, left = max(row - REACH, 0), max(column - REACH, 0)
    pieces, _ = ndimage.label(game.walk[low : row + REACH + 1, left : column + REACH + 1])
    rows, columns = np.nonzero(pieces)
    xs, ys, piece = columns + left + 0.5, rows + low + 0.5, pieces[rows, columns]
    away = np.hypot(xs - point[0], ys - point[1])
    far = np.hypot(xs - other[0], ys - other[1])
    places = []
    while np.isfinite(away).any():
        best = int(np.where(away <= away.min() + ROUND, far, np.inf).argmin())
        places.append((float(xs[best]), float(ys[best])))
        away[piece == piece[best]] = np.inf
    return places or [point]


def _add_abilities(found: query_pb2.ResponseQuery, game: Game, player: int, tag: int, ignore_resources: bool) -> None:
    """Abilities of a unit that the player controls; an empty list for any other tag."""
    from sim.melee.tech import available_abilities
    from sim.melee.verdicts import obeys

    slot = game.slot(tag)
    answer = found.abilities.add(unit_tag=tag)
    if slot < 0 or not obeys(game, slot, player):
        return
    answer.unit_type_id = int(game.units[slot]["type"])
    for ability in available_abilities(game, slot, ignore_resources=ignore_resources):
        offer(answer.abilities, game, ability)


def offer(abilities: Any, game: Game, ability_id: int) -> None:
    """Adds an AvailableAbility: one that has a target "requires a point", be it a unit (pysc2 reads it so)."""
    aimed = game.facts.abilities[ability_id].target not in ("None", "PointOrNone")
    abilities.add(ability_id=ability_id, requires_point=aimed)
