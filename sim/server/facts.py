"""ResponseData of one seat, kept as bytes until the player's upgrades change its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2clientprotocol import sc2api_pb2 as sc

from sim.server.data import response_data

if TYPE_CHECKING:
    from sim.melee.game import Game

TABLES = ("ability_id", "unit_type_id", "upgrade_id", "buff_id", "effect_id")


class FactsView:
    """The facts as one player's upgrades have changed them."""

    def __init__(self, game: Game, player: int) -> None:
        self.game, self.player = game, player
        self._key: tuple[bytes, bytes, tuple[bool, ...]] | None = None
        self._bytes = b""

    def serialised(self, wanted: sc.RequestData) -> bytes:
        """The serialised ResponseData with the tables asked for."""
        game, player = self.game, self.player
        asked = tuple(getattr(wanted, table) for table in TABLES)
        key = (game.players[player]["upgrades"].tobytes(), game.weapons[player]["damage"].tobytes(), asked)
        if key != self._key:
            flags = dict(zip(TABLES, asked, strict=True))
            answer = response_data(game.facts, game.types[player], game.weapons[player], **flags)
            self._key, self._bytes = key, answer.SerializeToString()
        return self._bytes
