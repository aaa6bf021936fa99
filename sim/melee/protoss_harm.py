"""Damage and stuns that spells do, shared by the Protoss rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import INVULNERABLE

if TYPE_CHECKING:
    from sim.melee.game import Game


def hurt(game: Game, slot: int, amount: float, attacker: int, *, armor: bool = False, shields: float = 0.0) -> None:
    """Damage to one unit: shields first (`shields` more of it there), then life; the unit dies at 0."""
    unit = game.units[slot]
    if not unit["alive"] or int(unit["flags"]) & INVULNERABLE or amount <= 0:
        return
    row = game.type_of(slot)
    unit["last_hit"], unit["last_attacker"] = game.loop, attacker
    if unit["shield"] > 0:
        whole = amount + shields
        if whole <= float(unit["shield"]):
            unit["shield"] -= whole
            return
        amount = max(min(whole - float(unit["shield"]), amount), 0.0)
        unit["shield"] = 0
    unit["hp"] -= max(amount - (float(row["armor"]) if armor else 0.0), 0.5 if armor else 0.0)
    if unit["hp"] <= 0:
        from sim.melee import lifecycle

        lifecycle.died(game, slot, attacker if attacker >= 0 and game.units[attacker]["alive"] else -1)


def same(game: Game, slot: float, generation: float) -> bool:
    """The slot still holds the unit that was meant then."""
    unit = game.units[int(slot)]
    return bool(unit["alive"]) and int(unit["generation"]) == int(generation)
