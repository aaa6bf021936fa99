"""Scenarios as TOML: reading, checking, saying in one line what is wrong. docs/scenarios.md explains the keys."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from sim.facts import load
from train import grounds
from train.errors import TrainError
from train.scenario import (
    ALLOWS,
    BEHAVIOURS,
    MODES,
    PATCH,
    RACES,
    Group,
    Mission,
    Point,
    Reward,
    Scenario,
    check_unit,
    upgrade_ids,
)

KEYS = (
    *("title", "ground", "limit", "races", "own", "enemy", "upgrades", "behaviour", "aims", "enemy_point", "mission"),
    *("fog", "passive", "jitter", "mirror", "skills", "reward", "bank", "win_by", "targets", "reserve", "levels"),
)
LEVEL_KEYS = ("own", "enemy", "own_counts", "enemy_counts", "behaviour", "limit", "upgrades", "jitter", "mission")
GROUP_KEYS = ("unit", "count", "at", "energy", "life", "aboard")
WINS = ("kill", "survive", "target")
MOST_UNITS = 120  # of one side
LEVELS = (1, 2, 3)


def read(path: Path, name: str, level: int = 2, family: str = "user") -> Scenario:
    """The scenario of a file at a level.

    Raises:
        TrainError: unreadable, not TOML, or something in it is wrong; one line with file, key and what is allowed.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TrainError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TrainError(f"{path}: no TOML: {error}") from None
    return parse(table, str(path), name, level, family)


def parse(table: Mapping[str, Any], where: str, name: str, level: int = 2, family: str = "user") -> Scenario:
    """A scenario from its table; `where` names it in error messages."""
    known(table, KEYS, where)
    table = _at_level(table, level, where)
    need(table, ("ground", "own", "enemy"), where)
    ground = table["ground"]
    terrain = (
        grounds.named(ground) if isinstance(ground, str) else grounds.build(name, _dict(ground, "ground", where), where)
    )
    inside = _inside(terrain.width, terrain.height)
    own = tuple(_group(row, f"{where}: own[{k}]", inside) for k, row in enumerate(_rows(table, "own", where)))
    enemy = tuple(_group(row, f"{where}: enemy[{k}]", inside) for k, row in enumerate(_rows(table, "enemy", where)))
    for side, groups in (("own", own), ("enemy", enemy)):
        if not 1 <= sum(group.count for group in groups) <= MOST_UNITS:
            raise TrainError(f"{where}: {side} has {sum(g.count for g in groups)} units; 1 to {MOST_UNITS} are allowed")
    _check_sides(own, enemy, where)
    upgrades = _dict(table.get("upgrades", {}), "upgrades", where)
    known(upgrades, ("own", "enemy"), f"{where}: upgrades")
    races = _races(table.get("races", ["Terran", "Terran"]), where)
    start = own[0].at
    far = enemy[0].at
    return Scenario(
        name=name,
        title=_text(table.get("title", name), "title", where),
        ground=terrain,
        own=own,
        enemy=enemy,
        limit=whole(table.get("limit", 120), f"{where}: limit", 1, 4000),
        family=family,
        level=level,
        races=races,
        upgrades=(
            upgrade_ids(_texts(upgrades.get("own", []), "upgrades.own", where), f"{where}: upgrades.own"),
            upgrade_ids(_texts(upgrades.get("enemy", []), "upgrades.enemy", where), f"{where}: upgrades.enemy"),
        ),
        behaviour=choice(table.get("behaviour", "attack"), BEHAVIOURS, f"{where}: behaviour"),
        aims=_bool(table.get("aims", False), "aims", where),
        enemy_point=_point(table["enemy_point"], f"{where}: enemy_point", inside) if "enemy_point" in table else None,
        mission=_mission(_dict(table.get("mission", {}), "mission", where), where, inside, far, start),
        fog=_bool(table.get("fog", True), "fog", where),
        passive=_bool(table.get("passive", False), "passive", where),
        jitter=number(table.get("jitter", 1.0), f"{where}: jitter", 0.0, 10.0),
        mirror=_bool(table.get("mirror", False), "mirror", where),
        skills=tuple(_texts(table.get("skills", []), "skills", where)),
        reward=_reward(_dict(table.get("reward", {}), "reward", where), where),
        bank=whole(table.get("bank", 0), f"{where}: bank", 0, 100000),
        win_by=choice(table.get("win_by", "kill"), WINS, f"{where}: win_by"),
        targets=_targets(table, enemy, where),
        reserve=whole(table.get("reserve", 8), f"{where}: reserve", 0, 200),
    )


def _at_level(table: Mapping[str, Any], level: int, where: str) -> dict[str, Any]:
    """The table with the changes of a level folded in: `levels` is a list of three tables, easiest first."""
    if level not in LEVELS:
        raise TrainError(f"{where}: level {level}; there are {', '.join(map(str, LEVELS))}")
    result = {key: value for key, value in table.items() if key != "levels"}
    levels = table.get("levels", [])
    if levels:
        if not isinstance(levels, list) or len(levels) != len(LEVELS) or not all(isinstance(r, dict) for r in levels):
            raise TrainError(f"{where}: levels must be {len(LEVELS)} tables, the easiest first")
        for index, row in enumerate(levels):
            known(row, LEVEL_KEYS, f"{where}: levels[{index}]")
        chosen = dict(levels[level - 1])
        counts = {side: chosen.pop(f"{side}_counts") for side in ("own", "enemy") if f"{side}_counts" in chosen}
        result.update(chosen)
        for side, numbers in counts.items():
            result[side] = _counted(result.get(side), numbers, f"{where}: levels[{level - 1}]: {side}_counts")
    return result


def _counted(rows: Any, numbers: Any, where: str) -> list[dict[str, Any]]:
    """Groups with other counts, in their order."""
    fits = isinstance(rows, list) and isinstance(numbers, list) and len(rows) == len(numbers)
    if not fits or not all(isinstance(row, dict) for row in rows):
        raise TrainError(f"{where} must hold one number for each group")
    return [{**row, "count": number} for row, number in zip(rows, numbers, strict=True)]


def known(table: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    """TrainError for keys that mean nothing."""
    unknown = sorted(set(table) - set(keys))
    if unknown:
        raise TrainError(f"{where}: unknown key {unknown[0]!r}; allowed: {', '.join(keys)}")


def need(table: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    """TrainError for keys that are missing."""
    missing = [key for key in keys if key not in table]
    if missing:
        raise TrainError(f"{where}: {missing[0]!r} is missing")


def number(value: Any, where: str, least: float, most: float) -> float:
    """A number between two others."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not least <= value <= most:
        raise TrainError(f"{where}: {value!r} is no number from {least:g} to {most:g}")
    return float(value)


def whole(value: Any, where: str, least: int, most: int) -> int:
    """A whole number between two others."""
    found = number(value, where, least, most)
    if not found.is_integer():
        raise TrainError(f"{where}: {value!r} is no whole number")
    return int(found)


def choice(value: Any, allowed: Sequence[str], where: str) -> str:
    """One of some words."""
    if value not in allowed:
        raise TrainError(f"{where}: {value!r}; allowed: {', '.join(allowed)}")
    return value


def _inside(width: int, height: int) -> Callable[[float, float], bool]:
    return lambda x, y: 0 <= x < width and 0 <= y < height


def _point(value: Any, where: str, inside: Callable[[float, float], bool]) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise TrainError(f"{where}: {value!r} is no point [x, y]")
    x, y = (number(v, where, 0, 256) for v in value)
    if not inside(x, y):
        raise TrainError(f"{where}: ({x:g}, {y:g}) lies outside the ground")
    return x, y


def _group(row: Any, where: str, inside: Callable[[float, float], bool]) -> Group:
    row = _dict(row, "", where)
    known(row, GROUP_KEYS, where)
    need(row, ("unit", "at"), where)
    return Group(
        unit=check_unit(_text(row["unit"], "unit", where), where),
        count=whole(row.get("count", 1), f"{where}: count", 0, MOST_UNITS),
        at=_point(row["at"], f"{where}: at", inside),
        energy=number(row["energy"], f"{where}: energy", 0, 200) if "energy" in row else None,
        life=number(row.get("life", 1.0), f"{where}: life", 0.01, 1.0),
        aboard=check_unit(_text(row["aboard"], "aboard", where), where) if row.get("aboard") else "",
    )


def _check_sides(own: Sequence[Group], enemy: Sequence[Group], where: str) -> None:
    """TrainError where nobody of ours can be told what to do, or enemies are aboard, which only ours can be."""
    types, ids = load(PATCH).types, load(PATCH).ids
    if not any(group.count and not types[ids[group.unit]]["structure"] for group in own):
        raise TrainError(f"{where}: own has structures alone; some units are needed that do what they are told")
    for k, group in enumerate(enemy):
        if group.aboard:
            raise TrainError(f"{where}: enemy[{k}]: aboard is for units of ours only")


def _targets(table: Mapping[str, Any], enemy: Sequence[Group], where: str) -> tuple[str, ...]:
    """Types that must die; some of them are there where that is how to win."""
    found = tuple(check_unit(n, f"{where}: targets") for n in _texts(table.get("targets", []), "targets", where))
    if table.get("win_by") == "target" and not any(group.count and group.unit in found for group in enemy):
        raise TrainError(f'{where}: win_by = "target" needs targets: types of which some enemies are')
    return found


def _mission(
    row: dict[str, Any], where: str, inside: Callable[[float, float], bool], point: Point, home: Point
) -> Mission:
    where = f"{where}: mission"
    known(row, ("mode", "point", "home", "allows"), where)
    allows = _texts(row.get("allows", []), "allows", where)
    for name in allows:
        choice(name, tuple(ALLOWS), f"{where}: allows")
    return Mission(
        mode=choice(row.get("mode", "fight"), MODES, f"{where}: mode"),
        point=_point(row["point"], f"{where}: point", inside) if "point" in row else point,
        home=_point(row["home"], f"{where}: home", inside) if "home" in row else home,
        allows=tuple(allows),
    )


def _reward(row: dict[str, Any], where: str) -> Reward:
    keys = tuple(f.name for f in fields(Reward))
    known(row, keys, f"{where}: reward")
    ranges = {"damage": (0, 1)}
    weights = {k: number(v, f"{where}: reward.{k}", *ranges.get(k, (-100, 100))) for k, v in row.items()}
    return Reward(**weights)


def _races(value: Any, where: str) -> tuple[int, int]:
    names = _texts(value, "races", where)
    if len(names) != 2:
        raise TrainError(f"{where}: races must be two of {', '.join(RACES)}: ours and the enemy's")
    first, second = (RACES[choice(name, tuple(RACES), f"{where}: races")] for name in names)
    return first, second


def _rows(table: Mapping[str, Any], key: str, where: str) -> list[Any]:
    rows = table[key]
    if not isinstance(rows, list) or not rows:
        raise TrainError(f"{where}: {key} must be a list of groups, as in [[{key}]]")
    return rows


def _dict(value: Any, key: str, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TrainError(f"{where}: {key or 'each row'} must be a table")
    return value


def _text(value: Any, key: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TrainError(f"{where}: {key} must be a text")
    return value


def _texts(value: Any, key: str, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise TrainError(f"{where}: {key} must be a list of texts")
    return value


def _bool(value: Any, key: str, where: str) -> bool:
    if not isinstance(value, bool):
        raise TrainError(f"{where}: {key} must be true or false")
    return value
