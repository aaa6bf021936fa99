"""Buried units: who is hidden by its type alone, and who comes up by itself.

A morph into a buried type hides the unit at its end (`morphs.unlock`); every other way to such a type hides it at once:
creep tumors that dig themselves in, units that are made buried.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import AUTOCAST, BURROWED, FLYING, MORPHING
from sim.facts import load
from sim.melee.areas import within
from sim.melee.barred import forbid
from sim.melee.records import Result, Target
from sim.melee.registry import EVERY, KINDS, ON_SPAWN, ON_TYPE

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

LOOK_EVERY = 8  # loops between two looks of those who wait for an enemy


def hide(game: Game, slot: int, old: int = 0) -> None:
    """The flag follows the type, unless a morph is under way."""
    unit = game.units[slot]
    if int(unit["flags"]) & MORPHING:
        return
    if int(unit["type"]) in game.facts.flags["burrowed"]:
        unit["flags"] |= BURROWED
    elif old in game.facts.flags["burrowed"]:
        unit["flags"] &= ~np.uint32(BURROWED)


@cache
def rising(patch: str) -> dict[int, Ability]:
    """Abilities by which buried types come up by themselves when their autocast is on."""
    return {
        caster: ability
        for ability in load(patch).abilities.values()
        if ability.kind == "unburrow" and ability.autocast
        for caster in ability.casters
    }


def come_up(game: Game, slot: int) -> None:
    """A buried unit is above the ground at once (catalog: InstantUnburrow, of graviton beams and abductions)."""
    kind = int(game.units[slot]["type"])
    for ability in game.facts.abilities.values():
        if ability.kind == "unburrow" and kind in ability.casters:
            game.change_type(slot, ability.product)
            return


def ambush(game: Game) -> None:
    """Buried units with their autocast on come up when an enemy walks near that their player sees."""
    units = game.units[: int(game.world[0]["slots"])]
    waiting = (units["alive"] == 1) & (units["flags"] & (BURROWED | AUTOCAST | MORPHING) == BURROWED | AUTOCAST)
    for slot in map(int, np.flatnonzero(waiting)):
        ability = rising(game.patch).get(int(units["type"][slot]))
        if ability is None or forbid(game, slot, ability) != Result.SUCCESS:
            continue
        owner, reach = int(units["owner"][slot]), ability.autocast_range + float(game.type_of(slot)["radius"])
        close = within(game, float(units["x"][slot]), float(units["y"][slot]), reach, without=FLYING, enemy=owner)
        prey = [other for other in close if game.type_of(other)["target_priority"] > 0]  # no Changeling in disguise
        if any(game.visibility[owner, int(units["y"][other]), int(units["x"][other])] == 2 for other in prey):
            KINDS["unburrow"].apply(game, slot, ability, Target())


ON_SPAWN.append(hide)
ON_TYPE.append(hide)
EVERY.append((LOOK_EVERY, ambush))
