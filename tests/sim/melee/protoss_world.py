"""A Protoss player on a flat field, and short ways to ask and order."""

from __future__ import annotations

import dataclasses

from sim.engine.state import POWERED
from sim.maps import Neutral, arena
from sim.melee.game import Game
from sim.melee.records import PlayerSetup, Race
from tests.sim.melee.field import give

GEYSER, FIELD = 342, 341
BUILD = {"Nexus": 880, "Pylon": 881, "Assimilator": 882, "Gateway": 883, "CyberneticsCore": 894, "PhotonCannon": 887}


def protoss(*, rich: bool = True, enemy: int = Race.TERRAN) -> Game:
    """Protoss (player 1) against another race on a field of 96x96; much money unless told otherwise."""
    neutrals = (Neutral(GEYSER, 60.5, 80.5), *(Neutral(FIELD, 14.0 + 2 * k, 80.5) for k in range(4)))
    terrain = dataclasses.replace(arena(96, 96), neutrals=neutrals)
    game = Game(terrain, [PlayerSetup(Race.PROTOSS, start=0), PlayerSetup(enemy, start=1)], seed=1)
    if rich:
        game.players[1]["minerals"] = game.players[1]["gas"] = 20_000
    game.step()
    return game


def enemy(game: Game, name: str, x: float, y: float) -> int:
    """A unit of player 2."""
    return give(game, name, x, y, 2)


def powered(game: Game, slot: int) -> bool:
    """The structure has power."""
    return bool(int(game.units[slot]["flags"]) & POWERED)


def research(game: Game, player: int, *names: str) -> None:
    """Finishes upgrades at once."""
    from sim.melee import upgrades

    for upgrade in game.facts.upgrades.values():
        if upgrade.name in names:
            upgrades.finish(game, player, upgrade.id)
