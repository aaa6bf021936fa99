"""A flat field on which units of any race meet, under either patch."""

from __future__ import annotations

import dataclasses
import math

from sim.maps import Neutral, arena
from sim.melee import upgrades
from sim.melee.game import Game
from sim.melee.records import PlayerSetup, Race

FIELD = 341


def duel(patch: str = "5.0.14", mine: int = Race.ZERG, enemy: int = Race.TERRAN, seed: int = 1) -> Game:
    """Player 1 (`mine`) against player 2 on 96x96 cells; player 1 is rich."""
    neutrals = tuple(Neutral(FIELD, 14.0 + 2 * k, 80.5) for k in range(4))
    terrain = dataclasses.replace(arena(96, 96), neutrals=neutrals)
    game = Game(terrain, [PlayerSetup(mine, start=0), PlayerSetup(enemy, start=1)], seed=seed, patch=patch)
    game.players[1]["minerals"] = game.players[1]["gas"] = 20_000
    game.step()
    return game


def full(game: Game, *slots: int) -> None:
    """Gives units all the energy they can hold."""
    for slot in slots:
        game.units[slot]["energy"] = 200


def away(game: Game, slot: int, x: float, y: float) -> float:
    """Distance of a unit from a point."""
    return math.hypot(float(game.units[slot]["x"]) - x, float(game.units[slot]["y"]) - y)


def lost(game: Game, slot: int) -> float:
    """Life that a unit misses."""
    return float(game.units[slot]["hp_max"] - game.units[slot]["hp"])


def learn(game: Game, *names: str, player: int = 1) -> None:
    """Finishes upgrades at once."""
    for upgrade in game.facts.upgrades.values():
        if upgrade.name in names:
            upgrades.finish(game, player, upgrade.id)


def at_rest(game: Game, *slots: int) -> None:
    """Units that stand still and fire at nobody."""
    from sim.engine.state import DISARMED

    for slot in slots:
        game.units[slot]["flags"] |= DISARMED
