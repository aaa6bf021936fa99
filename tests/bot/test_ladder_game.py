"""The ladder zip, unpacked into an empty folder, plays a ladder game as a process of its own.

Nothing of this project and none of its packages is on that process's path, only the client library, in the oldest
version that the ladder's image holds and in the newest. Two engines and a second client stand in for the ladder.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path

import aiohttp
import pytest
from sc2.bot_ai import BotAI
from sc2.data import Race, Result
from sc2.main import play_from_websocket
from sc2.player import Bot
from sc2.portconfig import Portconfig

from tools.duel import create, engine, free_ports
from tools.make_zip import make_zip

LADDER_VERSION = "7.2.1"  # of burnysc2 in the ladder's image (ladder.md 3)
LAST_LOOP = 600
OPPONENT_ID = "0f0e0d0c-test"


class Leaver(BotAI):
    """The second client: mines, says hello, and leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.enemy_chat: list[str] = []

    async def on_step(self, iteration: int) -> None:
        for worker in self.workers.idle:
            worker.gather(self.mineral_field.closest_to(worker))
        if self.state.game_loop >= LAST_LOOP:
            await self.client.leave()


@pytest.fixture(scope="module")
def paths(root: Path) -> dict[str, str]:
    """PYTHONPATH by version of the client library; installed once and kept in the cache."""
    newest = install(root / ".cache" / "ladder" / "newest", "burnysc2")
    older = install(root / ".cache" / "ladder" / LADDER_VERSION, f"burnysc2=={LADDER_VERSION}", "--no-deps")
    return {"newest": str(newest), LADDER_VERSION: os.pathsep.join([str(older), str(newest)])}


def install(folder: Path, *arguments: str) -> Path:
    """pip install --target, renamed into place when complete; skips the test where no package index can be reached."""
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".installing-"))
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", str(unfinished)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(unfinished, ignore_errors=True)
        pytest.skip(f"pip cannot install {arguments[0]} here: {(done.stderr or '?').splitlines()[-1][:200]}")
    try:
        unfinished.rename(folder)
    except OSError:  # another test process was quicker
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def test_versions_differ(paths: dict[str, str]) -> None:
    found = {}
    for name, path in paths.items():
        code = "import importlib.metadata as m, sc2; print(m.version('burnysc2'), sc2.__file__)"
        found[name] = subprocess.run(player(path, "-c", code), env=bare(path), capture_output=True, text=True).stdout
    assert found[LADDER_VERSION].startswith(LADDER_VERSION)
    assert found["newest"].split()[0] != LADDER_VERSION


@pytest.mark.parametrize("version", [LADDER_VERSION, "newest"])
def test_the_zip_plays_on_the_ladder(version: str, paths: dict[str, str], root: Path, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    make_zip(root, tmp_path / "Ironsight.zip")
    with zipfile.ZipFile(tmp_path / "Ironsight.zip") as archive:
        archive.extractall(bot)
    start = free_ports()
    with ExitStack() as running:
        host, guest = (running.enter_context(engine(tmp_path / f"engine{k}.log")) for k in (1, 2))
        arguments = ["--GamePort", str(host), "--LadderServer", "127.0.0.1", "--StartPort", str(start)]
        arguments += ["--OpponentId", OPPONENT_ID]
        leaver = Leaver()
        with (tmp_path / "stdout").open("w") as out, (tmp_path / "stderr").open("w") as err:
            asyncio.run(create(host, "AmberFordAIE", (Race.Terran.value, Race.Zerg.value), 5))
            command = player(paths[version], "run.py", *arguments)
            process = subprocess.Popen(command, cwd=bot, env=bare(paths[version]), stdout=out, stderr=err)
            running.callback(process.kill)
            result = asyncio.run(asyncio.wait_for(join(guest, start, leaver), 240))
            code = process.wait(timeout=60)
    said = (tmp_path / "stderr").read_text(encoding="utf-8")
    assert result is not Result.Victory, said
    assert leaver.state.game_loop >= LAST_LOOP, said
    assert code == 0, said
    assert "Victory" in (tmp_path / "stdout").read_text(encoding="utf-8"), said
    assert "Traceback" not in said
    assert "ERROR" not in said
    games = json.loads((bot / "data" / f"{OPPONENT_ID}.json").read_text(encoding="utf-8"))["games"]
    assert [game["result"] for game in games] == ["Victory"]


async def join(port: int, start: int, bot: BotAI) -> Result | None:
    """The second client joins like a ladder bot."""
    ports = Portconfig(server_ports=[start + 2, start + 3], player_ports=[[start + 4, start + 5]])
    async with aiohttp.ClientSession() as session:
        websocket = await session.ws_connect(f"ws://127.0.0.1:{port}/sc2api", max_msg_size=0)
        return await play_from_websocket(websocket, Bot(Race.Zerg, bot, "Leaver"), False, ports)


def player(path: str, *arguments: str) -> list[str]:
    """A bare interpreter: no site-packages (-S), no environment of ours."""
    assert path
    return [getattr(sys, "_base_executable", sys.executable), "-S", *arguments]


def bare(path: str) -> dict[str, str]:
    """An environment as poor as the ladder's: no home that can be written."""
    return {"PYTHONPATH": path, "PATH": os.environ.get("PATH", ""), "HOME": "/nonexistent", "PYTHONNOUSERSITE": "1"}
