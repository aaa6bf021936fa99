"""Answers to attacks on own structures: who threatens, who goes there, when workers help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import aim, economy
from sim.computer.force import GATHERING, RETREATING, STRIKING, in_fight, send, strength, unhurt
from sim.computer.hands import ATTACK, GATHER
from sim.engine.state import UNFINISHED

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

NEAR_THREAT = 12.0  # attackers within this of the worst one count together (the game's own AI scripts)
THREAT_RANGE = 15.0  # cells round own structures within which enemies are attackers (the scripts too)
EARLY = 9600  # loops in which levels whose table says so look farther (the scripts: 600 seconds of 16 loops)
HELPERS_FROM = 30.0  # cells from which those come who belong to no army
# The scripts: with so much of the attackers' strength in structures, the share below which defenders gather first.
OUTNUMBERED = ((0.9, 0.7), (0.4, 0.6), (0.0, 0.5))
ENOUGH = 0.1  # and so much more is wanted before they go there again
OUT_OF_REACH = 16.0  # cells
RECALL = 0.8  # share of the attackers' strength below which those at home call the wave back
LIGHT = 0.15  # share of an army's strength below which attackers neither keep it at home nor call it back
MILITIA_MOST = 500.0  # workers fight weaker attacks only
EACH_WORTH, CALL_FROM = 10.0, 20.0  # strength that one of them is called against, cells from which they come
RUSH, RUSH_FROM = 2, 30.0  # workers that attack together, more behind them: all within so many cells come at once
WRECKERS = 6  # workers against a structure that goes up
PEACE = 90  # loops without a threat after which workers go back


@dataclass(frozen=True)
class Threat:
    """Enemies near own structures: where the worst one is, the strength round it, how much of that flies, and how much
    is structures; the strength of all of them if none were hurt; the slot of a structure that still goes up, or -1."""

    x: float
    y: float
    power: float
    flying: float
    built: float
    whole: float
    site: int


def reach(computer: Computer, loop: int) -> float:
    """Cells round own structures within which enemies are attackers."""
    return max(THREAT_RANGE, computer.level.early) if loop < EARLY else THREAT_RANGE


def threats(computer: Computer, view: View) -> Threat | None:
    """The enemies in sight near own structures that threaten most; None = peace."""
    sheet, units = view.sheet, view.units
    enemies = view.enemies
    if not len(enemies):
        return None
    types = units["type"][enemies]
    dangerous = enemies[sheet.threat[types] | sheet.worker[types] | sheet.structure[types]]
    own = view.slots[view.holdings]
    if not len(dangerous) or not len(own):
        return None
    from_us = aim.nearest(view, dangerous, own)
    close = dangerous[(from_us < reach(computer, view.loop)) & (from_us < _from_home(view, dangerous))]
    if not len(close):
        return None
    worth = strength(view, close)
    if worth.sum() <= 0:
        return None
    x, y = units["x"][close], units["y"][close]
    middle = int(np.argmax(worth))
    near = np.hypot(x - x[middle], y - y[middle]) < NEAR_THREAT
    power = float(worth[near].sum())
    above, built = (float(worth[near & kind[units["type"][close]]].sum()) for kind in (sheet.flying, sheet.structure))
    sites = close[sheet.structure[units["type"][close]] & (units["flags"][close] & UNFINISHED != 0)]
    whole = float(unhurt(view, close).sum())
    site = int(sites[0]) if len(sites) else -1
    return Threat(float(x[middle]), float(y[middle]), power, above / power, built / power, whole, site)


def _from_home(view: View, enemies: np.ndarray) -> np.ndarray:
    """Cells from each enemy to the nearest town hall of his in sight that stands, inf without one: who keeps to a base
    of his beside one of ours attacks nobody."""
    units, seen = view.units, view.enemies
    halls = seen[view.sheet.hall[units["type"][seen]] & (units["flags"][seen] & UNFINISHED == 0)]
    return aim.nearest(view, enemies, halls)


def is_light(view: View, threat: Threat | None, slots: np.ndarray) -> bool:
    """Nothing threatens, or too little to keep these units at home."""
    return threat is None or threat.whole < LIGHT * float(strength(view, slots).sum())


def defend(computer: Computer, view: View, slots: np.ndarray, threat: Threat) -> None:
    """Sends those at home against the attackers; workers help against what is weak when there is nobody else."""
    x, y = threat.x, threat.y
    units, sheet = view.units, view.sheet
    computer.last_threat = view.loop
    helpers = view.slots[view.mask(*computer.helper_types)] if computer.helper_types else slots[:0]
    near = np.hypot(units["x"][helpers] - x, units["y"][helpers] - y) < HELPERS_FROM
    defenders = np.concatenate([slots, helpers[near]])
    if threat.flying > 0.5:
        defenders = defenders[sheet.hits_air[units["type"][defenders]]]
    elif threat.flying == 0:
        defenders = defenders[sheet.hits_ground[units["type"][defenders]]]
    own = float(strength(view, defenders).sum())
    refuge = gather_first(computer, view, threat, own)
    if refuge:
        flee = defenders[np.hypot(units["x"][defenders] - x, units["y"][defenders] - y) < 20]
        computer.hands.walk(flee[np.hypot(units["x"][flee] - refuge[0], units["y"][flee] - refuge[1]) > 6], *refuge)
    else:
        send(computer, view, defenders, x, y)
    army = computer.army
    if own < RECALL * threat.power and army.state in (GATHERING, STRIKING):
        recall(computer, view, threat)
    if own < 0.7 * threat.power and threat.power < MILITIA_MOST and threat.flying < 0.5:
        raise_militia(computer, view, threat)


def raise_militia(computer: Computer, view: View, threat: Threat) -> None:
    """Workers tear down what is being built beside their base, or help against units, not against what shoots there."""
    units, site = view.units, threat.site
    if site < 0 and threat.built > 0.5:
        return
    x, y = view.place(site) if site >= 0 else (threat.x, threat.y)
    pool, called = view.slots[view.harvesting], list(computer.militia)
    away = np.hypot(units["x"][pool] - x, units["y"][pool] - y)
    serving = int(np.isin(called, view.slots[view.workers & ~view.harvesting]).sum())  # not back at work
    wanted, reach = WRECKERS if site >= 0 else int(threat.whole / EACH_WORTH) + 1, CALL_FROM
    workers = view.enemies[view.sheet.worker[units["type"][view.enemies]]]
    together = np.hypot(units["x"][workers] - x, units["y"][workers] - y) < NEAR_THREAT
    if site < 0 and int(together.sum()) >= RUSH:
        wanted, reach = serving + len(pool), RUSH_FROM
    near = pool[np.argsort(away, kind="stable")][: min(max(wanted - serving, 0), int((away < reach).sum()))]
    if site >= 0:
        computer.hands.on(ATTACK, near, site)
    else:
        computer.hands.at(ATTACK, near, x, y)
    computer.militia.update((int(slot), int(units["generation"][slot])) for slot in near)


def gather_first(computer: Computer, view: View, threat: Threat, own: float) -> tuple[float, float] | None:
    """Where too few defenders wait for more instead of dying one by one: a town hall out of the attackers' reach."""
    wanted = next(share for built, share in OUTNUMBERED if threat.built >= built)
    computer.sheltering = own < (wanted + ENOUGH * computer.sheltering) * threat.power
    if not computer.sheltering:
        return None
    places = [view.place(int(slot)) for slot in view.halls]
    safe = [place for place in places if np.hypot(place[0] - threat.x, place[1] - threat.y) > OUT_OF_REACH]
    return min(safe, key=lambda place: np.hypot(place[0] - threat.x, place[1] - threat.y)) if safe else None


def recall(computer: Computer, view: View, threat: Threat) -> None:
    """Calls a wave home that has not met the enemy yet."""
    wave = np.array(sorted(computer.army.wave), np.int64)
    if len(wave) and in_fight(view, wave) is None and not is_light(view, threat, wave):
        computer.army.state, computer.army.since = RETREATING, view.loop
        computer.army.next_wave = view.loop + 0.3 * computer.level.wave_gap


def stand_down(computer: Computer, view: View) -> None:
    """Workers that fought go back to work when nothing threatens any more."""
    if not computer.militia or view.loop - computer.last_threat <= PEACE:
        return
    units = view.units
    minerals = economy.fields(view, computer)
    for slot, generation in sorted(computer.militia.items()):
        mine = units["alive"][slot] and units["generation"][slot] == generation
        mine = mine and units["owner"][slot] == computer.player
        if mine and view.sheet.worker[units["type"][slot]] and len(minerals):
            away = np.hypot(units["x"][minerals] - units["x"][slot], units["y"][minerals] - units["y"][slot])
            computer.hands.on(GATHER, [slot], int(minerals[away.argmin()]))
    computer.militia.clear()
