"""Structures that are going up: resumed when their builder is gone, given up when they will not be finished."""

from __future__ import annotations

from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND, Knowledge
from bot.macro.construction import nearest
from bot.macro.techtree import ALIASES, CONSTRUCTED
from bot.orders import Cancel, Order, Smart

UNSAFE = 10.0
"""A structure with enemies this close waits for its new builder."""
BURNT = 1.0
"""Life that a structure may lose from one step to the next without being shot at: it burns."""


class Unfinished:
    """Remembers the life of structures that are going up, to know which are shot at."""

    def __init__(self) -> None:
        self._config = load("macro")["construction"]
        self._life: dict[int, float] = {}
        self._hurt: dict[int, int] = {}
        """Tag -> the loop in which life was last seen to fall."""

    def step(self, knowledge: Knowledge, free_workers: list[Unit]) -> list[Order]:
        """Send the nearest free SCVs to structures without a builder, and cancel what is about to be lost."""
        rising = [
            structure
            for structure in knowledge.own.structures
            if not structure.is_ready and ALIASES.get(structure.type_id, structure.type_id) in CONSTRUCTED
        ]
        self._look(rising, knowledge.loop)
        targets = {worker.order_target for worker in knowledge.own.workers if worker.is_constructing_scv}
        places = [place for place in targets if isinstance(place, Point2)]
        orders: list[Order] = []
        free = list(free_workers)
        for structure in rising:
            if self._is_doomed(structure, knowledge.loop):
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

    def _look(self, rising: list[Unit], loop: int) -> None:
        """Notes whose life has fallen since the last step."""
        fallen = {s.tag for s in rising if s.health < self._life.get(s.tag, 0.0) - BURNT}
        self._life = {structure.tag: structure.health for structure in rising}
        self._hurt = {tag: at for tag, at in self._hurt.items() if tag in self._life} | dict.fromkeys(fallen, loop)

    def _is_doomed(self, structure: Unit, loop: int) -> bool:
        """It is shot at, and life is far below what the progress should have brought. What the attackers left can be
        finished: building adds the rest of its life whatever it lost."""
        expected = (0.1 + 0.9 * structure.build_progress) * structure.health_max
        weak = structure.build_progress < 0.95 and structure.health < self._config["cancel_below"] * expected
        shot_at = structure.tag in self._hurt
        return weak and shot_at and loop - self._hurt[structure.tag] <= self._config["shot_at"] * LOOPS_PER_SECOND
