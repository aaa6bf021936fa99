"""The installation that clients take for StarCraft II."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim.cli import main
from sim.maps import names
from sim.server.builds import BASES, find
from sim.server.install import install
from sim.server.mapfiles import name_in
from tests.sim.server.client import Client


def state(home: Path) -> dict[str, tuple[int, bytes]]:
    """Inode and content of every file."""
    return {str(p): (p.stat().st_ino, p.read_bytes()) for p in home.rglob("*") if p.is_file()}


def test_has_what_clients_look_for(installation: Path) -> None:
    versions = sorted(p.name for p in (installation / "Versions").iterdir())
    assert versions == sorted(f"Base{base}" for base in BASES)
    assert all(int(name[4:]) >= 55958 for name in versions)
    assert all(os.access(p / "SC2_x64", os.X_OK) for p in (installation / "Versions").iterdir())
    assert (installation / "Replays").is_dir()
    for name in names():
        file = installation / "Maps" / f"{name}.SC2Map"
        assert name_in(file.read_bytes(), file.name) == name
        assert (installation / "Maps" / "Melee" / f"{name}.SC2Map").is_file()


def test_again_changes_nothing_and_repairs_what_broke(tmp_path: Path) -> None:
    install(tmp_path)
    before = state(tmp_path)
    install(tmp_path)
    assert state(tmp_path) == before
    broken = tmp_path / "Maps" / f"{names()[0]}.SC2Map"
    broken.write_bytes(b"half")
    install(tmp_path)
    assert {k: v[1] for k, v in state(tmp_path).items()} == {k: v[1] for k, v in before.items()}


def test_recordings_become_maps(shared: Path, tmp_path: Path) -> None:
    found = install(tmp_path, shared / "recordings")
    assert "PersephoneAIE" in found
    assert (tmp_path / "Maps" / "PersephoneAIE.SC2Map").is_file()
    assert (tmp_path / "Maps" / "Ladder2019Season1" / "AutomatonLE.SC2Map").is_file()


def test_what_to_type_next_can_be_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", str(tmp_path / "StarCraft II")]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert shlex.split(line) == ["export", f"SC2PATH={tmp_path / 'StarCraft II'}"]


def test_executable_listens_from_an_awkward_path(tmp_path: Path) -> None:
    home = tmp_path / 'it\'s a "$HOME" & more'
    install(home, tmp_path / "re`cor}dings")
    base = 75689
    command = [str(home / "Versions" / f"Base{base}" / "SC2_x64"), "-listen", "127.0.0.1", "-port", "0"]
    command += ["-dataDir", f"{home}/", "-tempDir", f"{tmp_path}/", "-displayMode", "0", "-unheardOf", "x", "-verbose"]
    environment = {**os.environ, "PYTHONPATH": "/nowhere", "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        client = Client(wait_for_port(tmp_path / "ironsight.log", process))
        ping = client.ask(ping=sc.RequestPing()).ping
        assert (ping.base_build, ping.game_version) == (base, "4.10")
        assert ping.data_version == find(base).data_version
        assert client.ask(quit=sc.RequestQuit()).status == sc.quit
        assert process.wait(10) == 0
        assert process.stdout.read() == b""
    finally:
        process.kill()


def wait_for_port(log: Path, process: subprocess.Popen) -> int:
    """The port a process says in its log that it listens on."""
    for _ in range(1000):
        assert process.poll() is None
        if log.exists():
            for line in log.read_text().splitlines():
                if "listening on 127.0.0.1:" in line and "as build" in line:
                    return int(line.split("127.0.0.1:")[1].split()[0])
        time.sleep(0.02)
    raise AssertionError("the process does not listen")


def test_the_client_library_finds_executable_and_maps(installation: Path) -> None:
    program = (
        "from sc2.paths import Paths\nfrom sc2 import maps\n"
        f"print(Paths.EXECUTABLE, maps.get('{names()[0]}').relative_path)"
    )
    environment = {**os.environ, "SC2PATH": str(installation)}
    found = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert f"Base{max(BASES)}" in found.stdout
    assert f"{names()[0]}.SC2Map" in found.stdout


def test_bad_arguments_are_one_line(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for arguments in (
        ["install", str(tmp_path / "file" / "below")],
        ["install", str(tmp_path / "x"), "--recordings", str(tmp_path / "missing")],
        ["serve", "--port", "0", "--patch", "1.0"],
        ["serve", "--port", "0", "--recordings", str(tmp_path)],
        ["serve", "--port", "0", "--log", str(tmp_path / "missing" / "log")],
    ):
        done = subprocess.run([sys.executable, "-m", "sim", *arguments], cwd=root, capture_output=True, text=True)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
        assert "Traceback" not in done.stderr


def test_numbers_out_of_range_are_refused(root: Path) -> None:
    for arguments in (["serve", "--port", "-4"], ["serve", "--port", "70000"], ["bench", "--repeat", "0"]):
        done = subprocess.run([sys.executable, "-m", "sim", *arguments], cwd=root, capture_output=True, text=True)
        assert done.returncode == 2
        assert repr(arguments[-1]) in done.stderr.splitlines()[-1]


def test_a_taken_port_is_one_line(root: Path, server) -> None:
    arguments = [sys.executable, "-m", "sim", "serve", "--port", str(server.port)]
    done = subprocess.run(arguments, cwd=root, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert str(server.port) in done.stderr
