"""Where trained units appear, and where they go first (rally points)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.state import BURROWED, NO_COLLISION, STRUCTURE, UNFINISHED
from sim.melee.grids import in_the_way, walkable
from sim.melee.lifecycle import on_level
from sim.melee.records import Alert, Result, Target
from sim.melee.registry import KINDS, ON_REMOVE, Kind
from sim.melee.tables import types_named

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

NO_RALLY, RALLY_POINT, RALLY_UNIT = range(3)
FIELDS = ("rally", "rally_x", "rally_y", "rally_target", "rally_generation")
FURTHER = 3  # rally points behind the first that a producer takes (observed of 4.10: four in all)
Point = tuple[Any, ...]  # values of FIELDS
Route = tuple[Point, ...]  # rally points, one after the other
NOWHERE: Point = (NO_RALLY, 0.0, 0.0, -1, 0)
DIRECTIONS = 24
DOWN = -math.pi / 2  # without a rally point units come out below
# In the way of nobody who is born.
LAID = ("Larva", "Egg", "BanelingCocoon")
ALERTS = {"Mothership": Alert.MOTHERSHIP_COMPLETE}  # in place of a unit's own (observed)
TOUCHING = 1e-3  # cells by which units may overlap: two zerglings of one egg stand edge to edge


def unit_born(game: Game, producer: int, type_id: int) -> int:
    """Lets a unit out beside its producer and sends it to the rally point. -> slot.

    What hatches does so where its egg lay, or as near as it can (88 % of 2,541 drones of real games in the egg's cell).
    A Queen comes out below, wherever she is sent (62 of 69 real ones in the same cell, with rally points of all sorts).
    """
    home = game.units[producer]
    owner = int(home["owner"])
    row = game.types[owner, type_id]
    angle = DOWN
    if home["rally"] and type_id != game.facts.ids["Queen"]:
        angle = math.atan2(float(home["rally_y"]) - float(home["y"]), float(home["rally_x"]) - float(home["x"]))
    reach = float(game.type_of(producer)["radius"]) + float(row["radius"])
    if not int(home["flags"]) & STRUCTURE:
        reach = 0.0
    x, y = free_spot(game, float(home["x"]), float(home["y"]), reach, angle, type_id, owner)
    slot = game.spawn(type_id, owner, x, y, facing=angle)
    alert = Alert.TRAIN_WORKER_COMPLETE if row["worker"] else Alert.TRAIN_UNIT_COMPLETE
    game.alert(owner, ALERTS.get(game.facts.names[type_id], alert))
    send_to_rally(game, producer, slot)
    return slot


def free_spot(
    game: Game, x: float, y: float, reach: float, angle: float, type_id: int, owner: int, mover: int = -1
) -> tuple[float, float]:
    """The place nearest to direction `angle` at distance `reach` (or a little more) from a point where a unit fits.

    Walls keep off its middle only: Queens, tanks and Marauders of real games stand with their edge at the producer's,
    their body partly in its footprint. Workers that mine are in nobody's way (in 500 births of real games none gave
    way to them), nor are walking ones. A `mover`, the unit in that slot which has come to the point, is
    not in its own way and stays on its level of the ground.
    """
    row = game.types[owner, type_id]
    if row["flying"]:
        return x + reach * math.cos(angle), y + reach * math.sin(angle)
    radius = float(row["separation"]) or 0.375
    units = game.units[: int(game.world[0]["slots"])]
    close = units[
        in_the_way(game)
        & (np.arange(len(units)) != mover)
        & ~((units["moving"] != 0) & (game.types[1]["worker"][units["type"]] != 0))
        & (units["flags"] & (BURROWED | NO_COLLISION) == 0)
        & (abs(units["x"] - x) < reach + 6)
        & (abs(units["y"] - y) < reach + 6)
        & ~types_named(game.patch, LAID)[units["type"]]
    ]
    others = np.maximum(game.types[1]["separation"][close["type"]], 0.1) + radius - TOUCHING
    for ring in range(8):
        distance = reach + ring * 0.75
        for step in range(DIRECTIONS):
            turn = (step + 1) // 2 * (1 if step % 2 else -1) * 2 * math.pi / DIRECTIONS
            at_x, at_y = x + distance * math.cos(angle + turn), y + distance * math.sin(angle + turn)
            if not walkable(game, at_x, at_y) or (mover >= 0 and not on_level(game, mover, at_x, at_y)):
                continue
            if len(close) and (np.hypot(close["x"] - at_x, close["y"] - at_y) < others).any():
                continue
            return at_x, at_y
    return x + reach * math.cos(angle), y + reach * math.sin(angle)


def send_to_rally(game: Game, producer: int, slot: int) -> None:
    """First orders of a new unit by its producer's rally points: workers gather at a resource, all others move."""
    for number, point in enumerate(route_of(game, producer, bool(game.type_of(slot)["worker"]))):
        send_to(game, slot, point, queued=number > 0)


def route_of(game: Game, producer: int, worker: bool) -> Route:
    """The rally points at which a producer sends its workers, or its other units."""
    if producer in game.memory.rallies:
        workers, units = game.memory.rallies[producer]
        return workers if worker and workers else units
    return shown_route(game, producer)


def shown_route(game: Game, slot: int) -> Route:
    """The rally points of a unit as they show."""
    first = read(game, slot)
    return (first, *game.memory.routes.get(slot, ())) if first[0] else ()


def send_to(game: Game, slot: int, point: Point, *, queued: bool) -> None:
    """What a right-click there means to the unit, or on the ground where a field was."""
    kind, x, y, other, generation = point
    target, unit = Target(-1, x, y, has_point=True, queued=queued), game.units[other]
    if kind == RALLY_UNIT and unit["alive"] and unit["generation"] == generation:
        target = Target(other, float(unit["x"]), float(unit["y"]), queued=queued)
    from sim.melee import verdicts
    from sim.melee.orders import kind_of

    exact, verdict = verdicts.choose(game, slot, verdicts.SMART_ID, target)
    if verdict != Result.SUCCESS:
        target = Target(-1, target.x, target.y, has_point=True, queued=queued)
        exact, verdict = verdicts.choose(game, slot, verdicts.SMART_ID, target)
    known = kind_of(game, exact) if verdict == Result.SUCCESS else None
    if known is not None:
        known.apply(game, slot, game.facts.abilities[exact], target)


def parts(game: Game, producer: int) -> bool:
    """The producer is one that sends its workers elsewhere than its units: a Zerg town hall."""
    known, facts = game.abilities_of(int(game.units[producer]["type"])), game.facts.abilities
    return all(any(facts[ability].shown for ability in known.get(kind, ())) for kind in ("rally", "rally_workers"))


def can_rally(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Units that walk have a rally point only while they are made, as the query offers it."""
    walks = "move" in game.abilities_of(int(game.units[slot]["type"]))
    return Result.NOT_SUPPORTED if walks and not int(game.units[slot]["flags"]) & UNFINISHED else Result.SUCCESS


def rally(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Sets the rally point of a producer, or adds a further one when queued; on itself: takes them away.

    One queued on itself is a further one: a public program lets Drones mine for ever through a Nydus Network by it,
    each exit with a field or a hall first and itself behind it.
    """
    first = not target.queued or game.units[slot]["rally"] == NO_RALLY
    if (target.slot == slot and first) or not target.given:
        game.units[slot]["rally"] = NO_RALLY
    elif first:
        set_rally(game, slot, target)
    else:
        route = game.memory.routes.get(slot, ())
        game.memory.routes[slot] = (*route, point_of(game, target))[:FURTHER]


def set_rally(game: Game, slot: int, target: Target) -> None:
    """What the producer makes from now on goes to a point or a unit."""
    write(game, slot, (point_of(game, target),))


def set_workers_rally(game: Game, hall: int, target: Target) -> None:
    """New workers of a town hall go to a field; where units go elsewhere, those have no rally point by that."""
    set_rally(game, hall, target)
    if parts(game, hall):
        game.memory.rallies[hall] = shown_route(game, hall), ()


def point_of(game: Game, target: Target) -> Point:
    """A rally point there."""
    if target.slot < 0:
        return RALLY_POINT, target.x, target.y, -1, 0
    return RALLY_UNIT, target.x, target.y, target.slot, game.units[target.slot]["generation"].item()


def replace(game: Game, gone: int, instead: Route) -> None:
    """Rally points on a unit become others, or none, from now on."""
    key, memory, units = (gone, game.units[gone]["generation"].item()), game.memory, game.units

    def turned(route: Route) -> Route:
        return tuple(
            now for point in route for now in (instead if point[0] == RALLY_UNIT and point[3:] == key else (point,))
        )

    first = (units["rally"] == RALLY_UNIT) & (units["rally_target"] == gone) & (units["rally_generation"] == key[1])
    for slot in {*map(int, np.flatnonzero(first)), *memory.routes}:
        write(game, slot, turned(shown_route(game, slot)))
    memory.rallies.update({hall: tuple(map(turned, both)) for hall, both in memory.rallies.items()})


def read(game: Game, slot: int) -> Point:
    """A unit's rally point as it shows; the first, if there are several."""
    return tuple(game.units[slot][name].item() for name in FIELDS)


def write(game: Game, slot: int, route: Route) -> None:
    """Gives a unit rally points that were read, or none."""
    for name, value in zip(FIELDS, route[0] if route else NOWHERE, strict=True):
        game.units[slot][name] = value
    game.memory.routes.pop(slot, None)
    if route[1:]:
        game.memory.routes[slot] = route[1:]


def lose(game: Game, slot: int) -> None:
    """Rally points on a unit go with it (catalog: ClearRallyOnTargetLost, which mineral fields have not)."""
    if int(game.units[slot]["type"]) not in game.facts.minerals:
        replace(game, slot, ())


ON_REMOVE.append(lose)
KINDS["rally"] = KINDS["rally_workers"] = Kind(rally, can_rally)
