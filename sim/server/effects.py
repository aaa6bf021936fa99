"""Effects on the ground that an observation lists: scanner sweeps and what else the rules keep as effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2clientprotocol import raw_pb2

if TYPE_CHECKING:
    from sim.melee.game import Game

MAP_OWNER = 16


def add_effects(raw: raw_pb2.ObservationRaw, game: Game, player: int) -> None:
    """Adds every effect the rules report: the player's own, and others' where it sees the ground."""
    for effect in getattr(game, "effects", ()):
        own = effect.owner == player
        row = min(max(int(effect.y), 0), game.walk.shape[0] - 1)
        column = min(max(int(effect.x), 0), game.walk.shape[1] - 1)
        if not own and game.visibility[player, row, column] != 2:
            continue
        entry = raw.effects.add(
            effect_id=effect.id,
            alliance=raw_pb2.Self if own else raw_pb2.Enemy,
            owner=effect.owner or MAP_OWNER,
            radius=effect.radius,
        )
        entry.pos.add(x=effect.x, y=effect.y)
