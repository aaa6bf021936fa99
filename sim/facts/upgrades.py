"""Folds finished upgrades into one player's own tables."""

from __future__ import annotations

import numpy as np

from sim.engine.catalog import ATTRIBUTES
from sim.facts.model import Effect, Facts, change


def apply_upgrade(facts: Facts, types_row: np.ndarray, weapons_row: np.ndarray, upgrade_id: int) -> None:
    """Change one player's TYPE[n] and WEAPON[n] in place as a finished upgrade does.

    Effects on abilities are left to `Facts.ability_for`. An id without effects changes nothing.
    """
    upgrade = facts.upgrades.get(upgrade_id)
    for effect in upgrade.effects if upgrade else ():
        if effect.scope == "type":
            cell = types_row[effect.field]
            cell[effect.target] = change(float(cell[effect.target]), effect)
        elif effect.scope == "weapon":
            for row, name in enumerate(facts.weapon_names):
                if name == effect.target:
                    change_weapon(weapons_row, row, effect)


def change_weapon(weapons: np.ndarray, row: int, effect: Effect) -> None:
    """One effect on one weapon row; a bonus against a second attribute has no column and is dropped."""
    field, _, attribute = effect.field.partition(":")
    if attribute:
        bit = ATTRIBUTES.get(attribute, 0)
        if weapons["bonus_attribute"][row] not in (0, bit):
            return
        weapons["bonus_attribute"][row] = bit
    weapons[field][row] = change(float(weapons[field][row]), effect)
