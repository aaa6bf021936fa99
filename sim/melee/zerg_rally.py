"""Rally points of Zerg town halls: one for workers, one for everything else.

A bot that set both in its first loops (workers to a field, units to a point) has its drones mine as soon as they hatch.
Ours: a point on a resource is the workers', whoever set it; without one of their own they follow the units'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee import birth
from sim.melee.records import Target
from sim.melee.registry import ABILITIES, ON_REMOVE, SMART, Kind
from sim.melee.zerg_larva import is_hall

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

UNITS, WORKERS = 211, 212  # RallyHatchery, by command
FIELDS = ("rally", "rally_x", "rally_y", "rally_target", "rally_generation")
Point = tuple[float, ...]
NOWHERE: Point = (birth.NO_RALLY, 0.0, 0.0, -1, 0)


def read(game: Game, slot: int) -> Point:
    """A unit's rally point as it shows."""
    return tuple(game.units[slot][name].item() for name in FIELDS)


def write(game: Game, slot: int, point: Point) -> None:
    """Gives a unit a rally point that was read."""
    for name, value in zip(FIELDS, point, strict=True):
        game.units[slot][name] = value


def on_resource(game: Game, point: Point) -> bool:
    """The point is a mineral field or a gas structure's geyser."""
    return bool(point[0] == birth.RALLY_UNIT and game.units[int(point[3])]["owner"] == 0)


def points(game: Game, hall: int) -> tuple[Point, Point]:
    """Where a hall sends its workers, and where its other units."""
    if hall in game.memory.rallies:
        return game.memory.rallies[hall]
    shown = read(game, hall)
    return (shown, NOWHERE) if on_resource(game, shown) else (NOWHERE, shown)


def rally(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Sets one of the two points; the workers' shows as long as units have none and it lies on a resource."""
    workers, units = points(game, slot)
    birth.rally(game, slot, ability, target)
    new = read(game, slot)
    if ability.id == WORKERS or on_resource(game, new):
        workers = new
    else:
        units = new
    game.memory.rallies[slot] = workers, units
    write(game, slot, workers if not units[0] and on_resource(game, workers) else units)


def inherit(game: Game, egg: int, hall: int, type_id: int) -> None:
    """What hatches from the egg goes where units of its type from this hall go."""
    workers, units = points(game, hall)
    write(game, egg, workers if game.facts.types[type_id]["worker"] and workers[0] else units)


def click(game: Game, slot: int, target: Target) -> int:
    """A right-click on a resource is meant for the workers, any other for the units."""
    if not is_hall(game, slot):
        return 0
    return WORKERS if target.slot >= 0 and game.units[target.slot]["owner"] == 0 else UNITS


def forget(game: Game, slot: int) -> None:
    """The town hall is gone."""
    game.memory.rallies.pop(slot, None)


ABILITIES[UNITS] = ABILITIES[WORKERS] = Kind(rally)
SMART.insert(0, click)  # before what a right-click means to producers of every race
ON_REMOVE.append(forget)
