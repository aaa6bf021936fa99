"""Warp gates: gateways turn into them by themselves, and warp units in wherever there is power.

A warp-in takes 81 loops by a pylon beside a warp gate (or a gateway that becomes one) or a nexus and by a prism, 256
elsewhere (measured in replays, also that plain gateways do not count). Supply and price
are taken at the command; the gate's cooldown runs from then on and holds for all its units. The table leaves the
cooldowns empty: these are common knowledge, and the shortest gaps between warp-ins of one gate in replays agree (Zealot
450, Stalker 514, High Templar 732). A warp-in that loses its power is called off: the price comes back and the gate is
ready at once; one whose power becomes fast or slow meanwhile goes on so (common knowledge).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import add_buff, buff_flags, remove_buff
from sim.engine.state import AUTOCAST, IMMOBILE, MORPHING, PLAYERS, STRUCTURE, UNFINISHED
from sim.melee import birth, lifecycle, morphs, protoss_power, supply, tech
from sim.melee.active import every
from sim.melee.grids import in_the_way, walkable
from sim.melee.harm import same
from sim.melee.records import Alert, Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, FORBID, KINDS, ON_FINISHED, ON_TYPE, UNIT_SITE, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

TO_WARP_GATE, TO_GATEWAY = 1518, 1520
FAST, SLOW = 81, 256  # loops
NEAR_GATE, NEAR_NEXUS = 6.5, 7.0  # cells within which a pylon becomes a fast one (catalog 5.0.14)
COOLDOWN = {"Zealot": 448, "Stalker": 512, "Sentry": 512, "Adept": 448, "HighTemplar": 720, "DarkTemplar": 720}
WARPING_BUFF = 8  # PowerUserWarpable: until the loop after the unit is complete (observed)
NEAR, TRIES, TOUCHING = 3.0, 8, 1e-3  # cells; turns in which a unit gives way to one neighbour; overlap that counts not
START_LIFE = 0.1
NO_POWER, NO_ROOM = 52, 69  # ActionResult CantTrainTooFarFromTrainPowerSource, CantWarpInUnitsThere
MORPH_EVERY = 8
WATCH_EVERY = 4  # loops between two looks whether a warp-in has power still


def loops_at(game: Game, player: int, x: float, y: float) -> int:
    """Loops a warp-in at a point takes, 0 where there is no power."""
    found = 0
    height = lifecycle.ground_height(game, x, y)
    for source in protoss_power.of(game).sources[player]:
        if not source.reaches(x, y, height):
            continue
        if not int(game.units[source.slot]["flags"]) & STRUCTURE or fast(game, player, source):
            return FAST
        found = SLOW
    return found


def fast(game: Game, player: int, source: protoss_power.Source) -> bool:
    """A pylon beside a nexus or a warp gate of its owner, or a gateway that becomes one; none that stands below it
    (CliffLevelFlags of FastEnablerPowerSource). A nexus may still be warped in (ProvidePowerWhileUnderConstruction)."""
    for slot in game.owned(player, "Gateway", "WarpGate", "Nexus"):
        unit = game.units[slot]
        flags, name = int(unit["flags"]), game.facts.names[int(unit["type"])]
        if (flags & UNFINISHED and name != "Nexus") or (name == "Gateway" and not flags & MORPHING):
            continue
        reach = NEAR_NEXUS if name == "Nexus" else NEAR_GATE
        x, y = float(unit["x"]), float(unit["y"])
        if math.hypot(x - source.x, y - source.y) <= reach and lifecycle.ground_height(game, x, y) <= source.top:
            return True
    return False


def site(game: Game, player: int, type_id: int, x: float, y: float) -> int:
    """Whether a unit may be warped in with its centre there. -> ActionResult."""
    row, column = int(y), int(x)
    height, width = game.walk.shape
    if not (0 <= column < width and 0 <= row < height) or not walkable(game, x, y):
        return Result.CANT_FIND_PLACEMENT
    if game.visibility[player, row, column] != 2:
        return Result.CANT_SEE_BUILD_LOCATION
    if not loops_at(game, player, x, y):
        return NO_POWER
    others = neighbours(game, x, y)
    # Who is warped in needs no room of its own: real games took it .725 and .797 from a Zealot and 1.015 from a Stalker
    # that were being warped in themselves.
    if (np.hypot(others["x"] - x, others["y"] - y) < game.types[0]["radius"][others["type"]]).any():
        return NO_ROOM
    return Result.SUCCESS


def neighbours(game: Game, x: float, y: float) -> np.ndarray:
    """Who may be in the way of a unit that is warped in there."""
    units = game.units[: int(game.world[0]["slots"])]
    return units[in_the_way(game) & (abs(units["x"] - x) < NEAR) & (abs(units["y"] - y) < NEAR)]


def beside(game: Game, player: int, type_id: int, x: float, y: float) -> tuple[float, float]:
    """The point itself, or where the unit is clear of those who stand too near to it, in power and on free ground.

    It gives way to each by the shortest way: a Stalker of real games .724 beside one that was being warped in, and a
    Zealot .967 beside one that had just been, began in the next cell, the one where their edges touch; of 260 warp-ins
    they alone stood in other cells than their points.
    """
    others = neighbours(game, x, y)
    apart = game.types[0]["radius"][others["type"]] + float(game.types[player, type_id]["radius"])
    at_x, at_y = x, y
    for _ in range(TRIES):
        gaps = np.hypot(at_x - others["x"], at_y - others["y"])
        deep = apart - gaps
        if not len(others) or deep.max() <= TOUCHING:
            break
        nearest = int(deep.argmax())
        other, share = others[nearest], float(apart[nearest]) / max(float(gaps[nearest]), TOUCHING)
        at_x = float(other["x"]) + share * (at_x - float(other["x"]))
        at_y = float(other["y"]) + share * (at_y - float(other["y"]))
    return (at_x, at_y) if site(game, player, type_id, at_x, at_y) == Result.SUCCESS else (x, y)


def can_warp(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Supply, and a place in power."""
    player = int(game.units[slot]["owner"])
    if not supply.room_for(game, player, ability.supply):
        return Result.NOT_ENOUGH_FOOD
    return site(game, player, ability.product, target.x, target.y)


def no_gate(game: Game, slot: int, ability: Ability) -> int:
    """A gate that becomes a gateway again warps nothing in."""
    morphs = ability.kind == "warp" and int(game.units[slot]["flags"]) & MORPHING
    return Result.NOT_SUPPORTED if morphs else Result.SUCCESS


def warp(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The unit appears at once, and is complete when its time is over."""
    player = int(game.units[slot]["owner"])
    x, y = beside(game, player, ability.product, target.x, target.y)
    loops = loops_at(game, player, x, y)
    game.pay(player, ability.minerals, ability.gas)
    made = lifecycle.spawn(
        game,
        ability.product,
        player,
        x,
        y,
        complete=False,
        flags=UNFINISHED | IMMOBILE,
        build_left=loops,
        build_total=loops,
        build_rate=1,
    )
    unit = game.units[made]
    unit["hp"], unit["shield"] = START_LIFE * float(unit["hp_max"]), START_LIFE * float(unit["shield_max"])
    add_buff(unit, game.state.buffs, WARPING_BUFF)
    supply.recount(game)
    wait = COOLDOWN.get(game.facts.names[ability.product], COOLDOWN["Zealot"])
    for other in game.abilities_of(int(game.units[slot]["type"]))["warp"]:
        game.memory.ready[slot, other] = game.loop + wait
    numbers = (made, int(unit["generation"]), slot, int(game.units[slot]["generation"]), ability.id)
    game.later(WATCH_EVERY, "warping", *numbers)


def watch(game: Game, slot: float, generation: float, gate: float, gate_generation: float, ability: float) -> None:
    """A warp-in follows its power: gone, it is called off; faster or slower, so is what is left of it."""
    slot, gate = int(slot), int(gate)
    unit = game.units[slot]
    if not same(game, slot, generation) or not int(unit["flags"]) & UNFINISHED:
        return
    loops = loops_at(game, int(unit["owner"]), float(unit["x"]), float(unit["y"]))
    if not loops:
        price, owner = game.facts.abilities[int(ability)], int(unit["owner"])
        game.refund(owner, price.minerals, price.gas)
        game.scores[owner].cancelled(game, slot, price.minerals, price.gas)
        game.kill(slot)
        if same(game, gate, gate_generation):
            for other in game.abilities_of(int(game.units[gate]["type"])).get("warp", ()):
                game.memory.ready.pop((gate, other), None)
        return
    unit["build_left"] *= loops / float(unit["build_total"])
    unit["build_total"] = loops
    game.later(WATCH_EVERY, "warping", slot, generation, gate, gate_generation, ability)


def warped(game: Game, slot: int) -> None:
    """A unit that was warped in may act, and goes where it was told to meanwhile (gates have no rally point)."""
    unit = game.units[slot]
    if unit["build_total"] <= 0 or int(unit["flags"]) & STRUCTURE:
        return
    unit["flags"] = int(unit["flags"]) & ~IMMOBILE | buff_flags(unit, game.state.buffs)  # a stasis holds it on
    unit["build_total"] = 0
    birth.send_to_rally(game, slot, slot)
    unit["rally"] = 0
    game.later(1, "warped", slot, int(unit["generation"]))


def settled(game: Game, slot: float, generation: float) -> None:
    """It no longer draws on power."""
    if same(game, slot, generation):
        remove_buff(game.units[int(slot)], game.state.buffs, WARPING_BUFF)


# -- gateways and warp gates --------------------------------------------------------------------------------------
def autocast(game: Game, slot: int) -> None:
    """New gateways turn into warp gates by themselves."""
    if int(game.units[slot]["type"]) == game.facts.ids["Gateway"]:
        game.units[slot]["flags"] |= AUTOCAST


def on_type(game: Game, slot: int, old: int) -> None:
    """A gate that was turned back stays a gateway until told otherwise; alerts."""
    unit, names = game.units[slot], game.facts.names
    if {names[old], names[int(unit["type"])]} != {"Gateway", "WarpGate"}:
        return
    game.alert(int(unit["owner"]), Alert.TRANSFORMATION_COMPLETE)
    if names[old] == "WarpGate":
        unit["flags"] &= ~np.uint32(AUTOCAST)


def morph_gateways(game: Game) -> None:
    """Idle gateways of players with the research become warp gates."""
    ability = game.facts.abilities[TO_WARP_GATE]
    for player in range(1, PLAYERS):
        if not game.players[player]["upgrades"][WARP_GATE_RESEARCH]:
            continue
        for slot in game.owned(player, "Gateway"):
            unit = game.units[slot]
            flags = int(unit["flags"])
            if flags & UNFINISHED or not flags & AUTOCAST or unit["order_count"] or unit["job_count"]:
                continue
            if protoss_power.forbid(game, slot, ability) == Result.SUCCESS and tech.met(
                game, player, ability.requirement, slot
            ):
                KINDS["morph"].apply(game, slot, ability, Target())


WARP_GATE_RESEARCH = 84

UNIT_SITE["warp"] = site
KINDS["warp"] = Kind(warp, can_warp, everyone=False)
ABILITIES[TO_WARP_GATE] = morphs.MORPH
ABILITIES[TO_GATEWAY] = morphs.MORPH
AFTER["warped"] = settled
AFTER["warping"] = watch
ON_FINISHED += [warped, autocast]
ON_TYPE.append(on_type)
FORBID.append(no_gate)
every(MORPH_EVERY, morph_gateways, Race.PROTOSS)
