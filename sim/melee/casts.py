"""What casts have in common: distances, flights, sight of the target, and stages that nothing interrupts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import buff_flags
from sim.engine.parameters import VISION_PERIOD
from sim.engine.state import BURROWED, CHANNELLING, CLOAKED, DETECTED, DISARMED, IMMOBILE, INSIDE
from sim.melee import filters, orders
from sim.melee.areas import seen
from sim.melee.harm import same
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, Check

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

FOUND, CAST = 2, 3  # `y2` of an order whose target was in sight, and whose effect is done
FAR = 400.0  # a range beyond this needs no walk
SURELY_SEEN = 0.25  # cells within its sight: half a cell beyond it a cell's middle is seen, .71 off the cell's corner
BOUND = CHANNELLING | IMMOBILE | DISARMED


def gap(game: Game, slot: int, other: int) -> float:
    """Distance of two units from edge to edge."""
    a, b = game.units[slot], game.units[other]
    apart = math.hypot(float(a["x"]) - float(b["x"]), float(a["y"]) - float(b["y"]))
    return max(apart - float(game.type_of(slot)["radius"]) - float(game.type_of(other)["radius"]), 0.0)


def flight(distance: float, speed: float, acceleration: float = 0.0, start: float = 0.0) -> int:
    """Loops that a missile needs; the arguments are cells per normal second as in the catalog's movers.

    Without an acceleration it has its full speed at once; with one it begins at `start` cells per normal second.
    """
    if acceleration <= 0:
        return max(math.ceil(16 * distance / speed), 1)
    along = (speed**2 - start**2) / (2 * acceleration)  # covered until it is at full speed
    if distance <= along:
        seconds = (math.sqrt(start**2 + 2 * acceleration * distance) - start) / acceleration
    else:
        seconds = (speed - start) / acceleration + (distance - along) / speed
    return max(math.ceil(16 * seconds), 1)


def perceives(game: Game, player: int, slot: int) -> bool:
    """The unit may be targeted by the player: its own, or in sight and not hidden."""
    unit = game.units[slot]
    if unit["owner"] == player:
        return True
    flags = int(unit["flags"])
    hidden = flags & (CLOAKED | BURROWED) and not flags & DETECTED
    return not hidden and seen(game, player, float(unit["x"]), float(unit["y"]))


def sees_target(game: Game, slot: int, order: Any) -> bool:
    """What is cast within a range needs sight of its target then (RequireTargetVision)."""
    ability = game.facts.abilities[int(order["ability"])]
    if ability.target == "None" or ability.range > FAR:
        return True
    player, other = int(game.units[slot]["owner"]), int(order["target"])
    if other >= 0:
        return perceives(game, player, other)
    return seen(game, player, float(order["x"]), float(order["y"]))


def timed_life(game: Game, loops: float) -> float:
    """Loops that a unit with a timed life lives: one to five more than the table's (replays: MULEs, turrets)."""
    return loops + 1 + int(5 * game.random())


def still_there(game: Game, slot: int) -> bool:
    """The present order's target, if it is a unit, lives, is on the map and may be seen."""
    order = game.orders[slot, 0]
    other = int(order["target"])
    if other < 0:
        return True
    gone = orders.target_gone(game, slot) or int(game.units[other]["flags"]) & INSIDE
    return not gone and sees_target(game, slot, order)


def watch(game: Game, slot: int) -> None:
    """A preparation at a unit has begun: whether that is still there is asked every few loops."""
    order, unit = game.orders[slot, 0], game.units[slot]
    if order["target"] >= 0:
        game.later(VISION_PERIOD, "preparing", slot, int(unit["generation"]), int(order["target"]))


def look(game: Game, slot: float, generation: float, target: float) -> None:
    """A preparation whose target is gone is over."""
    slot, order = int(slot), game.orders[int(slot), 0]
    if not same(game, slot, generation) or not game.units[slot]["order_count"]:
        return
    if order["y2"] != FOUND or order["target"] != target or order["timer"] <= 0:
        return
    if still_there(game, slot):
        watch(game, slot)
    else:
        ABILITIES[int(order["ability"])].timer(game, slot)


def judged_again(game: Game, slot: int, ability: Ability, check: Check) -> int:
    """What the ability's filters and its rule say when the caster has come: its target may be another's by then, in
    stasis, or a site taken."""
    order = game.orders[slot, 0]
    other = int(order["target"])
    if orders.target_gone(game, slot):
        return Result.ERROR
    verdict = filters.refusal(game, slot, ability, other) if other >= 0 else Result.SUCCESS
    place = Target(other, float(order["x"]), float(order["y"]), other < 0)
    return check(game, slot, ability, place) if verdict == Result.SUCCESS else verdict


def seen_or_wait(game: Game, slot: int) -> bool:
    """The target of the present order is seen; else the caster goes on until its own sight reaches so far, looks for
    one period of sight there, and the order then fails.

    `y2` of an APPROACH order: 1 while it looks, FOUND when the target is found, CAST afterwards.
    """
    order = game.orders[slot, 0]
    if sees_target(game, slot, order):
        order["y2"] = FOUND
        return True
    if beyond_sight(game, slot):
        order["range"], order["stage"] = own_sight(game, slot), 0
        return False
    if order["y2"]:
        unseen = Result.MUST_TARGET_VISIBLE_UNIT if order["target"] >= 0 else Result.MUST_TARGET_VISIBLE_LOCATION
        fail(game, slot, unseen)
    else:
        order["y2"], order["timer"] = 1, VISION_PERIOD
    return False


def own_sight(game: Game, slot: int) -> float:
    """Range of the present order within which the caster itself surely sees its target's middle."""
    row, other = game.type_of(slot), int(game.orders[slot, 0]["target"])
    bodies = float(row["radius"]) + float(game.type_of(other)["radius"]) if other >= 0 else 0.0
    return max(float(row["sight"]) - SURELY_SEEN - bodies, 0.1)


def beyond_sight(game: Game, slot: int) -> bool:
    """The present order's target is within its range, but not within the caster's own sight."""
    order, unit, near = game.orders[slot, 0], game.units[slot], own_sight(game, slot)
    other = int(order["target"])
    x, y = float(order["x"]) - float(unit["x"]), float(order["y"]) - float(unit["y"])
    return float(order["range"]) > near and (gap(game, slot, other) if other >= 0 else math.hypot(x, y)) > near


def looking(game: Game, slot: int) -> bool:
    """The timer that has run out was that of a look for the target."""
    return bool(game.orders[slot, 0]["y2"] == 1)


def bind(game: Game, slot: int) -> None:
    """An uninterruptible stage begins: the unit stands, its weapons are silent, new orders wait."""
    unit = game.units[slot]
    unit["flags"] |= BOUND
    unit["moving"], unit["speed"], unit["target"], unit["weapon"], unit["windup"] = 0, 0, -1, -1, -1


def release(game: Game, slot: int) -> None:
    """The stage is over; what a buff forbids stays forbidden."""
    unit = game.units[slot]
    unit["flags"] = (int(unit["flags"]) & ~BOUND) | buff_flags(unit, game.state.buffs)


def fail(game: Game, slot: int, result: int) -> None:
    """The present order comes to nothing."""
    ability = int(game.orders[slot, 0]["ability"])
    game.finish_order(slot)
    game.error(slot, ability, result)


AFTER["preparing"] = look
