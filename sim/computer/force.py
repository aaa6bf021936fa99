"""Groups of units: how strong they are, whether they fight, how they are sent somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer.hands import ATTACK

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

HOME, GATHERING, STRIKING, RETREATING = "home", "gathering", "striking", "retreating"  # states of the army
NEAR_FIGHT = 14.0  # units within this of the wave's middle take part in its fight
WORKER_WEIGHT = 0.3  # of a worker in a comparison of strength, by value


def middle(view: View, slots: np.ndarray) -> tuple[float, float]:
    """Median place (cells) of units by slot, along each axis (the upper one of an even number); one at least."""
    half = len(slots) // 2
    return float(np.sort(view.units["x"][slots])[half]), float(np.sort(view.units["y"][slots])[half])


def unhurt(view: View, slots: np.ndarray) -> np.ndarray:
    """`strength` of units if they had all their life; float [n]."""
    sheet, types = view.sheet, view.units["type"][slots]
    return sheet.value[types] * np.where(sheet.threat[types], 1.0, np.where(sheet.worker[types], WORKER_WEIGHT, 0.1))


def strength(view: View, slots: np.ndarray) -> np.ndarray:
    """Value of units weighted by their life, workers for little; float [n]."""
    units, worth = view.units, unhurt(view, slots)
    life = (units["hp"][slots] + units["shield"][slots]) / np.maximum(
        units["hp_max"][slots] + units["shield_max"][slots], 1
    )
    return worth * np.clip(life, 0.15, 1.0)


def in_fight(view: View, wave: np.ndarray) -> float | None:
    """Own strength over the enemy's round the wave's middle; None when no fighting enemy is in sight there."""
    units, sheet = view.units, view.sheet
    enemies = view.enemies
    if not len(enemies) or not len(wave):
        return None
    x, y = middle(view, wave)
    types = units["type"][enemies]
    close = enemies[(np.hypot(units["x"][enemies] - x, units["y"][enemies] - y) < NEAR_FIGHT) & sheet.threat[types]]
    if not len(close):
        return None
    mine = wave[np.hypot(units["x"][wave] - x, units["y"][wave] - y) < NEAR_FIGHT]
    return float(strength(view, mine).sum() / max(strength(view, close).sum(), 1.0))


def send(computer: Computer, view: View, slots: np.ndarray, x: float, y: float) -> None:
    """Attack-moves units to a point, except those already on the way there or at it."""
    if not len(slots):
        return
    units = view.units
    last = computer.game.orders[slots, np.maximum(units["order_count"][slots], 1) - 1]  # first may be a target here
    busy = (units["order_count"][slots] > 0) & (np.hypot(last["x"] - x, last["y"] - y) < 6)
    there = (units["order_count"][slots] == 0) & (np.hypot(units["x"][slots] - x, units["y"][slots] - y) < 5)
    movers = slots[~busy & ~there]
    if len(movers):
        computer.hands.walk(movers, x, y, how=ATTACK)


def going(computer: Computer, view: View, slots: np.ndarray) -> np.ndarray:
    """Who of the army goes out: at first its raiders alone, where the opening names any."""
    opening, ids = computer.opening, computer.game.facts.ids
    if view.loop >= opening.raid_until:
        return slots
    return slots[np.isin(view.units["type"][slots], [ids[name] for name in opening.raiders])]
