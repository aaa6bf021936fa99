"""What only a Terran computer does: depots down, MULEs, repair by chance, tanks that siege, stim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import alarm, casting, economy, spend
from sim.engine.state import MORPHING

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

LOWER_DEPOT, MULE, SIEGE, UNSIEGE, SCAN, HELLBAT = 556, 171, 388, 390, 399, 1998
SCAN_LOOPS = 200
REPAIR, MENDERS = 316, 2
MEND_BELOW, MEND_FROM = 0.9, 15.0  # of its life; cells from which SCVs come
STIM = {"Marine": 380, "Marauder": 253}
SIEGE_RANGE, FORGET_RANGE = 12.0, 15.0
STIM_RANGE, STIM_LIFE = 8.0, 0.7
STIM_BUFFS = (24, 27)


def act(computer: Computer, view: View) -> None:
    """Depots go down, SCVs repair structures; orbital commands call MULEs at the better levels."""
    ids = computer.game.facts.ids
    depots = view.slots[view.mask(ids["SupplyDepot"]) & view.finished & (view.orders == 0)]
    if len(depots):
        computer.hands.order(LOWER_DEPOT, depots)
    if computer.level.regroup:
        mend(computer, view)
    if computer.level.inject <= computer.rng.random():
        return
    for slot in view.slots[view.mask(ids["OrbitalCommand"]) & view.finished]:
        if view.units["energy"][slot] < 50:
            continue
        minerals = economy.fields(view, computer)
        x, y = view.place(int(slot))
        away = np.hypot(view.units["x"][minerals] - x, view.units["y"][minerals] - y)
        if len(minerals) and away.min() < economy.NEAR:
            near = minerals[away < economy.NEAR]
            computer.hands.on(MULE, [int(slot)], int(near[view.units["contents"][near].argmax()]))


def mend(computer: Computer, view: View) -> None:
    """The nearest SCVs repair damaged structures, a few each."""
    units, orders = view.units, computer.game.orders[:, 0]
    built = view.slots[view.structures & view.finished]
    hurt = built[units["hp"][built] < MEND_BELOW * units["hp_max"][built]]
    if not len(hurt):
        return
    busy = view.slots[view.workers & (view.orders > 0)]
    mended = orders["target"][busy[orders["ability"][busy] == REPAIR]]
    pool = view.slots[view.harvesting]
    for slot in hurt:
        away = np.hypot(units["x"][pool] - units["x"][slot], units["y"][pool] - units["y"][slot])
        free = max(MENDERS - int((mended == slot).sum()), 0)
        near = np.argsort(away, kind="stable")[: min(free, int((away < MEND_FROM).sum()))]
        computer.hands.on(REPAIR, pool[near], int(slot))
        pool = np.delete(pool, near)


def scan(computer: Computer, view: View) -> None:
    """A sweep where something hidden is near own units; one at a time."""
    hidden = alarm.hidden_enemies(computer, view)
    if not len(hidden) or view.loop - computer.scanned < SCAN_LOOPS:
        return
    ids, units = computer.game.facts.ids, view.units
    own = view.slots[view.army | view.structures]
    towers = view.slots[view.mask(ids["OrbitalCommand"]) & view.finished & (units["energy"][view.slots] >= 50)]
    for slot in hidden:
        x, y = view.place(int(slot))
        if len(towers) and len(own) and np.hypot(units["x"][own] - x, units["y"][own] - y).min() < 11:
            computer.hands.at(SCAN, [int(towers[0])], x, y)
            computer.scanned = view.loop
            return


def fight(computer: Computer, view: View) -> None:
    """Hellions become Hellbats; tanks siege when ground enemies come in range; infantry uses Stimpack in a fight."""
    ids, units, sheet = computer.game.facts.ids, view.units, view.sheet
    enemies = view.enemies
    ground = enemies[~sheet.flying[units["type"][enemies]] & (sheet.threat | sheet.structure)[units["type"][enemies]]]

    def nearest(slots: np.ndarray) -> np.ndarray:
        if not len(ground):
            return np.full(len(slots), 1e9)
        dx = units["x"][slots][:, None] - units["x"][ground][None, :]
        dy = units["y"][slots][:, None] - units["y"][ground][None, :]
        return np.hypot(dx, dy).min(axis=1)

    scan(computer, view)
    hellions = view.slots[view.mask(ids["Hellion"]) & view.finished & (view.flags & MORPHING == 0)]
    if len(hellions) and spend.tech_met(computer, view, computer.recipes["HellionTank"]):
        computer.hands.order(HELLBAT, hellions)  # for good (77 of 117 real ones, half of them within 16 loops)
    tanks = view.slots[view.mask(ids["SiegeTank"])]
    if len(tanks) and len(ground):
        ready = tanks[nearest(tanks) < SIEGE_RANGE]
        if len(ready):
            computer.hands.order(SIEGE, ready)
    sieged = view.slots[view.mask(ids["SiegeTankSieged"])]
    if len(sieged):
        done = sieged[nearest(sieged) > FORGET_RANGE]
        if len(done):
            computer.hands.order(UNSIEGE, done)
    if not computer.level.regroup:
        return
    for name, ability in STIM.items():
        mine = view.slots[view.mask(ids[name])]
        if not len(mine):
            continue
        fit = units["hp"][mine] > STIM_LIFE * units["hp_max"][mine]
        fit &= ~np.isin(units["buff"][mine], STIM_BUFFS).any(axis=1) & casting.may(computer, mine, ability, view.loop)
        ready = mine[fit]
        ready = ready[nearest(ready) < STIM_RANGE]
        if len(ready):
            computer.hands.order(ability, ready)
