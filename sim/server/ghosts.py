"""What a player sees that is no unit: sites of ordered structures (placeholders), radar rings and blips.

None of them has a tag. A placeholder stands where an own worker has been told to build and has not begun; a blip is an
enemy unit in the fog that one of the player's sensor towers feels, known by its place alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.engine.bufftable import SALVAGED
from sim.engine.jit import rule
from sim.engine.state import BLINDED, BURROWED, CLOAKED, INSIDE, MAX_BUFFS, STRUCTURE, UNFINISHED
from sim.melee.orders import ANYWHERE
from sim.server import encode
from sim.server.kinds import kinds

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.melee.sight import Sight

GHOST = np.dtype([("type", "i4"), ("x", "f4"), ("y", "f4"), ("z", "f4"), ("blip", "u1")])


def placeholders(game: Game, player: int) -> np.ndarray:
    """Sites of structures that the player's workers are on their way to, each once; GHOST [n]."""
    slots, room = int(game.world[0]["slots"]), np.zeros(64, GHOST)
    while (count := find_sites(game.units, game.orders, game.types, player, slots, room)) > len(room):
        room = np.zeros(count, GHOST)
    found = room[:count]
    if not count:
        return found
    rows = np.clip(found["y"].astype(int), 0, game.walk.shape[0] - 1)
    columns = np.clip(found["x"].astype(int), 0, game.walk.shape[1] - 1)
    found["z"] = (game.terrain.levels[rows, columns].astype(np.float32) - 127) / 8
    return np.unique(found)


@rule
def find_sites(units, orders, types, player, slots, found):  # type: ignore[no-untyped-def]
    """Fills `type`, `x` and `y` of `found` (GHOST) with the site of every such order, as far as there is room; -> how
    many there are."""
    count = 0
    for slot in range(slots):
        if not units[slot].alive or units[slot].owner != player:
            continue
        for k in range(units[slot].order_count):
            order = orders[slot, k]
            paid = order.minerals + order.gas > 0  # nothing is owed any more once the structure stands
            elsewhere = order.range < ANYWHERE  # a structure that morphs has its site
            if paid and elsewhere and order.product > 0 and types[player, order.product].structure:
                if count < len(found):
                    found[count].type, found[count].x, found[count].y = order.product, order.x, order.y
                count += 1
    return count


def towers(game: Game, player: int) -> np.ndarray:
    """Slots of the player's finished structures with a radar."""
    slots, room = int(game.world[0]["slots"]), np.zeros(16, np.int64)
    while (count := find_towers(game.units, kinds(game.patch), player, slots, room)) > len(room):
        room = np.zeros(count, np.int64)
    return room[:count]


@rule
def find_towers(units, kinds, player, slots, found):  # type: ignore[no-untyped-def]
    """Fills `found` with the slots of such structures, as far as there is room; -> how many there are."""
    count = 0
    for slot in range(slots):
        unit = units[slot]
        if not unit.alive or unit.owner != player or kinds[unit.type].radar <= 0 or unit.flags & (UNFINISHED | BLINDED):
            continue
        works = True
        for k in range(MAX_BUFFS):
            works = works and unit.buff[k] != SALVAGED  # as a Blinding Cloud a salvage switches the radar off
        if works:
            if count < len(found):
                found[count] = slot
            count += 1
    return count


def blips(game: Game, player: int, sight: Sight, posts: np.ndarray) -> np.ndarray:
    """Enemy units out of sight within the radar of the player's posts (slots of `towers`); GHOST [n] without types.

    It feels neither cloaked nor buried ones (catalog: the filters of radars; players say so, too).
    """
    units = game.units[: int(game.world[0]["slots"])]
    unseen = (units["alive"] == 1) & (units["owner"] > 0) & (units["owner"] != player)
    unseen &= units["flags"] & (INSIDE | STRUCTURE | CLOAKED | BURROWED) == 0
    unseen[sight.visible_slots()] = unseen[sight.hidden_slots()] = False
    enemies = units[unseen]
    reach = kinds(game.patch)["radar"][units["type"][posts]]
    away = np.hypot(enemies["x"][:, None] - units["x"][posts], enemies["y"][:, None] - units["y"][posts])
    felt = enemies[(away <= reach).any(axis=1)]
    found = np.zeros(len(felt), GHOST)
    for name in ("x", "y", "z"):
        found[name] = felt[name]
    found["blip"] = 1
    return found


def seen(options: sc.InterfaceOptions, game: Game, player: int, sight: Sight, posts: np.ndarray) -> np.ndarray:
    """The ghosts that a client with these options and radars is shown; GHOST [n]."""
    sites = placeholders(game, player) if options.show_placeholders else np.zeros(0, GHOST)
    return np.concatenate([sites, blips(game, player, sight, posts)]) if len(posts) else sites


def add_ghosts(raw: raw_pb2.ObservationRaw, game: Game, player: int, ghosts: np.ndarray, posts: np.ndarray) -> None:
    """Adds placeholders and blips as units, and the rings of the player's radars."""
    for ghost in ghosts:
        unit = raw.units.add(is_on_screen=False)
        unit.pos.x, unit.pos.y, unit.pos.z = float(ghost["x"]), float(ghost["y"]), float(ghost["z"])
        if ghost["blip"]:
            unit.display_type, unit.alliance = raw_pb2.Hidden, raw_pb2.Enemy
            unit.is_blip, unit.cloak = True, raw_pb2.CloakedUnknown
        else:
            unit.display_type, unit.alliance, unit.owner = raw_pb2.Placeholder, raw_pb2.Self, player
            unit.unit_type = int(ghost["type"])
            unit.radius = float(game.types["api_radius"][player, ghost["type"]])
    for slot in posts:
        unit = game.units[slot]
        ring = raw.radar.add(radius=float(kinds(game.patch)["radar"][unit["type"]]))
        ring.pos.x, ring.pos.y, ring.pos.z = float(unit["x"]), float(unit["y"]), float(unit["z"])


def as_things(things: np.ndarray, game: Game, player: int, ghosts: np.ndarray) -> None:
    """Writes ghosts into rows of a table of things."""
    for name in ("x", "y", "z"):
        things[name] = ghosts[name]
    things["slot"] = -1
    things["unit_type"], things["blip"] = ghosts["type"], ghosts["blip"]
    things["placeholder"] = 1 - ghosts["blip"]
    things["radius"] = game.types["api_radius"][player, ghosts["type"]]
    things["player_id"] = np.where(ghosts["blip"] == 1, 0, player)
    things["player_relative"] = np.where(ghosts["blip"] == 1, encode.ENEMY, encode.SELF)
