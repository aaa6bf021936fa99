"""When a wave sets out, and with how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.computer import economy
from sim.computer.force import GATHERING, STRIKING, send, strength

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

GATHER_AT = 0.6  # share of the way to the target at which a wave gathers
SPREAD = 0.05  # of the loop of the first wave
GROWTH = 1.33  # each wave wants that much more army than the one before (the scripts: after one that failed)
HALF = 0.5  # of the army that the others have by then is enough for a wave (the scripts)
ALWAYS_ENOUGH = 9000  # value of an army that waits for no more
NEARLY_FULL = 185  # supply from which a wave waits for nothing


def maybe_attack(computer: Computer, view: View, slots: np.ndarray) -> bool:
    """Starts a wave when it is time and there is enough, or the opening calls for one; who can make nothing any more
    sends all that is left. -> whether it did."""
    army, level, opening = computer.army, computer.level, computer.opening
    gap = opening.gap or level.wave_gap * computer.style.wave_time
    if army.next_wave == 0:
        army.next_wave = _first_time(computer)
    enough = float(strength(view, slots).sum()) >= min(_wanted(computer, view), ALWAYS_ENOUGH)
    due = view.loop >= army.next_wave
    early = rushing(computer, view) and (army.waves == 0 or due)
    at_once = early or view.supply_used > NEARLY_FULL or economy.exhausted(computer, view)
    if at_once or (due and enough):
        _launch(computer, view, slots, early, gap)
        return True
    if due and not level.wave_army:  # the scripts: too small for its time, it is left out
        army.next_wave += gap
        army.first_wave = min(army.first_wave, float(view.loop))
    return False


def rushing(computer: Computer, view: View) -> bool:
    """The opening has an attack of its own that has not set out or whose time is not over, and its first units are
    there."""
    opening, ids = computer.opening, computer.game.facts.ids
    called = bool(opening.attack) and (view.loop < opening.until or computer.army.waves == 0)
    return called and all(view.ready[ids[name]] >= least for name, least in opening.attack)


def gather_point(computer: Computer, view: View) -> tuple[float, float]:
    """Where a wave gathers before it strikes: a point of the way from the rally point to the target, on the ground."""
    return computer.ground.on_the_way(computer.rally_point(view), computer.army.target, GATHER_AT)


def _first_time(computer: Computer) -> float:
    """Loop of the first wave, some earlier or later by chance."""
    style, opening = computer.style, computer.opening
    spread = 1.0 + SPREAD * (2 * float(computer.rng.random()) - 1)
    return (opening.wave_at or computer.level.first_wave * style.wave_time * opening.wave_time) * spread


def _wanted(computer: Computer, view: View) -> float:
    """Value that the next wave wants: the level's own, more each time, or half of the army that there is usually."""
    level, opening, waves = computer.level, computer.opening, computer.army.waves
    usual = computer.curves.army_at(view.loop) * level.army
    if waves == 0:
        usual = opening.army_at(view.loop) if opening.exact else min(usual, opening.most)
    return (level.wave_army * GROWTH**waves or HALF * usual) * computer.style.wave_army


def _launch(computer: Computer, view: View, slots: np.ndarray, early: bool, gap: float) -> None:
    army = computer.army
    army.wave = {int(slot): int(view.units["generation"][slot]) for slot in slots}
    army.wave_value = float(strength(view, slots).sum())
    army.waves = 1 if early else army.waves + 1  # what follows a rush is one wave with it
    army.first_wave = min(army.first_wave, float(view.loop))
    army.next_wave = view.loop + (0 if early else gap)
    army.since = army.joined = army.opposed = view.loop
    army.target = computer.attack_targets(view)[0]
    army.state = GATHERING if computer.level.regroup else STRIKING
    send(computer, view, slots, *(gather_point(computer, view) if army.state == GATHERING else army.target))
