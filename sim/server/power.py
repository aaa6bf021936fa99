"""Power sources that an observation lists for their owner (psionic matrix)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2clientprotocol import raw_pb2

from sim.melee import protoss_power

if TYPE_CHECKING:
    from sim.melee.game import Game


def add_power(raw: raw_pb2.ObservationRaw, game: Game, player: int) -> None:
    """Adds the player's finished pylons and phasing prisms."""
    for source in protoss_power.of(game).sources[player]:
        entry = raw.player.power_sources.add(radius=source.radius, tag=game.tag(source.slot))
        entry.pos.x, entry.pos.y, entry.pos.z = source.x, source.y, float(game.units[source.slot]["z"])
