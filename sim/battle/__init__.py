"""Many battles stepped together: arrays in, arrays out, by the same rules as one game."""

from sim.battle.battles import Battles
from sim.battle.template import empty_game, open_map, ready
from sim.melee.effects_terran import SWIFT

__all__ = ["SWIFT", "Battles", "empty_game", "open_map", "ready"]
