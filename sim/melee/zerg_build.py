"""Drones turn into structures, and what stands on creep only.

The drone leaves the unit list without a death when the structure begins, and its supply is free at once; it dies when
the structure is complete or falls (measured in replays, and observed). A structure that is cancelled gives three
quarters of its price back, and its drone under the old tag (in a real game it was commanded again, and none was born).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import UNFINISHED
from sim.maps import footprint_cells
from sim.melee import builders, construction, lifecycle, orders, tech
from sim.melee.records import Alert, Race, Result, Target
from sim.melee.registry import ABILITIES, EVERY, ON_FINISHED, ON_REMOVE, SITE, Cells, Kind
from sim.melee.zerg_creep import on_creep

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

ZERG_BUILD = range(1152, 1182)  # ZergBuild, by command
CANCEL_BUILD = 314  # Cancel_BuildInProgress, of all races
TOO_FAR_FROM_CREEP = 49  # ActionResult CantBuildTooFarFromCreepSource
# Pool, chambers, dens, nests, nydus network, crawlers, tumors; hatcheries and extractors stand anywhere.
NEEDS_CREEP = (87, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 138, 504)
DIES_WITHOUT = {*NEEDS_CREEP, 102} - {87, 138}  # catalog: ZergBuildingNotOnCreep, of Greater Spires too, of no tumor
AT_MIDDLE = 0.45  # cells from the middle of a site at which a drone begins (406 of 408 sites of real games: in it)
STOPPING = 2  # loops from there until it begins, if it had to walk: fitted to 9 town halls far from the drone
DECAY_EVERY = 16
DECAY = 3.0  # life a normal second that a structure loses off creep, while it regenerates as before (Liquipedia)


def site_on_creep(game: Game, player: int, type_id: int, x: float, y: float, dark: Cells) -> int:
    """Every cell of the site has creep, as far as it counts."""
    cells = footprint_cells(type_id, x, y) or [(int(x), int(y))]
    cells = [cell for cell in cells if cell not in dark]
    return Result.SUCCESS if on_creep(game, cells) else TOO_FAR_FROM_CREEP


def build(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Pays, and sends the drone to the middle of the site."""
    before = int(game.units[slot]["order_count"]) if target.queued else 0
    builders.build(game, slot, ability, target)
    order = game.orders[slot, before]
    if game.units[slot]["order_count"] > before and order["target"] < 0:
        order["range"] = AT_MIDDLE


def reached(game: Game, slot: int) -> None:
    """A drone that had to walk stops first; one that waits at the site begins at once."""
    order = game.orders[slot, 0]
    if order["y2"] > 0:
        order["timer"] = STOPPING if order["target"] < 0 else builders.BRAKING
    else:
        arrived(game, slot)


def arrived(game: Game, slot: int) -> None:
    """The drone stands at the site and becomes the structure, if the site is still free."""
    if builders.site_open(game, slot):
        order, player = game.orders[slot, 0].copy(), int(game.units[slot]["owner"])
        orders.spend(game, slot)
        game.remove(slot)
        lifecycle.hold(game, slot)
        loops = game.facts.abilities[int(order["ability"])].loops
        place = float(order["x"]), float(order["y"])
        structure = construction.start_structure(game, player, int(order["product"]), *place, loops=loops)
        game.memory.drones[structure] = slot


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes the structure down; a Zerg one gives its drone back."""
    unit = game.units[slot]
    owner, x, y = int(unit["owner"]), float(unit["x"]), float(unit["y"])
    drone = game.memory.drones.pop(slot, -1)
    construction.give_back(game, slot, float(game.type_of(drone)["minerals"]) if drone >= 0 else 0.0)
    if drone >= 0:
        lifecycle.bring_back(game, drone, x, y)
        game.alert(owner, Alert.TRAIN_WORKER_COMPLETE)


def used_up(game: Game, slot: int) -> None:
    """The structure is complete or gone: its owner learns now that the drone is dead."""
    drone = game.memory.drones.pop(slot, -1)
    if drone >= 0:
        game.inbox[int(game.units[drone]["owner"])].dead.append(game.tag(drone))
        lifecycle.let_go(game, drone)


def decay(game: Game) -> None:
    """Structures that need creep and have lost it die slowly."""
    creep = game.creep
    units = game.units[: int(game.world[0]["slots"])]
    for player in range(1, len(game.players)):
        if game.players[player]["race"] != Race.ZERG:
            continue
        for slot in game.owned(player):
            unit = units[slot]
            if int(unit["type"]) not in DIES_WITHOUT or int(unit["flags"]) & UNFINISHED:
                continue
            if not creep[int(unit["y"]), int(unit["x"])]:
                unit["hp"] -= DECAY
                if unit["hp"] <= 0:
                    game.kill(slot)


def caster_on_creep(game: Game, slot: int) -> bool:
    """The unit stands on creep (requirement of Transfusion)."""
    unit = game.units[slot]
    return on_creep(game, [(int(unit["x"]), int(unit["y"]))])


for _ability in ZERG_BUILD:
    ABILITIES[_ability] = Kind(build, builders.can_build, reached, arrived, everyone=False)
ABILITIES[CANCEL_BUILD] = Kind(cancel, construction.can_cancel)
for _type in NEEDS_CREEP:
    SITE[_type] = site_on_creep
tech.STATES["OnCreep"] = caster_on_creep
EVERY.append((DECAY_EVERY, decay))
ON_FINISHED.append(used_up)
ON_REMOVE.append(used_up)
