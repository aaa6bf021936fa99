"""Leaving transports: all at a point, all while it flies on, or one chosen passenger.

Catalog 5.0.14.94137, MedivacTransport: a passenger every normal second. A flying carrier told to unload on itself (or
without a target) keeps its orders and lets passengers out wherever it is, over ground they can stand on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import FLYING, INSIDE, STRUCTURE
from sim.melee import birth
from sim.melee.barred import shut
from sim.melee.records import Result, Target
from sim.melee.registry import AFTER, KINDS, ON_REMOVE, Kind
from sim.melee.transport import POOLED, UNLOAD_PERIOD, leave, passengers

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

PERIOD, RETRY = 16, 4  # loops between two passengers, and until the next try over bad ground
AT_POINT = 0.5
LET_OUT = -104  # key of the pause between two passengers in `game.memory.ready`
CALLED = -106  # and of a passenger that was named and comes out after it


def can_unload(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Somebody is aboard. Flyers unload at a point or on themselves only, structures only where they are (observed);
    one that has lifted off does either (observed of 4.10)."""
    lifted = int(game.units[slot]["flags"]) & STRUCTURE and not on_ground(game, slot)
    if not lifted and on_ground(game, slot) == (ability.target != "None"):
        return Result.NOT_SUPPORTED
    return Result.SUCCESS if game.units[slot]["cargo"] > 0 else Result.ERROR


def on_ground(game: Game, slot: int) -> bool:
    """The carrier is a structure that stands."""
    flags = int(game.units[slot]["flags"])
    return bool(flags & STRUCTURE) and not flags & FLYING


def over_ground(game: Game, slot: int) -> bool:
    """A passenger could stand below (or beside) the carrier."""
    row, column = int(game.units[slot]["y"]), int(game.units[slot]["x"])
    inside = 0 <= row < game.walk.shape[0] and 0 <= column < game.walk.shape[1]
    return on_ground(game, slot) or (inside and bool(game.walk[row, column]))


def unload(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A structure lets all out at once; a flying carrier one after the other, there or at the point it was given."""
    if on_ground(game, slot):
        for passenger in passengers(game, slot):
            leave(game, passenger, slot)
    elif target.given and ability.target != "None" and target.slot != slot:
        game.memory.dropping.pop(slot, None)
        game.push_order(slot, ability.id, Target(-1, target.x, target.y, True, target.queued), range=AT_POINT)
    elif target.queued and game.units[slot]["order_count"]:
        game.push_order(slot, ability.id, Target(queued=True))
    elif slot not in game.memory.dropping:
        if ability.target == "None" and not target.queued:
            game.clear_orders(slot)  # of what flies only a lifted hall has this one: it stops for it (observed of 4.10)
        game.memory.dropping[slot] = game.loop
        game.later(1, "drop", slot, game.loop)


def let_out(game: Game, slot: int) -> None:
    """By order, at the point: one passenger leaves, the next after a while; over bad ground the order ends."""
    aboard = passengers(game, slot)
    if not aboard or not over_ground(game, slot) or shut(game, slot):
        game.finish_order(slot)
        return
    left = pause(game, slot)
    if not left:
        next_one(game, aboard[0], slot)
        left = PERIOD
        if len(aboard) == 1:
            game.finish_order(slot)
            return
    game.orders[slot, 0]["timer"] = left


def pause(game: Game, slot: int) -> int:
    """Loops until the carrier may let the next passenger out, whatever it is told meanwhile: a real Warp Prism that was
    told to load and to unload once more, or to unload at another point, let them out 16 loops apart."""
    return max(game.memory.ready.get((slot, LET_OUT), 0) - game.loop, 0)


def next_one(game: Game, passenger: int, slot: int) -> None:
    """A passenger leaves; the pause begins."""
    leave(game, passenger, slot)
    game.memory.ready[slot, LET_OUT] = game.loop + PERIOD


def come_out(game: Game, passenger: int, slot: int) -> None:
    """A passenger leaves a network and goes where the exit sends it."""
    leave(game, passenger, slot)
    game.memory.ready.pop((passenger, CALLED), None)
    birth.send_to_rally(game, slot, passenger)


def drop(game: Game, slot: float, since: float) -> None:
    """On the way: one passenger leaves where the ground lets it; not for an order that another has replaced since."""
    slot = int(slot)
    if game.memory.dropping.get(slot) != since:
        return
    aboard = passengers(game, slot)
    good = over_ground(game, slot) and not int(game.units[slot]["flags"]) & INSIDE and not shut(game, slot)
    left = pause(game, slot)
    if aboard and good and not left:
        next_one(game, aboard.pop(0), slot)
        left = PERIOD
    if aboard:
        game.later(max(left, 1) if good else RETRY, "drop", slot, int(since))
    else:
        del game.memory.dropping[slot]


def chosen(game: Game, slot: int, target: Target) -> int:
    """The passenger that a command names, by itself or by its place aboard (panels give it as x); -1 = nobody."""
    aboard = passengers(game, slot)
    if target.slot >= 0:
        return target.slot if target.slot in aboard else -1
    place = int(target.x) if target.has_point else 0
    return aboard[place] if 0 <= place < len(aboard) else -1


def can_unload_unit(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """It is aboard and would find ground."""
    return Result.SUCCESS if chosen(game, slot, target) >= 0 and over_ground(game, slot) else Result.ERROR


def unload_unit(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """One passenger leaves; the carrier's orders stay. From a network after those that were named there before it.

    So a public program has it, which names one in every second loop: a network unloads one unit every 8 game frames.
    """
    passenger, left = chosen(game, slot, target), pause(game, slot)
    if passenger < 0 or (passenger, CALLED) in game.memory.ready:
        return
    if game.facts.names[int(game.units[slot]["type"])] not in POOLED:
        leave(game, passenger, slot)
        return
    game.memory.ready[slot, LET_OUT] = game.loop + left + UNLOAD_PERIOD[game.patch]
    if not left:
        come_out(game, passenger, slot)
        return
    game.memory.ready[passenger, CALLED] = game.loop + left
    game.later(left + 1, "called", slot, passenger)  # one more: it is done at the end of a loop, this at the beginning


def called(game: Game, slot: float, passenger: float) -> None:
    """The pause is over; who has left meanwhile, by any exit, was named for nothing (ours)."""
    slot, passenger = int(slot), int(passenger)
    due = (passenger, CALLED) in game.memory.ready and game.memory.ready[passenger, CALLED] <= game.loop
    if due:
        del game.memory.ready[passenger, CALLED]
    if due and passenger in passengers(game, slot):
        come_out(game, passenger, slot)


def gone(game: Game, slot: int) -> None:
    """Forgets a carrier."""
    game.memory.dropping.pop(slot, None)
    game.memory.ready.pop((slot, LET_OUT), None)
    game.memory.ready.pop((slot, CALLED), None)


KINDS["unload"] = Kind(unload, can_unload, reached=let_out, timer=let_out)
KINDS["unload_unit"] = Kind(unload_unit, can_unload_unit, everyone=False)
AFTER["drop"], AFTER["called"] = drop, called
ON_REMOVE.append(gone)
