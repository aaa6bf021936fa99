"""buffs.csv: duration and the changes that the rules use, one row per buff that the API knows."""

from __future__ import annotations

import re
from typing import Any

from sim.facts.conversion.common import NORMAL, columns, found, loops

COLUMNS = columns("""
    id name loops period speed speed_bonus attack armor damage_taken food hp_max energy_regen shield_regen cloak stun
    no_move no_attack no_abilities invulnerable reveal no_cloak patch
""")
FLAGS = {
    "cloak": r"StateFlags\[Cloak\]=1",
    "stun": r"StateFlags\[(Stun|Stasis)\]=1",
    "no_move": r"ModifyFlags\[SuppressMoving\]=1",
    "no_attack": r"StateFlags\[SuppressAttack\]=1",
    "no_abilities": r"ModifyFlags\[DisableAbils\]=1",
    "invulnerable": r"StateFlags\[Invulnerable\]=1",
    "reveal": r"ModifyFlags\[(Reveal|Detected)\]=1",
    "no_cloak": r"StateFlags\[SuppressCloak\]=1",
}


def outer(detail: str) -> str:
    """The buff's own modifications: without the effects and buffs nested in it."""
    text, depth = "", 0
    for part in re.split(r"([\[({]|[\])}])", detail.partition("{")[2]):
        if part in ("(", "{"):
            depth += 1
        elif part in (")", "}"):
            depth -= 1
        elif depth == 0:
            text += part
    return text


def convert(row: dict[str, str]) -> dict[str, Any]:
    """One row of our table."""
    text = outer(row["detail"])
    return {
        "id": int(row["buff_id"]),
        "name": row["name"],
        "loops": loops(row["duration_n"]),
        "period": found(r"\bperiod=([\d.]+)", text) * NORMAL,
        "speed": found(r"MoveSpeedMultiplier=([\d.]+)", text, 1.0),
        "speed_bonus": found(r"MoveSpeedBonus=(-?[\d.]+)", text) / NORMAL,
        "attack": found(r"AttackSpeedMultiplier=([\d.]+)", text, 1.0),
        "armor": found(r"LifeArmorBonus=(-?[\d.]+)", text),
        "damage_taken": found(r"ModifyFraction=([\d.]+)", row["detail"].split("Effect->")[0], 1.0),
        "food": int(found(r"\bFood=(\d+)", text)),
        "hp_max": found(r"VitalMaxArray\[Life\]=(\d+)", text),
        "energy_regen": found(r"VitalRegenArray\[Energy\]=(-?[\d.]+)", text) / NORMAL,
        "shield_regen": found(r"VitalRegenArray\[Shields\]=(-?[\d.]+)", text) / NORMAL,
        "patch": row["patch"],
        **{name: bool(re.search(pattern, text)) for name, pattern in FLAGS.items()},
    }


def convert_all(buffs: list[dict[str, str]]) -> list[dict[str, Any]]:
    """All buffs with an API id, by id."""
    return sorted((convert(row) for row in buffs if row["buff_id"]), key=lambda row: row["id"])
