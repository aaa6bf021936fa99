"""Facts of a map with unit types of its own: copies of live types under new ids behind all others.

The maps of the StarCraft Multi-Agent Challenge bring such copies for the agents' units. A balance is named by its patch
and these types: `5.0.14+Marauder+Marine` has two more types than `5.0.14`, Marauder_RL and Marine_RL, with consecutive
ids in that order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from sim.facts.model import Facts, FactsError

SUFFIX = "_RL"
NORMAL = 16  # loops in a normal second
# What the copies have otherwise than the live types of any patch (decoded from the challenge's maps).
CHANGES: dict[str, dict[str, float]] = {
    "Hydralisk": {"hp": 80, "hp_start": 80},
    "Medivac": {"speed": 2.75 / NORMAL, "acceleration": 2.3125 / NORMAL**2},
}


def balance(patch: str, copies: Iterable[str]) -> str:
    """The name of a patch with copies of these unit types."""
    return "+".join((patch, *copies))


def extended(facts: Facts, name: str, copies: tuple[str, ...], first: int) -> Facts:
    """`facts` under another name with copies of the unit types `copies`; their ids start at `first`.

    Raises FactsError with one line for an unknown unit type.
    """
    for copied in copies:
        if copied not in facts.ids:
            raise FactsError(f"unknown unit type {copied!r} in balance {name!r}")
    types = np.zeros(first + len(copies), facts.types.dtype)
    types["weapons"] = -1
    types["creep_speed"] = 1.0
    types[: len(facts.types)] = facts.types
    names = [*facts.names, *[""] * (first - len(facts.names))]
    ids = dict(facts.ids)
    new_of: dict[int, int] = {}
    for number, copied in enumerate(copies, first):
        source = facts.ids[copied]
        types[number] = facts.types[source]
        for field, value in CHANGES.get(copied, {}).items():
            types[number][field] = value
        names.append(copied + SUFFIX)
        ids[copied + SUFFIX] = number
        new_of[source] = number
    abilities = {}
    for number, ability in facts.abilities.items():
        also = tuple(new_of[caster] for caster in ability.casters if caster in new_of)
        abilities[number] = replace(ability, casters=(*ability.casters, *also)) if also else ability
    flags = {flag: known | {new_of[kind] for kind in known if kind in new_of} for flag, known in facts.flags.items()}
    return replace(facts, patch=name, types=types, names=tuple(names), ids=ids, abilities=abilities, flags=flags)


def extended_rows(rows: list[dict[str, str]], copies: tuple[str, ...], first: int) -> list[dict[str, str]]:
    """Rows of the protocol's table of units with the copies' rows behind them."""
    by_name = {row["name"]: row for row in rows}
    added = [
        {**by_name[copied], "unit_id": str(number), "name": copied + SUFFIX, "ability_id": "0", "tech_requirement": ""}
        for number, copied in enumerate(copies, first)
    ]
    return [*rows, *added]
