"""Builders: the walk to a site or to a halted structure, the site when they come, and what they leave behind."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sim.engine.state import APPROACH, UNFINISHED
from sim.melee import construction, orders, pacing, placement
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

AT_EDGE = 0.1  # cells between builder and site at which the work begins
BRAKING = 6  # loops from there until it begins: mode of 247 first depots, refineries and Barracks of real games
RUN_UP = 1.6  # cells in which a worker gets up to its speed
SLID, SLIDE = 0.5, 0.3  # cells off the middle of a geyser's edge: where workers came to rest in 17 real games, and from
# where they still move at full speed
RESUME_REACH = 0.25
BLOCKED = 108  # loops that a builder waits at a site on which somebody stands who will not leave (observed, 5.0.15)


def can_build(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A free site, or an own unfinished structure of that sort to go on with."""
    player = int(game.units[slot]["owner"])
    if target.slot >= 0 and resumable(game, slot, target.slot):
        return Result.SUCCESS
    x, y = placement.snap(game, ability.product, target.x, target.y)
    return placement.site_ordered(game, player, ability.product, x, y)


def build(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Pays, and sends the worker to the site (the order shows the snapped centre)."""
    if target.slot >= 0 and resumable(game, slot, target.slot):
        resume(game, slot, target)
        return
    player = int(game.units[slot]["owner"])
    x, y = placement.snap(game, ability.product, target.x, target.y)
    price = {"minerals": ability.minerals, "gas": ability.gas, "product": ability.product}
    if ability.product in game.facts.gas_structures:
        geyser = placement.geyser_at(game, x, y, taken=True)  # by what its player does not see: it was judged before
        place = Target(geyser, float(game.units[geyser]["x"]), float(game.units[geyser]["y"]), False, target.queued)
        reach, bodies = AT_EDGE, float(game.type_of(slot)["radius"] + game.type_of(geyser)["radius"])
    else:
        place = Target(-1, x, y, True, target.queued)
        reach, bodies = placement.side_of(game, ability.product) / 2 + AT_EDGE, 0.0
    swing = RUN_UP if target.queued else run_up(game, slot, place, reach + bodies)
    if game.push_order(slot, ability.id, place, range=reach, y2=swing, **price):
        game.pay(player, ability.minerals, ability.gas)


def run_up(game: Game, slot: int, place: Target, reach: float) -> float:
    """Cells of walking from rest that bring the worker to the speed at which it will reach its site.

    On a move it may come to rest beside an open site, but not at a geyser: there it still runs, or slides along the
    edge until nothing is nearer to the middle.
    """
    unit = game.units[slot]
    across = sorted((abs(float(unit["x"]) - place.x), abs(float(unit["y"]) - place.y)))
    way = math.hypot(*across) - reach
    if place.slot < 0 or not unit["moving"]:
        return max(way, 0.0)
    if way > 0:
        pace = float(unit["speed"]) / float(game.type_of(slot)["speed"])
        return way + RUN_UP * pace * pace
    return RUN_UP * min(max(across[0] - SLID, 0.0) / SLIDE, 1.0)


def brakes(game: Game, slot: int) -> bool:
    """The worker has reached the site. -> whether its timer runs until it stands still: not if it had hardly begun to
    walk."""
    order = game.orders[slot, 0]
    share = min(float(order["y2"]) / RUN_UP, 1.0)
    if share * BRAKING < 1:
        return False
    order["timer"] = share * BRAKING
    return True


def when_still(begin: Callable[[Game, int], None]) -> Callable[[Game, int], None]:
    """A handler for reaching the site: the worker brakes and then begins."""

    def reached(game: Game, slot: int) -> None:
        if not brakes(game, slot):
            begin(game, slot)

    return reached


def site_open(game: Game, slot: int) -> bool:
    """The site of the worker's order is free. Else the order fails: at once where no structure may stand any more,
    after a wait where a unit holds the site."""
    order = game.orders[slot, 0]
    player, product = int(game.units[slot]["owner"]), int(order["product"])
    x, y = float(order["x"]), float(order["y"])
    verdict = placement.site_free(game, player, product, x, y)
    if orders.target_gone(game, slot) or verdict != Result.SUCCESS:
        if verdict != Result.CANT_BUILD_TOO_CLOSE_TO_CREEP_SOURCE:
            taken = placement.built_over(game, product, x, y)
            verdict = Result.COULDNT_REACH_TARGET if taken else Result.CANT_BUILD_LOCATION_INVALID
        orders.fail(game, slot, verdict)
        return False
    if not placement.held(game, product, x, y, slot):
        return True
    order["y2"] = min(float(order["y2"]), 0.0) - 1  # the run-up is over: from now on loops waited, below zero
    if order["y2"] < -BLOCKED:
        orders.fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID)
    else:
        order["timer"] = 1
    return False


def arrived(game: Game, slot: int) -> None:
    """The SCV stands at the site: the structure begins, if the site is still free."""
    target = int(game.orders[slot, 0]["target"])
    if target >= 0 and int(game.units[target]["flags"]) & UNFINISHED:
        _take_over(game, slot, target)
    elif site_open(game, slot):
        begin_structure(game, slot, builder=slot)
        pacing.pace(game, slot)


def begin_structure(game: Game, slot: int, builder: int = -1) -> int:
    """Pays for what the worker's order is about and starts it at its place. -> slot of the structure."""
    orders.spend(game, slot)
    order, player = game.orders[slot, 0], int(game.units[slot]["owner"])
    loops = game.facts.abilities[int(order["ability"])].loops
    place = float(order["x"]), float(order["y"])
    return construction.start_structure(game, player, int(order["product"]), *place, loops=loops, builder=builder)


def _take_over(game: Game, slot: int, structure: int) -> None:
    """A worker goes on with a structure that nobody works on."""
    if game.units[structure]["builder"] >= 0:
        game.finish_order(slot)
        return
    game.units[structure]["builder"] = slot
    game.units[structure]["build_rate"] = 1
    game.units[slot]["builder"] = structure
    pacing.pace(game, slot)


def resumable(game: Game, slot: int, structure: int) -> bool:
    """An own structure under construction, of the sort that needs a worker, on which nobody works."""
    unit = game.units[structure]
    return (
        bool(int(unit["flags"]) & UNFINISHED)
        and unit["owner"] == game.units[slot]["owner"]
        and unit["builder"] < 0
        and unit["build_rate"] == 0
    )


def resume(game: Game, slot: int, target: Target) -> None:
    """Sends a worker to a halted structure."""
    product = int(game.units[target.slot]["type"])
    ability = game.facts.producer.get(product, 0)
    game.push_order(slot, ability, target, range=RESUME_REACH, product=product, verb=APPROACH)


def left(game: Game, slot: int, order: Any) -> None:
    """The builder's order was dropped: a structure it worked on stands still. Not so if the order had yet to begin."""
    structure = int(game.units[slot]["builder"])
    if structure < 0 or not order["stage"]:
        return
    game.units[slot]["builder"] = -1
    unit = game.units[structure]
    if unit["alive"] and unit["builder"] == slot:
        unit["builder"] = -1
        unit["build_rate"] = 0


KINDS["build"] = Kind(build, can_build, reached=when_still(arrived), timer=arrived, dropped=left, everyone=False)
