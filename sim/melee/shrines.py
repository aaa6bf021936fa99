"""Healing shrines of maps: a pad that gives life to whoever stands on it, of any player.

Catalog (XelNagaHealingShrine: ability and effects are those of Heart of the Swarm in 5.0.14, too): as soon as somebody
hurt is within 4 cells of its edge the shrine casts by itself, at most once a normal second. Each cast gives 10 life to
all who are hurt within 2.5 cells, flyers too: no structures, nobody in stasis, and neither shields nor energy. They
must be seen by it: in 5.0.14 it sees and detects as far as 3.5 cells, in 4.10.0 it is blind and heals nobody.

Nobody can be told to use it, and observations show but the life that comes back: no buff, no effect. How often it looks
for somebody hurt is not known; here it does so as often as fighters look for targets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.parameters import SEARCH_PERIOD
from sim.engine.state import STRUCTURE
from sim.melee.areas import within
from sim.melee.registry import EVERY, ON_REMOVE, ON_SPAWN

if TYPE_CHECKING:
    from sim.melee.game import Game

SHRINE, CAST = "XelNagaHealingShrine", 1928
LOOKS_WITHIN, HEALS_WITHIN = 4.0, 2.5  # cells from its edge, and from its centre
LIFE, COOLDOWN = 10.0, 16  # loops


def appeared(game: Game, slot: int) -> None:
    """Keeps shrines, unless they are blind."""
    row = game.type_of(slot)
    if game.facts.names[int(game.units[slot]["type"])] == SHRINE and row["detect"] >= HEALS_WITHIN:
        game.shrines[slot] = None


def gone(game: Game, slot: int) -> None:
    """Test programs take them away."""
    game.shrines.pop(slot, None)


def heal(game: Game) -> None:
    """Shrines that are ready heal who is hurt."""
    for slot in game.shrines:
        if game.memory.ready.get((slot, CAST), 0) > game.loop:
            continue
        shrine = game.units[slot]
        x, y, edge = float(shrine["x"]), float(shrine["y"]), float(game.type_of(slot)["radius"])
        if not hurt(game, x, y, edge + LOOKS_WITHIN):
            continue
        game.memory.ready[slot, CAST] = game.loop + COOLDOWN
        for other in hurt(game, x, y, HEALS_WITHIN):
            unit = game.units[other]
            unit["hp"] = min(float(unit["hp"]) + LIFE, float(unit["hp_max"]))


def hurt(game: Game, x: float, y: float, reach: float) -> list[int]:
    """Slots of units of anybody, structures excepted, that lack life and reach into the circle."""
    near = within(game, x, y, reach, without=STRUCTURE, neutral=True)
    return [slot for slot in near if game.units[slot]["hp"] < game.units[slot]["hp_max"]]


ON_SPAWN.append(appeared)
ON_REMOVE.append(gone)
EVERY.append((SEARCH_PERIOD, heal))
