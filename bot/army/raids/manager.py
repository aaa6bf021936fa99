"""Who raids, when and where: starts raids from who is free at home, steps them, and lets their units go again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.army.raids import drop, infiltrate, jump, nuke, runby, targets
from bot.army.raids.raid import Moment, Phase, Point, Raid, Step, apart, has_missile
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.strategy.plan import Stance

if TYPE_CHECKING:
    from bot.guard import Guard
    from bot.knowledge.model import Knowledge
    from bot.micro.battlefield import Battlefield
    from bot.micro.task import Task
    from bot.strategy.plan import Plan

STEPS: Mapping[str, Step] = {
    "infiltrate": infiltrate.step,
    "nuke": nuke.step,
    "drop": drop.step,
    "runby": runby.step,
    "jump": jump.step,
}


class Raids:
    """The raids of this game."""

    def __init__(self, guard: Guard, config: Mapping[str, Any]) -> None:
        """`config` is the whole army table."""
        self._army = config
        self._config = config["raids"]
        self._guard = guard
        self.raids: list[Raid] = []
        self._raided: dict[Point, int] = {}
        """Town hall -> the loop in which the last raid on it ended."""
        self._next: dict[str, int] = {}
        self._reserved = {UnitTypeId[name] for kind in STEPS for name in self._config[kind].get("reserved", ())}

    @property
    def tags(self) -> set[int]:
        """Everyone who is on a raid."""
        return set().union(*(raid.tags for raid in self.raids))

    def reserved(self, field: Battlefield) -> set[int]:
        """Tags of units that are kept for raids and join no attack."""
        types = map(field.kinds.type_of, field.own.kind.tolist())
        return {tag for tag, kind in zip(field.own.tags, types, strict=True) if kind in self._reserved}

    def step(
        self, knowledge: Knowledge, plan: Plan, field: Battlefield, free: np.ndarray, *, calm: bool
    ) -> dict[int, Task]:
        """Tasks of all raiders by tag. `free` int [k]: rows that may be taken for a new raid; `calm`: nobody is needed
        at home."""
        m = Moment(knowledge, plan, field, self._config, {tag: row for row, tag in enumerate(field.own.tags)})
        self._muster(m)
        if plan.stance is Stance.HUNT:  # everyone searches, but for who carries someone
            self.raids = [raid for raid in self.raids if raid.soldiers - m.rows.keys()]
            for raid in self.raids:
                raid.turn(Phase.LEAVE, m.loop, "the enemy is searched for")
        elif calm:
            self._guard.call("army.raids.start", self._start, m, free, default=None)
        tasks: dict[int, Task] = {}
        for raid in self.raids:
            rules = self._config[raid.kind]
            given = self._guard.call(
                "army.raids." + raid.kind, STEPS[raid.kind], raid, m, rules, self._army, default=None
            )
            if given is None:  # a raid that fails lets its units go
                raid.phase = Phase.DONE
            else:
                tasks |= {tag: task for tag, task in given.items() if tag in m.rows}
        self._close(m)
        return tasks

    def _muster(self, m: Moment) -> None:
        """Forgets the dead; passengers are not on the map, but alive."""
        aboard = {
            passenger.tag
            for raid in self.raids
            for tag in raid.tags
            if tag in m.rows
            for passenger in m.knowledge.own.by_tag[tag]._proto.passengers
        }
        for raid in self.raids:
            raid.tags &= m.rows.keys() | aboard
            raid.soldiers &= raid.tags

    def _close(self, m: Moment) -> None:
        for raid in self.raids:
            if raid.phase is Phase.DONE or not raid.tags:
                pause = self._config[raid.kind]["pause"]
                self._next[raid.kind] = m.loop + int(pause * LOOPS_PER_SECOND)
                if m.loop - raid.begun > self._config["targets"]["worked"] * LOOPS_PER_SECOND:
                    self._raided[raid.base] = m.loop
                raid.tags = set()
        self.raids = [raid for raid in self.raids if raid.tags]

    def _start(self, m: Moment, free: np.ndarray) -> None:
        """One new raid a step at most."""
        if m.loop % self._config["every"] >= m.knowledge.step:
            return
        running = {raid.kind for raid in self.raids}
        for kind in STEPS:
            rules = self._config[kind]
            early = m.knowledge.seconds < rules["after"] or m.loop < self._next.get(kind, 0)
            if kind in running or early or not _ready(m, rules):
                continue
            team = self._team(kind, m, free, rules)
            if not team[0]:
                continue
            found = targets.choose(m, self._raided, rules)
            if found is None:
                continue
            tags, soldiers = team
            self.raids.append(Raid(kind, tags | soldiers, *found, home(m), m.loop, since=m.loop, soldiers=soldiers))
            return

    def _team(self, kind: str, m: Moment, free: np.ndarray, rules: Mapping[str, Any]) -> tuple[set[int], set[int]]:
        """(raiders, their passengers): empty where there are too few who are fit."""
        own = m.field.own
        types = {UnitTypeId[name] for name in rules["types"]}
        fit = [
            row
            for row in free.tolist()
            if m.kind_of(row) in types
            and own.hp[row] >= rules["fit"] * own.hp_max[row]
            and own.energy[row] >= rules.get("energy", 0.0)
        ]
        if len(fit) < rules["least"]:
            return set(), set()
        tags = {own.tags[row] for row in fit[: rules["most"]]}
        if kind != "drop":
            return tags, set()
        soldiers = _passengers(m, free, len(tags) * rules["places"], rules)
        return (tags, soldiers) if soldiers else (set(), set())


def _passengers(m: Moment, free: np.ndarray, places: float, rules: Mapping[str, Any]) -> set[int]:
    """Soldiers who fill so many places, but for one that is too small for a Marauder; none where too few would stay at
    home."""
    own, size = m.field.own, m.field.kinds.cargo_size
    able = [row for row in free.tolist() if m.kind_of(row) in drop.PASSENGERS]
    able.sort(key=lambda row: (-own.hp[row] / own.hp_max[row], own.tags[row]))
    chosen: set[int] = set()
    for row in able:
        if size[own.kind[row]] <= places:
            places -= float(size[own.kind[row]])
            chosen.add(own.tags[row])
    return chosen if len(able) - len(chosen) >= rules["stay"] else set()


def _ready(m: Moment, rules: Mapping[str, Any]) -> bool:
    """Whether what this kind of raid needs is there: research, a missile, enough supply."""
    if m.knowledge.supply_used < rules.get("supply", 0):
        return False
    needs = rules.get("needs")
    if needs == "NUKE":
        return has_missile(m)
    return needs is None or UpgradeId[needs] in m.knowledge.upgrades


def home(m: Moment) -> Point:
    """Where a raid begins and ends: at our base that is farthest from where the army waits; SCVs repair there."""
    sites = [base.site.position for base in m.knowledge.bases]
    rally = m.plan.rally
    if not sites:
        return rally[0], rally[1]
    x, y = max(sites, key=lambda site: apart(site, rally))
    return float(x), float(y)
