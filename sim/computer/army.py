"""The army: it waits at home, goes out in waves (`waves.py`), gathers on the way, and leaves a lost fight."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import alarm, defence, force
from sim.computer.force import GATHERING, HOME, NEAR_FIGHT, RETREATING, STRIKING, in_fight, middle, send, strength
from sim.computer.hands import ATTACK
from sim.computer.protoss_care import merging
from sim.computer.waves import gather_point, maybe_attack, rushing

if TYPE_CHECKING:
    from sim.computer.computer import Computer
    from sim.computer.view import View

GATHER_LOOPS = 700  # longest wait there
TOGETHER = 10.0  # radius within which gathered units count as together
FAR_FROM_HOME = 30.0  # cells from the rally point
JOIN_LOOPS = 450  # every so often those at home follow a wave that is still fighting
JOIN_FROM = 6  # units, at the levels whose army grows without pause (the game's own AI scripts: Harder and above)
AHEAD = 8.0  # cells ahead of the middle of a wave at which a unit waits
AT_TARGET = 12.0  # nearer to the target nobody waits any more
WARY, WARY_LOOPS = 0.1, 48  # a wave that has fought for no longer leaves so much sooner (the scripts: 3 seconds)
REST = 1920  # loops at home after a retreat, at least (the scripts: 120 seconds)
BREAK_OFF = 0.35  # share of a wave that is left when it is beaten: nobody follows it, the next one takes it along
RETREAT_LOOPS = 500  # longest time on the way home
STALLED, STALLED_LOOPS = 3.0, 400  # a wave whose middle stays within so many cells for so long cannot get further
HUNT_AFTER, OPPOSED = 1200, 0.2  # loops without enemies of that share of a wave's strength in sight: it parts
PARTY, APART = 8, 20.0  # fewest units of a part, cells between their targets
GIVEN_UP_LOOPS = 4000  # for so long no wave is sent again to a place that one could not get to


@dataclass
class Army:
    """The state of the army between decisions; units by slot and generation."""

    state: str = HOME
    wave: dict[int, int] = field(default_factory=dict)
    wave_value: float = 0.0
    waves: int = 0
    next_wave: float = 0.0
    first_wave: float = math.inf  # loop at which it set out, or was left out
    since: int = 0
    joined: int = 0
    target: tuple[float, float] = (0.0, 0.0)
    fighting: int = -1  # loop at which its present fight began, -1: it has none
    opposed: int = 0  # loop at which enough enemies to be a match for part of the wave were last in sight
    stood: tuple[float, float] = (0.0, 0.0)  # where the wave's middle was when it last got on
    stood_since: int = 0
    given_up: dict[tuple[float, float], int] = field(default_factory=dict)  # place -> loop until which


def act(computer: Computer, view: View) -> None:
    """One decision for all fighting units."""
    army = computer.army
    slots = view.slots[view.army]
    slots = slots[~np.isin(slots, list(computer.scouts))] if computer.scouts else slots
    slots = slots[~merging(computer, slots)]
    generations = view.units["generation"]
    alive = set(slots.tolist())
    army.wave = {slot: made for slot, made in army.wave.items() if slot in alive and generations[slot] == made}
    away = np.isin(slots, list(army.wave))
    threat = defence.threats(computer, view)
    alarm.notice(computer, view, threat)
    if threat is not None:
        defence.defend(computer, view, slots[~away] if army.state != HOME else slots, threat)
    else:
        rest(computer, view, slots if army.state == HOME else slots[~away])
    away_now, slots = army.state != HOME, force.going(computer, view, slots)
    free = len(slots) and (not away_now or beaten(computer, view)) and defence.is_light(view, threat, slots)
    launched = free and maybe_attack(computer, view, slots)
    if away_now and not launched:
        campaign(computer, view, slots)


def rest(computer: Computer, view: View, slots: np.ndarray) -> None:
    """Units without a task wait at the rally point."""
    x, y = computer.rally_point(view)
    units = view.units
    idle = slots[units["order_count"][slots] == 0]
    far = idle[np.hypot(units["x"][idle] - x, units["y"][idle] - y) > 9]
    if len(far):
        computer.hands.walk(far, x, y, how=ATTACK)


def beaten(computer: Computer, view: View) -> bool:
    """Little is left of the wave that is out."""
    wave = np.array(sorted(computer.army.wave), np.int64)
    striking = computer.army.state == STRIKING
    return striking and float(strength(view, wave).sum()) < BREAK_OFF * computer.army.wave_value


def hold_back(computer: Computer, view: View, wave: np.ndarray) -> np.ndarray:
    """Lets those far ahead of the wave's middle wait for it; -> the others. Flyers keep to the middle too."""
    units, target = view.units, computer.army.target
    x, y = units["x"][wave], units["y"][wave]
    middle_x, middle_y = middle(view, wave)
    left = np.hypot(x - target[0], y - target[1])
    ahead = (left < np.hypot(middle_x - target[0], middle_y - target[1]) - AHEAD) & (left > AT_TARGET)
    if ahead.any():
        computer.hands.walk(wave[ahead], middle_x, middle_y)
    return wave[~ahead]


def give_up_if_stalled(computer: Computer, view: View, wave: np.ndarray) -> None:
    """Leaves the target out for a while where nobody gets on or shoots: it stands behind rocks or on an island."""
    army, place = computer.army, middle(view, wave)
    moved = np.hypot(place[0] - army.stood[0], place[1] - army.stood[1]) > STALLED
    if moved or (view.units["target"][wave] >= 0).any():
        army.stood, army.stood_since = place, view.loop
    elif view.loop - max(army.stood_since, army.since) > STALLED_LOOPS:
        army.given_up[army.target] = view.loop + GIVEN_UP_LOOPS
        army.stood_since = view.loop


def with_newcomers(computer: Computer, view: View, wave: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """The wave and those of the army beside its middle, far from home: what was warped in there."""
    (x, y), home = middle(view, wave), computer.rally_point(view)
    if computer.army.state != STRIKING or np.hypot(x - home[0], y - home[1]) < FAR_FROM_HOME:
        return wave
    near = slots[np.hypot(view.units["x"][slots] - x, view.units["y"][slots] - y) < NEAR_FIGHT]
    fresh = near[~np.isin(near, wave)]
    computer.army.wave.update({int(slot): int(view.units["generation"][slot]) for slot in fresh})
    return np.union1d(wave, fresh)


def hunting(computer: Computer, view: View, wave: np.ndarray) -> bool:
    """The enemy has had no army in sight for so long that there is none."""
    army, seen, sheet = computer.army, view.enemies, view.sheet
    fighters = seen[sheet.fighter[view.units["type"][seen]]]
    if strength(view, fighters).sum() > OPPOSED * strength(view, wave).sum():
        army.opposed = view.loop
    return view.loop - max(army.opposed, army.since) > HUNT_AFTER


def parties(
    view: View, wave: np.ndarray, targets: list[tuple[float, float]]
) -> list[tuple[tuple[float, float], np.ndarray]]:
    """Splits a wave over targets that lie apart (the first one is the nearest): (place, slots) of each party."""
    places, units = np.array(targets), view.units
    goals, away = [0], np.hypot(*(places - places[0]).T)
    while len(goals) < max(len(wave) // PARTY, 1) and away.max() > APART:
        goals.append(int(away.argmax()))
        away = np.minimum(away, np.hypot(*(places - places[goals[-1]]).T))
    left, size, found = wave, len(wave) // len(goals), []
    for goal in goals[:0:-1]:
        way = np.hypot(units["x"][left] - places[goal, 0], units["y"][left] - places[goal, 1])
        order = np.argsort(way, kind="stable")
        found.append((targets[goal], left[order[:size]]))
        left = left[np.sort(order[size:])]
    return [(targets[0], left), *found]


def lost(computer: Computer, view: View, balance: float | None) -> bool:
    """Whether the wave leaves its fight, by its share of the enemy's strength there (None: nobody fights)."""
    army, level = computer.army, computer.level
    if balance is None:
        army.fighting = -1
        return False
    if army.fighting < 0:
        army.fighting = view.loop
    fresh = view.loop - army.fighting <= WARY_LOOPS
    return level.retreat > 0 and balance < level.retreat + WARY * fresh


def campaign(computer: Computer, view: View, slots: np.ndarray) -> None:
    """Goes on with the wave that is out."""
    army, units, level = computer.army, view.units, computer.level
    wave = np.array(sorted(army.wave), np.int64)
    if not len(wave):
        army.state = HOME
        return
    wave = with_newcomers(computer, view, wave, slots)
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
            computer.hands.walk(wave[units["order_count"][wave] == 0], x, y)
        return
    balance = in_fight(view, wave)
    if lost(computer, view, balance):
        army.state, army.since = RETREATING, view.loop
        army.next_wave = max(army.next_wave, view.loop + REST)
        computer.hands.walk(wave, *computer.rally_point(view))
        return
    at_once = rushing(computer, view) or view.loop < computer.opening.raid_until
    if at_once or view.loop - army.joined > JOIN_LOOPS:
        army.joined = view.loop
        fresh = slots[~np.isin(slots, wave)]
        enough = len(fresh) >= (1 if at_once else JOIN_FROM)
        if level.plan != "middle" and enough and not beaten(computer, view):
            army.wave.update({int(slot): int(units["generation"][slot]) for slot in fresh})
            wave = np.array(sorted(army.wave), np.int64)
    give_up_if_stalled(computer, view, wave)
    targets = computer.attack_targets(view)
    army.target = targets[0]
    if hunting(computer, view, wave):
        for place, party in parties(view, wave, targets):
            send(computer, view, party, *place)
        return
    if level.patient and balance is None:
        wave = hold_back(computer, view, wave)
    send(computer, view, wave, *army.target)
    if strength(view, wave).sum() < 0.1 * army.wave_value and len(wave) < 4:
        army.state, army.wave = HOME, {}
