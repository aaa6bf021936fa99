"""Many battles stepped together: arrays in, arrays out, by the same rules as one game."""

from sim.battle.battles import NOBODY, UNDECIDED, Battles
from sim.battle.template import empty_game, open_map, ready
from sim.melee.effects_terran import SWIFT

__all__ = ["NOBODY", "SWIFT", "UNDECIDED", "Battles", "empty_game", "open_map", "ready"]
