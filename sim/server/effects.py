"""Effects on the ground that an observation lists: scanner sweeps and what else the rules keep as effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2clientprotocol import raw_pb2

from sim.melee.sight import VISIBLE
from sim.server.encode import MAP_OWNER, NOBODY

if TYPE_CHECKING:
    from sim.melee.effects_terran import GroundEffect
    from sim.melee.game import Game


def seen_effects(game: Game, player: int, reveal: bool = False) -> list[GroundEffect]:
    """The player's own effects, and others' where it sees the ground (all of them with `reveal`), until they end."""
    found = []
    for effect in game.memory.effects:
        if effect.until <= game.loop:  # over, though the rules have not taken it off their list yet
            continue
        row = min(max(int(effect.y), 0), game.walk.shape[0] - 1)
        column = min(max(int(effect.x), 0), game.walk.shape[1] - 1)
        if reveal or effect.owner == player or game.visibility[player, row, column] == VISIBLE:
            found.append(effect)
    return found


def add_effects(raw: raw_pb2.ObservationRaw, effects: list[GroundEffect], side: int) -> None:
    """Adds the effects that a seat sees; `side` is the player whose own ones they may be, or `encode.NOBODY`."""
    others = raw_pb2.Ally if side == NOBODY else raw_pb2.Enemy  # as of units
    lines: dict[tuple[int, int], raw_pb2.Effect] = {}  # a Lurker's spines are one effect with many places (observed)
    for effect in effects:
        entry = lines.get((effect.id, effect.source))
        if entry is None:
            entry = raw.effects.add(
                effect_id=effect.id,
                alliance=raw_pb2.Self if effect.owner == side else others,
                owner=effect.owner or MAP_OWNER,
                radius=effect.radius,
            )
        if effect.source >= 0:
            lines[effect.id, effect.source] = entry
        entry.pos.add(x=effect.x, y=effect.y)
