"""Who kills out of the fog is shown to his victim's player for a while, but cannot be fought by it (Liquipedia, Fog of
War; catalog: AttackReveal, three normal seconds)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.state import BURROWED, CLOAKED, DEATH, INSIDE
from sim.melee.registry import on_event

if TYPE_CHECKING:
    from sim.melee.game import Game

SHOWN_FOR = 48  # loops
SECRET = INSIDE | BURROWED | CLOAKED  # who stays hidden all the same (ours)


def killed(game: Game, event: Any) -> None:
    """A unit died in the kernel: its killer, if it lives, is remembered."""
    victim, by = game.units[int(event["unit"])], int(event["other"])
    killer, player = int(victim["last_attacker"]), int(victim["owner"])
    if killer < 0 or by == player or int(game.units[killer]["owner"]) != by:
        return
    generation = int(game.units[killer]["generation"])
    if generation == int(victim["attacker_generation"]):
        game.memory.glimpsed[killer] = (generation, player, game.loop + SHOWN_FOR)


def glimpsed(game: Game, player: int) -> list[int]:
    """Slots of those who have killed one of the player's units a moment ago, in sight or not."""
    found = []
    for slot, (generation, victim, until) in sorted(game.memory.glimpsed.items()):
        unit = game.units[slot]
        same = unit["alive"] and int(unit["generation"]) == generation
        if victim == player and same and game.loop < until and not int(unit["flags"]) & SECRET:
            found.append(slot)
    return found


on_event(DEATH, killed)
