"""The army: it waits at home, answers attacks, goes out in waves, gathers on the way, and leaves a lost fight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sim.computer.hands import ATTACK, MOVE

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

HOME, GATHERING, STRIKING, RETREATING = "home", "gathering", "striking", "retreating"
GATHER_AT = 0.6  # share of the way to the target at which a wave gathers
GATHER_LOOPS = 700  # longest wait there
TOGETHER = 10.0  # radius within which gathered units count as together
NEAR_FIGHT = 14.0  # units within this of the wave's middle take part in its fight
JOIN_LOOPS = 450  # every so often those at home follow a wave that is still fighting
GROWTH = 1.3  # each wave wants that much more army than the one before
BREAK_OFF = 0.35  # share of a wave that is left when it counts as beaten, at levels that do not retreat
RETREAT_LOOPS = 500  # longest time on the way home
WORKER_WEIGHT = 0.3  # of a worker in a comparison of strength, by value


@dataclass
class Army:
    """The state of the army between decisions; units by slot and generation."""

    state: str = HOME
    wave: dict[int, int] = field(default_factory=dict)
    wave_value: float = 0.0
    waves: int = 0
    next_wave: float = 0.0
    since: int = 0
    joined: int = 0
    target: tuple[float, float] = (0.0, 0.0)
    searched: int = 0


def act(computer: Computer, view: View) -> None:
    """One decision for all fighting units."""
    army = computer.army
    slots = view.slots[view.army]
    slots = slots[~np.isin(slots, list(computer.scouts))] if computer.scouts else slots
    generations = view.units["generation"]
    army.wave = {slot: generation for slot, generation in army.wave.items() if generations[slot] == generation}
    alive = set(slots.tolist())
    army.wave = {slot: generation for slot, generation in army.wave.items() if slot in alive}
    away = np.isin(slots, list(army.wave))
    threat = threats(computer, view)
    if threat is not None:
        defend(computer, view, slots[~away] if army.state != HOME else slots, threat)
    elif len(slots) and army.state == HOME:
        rest(computer, view, slots)
        maybe_attack(computer, view, slots)
        return
    else:
        rest(computer, view, slots[~away])
    if army.state != HOME:
        campaign(computer, view, slots)


def threats(computer: Computer, view: View) -> tuple[float, float, float] | None:
    """Middle (x, y) and strength of the enemies in sight near own structures that threaten most; None = peace."""
    sheet, units = view.sheet, view.units
    enemies = view.enemies
    if not len(enemies):
        return None
    types = units["type"][enemies]
    dangerous = enemies[sheet.threat[types] | sheet.worker[types] | sheet.structure[types]]
    own = view.slots[view.structures]
    if not len(dangerous) or not len(own):
        return None
    far = np.hypot(
        units["x"][dangerous][:, None] - units["x"][own][None, :],
        units["y"][dangerous][:, None] - units["y"][own][None, :],
    ).min(axis=1)
    close = dangerous[far < computer.level.defend]
    if not len(close):
        return None
    worth = strength(view, close)
    if worth.sum() <= 0:
        return None
    middle = int(np.argmax(worth))
    near = np.hypot(units["x"][close] - units["x"][close[middle]], units["y"][close] - units["y"][close[middle]]) < 12
    return float(units["x"][close[middle]]), float(units["y"][close[middle]]), float(worth[near].sum())


def strength(view: View, slots: np.ndarray) -> np.ndarray:
    """Value of units weighted by their life, workers for little; float [n]."""
    units, sheet = view.units, view.sheet
    types = units["type"][slots]
    worth = sheet.value[types] * np.where(sheet.threat[types], 1.0, np.where(sheet.worker[types], WORKER_WEIGHT, 0.1))
    life = (units["hp"][slots] + units["shield"][slots]) / np.maximum(
        units["hp_max"][slots] + units["shield_max"][slots], 1
    )
    return worth * np.clip(life, 0.15, 1.0)


def defend(computer: Computer, view: View, slots: np.ndarray, threat: tuple[float, float, float]) -> None:
    """Sends those at home against the attackers; workers help against what is weak when there is nobody else."""
    x, y, power = threat
    computer.last_threat = view.loop
    helpers = view.slots[view.mask(*computer.helper_types)] if computer.helper_types else slots[:0]
    near = np.hypot(view.units["x"][helpers] - x, view.units["y"][helpers] - y) < 2 * computer.level.defend
    defenders = np.concatenate([slots, helpers[near]])
    send(computer, view, defenders, x, y)
    if strength(view, defenders).sum() < 0.7 * power and power < 500 and computer.level.period <= 22:
        pool = view.slots[view.harvesting]
        close = pool[np.hypot(view.units["x"][pool] - x, view.units["y"][pool] - y) < 9]
        wanted = int(power / 25) + 1
        computer.hands.at(ATTACK, close[:wanted], x, y)
        computer.militia.update(int(slot) for slot in close[:wanted])


def stand_down(computer: Computer, view: View) -> None:
    """Workers that fought go back to work when nothing threatens any more."""
    if computer.militia and view.loop - computer.last_threat > 90:
        still = [
            slot
            for slot in computer.militia
            if view.units["alive"][slot] and view.units["owner"][slot] == computer.player
        ]
        fighting = [slot for slot in still if view.sheet.worker[view.units["type"][slot]]]
        if fighting and len(computer.mineral_slots):
            from sim.computer.economy import fields
            from sim.computer.hands import GATHER

            minerals = fields(view, computer)
            for slot in fighting:
                if len(minerals):
                    way = np.hypot(
                        view.units["x"][minerals] - view.units["x"][slot],
                        view.units["y"][minerals] - view.units["y"][slot],
                    )
                    computer.hands.on(GATHER, [slot], int(minerals[way.argmin()]))
        computer.militia.clear()


def rest(computer: Computer, view: View, slots: np.ndarray) -> None:
    """Units without a task wait at the rally point."""
    x, y = computer.rally_point(view)
    units = view.units
    idle = slots[units["order_count"][slots] == 0]
    far = idle[np.hypot(units["x"][idle] - x, units["y"][idle] - y) > 9]
    if len(far):
        computer.hands.at(ATTACK, far, x, y)


def maybe_attack(computer: Computer, view: View, slots: np.ndarray) -> None:
    """Starts a wave when it is time and there is enough."""
    army, level, style = computer.army, computer.level, computer.style
    if army.next_wave == 0:
        spread = 1.0 + 0.15 * (2 * float(computer.rng.random()) - 1)
        army.next_wave = level.first_wave * style.wave_time * spread
    wanted = level.wave_army * style.wave_army * GROWTH**army.waves
    value = float(strength(view, slots).sum())
    full = view.supply_used > 185
    if not full and (view.loop < army.next_wave or value < min(wanted, 9000)):
        return
    share = slots[: max(1, int(len(slots) * level.share + 0.5))]
    army.wave = {int(slot): int(view.units["generation"][slot]) for slot in share}
    army.wave_value = float(strength(view, share).sum())
    army.waves += 1
    army.next_wave = view.loop + level.wave_gap * style.wave_time
    army.since = army.joined = view.loop
    army.target = computer.attack_target(view)
    army.state = GATHERING if level.regroup else STRIKING
    if army.state == GATHERING:
        send(computer, view, share, *gather_point(computer, view))
    else:
        send(computer, view, share, *army.target)


def gather_point(computer: Computer, view: View) -> tuple[float, float]:
    """Where a wave gathers before it strikes: a point of the way from the rally point to the target, on the ground."""
    return computer.on_the_way(computer.rally_point(view), computer.army.target, GATHER_AT)


def campaign(computer: Computer, view: View, slots: np.ndarray) -> None:
    """Goes on with the wave that is out."""
    army, units, level = computer.army, view.units, computer.level
    wave = np.array(sorted(army.wave), np.int64)
    if not len(wave):
        army.state = HOME
        return
    if army.state == GATHERING:
        x, y = gather_point(computer, view)
        there = np.hypot(units["x"][wave] - x, units["y"][wave] - y) < TOGETHER
        met = in_fight(view, wave)
        if there.mean() > 0.75 or view.loop - army.since > GATHER_LOOPS or met is not None:
            army.state, army.since = STRIKING, view.loop
        else:
            send(computer, view, wave, x, y)
            return
    if army.state == RETREATING:
        x, y = computer.rally_point(view)
        home = np.hypot(units["x"][wave] - x, units["y"][wave] - y) < 15
        if home.mean() > 0.7 or view.loop - army.since > RETREAT_LOOPS:
            army.state, army.wave = HOME, {}
        else:
            computer.hands.at(MOVE, wave[units["order_count"][wave] == 0], x, y)
        return
    balance = in_fight(view, wave)
    if balance is not None and level.retreat and balance < level.retreat:
        army.state, army.since = RETREATING, view.loop
        army.next_wave = max(army.next_wave, view.loop + 0.5 * level.wave_gap)
        computer.hands.at(MOVE, wave, *computer.rally_point(view))
        return
    if view.loop - army.joined > JOIN_LOOPS:
        army.joined = view.loop
        fresh = slots[~np.isin(slots, wave)]
        if (
            strength(view, fresh).sum() > 0.25 * army.wave_value
            and strength(view, wave).sum() > BREAK_OFF * army.wave_value
        ):
            army.wave.update({int(slot): int(units["generation"][slot]) for slot in fresh})
            wave = np.array(sorted(army.wave), np.int64)
    army.target = computer.attack_target(view)
    send(computer, view, wave, *army.target)
    if strength(view, wave).sum() < 0.1 * army.wave_value and len(wave) < 4:
        army.state, army.wave = HOME, {}


def in_fight(view: View, wave: np.ndarray) -> float | None:
    """Own strength over the enemy's round the wave's middle; None when no fighting enemy is in sight there."""
    units, sheet = view.units, view.sheet
    enemies = view.enemies
    if not len(enemies) or not len(wave):
        return None
    x, y = float(np.median(units["x"][wave])), float(np.median(units["y"][wave]))
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
    units, orders = view.units, computer.game.orders[:, 0]
    busy = (units["order_count"][slots] > 0) & (np.hypot(orders["x"][slots] - x, orders["y"][slots] - y) < 6)
    there = (units["order_count"][slots] == 0) & (np.hypot(units["x"][slots] - x, units["y"][slots] - y) < 5)
    movers = slots[~busy & ~there]
    if len(movers):
        computer.hands.at(ATTACK, movers, x, y)
