"""The ladder's command line, ports, connection retries and memory, without a game."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from loguru import logger

from bot import history, ladder
from bot.macro.build_order import openings

REAL = ["--GamePort", "10001", "--LadderServer", "127.0.0.1", "--StartPort", "10001", "--OpponentId", "a-b-c"]


def test_arguments_of_the_ladder() -> None:
    assert ladder.wanted(REAL)
    assert ladder.wanted(["--LadderServer=host"])
    assert not ladder.wanted(["--opponent", "zerg:hard"])
    parsed = ladder.parse([*REAL, "--SomethingNew", "7"])
    assert (parsed.GamePort, parsed.LadderServer, parsed.StartPort) == (10001, "127.0.0.1", 10001)
    assert parsed.OpponentId == "a-b-c"
    assert parsed.RealTime is False


def test_ports_follow_the_classic_layout() -> None:
    config = ladder.ports(10001, None)
    assert config.server == [10003, 10004]
    assert config.players == [[10005, 10006]]
    assert config.players[0][0] // 10 == 10001 // 10, "the host compares this like a password"
    assert ladder.ports(None, None) is None
    assert ladder.ports(10001, "1") is None


def test_environment_for_a_user_without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("USER", "LOGNAME", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/nonexistent")
    for name in ("MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, "before")
    ladder.prepare_environment()
    import getpass
    import os

    assert getpass.getuser()
    assert os.access(os.environ["HOME"], os.W_OK)
    assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"


def test_connects_to_a_port_that_listens_late(unused_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "RETRY_SECONDS", 0.05)

    async def scenario() -> bytes:
        async def answer(request: web.Request) -> web.WebSocketResponse:
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.send_bytes(b"hello")
            await socket.close()
            return socket

        async with aiohttp.ClientSession() as session:
            joining = asyncio.create_task(ladder.connect(session, f"http://127.0.0.1:{unused_port}/sc2api"))
            await asyncio.sleep(0.2)
            assert not joining.done()
            app = web.Application()
            app.router.add_get("/sc2api", answer)
            runner = web.AppRunner(app)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", unused_port).start()
            socket = await asyncio.wait_for(joining, 10)
            message = await socket.receive_bytes()
            await socket.close()
            await runner.cleanup()
            return message

    assert asyncio.run(scenario()) == b"hello"


def test_gives_up_with_exit_code_0_and_says_why(
    unused_port: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ladder, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(ladder, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(ladder, "prepare_environment", lambda: None)
    assert ladder.main(["--LadderServer", "127.0.0.1", "--GamePort", str(unused_port)]) == 0
    logger.remove()  # it writes to this test's stderr
    assert "nobody listens" in capfd.readouterr().err
    assert ladder.main(["--LadderServer", "127.0.0.1", "--GamePort", "seven"]) == 0


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_tags_have_the_form_that_the_ladder_accepts() -> None:
    tags = ladder.tags(SimpleNamespace(opening="Zwei-Eins-Eins (Übung) mit einem viel zu langen Namen"))
    assert all(len(tag) <= 32 and set(tag) <= set("abcdefghijklmnopqrstuvwxyz0123456789 _:-") for tag in tags)
    assert tags[0].startswith("v")


class FakeGame:
    """Stands in for the bot: what LadderBot calls of it."""

    def __init__(self) -> None:
        self.state = SimpleNamespace(game_loop=0)
        self.game_info = SimpleNamespace(map_name="Test")
        self.chat: list[str] = []
        self.minerals = self.vespene = self.supply_used = 0
        self.time_formatted = "00:00"
        self.broken_chat = False
        self.strategy = SimpleNamespace(opening="")

    @property
    def opening(self) -> str:
        return self.strategy.opening

    async def chat_send(self, text: str, team_only: bool = False) -> None:
        if self.broken_chat:
            raise RuntimeError("chat")
        assert team_only
        self.chat.append(text)

    async def on_start(self) -> None: ...

    async def on_step(self, iteration: int) -> None: ...

    async def on_end(self, result: object) -> None: ...


def play(bot: FakeGame, result: str | None) -> None:
    async def game() -> None:
        await bot.on_start()
        for loop in range(0, 400, 4):
            bot.state.game_loop = loop
            await bot.on_step(loop // 4)
        if result:
            await bot.on_end(SimpleNamespace(name=result))

    asyncio.run(game())


def test_memory_of_an_opponent_outlives_matches(tmp_path: Path) -> None:
    played = []
    for result in ("Victory", "Defeat", "Defeat", "Defeat"):
        bot = ladder.ladder_bot(FakeGame, "rival/../1", tmp_path)
        play(bot, result)
        played.append(bot.strategy.opening)
        assert [line.startswith("Tag:") for line in bot.chat] == [True, True]
    first, second = list(openings())[:2]
    assert played == [first, first, first, second], "changed once it lost more than it won"
    assert history.load(tmp_path, "rival/../1").results(first) == (1, 3)
    assert history.load(tmp_path, "another").results(first) == (0, 0)
    assert [path.parent for path in tmp_path.rglob("*.json")] == [tmp_path], "an id cannot leave the folder"


def test_a_game_that_never_ended_counts_as_lost(tmp_path: Path) -> None:
    play(ladder.ladder_bot(FakeGame, "rival", tmp_path), None)
    assert history.load(tmp_path, "rival").results(next(iter(openings()))) == (0, 1)


def test_neither_chat_nor_disk_can_disturb_the_game(tmp_path: Path) -> None:
    (tmp_path / "rival.json").write_text("{broken", encoding="utf-8")
    bot = ladder.ladder_bot(FakeGame, "rival", tmp_path)
    bot.broken_chat = True
    play(bot, "Victory")
    assert history.load(tmp_path, "rival").results(next(iter(openings()))) == (1, 1)
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    play(ladder.ladder_bot(FakeGame, "rival", blocked), "Victory")


def test_only_a_game_that_began_can_end(tmp_path: Path) -> None:
    memory = history.load(tmp_path, "rival")
    memory.finish("Victory", 100)
    assert memory.games == []
    memory.start("safe", "Map")
    for result in ("Defeat", "Victory"):
        memory.finish(result, 100, "greedy")
    assert memory.games == [{"opening": "greedy", "map": "Map", "result": "Defeat", "loops": 100}]


def test_history_is_bounded(tmp_path: Path) -> None:
    memory = history.load(tmp_path, "rival")
    for _ in range(history.MOST_GAMES + 20):
        memory.start("standard", "Test")
        memory.finish("Victory", 10)
    saved = json.loads((tmp_path / "rival.json").read_text(encoding="utf-8"))
    assert len(saved["games"]) == history.MOST_GAMES
