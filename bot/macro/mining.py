"""The last cells of a miner's way, there and back, where it would slow down by itself.

A worker that is told to move to a point right before its field or town hall, with the harvest or the delivery queued
behind, comes there at full speed: a trip takes 98 to 113 loops for 104 to 123 (docs/fidelity/mining.md, "Steered
trips"). And a field that is just being mined sends who comes to another one, where it is in the way of others: who
has a field of its own is sent back there at once, and is the next in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import Enum

from sc2.ids.ability_id import AbilityId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Base
from bot.orders import Gather, Move, Order, Return

ANGLES = [side * step * math.pi / 36 for step in range(13) for side in (1, -1)]
"""Turns about a field that are tried until no other field is in the way, the least first (radians)."""


class Trip(Enum):
    """What a worker does for mining, or will do as soon as it has come to a point."""

    NONE = 0
    OUT = 1
    HOME = 2


TRIPS = {
    AbilityId.HARVEST_GATHER.value: Trip.OUT,
    AbilityId.HARVEST_GATHER_SCV.value: Trip.OUT,
    AbilityId.HARVEST_RETURN.value: Trip.HOME,
    AbilityId.HARVEST_RETURN_SCV.value: Trip.HOME,
}
MOVES = {AbilityId.MOVE.value, AbilityId.MOVE_MOVE.value}


def trip_of(worker: Unit) -> tuple[Trip, int]:
    """(kind, tag of what it goes to or 0): of the first order, or of the one behind a move."""
    orders = worker._proto.orders
    for order in orders[:2]:
        trip = TRIPS.get(order.ability_id)
        if trip is not None:
            return trip, order.target_unit_tag
        if order.ability_id not in MOVES:
            break
    return Trip.NONE, 0


class Steering:
    """Knows the points before fields and town halls; they are found once a field."""

    def __init__(self) -> None:
        self._config = load("macro")["mining"]
        self._points: dict[Point2, tuple[Point2, Point2]] = {}
        """By the field's position: (where it is mined from, the middle of its town hall)."""

    def prepare(self, bases: Iterable[Base]) -> None:
        """Points of fields that are new."""
        for base in bases:
            for field in base.minerals:
                if field.position not in self._points:
                    others = [other.position for other in base.minerals if other.position != field.position]
                    hall = base.townhall.position
                    self._points[field.position] = (
                        before_field(field.position, hall, others, self._config["at_field"]),
                        hall,
                    )

    def step(self, worker: Unit, field: Unit) -> list[Order]:
        """Orders for a worker whose own field this is."""
        orders = worker._proto.orders
        if len(orders) != 1 or field.position not in self._points:
            return []
        trip, aim = trip_of(worker)
        point, hall = self._points[field.position]
        rules = self._config
        if trip is Trip.HOME:
            point = hall.towards(worker.position, rules["at_hall"])
            if rules["nearest"] < worker.position.distance_to(point) < rules["furthest"]:
                return [Move(worker.tag, point), Return(worker.tag, queue=True)]
        elif trip is Trip.OUT and aim != field.tag:
            turned_away = worker.position.distance_to(field.position) < rules["turned_away"]
            if turned_away and not worker.is_carrying_resource:
                return [Gather(worker.tag, field.tag)]
        elif trip is Trip.OUT and rules["nearest"] < worker.position.distance_to(point) < rules["furthest"]:
            return [Move(worker.tag, point), Gather(worker.tag, field.tag, queue=True)]
        return []


def before_field(field: Point2, hall: Point2, others: Sequence[Point2], apart: float) -> Point2:
    """Where a field is mined from, so far from its middle: on the way from the hall, a bit aside where other fields
    are as near."""
    way = math.atan2(hall.y - field.y, hall.x - field.x)
    for turn in ANGLES:
        point = Point2((field.x + apart * math.cos(way + turn), field.y + apart * math.sin(way + turn)))
        if all(point.distance_to(other) >= apart for other in others):
            return point
    return field.towards(hall, apart)
