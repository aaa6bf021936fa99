"""How many workers each town hall and gas structure has, and how many it wants, as observations report it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import GATHER, RETURN, UNFINISHED
from sim.server.kinds import kinds

if TYPE_CHECKING:
    from sim.melee.game import Game

FIELD_RANGE = 10.0  # cells between a town hall's centre and a field that counts as its own


def fill(game: Game, extras: np.ndarray, own: np.ndarray) -> None:
    """Sets `assigned` and `ideal` of a player's town halls and gas structures in `extras` (EXTRA[slots]).

    own i8[n]: slots of the player's units. A worker counts where it gathers from or brings home from.
    """
    units, known = game.units, kinds(game.patch)
    slots = int(game.world[0]["slots"])
    types = units["type"][own]
    per_resource = _workers_per_resource(game, own[known.worker[types]], slots)
    finished = units["flags"][own] & UNFINISHED == 0
    gas = own[finished & known.gas[types]]
    if len(gas):
        extras["assigned"][gas] = per_resource[gas]
        extras["ideal"][gas] = np.where(units["contents"][gas] > 0, 3, 0)
    halls = own[finished & known.hall[types]]
    if len(halls):
        _fill_halls(game, extras, halls, per_resource)


def _workers_per_resource(game: Game, workers: np.ndarray, slots: int) -> np.ndarray:
    """How many of these workers mine each slot; int64 [slots or more]."""
    units, orders = game.units, game.orders
    verbs = orders["verb"][workers, 0]
    gathering = verbs == GATHER
    goals = units["harvest_target"][workers]
    goals = np.where((goals < 0) & gathering, orders["target"][workers, 0], goals)
    working = (units["order_count"][workers] > 0) & (gathering | (verbs == RETURN)) & (goals >= 0)
    return np.bincount(goals[working], minlength=slots)


def _fill_halls(game: Game, extras: np.ndarray, halls: np.ndarray, per_resource: np.ndarray) -> None:
    """Gives every mineral field to the nearest of these town halls."""
    units = game.units[: len(per_resource)]
    fields = np.flatnonzero(kinds(game.patch).mineral[units["type"]] & (units["alive"] == 1))
    if not len(fields):
        return
    x, y = units["x"], units["y"]
    away = (x[fields] - x[halls, None]) ** 2 + (y[fields] - y[halls, None]) ** 2
    nearest = away.argmin(axis=0)
    near = away.min(axis=0) <= FIELD_RANGE**2
    count = len(halls)
    extras["ideal"][halls] = 2 * np.bincount(nearest[near], minlength=count)
    extras["assigned"][halls] = np.bincount(nearest[near], weights=per_resource[fields[near]], minlength=count)
