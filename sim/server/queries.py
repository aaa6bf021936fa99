"""Queries: answers from the game's own rules."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from s2clientprotocol import query_pb2

from sim.engine.state import FLYING
from sim.server.seat import Seat

if TYPE_CHECKING:
    from sim.melee.game import Game


def run_queries(seat: Seat, wanted: query_pb2.RequestQuery) -> query_pb2.ResponseQuery:
    """Answers every query of the request, each kind in its order."""
    from sim.melee.placement import can_place

    game, player = seat.match.game, seat.viewer or 1
    found = query_pb2.ResponseQuery()
    for path in wanted.pathing:
        found.pathing.add(distance=_distance(game, path))
    for asked in wanted.abilities:
        _add_abilities(found, game, player, asked.unit_tag)
    for place in wanted.placements:
        ignored = game.slot(place.placing_unit_tag) if place.placing_unit_tag else -1
        spot = place.target_pos
        found.placements.add(result=int(can_place(game, player, place.ability_id, spot.x, spot.y, ignored)))
    return found


def _distance(game: Game, path: query_pb2.RequestQueryPathing) -> float:
    """Cells to walk; straight for flyers; 0 = no way."""
    from sim.melee.moving import walking_distance

    end = (path.end_pos.x, path.end_pos.y)
    if path.HasField("unit_tag"):
        slot = game.slot(path.unit_tag)
        if slot < 0:
            return 0.0
        unit = game.units[slot]
        start = (float(unit["x"]), float(unit["y"]))
        if int(unit["flags"]) & FLYING:
            return hypot(end[0] - start[0], end[1] - start[1])
    else:
        start = (path.start_pos.x, path.start_pos.y)
    return float(walking_distance(game, start, end))


def _add_abilities(found: query_pb2.ResponseQuery, game: Game, player: int, tag: int) -> None:
    """Abilities of an own unit; an empty list for any other tag."""
    from sim.melee.tech import available_abilities

    slot = game.slot(tag)
    answer = found.abilities.add(unit_tag=tag)
    if slot < 0 or game.units[slot]["owner"] != player:
        return
    answer.unit_type_id = int(game.units[slot]["type"])
    for ability in available_abilities(game, slot):
        known = game.facts.abilities.get(ability)
        answer.abilities.add(ability_id=ability, requires_point=bool(known and "Point" in known.target))
