"""One cheap fighter at a time looks where the enemy may have expanded, and does not stop to fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.army.missions import walkable
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.task import Mode, Task

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge
    from bot.micro.battlefield import Battlefield

Point = tuple[float, float]
NOBODY = 0


class Scout:
    """Remembers who scouts, which places are left, and when the next one may go."""

    def __init__(self) -> None:
        self.tag = NOBODY
        self._left: list[Point] = []
        self._next = 0

    def step(
        self, knowledge: Knowledge, field: Battlefield, home: np.ndarray, config: Mapping[str, Any]
    ) -> dict[int, Task]:
        """The scout's task, if someone scouts now. `home` int [k]: rows of units that may be sent; who scouts is one of
        them until an attack or a raid takes it along."""
        if self.tag not in {field.own.tags[row] for row in home.tolist()}:
            self.tag = NOBODY
            self._send(knowledge, field, home, config)
        self._left = [place for place in self._left if not knowledge.is_visible(place)]
        if self.tag == NOBODY or not self._left:
            self.tag = NOBODY
            return {}
        place = self._left[0]
        return {self.tag: Task(Mode.RETREAT, place, place, place)}

    def _send(self, knowledge: Knowledge, field: Battlefield, home: np.ndarray, config: Mapping[str, Any]) -> None:
        """Picks the next scout, the most suitable type first; nobody goes while home is under attack."""
        if knowledge.loop < max(self._next, config["after"] * LOOPS_PER_SECOND) or knowledge.threats:
            return
        types = [UnitTypeId[name] for name in config["types"]]
        kind, tags = field.own.kind, field.own.tags
        able = [(field.kinds.type_of(kind[row]), tags[row]) for row in home.tolist()]
        able = [(types.index(found), tag) for found, tag in able if found in types]
        if len(home) < config["army"] or not able:
            return
        self.tag = min(able)[1]
        self._left = route(knowledge, config["places"])
        self._next = knowledge.loop + int(config["pause"] * LOOPS_PER_SECOND)


def route(knowledge: Knowledge, count: int) -> list[Point]:
    """The town hall sites nearest to the enemy that we can walk to and hold no base of ours, in walking order from us.

    The enemy's main is left out: its ramp and cannons end every tour that begins there.
    """
    ours = {base.site.position for base in knowledge.bases}
    reachable = [s for s in knowledge.terrain.sites if walkable(s.position, knowledge) and s.position not in ours]
    near_enemy = sorted(reachable, key=lambda site: site.enemy_distance)[1 : count + 1]
    return [(site.position[0], site.position[1]) for site in sorted(near_enemy, key=lambda site: site.distance)]
