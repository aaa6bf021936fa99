"""Liberators: setting up over a zone, and leaving it. Numbers: catalog 5.0.14.94137, LiberatorAGTarget and its morphs.

The zone's circle shows from the beginning of the set-up; 4 n later it is armed, and .25 n later it first searches for
whom to mark as a target (31 real ones killed first after 74 to 81 loops, mostly 78 and 79, ours after 71 to 76). Set
up, a Liberator fires only at what reaches into it, and its owner sees the ground there. `rally_x, rally_y` of the unit
are the zone's middle.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.engine.state import FORMING, ZONED
from sim.melee import morphs, tech
from sim.melee.eyes import reveal
from sim.melee.harm import is_dragged
from sim.melee.records import GroundEffect, Target
from sim.melee.registry import ABILITIES, AFTER, EVERY, ON_OWNER, ON_REMOVE, ON_TYPE, Kind
from sim.melee.slowing import slows

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

SET_UP, LEAVE = 2558, 2560
STAGES = {SET_UP: 2554, LEAVE: 2556}  # the morph behind each order: product and duration
SETTING_UP, ZONE_EFFECT, ZONE_RADIUS = 8, 9, 5.0  # API effect ids
ARMED_AFTER, LIT_EVERY, LIT_RADIUS = 64, 16, 5.5
MARKED_AFTER = 4  # loops from then to the zone's first search, which marks who may be shot at
FOREVER = 1 << 30
HELD_EVERY, FARTHEST = 4, 9.0  # loops; cells from its edge to the zone's middle (LiberatorAGNotOutOfRange)
FACING = 10.0  # `y2` of an order to set up: where it faces and this, or less than 0: how far off it was as it was told


def set_up(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Flies until the zone's middle is in range."""
    place = Target(-1, target.x, target.y, True, target.queued)
    reach = tech.improved(game, int(game.units[slot]["owner"]), ability.id).range
    unit = game.units[slot]
    off, speed, angle = place_off(game, slot, target.x, target.y), float(unit["speed"]), float(unit["facing"])
    game.push_order(slot, ability.id, place, range=reach)
    if not target.queued:
        order = game.orders[slot, 0]
        order["x2"], order["y2"] = speed, FACING + angle if off <= reach + float(game.type_of(slot)["radius"]) else -off


def place_off(game: Game, slot: int, x: float, y: float) -> float:
    """Cells between it and a point."""
    return math.hypot(float(game.units[slot]["x"]) - x, float(game.units[slot]["y"]) - y)


def leave(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Gives the zone up."""
    game.push_order(slot, ability.id, Target(queued=target.queued))


def begin(game: Game, slot: int) -> None:
    """In range of the zone's middle, or at its turn: one that flies comes to rest before it sets up."""
    order = game.orders[slot, 0]
    speed, angle = flight(game, slot) if order["ability"] == SET_UP else (0.0, 0.0)
    order["x2"] = 0
    if not slows(game, slot, speed, angle):
        settle(game, slot)


def flight(game: Game, slot: int) -> tuple[float, float]:
    """Its speed, cells a loop, and where it flies, radians: of who was in range as it was told, or has come there."""
    unit, order, kind = game.units[slot], game.orders[slot, 0], game.type_of(slot)
    speed, told = float(order["x2"]), float(order["y2"])
    if told >= 0:  # behind another order it has none
        return speed, told - FACING
    x, y = float(order["x"]), float(order["y"])
    way = max(-told - place_off(game, slot, x, y), 0.0)
    speed = math.sqrt(speed * speed + 2 * float(kind["acceleration"]) * way)
    return min(speed, float(kind["speed"] * unit["speed_factor"])), math.atan2(y - unit["y"], x - unit["x"])


def settle(game: Game, slot: int) -> None:
    """The type changes (in 4.10 half a normal second later), the weapons after the whole time; the zone shows."""
    unit, order = game.units[slot], game.orders[slot, 0]
    stage = game.facts.abilities[STAGES[int(order["ability"])]]
    unit["flags"] |= morphs.LOCKED
    unit["moving"], unit["speed"] = 0, 0
    if stage.type_delay >= 1:
        order["timer"] = stage.type_delay - 1  # 7 loops of 8 in replays, as with structures
    else:
        change(game, slot)


def change(game: Game, slot: int) -> None:
    """The Liberator is the other type from now on."""
    unit, order = game.units[slot], game.orders[slot, 0]
    stage = game.facts.abilities[STAGES[int(order["ability"])]]
    game.change_type(slot, stage.product)
    order["stage"] = 2
    order["timer"] = stage.loops - stage.type_delay
    if order["ability"] == SET_UP:
        x, y = float(order["x"]), float(order["y"])
        unit["rally"], unit["rally_x"], unit["rally_y"] = FORMING, x, y
        unit["facing"] = math.atan2(y - float(unit["y"]), x - float(unit["x"]))
        mark(game, slot, SETTING_UP)
        begun = max(int(stage.type_delay) - 1, 0)  # loops ago
        game.later(ARMED_AFTER - begun, "zone", slot, int(unit["generation"]))


def mark(game: Game, slot: int, effect: int) -> None:
    """Puts the zone's circle on the ground, in place of an earlier one."""
    forget(game, slot)
    unit = game.units[slot]
    x, y = float(unit["rally_x"]), float(unit["rally_y"])
    game.memory.zones[slot] = GroundEffect(effect, int(unit["owner"]), x, y, ZONE_RADIUS, FOREVER)
    game.memory.effects.append(game.memory.zones[slot])


def armed(game: Game, slot: float, generation: float) -> None:
    """The circle of a zone under fire looks different."""
    slot = int(slot)
    if slot in game.memory.zones and int(game.units[slot]["generation"]) == int(generation):
        mark(game, slot, ZONE_EFFECT)
        game.later(MARKED_AFTER, "zone marked", slot, generation)


def marked(game: Game, slot: float, generation: float) -> None:
    """Who is in the zone may be shot at."""
    unit = game.units[int(slot)]
    if int(unit["generation"]) == int(generation) and unit["rally"] == FORMING:
        unit["rally"] = ZONED


def light(game: Game) -> None:
    """Owners see their zones."""
    for zone in game.memory.zones.values():
        reveal(game, zone.owner, zone.x, zone.y, LIT_RADIUS, LIT_EVERY + 4)


def torn_away(game: Game) -> None:
    """Who is abducted, or has come too far off its zone, gives it up (catalog: LiberatorMorphValidatorCombine)."""
    for slot in list(game.memory.zones):
        unit = game.units[slot]
        far = place_off(game, slot, float(unit["rally_x"]), float(unit["rally_y"]))
        lost = far > FARTHEST + float(game.type_of(slot)["radius"]) or is_dragged(game, slot)
        if lost and not (unit["order_count"] and game.orders[slot, 0]["ability"] == LEAVE):
            game.push_order(slot, LEAVE, Target())


def complete(game: Game, slot: int) -> None:
    """A stage is over: it is slower, the type changes, or all is ready."""
    order = game.orders[slot, 0]
    if order["x2"] > 0:
        if not slows(game, slot, float(order["x2"]), float(order["y2"])):
            settle(game, slot)
    elif order["stage"] < 2:
        change(game, slot)
    else:
        morphs.complete(game, slot)


def given_up(game: Game, slot: int, order: Any) -> None:
    """Dropped on the way: nothing has happened yet."""
    morphs.dropped(game, slot, order)


def forget(game: Game, slot: int) -> None:
    """The circle is gone."""
    zone = game.memory.zones.pop(slot, None)
    if zone is not None and zone in game.memory.effects:
        game.memory.effects.remove(zone)


def changed(game: Game, slot: int, old: int) -> None:
    """The zone ends with the Liberator's departure."""
    if slot in game.memory.zones:
        forget(game, slot)
        game.units[slot]["rally"] = 0


def stolen(game: Game, slot: int) -> None:
    """The zone is whose the Liberator is."""
    if slot in game.memory.zones:
        mark(game, slot, game.memory.zones[slot].id)


ABILITIES[SET_UP] = Kind(set_up, reached=begin, timer=complete, dropped=given_up)
ABILITIES[LEAVE] = Kind(leave, reached=begin, timer=complete, dropped=given_up)
AFTER["zone"] = armed
AFTER["zone marked"] = marked
EVERY += [(LIT_EVERY, light), (HELD_EVERY, torn_away)]
ON_REMOVE.append(forget)
ON_OWNER.append(stolen)
ON_TYPE.append(changed)
