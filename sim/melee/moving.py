"""Orders that the kernel carries out by itself: move, attack, patrol, hold, stop, follow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.engine import pathing
from sim.engine.bundles import Ways
from sim.engine.catalog import AIR, BROAD, GROUND, WALK
from sim.engine.parameters import ZONE_RADIUS
from sim.engine.state import (
    ATTACK,
    ATTACK_MOVE,
    CHANNELLING,
    FLYING,
    FOLLOW,
    FORMING,
    GATHER,
    HOLD,
    IDLE,
    IMMOBILE,
    INVULNERABLE,
    MORPHING,
    MOVE,
    PATROL,
    STRUCTURE,
    TALL,
    ZONED,
)
from sim.melee import orders
from sim.melee.casts import gap
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game


def can_move(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A unit with speed, or a unit whose morph ends before the order begins."""
    if game.type_of(slot)["speed"] <= 0 and not int(game.units[slot]["flags"]) & MORPHING:
        return Result.NOT_SUPPORTED
    return Result.SUCCESS


def fitting_weapons(game: Game, slot: int, flags: int) -> list[Any]:
    """Rows of the weapons of the unit's type that reach the plane of something with these flags."""
    weapons = game.weapons[game.units[slot]["owner"]]
    wanted = GROUND | AIR if flags & TALL else AIR if flags & FLYING else GROUND
    own = [weapons[place] for place in game.type_of(slot)["weapons"] if place >= 0]
    return [weapon for weapon in own if int(weapon["targets"]) & wanted]


def may_hit(game: Game, slot: int, flags: int) -> bool:
    """Some weapon of the unit's type reaches the plane of something with these flags. One without a weapon can walk: it
    attacks as a locust in the air does."""
    row = game.type_of(slot)
    return bool(fitting_weapons(game, slot, flags)) if row["weapons"][0] >= 0 else bool(row["speed"] > 0)


def reaches(game: Game, slot: int, other: int) -> int:
    """Whether one that does not walk can fire at a unit from where it stands. -> ActionResult"""
    unit, prey = game.units[slot], game.units[other]
    flags = int(prey["flags"])
    if unit["rally"] >= ZONED:
        away = math.hypot(float(unit["rally_x"] - prey["x"]), float(unit["rally_y"] - prey["y"]))
        outside = away > ZONE_RADIUS + float(game.type_of(other)["radius"])
        forming = int(unit["flags"]) & MORPHING or unit["rally"] == FORMING
        return Result.TARGET_IS_OUT_OF_RANGE if outside or forming or flags & STRUCTURE else Result.SUCCESS
    away, weapons = gap(game, slot, other), fitting_weapons(game, slot, flags)
    if all(away > weapon["range"] for weapon in weapons):
        return Result.TARGET_IS_OUT_OF_RANGE
    return Result.TARGET_IS_TOO_CLOSE if all(away < weapon["min_range"] for weapon in weapons) else Result.SUCCESS


def can_attack(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Not itself, not what cannot be hurt, not a passive structure; structures want a unit, not a point (observed).

    Nor what no weapon of its reaches: in 131 real games groups with Marauders or Zealots among them were sent at flyers
    1,573 times, such a unit alone never, for 9,421 times at something on the ground. Who does not walk has to reach it
    from there (observed of a Liberator, also while its zone forms). A later form may have other weapons.
    """
    if target.slot == slot:
        return Result.ERROR
    unit = game.units[slot]
    own = int(unit["flags"])
    if target.slot < 0:
        return Result.MUST_TARGET_UNIT if own & STRUCTURE and game.type_of(slot)["speed"] <= 0 else Result.SUCCESS
    other = int(game.units[target.slot]["flags"])
    if other & INVULNERABLE:
        return Result.CANT_TARGET_THAT_UNIT
    if target.queued or (own & MORPHING and unit["rally"] < ZONED):
        return Result.SUCCESS
    if not may_hit(game, slot, other):
        return Result.CANT_TARGET_AIR_UNITS if other & FLYING else Result.CANT_TARGET_GROUND_UNITS
    return Result.SUCCESS if game.type_of(slot)["speed"] > 0 else reaches(game, slot, target.slot)


def move(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """To a point, or after a unit."""
    game.push_order(slot, ability.id, target, verb=FOLLOW if target.slot >= 0 else MOVE)


def attack(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A unit, or whatever is met on the way to a point. Units without legs only take a unit.

    Those without a weapon of their own (locusts in the air) go where the unit is, looking for prey.
    """
    immobile = game.type_of(slot)["speed"] <= 0 or int(game.units[slot]["flags"]) & IMMOBILE
    if target.slot < 0 and immobile and not int(game.units[slot]["flags"]) & MORPHING:
        return
    if target.slot >= 0 and game.type_of(slot)["weapons"][0] < 0:
        target = Target(-1, target.x, target.y, True, target.queued)
    game.push_order(slot, ability.id, target, verb=ATTACK if target.slot >= 0 else ATTACK_MOVE)


def patrol(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """To and fro between the place where the order begins and a point."""
    unit = game.units[slot]
    count = int(unit["order_count"]) if target.queued else 0
    x, y = float(unit["x"]), float(unit["y"])
    if count:
        x, y = float(game.orders[slot, count - 1]["x"]), float(game.orders[slot, count - 1]["y"])
    game.push_order(slot, ability.id, target, verb=PATROL, x2=x, y2=y)


def hold(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Stands and fires at what comes in range."""
    game.push_order(slot, ability.id, target, verb=HOLD)


def stop(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Drops all orders; a morph that has begun goes on, and so does what is made (observed of a fortress). Queued it
    waits its turn, and ends at once then."""
    if target.queued and game.units[slot]["order_count"]:
        game.push_order(slot, ability.id, Target(queued=True), verb=IDLE)
    elif int(game.units[slot]["flags"]) & (MORPHING | CHANNELLING):
        orders.drop_behind(game, slot)
        if game.orders[slot, 0]["verb"] == GATHER:  # in its return delay, after which it would go home
            game.push_order(slot, ability.id, Target(queued=True), verb=IDLE)
    else:
        orders.clear(game, slot)


def walking_distance(game: Game, a: tuple[float, float], b: tuple[float, float], slot: int = -1) -> float:
    """Length of a ground unit's way between two points in cells, 0 = there is none; of one without a ground of its own
    if no slot is given."""
    state = game.state
    ground, grid = WALK, game.walk
    if slot >= 0:
        ground = int(game.type_of(slot)["ground"])
        grid = (game.walk, state.climb, state.broad)[ground]
    if ground == BROAD:
        pathing.fit_broad(game.world[0], game.walk, grid)
    ways = Ways(state.fields, state.distance, state.corner, state.labels, state.queue)
    return float(pathing.walking_distance(game.world[0], ground, grid, ways, *a, *b))


KINDS["move"] = Kind(move, can_move)
KINDS["attack"] = Kind(attack, can_attack)
KINDS["patrol"] = Kind(patrol, can_move)
KINDS["hold"] = Kind(hold, can_move)
KINDS["stop"] = Kind(stop)
