"""Structures that are going up: resumed when their builder is gone, given up when they will not be finished."""

from __future__ import annotations

from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Knowledge
from bot.macro.construction import nearest
from bot.macro.techtree import ALIASES, CONSTRUCTED
from bot.orders import Cancel, Order, Smart

UNSAFE = 10.0
"""A structure with enemies this close waits for its new builder."""


def tend_unfinished(knowledge: Knowledge, free_workers: list[Unit]) -> list[Order]:
    """Send the nearest free SCVs to structures without a builder, and cancel what is about to be lost."""
    targets = {worker.order_target for worker in knowledge.own.workers if worker.is_constructing_scv}
    places = [place for place in targets if isinstance(place, Point2)]
    orders: list[Order] = []
    free = list(free_workers)
    for structure in knowledge.own.structures:
        if structure.build_progress >= 1.0 or ALIASES.get(structure.type_id, structure.type_id) not in CONSTRUCTED:
            continue
        if is_doomed(structure):
            orders.append(Cancel(structure.tag))
            continue
        if structure.tag in targets or any(structure.position.distance_to(place) < 1.0 for place in places):
            continue
        if any(threat.position.distance_to(structure.position) < UNSAFE for threat in knowledge.threats):
            continue
        walk = nearest(free, structure.position)
        if walk is not None:
            free.remove(walk[0])
            orders.append(Smart(walk[0].tag, structure.tag))
    return orders


def is_doomed(structure: Unit) -> bool:
    """Life far below what the progress should have brought: it is shot at and will not be finished."""
    config = load("macro")["construction"]
    expected = (0.1 + 0.9 * structure.build_progress) * structure.health_max
    return structure.build_progress < 0.95 and structure.health < config["cancel_below"] * expected
