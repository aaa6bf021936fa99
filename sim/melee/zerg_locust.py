"""Swarm Hosts and their locusts: spawned, airborne, swooping.

Catalog: two locusts every 60 n; they lie stunned for 2 n, take wing, and swoop on what is within 6 of them on the
ground, ever faster (mover LocustMPFlyingSwoop); nobody commands them meanwhile. Not in the tables: their life (25 n,
with the upgrade 10 more).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import ATTACK_MOVE, BURROWED, DETECTED, DISARMED, FLYING, IMMOBILE, INVULNERABLE
from sim.melee import birth
from sim.melee.active import every
from sim.melee.casts import flight
from sim.melee.census import of_type
from sim.melee.harm import same
from sim.melee.protoss_nexus import place_at
from sim.melee.records import Race, Result, Target
from sim.melee.registry import AFTER, FORBID
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

SPAWN, SWOOP, SWOOP_ON, ATTACK = 2704, 2387, 2706, 23
LOCUSTS, LIFE, LONGER_LIFE, LONGER_UPGRADE = 2, 400.0, 160.0, 102
STUN_LOOPS, RISE_LOOPS, SWOOP_RANGE = 32, 8, 6.0
SWOOP_SPEED, SWOOP_PULL = 40.0, 20.0  # at most, and cells per normal second more in each
HELPLESS = IMMOBILE | DISARMED
LOOK_EVERY = 4


def spawn(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Two locusts fall out; they set out for the point when they have hatched."""
    unit, type_id = game.units[slot], game.facts.ids["LocustMP"]
    owner = int(unit["owner"])
    life = LIFE + (LONGER_LIFE if game.players[owner]["upgrades"][LONGER_UPGRADE] else 0.0)
    for _ in range(LOCUSTS):
        x, y = birth.free_spot(game, float(unit["x"]), float(unit["y"]), 1.2, birth.DOWN, type_id, owner)
        locust = game.spawn(type_id, owner, x, y, flags=HELPLESS | INVULNERABLE, life_left=life)
        game.later(STUN_LOOPS, "locust hatches", locust, int(game.units[locust]["generation"]), target.x, target.y)


def rise(game: Game, slot: float, generation: float, x: float, y: float) -> None:
    """It takes wing and flies to where it was sent, looking for prey."""
    slot = int(slot)
    if not same(game, slot, generation):
        return
    unit = game.units[slot]
    if int(unit["type"]) == game.facts.ids["LocustMP"]:
        game.change_type(slot, game.facts.ids["LocustMPFlying"])
        unit["flags"] &= ~np.uint32(INVULNERABLE)
        game.later(RISE_LOOPS, "locust hatches", slot, generation, x, y)
        return
    unit["flags"] &= ~np.uint32(HELPLESS)
    game.push_order(slot, ATTACK, Target(-1, x, y, True), verb=ATTACK_MOVE, range=0.0)


def swoop(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """It dives to the point or at the unit."""
    dive(game, slot, target.x, target.y)


def dive(game: Game, slot: int, x: float, y: float) -> None:
    """On its way nobody commands it; then it is on the ground."""
    game.clear_orders(slot)
    unit = game.units[slot]
    unit["flags"] |= HELPLESS
    loops = flight(math.hypot(float(unit["x"]) - x, float(unit["y"]) - y), SWOOP_SPEED, SWOOP_PULL)
    game.later(1, "locust dives", slot, int(unit["generation"]), x, y, 1, loops)


def sink(game: Game, slot: float, generation: float, x: float, y: float, loop: float, loops: float) -> None:
    """One loop of its way, the longer the later (an even acceleration)."""
    slot = int(slot)
    if loop >= loops:
        land(game, slot, generation, x, y)
    elif same(game, slot, generation):
        unit = game.units[slot]
        share = (loop**2 - (loop - 1) ** 2) / (loops**2 - (loop - 1) ** 2)  # of what is left
        unit["x"] += share * (x - float(unit["x"]))
        unit["y"] += share * (y - float(unit["y"]))
        game.later(1, "locust dives", slot, generation, x, y, loop + 1, loops)


def land(game: Game, slot: float, generation: float, x: float, y: float) -> None:
    """It stands as near to the point as there is room, and fights on foot from now on."""
    slot = int(slot)
    if same(game, slot, generation):
        unit, type_id = game.units[slot], game.facts.ids["LocustMP"]
        unit["flags"] &= ~np.uint32(HELPLESS)
        place_at(game, slot, *birth.free_spot(game, x, y, 0.6, birth.DOWN, type_id, int(unit["owner"])))
        game.change_type(slot, type_id)


def hunt(game: Game) -> None:
    """Locusts in the air that rest or are on the attack swoop on the nearest prey by themselves."""
    units = game.units[: int(game.world[0]["slots"])]
    for slot in of_type(game, "LocustMPFlying"):
        if int(units["flags"][slot]) & HELPLESS:
            continue
        owner, order = int(units["owner"][slot]), game.orders[slot, 0]
        if units["order_count"][slot] and order["verb"] != ATTACK_MOVE:
            continue
        prey = (units["owner"] > 0) & (units["owner"] != owner) & (units["flags"] & (FLYING | INVULNERABLE) == 0)
        prey &= (units["flags"] & BURROWED == 0) | (units["flags"] & DETECTED != 0)
        prey &= game.types["target_priority"][0][units["type"]] > 0
        for other in game.near(float(units["x"][slot]), float(units["y"][slot]), SWOOP_RANGE + 1.0, prey):
            x, y = float(units["x"][other]), float(units["y"][other])
            if game.visibility[owner, int(y), int(x)] == 2:
                dive(game, slot, x, y)
                break


def hatching(game: Game, slot: int, ability: Ability) -> int:
    """Locusts that hatch or dive take no orders."""
    if game.facts.names[int(game.units[slot]["type"])] not in ("LocustMP", "LocustMPFlying"):
        return Result.SUCCESS
    return Result.ERROR if int(game.units[slot]["flags"]) & HELPLESS == HELPLESS else Result.SUCCESS


spell(SPAWN, spawn, all_round=True)
for _ability in (SWOOP, SWOOP_ON):
    spell(_ability, swoop)
AFTER["locust hatches"] = rise
AFTER["locust dives"] = sink
FORBID.append(hatching)
every(LOOK_EVERY, hunt, Race.ZERG)
