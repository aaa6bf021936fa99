"""Structures of maps that act: watchtowers show ground to who holds them, zones change the speed of who crosses them,
gates fall by themselves.

A watchtower is held by who alone has a unit within 2.5 cells of it, from edge to edge: on the ground, not buried and no
structure (catalog 5.0.14, TowerCapture; with units of both players it shows nothing, says Liquipedia). It lights its
sight of 22 cells, high ground too, and detects nothing.

Acceleration and inhibitor zones (catalog): units in them wear a buff of two loops that makes them 1.35 or 0.65 times as
fast, flyers too and no structures; zones that overlap count once. Their radii of 4, 5 and 6 cells are not in the tables
but common knowledge (the wiki of the game, public bots).

The six gates of Torches die in the same loop, each named as its own killer (real replays: all six games).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import add_buff
from sim.engine.catalog import STRUCTURE_ATTR
from sim.engine.parameters import VISION_PERIOD
from sim.engine.state import BURROWED, FLYING, INSIDE, INVULNERABLE
from sim.melee.areas import within
from sim.melee.eyes import reveal
from sim.melee.looks import SOUTHWEST
from sim.melee.registry import EVERY, ON_REMOVE, ON_SPAWN

if TYPE_CHECKING:
    from sim.melee.game import Game

TOWER, HELD_WITHIN = "XelNagaTower", 2.5
ZONE = re.compile("(?P<kind>(Acceleration|Inhibitor)Zone(Flying)?)(?P<size>Small|Medium|Large)")
ZONE_RADII = {"Small": 4.0, "Medium": 5.0, "Large": 6.0}
ZONE_EVERY = 2
GATE, GATE_LIFE = "DestructibleExpeditionGate6x6", 10665.0  # loops


def appeared(game: Game, slot: int) -> None:
    """Keeps watchtowers, and zones with their buff and radius; gates begin to count."""
    name = game.facts.names[int(game.units[slot]["type"])]
    if name == TOWER:
        game.watchtowers[slot] = None
    if name == GATE:
        game.units[slot]["life_left"] = GATE_LIFE
    zone = ZONE.fullmatch(name)
    if zone:
        wanted = f"{zone['kind']}TemporalField"
        game.units[slot]["facing"] = SOUTHWEST
        buff = next(buff for buff in game.facts.buffs.values() if buff.name == wanted)
        game.state.buffs[buff.id]["speed"] = buff.speed
        game.speed_zones[slot] = (buff.id, ZONE_RADII[zone["size"]])


def gone(game: Game, slot: int) -> None:
    """Test programs take them away."""
    game.watchtowers.pop(slot, None)
    game.speed_zones.pop(slot, None)


def watch(game: Game) -> None:
    """Watchtowers light the ground for who holds them."""
    for slot in game.watchtowers:
        tower, row = game.units[slot], game.type_of(slot)
        x, y = float(tower["x"]), float(tower["y"])
        reach = HELD_WITHIN + float(row["radius"])
        near = within(game, x, y, reach, without=FLYING | BURROWED)
        near = [other for other in near if not int(game.type_of(other)["attributes"]) & STRUCTURE_ATTR]
        holders = {int(game.units[other]["owner"]) for other in near}
        if len(holders) == 1:
            reveal(game, holders.pop(), x, y, float(row["sight"]), VISION_PERIOD + 1)


def hurry(game: Game) -> None:
    """Who is in a zone is faster or slower for the next loops. All zones are looked at together: maps have eight."""
    if not game.speed_zones:
        return
    units = game.units[: int(game.world[0]["slots"])]
    zones = units[list(game.speed_zones)]
    buffs, radii = zip(*game.speed_zones.values(), strict=True)
    kinds, mobile = game.types[0], (units["alive"] == 1) & (units["owner"] > 0)
    mobile &= units["flags"] & (INSIDE | INVULNERABLE) == 0
    slots = np.flatnonzero(mobile & (kinds["attributes"][units["type"]] & STRUCTURE_ATTR == 0))
    reach = kinds["radius"][units["type"][slots]][:, None] + np.array(radii)
    away = np.hypot(units["x"][slots][:, None] - zones["x"], units["y"][slots][:, None] - zones["y"])
    for row, zone in np.argwhere(away <= reach).tolist():
        add_buff(units[slots[row]], game.state.buffs, buffs[zone], ZONE_EVERY + 1.0)


ON_SPAWN.append(appeared)
ON_REMOVE.append(gone)
EVERY.append((VISION_PERIOD, watch))
EVERY.append((ZONE_EVERY, hurry))
