"""Drops: Medivacs carry soldiers round the enemy's army to a mineral line, and fetch them when the fight turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.army.raids.raid import Moment, Phase, Point, Raid, aiming, apart, follow, odds, present, pressure, prey, travel
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.task import DROP, Mode, Task


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """Gather, board, fly, unload and fight, pick up, and home."""
    here = present(raid, m, rules, raid.tags - raid.soldiers)
    if here is None:
        return {}
    carriers, place = here
    feet = m.rows_of(raid.soldiers)
    cargo = float(m.field.own.cargo[carriers].sum())
    _turn(raid, m, rules, army, carriers, feet, cargo)
    if raid.phase is Phase.DONE:
        return {}
    return TASKS[raid.phase](raid, m, place, carriers, feet)


def _turn(
    raid: Raid,
    m: Moment,
    rules: Mapping[str, Any],
    army: Mapping[str, Any],
    carriers: np.ndarray,
    feet: np.ndarray,
    cargo: float,
) -> None:
    """The next phase, where it is time for it."""
    loop, own, place = m.loop, m.field.own, m.centre(carriers)
    weak = bool((own.hp[carriers] / own.hp_max[carriers]).min() < rules["life"])
    if raid.phase is Phase.GATHER:
        if _gathered(raid, m, carriers, feet, rules["near"]):
            raid.turn(Phase.BOARD, loop, f"{feet.size} soldiers for {carriers.size} Medivacs")
        elif raid.lasted(loop) > rules["longest_gather"]:
            raid.turn(Phase.DONE, loop, "they do not come together")
    elif raid.phase is Phase.BOARD:
        if not feet.size or raid.lasted(loop) > rules["longest_board"]:
            raid.turn(Phase.TRAVEL if cargo > 0 else Phase.DONE, loop, f"{cargo:.0f} places taken")
            raid.soldiers -= {own.tags[row] for row in feet.tolist()}
            raid.tags -= {own.tags[row] for row in feet.tolist()}
    elif raid.phase is Phase.TRAVEL:
        if apart(place, raid.line) <= rules["arrive"]:
            raid.turn(Phase.STRIKE, loop, "over the mineral line")
        elif weak or pressure(carriers, m, 1.0) * rules["seconds"] > own.hp[carriers].sum():
            raid.turn(Phase.LEAVE, loop, "shot at on the way")
    elif raid.phase is Phase.STRIKE:
        if cargo > 0 or prey(raid, place, m, rules["prey"]):
            raid.useful = loop
        centre = m.centre(feet) if feet.size else raid.line
        ratio = odds(np.concatenate((feet, carriers)), centre, m, army, rules["look"])
        if feet.size and ratio < rules["leave"]:
            raid.turn(Phase.PICK_UP, loop, f"odds of {ratio:.1f}")
        elif weak and not cargo:
            raid.turn(Phase.PICK_UP, loop, "a Medivac is badly hurt")
        elif (loop - raid.useful) / LOOPS_PER_SECOND > rules["patience"]:
            raid.turn(Phase.PICK_UP, loop, "no workers here")
        elif not feet.size and not cargo:
            raid.turn(Phase.LEAVE, loop, "the soldiers are lost")
    elif raid.phase is Phase.PICK_UP and (not feet.size or raid.lasted(loop) > rules["longest_pick_up"]):
        raid.turn(Phase.LEAVE, loop, f"{cargo:.0f} places taken")


def _gathered(raid: Raid, m: Moment, carriers: np.ndarray, feet: np.ndarray, near: float) -> bool:
    """Whether every soldier stands beside a Medivac."""
    if not feet.size:
        return False
    own = m.field.own
    gap = np.hypot(*(own.xy[feet][:, None, :] - own.xy[carriers][None, :, :]).transpose(2, 0, 1))
    return bool((gap.min(axis=1) <= near).all()) and apart(m.centre(carriers), raid.home) <= 2 * near


def _gather(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, feet: np.ndarray) -> dict[int, Task]:
    return travel(raid.tags, raid.home)


def _board(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, feet: np.ndarray) -> dict[int, Task]:
    """Soldiers come to the Medivacs, which take them: micro's choice whom."""
    return travel(raid.soldiers, place) | _load(raid, m, carriers, feet, raid.line)


def _travel(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, feet: np.ndarray) -> dict[int, Task]:
    return _fly(raid, m, place, carriers, raid.line)


def _strike(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, feet: np.ndarray) -> dict[int, Task]:
    """Everyone out at the line; Medivacs heal behind the soldiers."""
    centre = m.centre(feet) if feet.size else raid.line
    goal = prey(raid, centre, m, SIGHT) or _structure(centre, m) or raid.line
    own = m.field.own
    # Who is letting soldiers out gets no further word: the order would begin anew.
    free = [row for row in carriers.tolist() if not (own.cargo[row] > 0 and aiming(carriers[carriers == row], m))]
    out = {own.tags[row]: Task(Mode.FIGHT, raid.line, raid.home, centre, DROP) for row in free}
    return out | dict.fromkeys(raid.soldiers, Task(Mode.FIGHT, goal, raid.home, centre, DROP))


def _pick_up(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, feet: np.ndarray) -> dict[int, Task]:
    """Each to the other: soldiers run to the nearest Medivac, Medivacs to the nearest soldier."""
    own = m.field.own
    tasks = _load(raid, m, carriers, feet, raid.home)
    for row in feet.tolist():
        apart_ = np.hypot(*(own.xy[carriers] - own.xy[row]).T)
        x, y = own.xy[carriers[int(apart_.argmin())]].tolist()
        tasks |= travel([own.tags[row]], (x, y))
    return tasks


def _leave(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, feet: np.ndarray) -> dict[int, Task]:
    """Home; who was left behind walks."""
    return _fly(raid, m, place, carriers, raid.home) | travel(raid.soldiers, raid.home)


def _load(raid: Raid, m: Moment, carriers: np.ndarray, feet: np.ndarray, far: Point) -> dict[int, Task]:
    """Medivacs with room go to the nearest soldier and take in who is beside them; `far` is where they go after."""
    own, tasks = m.field.own, {}
    for row in carriers.tolist():
        x, y = own.xy[row].tolist()
        room = own.cargo_max[row] - own.cargo[row]
        fits = feet[m.field.kinds.cargo_size[own.kind[feet]] <= room]
        gap = np.hypot(*(own.xy[fits] - own.xy[row]).T)
        if not fits.size:
            tasks[own.tags[row]] = Task(Mode.RETREAT, (x, y), (x, y), (x, y))
        elif gap.min() <= BESIDE:
            tasks[own.tags[row]] = Task(Mode.FIGHT, far, raid.home, (x, y), DROP)
        else:
            soldier = own.xy[fits[int(gap.argmin())]].tolist()
            tasks[own.tags[row]] = travel([own.tags[row]], (soldier[0], soldier[1]))[own.tags[row]]
    return tasks


def _fly(raid: Raid, m: Moment, place: Point, carriers: np.ndarray, goal: Point) -> dict[int, Task]:
    """On along the way, without a stop for anything; those who are there let everybody out."""
    tags = [m.field.own.tags[row] for row in carriers.tolist()]
    if apart(place, goal) <= BESIDE:
        return dict.fromkeys(tags, Task(Mode.FIGHT, goal, raid.home, goal, DROP))
    return travel(tags, follow(raid, m, place, goal, flying=True))


def _structure(place: Point, m: Moment) -> Point | None:
    """The nearest enemy structure in reach, once the workers are gone."""
    known = [(s.position[0], s.position[1]) for s in m.knowledge.enemy.memory.values() if s.is_structure]
    near = min(known, key=lambda point: apart(point, place), default=None)
    return near if near is not None and apart(near, place) <= SIGHT else None


BESIDE = 5.0
"""A soldier so near is taken aboard without another word, and so near a flight has arrived (cells; micro reaches for
6)."""
SIGHT = 14.0
TASKS = {
    Phase.GATHER: _gather,
    Phase.BOARD: _board,
    Phase.TRAVEL: _travel,
    Phase.STRIKE: _strike,
    Phase.PICK_UP: _pick_up,
    Phase.LEAVE: _leave,
}
PASSENGERS = (UnitTypeId.MARINE, UnitTypeId.MARAUDER)
