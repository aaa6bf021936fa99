"""Games on the engine, through burnysc2 over a socket, against somebody who does nothing."""

from __future__ import annotations

import os
import sys

import pytest
from loguru import logger
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.player import Bot


class Nobody(BotAI):
    """The other side."""

    async def on_step(self, iteration: int) -> None:
        self.client.game_step = 16


def play_alone(ai: BotAI) -> None:
    """Plays a game of a Terran bot on the first map, until it leaves."""
    from run import EmbeddedEngine

    engine = EmbeddedEngine()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "SC2PATH", str(engine.prepare(None)))  # the client library reads it when imported
        from sc2 import maps
        from sc2.main import run_game

        logger.remove()
        logger.add(sys.stderr, level="WARNING")
        place = maps.get(engine.maps(None)[0])
        run_game(place, [Bot(Race.Terran, ai), Bot(Race.Zerg, Nobody())], realtime=False, random_seed=1)
