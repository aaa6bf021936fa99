"""Marines into bunkers while someone attacks there, and out again when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.knowledge.model import LOOPS_PER_SECOND
from bot.orders import Order, Smart, Unload

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge
    from bot.micro.battlefield import Battlefield

GUESTS = {UnitTypeId.MARINE, UnitTypeId.MARAUDER, UnitTypeId.REAPER, UnitTypeId.GHOST}


class Garrison:
    """Who walks into which bunker; passengers themselves leave the list of units until they come out."""

    def __init__(self) -> None:
        self._quiet_since: dict[int, int] = {}

    def step(
        self, knowledge: Knowledge, field: Battlefield, home: np.ndarray, config: Mapping[str, Any]
    ) -> tuple[list[Order], set[int]]:
        """(orders, tags of units on their way into a bunker). `home` int [k]: rows of units that stay at home."""
        orders: list[Order] = []
        guests: set[int] = set()
        for bunker in knowledge.own.ready(UnitTypeId.BUNKER):
            x, y = bunker.position
            danger = any(np.hypot(t.position.x - x, t.position.y - y) <= config["danger"] for t in knowledge.threats)
            if danger:
                self._quiet_since[bunker.tag] = knowledge.loop
                called = self._call(field, home, guests, (x, y), bunker.cargo_left, config["call"])
                guests |= set(called)
                orders += [Smart(tag, bunker.tag) for tag in called]
            elif bunker.cargo_used and self._quiet(bunker.tag, knowledge.loop, config["quiet"]):
                orders.append(Unload(bunker.tag))
        return orders, guests

    def _call(
        self, field: Battlefield, home: np.ndarray, taken: set[int], place: tuple[float, float], room: int, reach: float
    ) -> list[int]:
        """Tags of the nearest foot soldiers, as many as there is room for; the cheap ones need one place each."""
        found = []
        for row in home.tolist():
            kind, tag = field.own.kind[row], field.own.tags[row]
            apart = float(np.hypot(*(field.own.xy[row] - np.array(place, np.float32))))
            guest = field.kinds.type_of(kind)
            if guest in GUESTS and tag not in taken and apart <= reach:
                found.append((guest is not UnitTypeId.MARINE, apart, tag, int(field.kinds.cargo_size[kind])))
        called = []
        for _, _, tag, size in sorted(found):
            if size <= room:
                room -= size
                called.append(tag)
        return called

    def _quiet(self, tag: int, loop: int, seconds: float) -> bool:
        """Whether nobody was near for so long."""
        return loop - self._quiet_since.setdefault(tag, loop) > seconds * LOOPS_PER_SECOND
