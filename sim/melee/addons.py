"""Tech labs and reactors: building them, and what happens when their host comes, leaves or dies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.order import ANYWHERE
from sim.engine.state import FLYING, MORPHING, REACTOR, UNFINISHED
from sim.melee import builders, construction, orders, placement, production
from sim.melee.orders import AIMED
from sim.melee.placement import ADDON_X, ADDON_Y
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, ON_FINISHED, ON_REMOVE, ON_TYPE, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.facts import Ability
    from sim.melee.game import Game

HOSTS = ("Barracks", "Factory", "Starport")
AT_HOME = 1.0  # cells; a point nearer to the host than this means: where it stands
SORTS = ("TechLab", "Reactor")


def sort_of(game: Game, type_id: int) -> str:
    """TechLab, Reactor or '' for anything else."""
    name = game.facts.names[type_id]
    return next((sort for sort in SORTS if name in (sort, *(host + sort for host in HOSTS))), "")


def is_host(game: Game, type_id: int) -> bool:
    """Barracks, Factory or Starport on the ground."""
    return game.facts.names[type_id] in HOSTS


def can_build(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A host without an add-on, idle or on its way through the air, and room beside the point it is to land at.

    Without a point it is answered Success in the air, too, or where it has no room, and nothing happens (observed).
    """
    unit = game.units[slot]
    flags = int(unit["flags"])
    busy = unit["job_count"] or (unit["order_count"] and (not flags & FLYING or flags & MORPHING))
    if unit["addon"] >= 0 or busy:
        return Result.NOT_SUPPORTED
    player, host = int(unit["owner"]), grounded_type(game, slot)
    if not elsewhere(game, slot, target):
        return Result.SUCCESS
    x, y = placement.snap(game, host, target.x, target.y)
    verdict = placement.site_free(game, player, host, x, y, slot)
    if verdict != Result.SUCCESS:
        return verdict
    return placement.site_free(game, player, ability.product, x + ADDON_X, y + ADDON_Y, slot)


def has_room(game: Game, slot: int, ability: Ability, target: Target) -> bool:
    """The add-on has room beside the host where it stands, or is asked for at another place."""
    unit = game.units[slot]
    if elsewhere(game, slot, target):
        return True
    x, y = float(unit["x"]) + ADDON_X, float(unit["y"]) + ADDON_Y
    on_ground = not int(unit["flags"]) & FLYING
    return on_ground and placement.site_free(game, int(unit["owner"]), ability.product, x, y, slot) == Result.SUCCESS


def grounded_type(game: Game, slot: int) -> int:
    """The host's type when it stands on the ground."""
    return game.facts.ids[game.facts.names[int(game.units[slot]["type"])].removesuffix("Flying")]


def elsewhere(game: Game, slot: int, target: Target) -> bool:
    """The add-on is asked for at another place than the host's own."""
    unit = game.units[slot]
    off = abs(float(unit["x"]) - target.x) > AT_HOME or abs(float(unit["y"]) - target.y) > AT_HOME
    return target.given and (off or bool(int(unit["flags"]) & FLYING))


def build(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Pays and starts; the host is busy until the add-on stands. For another place it first flies there."""
    game.pay(int(game.units[slot]["owner"]), ability.minerals, ability.gas)
    place, reach = Target(-1, float(game.units[slot]["x"]), float(game.units[slot]["y"]), True, target.queued), ANYWHERE
    if elsewhere(game, slot, target):
        go_there(game, slot, target)
        x, y = placement.snap(game, grounded_type(game, slot), target.x, target.y)
        place, reach = Target(-1, x, y, True, True), AIMED  # both orders show the place (observed)
    price = {"minerals": ability.minerals, "gas": ability.gas, "product": ability.product}
    game.push_order(slot, ability.id, place, range=reach, **price)


def go_there(game: Game, slot: int, target: Target) -> None:
    """Orders to lift off, if need be, and to land at the place."""
    name = game.facts.names[int(game.units[slot]["type"])].removesuffix("Flying")
    queued = target.queued
    for link in (f"{name}LiftOff", f"{name}Land"):
        ability = next(a for a in game.facts.abilities.values() if a.name == link and a.index == 0)
        if ability.kind == "lift" and int(game.units[slot]["flags"]) & FLYING:
            continue
        kind = KINDS[ability.kind]
        kind.apply(game, slot, ability, Target(-1, target.x, target.y, True, queued))
        queued = True


def begin(game: Game, slot: int) -> None:
    """The add-on appears unfinished beside its host."""
    unit, order = game.units[slot], game.orders[slot, 0]
    ability = game.facts.abilities[int(order["ability"])]
    x, y = float(unit["x"]) + ADDON_X, float(unit["y"]) + ADDON_Y
    free = placement.site_free(game, int(unit["owner"]), ability.product, x, y)
    if unit["addon"] >= 0 or int(unit["flags"]) & FLYING or free != Result.SUCCESS:
        orders.fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID)
        return
    order["minerals"] = order["gas"] = 0
    addon = construction.start_structure(
        game, int(unit["owner"]), ability.product, x, y, loops=ability.loops, builder=slot
    )
    unit["addon"] = addon
    game.units[addon]["addon"] = slot


def cancel(game: Game, slot: int) -> None:
    """Takes the add-on under construction down: three quarters of its price back."""
    addon = int(game.units[slot]["addon"])
    if addon < 0 or not int(game.units[addon]["flags"]) & UNFINISHED:
        return
    construction.give_back(game, addon)


def settle(game: Game, slot: int) -> None:
    """A finished add-on works for its host. Halves of a pair that are not of one yet meet: a host that landed
    or was finished beside a bare add-on, and an add-on that debug made (burnysc2's tables of offers were made so),
    which is nobody's in particular without a host (observed of 4.10)."""
    unit = game.units[slot]
    type_id, owner = int(unit["type"]), int(unit["owner"])
    x, y = float(unit["x"]), float(unit["y"])
    if unit["addon"] >= 0:
        if sort_of(game, type_id) == "Reactor":
            game.units[unit["addon"]]["flags"] |= REACTOR
    elif is_host(game, type_id):
        found = single_at(game, sort_of, owner, x + ADDON_X, y + ADDON_Y)
        if found >= 0:
            attach(game, slot, found)
    elif sort_of(game, type_id):
        found = single_at(game, is_host, owner, x - ADDON_X, y - ADDON_Y)
        if found >= 0:
            attach(game, found, slot)
        else:
            bare(game, slot)


def single_at(game: Game, suits: Callable[[Game, int], object], owner: int, x: float, y: float) -> int:
    """Slot of the owner's finished structure at a point, without a partner and of a type that suits, -1 = none."""
    units = game.units[: int(game.world[0]["slots"])]
    close = (units["alive"] == 1) & (units["owner"] == owner) & (units["addon"] < 0)
    close &= (abs(units["x"] - x) < 0.6) & (abs(units["y"] - y) < 0.6) & (units["flags"] & UNFINISHED == 0)
    return next((int(s) for s in np.flatnonzero(close) if suits(game, int(units["type"][s]))), -1)


def attach(game: Game, host: int, addon: int) -> None:
    """The add-on becomes the host's own sort (TechLab -> FactoryTechLab)."""
    sort = sort_of(game, int(game.units[addon]["type"]))
    own = game.facts.names[int(game.units[host]["type"])] + sort
    game.units[host]["addon"], game.units[addon]["addon"] = addon, host
    game.change_type(addon, game.facts.ids[own])
    if sort == "Reactor":
        game.units[host]["flags"] |= REACTOR


def detach(game: Game, host: int) -> None:
    """The host leaves or dies: a finished add-on stays bare, an unfinished one is given up (seven of real games)."""
    addon = int(game.units[host]["addon"])
    if addon < 0:
        return
    game.units[host]["addon"] = -1
    game.units[host]["flags"] &= ~np.uint32(REACTOR)
    unit = game.units[addon]
    if not unit["alive"]:
        return
    unit["addon"] = -1
    if int(unit["flags"]) & UNFINISHED:
        construction.give_back(game, addon)
    else:
        bare(game, addon)


def bare(game: Game, addon: int) -> None:
    """The add-on is of no host's sort (FactoryTechLab -> TechLab)."""
    type_id = int(game.units[addon]["type"])
    plain = game.facts.ids[sort_of(game, type_id)]
    if type_id != plain:
        game.change_type(addon, plain)


def on_type(game: Game, slot: int, old: int) -> None:
    """A host that lifts off leaves its add-on; one that lands looks for one."""
    unit = game.units[slot]
    if int(unit["flags"]) & FLYING:
        if is_host(game, old):
            detach(game, slot)
    elif game.facts.names[old].endswith("Flying"):
        settle(game, slot)


def on_remove(game: Game, slot: int) -> None:
    """One half of the pair dies."""
    unit = game.units[slot]
    other = int(unit["addon"])
    if other < 0:
        return
    if is_host(game, int(unit["type"])):
        detach(game, slot)
    else:
        game.units[other]["addon"] = -1
        game.units[other]["flags"] &= ~np.uint32(REACTOR)
        production.lose_waiting(game, other)


def dropped(game: Game, slot: int, order: Any) -> None:
    """The host's order went away while the add-on was not complete (it died, or the host did)."""
    builders.left(game, slot, order)


KINDS["addon"] = Kind(build, can_build, reached=begin, dropped=dropped, everyone=False, fits=has_room)
ON_FINISHED.append(settle)
ON_TYPE.append(on_type)
ON_REMOVE.append(on_remove)
