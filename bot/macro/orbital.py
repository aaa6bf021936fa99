"""Orbital Commands: MULEs, scans and the emergency supply drop."""

from __future__ import annotations

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND, Knowledge
from bot.orders import Cast, Order

BLOCKED = 6 * LOOPS_PER_SECOND
"""Loops of supply block after which a supply drop is worth a MULE."""
SCAN_RADIUS = 10.0


class Orbital:
    """Spends the energy of Orbital Commands."""

    def __init__(self) -> None:
        self._config = load("macro")["orbital"]
        self._scans: list[tuple[Point2, int]] = []
        self._blocked_since: int | None = None
        self._scouted: dict[Point2, int] = {}
        self._dropped: set[int] = set()
        """Depots that have had their extra supplies: they take none again."""

    def step(self, knowledge: Knowledge) -> list[Order]:
        """At most one cast per Orbital Command."""
        again = self._config["scan_again"] * LOOPS_PER_SECOND
        self._scans = [(point, loop) for point, loop in self._scans if knowledge.loop - loop < again]
        ready = [o for o in knowledge.own.ready(UnitTypeId.ORBITALCOMMAND) if o.energy >= self._config["mule_energy"]]
        ready.sort(key=lambda orbital: -orbital.energy)
        orders: list[Order] = []
        for look in (self._hidden, self._curious):
            target = look(knowledge, ready)
            if target is not None:
                orders.append(self._scan(ready.pop(0), target, knowledge.loop))
        if self._is_blocked(knowledge) and ready:
            depots = knowledge.own.ready(UnitTypeId.SUPPLYDEPOT, UnitTypeId.SUPPLYDEPOTLOWERED)
            depot = next((depot for depot in depots if depot.tag not in self._dropped), None)
            if depot is not None:
                orders.append(Cast(ready.pop(0).tag, depot.tag, cast=AbilityId.SUPPLYDROP_SUPPLYDROP, instant=True))
                self._dropped.add(depot.tag)
                self._blocked_since = None
        for orbital in self._spare(ready, knowledge):
            field = _mule_field(orbital, knowledge)
            if field is not None:
                orders.append(Cast(orbital.tag, field.tag, cast=AbilityId.CALLDOWNMULE_CALLDOWNMULE, instant=True))
        return orders

    def _spare(self, ready: list[Unit], knowledge: Knowledge) -> list[Unit]:
        """Those of `ready` (the fullest first) whose energy no scan may need: all keep some once cloaked enemies are
        known, and one does from the time on when the first of them may come."""
        kept = len(ready) if knowledge.enemy.has_cloak else int(knowledge.seconds >= self._config["reserve_from"])
        if len(knowledge.own.ready(UnitTypeId.ORBITALCOMMAND)) <= 1:
            kept = 0
        full = self._config["mule_energy"] + self._config["scan_reserve"]
        return [orbital for number, orbital in enumerate(ready) if number >= kept or orbital.energy >= full]

    def _scan(self, orbital: Unit, point: Point2, loop: int) -> Order:
        self._scans.append((point, loop))
        return Cast(orbital.tag, (point.x, point.y), cast=AbilityId.SCANNERSWEEP_SCAN, instant=True)

    def _hidden(self, knowledge: Knowledge, ready: list[Unit]) -> Point2 | None:
        """Where a hidden enemy is among our fighters, whom nothing of ours detects and no scan has just been for."""
        if not ready:
            return None
        friends = [unit.position for unit in knowledge.own.army]
        for unit in knowledge.enemy.units:
            if not unit.is_cloaked or unit.is_revealed or not knowledge.facts[unit.type_id].is_fighter:
                continue
            near = sum(unit.position.distance_to(friend) < 10 for friend in friends)
            covered = any(unit.position.distance_to(point) < SCAN_RADIUS for point, _ in self._scans)
            if near >= 3 and not covered:
                return unit.position
        return None

    def _curious(self, knowledge: Knowledge, ready: list[Unit]) -> Point2 | None:
        """Now and then a look at the enemy's main, when the fullest of `ready` has energy to spare."""
        if knowledge.seconds < self._config["scout_from"] or knowledge.enemy.start is None:
            return None
        start = knowledge.enemy.start
        last = self._scouted.get(start, -(10**6))
        rich = bool(ready) and ready[0].energy >= 2 * self._config["mule_energy"]
        if not rich or knowledge.loop - last < self._config["scout_every"] * LOOPS_PER_SECOND:
            return None
        self._scouted[start] = knowledge.loop
        return start

    def _is_blocked(self, knowledge: Knowledge) -> bool:
        """Whether supply has been short with money in the bank for a while."""
        short = knowledge.supply_left <= 1 and knowledge.supply_cap < 200 and knowledge.minerals > 200
        if not short:
            self._blocked_since = None
            return False
        if self._blocked_since is None:
            self._blocked_since = knowledge.loop
        return knowledge.loop - self._blocked_since > BLOCKED


def _mule_field(orbital: Unit, knowledge: Knowledge) -> Unit | None:
    """The fullest visible field of the nearest safe base."""
    bases = [
        base
        for base in knowledge.bases
        if base.townhall.is_ready and base.minerals and not knowledge.is_threatened(base)
    ]
    bases.sort(key=lambda base: base.site.position.distance_to(orbital.position))
    for base in bases:
        visible = [field for field in base.minerals if field.is_visible]
        if visible:
            return max(visible, key=lambda field: field.mineral_contents)
    return None
