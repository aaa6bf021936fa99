"""Finished research: it changes the tables of its player, and units that already live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.facts import apply_upgrade
from sim.melee.records import Alert

if TYPE_CHECKING:
    from sim.melee.game import Game

# Beside levels: those to which the catalog gives no alert of their own, so that they have that of all.
PLAIN = (
    "AdeptPiercingAttack",
    "LiberatorAGRangeUpgrade",
    "MedivacIncreaseSpeedBoost",
    "TempestGroundAttackUpgrade",
    "TerranBuildingArmor",
)


def finish(game: Game, player: int, upgrade_id: int) -> None:
    """Books an upgrade: flag, tables, life of living units, alert."""
    record = game.players[player]
    if record["upgrades"][upgrade_id]:
        return
    record["upgrades"][upgrade_id] = 1
    before = game.types[player].copy()
    apply_upgrade(game.facts, game.types[player], game.weapons[player], upgrade_id)
    changed = np.flatnonzero((before["hp"] != game.types[player]["hp"]) & (before["exists"] == 1))
    units = game.units[: int(game.world[0]["slots"])]
    for type_id in changed:
        more = float(game.types[player, type_id]["hp"]) - float(before[type_id]["hp"])
        mask = (units["alive"] == 1) & (units["owner"] == player) & (units["type"] == type_id)
        units["hp"][mask] += more
        units["hp_max"][mask] += more
    game.counts_version += 1
    name = game.facts.upgrades[upgrade_id].name
    plain = name[-6:-1] == "Level" or name in PLAIN
    game.alert(player, Alert.UPGRADE_COMPLETE if plain else Alert.RESEARCH_COMPLETE)
