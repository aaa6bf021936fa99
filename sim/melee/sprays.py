"""Sprays: a worker walks up and paints the ground, which changes nothing that the protocol tells of. Of a group told so
one goes: five Drones of a learned agent were sent across the map at the start, and its minerals are those of eleven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee import tech
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game
    from sim.melee.records import Target

SPRAYS = (26, 28, 30)  # Terran, Zerg, Protoss


def paint(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Nobody can see it, and nothing reacts to it."""


tech.STATES["HasSpray"] = lambda game, slot: True  # every player has some
for spray in SPRAYS:
    spell(spray, paint, everyone=False)
