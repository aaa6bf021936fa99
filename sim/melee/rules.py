"""The list of all rule modules. Importing a module puts its handlers into the tables of `registry.py`."""

from __future__ import annotations

from sim.melee import (
    addons,
    birth,
    cancels,
    construction,
    harvest,
    lifecycle,
    morphs,
    moving,
    orders,
    production,
    score,
    smart,
    upgrades,
    victory,
    zerg,
)

RULES = (
    lifecycle,
    orders,
    moving,
    birth,
    production,
    upgrades,
    construction,
    addons,
    morphs,
    cancels,
    harvest,
    score,
    victory,
    zerg,
    smart,
)
