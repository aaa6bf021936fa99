"""Orders of single units: pushing, finishing, dropping, and the dispatch of what the kernel reports about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine import state
from sim.engine.order import ANYWHERE
from sim.engine.state import (
    APPROACH,
    ATTACK,
    ATTACK_MOVE,
    CHANNELLING,
    FOLLOW,
    MORPHING,
    MOVE,
    PATROL,
    REACHED,
    REPAIR,
    STRUCTURE,
    TIMER,
)
from sim.melee import barred, placement, turning
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, KINDS, ON_REMOVE, Kind, on_event

if TYPE_CHECKING:
    from sim.melee.game import Game

WALKS = (MOVE, PATROL, ATTACK_MOVE, FOLLOW)
TRIES = 24  # times that a unit held up on its way sets out again before its order fails
AIMED = 2 * ANYWHERE  # range of orders that need no walk either but name a point


def kind_of(game: Game, ability_id: int) -> Kind | None:
    """The rules of an exact ability id, None for one without rules."""
    found = ABILITIES.get(ability_id)
    if found is None and (ability := game.facts.abilities.get(ability_id)) is not None:
        found = KINDS.get(ability.kind)
    return found


def attack_of(game: Game, slot: int) -> int:
    """The unit's order to attack somebody, 0 = none; others of the kind scan on a walk."""
    known = game.abilities_of(int(game.units[slot]["type"])).get("attack", ())
    return next((ability for ability in known if game.facts.abilities[ability].index == 0), 0)


def carry_on(game: Game, slot: int) -> None:
    """Who rests and fights or repairs by its own choice does so to the end before what is queued then: that is its
    first order (logs of real games: eight such fighters stood and fired on, for 60 to 90 loops; who repairs shows it).
    """
    unit = game.units[slot]
    other = int(unit["target"])
    if other < 0 or int(unit["flags"]) & STRUCTURE or game.units[other]["generation"] != unit["target_generation"]:
        return
    kinds = game.abilities_of(int(unit["type"]))
    fights = unit["weapon"] >= 0
    ability, verb = (attack_of(game, slot), ATTACK) if fights else (kinds.get("repair", (0,))[0], REPAIR)
    if ability:
        write(game, slot, ability, verb, Target(other, *place_of(game.units[other])))


def place_of(unit: Any) -> tuple[float, float]:
    """Where it stands."""
    return float(unit["x"]), float(unit["y"])


def write(game: Game, slot: int, ability: int, verb: int, target: Target) -> Any:
    """Puts an order behind the unit's others, which leave room for it. -> its record"""
    unit = game.units[slot]
    count = int(unit["order_count"])
    game.orders[slot, count] = np.zeros((), state.ORDER)
    order = game.orders[slot, count]
    order["ability"], order["verb"], order["timer"] = ability, verb, -1
    order["target"] = target.slot
    if target.slot >= 0:
        order["target_generation"] = game.units[target.slot]["generation"]
    order["x"], order["y"] = (target.x, target.y) if target.given else place_of(unit)
    unit["order_count"] = count + 1
    return order


def push(
    game: Game,
    slot: int,
    ability: int,
    target: Target,
    *,
    verb: int = APPROACH,
    range: float = ANYWHERE,
    minerals: int = 0,
    gas: int = 0,
    product: int = 0,
    x2: float = 0.0,
    y2: float = 0.0,
) -> bool:
    """Gives a unit an order, behind its others when `target.queued`, else in place of them. -> False: queue full.

    An APPROACH order that needs neither a walk (no target, or any range) nor a turn counts as reached at once when it
    becomes the current one.
    """
    unit = game.units[slot]
    if not target.queued:
        if int(unit["flags"]) & (MORPHING | CHANNELLING):
            drop_behind(game, slot)  # what has begun and cannot be interrupted is carried through
        else:
            clear(game, slot)
    elif not unit["order_count"]:
        carry_on(game, slot)
    count = int(unit["order_count"])
    if count >= game.orders.shape[1]:
        return False
    order = write(game, slot, ability, verb, target)
    order["x2"], order["y2"], order["range"] = x2, y2, range
    order["minerals"], order["gas"], order["product"] = minerals, gas, product
    if count == 0 and acts_at_once(game, order):
        order["stage"] = 1
        reached(game, slot)
    return True


def acts_at_once(game: Game, order: Any) -> bool:
    """An APPROACH order that needs neither a walk nor a turn."""
    kind = kind_of(game, int(order["ability"]))
    turns = kind is not None and kind.turns and order["range"] == AIMED
    return bool(order["verb"] == APPROACH and order["range"] >= ANYWHERE and not turns)


def finish(game: Game, slot: int) -> None:
    """Takes the current order off; the next one moves up."""
    unit = game.units[slot]
    count = int(unit["order_count"])
    if count == 0:
        return
    queue = game.orders[slot]
    queue[: count - 1] = queue[1:count].copy()
    queue[count - 1] = np.zeros((), state.ORDER)
    unit["order_count"] = count - 1
    unit["moving"] = 0
    if count > 1 and acts_at_once(game, queue[0]):
        queue[0]["stage"] = 1
        reached(game, slot)


def take_out(game: Game, slot: int, place: int) -> None:
    """Takes off one order of the queue, the current one (place 0) as if it were done."""
    if place == 0:
        finish(game, slot)
        return
    count = int(game.units[slot]["order_count"])
    game.orders[slot, place : count - 1] = game.orders[slot, place + 1 : count].copy()
    game.orders[slot, count - 1] = np.zeros((), state.ORDER)
    game.units[slot]["order_count"] = count - 1


def clear(game: Game, slot: int) -> None:
    """Drops all orders: prices back, rules told."""
    unit = game.units[slot]
    count = int(unit["order_count"])
    dropped = [game.orders[slot, index].copy() for index in range(count)]
    game.orders[slot, :count] = np.zeros((), state.ORDER)
    unit["order_count"] = 0
    unit["moving"] = 0
    for order in dropped:
        drop(game, slot, order)


def drop_behind(game: Game, slot: int) -> None:
    """Drops the queue behind the current order."""
    count = int(game.units[slot]["order_count"])
    dropped = [game.orders[slot, index].copy() for index in range(1, count)]
    game.units[slot]["order_count"] = min(count, 1)
    for order in dropped:
        drop(game, slot, order)


def drop_unfit(game: Game, slot: int) -> None:
    """Drops what waits behind the current order and is not for the unit's present type: a walk of who has dug in."""
    count = int(game.units[slot]["order_count"])
    rows = game.orders[slot, :count].copy()
    fit = np.array([index == 0 or fits(game, slot, order) for index, order in enumerate(rows)], bool)
    if fit.all():
        return
    game.orders[slot, :count] = np.zeros((), state.ORDER)
    game.orders[slot, : fit.sum()] = rows[fit]
    game.units[slot]["order_count"] = fit.sum()
    for order in rows[~fit]:
        drop(game, slot, order)


def fits(game: Game, slot: int, order: Any) -> bool:
    """The unit's type has the order's ability, and legs where it wants them."""
    ability = game.facts.abilities.get(int(order["ability"]))
    if ability is not None and ability.casters and int(game.units[slot]["type"]) not in ability.casters:
        return False
    return order["verb"] not in WALKS or bool(game.type_of(slot)["speed"] > 0)


def drop(game: Game, slot: int, order: Any) -> None:
    """Books one order that will not be carried out: its price goes back, its rule hears of it."""
    if order["minerals"] or order["gas"]:
        game.refund(int(game.units[slot]["owner"]), order["minerals"], order["gas"])
    kind = kind_of(game, int(order["ability"]))
    if kind is not None and kind.dropped is not None:
        kind.dropped(game, slot, order)


def fail(game: Game, slot: int, result: int) -> None:
    """The current order cannot be carried out: price back, error told, next order."""
    order = game.orders[slot, 0].copy()
    finish(game, slot)
    drop(game, slot, order)
    game.error(slot, int(order["ability"]), result)


def spend(game: Game, slot: int) -> None:
    """The price of the current order is used up: dropping it later gives nothing back."""
    game.orders[slot, 0]["minerals"] = 0
    game.orders[slot, 0]["gas"] = 0


def reached(game: Game, slot: int) -> None:
    """The current APPROACH order is in range: its rule acts, once its unit has turned to the target where it has to; an
    order without a rule, or of an ability that cools down still (another one was queued before it) or that a buff
    forbids by now, is over."""
    ability = int(game.orders[slot, 0]["ability"])
    if game.memory.ready.get((slot, ability), 0) > game.loop:
        fail(game, slot, Result.COOLDOWN)
        return
    known = game.facts.abilities.get(ability)
    if known is not None and barred.forbid(game, slot, known) != Result.SUCCESS:
        fail(game, slot, Result.ERROR)
        return
    kind = kind_of(game, ability)
    if kind is None or kind.reached is None:
        finish(game, slot)
    elif kind.turns and not target_gone(game, slot) and not turning.faces_target(game, slot):
        game.orders[slot, 0]["stage"] = 0  # the kernel reports it again, if it is in range then
    else:
        kind.reached(game, slot)


def target_gone(game: Game, slot: int) -> bool:
    """The current order names a unit that lives no more."""
    order = game.orders[slot, 0]
    target = int(order["target"])
    if target < 0:
        return False
    unit = game.units[target]
    return not unit["alive"] or unit["generation"] != order["target_generation"]


def site_taken(game: Game, slot: int) -> bool:
    """The current order of a worker is to build where a structure may not stand any more: nothing to wait for."""
    order = game.orders[slot, 0]
    if not order["product"] or order["target"] >= 0 or not game.type_of(slot)["worker"]:
        return False
    place = float(order["x"]), float(order["y"])
    return placement.site_free(game, int(game.units[slot]["owner"]), int(order["product"]), *place) != Result.SUCCESS


def may_try_again(game: Game, slot: int) -> bool:
    """Who came no nearer sets out again for a while, if what the order is about is still there."""
    gone = target_gone(game, slot) or site_taken(game, slot)
    return not gone and game.orders[slot, 0]["x2"] < TRIES and game.type_of(slot)["speed"] > 0


def on_reached(game: Game, event: Any) -> None:
    """REACHED of the kernel; value 0: the unit came no nearer, for instance because others stand in its way."""
    slot = int(event["unit"])
    if not game.units[slot]["alive"] or not game.units[slot]["order_count"]:
        return
    order = game.orders[slot, 0]
    if event["value"] > 0:
        reached(game, slot)
    elif may_try_again(game, slot):
        order["x2"] += 1  # of no other use to an APPROACH order
        order["stage"] = 0
        game.units[slot]["way_state"] = 0
    elif not order["product"]:
        fail(game, slot, Result.ERROR)
    else:
        gone = target_gone(game, slot)
        fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID if gone else Result.COULDNT_REACH_TARGET)


def on_timer(game: Game, event: Any) -> None:
    """TIMER of the kernel."""
    slot = int(event["unit"])
    if not game.units[slot]["alive"] or not game.units[slot]["order_count"]:
        return
    kind = kind_of(game, int(game.orders[slot, 0]["ability"]))
    if kind is not None and kind.timer is not None:
        kind.timer(game, slot)
    else:
        finish(game, slot)


on_event(REACHED, on_reached)
on_event(TIMER, on_timer)
ON_REMOVE.append(clear)
