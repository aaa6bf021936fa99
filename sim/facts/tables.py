"""Reads one patch's csv tables into `Facts`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np

from sim.engine.catalog import ATTRIBUTES, BROAD, CLIMB, MAX_WEAPONS, RINGS, TYPE, WALK, WEAPON
from sim.engine.parameters import LINGER_LOOPS, LINGER_SIGHT
from sim.facts import copies
from sim.facts.model import Ability, Buff, Effect, Facts, FactsError, Requirement, Resource, Upgrade

HERE = Path(__file__).resolve().parent
CLIMBERS = ("Reaper", "Colossus")  # the catalog's movers CliffJumper and Colossus
LINGER = dict.fromkeys(("WidowMine", "WidowMineBurrowed"), (7.0, 48.0))  # DeathRevealRadius, DeathRevealDuration
TURNERS = ("SiegeTank",)  # the catalog's TurnBeforeMove, as far as seen of 4.10
OVERLAP = 1 / 32  # cells by which a body on the ground reaches into what it touches
ONE_CELL = 0.7  # inner radius to which a unit passes a gap of one cell: above a Roach's .625, below an Ultralisk's .75
FLAGS = ("worker", "structure", "flying", "cloaked", "burrowed", "invulnerable")
CONVERT = {"int": int, "float": float, "str": str, "bool": lambda text: text == "1"}


def patches() -> tuple[str, ...]:
    """Patches that tables exist for, newest first."""
    return tuple(sorted((p.name for p in HERE.iterdir() if (p / "units.csv").is_file()), reverse=True))


def load(patch: str = "5.0.14") -> Facts:
    """Facts of one patch; the same object for the same patch, so treat it as frozen.

    A name like `5.0.14+Marine` adds copies of unit types (`copies.py`). Raises FactsError with one line for an unknown
    patch or unit type.
    """
    plain, *copied = patch.split("+")
    if plain not in patches():
        raise FactsError(f"unknown patch {plain!r}; known: {', '.join(patches())}")
    return with_copies(patch) if copied else loaded(patch)


@cache
def with_copies(patch: str) -> Facts:
    """Facts of a known patch with copies of unit types."""
    plain, *copied = patch.split("+")
    return copies.extended(loaded(plain), patch, tuple(copied), first_free_id(plain))


def first_free_id(patch: str) -> int:
    """The id behind all unit types that the patch knows."""
    last = max(int(row["unit_id"]) for row in protocol_rows(patch, "units"))
    return max(last + 1, len(loaded(patch).types))


@cache
def loaded(patch: str) -> Facts:
    """Read a known patch's tables, once."""
    folder = HERE / patch
    units = list(read(folder / "units.csv"))
    ids = {row["name"]: int(row["id"]) for row in units}
    names = [""] * (max(ids.values()) + 1)
    for name, unit in ids.items():
        names[unit] = name
    weapons, weapon_names, rows_of = weapon_table(folder)
    upgrades = upgrade_table(folder)
    abilities = dict(rows_as(Ability, folder / "abilities.csv"))
    tech_alias = {int(row["id"]): integers(row["tech_alias"]) for row in units if row["tech_alias"]}
    resources = resource_table(units)
    return Facts(
        patch=patch,
        types=type_table(units, rows_of, len(names)),
        weapons=weapons,
        weapon_names=weapon_names,
        names=tuple(names),
        ids=ids,
        abilities=abilities,
        upgrades=upgrades,
        buffs=dict(rows_as(Buff, folder / "buffs.csv")),
        general=general_table(abilities),
        requirements=requirement_table(ids, tech_alias, upgrades, abilities, units),
        shapes={int(row["id"]): (int(row["width"]), int(row["depth"])) for row in units if row["width"]},
        resources=resources,
        tech_alias=tech_alias,
        producer={int(row["id"]): int(row["producer"]) for row in units if row["producer"]},
        flags=flag_table(units, resources, ids),
    )


def read(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a csv file."""
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def protocol_rows(patch: str, table: str) -> list[dict[str, str]]:
    """Rows of what `ResponseData` says about `table` (abilities, units, upgrades, buffs, effects); for the server."""
    plain, *copied = patch.split("+")
    rows = list(read(HERE / plain / f"protocol_{table}.csv"))
    if copied and table == "units":
        return copies.extended_rows(rows, tuple(copied), first_free_id(plain))
    return rows


def integers(text: str) -> tuple[int, ...]:
    """`1|2|3` as integers."""
    return tuple(int(part) for part in text.split("|")) if text else ()


def rows_as(kind: type, path: Path) -> Iterator[tuple[int, object]]:
    """Rows of a table as dataclass values with their id; empty cells take the field's default."""
    makers = {f.name: CONVERT.get(str(f.type), integers) for f in fields(kind)}
    for row in read(path):
        cells = {name: makers[name](text) for name, text in row.items() if text and name in makers}
        yield cells["id"], kind(**cells)


def type_table(units: list[dict[str, str]], rows_of: dict[int, list[int]], size: int) -> np.ndarray:
    """TYPE[size] by unit type id."""
    types = np.zeros(size, TYPE)
    types["weapons"] = -1
    types["creep_speed"] = 1.0
    columns = [name for name in TYPE.names if name in units[0] and name not in ("attributes", "weapons")]
    index = np.array([int(row["id"]) for row in units])
    for name in columns:
        types[name][index] = [float(row[name] or 0) for row in units]
    types["exists"][index] = 1
    types["separation"][index] = [_body(row) for row in units]
    types["linger"][index], types["linger_loops"][index] = zip(*(_linger(row) for row in units), strict=True)
    types["turns_first"][index] = [row["name"] in TURNERS for row in units]
    types["ground"][index] = [_ground(row) for row in units]
    types["attributes"][index] = [
        sum(ATTRIBUTES[part] for part in row["attributes"].split("|") if part) for row in units
    ]
    for unit, rows in rows_of.items():
        types["weapons"][unit, : len(rows)] = rows[:MAX_WEAPONS]
    return types


def _linger(row: dict[str, str]) -> tuple[float, float]:
    """How far and how long a player still sees where a unit of the type died."""
    cells, loops = LINGER.get(row["name"], (LINGER_SIGHT, LINGER_LOOPS))
    return min(cells, float(row["sight"] or 0)), loops


def _body(row: dict[str, str]) -> float:
    """Radius that keeps a type apart from others: on the ground that of its edge, less a 32nd, whatever the catalog's
    separation radius (true places of real ones, see docs/rules.md). Of flyers nothing is known, and an egg's edge, an
    eighth of a cell, would put it into everybody's way and nobody's."""
    separation, edge = float(row["separation"] or 0), float(row["radius"] or 0)
    walks = row["flying"] != "1" and row["structure"] != "1"
    return edge - OVERLAP if walks and 0 < separation < 2 * edge else separation


def _ground(row: dict[str, str]) -> int:
    """Where a type walks; structures and flyers count as walkers."""
    if row["name"] in CLIMBERS:
        return CLIMB
    walks = float(row["speed"] or 0) > 0 and row["flying"] != "1" and row["structure"] != "1"
    return BROAD if walks and float(row["inner_radius"] or 0) > ONE_CELL else WALK


def weapon_table(folder: Path) -> tuple[np.ndarray, tuple[str, ...], dict[int, list[int]]]:
    """WEAPON rows, their names, and each unit type's rows; weapons that start disabled belong to no unit's list."""
    rows = list(read(folder / "weapons.csv"))
    weapons = np.zeros(len(rows), WEAPON)
    rows_of: dict[int, list[int]] = {}
    for i, (row, weapon) in enumerate(zip(rows, weapons, strict=True)):
        for name in WEAPON.names:
            text = row.get(name)
            if not text:
                continue
            if name == "bonus_attribute":
                weapon[name] = ATTRIBUTES[text]
            elif name in ("ring_radius", "ring_fraction"):
                values = [float(part) for part in text.split("|")][:RINGS]
                weapon[name][: len(values)] = values
            else:
                weapon[name] = float(text)
        weapon["exists"] = 1
        if not row["disabled"]:
            rows_of.setdefault(int(row["unit"]), []).append(i)
    return weapons, tuple(row["name"] for row in rows), rows_of


def upgrade_table(folder: Path) -> dict[int, Upgrade]:
    """Upgrades with their effects."""
    effects: dict[int, list[Effect]] = {}
    for row in read(folder / "upgrade_effects.csv"):
        target: int | str = row["target"] if row["scope"] == "weapon" else int(row["target"])
        effect = Effect(row["scope"], target, row["field"], row["op"], float(row["value"] or 0))
        effects.setdefault(int(row["upgrade"]), []).append(effect)
    table = {}
    for row in read(folder / "upgrades.csv"):
        number = {name: int(row[name] or 0) for name in ("id", "race", "minerals", "gas", "ability")}
        table[number["id"]] = Upgrade(
            **number,
            name=row["name"],
            loops=float(row["loops"]),
            requirement=row["requirement"],
            effects=tuple(effects.get(number["id"], ())),
        )
    return table


def general_table(abilities: dict[int, Ability]) -> dict[int, tuple[int, ...]]:
    """Exact ids by the general id that may stand for them."""
    table: dict[int, list[int]] = {}
    for ability in abilities.values():
        if ability.general:
            table.setdefault(ability.general, []).append(ability.id)
    # A scan move (link `move`, command 3) also answers to Attack, but whoever can attack attacks.
    for exact in table.values():
        exact.sort(key=lambda number: abilities[number].name == "move")
    return {general: tuple(exact) for general, exact in table.items()}


def resource_table(units: list[dict[str, str]]) -> dict[int, Resource]:
    """What mineral fields, geysers and gas structures hold and yield, by type id."""
    return {
        int(row["id"]): Resource(
            contents=int(row["contents"] or 0),
            amount=int(row["yield"]),
            loops=float(row["harvest_loops"] or 0),
            return_loops=float(row["return_loops"] or 0),
            ideal=int(row["ideal_harvesters"] or 0),
            is_gas=row["is_gas"] == "1",
        )
        for row in units
        if row["yield"]
    }


def flag_table(
    units: list[dict[str, str]], resources: dict[int, Resource], ids: dict[str, int]
) -> dict[str, frozenset[int]]:
    """Sets of unit types by a property."""
    flags = {flag: frozenset(int(row["id"]) for row in units if row[flag] == "1") for flag in FLAGS}
    structures = frozenset(int(row["id"]) for row in units if row["structure"] == "1" and row["race"])
    halls = ("CommandCenter", "OrbitalCommand", "PlanetaryFortress", "Hatchery", "Lair", "Hive", "Nexus")
    return flags | {
        "town_hall": frozenset(ids[name] for name in halls),
        "gas_structure": frozenset(unit for unit, r in resources.items() if r.is_gas and unit in structures),
        "geyser": frozenset(unit for unit, r in resources.items() if r.is_gas and unit not in structures),
        "mineral": frozenset(unit for unit, r in resources.items() if not r.is_gas),
        "addon": frozenset(unit for name, unit in ids.items() if name.endswith(("TechLab", "Reactor"))),
        "tech_lab": frozenset(unit for name, unit in ids.items() if name.endswith("TechLab")),
        "reactor": frozenset(unit for name, unit in ids.items() if name.endswith("Reactor")),
    }


def requirement_table(
    ids: dict[str, int],
    tech_alias: dict[int, tuple[int, ...]],
    upgrades: dict[int, Upgrade],
    abilities: dict[int, Ability],
    units: list[dict[str, str]],
) -> dict[str, Requirement]:
    """Every requirement that a row of the patch names.

    `requirements.csv` gives what a name means. A research's own requirement (`Learn...`) is, beside the row named like
    its upgrade, that the upgrade is not there yet; levels 2 and 3 follow the level before.
    """
    by_name = {upgrade.name: upgrade.id for upgrade in upgrades.values()}
    known = {row["name"]: row for row in read(HERE / "requirements.csv")}

    def groups(text: str) -> tuple[tuple[int, ...], ...]:
        out = []
        for name in text.split("&") if text else ():
            unit = ids[name]
            out.append((unit, *(other for other, as_ in tech_alias.items() if unit in as_)))
        return tuple(out)

    def build(name: str, row: dict[str, str], lacks: int = 0, previous: int = 0) -> Requirement:
        finished = {by_name[part] for part in row.get("upgrades", "").split("&") if part in by_name}
        addon = row.get("addon", "")
        return Requirement(
            name=name,
            units=groups(row.get("units", "")),
            addon=tuple(unit for other, unit in ids.items() if addon and other.endswith(addon)),
            upgrades=tuple(sorted(finished | ({previous} if previous else set()))),
            lacks=lacks,
            state=row.get("state", ""),
        )

    table: dict[str, Requirement] = {}
    learn = [(a.requirement, upgrades[a.product]) for a in abilities.values() if a.kind == "research"]
    for name, upgrade in learn + [(upgrade.requirement, upgrade) for upgrade in upgrades.values()]:
        if name:
            level = upgrade.name[-1] if upgrade.name[:-1].endswith("Level") else ""
            previous = by_name.get(f"{upgrade.name[:-1]}{int(level) - 1}", 0) if level else 0
            table[name] = build(name, known.get(upgrade.name, {}), upgrade.id, previous)
    named = {ability.requirement for ability in abilities.values()} | {row["requirement"] for row in units}
    for name in sorted(named - {""} - set(table)):
        if name not in known:
            raise FactsError(f"requirements.csv says nothing about {name}")
        table[name] = build(name, known[name])
    return table
