"""Damage that spells do, for all races."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.parameters import HIT_PERIOD
from sim.engine.state import HALLUCINATION, HIT, INVULNERABLE
from sim.melee.registry import ON_EVENT

if TYPE_CHECKING:
    from sim.melee.game import Game


def hurt(game: Game, slot: int, amount: float, attacker: int, *, armor: bool = False, shields: float = 0.0) -> None:
    """Damage to one unit: shields first (`shields` more of it there), then life; the unit dies at 0.

    With `armor` the armour of shields and life takes its part and at least 0.5 comes through, as with weapons. Images
    take twice as much. The rules hear of it as of a hit (at most one in 16 loops), the Immortal's barrier among them.
    """
    unit = game.units[slot]
    if not unit["alive"] or unit["hp"] <= 0 or int(unit["flags"]) & INVULNERABLE or amount <= 0:
        return
    row, buffs = game.type_of(slot), game.state.buffs[unit["buff"]]
    if int(unit["flags"]) & HALLUCINATION:
        amount, shields = 2 * amount, 2 * shields
    before = float(unit["hp"]) + float(unit["shield"])
    fresh = game.loop - int(unit["last_hit"]) >= HIT_PERIOD
    unit["last_hit"], unit["last_attacker"] = game.loop, attacker
    through = 0.0
    if unit["shield"] > 0:
        whole = amount + shields
        if armor:
            whole = max(whole - float(row["shield_armor"]) - float(buffs["shield_armor"].sum()), 0.5)
        if whole <= float(unit["shield"]):
            unit["shield"] -= whole
            amount = 0.0
        else:
            amount = max(min(whole - float(unit["shield"]), amount), 0.0)
            unit["shield"] = 0
    if amount > 0:
        through = max(amount - float(row["armor"]) - float(buffs["armor"].sum()), 0.5) if armor else amount
        unit["hp"] -= through
    if fresh:
        event = {
            "kind": HIT,
            "unit": slot,
            "other": attacker,
            "value": before - float(unit["hp"]) - float(unit["shield"]),
        }
        for handler in ON_EVENT.get(HIT, ()):
            handler(game, event)
    if unit["alive"] and unit["hp"] <= 0:
        from sim.melee import lifecycle

        lifecycle.died(game, slot, attacker if attacker >= 0 and game.units[attacker]["alive"] else -1)


def same(game: Game, slot: float, generation: float) -> bool:
    """The slot still holds the unit that was meant then."""
    unit = game.units[int(slot)]
    return bool(unit["alive"]) and int(unit["generation"]) == int(generation)
