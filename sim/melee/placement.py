"""Where structures may stand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import FLYING, HOLD, UNFINISHED
from sim.maps import placement_cells, town_hall_zone
from sim.melee import grids
from sim.melee.records import Result
from sim.melee.registry import SITE, UNIT_SITE, Cells
from sim.melee.sight import VISIBLE

if TYPE_CHECKING:
    from sim.melee.game import Game

TERRAN, ZERG, PROTOSS = 1, 2, 3
ADDON_X, ADDON_Y = 2.5, -0.5  # an add-on's centre seen from its host
TURRET = 1764  # a Raven's cast that leaves a structure
TUMORS = frozenset({"CreepTumor", "CreepTumorQueen"})
FOGGED = "CreepTumor"  # its footprint wants to be in sight, that of a Queen's tumor does not (catalog: Fogged)
LANDING = {  # what is wrong with a site has another name for who is to land there (a ladder bot knows the first two)
    Result.CANT_BUILD_LOCATION_INVALID: Result.CANT_LAND_LOCATION_INVALID,
    Result.CANT_BUILD_TOO_CLOSE_TO_CREEP_SOURCE: Result.CANT_LAND_TOO_CLOSE_TO_CREEP_SOURCE,
    Result.CANT_BUILD_TOO_CLOSE_TO_RESOURCES: Result.CANT_LAND_TOO_CLOSE_TO_RESOURCES,
}
# Abilities that ResponseData calls buildings and no unit has: public bots ask for places with them all the same. A
# Drone's tumor of old (1153) is the one that a tumor spreads.
PLACES_AS = {325: 320, 349: TURRET, 1153: 1733, 1769: 1768, 3682: 421, 3683: 422, 3691: 1694}


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody takes the ground for who does not see all of it."""

    free: Cells = frozenset()  # cells (x, y) of structures that do not count
    dark: Cells = frozenset()  # cells of which only the ground counts
    creep: np.ndarray | None = None  # uint8 [h, w]: what counts as creep in the way; None: all of it


ALL = Known()


def side_of(game: Game, type_id: int) -> int:
    """Side of the square that a structure blocks, cells (0 = none)."""
    return int(game.types[0, type_id]["footprint"])


def snap(game: Game, type_id: int, x: float, y: float) -> tuple[float, float]:
    """The centre a structure takes for a point: a corner of cells for even sides, the middle of a cell for odd ones."""
    if side_of(game, type_id) % 2:
        return math.floor(x) + 0.5, math.floor(y) + 0.5
    return math.floor(x + 0.5), math.floor(y + 0.5)


def placed_by(game: Game, ability_id: int) -> tuple[str, int]:
    """Kind of ability and type of the structure (or warped unit) that takes a place by it; type 0 = none does."""
    ability_id = PLACES_AS.get(ability_id, ability_id)
    ability = game.facts.abilities.get(ability_id)
    if ability is None or ability.kind == "research":
        return "", 0
    return ability.kind, game.facts.ids["AutoTurret"] if ability_id == TURRET else ability.product


def can_place(
    game: Game,
    player: int,
    ability_id: int,
    x: float,
    y: float,
    ignore: int = -1,
    known: Known = ALL,
) -> int:
    """Whether the structure that an ability makes could be placed at a point now. -> ActionResult id.

    `ignore` is a slot whose own footprint does not count (a structure that lands where it stood). Units in the way do
    not count: they are asked to leave.
    """
    kind, product = placed_by(game, ability_id)
    if not product:
        return Result.NOT_SUPPORTED
    if kind == "warp":
        return UNIT_SITE[kind](game, player, product, x, y)
    if kind == "addon":
        return site_free(game, player, product, x + ADDON_X, y + ADDON_Y, ignore, known)
    x, y = snap(game, product, x, y)
    found = site_free(game, player, product, x, y, ignore, known)
    return LANDING.get(found, found) if kind == "land" else found


def site_free(game: Game, player: int, type_id: int, x: float, y: float, ignore: int = -1, known: Known = ALL) -> int:
    """Whether a structure may stand with its centre exactly there, as in `can_place`. -> ActionResult id."""
    dark, own = known.dark, known.free
    if type_id in game.facts.gas_structures:
        unseen, geyser = (int(x), int(y)) in dark, geyser_at(game, x, y, taken=True)
        if geyser < 0:
            return Result.CANT_FIND_PLACEMENT
        free = unseen or (geyser_at(game, x, y) >= 0 and game.units[geyser]["contents"] > 0)  # HasVespene
        return Result.SUCCESS if free else Result.CANT_BUILD_ON_THAT  # observed of 4.10 where one stands
    cells = placement_cells(type_id, x, y)
    height, width = game.place.shape
    if ignore >= 0 and not int(game.units[ignore]["flags"]) & FLYING:
        unit = game.units[ignore]
        own = own | set(placement_cells(int(unit["type"]), float(unit["x"]), float(unit["y"])))
    creep = game.creep if known.creep is None else known.creep
    bears_creep = game.types[0, type_id]["race"] == ZERG or type_id == game.facts.ids["AutoTurret"]
    for column, row in cells:
        if not (0 <= column < width and 0 <= row < height):
            return Result.CANT_FIND_PLACEMENT
        if (column, row) in dark:
            if not game.terrain.buildable[row, column]:
                return Result.CANT_FIND_PLACEMENT
            continue
        if not game.place[row, column] and (column, row) not in own and not bears_tumor(game, type_id, column, row):
            return Result.CANT_FIND_PLACEMENT
        if not bears_creep and creep[row, column]:
            return Result.CANT_BUILD_TOO_CLOSE_TO_CREEP_SOURCE  # so a ladder bot tells creep from units in the way
    if type_id in game.facts.town_halls and too_close_to_resources(game, [cell for cell in cells if cell not in dark]):
        return Result.CANT_BUILD_TOO_CLOSE_TO_RESOURCES  # orders are refused so, and public bots ask for it (observed)
    rule = SITE.get(type_id)
    return rule(game, player, type_id, x, y, dark) if rule else Result.SUCCESS


def built_over(game: Game, type_id: int, x: float, y: float) -> bool:
    """A structure stands on a cell of the site; no geyser counts, which each gas structure stands on."""
    if type_id in game.facts.gas_structures:
        return False
    cells = placement_cells(type_id, x, y)
    return any(game.terrain.buildable[row, column] and not game.place[row, column] for column, row in cells)


def site_ordered(game: Game, player: int, type_id: int, x: float, y: float) -> int:
    """Whether an order to build there is accepted. -> ActionResult id.

    What the player does not see at the time is not looked at, known resources and creep included, until the builder
    comes: of 61 orders of learned agents for places without creep in the fog 53 were accepted and paid, six of them on
    mineral fields, of nine in sight two.
    """
    seen, (height, width) = game.visibility[player], game.place.shape
    inside = [(c, r) for c, r in placement_cells(type_id, x, y) if 0 <= c < width and 0 <= r < height]
    dark = {(column, row) for column, row in inside if seen[row, column] != VISIBLE}
    return site_free(game, player, type_id, x, y, known=Known(dark=dark))


def bears_tumor(game: Game, type_id: int, column: int, row: int) -> bool:
    """A creep tumor may stand where else nothing is built: on any free ground that one walks on (105 of 1,128 real ones
    do, nearly all of them on slopes, and none on other closed ground)."""
    if game.facts.names[type_id] not in TUMORS or game.terrain.buildable[row, column]:
        return False
    return bool(game.walk[row, column]) and not grids.covered(game, column, row)


def geyser_at(game: Game, x: float, y: float, *, taken: bool = False) -> int:
    """Slot of a free geyser whose centre is the point (at most half a cell off), -1 = none. `taken`: or one under a
    structure."""
    units = game.units[: int(game.world[0]["slots"])]
    gas = game.facts.geysers | game.facts.gas_structures
    close = (units["alive"] == 1) & (abs(units["x"] - x) < 1) & (abs(units["y"] - y) < 1)
    slots = [int(slot) for slot in np.flatnonzero(close) if int(units["type"][slot]) in gas]
    bare = [slot for slot in slots if int(units["type"][slot]) in game.facts.geysers]
    return bare[0] if bare and (taken or len(slots) == 1) else -1


def too_close_to_resources(game: Game, cells: list[tuple[int, int]]) -> bool:
    """A resource nearer to the footprint than a town hall may stand."""
    zone = resource_zone(game)
    return any(zone[row, column] for column, row in cells)


def resource_zone(game: Game) -> np.ndarray:
    """u1[h, w]: cells that no town hall may cover. Kept until resources appear or vanish."""
    if game.zone_version != game.resource_version:
        zone = np.zeros_like(game.walk)
        units = game.units[: int(game.world[0]["slots"])]
        resources = game.facts.minerals | game.facts.geysers
        for slot in np.flatnonzero(units["alive"] == 1):
            type_id = int(units["type"][slot])
            if type_id not in resources:
                continue
            for x, y in town_hall_zone(type_id, float(units["x"][slot]), float(units["y"][slot])):
                if 0 <= y < zone.shape[0] and 0 <= x < zone.shape[1]:
                    zone[y, x] = 1
        game.zone, game.zone_version = zone, game.resource_version
    return game.zone


def held(game: Game, type_id: int, x: float, y: float, slot: int) -> bool:
    """Whether somebody stands there who will not make room for the structure that the unit in the slot begins, lands
    or becomes: units of others, seen or not, and own ones that cannot move, such as burrowed ones (as in the game) and
    those that are being warped in, or hold their position (observed)."""
    return any(stays(game, other, int(game.units[slot]["owner"])) for other in blockers(game, type_id, x, y, slot))


def stays(game: Game, slot: int, player: int) -> bool:
    """The unit does not leave the site of a structure of this player."""
    unit = game.units[slot]
    holds = unit["order_count"] > 0 and game.orders[slot, 0]["verb"] == HOLD
    rooted = game.types[player]["speed"][unit["type"]] == 0 or int(unit["flags"]) & UNFINISHED
    return bool(unit["owner"] != player or rooted or holds)


def blockers(game: Game, type_id: int, x: float, y: float, builder: int = -1) -> list[int]:
    """Slots of ground units that stand on the cells a structure would cover."""
    half = max(side_of(game, type_id), 1) / 2
    units = game.units[: int(game.world[0]["slots"])]
    reach = half + game.types[0]["radius"][units["type"]] * 0.5
    found = grids.in_the_way(game) & (
        (abs(units["x"] - x) < reach) & (abs(units["y"] - y) < reach) & (game.types[0]["exists"][units["type"]] == 1)
    )
    return [int(slot) for slot in np.flatnonzero(found) if slot != builder]
