"""Drones turn into structures, and what stands on creep only.

The drone is used up when the structure begins: it leaves the unit list without a death, and its supply is free at once
(measured in replays). A structure that is cancelled gives three quarters of its price and a drone back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import UNFINISHED
from sim.maps import footprint_cells
from sim.melee import construction, orders, tech
from sim.melee.records import Alert, Race, Result, Target
from sim.melee.registry import ABILITIES, EVERY, SITE, Kind
from sim.melee.zerg_creep import on_creep

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

ZERG_BUILD = range(1152, 1182)  # ZergBuild, by command
CANCEL_BUILD = 314  # Cancel_BuildInProgress, of all races
TOO_FAR_FROM_CREEP = 49  # ActionResult CantBuildTooFarFromCreepSource
# Pool, chambers, dens, nests, nydus network, crawlers, tumors; hatcheries and extractors stand anywhere.
NEEDS_CREEP = (87, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 138, 504)
DECAY_EVERY = 16
DECAY = 3.0  # life a normal second that a structure loses off creep, its regeneration already made up for


def site_on_creep(game: Game, player: int, type_id: int, x: float, y: float) -> int:
    """Every cell of the site has creep."""
    cells = footprint_cells(type_id, x, y) or [(int(x), int(y))]
    return Result.SUCCESS if on_creep(game, cells) else TOO_FAR_FROM_CREEP


def arrived(game: Game, slot: int) -> None:
    """The drone stands at the site and becomes the structure, if the site is still free."""
    if construction.site_open(game, slot):
        order, player = game.orders[slot, 0].copy(), int(game.units[slot]["owner"])
        orders.spend(game, slot)
        game.remove(slot)
        loops = game.facts.abilities[int(order["ability"])].loops
        place = float(order["x"]), float(order["y"])
        construction.start_structure(game, player, int(order["product"]), *place, loops=loops)


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes the structure down; a Zerg one leaves its drone."""
    unit = game.units[slot]
    made_by = game.facts.abilities.get(game.facts.producer.get(int(unit["type"]), 0))
    owner, x, y = int(unit["owner"]), float(unit["x"]), float(unit["y"])
    drone = game.facts.ids["Drone"]
    construction.cancel(game, slot, ability, target)
    if made_by is not None and drone in made_by.casters and game.players[owner]["race"] == Race.ZERG:
        game.spawn(drone, owner, x, y)
        game.alert(owner, Alert.TRAIN_WORKER_COMPLETE)


def decay(game: Game) -> None:
    """Structures that need creep and have lost it die slowly."""
    creep = game.creep
    units = game.units[: int(game.world[0]["slots"])]
    for player in range(1, len(game.players)):
        if game.players[player]["race"] != Race.ZERG:
            continue
        for slot in game.owned(player):
            unit = units[slot]
            if int(unit["type"]) not in NEEDS_CREEP or int(unit["flags"]) & UNFINISHED:
                continue
            if not creep[int(unit["y"]), int(unit["x"])]:
                unit["hp"] -= DECAY + float(game.type_of(slot)["hp_regen"]) * DECAY_EVERY
                if unit["hp"] <= 0:
                    game.kill(slot)


def caster_on_creep(game: Game, slot: int) -> bool:
    """The unit stands on creep (requirement of Transfusion)."""
    unit = game.units[slot]
    return on_creep(game, [(int(unit["x"]), int(unit["y"]))])


for _ability in ZERG_BUILD:
    ABILITIES[_ability] = Kind(
        construction.build, construction.can_build, construction.when_still(arrived), arrived, everyone=False
    )
ABILITIES[CANCEL_BUILD] = Kind(cancel, construction.can_cancel)
for _type in NEEDS_CREEP:
    SITE[_type] = site_on_creep
tech.STATES["OnCreep"] = caster_on_creep
EVERY.append((DECAY_EVERY, decay))
