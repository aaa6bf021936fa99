"""How far everyone sees and detects, measured on open ground."""

from __future__ import annotations

import numpy as np

from sim.engine.state import DETECTED, UNFINISHED
from sim.facts import load
from sim.fidelity.workshop import Row
from sim.maps import arena
from sim.melee.game import Game, PlayerSetup

AT = (64.5, 64.5)
VISIBLE = 2
HIDDEN, STEP = "DarkTemplar", 0.1
BEYOND = 0.5  # sight reaches half a cell farther than the table's radius, as in all recordings


def sight(patch: str = "5.0.14") -> list[Row]:
    """Distance from a unit to the farthest cell that it sees along the grid's axes, against the table's radius."""
    facts = load(patch)
    rows = []
    for type_id in np.flatnonzero((facts.types["race"] > 0) & (facts.types["sight"] > 0) & (facts.types["hp"] > 0)):
        game = _field(patch)
        slot = game.spawn(int(type_id), 1, *AT)
        if not game.units[slot]["alive"] or int(game.units[slot]["flags"]) & UNFINISHED:
            continue
        game.step(1)
        game.units[slot]["x"], game.units[slot]["y"] = AT
        game.step(24)
        seen = np.argwhere(game.visibility[1] == VISIBLE)
        seen = seen[np.hypot(*(seen + 0.5 - np.array(AT)[::-1]).T) < 30]
        if not game.units[slot]["alive"] or not len(seen):
            continue
        x, y = float(game.units[slot]["x"]), float(game.units[slot]["y"])
        row = seen[seen[:, 0] == int(y)]
        real = float(facts.types[type_id]["sight"]) + BEYOND
        ours = float(np.abs(row[:, 1] + 0.5 - x).max()) if len(row) else 0.0
        # the last cell whose centre the radius still covers
        rows.append(Row(facts.names[int(type_id)], ours, float(np.floor(real))))
    return rows


def detection(patch: str = "5.0.14") -> list[Row]:
    """Distance of centres at which a hidden enemy is detected, against the table's radius and that of the hidden."""
    facts = load(patch)
    rows = []
    for type_id in np.flatnonzero((facts.types["race"] > 0) & (facts.types["detect"] > 0)):
        reach, radius = 0.0, float(facts.types[type_id]["detect"])
        for distance in np.arange(radius - 1, radius + 2, STEP):
            game = _field(patch)
            game.spawn(facts.ids["Pylon"], 1, AT[0] - 5, AT[1])
            game.spawn(int(type_id), 1, *AT)
            hidden = game.spawn(facts.ids[HIDDEN], 2, AT[0] + float(distance), AT[1])
            game.step(4)
            if int(game.units[hidden]["flags"]) & DETECTED:
                reach = float(distance)
        edge = float(facts.types[facts.ids[HIDDEN]]["radius"])
        rows.append(Row(facts.names[int(type_id)], reach, radius + edge, STEP))
    return rows


def _field(patch: str) -> Game:
    return Game(arena(128, 128), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1, patch=patch)
