"""Static defence: crawlers, turrets, bunkers and cannons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import alarm, spend, tech

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.spend import Purse
    from sim.computer.view import View

STATIC_FROM = 200  # minerals in the bank that leave something for static defence
STATIC_GAP = 600  # loops between two of them after the first two
AT_HALL = 12.0  # cells from a town hall within which static defence counts as its own


def build(computer: Computer, view: View, purse: Purse) -> None:
    """Crawlers, turrets, bunkers or cannons at every town hall: a few more by and by, more of what hits flyers seen."""
    places = view.halls
    if not len(places):
        return
    for row in computer.table["static"]:
        if computer.level.plan not in row["plans"]:
            continue
        start = tech.midgame(computer) + row["after"] if "after" in row else tech.due(computer, row["from"])
        if alarm.static(computer, view, purse, row["name"]):
            start = 0
        elif view.loop < start or purse.minerals < STATIC_FROM:
            continue
        recipe = computer.recipes[row["name"]]
        above = 1.0 + computer.air_seen if view.sheet.hits_air[recipe.product] else 1.0
        most = computer.level.static * row["each"] * len(places) * above
        if view.have(recipe.product) >= int(min(most, 2 + (view.loop - start) / STATIC_GAP) + 0.5):
            continue
        mine = view.slots[view.mask(recipe.product)]
        x, y = view.units["x"], view.units["y"]
        near = np.hypot(x[places][:, None] - x[mine], y[places][:, None] - y[mine]) < AT_HALL
        spend.make(computer, view, purse, row["name"], near=view.place(int(places[near.sum(axis=1).argmin()])))
