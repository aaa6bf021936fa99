"""Supply: what lives, what is being made, what provides room."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import HALLUCINATION, PLAYERS, UNFINISHED
from sim.facts import load

if TYPE_CHECKING:
    from sim.melee.game import Game

MOST = 200.0
FREE = ("AdeptPhaseShift", "DisruptorPhased")  # part of a unit that is counted already


def recount(game: Game) -> None:
    """Counts supply again for the players marked since the last time, then wakes producers that waited for it."""
    from sim.melee import production

    used = int(game.world[0]["slots"])
    units = game.units[:used]
    game.supply_dirty[0] = False  # the map has no supply
    for player in range(1, PLAYERS):
        if not game.supply_dirty[player]:
            continue
        game.supply_dirty[player] = False
        slots = np.flatnonzero(
            (units["alive"] == 1) & (units["owner"] == player) & (units["flags"] & HALLUCINATION == 0)
        )
        rows = game.types[player][units["type"][slots]]
        built = units["flags"][slots] & UNFINISHED == 0
        supply = float(taken(game, player, slots).sum())
        busy = slots[units["job_count"][slots] > 0]
        if len(busy):
            jobs = game.jobs[busy]
            counts = np.arange(jobs.shape[1])[None, :] < units["job_count"][busy][:, None]
            supply += float(jobs["supply"][counts & (jobs["started"] == 1)].sum())
        record = game.players[player]
        record["supply_used"] = supply
        room = min(float(rows["food"][built].sum()) + extra_food(game, slots), MOST)
        record["supply_cap"] = MOST if player in game.memory.fed else room
    production.wake_blocked(game)


def taken(game: Game, player: int, slots: np.ndarray) -> np.ndarray:
    """Supply that each of the player's units takes, f[n]; images take none."""
    types, flags = takes(game.patch)[game.units["type"][slots]], game.units["flags"][slots]
    return np.where(flags & HALLUCINATION == 0, game.types[player]["supply"][types], 0.0)


@cache
def takes(patch: str) -> np.ndarray:
    """Type whose supply each type takes, i[types]. What is part of another takes none, which is that of type 0.

    Cocoons take what comes out of them needs (35 sightings of Ravagers and 29 of Lurkers in real games' books).
    """
    facts = load(patch)
    found = facts.grown.copy()
    found[[facts.ids[name] for name in FREE]] = 0
    return found


def extra_food(game: Game, slots: np.ndarray) -> float:
    """Room from supply drops: eight for each depot that received one."""
    return 8.0 * sum(1 for slot in slots if int(slot) in game.memory.supply_drops) if game.memory.supply_drops else 0.0


def room_for(game: Game, player: int, supply: float) -> bool:
    """The player may start something of that supply now."""
    record = game.players[player]
    return supply <= 0 or float(record["supply_used"]) + supply <= float(record["supply_cap"])
