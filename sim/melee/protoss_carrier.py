"""Carriers: interceptors are built, launched at what the carrier fights, and come home.

A carrier holds four when it is made and builds up to eight by itself (15 minerals, 192 loops each). One starts every 6
loops and fights what its carrier fights. When the carrier does something else it goes on with the target it has, as
long as that is within 14 cells of the carrier, and comes home then; damage is mended aboard. Numbers: catalog 5.0.14;
the leash and the number at birth are common knowledge. `timer` of a carrier counts those aboard,
`builder` of an interceptor is its carrier.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import ATTACK, AUTOCAST, BENIGN, HALLUCINATION, MOVE, NO_COLLISION, UNFINISHED
from sim.melee import lifecycle, orders, production, tech
from sim.melee.active import every
from sim.melee.barred import PARASITE
from sim.melee.casts import perceives
from sim.melee.census import of_type
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, FORBID, ON_FINISHED, ON_OWNER, ON_REMOVE, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

BUILD = 1042
AT_BIRTH, MOST = 4, 8
ATTACK_ORDER, MOVE_ORDER = 23, 16  # what the orders of interceptors show
LAUNCH = -103  # key of the launch's cooldown in `game.memory.ready`
LAUNCH_GAP, LEASH, HOME = 6, 14.0, 1.0
STOLEN_IN_PEACE = ("5.0.14",)  # patches in which nobody fights by himself those of a Carrier that was taken over
CATAPULT, FAST_GAPS = 1, (2, 2, 2, 2, 4, 4, 4, 4)  # with the upgrade, by the number that fly already
FLIGHT_EVERY, BUILD_EVERY = 2, 2


def flying(game: Game, carrier: int) -> list[int]:
    """Slots of the interceptors that a carrier has out."""
    units = game.units[: int(game.world[0]["slots"])]
    mask = (units["alive"] == 1) & (units["type"] == game.facts.ids["Interceptor"]) & (units["builder"] == carrier)
    return [int(slot) for slot in np.flatnonzero(mask)]


def has_room(game: Game, carrier: int) -> bool:
    """The carrier may have one more."""
    unit = game.units[carrier]
    return int(unit["timer"]) + len(flying(game, carrier)) + int(unit["job_count"]) < MOST


def can_build(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Room for one more."""
    return Result.SUCCESS if has_room(game, slot) else Result.QUEUE_FULL


def build(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Into the queue."""
    production.push_job(game, slot, ability)


def build_by_itself(game: Game) -> None:
    """Carriers fill up while there is money."""
    for slot in carriers(game):
        next_one(game, slot)


def next_one(game: Game, carrier: int) -> None:
    """An idle carrier with its autocast on begins its next interceptor: in real games 192 loops apart (49 of 55 gaps),
    as long as one takes."""
    unit, ability = game.units[carrier], game.facts.abilities[BUILD]
    rich = game.can_pay(int(unit["owner"]), ability.minerals, 0)
    if int(unit["flags"]) & AUTOCAST and rich and not unit["job_count"] and has_room(game, carrier):
        build(game, carrier, ability, Target())


def carriers(game: Game) -> list[int]:
    """Slots of all carriers that work."""
    idle = UNFINISHED | HALLUCINATION
    return [slot for slot in of_type(game, "Carrier") if not int(game.units[slot]["flags"]) & idle]


def finished(game: Game, slot: int) -> None:
    """A new carrier has its first interceptors; one that was built goes into its carrier."""
    unit = game.units[slot]
    name = game.facts.names[int(unit["type"])]
    if name == "Carrier":
        unit["timer"] = AT_BIRTH
    elif name == "Interceptor" and unit["builder"] < 0:
        units = game.units[: int(game.world[0]["slots"])]
        mine = (units["owner"] == unit["owner"]) & (units["type"] == game.facts.ids["Carrier"])
        for carrier in game.near(float(unit["x"]), float(unit["y"]), 4.0, mine):
            if has_room(game, carrier):
                game.units[carrier]["timer"] += 1
                game.remove(slot)
                next_one(game, carrier)
                return


def flight(game: Game) -> None:
    """Launches, sends, and takes interceptors back in."""
    out: dict[int, list[int]] = {}
    for slot in of_type(game, "Interceptor"):
        out.setdefault(int(game.units[slot]["builder"]), []).append(slot)
    for carrier in carriers(game):
        unit = game.units[carrier]
        target = int(unit["target"])
        fights = target >= 0 and bool(game.units[target]["alive"])
        for slot in out.get(carrier, ()):
            steer(game, slot, carrier, target if fights else last_target(game, slot))
        if fights and unit["timer"] >= 1 and in_reach(game, carrier, target):
            launch(game, carrier, target, len(out.get(carrier, ())))


def in_reach(game: Game, carrier: int, target: int) -> bool:
    """The target is within the range of launches."""
    row = game.type_of(carrier)
    weapon = game.weapons[game.units[carrier]["owner"], row["weapons"][0]]
    return gap(game, carrier, target) <= float(weapon["range"] + row["radius"] + game.type_of(target)["radius"]) + 0.1


def gap(game: Game, a: int, b: int) -> float:
    """Distance of two centres."""
    one, two = game.units[a], game.units[b]
    return math.hypot(float(one["x"]) - float(two["x"]), float(one["y"]) - float(two["y"]))


def launch(game: Game, carrier: int, target: int, out: int) -> None:
    """One more interceptor flies beside those that are `out`."""
    if game.memory.ready.get((carrier, LAUNCH), 0) > game.loop:
        return
    unit = game.units[carrier]
    fast = game.players[int(unit["owner"])]["upgrades"][CATAPULT]
    game.memory.ready[carrier, LAUNCH] = game.loop + (FAST_GAPS[min(out, MOST - 1)] if fast else LAUNCH_GAP)
    unit["timer"] -= 1
    x, y = float(unit["x"]), float(unit["y"])
    flags = NO_COLLISION | (BENIGN if game.patch in STOLEN_IN_PEACE and PARASITE in unit["buff"] else 0)
    slot = game.spawn(game.facts.ids["Interceptor"], int(unit["owner"]), x, y, flags=flags, builder=carrier)
    steer(game, slot, carrier, target)


def stolen(game: Game, slot: int) -> None:
    """Nobody fights by himself the interceptors of a Carrier that was taken over (notes of 5.0.2; catalog: Benign)."""
    benign = game.patch in STOLEN_IN_PEACE and PARASITE in game.units[slot]["buff"]
    for other in flying(game, slot):
        flags = int(game.units[other]["flags"]) & ~BENIGN
        game.units[other]["flags"] = flags | (BENIGN if benign else 0)


def last_target(game: Game, slot: int) -> int:
    """Whom an interceptor was sent at, as long as its player can see him; -1 = nobody."""
    order = game.orders[slot, 0]
    other = int(order["target"])
    if not game.units[slot]["order_count"] or order["verb"] != ATTACK or orders.target_gone(game, slot):
        return -1
    return other if perceives(game, int(game.units[slot]["owner"]), other) else -1


def steer(game: Game, slot: int, carrier: int, target: int) -> None:
    """To the target, or home when there is none or it is too far from the carrier."""
    unit, hull = game.units[slot], game.units[carrier]
    order = game.orders[slot, 0]
    busy = bool(unit["order_count"])
    if target >= 0 and gap(game, carrier, target) <= LEASH:
        if not busy or order["verb"] != ATTACK or order["target"] != target:
            other = game.units[target]
            aim = Target(target, float(other["x"]), float(other["y"]))
            game.push_order(slot, ATTACK_ORDER, aim, verb=ATTACK, range=0.0)
    elif gap(game, slot, carrier) <= HOME:
        game.remove(slot)
        hull["timer"] += 1
    else:
        x, y = float(hull["x"]), float(hull["y"])
        if not busy or order["verb"] != MOVE or abs(float(order["x"]) - x) + abs(float(order["y"]) - y) > HOME / 2:
            game.push_order(slot, MOVE_ORDER, Target(-1, x, y, True), verb=MOVE, range=0.0)


def lost(game: Game, slot: int) -> None:
    """Interceptors fall with their carrier, of the same player's hand (12 of two real ones)."""
    if int(game.units[slot]["type"]) == game.facts.ids["Carrier"]:
        for other in flying(game, slot):
            game.units[other]["hp"] = 0
            lifecycle.died(game, other, int(game.units[slot]["hit_by"]))


def nobody_commands(game: Game, slot: int, ability: Ability) -> int:
    """Interceptors take orders from their carrier only."""
    return Result.ERROR if int(game.units[slot]["type"]) == game.facts.ids["Interceptor"] else Result.SUCCESS


def may_arm(game: Game, slot: int) -> bool:
    """State HasRoom: of carriers; other magazines are not limited here."""
    return int(game.units[slot]["type"]) != game.facts.ids["Carrier"] or has_room(game, slot)


tech.STATES.setdefault("HasRoom", may_arm)
ABILITIES[BUILD] = Kind(build, can_build, everyone=False)
ON_FINISHED.append(finished)
ON_REMOVE.append(lost)
ON_OWNER.append(stolen)
FORBID.append(nobody_commands)
every(FLIGHT_EVERY, flight, Race.PROTOSS)
every(BUILD_EVERY, build_by_itself, Race.PROTOSS)
