"""Liberators: setting up over a zone, and leaving it. Numbers: catalog 5.0.14.94137, LiberatorAGTarget and its morphs.

Ours: set up, it fires at any ground unit its weapon reaches, not only at those inside the zone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.melee import morphs
from sim.melee.effects_terran import GroundEffect
from sim.melee.records import Target
from sim.melee.registry import ABILITIES, ON_REMOVE, ON_TYPE, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

SET_UP, LEAVE = 2558, 2560
STAGES = {SET_UP: 2554, LEAVE: 2556}  # the morph behind each order: product and duration
ZONE_EFFECT, ZONE_RADIUS = 9, 5.0  # API effect id
FOREVER = 1 << 30


def set_up(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Flies until the zone's middle is in range."""
    place = Target(-1, target.x, target.y, True, target.queued)
    reach = morphs.changed(game, int(game.units[slot]["owner"]), ability.id).range
    game.push_order(slot, ability.id, place, range=reach)


def leave(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Gives the zone up."""
    game.push_order(slot, ability.id, Target(queued=target.queued))


def begin(game: Game, slot: int) -> None:
    """The type changes at once, the weapons after the whole time."""
    unit, order = game.units[slot], game.orders[slot, 0]
    stage = game.facts.abilities[STAGES[int(order["ability"])]]
    unit["flags"] |= morphs.LOCKED
    unit["moving"], unit["speed"] = 0, 0
    game.change_type(slot, stage.product)
    order["stage"] = 2
    order["timer"] = stage.loops


def complete(game: Game, slot: int) -> None:
    """Ready; a zone is marked on the ground."""
    order = game.orders[slot, 0].copy()
    unit = game.units[slot]
    morphs.complete(game, slot)
    if int(order["ability"]) == SET_UP:
        x, y = float(order["x"]), float(order["y"])
        game.zones[slot] = GroundEffect(ZONE_EFFECT, int(unit["owner"]), x, y, ZONE_RADIUS, FOREVER)
        game.effects.append(game.zones[slot])


def given_up(game: Game, slot: int, order: Any) -> None:
    """Dropped on the way: nothing has happened yet."""
    morphs.dropped(game, slot, order)


def forget(game: Game, slot: int, old: int = 0) -> None:
    """The zone ends with the Liberator's death or departure."""
    zone = game.zones.pop(slot, None)
    if zone is not None and zone in game.effects:
        game.effects.remove(zone)


ABILITIES[SET_UP] = Kind(set_up, reached=begin, timer=complete, dropped=given_up)
ABILITIES[LEAVE] = Kind(leave, reached=begin, timer=complete, dropped=given_up)
ON_REMOVE.append(forget)
ON_TYPE.append(forget)
