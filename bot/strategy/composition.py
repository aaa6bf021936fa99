"""What the army is made of: shares by what the enemy has, and numbers of special units, both from composition.toml."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.knowledge.model import LOOPS_PER_SECOND, Knowledge


class CompositionKeeper:
    """Chooses among the armies of the table by what was seen, and keeps a choice for a while."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._rules = config["rules"]
        self._armies = [(row, {UnitTypeId[unit]: s for unit, s in row["units"].items()}) for row in config["army"]]
        self._now = len(self._armies) - 1
        self._since = 0

    def update(self, knowledge: Knowledge) -> tuple[Mapping[UnitTypeId, float], str]:
        """(shares of army supply, reason)."""
        wanted = self._judge(knowledge)
        if wanted != self._now and (knowledge.loop - self._since) / LOOPS_PER_SECOND >= self._rules["hold"]:
            self._now, self._since = wanted, knowledge.loop
        row, shares = self._armies[self._now]
        return shares, row["reason"]

    def _judge(self, knowledge: Knowledge) -> int:
        """Place of the first army that fits."""
        value = knowledge.enemy.army_value
        if value < self._rules["least_value"]:
            return self._now
        for place, (row, _) in enumerate(self._armies):
            seen = _types(row)
            many = bool(seen) and _value(knowledge, seen) >= row.get("share", math.inf) * value
            many |= bool(seen) and _number(knowledge, seen) >= row.get("count", math.inf)
            if _race_fits(knowledge, row) and (many or not seen):
                return place
        return self._now


def specials(
    knowledge: Knowledge, config: Mapping[str, Any]
) -> tuple[dict[UnitTypeId, int], tuple[UpgradeId, ...], str]:
    """(wanted numbers by unit, what to research for them, reason)."""
    wanted: dict[UnitTypeId, int] = {}
    upgrades: list[UpgradeId] = []
    for row in config["special"]:
        late = knowledge.seconds >= row.get("after", 0) and knowledge.supply_used >= row.get("supply", 0)
        if not late or not _race_fits(knowledge, row):
            continue
        unit = UnitTypeId[row["unit"]]
        have = len(knowledge.own.of(unit))
        if knowledge.minerals < row.get("bank", 0) and not have:
            continue
        seen = _types(row)
        number = min(math.ceil(row["each"] * _number(knowledge, seen)), row["count"]) if seen else row["count"]
        if number <= 0:
            continue
        wanted[unit] = max(wanted.get(unit, 0), number)
        upgrades += [UpgradeId[name] for name in row.get("upgrades", ())]
    reason = ", ".join(f"{count} {unit.name.lower()}" for unit, count in wanted.items())
    return wanted, tuple(dict.fromkeys(upgrades)), f"special units: {reason}" if reason else ""


def _types(row: Mapping[str, Any]) -> tuple[UnitTypeId, ...]:
    return tuple(UnitTypeId[name] for name in row.get("seen", ()))


def _race_fits(knowledge: Knowledge, row: Mapping[str, Any]) -> bool:
    race = getattr(getattr(knowledge.bot, "enemy_race", None), "name", "Random")
    return "races" not in row or race in row["races"]


def _number(knowledge: Knowledge, kinds: tuple[UnitTypeId, ...]) -> int:
    return sum(knowledge.enemy.counts.get(kind, 0) for kind in kinds)


def _value(knowledge: Knowledge, kinds: tuple[UnitTypeId, ...]) -> float:
    counts = knowledge.enemy.counts
    return float(sum(counts.get(kind, 0) * knowledge.facts[kind].cost.value for kind in kinds))
