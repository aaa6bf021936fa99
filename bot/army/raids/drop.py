"""Drops: Medivacs carry soldiers round the enemy's army to a mineral line, and fetch them when the fight turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId

from bot.army.raids.raid import Moment, Phase, Point, Raid, aiming, apart, follow, odds, present, pressure, prey, travel
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.task import DROP, Mode, Task


class Flight(NamedTuple):
    """What a drop knows in one step."""

    m: Moment
    rules: Mapping[str, Any]
    """The table `raids.drop` of army.toml."""
    army: Mapping[str, Any]
    """The whole file."""
    carriers: np.ndarray
    """i8 [c]: rows of the Medivacs."""
    feet: np.ndarray
    """i8 [f]: rows of the soldiers who are not aboard."""
    place: Point
    """The middle of the Medivacs (cells)."""
    cargo: float
    """Places taken aboard."""

    @property
    def weak(self) -> bool:
        """A Medivac is badly hurt."""
        own = self.m.field.own
        return bool((own.hp[self.carriers] / own.hp_max[self.carriers]).min() < self.rules["life"])

    def tags(self, rows: np.ndarray) -> set[int]:
        """Whose rows these are."""
        return {self.m.field.own.tags[row] for row in rows.tolist()}


def step(raid: Raid, m: Moment, rules: Mapping[str, Any], army: Mapping[str, Any]) -> dict[int, Task]:
    """Gather, board, fly, unload and fight, pick up, and home."""
    here = present(raid, m, rules, raid.tags - raid.soldiers)
    if here is None:
        return {}
    carriers, place = here
    cargo = float(m.field.own.cargo[carriers].sum())
    flight = Flight(m, rules, army, carriers, m.rows_of(raid.soldiers), place, cargo)
    if raid.phase in TURNS:
        TURNS[raid.phase](raid, flight)
    return TASKS[raid.phase](raid, flight) if raid.phase in TASKS else {}


# -- the next phase, where it is time for it --------------------------------------------------------------------------
def _gathering(raid: Raid, flight: Flight) -> None:
    m, rules = flight.m, flight.rules
    if _gathered(raid, flight):
        raid.turn(Phase.BOARD, m.loop, f"{flight.feet.size} soldiers for {flight.carriers.size} Medivacs")
    elif raid.lasted(m.loop) > rules["longest_gather"]:
        raid.turn(Phase.DONE, m.loop, "they do not come together")


def _gathered(raid: Raid, flight: Flight) -> bool:
    """Whether every soldier stands beside a Medivac."""
    if not flight.feet.size:
        return False
    own, near = flight.m.field.own, flight.rules["near"]
    gap = np.hypot(*(own.xy[flight.feet][:, None, :] - own.xy[flight.carriers][None, :, :]).transpose(2, 0, 1))
    return bool((gap.min(axis=1) <= near).all()) and apart(flight.m.centre(flight.feet), raid.home) <= 2 * near


def _boarding(raid: Raid, flight: Flight) -> None:
    loop, cargo = flight.m.loop, flight.cargo
    if not flight.feet.size or raid.lasted(loop) > flight.rules["longest_board"]:
        raid.turn(Phase.TRAVEL if cargo > 0 else Phase.DONE, loop, f"{cargo:.0f} places taken")
        raid.soldiers -= flight.tags(flight.feet)
        raid.tags -= flight.tags(flight.feet)


def _travelling(raid: Raid, flight: Flight) -> None:
    m, rules, carriers = flight.m, flight.rules, flight.carriers
    if apart(flight.place, raid.line) <= rules["arrive"]:
        raid.turn(Phase.STRIKE, m.loop, "over the mineral line")
    elif flight.weak or pressure(carriers, m, 1.0) * rules["seconds"] > m.field.own.hp[carriers].sum():
        raid.turn(Phase.LEAVE, m.loop, "shot at on the way")


def _striking(raid: Raid, flight: Flight) -> None:
    m, rules, feet, cargo = flight.m, flight.rules, flight.feet, flight.cargo
    if cargo > 0 or prey(raid, flight.place, m, rules["prey"]):
        raid.useful = m.loop
    centre = m.centre(feet) if feet.size else raid.line
    ratio = odds(np.concatenate((feet, flight.carriers)), centre, m, flight.army, rules["look"])
    if feet.size and ratio < rules["leave"]:
        raid.turn(Phase.PICK_UP, m.loop, f"odds of {ratio:.1f}")
    elif flight.weak and not cargo:
        raid.turn(Phase.PICK_UP, m.loop, "a Medivac is badly hurt")
    elif (m.loop - raid.useful) / LOOPS_PER_SECOND > rules["patience"]:
        raid.turn(Phase.PICK_UP, m.loop, "no workers here")
    elif not feet.size and not cargo:
        raid.turn(Phase.LEAVE, m.loop, "the soldiers are lost")
    elif not feet.size and raid.lasted(m.loop) > rules["longest_unload"]:
        raid.turn(Phase.LEAVE, m.loop, "no ground to land on")


def _picking_up(raid: Raid, flight: Flight) -> None:
    loop = flight.m.loop
    if not flight.feet.size or raid.lasted(loop) > flight.rules["longest_pick_up"]:
        raid.turn(Phase.LEAVE, loop, f"{flight.cargo:.0f} places taken")


# -- what everybody does in a phase -----------------------------------------------------------------------------------
def _gather(raid: Raid, flight: Flight) -> dict[int, Task]:
    return travel(raid.tags, raid.home)


def _board(raid: Raid, flight: Flight) -> dict[int, Task]:
    """Soldiers come to the Medivacs, which take them: micro's choice whom."""
    return travel(raid.soldiers, flight.place) | _load(raid, flight, raid.line)


def _travel(raid: Raid, flight: Flight) -> dict[int, Task]:
    return _fly(raid, flight, raid.line)


def _strike(raid: Raid, flight: Flight) -> dict[int, Task]:
    """Everyone out at the line; Medivacs heal behind the soldiers."""
    m, carriers = flight.m, flight.carriers
    centre = m.centre(flight.feet) if flight.feet.size else raid.line
    goal = prey(raid, centre, m, SIGHT) or _structure(centre, m) or raid.line
    own = m.field.own
    # Who is letting soldiers out gets no further word: the order would begin anew.
    free = [row for row in carriers.tolist() if not (own.cargo[row] > 0 and aiming(carriers[carriers == row], m))]
    out = {own.tags[row]: Task(Mode.FIGHT, raid.line, raid.home, centre, DROP) for row in free}
    return out | dict.fromkeys(raid.soldiers, Task(Mode.FIGHT, goal, raid.home, centre, DROP))


def _pick_up(raid: Raid, flight: Flight) -> dict[int, Task]:
    """Each to the other: soldiers run to the nearest Medivac, Medivacs to the nearest soldier."""
    own = flight.m.field.own
    tasks = _load(raid, flight, raid.home)
    for row in flight.feet.tolist():
        apart_ = np.hypot(*(own.xy[flight.carriers] - own.xy[row]).T)
        x, y = own.xy[flight.carriers[int(apart_.argmin())]].tolist()
        tasks |= travel([own.tags[row]], (x, y))
    return tasks


def _leave(raid: Raid, flight: Flight) -> dict[int, Task]:
    """Home; who was left behind walks."""
    return _fly(raid, flight, raid.home) | travel(raid.soldiers, raid.home)


def _load(raid: Raid, flight: Flight, far: Point) -> dict[int, Task]:
    """Medivacs with room go to the nearest soldier and take in who is beside them; `far` is where they go after."""
    own, feet, tasks = flight.m.field.own, flight.feet, {}
    for row in flight.carriers.tolist():
        tag, (x, y) = own.tags[row], own.xy[row].tolist()
        room = own.cargo_max[row] - own.cargo[row]
        fits = feet[flight.m.field.kinds.cargo_size[own.kind[feet]] <= room]
        gap = np.hypot(*(own.xy[fits] - own.xy[row]).T)
        if fits.size and gap.min() <= BESIDE:
            tasks[tag] = Task(Mode.FIGHT, far, raid.home, (x, y), DROP)
            continue
        if fits.size:
            x, y = own.xy[fits[int(gap.argmin())]].tolist()
        tasks |= travel([tag], (x, y))
    return tasks


def _fly(raid: Raid, flight: Flight, goal: Point) -> dict[int, Task]:
    """On along the way, without a stop for anything; those who are there let everybody out."""
    tags = [flight.m.field.own.tags[row] for row in flight.carriers.tolist()]
    if apart(flight.place, goal) <= BESIDE:
        return dict.fromkeys(tags, Task(Mode.FIGHT, goal, raid.home, goal, DROP))
    return travel(tags, follow(raid, flight.m, flight.place, goal, flying=True))


def _structure(place: Point, m: Moment) -> Point | None:
    """The nearest enemy structure in reach, once the workers are gone."""
    known = [(s.position[0], s.position[1]) for s in m.knowledge.enemy.memory.values() if s.is_structure]
    near = min(known, key=lambda point: apart(point, place), default=None)
    return near if near is not None and apart(near, place) <= SIGHT else None


BESIDE = 5.0
"""A soldier so near is taken aboard without another word, and so near a flight has arrived (cells; micro reaches for
6)."""
SIGHT = 14.0
TURNS: dict[Phase, Callable[[Raid, Flight], None]] = {
    Phase.GATHER: _gathering,
    Phase.BOARD: _boarding,
    Phase.TRAVEL: _travelling,
    Phase.STRIKE: _striking,
    Phase.PICK_UP: _picking_up,
}
TASKS: dict[Phase, Callable[[Raid, Flight], dict[int, Task]]] = {
    Phase.GATHER: _gather,
    Phase.BOARD: _board,
    Phase.TRAVEL: _travel,
    Phase.STRIKE: _strike,
    Phase.PICK_UP: _pick_up,
    Phase.LEAVE: _leave,
}
PASSENGERS = (UnitTypeId.MARINE, UnitTypeId.MARAUDER)
