"""What the enemy is up to: early attacks, seen or to be expected, and which defences they call for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.knowledge.model import LOOPS_PER_SECOND, WORKER_VALUE, Knowledge
from bot.knowledge.terrain import OWN_MAIN

PRODUCTION = (UnitTypeId.GATEWAY, UnitTypeId.WARPGATE, UnitTypeId.BARRACKS, UnitTypeId.BARRACKSFLYING)
"""Where early attackers come from, but for those of Zerg."""
BUNKER_VALUE = 100
"""What a finished bunker adds to our army: two Marines' worth of protection."""


class RushWatch:
    """Notices early attacks and keeps the alarm until it has been calm for a while."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self._since: int | None = None
        self._last = 0
        self._reason = ""
        self._pool: float | None = None

    def update(self, knowledge: Knowledge) -> tuple[bool, str]:
        """(whether we are under or shortly before an early attack, why)."""
        reason = self._alarm(knowledge)
        if reason:
            self._since = self._since if self._since is not None else knowledge.loop
            self._last = knowledge.loop
            self._reason = reason
        calm = (knowledge.loop - self._last) / LOOPS_PER_SECOND > self._config["calm"]
        if self._since is not None and calm:
            self._since = None
            self._reason = "the early attack is over"
        return self._since is not None, self._reason

    def _alarm(self, knowledge: Knowledge) -> str:
        config = self._config
        counts = knowledge.enemy.counts
        if knowledge.seconds > config["until"]:
            return ""
        near = sum(threat.fighting_value for threat in knowledge.threats)
        early = knowledge.seconds < config["early"]
        if near > army_value(knowledge) + config["early_value" if early else "army_value"]:
            return "attackers near home are stronger than our army"
        if sum(threat.workers for threat in knowledge.threats) >= config["worker_rush"]:
            return "enemy workers attack"
        if self._pool_begun(knowledge) < config["pool_begun"]:
            return "an early Spawning Pool was seen"
        many = float(np.interp(knowledge.seconds, config["zergling_seconds"], config["zerglings"]))
        if early and counts.get(UnitTypeId.ZERGLING, 0) >= many:
            return "many early Zerglings were seen"
        if early and sum(counts.get(kind, 0) for kind in PRODUCTION) >= config["production"]:
            return "much early production was seen"
        return ""

    def _pool_begun(self, knowledge: Knowledge) -> float:
        """Seconds at which the Spawning Pool was begun at the latest, by its progress when first seen."""
        if self._pool is None:
            build_loops = knowledge.facts[UnitTypeId.SPAWNINGPOOL].build_loops
            for sighting in knowledge.enemy.memory.values():
                if sighting.type_id is UnitTypeId.SPAWNINGPOOL:
                    self._pool = (sighting.finished - build_loops) / LOOPS_PER_SECOND
        return self._pool if self._pool is not None else float("inf")

    def workers_to_pull(self, knowledge: Knowledge) -> int:
        """SCVs needed against what the army alone cannot answer; none later in the game."""
        config = self._config
        if not knowledge.threats or knowledge.seconds > config["until"]:
            return 0
        threat = knowledge.threats[0]
        if threat.ground_value <= 0:
            return 0
        if threat.workers <= 1 and threat.ground_value <= WORKER_VALUE:
            return 0  # a scout
        if threat.workers >= config["worker_rush"]:
            return min(2 * threat.workers, len(knowledge.own.workers))  # they all came: so do we all
        if threat.ground_value > config["pull_worth"] * len(threat.tags):
            return 0  # SCVs only die to Roaches and their like
        # A bunker only helps where it reaches.
        far = [b for b in knowledge.own.ready(UnitTypeId.BUNKER) if b.position.distance_to(threat.position) > 9.0]
        excess = threat.ground_value - 1.1 * (army_value(knowledge) - BUNKER_VALUE * len(far))
        pulled = math.ceil(excess / WORKER_VALUE * config["pull_ratio"])
        return max(0, min(pulled, config["most_pulled"], len(knowledge.own.workers) - 2))


class OneBaseWatch:
    """Notices an enemy who takes no second base: what it did not spend there comes as an early attack."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self.expanded = False
        """A second base was seen: the question is settled."""
        self.missed = False
        """The place of the second base was seen empty when there usually is one."""

    def update(self, knowledge: Knowledge) -> tuple[bool, str]:
        """(whether an attack from one base is to be expected now, why). An expansion that is seen later ends it."""
        natural = knowledge.terrain.enemy_natural
        start = knowledge.enemy.start
        if natural is None or start is None or self.expanded:
            return False, ""
        self.expanded = any(base.distance_to(start) > OWN_MAIN for base in knowledge.enemy.bases)
        if self.expanded:
            return False, "the enemy has taken a second base" if self.missed else ""
        race = getattr(getattr(knowledge.bot, "enemy_race", None), "name", "")
        late = knowledge.seconds >= self._config["natural_by"].get(race, max(self._config["natural_by"].values()))
        self.missed |= late and knowledge.is_visible(natural.position)
        expected = self.missed and knowledge.seconds < self._config["until"]
        return expected, "the enemy stays on one base: expecting an early attack" if expected else ""

    @property
    def settled(self) -> bool:
        """Nothing more is to be learnt by a look."""
        return self.expanded or self.missed


def defences_wanted(
    knowledge: Knowledge, rushed: bool, one_base: bool, config: Mapping[str, Any]
) -> dict[UnitTypeId, int]:
    """Bunkers against early attacks, turrets once flyers or cloaked units are known or likely."""
    result: dict[UnitTypeId, int] = {}
    if rushed or one_base:
        result[UnitTypeId.BUNKER] = config["rush_bunkers"]
    elif knowledge.seconds < config["bunkers_until"]:
        result[UnitTypeId.BUNKER] = config["bunkers"]
    bases = len(knowledge.bases)
    if knowledge.enemy.has_air or knowledge.enemy.has_cloak:
        result[UnitTypeId.MISSILETURRET] = config["turrets_if_needed"] * bases
    elif knowledge.seconds > config["turrets_from"]:
        result[UnitTypeId.MISSILETURRET] = bases
    return result


def army_value(knowledge: Knowledge) -> float:
    """Resources in our army, Marines in bunkers included; a finished bunker counts like two Marines more."""
    facts = knowledge.facts
    value = sum(facts[unit.type_id].cost.value for unit in knowledge.own.army)
    value += facts[UnitTypeId.MARINE].cost.value * garrison(knowledge)
    return float(value + BUNKER_VALUE * len(knowledge.own.ready(UnitTypeId.BUNKER)))


def garrison(knowledge: Knowledge) -> int:
    """Marines inside bunkers: the observation does not list them as units."""
    return sum(bunker.cargo_used for bunker in knowledge.own.ready(UnitTypeId.BUNKER))
