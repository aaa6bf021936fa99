"""What happened in one game: counted while it plays, and written as one JSON file at its end."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI
    from sc2.unit import Unit

WARM_UP_STEPS = 10  # the first steps fill caches, which says nothing about the others
NOT_COUNTED = {UnitTypeId.MULE, UnitTypeId.AUTOTURRET, UnitTypeId.KD8CHARGE, UnitTypeId.LARVA, UnitTypeId.EGG}
"""Short-lived or passive things whose coming and going says nothing about a fight."""


@dataclass
class Tally:
    """Counts of one game, fed once a step with `see` and `time_step`; types are counted by their name."""

    built: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    killed: Counter[str] = field(default_factory=Counter)
    step_ms: list[float] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    _own: dict[int, str] = field(default_factory=dict)
    _enemy: dict[int, tuple[str, float]] = field(default_factory=dict)
    _reasons: tuple[str, ...] = ()

    def see(self, ai: BotAI) -> None:
        """Takes in what is new in this step's observation; structures count once they are finished.

        What has no life is the client's picture of a structure out of sight, under another tag: it was counted before.
        """
        first = not self._own
        for unit in ai.all_own_units:
            if unit.tag not in self._own and unit.type_id not in NOT_COUNTED and unit.build_progress >= 1.0:
                self._own[unit.tag] = unit.type_id.name
                if not first:
                    self.built[unit.type_id.name] += 1
        for unit in ai.all_enemy_units:
            if unit.tag not in self._enemy and unit.type_id not in NOT_COUNTED and unit.health_max > 0:
                self._enemy[unit.tag] = (unit.type_id.name, price(ai, unit))
        for tag in ai.state.dead_units:
            if tag in self._own:
                self.lost[self._own.pop(tag)] += 1
            elif tag in self._enemy:
                self.killed[self._enemy.pop(tag)[0]] += 1

    def hear(self, ai: BotAI) -> None:
        """Notes each reason of the bot's plan when it first appears, with the game's time in seconds."""
        reasons = tuple(getattr(getattr(ai, "plan", None), "reasons", ()))
        if reasons is self._reasons or reasons == self._reasons:
            return
        self.decisions += [{"seconds": round(ai.time, 1), "reason": r} for r in reasons if r not in self._reasons]
        self._reasons = reasons

    def time_step(self, milliseconds: float) -> None:
        """Adds one step's thinking time of the bot, without the client's and the engine's own time."""
        self.step_ms.append(milliseconds)

    def enemy_value(self) -> float:
        """Minerals and gas of every enemy thing seen and not seen dying."""
        return sum(value for _, value in self._enemy.values())

    def steps(self) -> dict[str, float]:
        """Median, p99 and maximum after the warm-up steps, and the worst of those first steps; milliseconds."""
        start, rest = self.step_ms[:WARM_UP_STEPS], self.step_ms[WARM_UP_STEPS:]
        measured = rest or start or [0.0]
        return {
            "median": round(float(np.median(measured)), 3),
            "p99": round(float(np.percentile(measured, 99)), 3),
            "max": round(max(measured), 3),
            "start_max": round(max(start, default=0.0), 3),
        }


def price(ai: BotAI, unit: Unit) -> float:
    """Minerals and gas of one unit; 0 for what has no price or is unknown to the client's data."""
    data = ai.game_data.units.get(unit.type_id.value)
    if data is None:
        return 0.0
    return float(data._proto.mineral_cost + data._proto.vespene_cost)


def army_value(ai: BotAI) -> float:
    """Minerals and gas of all own units that are not workers."""
    workers = {UnitTypeId.SCV, UnitTypeId.MULE, UnitTypeId.DRONE, UnitTypeId.PROBE}
    return sum(price(ai, unit) for unit in ai.units if unit.type_id not in workers)


def army_score(ai: BotAI | None) -> dict[str, int]:
    """Minerals and gas of armies, lost by us and killed by us, as the game's own score counts them."""
    details = getattr(getattr(ai, "state", None), "score", None)
    return {
        what: round(sum(getattr(details, f"{what}_{resource}_army", 0.0) for resource in ("minerals", "vespene")))
        for what in ("lost", "killed")
    }


def build_report(setup: dict[str, Any], ai: BotAI | None, tally: Tally, result: str, wall: float) -> dict[str, Any]:
    """The report as plain values. `setup` holds map, opponent and seed; `wall` is in seconds; `ai` None = no game."""
    state = getattr(ai, "state", None)
    loops = state.game_loop if state is not None else 0
    return {
        "result": result,
        **setup,
        "game_loops": loops,
        "game_seconds": round(loops / 22.4, 1),
        "wall_seconds": round(wall, 1),
        "step_ms": tally.steps(),
        "units_built": dict(sorted(tally.built.items())),
        "units_lost": sum(tally.lost.values()),
        "units_lost_by_type": dict(sorted(tally.lost.items())),
        "enemy_killed": sum(tally.killed.values()),
        "enemy_killed_by_type": dict(sorted(tally.killed.items())),
        "army_value": army_score(ai),
        "errors": [f"{site}: {times} times" for site, times in getattr(ai, "errors", {}).items()],
        "decisions": tally.decisions,
    }


def write_atomically(path: Path, content: str | bytes) -> None:
    """Writes beside the target and renames, so that a reader sees the old file or the new one, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_report(path: Path, report: dict[str, Any]) -> None:
    """Saves the report as indented JSON; raises OSError where the folder cannot be written."""
    write_atomically(path, json.dumps(report, indent=2, default=str) + "\n")
