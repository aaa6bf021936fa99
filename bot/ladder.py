"""Joins a game that an AI Arena ladder host has set up: python run.py --GamePort P --LadderServer H --StartPort P ...

The host has created the game already; the bot connects, joins with the ports derived from --StartPort (the host checks
them like a password) and plays in step mode. Nothing may escape from here: an unhandled exception is a lost game.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import aiohttp
    from sc2.bot_ai import BotAI
    from sc2.portconfig import Portconfig

CONNECT_SECONDS = 40.0  # the host may start us before its port listens, and cancels the match after 60 s
RETRY_SECONDS = 0.5
TAG_LOOP = 112  # five seconds in, when both players surely are there to read it
SHOW_SECONDS = 60.0  # the longest time between two progress lines in the log
ROOT = Path(__file__).resolve().parent.parent


def wanted(arguments: Sequence[str]) -> bool:
    """Whether a command line comes from a ladder host rather than from a person."""
    return any(argument.split("=", 1)[0] == "--LadderServer" for argument in arguments)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The ladder's arguments; unknown ones are ignored, since hosts add new ones."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--LadderServer", default="127.0.0.1")
    parser.add_argument("--GamePort", type=int, required=True)
    parser.add_argument("--StartPort", type=int, default=None)
    parser.add_argument("--OpponentId", default=None)
    parser.add_argument("--RealTime", action="store_true")
    parser.add_argument("--ComputerOpponent", nargs="?", const="1", default=None)
    parser.add_argument("--ComputerRace", default=None)
    parser.add_argument("--ComputerDifficulty", default=None)
    return parser.parse_known_args(list(arguments))[0]


def prepare_environment() -> None:
    """Sets what has to be set before numpy is imported: one thread, and a home for a user without one."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    scratch = tempfile.gettempdir()
    for name in ("USER", "LOGNAME"):
        os.environ.setdefault(name, "bot")
    if not os.access(os.environ.get("HOME", ""), os.W_OK):
        os.environ["HOME"] = scratch
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(scratch, "matplotlib"))


def ports(start: int | None, computer: str | None) -> Portconfig | None:
    """The classic layout of a two-player match; None against the built-in opponent, where the game needs no ports."""
    from sc2.portconfig import Portconfig

    if start is None or computer:
        return None
    return Portconfig(server_ports=[start + 2, start + 3], player_ports=[[start + 4, start + 5]])


async def connect(session: aiohttp.ClientSession, url: str) -> aiohttp.ClientWebSocketResponse:
    """Opens the websocket, again and again while nobody listens; ConnectionError after CONNECT_SECONDS."""
    import aiohttp

    deadline = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            return await session.ws_connect(url, max_msg_size=0)
        except (aiohttp.ClientError, OSError) as error:
            if time.monotonic() > deadline:
                raise ConnectionError(f"nobody listens at {url}: {error}") from error
            await asyncio.sleep(RETRY_SECONDS)


def ladder_bot(base: type[BotAI], opponent: str | None, data: Path) -> BotAI:
    """Our bot with a memory of this opponent and a tag for the match page; neither can disturb the game."""
    from loguru import logger

    from bot import history
    from bot.macro.build_order import openings

    class LadderBot(base):  # type: ignore[misc, valid-type]
        tagged = False
        shown = 0.0

        async def on_start(self) -> None:
            await super().on_start()
            try:
                self.strategy.opening = self.history.choose(list(openings()))
                self.history.start(opening_of(self), self.game_info.map_name)
            except Exception as error:
                logger.warning(f"history: {error!r}")

        async def on_step(self, iteration: int) -> None:
            await super().on_step(iteration)
            try:
                await self.tell()
            except Exception as error:
                self.tagged = True
                logger.warning(f"tag: {error!r}")

        async def tell(self) -> None:
            if not self.tagged and self.state.game_loop >= TAG_LOOP:
                self.tagged = True
                for tag in tags(self):
                    await self.chat_send(f"Tag:{tag}", team_only=True)
            if time.monotonic() - self.shown > SHOW_SECONDS:
                self.shown = time.monotonic()
                logger.info(f"{self.time_formatted} supply {self.supply_used} bank {self.minerals}/{self.vespene}")

        async def on_end(self, game_result: Any) -> None:
            try:
                self.history.finish(game_result.name, self.state.game_loop, opening_of(self))
            except Exception as error:
                logger.warning(f"history: {error!r}")
            await super().on_end(game_result)

    ai = LadderBot()
    ai.opponent_id = opponent
    ai.history = history.load(data, opponent)
    return ai


def opening_of(ai: BotAI) -> str:
    """The name of the opening being played, as the strategy stage calls it."""
    return str(getattr(ai, "opening", "") or "standard")


def tags(ai: BotAI) -> list[str]:
    """Tags in the form the ladder accepts: lower case, at most 32 characters of a-z 0-9 _ : - and space."""
    from bot import __version__

    words = [f"v{__version__.replace('.', '-')}", opening_of(ai)]
    return [re.sub("[^a-z0-9_: -]", "-", word.lower())[:32] for word in words]


async def play(arguments: argparse.Namespace) -> Any:
    """Connects, joins and plays one game; returns burnysc2's result, or None where the host closed the socket."""
    import aiohttp
    from loguru import logger
    from sc2.data import Race
    from sc2.main import play_from_websocket
    from sc2.player import Bot

    logger.remove()
    logger.add(sys.stderr, level="INFO")
    from bot.main import Ironsight

    ai = ladder_bot(Ironsight, arguments.OpponentId, ROOT / "data")
    url = f"ws://{arguments.LadderServer}:{arguments.GamePort}/sc2api"
    portconfig = ports(arguments.StartPort, arguments.ComputerOpponent)
    async with aiohttp.ClientSession() as session:
        websocket = await connect(session, url)
        return await play_from_websocket(websocket, Bot(Race.Terran, ai, "Ironsight"), arguments.RealTime, portconfig)


def main(arguments: Sequence[str]) -> int:
    """Plays one ladder game; always returns 0, since a host reads anything else as a crash of ours."""
    prepare_environment()
    try:
        result = asyncio.run(play(parse(arguments)))
        print(f"ladder game over: {getattr(result, 'name', 'no result, the host closed the connection')}", flush=True)
    except BaseException as error:
        report_failure(error)
    return 0


def report_failure(error: BaseException) -> None:
    """Leaves the cause in the log that only the author can read; works even where loguru is missing."""
    import traceback

    traceback.print_exception(error, file=sys.stderr)
    sys.stderr.flush()
