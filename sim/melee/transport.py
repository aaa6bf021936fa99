"""Going aboard Medivacs, Bunkers, Command Centers and the like, and what befalls carriers; `unload.py` lets out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import RECALLED
from sim.engine.catalog import BIOLOGICAL
from sim.engine.state import BURROWED, FLYING, HALLUCINATION, INSIDE, ORDERED, STRUCTURE, UNFINISHED
from sim.melee import birth, lifecycle, orders
from sim.melee.barred import shut
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, KINDS, ON_LEAVE, ON_REMOVE, SMART, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.facts import Ability
    from sim.melee.game import Game

BOARD = 1  # the order to go aboard; observations show it as a move
FETCH = 412  # a lifted hall's way to a worker that it has called (ours: the order to load that its rules have)
REACH = 1.0  # cells from edge to edge at which a unit gets in
POOLED = ("NydusNetwork", "NydusCanal")  # all of one player share their passengers
LOAD_PERIOD = {"5.0.14": 4, "4.10.0": 2}  # loops between two that go in at one of these (catalog: LoadPeriod)
UNLOAD_PERIOD = {"5.0.14": 8, "4.10.0": 4}  # loops between two that come out of one of these (catalog: UnloadPeriod)
TAKEN_IN = -105  # key of the pause between two that go in, in `game.memory.ready`
# Who is no passenger (SuppressPassenger of the catalog): types, and those with one of these buffs: a graviton beam, a
# fungus, a neural parasite, stasis. Images are none either.
NO_PASSENGERS, HELD = ("AdeptPhaseShift", "DisruptorPhased"), (5, 17, 22, 129, RECALLED)
STAYING: list[Callable[[Game, int], bool]] = []  # further reasons to be no passenger
NOT_UNDERGROUND: list[Callable[[Game, int], bool]] = []  # and not to get into one of those that are POOLED
NOT_ABOARD = FLYING | STRUCTURE | INSIDE | UNFINISHED  # the last: who is being warped in, or merges
LOAD_ALL_RADIUS = 8.0  # cells in which a town hall calls its workers (catalog: SearchRadius)


def room(game: Game, carrier: int) -> int:
    """Space left."""
    return int(game.type_of(carrier)["cargo_space"]) - int(game.units[carrier]["cargo"])


def fits(game: Game, carrier: int, slot: int) -> bool:
    """The unit may go aboard that carrier, if there is room."""
    unit, hull = game.units[slot], game.units[carrier]
    size = int(game.type_of(slot)["cargo_size"])
    if slot == carrier or unit["owner"] != hull["owner"] or size <= 0 or room(game, carrier) < size:
        return False
    if int(unit["flags"]) & HALLUCINATION or game.facts.names[int(unit["type"])] in NO_PASSENGERS:
        return False
    if np.isin(unit["buff"], HELD).any() or shut(game, carrier) or any(stays(game, slot) for stays in STAYING):
        return False
    if int(hull["flags"]) & (UNFINISHED | INSIDE) or int(unit["flags"]) & NOT_ABOARD:
        return False
    if not int(hull["flags"]) & STRUCTURE:
        return not int(unit["flags"]) & BURROWED  # catalog: the filter Buried of what flies (a worm has none)
    if game.facts.names[int(hull["type"])] in POOLED:
        return not any(stays(game, slot) for stays in NOT_UNDERGROUND)
    if int(hull["type"]) == game.facts.ids["Bunker"]:
        kind = game.type_of(slot)  # catalog: Biological, RequiresTerran
        return bool(int(kind["attributes"]) & BIOLOGICAL) and size <= 2 and int(kind["race"]) == Race.TERRAN
    return int(unit["type"]) in game.facts.workers


def pool(game: Game, carrier: int) -> list[int]:
    """Slots of the carriers that share their passengers with this one, itself among them."""
    hull = game.units[carrier]
    if game.facts.names[int(hull["type"])] not in POOLED:
        return [carrier]
    exits = game.owned(int(hull["owner"]), *POOLED)
    return [slot for slot in exits if not int(game.units[slot]["flags"]) & UNFINISHED or slot == carrier]


def book(game: Game, carrier: int, size: int) -> None:
    """Space taken (or, with a negative size, given back) in a carrier and all that share its passengers."""
    for hull in pool(game, carrier):
        game.units[hull]["cargo"] += size


def passengers(game: Game, carrier: int) -> list[int]:
    """Slots of the units aboard, in the order in which they boarded: that is how they leave (ten exits of a real
    Warp Prism with others aboard, six of them not by tags)."""
    units = game.units[: int(game.world[0]["slots"])]
    inside = np.isin(units["inside"], pool(game, carrier))
    found = [int(s) for s in np.flatnonzero((units["alive"] == 1) & inside & (units["cargo"] >= 0))]
    return sorted(found, key=lambda slot: game.memory.boarded.get(slot, 0))


def enter(game: Game, slot: int, carrier: int) -> None:
    """The unit disappears from the map."""
    game.clear_orders(slot)
    unit, hull = game.units[slot], game.units[carrier]
    unit["flags"] |= INSIDE
    unit["inside"] = carrier
    game.memory.boarded[slot] = 1 + max(game.memory.boarded.values(), default=0)
    unit["x"], unit["y"] = hull["x"], hull["y"]
    unit["target"], unit["weapon"], unit["windup"] = -1, -1, -1
    book(game, carrier, int(game.type_of(slot)["cargo_size"]))
    for place in reversed(range(int(hull["order_count"]))):
        if game.orders[carrier, place]["ability"] == FETCH and game.orders[carrier, place]["target"] == slot:
            orders.take_out(game, carrier, place)  # it has come by itself


def leave(game: Game, slot: int, carrier: int) -> None:
    """The unit comes out beside its carrier, below one that flies (four real ones to a hundredth of a cell)."""
    unit, hull = game.units[slot], game.units[carrier]
    unit["inside"] = -1
    game.memory.boarded.pop(slot, None)
    book(game, carrier, -int(game.type_of(slot)["cargo_size"]))
    reach = 0.0 if int(hull["flags"]) & FLYING else float(game.type_of(carrier)["radius"]) + 0.5
    angle = float(hull["facing"]) if int(hull["flags"]) & FLYING else birth.DOWN
    x, y = birth.free_spot(
        game, float(hull["x"]), float(hull["y"]), reach, angle, int(unit["type"]), int(unit["owner"])
    )
    unit["flags"] &= ~np.uint32(INSIDE | ORDERED)  # only now: it is not in its own way
    unit["x"], unit["y"], unit["home_x"], unit["home_y"] = x, y, -1, -1
    unit["goal_x"], unit["goal_y"], unit["moving"] = x, y, 0
    for rule in ON_LEAVE:
        rule(game, slot, carrier)
    if hull["alive"] and int(hull["type"]) == game.facts.ids["Bunker"]:
        birth.send_to_rally(game, carrier, slot)


# -- orders of passengers ---------------------------------------------------------------------------------------------
def can_board(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own carrier with room."""
    return Result.SUCCESS if target.slot >= 0 and fits(game, target.slot, slot) else Result.ERROR


def board(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks to the carrier."""
    game.push_order(slot, BOARD, target, range=REACH)


def at_door(game: Game, slot: int) -> None:
    """The unit has reached the carrier, or its turn has come at a worm that takes in one after the other."""
    carrier = int(game.orders[slot, 0]["target"])
    if carrier < 0 or not game.units[carrier]["alive"] or not fits(game, carrier, slot):
        game.finish_order(slot)
        return
    wait = game.memory.ready.get((carrier, TAKEN_IN), 0) - game.loop
    if wait > 0:
        game.orders[slot, 0]["timer"] = wait
        return
    game.finish_order(slot)
    enter(game, slot, carrier)
    if game.facts.names[int(game.units[carrier]["type"])] in POOLED:
        game.memory.ready[carrier, TAKEN_IN] = game.loop + LOAD_PERIOD[game.patch]


def smart(game: Game, slot: int, target: Target) -> int:
    """Right-click on a carrier: go aboard. Right-click of a flying carrier on a unit: take it aboard."""
    if target.slot < 0:
        return 0
    if int(game.units[target.slot]["type"]) in game.facts.town_halls:
        return 0  # workers bring home what they carry, or wait there
    if fits(game, target.slot, slot):
        return BOARD
    town_hall = int(game.units[slot]["flags"]) & STRUCTURE and int(game.units[slot]["type"]) != game.facts.ids["Bunker"]
    if fits(game, slot, target.slot) and not town_hall:
        return game.abilities_of(int(game.units[slot]["type"])).get("load", (0,))[0]
    return 0


# -- orders of carriers -----------------------------------------------------------------------------------------------
def can_load(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own unit that fits."""
    if target.slot < 0 or fits(game, slot, target.slot):
        return Result.SUCCESS if target.slot >= 0 else Result.ERROR
    full = 0 <= room(game, slot) < int(game.type_of(target.slot)["cargo_size"])
    return Result.NOT_ENOUGH_ROOM if full else Result.ERROR


def load(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A flying carrier fetches the unit; a structure calls it."""
    if int(game.units[slot]["flags"]) & STRUCTURE:
        here = game.units[slot]
        board(game, target.slot, ability, Target(slot, float(here["x"]), float(here["y"])))
    else:
        game.push_order(slot, ability.id, target, range=REACH)


def fetched(game: Game, slot: int) -> None:
    """The carrier is at its passenger."""
    passenger = int(game.orders[slot, 0]["target"])
    game.orders[slot, 0]["target"] = -1
    if passenger >= 0 and fits(game, slot, passenger):
        enter(game, passenger, slot)
    game.finish_order(slot)


def load_all(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A town hall calls the nearest workers but those at work on a structure: at once, or if it flies and is told by a
    queued order when it is there. Without another order it flies to meet them (all observed of 4.10; that it goes from
    one to the next, ours)."""
    here = game.units[slot]
    lifted = int(here["flags"]) & FLYING
    if lifted and target.queued and here["order_count"]:
        game.push_order(slot, ability.id, Target(queued=True))
        return
    left, away = room(game, slot), lifted and not here["order_count"]
    for other in game.near(float(here["x"]), float(here["y"]), LOAD_ALL_RADIUS):
        if left > 0 and fits(game, slot, other) and game.units[other]["builder"] < 0:
            board(game, other, ability, Target(slot, float(here["x"]), float(here["y"])))
            if away:
                at = game.units[other]
                meeting = Target(other, float(at["x"]), float(at["y"]), True, queued=True)
                game.push_order(slot, FETCH, meeting, range=REACH)
            left -= int(game.type_of(other)["cargo_size"])


def call_now(game: Game, slot: int) -> None:
    """The turn of a queued call has come."""
    ability = game.facts.abilities[int(game.orders[slot, 0]["ability"])]
    game.finish_order(slot)
    load_all(game, slot, ability, Target())


# -- what befalls carriers --------------------------------------------------------------------------------------------
def on_remove(game: Game, slot: int) -> None:
    """Passengers of a structure get out of the wreck; those of a flying carrier die with it, where it is, by the hand
    of the same player (all seven of real games)."""
    unit = game.units[slot]
    carrier = int(unit["inside"])
    game.memory.boarded.pop(slot, None)
    game.memory.ready.pop((slot, TAKEN_IN), None)
    if int(unit["flags"]) & INSIDE and carrier >= 0 and game.units[carrier]["cargo"] > 0:
        book(game, carrier, -int(game.type_of(slot)["cargo_size"]))
    if unit["cargo"] <= 0 or int(unit["flags"]) & UNFINISHED:
        return
    others = [hull for hull in pool(game, slot) if hull != slot]
    if others:
        units = game.units[: int(game.world[0]["slots"])]
        units["inside"][(units["alive"] == 1) & (units["inside"] == slot)] = others[0]
        return
    lost = int(unit["flags"]) & FLYING or game.facts.names[int(unit["type"])] in POOLED
    for passenger in passengers(game, slot):
        if lost:
            game.units[passenger]["x"], game.units[passenger]["y"] = unit["x"], unit["y"]
            game.units[passenger]["hp"] = 0
            lifecycle.died(game, passenger, int(unit["hit_by"]))
        else:
            leave(game, passenger, slot)


ABILITIES[BOARD] = Kind(board, can_board, reached=at_door, timer=at_door)
KINDS["load"] = Kind(load, can_load, reached=fetched, everyone=False)
KINDS["load_all"] = Kind(load_all, reached=call_now)
ON_REMOVE.append(on_remove)
SMART.append(smart)
