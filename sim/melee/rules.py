"""The list of all rule modules. Importing a module puts its handlers into the tables of `registry.py`."""

from __future__ import annotations

from sim.melee import (
    addons,
    birth,
    cancels,
    construction,
    effects_terran,
    harvest,
    lifecycle,
    lift,
    mending,
    morphs,
    moving,
    orders,
    production,
    score,
    smart,
    spells,
    transport,
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
    lift,
    transport,
    spells,
    effects_terran,
    mending,
    harvest,
    score,
    victory,
    zerg,
    smart,
)
