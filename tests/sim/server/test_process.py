"""Ends of processes: signals, dead clients, first use. Nothing may be left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import names
from tests.sim.server.client import COMPUTER, PARTICIPANT, ZERG, Client
from tests.sim.server.conftest import map_file
from tests.sim.server.test_install import wait_for_port

GAME = f"""
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Difficulty, Race
from sc2.main import run_game
from sc2.player import Bot, Computer

class Endless(BotAI):
    async def on_step(self, iteration):
        if iteration == 3:
            print("playing", flush=True)

players = [Bot(Race.Terran, Endless()), Computer(Race.Zerg, Difficulty.VeryEasy)]
run_game(maps.get("{names()[0]}"), players, realtime=True)
"""


@pytest.fixture
def endless(installation: Path, tmp_path: Path) -> Iterator[subprocess.Popen]:
    """A client in the middle of a game, with its server as a child."""
    (tmp_path / "endless.py").write_text(GAME)
    environment = {**os.environ, "SC2PATH": str(installation), "SC2_WSL_DETECT": "0"}
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "endless.py")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert any("playing" in line for line in process.stdout)
    yield process
    process.kill()
    process.wait(10)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_dead_client_takes_its_server_along(endless: subprocess.Popen, number: int) -> None:
    servers = psutil.Process(endless.pid).children(recursive=True)
    assert servers
    endless.send_signal(number)
    endless.wait(20)
    _, alive = psutil.wait_procs(servers, timeout=30)
    assert not alive


def test_ctrl_c_ends_client_and_server(endless: subprocess.Popen) -> None:
    servers = psutil.Process(endless.pid).children(recursive=True)
    os.killpg(endless.pid, signal.SIGINT)  # as a terminal does
    _, alive = psutil.wait_procs(servers, timeout=20)
    assert not alive
    endless.kill()


@pytest.fixture
def shim(installation: Path, tmp_path: Path) -> Iterator[Callable[[], tuple[subprocess.Popen, Client]]]:
    """Starts an executable of the installation and connects to it."""
    started: list[subprocess.Popen] = []

    def start() -> tuple[subprocess.Popen, Client]:
        folder = tmp_path / str(len(started))
        folder.mkdir()
        command = [str(installation / "Versions" / "Base75689" / "SC2_x64"), "-listen", "127.0.0.1", "-port", "0"]
        process = subprocess.Popen([*command, "-dataDir", str(installation), "-tempDir", str(folder)])
        started.append(process)
        return process, Client(wait_for_port(folder / "ironsight.log", process))

    yield start
    for process in started:
        process.kill()
        process.wait(10)


def test_terminate_ends_at_once_even_in_a_long_step(shim: Callable[[], tuple[subprocess.Popen, Client]]) -> None:
    process, client = shim()
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1))
    client.join()
    client.send(step=sc.RequestStep(count=1_000_000))
    time.sleep(0.2)
    process.terminate()
    assert process.wait(10) == -signal.SIGTERM


def test_ping_is_answered_during_a_long_step_of_another(shim: Callable[[], tuple[subprocess.Popen, Client]]) -> None:
    process, client = shim()
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1))
    client.join()
    client.send(step=sc.RequestStep(count=1_000_000))
    other = Client(client.socket.remote_address[1])
    assert other.ask(ping=sc.RequestPing()).ping.base_build == 75689
    assert other.ask(quit=sc.RequestQuit()).status == sc.quit
    assert process.wait(10) == 0


def test_host_and_guest_processes_quit(shim: Callable[[], tuple[subprocess.Popen, Client]]) -> None:
    from tests.sim.server.test_seats import finish, free_port, in_thread, start_two

    (host, first), (guest, second) = shim(), shim()
    start_two(first, second, free_port())
    first.ask(leave_game=sc.RequestLeaveGame())
    quits = in_thread(lambda: first.ask(quit=sc.RequestQuit()))
    assert second.step().status == sc.ended
    assert second.ask(leave_game=sc.RequestLeaveGame()).status == sc.launched
    assert second.ask(quit=sc.RequestQuit()).status == sc.quit
    assert finish(*quits).status == sc.quit
    assert (host.wait(10), guest.wait(10)) == (0, 0)


def test_a_guest_whose_host_is_gone_leaves_and_quits(shim: Callable[[], tuple[subprocess.Popen, Client]]) -> None:
    from tests.sim.server.test_seats import free_port, start_two

    (host, first), (guest, second) = shim(), shim()
    start_two(first, second, free_port())
    host.kill()
    host.wait(10)
    assert second.step().status == sc.ended
    assert second.ask(leave_game=sc.RequestLeaveGame()).status == sc.launched
    assert second.ask(quit=sc.RequestQuit()).status == sc.quit
    assert guest.wait(10) == 0
