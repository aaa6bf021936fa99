"""Micro's one door: tasks in, orders out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.config import load
from bot.micro import battlefield
from bot.micro.kinds import Kinds
from bot.micro.moment import Memory, Moment, look
from bot.micro.scripted import rule_for
from bot.micro.task import Task
from bot.orders import Order

if TYPE_CHECKING:
    from bot.guard import Guard
    from bot.knowledge.model import Knowledge


class Micro:
    """Keeps the tables and memories that live as long as the game; a fault in one unit's rule stops only that unit."""

    def __init__(self, guard: Guard) -> None:
        self.config = load("micro")
        self._guard = guard
        self._memory = Memory()
        self._kinds: Kinds | None = None

    def see(self, knowledge: Knowledge) -> battlefield.Battlefield:
        """The moment as arrays, for the missions and for `act`."""
        if self._kinds is None:
            kinds = self.config["kinds"]
            data = knowledge.bot.game_data
            self._kinds = Kinds(knowledge.facts, data, frozenset(kinds["suicides"]), kinds["splash"])
        return battlefield.read(knowledge, self._kinds)

    def act(self, knowledge: Knowledge, field: battlefield.Battlefield, tasks: Mapping[int, Task]) -> list[Order]:
        """Orders for every unit with a task (by tag)."""
        self._memory.forget(knowledge.own.by_tag)
        moment = look(knowledge, field, tasks, self.config, self._memory)
        orders: list[Order] = []
        for i, task in enumerate(moment.tasks):
            if task is not None:
                orders += self._guard.call("micro", one, moment, i, task, default=[])
        return orders


def one(moment: Moment, i: int, task: Task) -> list[Order]:
    """One unit's orders by the rule of its type."""
    return rule_for(moment.types[i])(moment, i, task)
