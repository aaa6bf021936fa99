"""Terran structures that lift off, fly and land."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import FLYING, IMMOBILE, MORPHING
from sim.melee import morphs, orders, placement
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

OVER_SITE = 0.01  # cells off the centre at which a structure begins to land


def begin_lift(game: Game, slot: int) -> None:
    """The structure leaves the ground: its cells are free at once, its rally point is gone."""
    game.units[slot]["rally"] = 0
    morphs.begin(game, slot)


def can_land(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """The site must be free."""
    return placement.can_place(game, int(game.units[slot]["owner"]), ability.id, target.x, target.y)


def land(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Flies to the snapped site."""
    x, y = placement.snap(game, ability.product, target.x, target.y)
    place = Target(-1, x, y, True, target.queued)
    game.push_order(slot, ability.id, place, range=OVER_SITE, product=ability.product)


def over_site(game: Game, slot: int) -> None:
    """Above the site: the structure goes down if it is still free, also of units that stay."""
    order, unit = game.orders[slot, 0], game.units[slot]
    place = float(order["x"]), float(order["y"])
    if (verdict := site(game, slot)) != Result.SUCCESS or placement.held(game, int(order["product"]), *place, slot):
        give_up(game, slot, verdict)
        return
    unit["x"], unit["y"] = order["x"], order["y"]
    unit["flags"] |= IMMOBILE
    morphs.begin(game, slot)


def site(game: Game, slot: int) -> int:
    """Whether the site of the current landing order may be landed on. -> ActionResult id"""
    order = game.orders[slot, 0]
    player, product = int(game.units[slot]["owner"]), int(order["product"])
    return placement.site_free(game, player, product, float(order["x"]), float(order["y"]))


def give_up(game: Game, slot: int, verdict: int) -> None:
    """The landing fails: on creep as such, for units or structures in the way as an invalid location."""
    orders.fail(game, slot, placement.LANDING.get(verdict, Result.CANT_LAND_LOCATION_INVALID))


def touch_down(game: Game, slot: int) -> None:
    """The landing is over; a site taken meanwhile sends the structure up again."""
    if int(game.units[slot]["flags"]) & FLYING and (verdict := site(game, slot)) != Result.SUCCESS:
        game.units[slot]["flags"] &= ~np.uint32(MORPHING | IMMOBILE)
        give_up(game, slot, verdict)
        return
    morphs.timer(game, slot)


KINDS["lift"] = Kind(morphs.morph, morphs.can_morph, reached=begin_lift, timer=morphs.timer, dropped=morphs.dropped)
KINDS["land"] = Kind(land, can_land, reached=over_site, timer=touch_down, dropped=morphs.dropped)
