"""Servers and installations for the tests of the protocol."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sim.maps import names
from sim.server.install import install
from sim.server.server import Server
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client, running_server


@pytest.fixture
def server() -> Iterator[Server]:
    """A running server process's insides, in a thread."""
    with running_server() as found:
        yield found


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    """A connection to it."""
    found = Client(server.port)
    yield found
    found.close()


@pytest.fixture
def connect_to(server: Server) -> Iterator[Callable[[], Client]]:
    """Makes further connections to the same server."""
    made: list[Client] = []

    def make() -> Client:
        made.append(Client(server.port))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def game(client: Client) -> Client:
    """A connection that plays Terran against the weakest Zerg."""
    assert not client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), random_seed=7).create_game.HasField(
        "error"
    )
    assert client.join(TERRAN).join_game.player_id == 1
    return client


@pytest.fixture
def empty(client: Client) -> Client:
    """A connection that plays on the empty map."""
    assert not client.create("Empty128", (PARTICIPANT,), (COMPUTER, TERRAN, 1)).create_game.HasField("error")
    client.join()
    return client


def map_file() -> str:
    """A map that ships with the engine, as a client names it."""
    return f"{names()[0]}.SC2Map"


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fake StarCraft II."""
    home = tmp_path_factory.mktemp("StarCraft II")
    install(home)
    return home


@pytest.fixture
def run_script(installation: Path, root: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs a Python program as a user of the installation would; -> its standard output. Fails if it fails."""

    def run(text: str, timeout: float = 240) -> str:
        environment = {**os.environ, "SC2PATH": str(installation), "PYTHONPATH": str(root), "SC2_WSL_DETECT": "0"}
        environment["IRONSIGHT_LOG"] = str(tmp_path / "server.log")
        file = tmp_path / "program.py"
        file.write_text(text)
        done = subprocess.run(
            [sys.executable, str(file)], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=timeout
        )
        log = (tmp_path / "server.log").read_text() if (tmp_path / "server.log").exists() else ""
        assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-6000:]}\n{log[-4000:]}"
        return done.stdout

    return run
