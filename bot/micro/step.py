"""Micro's one door: tasks in, orders out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from bot.config import load
from bot.micro import battlefield, masks, reader, task, twin
from bot.micro.battlefield import Battlefield
from bot.micro.kinds import Kinds
from bot.micro.skills import Casts
from bot.micro.task import Task
from bot.micro.twin import Twin
from bot.orders import Cast, Order

if TYPE_CHECKING:
    from bot.guard import Guard
    from bot.knowledge.model import Knowledge


class Micro:
    """Keeps the tables and memories that live as long as the game; a fault in one unit's rule stops only that unit."""

    def __init__(self, guard: Guard) -> None:
        self.config = load("micro")
        self._guard = guard
        self._twin = Twin()
        self._casts = Casts()
        self._kinds: Kinds | None = None

    def see(self, knowledge: Knowledge) -> Battlefield:
        """The moment as arrays, for the missions and for `act`."""
        if self._kinds is None:
            self._kinds = Kinds(knowledge.facts, knowledge.bot.game_data)
        self._casts.forget(knowledge.own.by_tag)
        scene = reader.read(knowledge, self._kinds, self._casts, self.config["dodge"]["effects"])
        return battlefield.battle(scene)

    def act(self, field: Battlefield, tasks: Mapping[int, Task]) -> list[Order]:
        """Orders for every unit with a task (by tag)."""
        scene = field.scene
        wanted = task.gather(scene.tag[0, : scene.agents].tolist(), tasks)
        verbs, targets, _ = masks.legal(scene, wanted, masks.geometry(scene))
        decided = self._twin.orders(scene, wanted, verbs, targets, call=self._safely)[0]
        orders = [order for mine in decided.values() for order in mine]
        self._note(orders, scene.loop)
        return orders

    def _safely(self, moment: twin.Moment, i: int, task: Task) -> list[Order]:
        return self._guard.call("micro", twin.one, moment, i, task, default=[])

    def _note(self, orders: list[Order], loop: np.ndarray) -> None:
        """Remembers what has a cooldown."""
        for order in orders:
            if isinstance(order, Cast):
                self._casts.note(order.tag, order.cast, int(loop[0]))
