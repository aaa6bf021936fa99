"""Defend, attack or hunt, with hysteresis; and the points that go with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2

from bot.knowledge.facts import TOWNHALLS
from bot.knowledge.model import LOOPS_PER_SECOND, Knowledge
from bot.strategy.opponent import army_value, garrison
from bot.strategy.plan import Stance

if TYPE_CHECKING:
    from bot.knowledge.model import Sighting
    from bot.knowledge.terrain import Terrain


class StanceKeeper:
    """Remembers the stance and when it began."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self._stance = Stance.DEFEND
        self._since = -(10**6)
        self._broken = False
        self._reason = "defending until the first critical mass"

    def update(self, knowledge: Knowledge, rushed: bool) -> tuple[Stance, str]:
        """(stance, reason). A stance lasts some seconds at least, so that the army does not swing to and fro."""
        held = (knowledge.loop - self._since) / LOOPS_PER_SECOND
        if held >= self._config["hold"] or self._stance is Stance.DEFEND:
            stance, reason = self._judge(knowledge, rushed)
            if stance is not self._stance:
                self._broken = self._stance is Stance.ATTACK and stance is Stance.DEFEND
                self._stance, self._reason, self._since = stance, reason, knowledge.loop
        return self._stance, self._reason

    def _judge(self, knowledge: Knowledge, rushed: bool) -> tuple[Stance, str]:
        config = self._config
        supply = army_supply(knowledge)
        own, enemy = army_value(knowledge), knowledge.enemy.army_value
        hardly_any = supply < config["least_supply"]
        if self._nothing_left(knowledge) and knowledge.seconds > config["hunt_after"] and not hardly_any:
            return Stance.HUNT, "no enemy structure is known: searching the map"
        if self._stance in (Stance.ATTACK, Stance.HUNT):
            if own < config["retreat"] * enemy and knowledge.supply_used < config["always_supply"]:
                return Stance.DEFEND, f"our army ({own:.0f}) is too weak against theirs ({enemy:.0f})"
            if hardly_any:
                return Stance.DEFEND, "hardly any army is left"
            return Stance.ATTACK, "the attack goes on"
        if rushed:
            return Stance.DEFEND, "an early attack is on"
        if knowledge.supply_used >= config["always_supply"]:
            return Stance.ATTACK, "near the supply limit: attack"
        needed = config["again_supply"] if self._broken else config["first_supply"]
        enough = supply >= needed and knowledge.seconds >= config["first_time"]
        if enough and own >= config["advantage"] * enemy:
            return Stance.ATTACK, f"critical mass: {supply:.0f} army supply, value {own:.0f} against {enemy:.0f}"
        return Stance.DEFEND, "gathering an army"

    def _nothing_left(self, knowledge: Knowledge) -> bool:
        """No enemy structure is remembered that one can walk to, and each place where the enemy may have started was
        looked at."""
        if next(_structures(knowledge), None) is not None:
            return False
        start = knowledge.enemy.start
        places = [start] if start is not None else knowledge.terrain.enemy_starts
        return all(knowledge.visibility[int(place.y), int(place.x)] >= 1 for place in places)


def army_supply(knowledge: Knowledge) -> float:
    """Supply of our living army, Marines in bunkers included."""
    return garrison(knowledge) + sum(knowledge.facts[unit.type_id].cost.supply for unit in knowledge.own.army)


def army_is_behind(knowledge: Knowledge, config: Mapping[str, Any]) -> bool:
    """Whether our army is smaller than the schedule wants by now, or than the enemy's calls for."""
    wanted = float(np.interp(knowledge.seconds, config["seconds"], config["supply"], left=0.0))
    return army_supply(knowledge) < wanted or army_value(knowledge) < config["advantage"] * knowledge.enemy.army_value


def rally_point(knowledge: Knowledge, early: bool, config: Mapping[str, Any]) -> Point2:
    """Where the army waits: at the top of the ramp while there is only the main, then in front of the base nearest to
    the enemy, and half way back to the natural where that is another one: it has to reach both in time.

    As long as it is `early` a bunker there is the place to be: right behind it. `config` is the table `rally`.
    """
    terrain = knowledge.terrain
    bases = [base.site for base in knowledge.bases]
    finished = [base.site for base in knowledge.bases if base.townhall.is_ready]
    if len(finished) > 1:  # a third base that is still being built is far from those that have to be held
        bases = finished
    if terrain.ramp_top is not None and all(site is terrain.sites[0] for site in bases):
        return terrain.ramp_top.towards(terrain.start, config["behind_ramp"])
    if not bases:
        return terrain.start
    outer = min(bases, key=lambda site: site.enemy_distance)
    bunkers = [bunker.position for bunker in knowledge.own.of(UnitTypeId.BUNKER)] if early else []
    for bunker in bunkers:
        if bunker.distance_to(outer.position) <= config["bunker_near"]:
            return bunker.towards(outer.position, config["behind_bunker"])
    if outer is not terrain.natural and terrain.natural in bases:
        return _between(outer.position, terrain, config)
    return Point2(terrain.from_enemy.towards_source(outer.position, config["ahead"]))


def _between(outer: Point2, terrain: Terrain, config: Mapping[str, Any]) -> Point2:
    """On the way from an outer base to the natural, off ramps: the army would stand in its own way, and tanks could
    not siege."""
    ways = terrain.from_natural
    back = min(config["between"] * ways.to(outer), config["furthest"])
    tried = [Point2(ways.towards_source(outer, back + more)) for more in (0.0, -3.0, 3.0, -6.0, 6.0)]
    return next((point for point in tried if terrain.is_level(point, config["off_ramp"])), tried[0])


def attack_target(knowledge: Knowledge) -> Point2 | None:
    """The enemy base nearest to us that is known, any structure after that, else where the enemy must have started.

    What nobody can walk to is hunted when nothing else is left.
    """
    own = knowledge.terrain.from_start
    structures = list(_structures(knowledge))
    places = [s.position for s in structures if s.type_id in TOWNHALLS] or [s.position for s in structures]
    if places:
        return min(places, key=own.to)
    if knowledge.enemy.start is not None:
        return knowledge.enemy.start
    unseen = [p for p in knowledge.terrain.enemy_starts if knowledge.visibility[int(p.y), int(p.x)] == 0]
    return (unseen or list(knowledge.terrain.enemy_starts) or [None])[0]


def _structures(knowledge: Knowledge) -> Iterator[Sighting]:
    """The remembered ones of the enemy that one can walk to."""
    ways = knowledge.terrain.from_start
    return (s for s in knowledge.enemy.memory.values() if s.is_structure and math.isfinite(ways.to(s.position)))


def search_points(knowledge: Knowledge) -> tuple[Point2, ...]:
    """Town hall sites and map corners not visible now, those never seen and nearest to the enemy first."""
    terrain = knowledge.terrain
    x0, y0, x1, y1 = terrain.playable
    corners = [Point2((x, y)) for x in (x0 + 4, (x0 + x1) / 2, x1 - 4) for y in (y0 + 4, (y0 + y1) / 2, y1 - 4)]
    points = [site.position for site in terrain.sites] + corners
    points = [p for p in points if not knowledge.is_visible(p)]
    points.sort(key=lambda p: (int(knowledge.visibility[int(p.y), int(p.x)]), terrain.from_enemy.to(p)))
    return tuple(points)
