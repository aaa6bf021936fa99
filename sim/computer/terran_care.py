"""What only a Terran computer does: depots down, MULEs, repair, bunkers, tanks that siege, stim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import alarm, casting, economy, spend
from sim.computer.aim import gaps
from sim.engine.state import MORPHING

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

LOWER_DEPOT, MULE, SIEGE, UNSIEGE, SCAN, HELLBAT = 556, 171, 388, 390, 399, 1998
SCAN_LOOPS = 200
REPAIR, MENDERS = 316, 2
MEND_BELOW, MEND_FROM = 0.9, 15.0  # of its life; cells from which SCVs come
# From the game's own AI scripts: cells from edge to edge within which tanks have their targets, and none may be; how
# many enemies have to be near for Stimpack, without a healer and with one, and loops without a hit before; cells from a
# Bunker within which enemies fill it, and from which its crew comes; what is kept for two sweeps once something hid.
SIEGE_RANGE, TOO_NEAR, FORGET_RANGE = 13.0, 2.0, 15.0
STIM = {"Marine": 380, "Marauder": 253}
STIM_RANGE, STIM_FOR, STIM_FOR_HEALED, STIM_UNHURT = 7.0, 4, 2, 32
STIM_BUFFS = (24, 27)
HEALED_FROM, HEALER_ENERGY = 5.0, 10
LOAD, UNLOAD, ALARM, CREW_FROM = 407, 408, 8.0, 10.0
SWEEP_FOR, SAVED = 10.0, 150  # cells from an own fighter within which what hides is worth a sweep


def act(computer: Computer, view: View) -> None:
    """Depots go down, SCVs repair structures; orbital commands call MULEs, and save for sweeps once something hid."""
    ids = computer.game.facts.ids
    depots = view.slots[view.mask(ids["SupplyDepot"]) & view.finished & (view.orders == 0)]
    if len(depots):
        computer.hands.order(LOWER_DEPOT, depots)
    mend(computer, view)
    wanted = SAVED if view.loop - computer.hidden_came < alarm.HIDDEN_MEMORY else 50
    for slot in view.slots[view.mask(ids["OrbitalCommand"]) & view.finished]:
        if view.units["energy"][slot] < wanted or not casting.free(computer, view):
            continue
        minerals = economy.fields(view, computer)
        x, y = view.place(int(slot))
        away = np.hypot(view.units["x"][minerals] - x, view.units["y"][minerals] - y)
        if len(minerals) and away.min() < economy.NEAR:
            near = minerals[away < economy.NEAR]
            computer.hands.on(MULE, [int(slot)], int(near[view.units["contents"][near].argmax()]))
            casting.done(computer, view)


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
    own = view.slots[view.army]
    towers = view.slots[view.mask(ids["OrbitalCommand"]) & view.finished & (units["energy"][view.slots] >= 50)]
    for slot in hidden:
        x, y = view.place(int(slot))
        if len(towers) and len(own) and np.hypot(units["x"][own] - x, units["y"][own] - y).min() < SWEEP_FOR:
            computer.hands.at(SCAN, [int(towers[0])], x, y)
            computer.scanned = view.loop
            return


def fight(computer: Computer, view: View) -> None:
    """Hellions become Hellbats; what hides is swept; Bunkers are filled, tanks siege, infantry uses Stimpack."""
    ids = computer.game.facts.ids
    scan(computer, view)
    hellions = view.slots[view.mask(ids["Hellion"]) & view.finished & (view.flags & MORPHING == 0)]
    if len(hellions) and spend.tech_met(computer, view, computer.recipes["HellionTank"]):
        computer.hands.order(HELLBAT, hellions)  # for good (77 of 117 real ones, half of them within 16 loops)
    bunkers(computer, view)
    tanks(computer, view)
    stimpack(computer, view)


def bunkers(computer: Computer, view: View) -> None:
    """Who shoots goes into a Bunker near enemies, and comes out when they are gone."""
    units, ids = view.units, computer.game.facts.ids
    kinds = units["type"][view.enemies]
    foes = view.enemies[view.sheet.threat[kinds] | view.sheet.worker[kinds]]
    crew = view.slots[view.mask(ids["Marine"], ids["Marauder"], ids["Reaper"], ids["Ghost"]) & view.army]
    for bunker in view.slots[view.mask(ids["Bunker"]) & view.finished]:
        one = np.array([bunker])
        if not (gaps(view, one, foes)[0] < ALARM).any():
            if units["cargo"][bunker] > 0:
                computer.hands.order(UNLOAD, one)
            continue
        near = crew[(gaps(view, one, crew)[0] < CREW_FROM) & (computer.game.orders[crew, 0]["target"] != bunker)]
        for slot in near[:4].tolist():
            computer.hands.on(LOAD, one, slot)


def tanks(computer: Computer, view: View) -> None:
    """Tanks siege when ground enemies come in range and nobody is too near, and drive on when these are gone."""
    ids, sheet = computer.game.facts.ids, view.sheet
    kinds = view.units["type"][view.enemies]
    ground = view.enemies[~sheet.flying[kinds] & (sheet.threat | sheet.structure)[kinds]]
    for name, ability in (("SiegeTank", SIEGE), ("SiegeTankSieged", UNSIEGE)):
        mine = view.slots[view.mask(ids[name])]
        if not len(mine) or not casting.free(computer, view):
            continue
        near = gaps(view, mine, ground).min(axis=1, initial=np.inf)
        ready = mine[(near < SIEGE_RANGE) & (near >= TOO_NEAR) if ability == SIEGE else near > FORGET_RANGE]
        if len(ready):
            computer.hands.order(ability, ready)
            casting.done(computer, view)


def stimpack(computer: Computer, view: View) -> None:
    """Infantry uses it before the first hit on it, against four who can strike or, with a Medivac beside it, two."""
    ids, units = computer.game.facts.ids, view.units
    foes = view.enemies[view.sheet.threat[units["type"][view.enemies]]]
    healers = view.slots[view.mask(ids["Medivac"]) & (units["energy"][view.slots] >= HEALER_ENERGY)]
    for name, ability in STIM.items():
        mine = view.slots[view.mask(ids[name])]
        if not len(mine) or not len(foes) or not casting.free(computer, view):
            continue
        near = (gaps(view, mine, foes) < STIM_RANGE).sum(axis=1)
        healed = (gaps(view, mine, healers) < HEALED_FROM).any(axis=1)
        fit = near >= np.where(healed, STIM_FOR_HEALED, STIM_FOR)
        fit &= view.loop - units["last_hit"][mine] >= STIM_UNHURT
        fit &= ~np.isin(units["buff"][mine], STIM_BUFFS).any(axis=1) & casting.may(computer, mine, ability, view.loop)
        if fit.any():
            computer.hands.order(ability, mine[fit])
            casting.done(computer, view)
