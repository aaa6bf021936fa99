"""The army's one door: knowledge and plan in, orders of all fighting units out.

Every unit belongs to one group: at home, in the attacking squad, or in a wave on its way to it. Groups get missions,
missions give tasks, micro turns tasks into orders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.army import defence, missions, predict, search
from bot.army.garrison import Garrison
from bot.army.raids.manager import Raids
from bot.army.scout import Scout
from bot.army.squad import Squad, judge, middle, rows_of
from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.step import Micro
from bot.micro.task import Task
from bot.orders import Order
from bot.strategy.plan import Stance

if TYPE_CHECKING:
    from bot.guard import Guard
    from bot.knowledge.model import Knowledge
    from bot.micro.battlefield import Battlefield
    from bot.strategy.plan import Plan

Point = tuple[float, float]
NEVER = -10_000


class Army:
    """Remembers who attacks and who is on the way; everything else is decided anew each step."""

    def __init__(self, guard: Guard, micro: str | None = None) -> None:
        """`micro`: who decides in fights, see `Micro`."""
        self.config = load("army")
        self.main = Squad()
        self.waves: list[Squad] = []
        self.garrison = Garrison()
        self.scout = Scout()
        self.raids = Raids(guard, self.config)
        self.micro = Micro(guard, micro)
        self._guard = guard
        self._places: dict[int, Point] = {}
        self._retreated = NEVER

    def step(self, knowledge: Knowledge, plan: Plan) -> list[Order]:
        """Orders of this step."""
        field = self.micro.see(knowledge)
        if not len(field.own):
            return self._guard.call("army.garrison", self._man_bunkers, knowledge, field, default=([], set()))[0]
        tasks = self._guard.call("army.tasks", self.tasks, knowledge, plan, field, default={})
        if not tasks:
            tasks = missions.hold(field.own.tags, plan.rally)
        orders, guests = self._guard.call("army.garrison", self._man_bunkers, knowledge, field, default=([], set()))
        tasks = {tag: task for tag, task in tasks.items() if tag not in guests}
        return orders + self.micro.act(field, tasks)

    def _man_bunkers(self, knowledge: Knowledge, field: Battlefield) -> tuple[list[Order], set[int]]:
        return self.garrison.step(knowledge, field, self._home_rows(field), self.config["garrison"])

    def tasks(self, knowledge: Knowledge, plan: Plan, field: Battlefield) -> dict[int, Task]:
        """One task for every unit of the army, by tag."""
        self._muster(field)
        answers = defence.answers(knowledge.threats, self._home_rows(field), field, self.config)
        self._recall(answers, knowledge, plan)
        if plan.stance is Stance.DEFEND:
            self._go_home(field, plan.rally)
        else:
            self._launch(knowledge, plan, field, answers)
        raids = self.raids.step(knowledge, plan, field, self._home_rows(field), calm=not answers)
        out = self._out()
        tasks = missions.hold([tag for tag in field.own.tags if tag not in out], plan.rally)
        raids = missions.set_down(field, self.raids.tags, plan.rally) | raids
        tasks |= self.scout.step(knowledge, field, self._home_rows(field), self.config["scout"])
        bunkers = bool(knowledge.own.ready(UnitTypeId.BUNKER))
        for answer in answers:
            if not bunkers or defence.goes(answer, self.config["defend"]):
                tasks |= self._defend(answer, field)
        if plan.stance is Stance.HUNT:
            return tasks | self._hunt(knowledge, plan, field) | raids
        for squad in (self.main, *self.waves):
            tasks |= self._march(squad, knowledge, plan, field)
        return tasks | raids

    def _muster(self, field: Battlefield) -> None:
        """Forgets the dead and the groups that are empty."""
        alive = set(field.own.tags)
        for squad in (self.main, *self.waves):
            squad.tags &= alive
        self.waves = [wave for wave in self.waves if wave.tags]
        if not self.main.tags:
            self.main = Squad()

    def _out(self) -> set[int]:
        """Tags of everyone who is in the attack, on the way to it, or on a raid."""
        return self.main.tags.union(self.raids.tags, *(wave.tags for wave in self.waves))

    def _home_rows(self, field: Battlefield) -> np.ndarray:
        out = self._out()
        return np.array([row for row, tag in enumerate(field.own.tags) if tag not in out], np.int64)

    def _recall(self, answers: list[defence.Answer], knowledge: Knowledge, plan: Plan) -> None:
        """Brings the attack back where home is about to fall and the attack itself is not about to decide the game."""
        rules = self.config["defend"]
        lost = sum(a.threat.value for a in answers if a.ratio < rules["recall"])
        if lost < rules["recall_value"] or not self.main.tags or plan.stance is Stance.HUNT:
            return
        if not self.main.retreating and self.main.ratio >= predict.CERTAIN_WIN:
            self.main.retreating, self.main.since = True, knowledge.loop

    def _go_home(self, field: Battlefield, rally: Point) -> None:
        """Dissolves what has arrived; what has not retreats."""
        for squad in (self.main, *self.waves):
            centre = middle(field, rows_of(squad, field))
            if centre is None or self._apart(centre, rally) <= self.config["squad"]["gathered"]:
                squad.tags.clear()
            else:
                squad.retreating = True
        self._muster(field)

    def _launch(self, knowledge: Knowledge, plan: Plan, field: Battlefield, answers: list[defence.Answer]) -> None:
        """Starts the attack with who is gathered, later sends the others after it in groups."""
        rules = self.config["squad"]
        busy = {field.own.tags[row] for answer in answers for row in answer.rows.tolist()}
        home = [field.own.tags[row] for row in self._home_rows(field).tolist() if field.own.tags[row] not in busy]
        if plan.stance is Stance.HUNT:
            self.main.tags = self._out() | set(home)  # raiders too: their raids end
            self.waves = []
            return
        kept = self.raids.reserved(field) if knowledge.supply_used < self.config["engage"]["desperate"] else set()
        home = [tag for tag in home if tag not in kept]
        if not self.main.tags:
            if home and not busy and self._may_launch(home, knowledge, plan, field):
                self.main = Squad(set(home))
            return
        if self.main.retreating:
            return
        least = max(rules["wave_units"], rules["wave_share"] * len(self.main.tags))
        if len(home) >= least:
            self.waves.append(Squad(set(home)))

    def _may_launch(self, home: list[int], knowledge: Knowledge, plan: Plan, field: Battlefield) -> bool:
        """Whether enough of the army stands at the rally point, and what is known of the enemy is no reason to wait."""
        rows = rows_of(Squad(set(home)), field)
        apart = np.hypot(*(field.own.xy[rows] - np.array(plan.rally, np.float32)).T)
        if (apart <= self.config["squad"]["gathered"] * 2).mean() < self.config["squad"]["launch_share"]:
            return False
        engage = self.config["engage"]
        rested = knowledge.loop - self._retreated > engage["rest"] * LOOPS_PER_SECOND
        known = predict.seen_force(
            (s for s in knowledge.enemy.memory.values() if not s.is_structure),
            field.kinds,
            knowledge.loop,
            self.config["predict"],
        )
        own = predict.own_force(field, rows, self.config["predict"], stim=UpgradeId.STIMPACK in knowledge.upgrades)
        ratio = predict.ratio(own, known, field.kinds, self.config["predict"])
        return ratio >= (1.0 if rested else engage["fight"]) or knowledge.supply_used >= engage["desperate"]

    def _defend(self, answer: defence.Answer, field: Battlefield) -> dict[int, Task]:
        tags = [field.own.tags[row] for row in answer.rows.tolist()]
        centre = middle(field, answer.rows) or answer.threat.base
        leash = self.config["defend"]["leash"]
        return missions.defend(tags, answer.threat.position, answer.threat.base, centre, leash)

    def _march(self, squad: Squad, knowledge: Knowledge, plan: Plan, field: Battlefield) -> dict[int, Task]:
        """The squad's tasks: on to its target, or home; a wave's target is the army it joins."""
        if not squad.tags:
            return {}
        if plan.stance is not Stance.DEFEND:
            judge(squad, knowledge, field, self.config)
        centre = middle(field, rows_of(squad, field)) or plan.rally
        if squad.retreating:
            return self._fall_back(squad, centre, knowledge, plan)
        if squad is self.main:
            return missions.attack(squad, target_of(knowledge, plan), plan.rally, knowledge, field, self.config)
        army = middle(field, rows_of(self.main, field))
        if army is None or self.main.retreating:
            squad.retreating = True
            return missions.retreat(squad, plan.rally)
        if self._apart(centre, army) <= self.config["squad"]["join"]:
            self.main.tags |= squad.tags
            tags, squad.tags = set(squad.tags), set()
            return missions.attack(Squad(tags), target_of(knowledge, plan), plan.rally, knowledge, field, self.config)
        return missions.attack(squad, army, plan.rally, knowledge, field, self.config)

    def _fall_back(self, squad: Squad, centre: Point, knowledge: Knowledge, plan: Plan) -> dict[int, Task]:
        """Home; there the squad is part of the defenders again."""
        self._retreated = knowledge.loop
        tasks = missions.retreat(squad, plan.rally)
        if self._apart(centre, plan.rally) <= self.config["squad"]["gathered"]:
            squad.tags = set()
        return tasks

    def _hunt(self, knowledge: Knowledge, plan: Plan, field: Battlefield) -> dict[int, Task]:
        """Known structures first; whoever they do not need looks where the enemy may be."""
        rules = self.config["hunt"]
        tags = [tag for tag in field.own.tags if tag in self.main.tags]
        known = [(s.position.x, s.position.y) for s in knowledge.enemy.memory.values() if s.is_structure]
        tasks = missions.raze(tags, known, plan.rally, knowledge, field, rules["each"])
        tags = [tag for tag in tags if tag not in tasks]
        places = [(place[0], place[1]) for place in plan.search if not knowledge.is_visible(place)]
        if len(places) < len(tags):
            places += search.places(knowledge, rules["grid"])
        looking = missions.hunt(tags, places, plan.rally, self._places, knowledge, field)
        self._places = {tag: task.point for tag, task in looking.items()}
        return tasks | looking

    @staticmethod
    def _apart(a: Point, b: Point) -> float:
        return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def target_of(knowledge: Knowledge, plan: Plan) -> Point:
    """Where the attack goes: as planned, else to where the enemy began."""
    target = plan.target or knowledge.enemy.start or next(iter(knowledge.terrain.enemy_starts), None) or plan.rally
    return target[0], target[1]
