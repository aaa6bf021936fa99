"""The end of a melee game: who has no structure left has lost, and where nobody gets on any more it is a tie.

Who has no town hall and begins none is laid bare to the enemies: his structures can be seen (but not what stands round
them), so that nobody draws a game out with a hidden one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import PLAYERS
from sim.melee import eyes, lifecycle
from sim.melee.records import Outcome
from sim.melee.registry import EVERY

if TYPE_CHECKING:
    from sim.melee.game import Game

PERIOD = 4
BARE_AFTER = 400  # loops without a town hall: 25 normal seconds of warning (catalog)
BARE_SIGHT = 0.5  # cells: the middle of a structure, by which it is seen
STALEMATE = 2 * 2880  # loops: three normal minutes until the game warns, three more (Liquipedia, Stalemate Detection)


def check(game: Game) -> None:
    """Ends the game for players without structures; both at once is a tie, and so is a stalemate: nobody has income,
    completes a unit, a structure or a research, or destroys a structure of the enemy."""
    if game.arena is not None or game.terrain.bare or game.terrain.mini_game:
        return
    playing = [player for player in range(1, PLAYERS) if game.players[player]["playing"]]
    if playing and game.loop - game.progress >= STALEMATE:
        game.declare(dict.fromkeys(playing, int(Outcome.TIE)))
        return
    if game.victory_version != game.counts_version:
        game.victory_version = game.counts_version
        _count(game, playing)
    for player, since in game.memory.ruins.items():
        if game.loop - since >= BARE_AFTER:
            _lay_bare(game, player)


def _count(game: Game, playing: list[int]) -> None:
    """Ends the game for players without structures; notes who is without a town hall, one that goes up included."""
    units = game.units[: int(game.world[0]["slots"])]
    standing = (units["alive"] == 1) & game.counting_structures[units["type"]]
    owners = np.unique(units["owner"][standing])
    lost = [player for player in playing if player not in owners]
    if len(lost) == len(playing) > 1:
        game.declare({player: int(Outcome.TIE) for player in lost})
        return
    for player in lost:
        lifecycle.defeat(game, player)
    halls = units["owner"][standing & game.hall_types[units["type"]]]
    since = game.memory.ruins
    game.memory.ruins = {player: since.get(player, game.loop) for player in playing if player not in halls}


def _lay_bare(game: Game, player: int) -> None:
    """The player's enemies see all of his structures until the next look."""
    units = game.units[: int(game.world[0]["slots"])]
    standing = (units["alive"] == 1) & (units["owner"] == player) & game.counting_structures[units["type"]]
    for slot in np.flatnonzero(standing):
        x, y = float(units["x"][slot]), float(units["y"][slot])
        eyes.reveal(game, 3 - player, x, y, BARE_SIGHT, PERIOD + 1)


EVERY.append((PERIOD, check))
