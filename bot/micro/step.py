"""Micro's one door: tasks in, orders out, by the rules or by the network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from loguru import logger
from sc2.ids.unit_typeid import UnitTypeId

from bot.config import load
from bot.micro import advice, battlefield, masks, reader, task
from bot.micro.battlefield import Battlefield
from bot.micro.kinds import Kinds
from bot.micro.policy import MODELS, Decision, Policy, PolicyError
from bot.micro.scene import Ground, Scene
from bot.micro.skills import FOLLOW, Casts
from bot.micro.task import Task, Tasks
from bot.micro.twin import Twin
from bot.orders import Cast, Order

if TYPE_CHECKING:
    from bot.guard import Guard
    from bot.knowledge.model import Knowledge


class Micro:
    """Keeps the tables and memories that live as long as the game; a fault in one unit's rule stops only that unit.

    `play` is "scripted" or "learned" and `model` a file of weights, by default what micro.toml says. The network
    decides for units in contact, the rules for everyone else, and for all from the moment when it cannot be used. Who
    was told to follow the rules is led by them in the steps between two decisions, too: they look more often.
    """

    def __init__(self, guard: Guard, play: str | None = None, model: Path | None = None) -> None:
        self.config = load("micro")
        self._guard = guard
        self._twin = Twin()
        self._adviser = Twin()
        self._casts = Casts()
        self._silos = reader.Silos()
        self._kinds: Kinds | None = None
        self._ground: Ground | None = None
        self.decided_at = -1000
        """Loop of the network's last decision."""
        self._departed: frozenset[int] = frozenset()
        self.policy: Policy | None = None
        if (play or self.config["policy"]["play"]) == "learned":
            self._load(model or MODELS / self.config["policy"]["model"])

    def _load(self, path: Path) -> None:
        try:
            self.policy = Policy(path)
        except PolicyError as error:
            self._give_up(error)

    def _give_up(self, reason: BaseException) -> None:
        """The rules play from now on; said once, because the policy is gone."""
        self.policy = None
        logger.warning("micro: the scripted rules play, because {}", str(reason) or type(reason).__name__)

    def see(self, knowledge: Knowledge) -> Battlefield:
        """The moment as arrays, for the missions and for `act`."""
        if self._kinds is None:
            self._kinds = Kinds(knowledge.facts, knowledge.bot.game_data)
            self._ground = Ground(knowledge.terrain.walkable, knowledge.terrain.buildable)
        self._casts.forget(knowledge.loop)
        if self.policy is not None:
            self.policy.forget(knowledge.own.by_tag)
        self._silos.hear(knowledge.bot, len(knowledge.own.ready(UnitTypeId.GHOSTACADEMY)))
        harmful, nuke = self.config["dodge"]["effects"], self._silos.nukes > 0
        scene = reader.read(knowledge, self._kinds, self._ground, self._casts, harmful, nuke=nuke)
        return battlefield.battle(scene)

    def act(self, field: Battlefield, tasks: Mapping[int, Task]) -> list[Order]:
        """Orders for every unit with a task (by tag)."""
        scene, every = field.scene, self.config["policy"]["every"]
        wanted = task.gather(scene.tag[0, : scene.agents].tolist(), tasks)
        if int(scene.loop[0]) - self.decided_at < every:
            return self._noted(self._scripted(scene, _without(wanted, scene, self._departed), field), scene)
        decision = self._decide(scene, wanted, field)
        if decision is None:
            return self._noted(self._scripted(scene, wanted, field), scene)
        orders = advice.orders(*decision)
        if scene.step >= every:  # else the others' turn comes in the steps between: neither step is long
            orders += self._scripted(scene, _without(wanted, scene, decision.tags()), field)
        return self._noted(orders, scene)

    def _noted(self, orders: list[Order], scene: Scene) -> list[Order]:
        """The orders, after remembering what has a cooldown."""
        for order in orders:
            if isinstance(order, Cast):
                self._casts.note(order.tag, order.cast, int(scene.loop[0]))
        return orders

    def _scripted(self, scene: Scene, tasks: Tasks, field: Battlefield | None = None) -> list[Order]:
        field = field or battlefield.battle(scene)
        verbs, targets, _ = masks.legal(scene, tasks, field.relations.geometry)
        decided = self._twin.orders(scene, tasks, verbs, targets, report=self._report, field=field)[0]
        return [order for mine in decided.values() for order in mine]

    def _report(self, error: Exception) -> None:
        self._guard.report("micro", error)

    def _decide(self, scene: Scene, tasks: Tasks, field: Battlefield) -> Decision | None:
        """What the network decides now; None where it plays nobody."""
        if self.policy is None:
            return None
        try:
            decision = self.policy.decide(scene, tasks, self._adviser, self._report, field)
        except PolicyError as error:
            self._give_up(error)
            return None
        except Exception as error:  # whatever a network or a file of weights may do, the game goes on
            self._guard.report("micro.policy", error)
            self._give_up(error)
            return None
        if decision is not None:
            self.decided_at = int(scene.loop[0])
            self._departed = decision.tags(decision.verb[0] != FOLLOW)
        return decision


def _without(tasks: Tasks, scene: Scene, tags: frozenset[int]) -> Tasks:
    """The tasks of a one-battle scene's agents, but for these units, which then get no orders."""
    if not tags:
        return tasks
    spared = np.array([tag in tags for tag in scene.tag[0, : scene.agents].tolist()])
    return tasks._replace(mode=np.where(spared, np.int8(task.NO_TASK), tasks.mode))
