"""SCVs that mend structures and machines near home."""

from __future__ import annotations

from sc2.data import Attribute
from sc2.ids.unit_typeid import UnitTypeId
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Knowledge
from bot.orders import Order, Repair

URGENT = frozenset({UnitTypeId.BUNKER, UnitTypeId.PLANETARYFORTRESS, UnitTypeId.MISSILETURRET})
"""Structures worth repairing under fire."""


class RepairCrew:
    """Keeps who repairs what."""

    def __init__(self) -> None:
        self._config = load("macro")["repair"]
        self.crew: dict[int, int] = {}
        """SCV tag -> tag of what it repairs."""

    def step(self, knowledge: Knowledge, free_workers: list[Unit]) -> list[Order]:
        """Release crews whose work is done, and send the nearest free workers to what is damaged."""
        targets = {unit.tag: unit for unit in self._damaged(knowledge)}
        self.crew = {
            scv: target
            for scv, target in self.crew.items()
            if scv in knowledge.own.by_tag and target in targets and knowledge.minerals > 0
        }
        free = [worker for worker in free_workers if worker.tag not in self.crew]
        for target in targets.values():
            at_work = sum(tag == target.tag for tag in self.crew.values())
            wanted = self._config["per_target"] + (2 if target.type_id in URGENT else 0)
            while at_work < wanted and free and len(self.crew) < self._config["most"]:
                worker = min(free, key=lambda w: w.position.distance_to(target.position))
                reach = self._config["far" if target.type_id in URGENT else "radius"]
                if worker.position.distance_to(target.position) > reach:
                    break
                free.remove(worker)
                self.crew[worker.tag] = target.tag
                at_work += 1
        return [Repair(scv, target) for scv, target in self.crew.items()]

    def _damaged(self, knowledge: Knowledge) -> list[Unit]:
        """What needs repair, the most urgent first."""
        config = self._config
        result = []
        for structure in knowledge.own.structures:
            if not structure.is_ready or structure.health_percentage >= 0.995:
                continue
            threatened = any(threat.position.distance_to(structure.position) < 12 for threat in knowledge.threats)
            burning = structure.health_percentage < config["burning_below"]
            if threatened and not burning and structure.type_id not in URGENT:
                continue
            started = structure.tag in self.crew.values()
            limit = 0.99 if started or structure.type_id in URGENT else config["structure_below"]
            if structure.health_percentage < limit:
                result.append(structure)
        for unit in knowledge.own.army:
            limit = 0.99 if unit.tag in self.crew.values() else config["mech_below"]
            if (
                unit.health_percentage < limit
                and Attribute.Mechanical in knowledge.facts[unit.type_id].attributes
                and any(unit.position.distance_to(base.site.position) < config["home"] for base in knowledge.bases)
                and not knowledge.threats
            ):
                result.append(unit)
        result.sort(key=lambda unit: (unit.type_id not in URGENT, unit.health_percentage))
        return result
