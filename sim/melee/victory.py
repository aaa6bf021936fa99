"""The end of a melee game: who has no structure left has lost, and where nobody gets on any more it is a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import PLAYERS
from sim.melee import lifecycle
from sim.melee.records import Outcome
from sim.melee.registry import EVERY

if TYPE_CHECKING:
    from sim.melee.game import Game

PERIOD = 4
STALEMATE = 2 * 2880  # loops: three normal minutes until the game warns, three more (Liquipedia, Stalemate Detection)


def check(game: Game) -> None:
    """Ends the game for players without structures; both at once is a tie, and so is a stalemate: nobody has income,
    completes a unit, a structure or a research, or destroys a structure of the enemy."""
    if game.arena is not None or game.terrain.bare:
        return
    playing = [player for player in range(1, PLAYERS) if game.players[player]["playing"]]
    if playing and game.loop - game.progress >= STALEMATE:
        game.declare(dict.fromkeys(playing, int(Outcome.TIE)))
        return
    if game.victory_version == game.counts_version:
        return
    game.victory_version = game.counts_version
    units = game.units[: int(game.world[0]["slots"])]
    standing = (units["alive"] == 1) & game.counting_structures[units["type"]]
    owners = np.unique(units["owner"][standing])
    lost = [player for player in playing if player not in owners]
    if len(lost) == len(playing) > 1:
        game.declare({player: int(Outcome.TIE) for player in lost})
        return
    for player in lost:
        lifecycle.defeat(game, player)


EVERY.append((PERIOD, check))
