"""Workers on minerals and gas, supply, and when the next town hall is due."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.computer.hands import GATHER

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

PER_FIELD = 2
MAKING_LOOPS = 272  # the curves count workers that are there: one begun now is so much later
NEAR = 10.5  # a field within this of a town hall is mined from there
FIRST = 12  # workers of a new game
MOST_WORKERS = 70  # real: 70 in 11 of 30 games of levels 6 and 7, more for a while in two
SPARE = 4  # workers of a town hall beyond two a field (real: 26 with two gas structures, 52 on two bases with four)
SUPPLY_FROM = 13.0  # of all races and levels: 1 free supply at 14 used, 5 at 18, up to what the race's table says
GROWN = 50.0  # supply used from which more is kept free
MOVES = 4  # workers sent elsewhere in one decision
DRY_FROM = 6000  # loop from which a base can have run dry
STYLE_UNTIL = 6500  # loop after which no style has fewer workers than the curve
SOON = 500  # loops: town halls done within them count for supply


def fields(view: View, computer: Computer) -> np.ndarray:
    """Slots of the mineral fields that still hold something; other units get the slots of those that are gone."""
    known = computer.ground.mineral_slots
    units = view.units
    mineral = view.sheet.minerals[units["type"][known]]
    return known[mineral & (units["alive"][known] == 1) & (units["contents"][known] > 0)]


def capacity(view: View, computer: Computer) -> int:
    """Workers that the present town halls (those going up too) can use."""
    if view.room_for_workers < 0:
        gas = int(view.gas_structures.sum())
        view.room_for_workers = PER_FIELD * fields_in_reach(view, computer) + computer.level.gas_each * gas
    return view.room_for_workers


def fields_in_reach(view: View, computer: Computer) -> int:
    """Mineral fields that hold something beside the present town halls (those going up too)."""
    places, minerals, units = view.all_halls, fields(view, computer), view.units
    if not len(places) or not len(minerals):
        return 0
    far = np.hypot(
        units["x"][minerals][:, None] - units["x"][places][None, :],
        units["y"][minerals][:, None] - units["y"][places][None, :],
    )
    return int((far.min(axis=1) < NEAR).sum())


def work(computer: Computer, view: View) -> None:
    """Sends idle workers to mine, fills gas structures, and levels the town halls out."""
    places = view.halls
    minerals = fields(view, computer)
    if not len(places) or not len(minerals):
        return
    units = view.units
    far = np.hypot(
        units["x"][minerals][:, None] - units["x"][places][None, :],
        units["y"][minerals][:, None] - units["y"][places][None, :],
    )
    nearest = far.argmin(axis=1)
    near = far[np.arange(len(minerals)), nearest] < NEAR
    room = PER_FIELD * np.bincount(nearest[near], minlength=len(places))
    workers = view.slots[view.workers]
    target = units["harvest_target"][workers]
    mining = view.harvesting[view.workers] & (target >= 0)
    home_of = np.full(len(units), -1)
    home_of[minerals[near]] = nearest[near]
    assigned = np.where(mining, home_of[np.maximum(target, 0)], -1)
    load = np.bincount(assigned[assigned >= 0], minlength=len(places))
    idle = workers[(view.orders[view.workers] == 0)]
    lost = workers[mining & (assigned < 0) & view.sheet.minerals[units["type"][np.maximum(target, 0)]]]
    for slot in (*idle, *lost)[: 2 * MOVES]:
        _send(computer, view, int(slot), places, minerals, nearest, near, room, load)
    _gas(computer, view, workers, target)
    spare = int(np.argmax(load - room))
    if (load - room)[spare] > 1 and (room - load).max() > 1:
        for slot in workers[assigned == spare][-MOVES:]:
            _send(computer, view, int(slot), places, minerals, nearest, near, room, load)
            load[spare] -= 1


def _send(
    computer: Computer,
    view: View,
    slot: int,
    places: np.ndarray,
    minerals: np.ndarray,
    nearest: np.ndarray,
    near: np.ndarray,
    room: np.ndarray,
    load: np.ndarray,
) -> None:
    """One worker to the town hall with the most room, the nearer the better."""
    units = view.units
    way = np.hypot(units["x"][places] - units["x"][slot], units["y"][places] - units["y"][slot])
    score = way + np.where(load < room, 0.0, 60.0) + np.where(room > 0, 0.0, 500.0)
    best = int(score.argmin())
    own = minerals[(nearest == best) & near]
    if not len(own):
        own = minerals
    pick = own[int(np.hypot(units["x"][own] - units["x"][slot], units["y"][own] - units["y"][slot]).argmin())]
    computer.hands.on(GATHER, [slot], int(pick))
    load[best] += 1


def _gas(computer: Computer, view: View, workers: np.ndarray, target: np.ndarray) -> None:
    """Keeps `gas_each` workers on every gas structure, also while gas lies unused: the real ones do."""
    units = view.units
    slots = view.slots[view.gas_structures & view.finished]
    known = view.slots[view.sheet.worker[view.type]]  # those inside a gas structure too
    at = units["harvest_target"][known]
    for slot in slots:
        here = known[at == slot]
        wanted = computer.level.gas_each
        if len(here) < wanted:
            free = view.harvesting[view.workers] & view.sheet.minerals[units["type"][np.maximum(target, 0)]]
            free &= (target >= 0) & (units["carry"][workers] == 0)
            if free.any():
                pool = workers[free]
                away = np.hypot(units["x"][pool] - units["x"][slot], units["y"][pool] - units["y"][slot])
                computer.hands.on(GATHER, [int(pool[away.argmin()])], int(slot))
        elif len(here) > wanted:
            minerals = fields(view, computer)
            leaver = int(here[-1])
            away = np.hypot(units["x"][minerals] - units["x"][slot], units["y"][minerals] - units["y"][slot])
            computer.hands.on(GATHER, [leaver], int(minerals[away.argmin()]))


def wanted_workers(computer: Computer, view: View) -> int:
    """Workers this level has at this time, as far as there is work for them."""
    level, opening = computer.level, computer.opening
    free = view.loop >= STYLE_UNTIL or opening.workers
    style = max(computer.style.workers, 1.0) if free else computer.style.workers
    curve = (FIRST + (computer.curves.workers_at(view.loop + MAKING_LOOPS) - FIRST) * level.workers) * style
    most = capacity(view, computer) + SPARE * len(view.all_halls)
    return int(min(math.ceil(curve), most, MOST_WORKERS, opening.workers_at(view.loop)))


def bases_run_dry(computer: Computer, view: View) -> bool:
    """There are far more workers than work, and no town hall is on the way."""
    standing = len(view.all_halls)
    short = view.loop > DRY_FROM and capacity(view, computer) < 0.7 * int(view.workers.sum())
    return short and computer.counted_halls(view) <= standing


def exhausted(computer: Computer, view: View) -> bool:
    """No minerals come in, no town hall is on the way or can be paid, and nothing that fights is being made."""
    if view.minerals >= computer.recipes[computer.names["hall"]].minerals or view.making[view.sheet.army].any():
        return False
    return computer.counted_halls(view) <= len(view.all_halls) and not fields_in_reach(view, computer)


def short_of_supply(computer: Computer, view: View) -> bool:
    """Whether the next overlord, depot or pylon has to be ordered now."""
    supplier = computer.role("supply")
    room = view.supply_cap + computer.supply_each * float(view.making[supplier] + _going_up(view, supplier))
    soon = view.all_halls[
        (view.units["build_left"][view.all_halls] > 0) & (view.units["build_left"][view.all_halls] < SOON)
    ]
    room += float(computer.game.facts.types["food"][view.units["type"][soon]].sum())
    if room >= 200:
        return False
    used = view.supply_used
    most = computer.table["supply_ahead"][computer.level.plan] * computer.level.supply_ahead * max(1.0, used / GROWN)
    return room - used <= min(max(used - SUPPLY_FROM, 1.0), most)


def _going_up(view: View, type_id: int) -> int:
    return int(view.total[type_id] - view.ready[type_id])
