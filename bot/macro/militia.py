"""SCVs that fight, and the one that scouts: taken from mining when the plan asks, sent back when it no longer does."""

from __future__ import annotations

from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Knowledge
from bot.orders import Attack, Move, Order
from bot.strategy.plan import Plan

FIGHTING = 5.0
"""An SCV with an attack order and an enemy this near finds its own targets."""


class Militia:
    """SCVs pulled against early attacks."""

    def __init__(self) -> None:
        self._config = load("macro")["workers"]
        self.tags: set[int] = set()

    def step(self, knowledge: Knowledge, plan: Plan, free_workers: list[Unit]) -> list[Order]:
        """Attack orders for as many SCVs as the plan pulls; the healthy ones next to the threat come first."""
        health = self._config["pull_health"]
        by_tag = knowledge.own.by_tag
        self.tags = {tag for tag in self.tags if tag in by_tag and by_tag[tag].health >= health}
        threat = next(iter(knowledge.threats), None)
        if threat is None or plan.pull_workers <= 0:
            self.tags.clear()
            return []
        while len(self.tags) > plan.pull_workers:
            self.tags.pop()
        near = [
            worker
            for worker in free_workers
            if worker.tag not in self.tags
            and worker.health > health
            and worker.position.distance_to(threat.position) < self._config["pull_radius"]
        ]
        near.sort(key=lambda worker: worker.position.distance_to(threat.position))
        self.tags.update(worker.tag for worker in near[: plan.pull_workers - len(self.tags)])
        enemies = [unit for unit in knowledge.enemy.units if unit.tag in threat.tags and not unit.is_flying]
        return [order for tag in self.tags for order in _fight(by_tag[tag], enemies)]


def _fight(worker: Unit, enemies: list[Unit]) -> list[Order]:
    """Attack towards the nearest enemy; whoever already fights is left to choose for itself."""
    target = min(enemies, key=lambda enemy: enemy.position.distance_to(worker.position), default=None)
    if target is None:
        return []
    if worker.is_attacking and worker.position.distance_to(target.position) < FIGHTING:
        return []
    return [Attack(worker.tag, (target.position.x, target.position.y))]


class Scout:
    """One SCV that looks at the enemy's bases early."""

    def __init__(self) -> None:
        self.tag: int | None = None
        self._sent = False
        self._ways: list[Point2] = []

    def step(self, knowledge: Knowledge, plan: Plan, free_workers: list[Unit]) -> list[Order]:
        """Send the scout once, walk it past the places to see, again if the plan asks, and let it go home."""
        if self.tag is not None and self.tag not in knowledge.own.by_tag:
            self.tag = None
        if self.tag is None:
            if not plan.scout or self._sent or not free_workers:
                return []
            ready = [w for w in free_workers if not w.is_carrying_resource] or free_workers
            natural = knowledge.terrain.natural.position
            self.tag = min(ready, key=lambda w: w.position.distance_to(natural)).tag
            self._sent = True
            self._ways = scouting_way(knowledge)
        scout = knowledge.own.by_tag[self.tag]
        while self._ways and scout.position.distance_to(self._ways[0]) < 3.0:
            self._ways.pop(0)
        if not self._ways and plan.scout_again:
            self._ways = scouting_way(knowledge)
        hurt = scout.health < 0.5 * scout.health_max
        if not self._ways or hurt or not plan.scout:
            self.tag = None
            return []
        return [Move(self.tag, (self._ways[0].x, self._ways[0].y))]


def scouting_way(knowledge: Knowledge) -> list[Point2]:
    """Points to pass: the place of the enemy's second base, then each place it may start at, round its town hall."""
    terrain = knowledge.terrain
    ways: list[Point2] = []
    starts = [knowledge.enemy.start] if knowledge.enemy.start else list(terrain.enemy_starts)
    for start in starts:
        natural = terrain.enemy_natural
        if natural is not None:
            ways.append(natural.position.towards(terrain.start, 5.0))
        ring = [Point2((start.x + dx, start.y + dy)) for dx, dy in ((7, 0), (0, 7), (-7, 0), (0, -7))]
        ways += [p for p in ring if terrain.inside(p, 1) and terrain.walkable[int(p.y), int(p.x)]]
    return [terrain.clamp(point) for point in ways]
