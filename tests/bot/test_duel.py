"""Games between two ladder bots, each a process of its own, as tools.duel starts them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

LEAVER = """
import argparse, asyncio, aiohttp
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.main import play_from_websocket
from sc2.player import Bot
from sc2.portconfig import Portconfig

class Leaver(BotAI):
    async def on_step(self, iteration):
        if self.state.game_loop >= 100:
            await self.client.leave()

async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--GamePort")
    parser.add_argument("--StartPort", type=int)
    known, _ = parser.parse_known_args()
    start = known.StartPort
    ports = Portconfig(server_ports=[start + 2, start + 3], player_ports=[[start + 4, start + 5]])
    async with aiohttp.ClientSession() as session:
        socket = await session.ws_connect(f"ws://127.0.0.1:{known.GamePort}/sc2api", max_msg_size=0)
        await play_from_websocket(socket, Bot(Race.Zerg, Leaver()), False, ports)

asyncio.run(main())
"""


def duel(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.duel", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=240, check=False)


def bot_in(folder: Path, program: str) -> Path:
    folder.mkdir()
    (folder / "main.py").write_text(program)
    name_race(folder, "Zerg")
    return folder


def name_race(folder: Path, race: str) -> None:
    row = {"Race": race, "Type": "Python", "RootPath": "./", "FileName": "main.py", "Debug": False}
    (folder / "ladderbots.json").write_text(json.dumps({"Bots": {"Other": row}}))


def test_a_bot_that_leaves_loses_as_host_and_as_guest(root: Path, tmp_path: Path) -> None:
    other = bot_in(tmp_path / "other", LEAVER)
    done = duel(root, str(other), "--games", "2", "--map", "AmberFordAIE", "--logs", str(tmp_path / "logs"))
    assert done.returncode == 0, done.stderr
    assert "2 of 2 won: 100%" in done.stdout
    for number in (1, 2):
        assert "game over at loop" in (tmp_path / "logs" / str(number) / "engine-host.log").read_text()


def test_a_bot_that_never_comes_leaves_the_game_undecided(root: Path, tmp_path: Path) -> None:
    other = bot_in(tmp_path / "other", "raise SystemExit('broken')")
    done = duel(root, str(other), "--games", "1", "--map", "AmberFordAIE", "--logs", str(tmp_path / "logs"))
    assert done.returncode == 1
    assert "1 undecided" in done.stdout
    assert "broken" in (tmp_path / "logs" / "1" / "guest.log").read_text()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda folder: (folder / "ladderbots.json").unlink(), "ladderbots.json: No such file"),
        (lambda folder: (folder / "ladderbots.json").write_text("{"), "names no bot"),
        (lambda folder: (folder / "main.py").unlink(), "is no Python program"),
        (lambda folder: name_race(folder, "Human"), "names no bot"),
    ],
)
def test_bad_input_is_one_line(root: Path, tmp_path: Path, change: Callable[[Path], object], expected: str) -> None:
    folder = bot_in(tmp_path / "other", "")
    change(folder)
    done = duel(root, str(folder))
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_map_is_one_line(root: Path, tmp_path: Path) -> None:
    done = duel(root, str(bot_in(tmp_path / "other", "")), "--map", "Atlantis")
    assert done.returncode == 2
    assert "no game on Atlantis" in done.stderr
