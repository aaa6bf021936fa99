"""Difficulty levels, build styles and race tables: reads the TOML and CSV files beside it."""

from __future__ import annotations

import csv
import math
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
RACES = {1: "terran", 2: "zerg", 3: "protoss"}
STYLES = ("rush", "timing", "power", "macro", "air")  # AIBuild 2..6; 1 is a random one of them
MEASURED = (3, 7)  # lowest and highest level of the measured curves


class ComputerError(ValueError):
    """A computer player that cannot be made; the text is one line for the user."""


@dataclass(frozen=True, slots=True)
class Level:
    """How well a difficulty plays; see levels.toml for what each value means."""

    name: str
    id: int
    plan: str
    period: int
    focus: int
    attackers: int
    workers: float
    army: float
    overspend: int
    delay: float
    gas_each: int
    supply_ahead: float
    cast_gap: int
    queens: float
    first_wave: int
    wave_gap: int
    hall_gap: int
    wave_army: float
    retreat: float
    regroup: bool
    patient: bool
    first_scout: tuple[int, int]
    overlords: bool
    scout: int
    static: float
    early: float
    upgrades: bool
    vision: bool
    income: tuple[tuple[int, float], ...]

    def income_at(self, loop: int) -> float:
        """Extra share of what its workers bring at a loop."""
        return float(np.interp(loop, *zip(*self.income, strict=True))) if self.income else 0.0


@dataclass(frozen=True, slots=True)
class Style:
    """How a build style bends a level: factors on its times and sizes."""

    name: str
    wave_time: float
    wave_army: float
    workers: float
    army_from: int
    army_rate: float
    hall_gap: float


@dataclass(frozen=True, slots=True)
class Opening:
    """What is begun when; see terran_openings.toml and terran_attacks.toml for the fields. Times in loops."""

    name: str
    bases: int
    tech: tuple[tuple[str, int], ...]
    after: tuple[tuple[str, int], ...]
    phases: tuple[dict, ...]
    wave_time: float = 1.0
    midgame: float = math.inf
    until: int = 0
    attack: tuple[tuple[str, int], ...] = ()
    raiders: tuple[str, ...] = ()
    raid_until: int = 0
    apart: tuple[str, ...] = ()
    workers: tuple[tuple[int, int], ...] = ()
    army: tuple[tuple[int, float], ...] = ()
    exact: bool = False  # its own list of the army, not the most of list and curve
    wave_at: int = 0  # loop of the first wave, 0: the level's, times wave_time
    gap: int = 0  # loops until the next wave, 0: the level's
    most: float = math.inf  # value of the army before the first wave

    def workers_at(self, loop: int) -> float:
        """Most workers that it has at a loop; the last step up to then counts."""
        steps = [most for since, most in self.workers if since <= loop < self.until]
        return steps[-1] if steps else math.inf

    def army_at(self, loop: int) -> float:
        """Value of the army that it has at a loop by its own list, 0 without one or after its end."""
        if not self.army or loop >= self.until:
            return 0.0
        return float(np.interp(loop, *zip(*self.army, strict=True), left=0.0))


@dataclass(frozen=True, slots=True)
class Curves:
    """What the real computer of a race has at a level by loop: float arrays of equal length."""

    loops: np.ndarray
    workers: np.ndarray
    army: np.ndarray

    def workers_at(self, loop: int) -> float:
        """Workers alive at a loop."""
        return float(np.interp(loop, self.loops, self.workers))

    def army_at(self, loop: int) -> float:
        """Minerals and gas in finished fighting units at a loop; goes on rising with the last slope."""
        last = self.loops[-1]
        if loop <= last:
            return float(np.interp(loop, self.loops, self.army))
        slope = (self.army[-1] - self.army[-2]) / (last - self.loops[-2])
        return float(self.army[-1] + slope * (loop - last))


@cache
def _toml(name: str) -> dict:
    path = HERE / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@cache
def level(difficulty: int) -> Level:
    """The level of an API difficulty (1 VeryEasy .. 10 CheatInsane). Raises ComputerError for any other number."""
    for name, values in _toml("levels")["level"].items():
        if values["id"] == difficulty:
            known = {f.name for f in fields(Level)}
            found = {
                key: tuple(value) if isinstance(value, list) else value for key, value in values.items() if key in known
            }
            return Level(name=name, **found)
    raise ComputerError(f"unknown difficulty {difficulty}; known: 1 (VeryEasy) to 10 (CheatInsane)")


@cache
def style(name: str, plan: str) -> Style:
    """A build style by name, as the levels of a plan play it."""
    values = _toml("levels")["style"][name]
    common = {key: value for key, value in values.items() if not isinstance(value, dict)}
    return Style(name=name, **(common | values.get(plan, {})))


@cache
def race_table(race: int) -> dict:
    """The race's table (roles, static defence, which openings). Raises ComputerError for a race without one."""
    table = _toml(RACES.get(race, ""))
    if not table:
        known = ", ".join(name for name in RACES.values() if _toml(name))
        raise ComputerError(
            f"the built-in opponent cannot play {RACES.get(race, f'race {race}')} yet; it plays {known}"
        )
    return table


def openings(race: int, plan: str, style: str, asked: bool) -> dict[str, float]:
    """Names of a style's openings with their weights; who asks for the style may get others than a random build."""
    choices = race_table(race)["openings"][plan]
    return (choices | choices.get("asked", {}) if asked else choices)[style]


@cache
def opening(race: int, name: str) -> Opening:
    """An opening of a race by name; KeyError for an unknown one."""
    values = _toml(f"{RACES[race]}_openings")["opening"].get(name)
    if values is None:
        attacks = _toml(f"{RACES[race]}_attacks")
        own, common = attacks["opening"][name], attacks["common"]
        values = common | own | {"phases": own["phases"] + common["phases"]}
    if model := values.get("like"):
        base = _toml(f"{RACES[race]}_openings")["opening"][model]
        joined = {"after": values.get("after", []) + base["after"]}
        values = {key: value for key, value in (base | values | joined).items() if key != "like"}
    pairs = ("tech", "after", "attack", "workers", "army")
    lists = {key: tuple((what, at) for what, at in values.get(key, ())) for key in pairs}
    lists |= {key: tuple(values.get(key, ())) for key in ("phases", "raiders", "apart")}
    return Opening(name=name, **(values | lists))


@cache
def curves(race: int, difficulty: int, bases: int) -> Curves:
    """Measured curves; other levels take the nearest, which `Level.workers` and `Level.army` scale, and a race that
    never opens with so few bases at a level takes those of its other openings."""
    wanted = min(max(difficulty, MEASURED[0]), MEASURED[1])
    with (HERE / "curves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    level_rows = [row for row in rows if row["race"] == RACES[race] and int(row["level"]) == wanted]
    mine = [row for row in level_rows if int(row["bases"]) == bases] or level_rows
    return Curves(*(np.array([float(row[key]) for row in mine]) for key in ("loop", "workers", "army")))
