"""protocol_*.csv: what `ResponseData` says, cell by cell, for the rows that the server hands to clients.

One column per field of the message; an empty cell means an absent field. Weapons are written as
`type:damage:attacks:range:speed:attribute=bonus`, divided by `|`.
"""

from __future__ import annotations

from typing import Any

TABLES = ("abilities", "units", "upgrades", "buffs", "effects")


def cell(value: Any, label: str) -> str:
    """One value as text."""
    if label == "bool":
        return "1" if value else "0"
    if label == "float":
        return f"{value:.9g}"
    return str(value)


def weapon(value: Any) -> str:
    """One weapon as text."""
    bonus = "+".join(f"{b.attribute}={b.bonus:.9g}" for b in value.damage_bonus)
    numbers = (value.damage, value.attacks, value.range, value.speed)
    return ":".join([str(value.type), *(f"{n:.9g}" for n in numbers), bonus])


def label(field: Any) -> str:
    """`bool`, `float` or `other`."""
    return {field.TYPE_BOOL: "bool", field.TYPE_FLOAT: "float"}.get(field.type, "other")


def row(message: Any) -> dict[str, object]:
    """One message as a row; rows that say nothing beyond their id are empty."""
    cells: dict[str, object] = {}
    for field, value in message.ListFields():
        if value == "":
            continue  # an empty text and an absent one read the same
        if field.name == "weapons":
            cells[field.name] = "|".join(weapon(v) for v in value)
        elif isinstance(value, str | int | float | bool):
            cells[field.name] = cell(value, label(field))
        else:
            cells[field.name] = "|".join(str(v) for v in value)
    default = f"{cells.get('link_name', '')}_{cells.get('link_index')}"
    if cells.get("friendly_name") == default:
        cells["friendly_name"] = "_"  # most abilities have no name of their own
    return cells


def convert_all(recorded: Any, table: str) -> tuple[list[str], list[dict[str, object]]]:
    """Columns and rows of one table of a ResponseData."""
    messages = getattr(recorded, table)
    columns = [field.name for field in messages[0].DESCRIPTOR.fields]
    rows = [row(message) for message in messages]
    used = [column for column in columns if any(column in line for line in rows)]
    return used, [line for line in rows if set(line) - {columns[0], "available"} or line is rows[-1]]
