"""How many workers, bases, refineries and structures we want by now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sc2.ids.unit_typeid import UnitTypeId

from bot.knowledge.model import Base, Knowledge


def ready_bases(knowledge: Knowledge) -> list[Base]:
    """Finished bases."""
    return [base for base in knowledge.bases if base.townhall.is_ready]


def workers_wanted(knowledge: Knowledge, config: Mapping[str, Any]) -> int:
    """Enough for all fields and refineries of our bases, those counted that are done soon, up to the limit."""
    soon = [base for base in knowledge.bases if base.townhall.build_progress >= config["count_base_from"]]
    wanted = max(saturation(soon), config["workers_per_base"])
    return min(wanted + 2, config["most_workers"])


def saturation(bases: Iterable[Base]) -> int:
    """SCVs that their fields and geysers keep busy: two a field, three a geyser."""
    return sum(2 * len(base.minerals) + 3 * min(2, len(base.geysers)) for base in bases)


def bases_wanted(knowledge: Knowledge, rushed: bool, one_base: bool, config: Mapping[str, Any]) -> tuple[int, str]:
    """(town halls, reason)."""
    halls = len(knowledge.own.townhalls)
    seconds = knowledge.seconds
    if rushed:
        return max(halls, 1), "an attack is on: no new base"
    wanted, reason = 2, "two bases to begin with"
    if one_base:
        return max(halls, wanted), "no third base against an enemy on one"
    if seconds >= config["third_base"]:
        wanted, reason = 3, "third base by the clock"
    if seconds >= config["fourth_base"]:
        wanted = 4 + int((seconds - config["fourth_base"]) // config["base_every"])
        reason = f"base {wanted} by the clock"
    full = config["saturated"] * min(saturation(knowledge.bases), config["most_workers"])
    if wanted > max(halls, 2) and len(knowledge.own.workers) < full:
        wanted, reason = max(halls, 2), "our bases have room for more SCVs"
    mined_out = sum(len(base.minerals) < config["minerals_low"] for base in knowledge.bases)
    if mined_out:
        wanted, reason = wanted + mined_out, f"{mined_out} bases run dry"
    if knowledge.minerals > config["bank"] and wanted <= halls:
        wanted, reason = halls + 1, "too much in the bank: one more base"
    return min(wanted, config["most_bases"]), reason


def refineries_wanted(knowledge: Knowledge, rushed: bool, config: Mapping[str, Any]) -> int:
    """Refineries by the number of workers: gas only once minerals are mined well. `config` is the table `gas`."""
    if rushed and knowledge.seconds < config["rushed_until"]:
        return 1
    bases, workers = len(ready_bases(knowledge)), len(knowledge.own.workers)
    if bases <= 1:
        return 1 + (workers >= config["second_on_one_base"])
    wanted = 1 + sum(workers >= least for least in config["workers_for_more"])
    if knowledge.gas > config["much"]:
        return min(wanted, 2)  # there is more gas than minerals to spend it with
    return min(wanted, 2 * bases)


def gas_workers(knowledge: Knowledge, config: Mapping[str, Any]) -> int:
    """SCVs on gas: all refineries full, fewer while gas piles up and minerals do not."""
    kinds = (UnitTypeId.REFINERY, UnitTypeId.REFINERYRICH)
    refineries = [r for r in knowledge.own.ready(*kinds) if r.vespene_contents > 0]
    full = 3 * len(refineries)
    if knowledge.gas - knowledge.minerals > config["float"]:
        return full // 3
    workers = len(knowledge.own.workers)
    if workers < config["hardly_any"] or (workers < config["few"] and knowledge.gas > config["enough"]):
        return min(full, 1)
    return full


def structures_wanted(knowledge: Knowledge, config: Mapping[str, Any]) -> dict[UnitTypeId, int]:
    """Targets by the number of finished bases; kinds that come later are left out until their time."""
    index = min(max(len(ready_bases(knowledge)), 1), 4) - 1
    earliest = config["structures_from"]
    return {
        UnitTypeId[name]: row[index]
        for name, row in config["structures"].items()
        if knowledge.seconds >= earliest.get(name, 0)
    }
