"""Builds `ResponseData`: what clients ask once, and again after an upgrade.

The messages come from the patch's `protocol_*.csv`, built once per process. A player's finished upgrades show in the
units' numbers as in the real game: damage, bonus, range and speed of weapons, armour and movement follow the player's
own tables.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from s2clientprotocol import data_pb2, sc2api_pb2

from sim.engine.catalog import ATTRIBUTES
from sim.facts import Facts, protocol_rows

NORMAL = 16  # loops in a normal second, the protocol's unit for speeds and periods
KINDS = {
    "abilities": data_pb2.AbilityData,
    "units": data_pb2.UnitTypeData,
    "upgrades": data_pb2.UpgradeData,
    "buffs": data_pb2.BuffData,
    "effects": data_pb2.EffectData,
}
ATTRIBUTE_OF_BIT = {bit: data_pb2.Attribute.Value(name) for name, bit in ATTRIBUTES.items()}
REPEATED = ("tech_alias", "attributes")
# Texts that the recorded messages have even where they are empty: a client library asks for them. Of abilities, 0 and 1
# have no place in a catalog.
ALWAYS = {"abilities": ("link_name", "hotkey"), "effects": ("name", "friendly_name")}
UNLINKED, ALWAYS_UNLINKED = "255", ("link_name", "button_name")


def response_data(
    facts: Facts,
    player_types: np.ndarray,
    player_weapons: np.ndarray,
    *,
    ability_id: bool = True,
    unit_type_id: bool = True,
    upgrade_id: bool = True,
    buff_id: bool = True,
    effect_id: bool = True,
) -> sc2api_pb2.ResponseData:
    """The answer to one `RequestData`; each flag asks for one table.

    `player_types` TYPE[n] and `player_weapons` WEAPON[n] are the asking player's rows, upgrades folded in. Every id up
    to the largest is there, unnamed ones too: clients index the lists by id.
    """
    wanted = {
        "abilities": ability_id,
        "units": unit_type_id,
        "upgrades": upgrade_id,
        "buffs": buff_id,
        "effects": effect_id,
    }
    response = sc2api_pb2.ResponseData()
    for table, asked in wanted.items():
        if asked:
            response.MergeFrom(recorded_table(facts.patch, table))
    if unit_type_id:
        fold_upgrades(response, facts, player_types, player_weapons)
    return response


@cache
def named_types(patch: str) -> frozenset[int]:
    """Unit types that the data of the patch name, those of campaigns and tests among them."""
    return frozenset(row.unit_id for row in recorded_table(patch, "units").units if row.name)


@cache
def recorded_table(patch: str, table: str) -> sc2api_pb2.ResponseData:
    """One table of the patch as a message, ids contiguous from 0. Shared: never change it."""
    response = sc2api_pb2.ResponseData()
    kind = KINDS[table]
    identity = kind.DESCRIPTOR.fields[0].name
    makers = {field.name: maker(field) for field in kind.DESCRIPTOR.fields}
    out = getattr(response, table)
    for row in protocol_rows(patch, table):
        number = int(row.pop(identity))
        while len(out) < number:  # ids without a row are known to the game but say nothing
            out.add(**blank(table, identity, len(out)))
        if row.get("friendly_name") == "_":
            row["friendly_name"] = f"{row['link_name']}_{row['link_index']}"
        always = ALWAYS_UNLINKED if row.get("link_index") == UNLINKED else ALWAYS.get(table, ())
        cells = {name: makers[name](text) for name, text in row.items() if text or name in always}
        out.add(**{identity: number}, **cells)
    return response


def blank(table: str, identity: str, number: int) -> dict[str, Any]:
    """The fields of an id that has no row."""
    known = {"available": False} if table == "units" else {}
    return {identity: number, "name": "", **known}


def maker(field: Any) -> Callable[[str], Any]:
    """How a cell's text becomes the field's value."""
    if field.name == "weapons":
        return lambda text: [weapon(part) for part in text.split("|")]
    if field.name in REPEATED:
        return lambda text: [int(part) for part in text.split("|")]
    if field.type == field.TYPE_BOOL:
        return lambda text: text == "1"
    if field.type == field.TYPE_FLOAT:
        return float
    return str if field.type == field.TYPE_STRING else int


def weapon(text: str) -> data_pb2.Weapon:
    """A weapon from `type:damage:attacks:range:speed:attribute=bonus`."""
    kind, damage, attacks, reach, speed, bonus = text.split(":")
    out = data_pb2.Weapon(
        type=int(kind), damage=float(damage), attacks=int(attacks), range=float(reach), speed=float(speed)
    )
    for part in bonus.split("+") if bonus else ():
        attribute, _, extra = part.partition("=")
        out.damage_bonus.add(attribute=int(attribute), bonus=float(extra))
    return out


def fold_upgrades(
    response: sc2api_pb2.ResponseData, facts: Facts, player_types: np.ndarray, player_weapons: np.ndarray
) -> None:
    """Write into the units what the player's upgrades have changed against the patch's own numbers."""
    changed = np.flatnonzero((player_types != facts.types) & (facts.types["exists"] > 0))
    changed_weapons = set(np.flatnonzero(player_weapons != facts.weapons).tolist())
    for unit in changed.tolist():
        mine, base, data = player_types[unit], facts.types[unit], response.units[unit]
        if mine["armor"] != base["armor"]:
            data.armor = float(mine["armor"])
        if mine["speed"] != base["speed"]:
            data.movement_speed = float(mine["speed"]) * NORMAL
    if changed_weapons:
        for unit in np.flatnonzero(facts.types["exists"]).tolist():
            rows = player_types[unit]["weapons"].tolist()
            if changed_weapons.intersection(rows):
                fold_weapons(response.units[unit], facts, rows, player_weapons)


def fold_weapons(data: data_pb2.UnitTypeData, facts: Facts, rows: list[int], player_weapons: np.ndarray) -> None:
    """Write one unit's changed weapons; `rows` are in the API's order, weapons it hides have no message, nor has -1."""
    for row, message in zip(rows, data.weapons, strict=False):
        mine, base = player_weapons[row], facts.weapons[row]
        if mine["damage"] != base["damage"]:
            message.damage = float(mine["damage"])
        if mine["range"] != base["range"]:
            message.range = float(mine["range"])
        if mine["period"] != base["period"]:
            message.speed = float(mine["period"]) / NORMAL
        if mine["bonus"] != base["bonus"]:
            attribute = ATTRIBUTE_OF_BIT[int(mine["bonus_attribute"])]
            known = [bonus for bonus in message.damage_bonus if bonus.attribute == attribute]
            bonus = known[0] if known else message.damage_bonus.add(attribute=attribute)
            bonus.bonus = float(mine["bonus"])
