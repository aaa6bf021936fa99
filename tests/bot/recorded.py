"""The first step of a real game, from a recording, without an engine."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

from s2clientprotocol import sc2api_pb2
from sc2.game_data import GameData
from sc2.game_info import GameInfo
from sc2.game_state import GameState

from bot.knowledge.terrain import Terrain, read_terrain
from bot.main import Ironsight


class Client:
    """Answers by itself: actions succeed, every place is free."""

    def __init__(self) -> None:
        self.game_step = 4
        self.sent: list[Any] = []

    async def actions(self, orders: list[Any], **_: Any) -> list[Any]:
        self.sent += orders
        return []

    async def _query_building_placement_fast(self, _: Any, places: list[Any], **__: Any) -> list[bool]:
        return [True] * len(places)

    async def _send_debug(self) -> None:
        pass


def prepare(recordings: Path, name: str) -> tuple[Ironsight, Client]:
    """A bot that has seen loop 0 of a recorded game, before its `on_start`."""

    def read(file: Path) -> bytes:
        return lzma.decompress(file.read_bytes())

    info = sc2api_pb2.ResponseGameInfo.FromString(read(recordings / name / "game_info.bin.xz"))
    observation = sc2api_pb2.ResponseObservation.FromString(read(recordings / name / "observation.bin.xz"))
    data = sc2api_pb2.ResponseData.FromString(read(recordings / "data-5.0.14.bin.xz"))
    bot, client = Ironsight(), Client()
    bot._initialize_variables()
    bot._prepare_start(client, 1, GameInfo(info), GameData(data), realtime=False, base_build=75689)
    bot._prepare_step(GameState(observation), sc2api_pb2.Response(game_info=info))
    bot._prepare_first_step()
    return bot, client


def first_step(recordings: Path, name: str) -> tuple[Terrain, Ironsight]:
    """The terrain of a recorded map as the bot reads it."""
    bot, _ = prepare(recordings, name)
    return read_terrain(bot), bot
