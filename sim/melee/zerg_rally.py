"""Rally points of Zerg town halls: some for workers, some for everything else.

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


def on_resource(game: Game, route: birth.Route) -> bool:
    """The first point is a mineral field or a gas structure's geyser that is there still."""
    if not route or route[0][0] != birth.RALLY_UNIT:
        return False
    other, generation = game.units[int(route[0][3])], route[0][4]
    return bool(other["owner"] == 0 and other["alive"] and other["generation"] == generation)


def rally(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Sets one of the two; the workers' show as long as units have none and theirs lie on a resource."""
    workers, units = game.memory.rallies.get(slot, ((), ()))
    for_workers = ability.id == WORKERS or (target.slot >= 0 and game.units[target.slot]["owner"] == 0)
    birth.write(game, slot, workers if for_workers else units)
    birth.rally(game, slot, ability, target)
    if for_workers:
        workers = birth.shown_route(game, slot)
    else:
        units = birth.shown_route(game, slot)
    game.memory.rallies[slot] = workers, units
    birth.write(game, slot, workers if not units and on_resource(game, workers) else units)


def inherit(game: Game, egg: int, hall: int, type_id: int) -> None:
    """What hatches from the egg goes where units of its type from this hall go."""
    birth.write(game, egg, birth.route_of(game, hall, bool(game.facts.types[type_id]["worker"])))


def click(game: Game, slot: int, target: Target) -> int:
    """A right-click on a resource is meant for the workers, any other for the units."""
    if not is_hall(game, slot):
        return 0
    return WORKERS if target.slot >= 0 and game.units[target.slot]["owner"] == 0 else UNITS


def forget(game: Game, slot: int) -> None:
    """The producer is gone."""
    game.memory.rallies.pop(slot, None)
    game.memory.routes.pop(slot, None)


ABILITIES[UNITS] = ABILITIES[WORKERS] = Kind(rally)
SMART.insert(0, click)  # before what a right-click means to producers of every race
ON_REMOVE.append(forget)
