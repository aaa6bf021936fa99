"""How many workers each town hall and gas structure has, and how many it wants, as observations report it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import GATHER, RETURN, UNFINISHED

if TYPE_CHECKING:
    from sim.melee.game import Game

FIELD_RANGE = 10.0  # cells between a town hall's centre and a field that counts as its own


def fill(game: Game, player: int, extras: np.ndarray, own: np.ndarray) -> None:
    """Sets `assigned` and `ideal` of the player's town halls and gas structures in `extras`.

    own holds the slots of the player's units. A worker counts where it gathers from or brings home from.
    """
    units, facts = game.units, game.facts
    slots = int(game.world[0]["slots"])
    types = units["type"][own]
    workers = own[_is(types, facts.workers)]
    orders = game.orders[workers, 0]
    working = (units["order_count"][workers] > 0) & np.isin(orders["verb"], (GATHER, RETURN))
    goals = units["harvest_target"][workers]
    goals = np.where((goals < 0) & (orders["verb"] == GATHER), orders["target"], goals)[working]
    per_resource = np.bincount(goals[goals >= 0], minlength=slots)
    finished = units["flags"][own] & UNFINISHED == 0
    gas = own[finished & _is(types, facts.gas_structures)]
    if len(gas):
        extras["assigned"][gas] = per_resource[gas]
        extras["ideal"][gas] = np.where(units["contents"][gas] > 0, 3, 0)
    halls = own[finished & _is(types, facts.town_halls)]
    if len(halls):
        _fill_halls(game, extras, halls, per_resource)


def _fill_halls(game: Game, extras: np.ndarray, halls: np.ndarray, per_resource: np.ndarray) -> None:
    """Gives every mineral field to the nearest of these town halls."""
    units = game.units[: len(per_resource)]
    fields = np.flatnonzero((units["alive"] == 1) & (units["owner"] == 0) & _is(units["type"], game.facts.minerals))
    if not len(fields):
        return
    away = np.hypot(
        units["x"][fields][:, None] - units["x"][halls][None, :],
        units["y"][fields][:, None] - units["y"][halls][None, :],
    )
    nearest = away.argmin(axis=1)
    near = away[np.arange(len(fields)), nearest] <= FIELD_RANGE
    count = len(halls)
    extras["ideal"][halls] = 2 * np.bincount(nearest[near], minlength=count)
    extras["assigned"][halls] = np.bincount(nearest[near], weights=per_resource[fields[near]], minlength=count)


def _is(types: np.ndarray, ids: frozenset[int]) -> np.ndarray:
    return np.isin(types, np.fromiter(ids, np.int64, len(ids)))
