"""run.py as a user starts it: a process that plays on the embedded engine, or says in one line why not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """No real game anywhere."""
    return {**os.environ, "HOME": str(tmp_path), "SC2PATH": str(tmp_path / "nowhere")}


def run(root: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "run.py", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=300, check=False)


def children(pid: int) -> list[int]:
    """Processes whose parent is `pid`."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start(root: Path, environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    """run.py in the middle of a game: it has printed its first status line."""
    command = [sys.executable, "-u", "run.py", "--engine", "sim", *arguments]
    process = subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    for line in process.stdout:
        if line.startswith("00:00"):
            return process
    raise AssertionError(process.stderr.read())


def end(process: subprocess.Popen[str]) -> tuple[int, str]:
    """(exit code, stderr)."""
    _, said = process.communicate(timeout=60)
    return process.returncode, said


def test_a_game_and_its_report(root: Path, environment: dict[str, str], tmp_path: Path) -> None:
    report, replay = tmp_path / "new" / "report.json", tmp_path / "game.SC2Replay"
    arguments = ["--engine", "sim", "--opponent", "zerg:veryeasy", "--seed", "7", "--game-time-limit", "25", "--steady"]
    done = run(root, environment, *arguments, "--report", str(report), "--replay", str(replay))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout, "no live line outside a terminal"
    saved = json.loads(report.read_text(encoding="utf-8"))
    assert saved["result"] == "Tie"
    assert saved["opponent"] == "zerg:veryeasy"
    assert saved["seed"] == 7
    assert 25 * 22.4 <= saved["game_loops"] <= 26 * 22.4
    assert saved["units_built"]["SCV"] >= 1
    assert saved["errors"] == []
    assert 0 < saved["step_ms"]["median"] <= saved["step_ms"]["p99"] <= saved["step_ms"]["max"]
    assert saved["decisions"], "every decision says why"
    assert replay.exists()
    assert f"result         {saved['result']}" in done.stdout


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_everything_that_was_started(root: Path, environment: dict[str, str], how: int) -> None:
    process = start(root, environment)
    engines = children(process.pid)
    assert engines
    process.send_signal(how)
    code, said = end(process)
    assert code == 130
    assert "Traceback" not in said
    deadline = time.monotonic() + 10
    while any(map(alive, engines)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, engines))


LOSE_AN_ANSWER = """
import signal, sys
from aiohttp.client_proto import ResponseHandler
from bot.main import Ironsight
import run

receive, step, answers_left = ResponseHandler.data_received, Ironsight.on_step, -1

def data_received(self, data):
    global answers_left
    answers_left -= 1
    if answers_left == 0:
        signal.raise_signal(int(sys.argv[1]))
    receive(self, data)

async def on_step(self, iteration):
    global answers_left
    if iteration == 3:
        answers_left = 2
    await step(self, iteration)

ResponseHandler.data_received, Ironsight.on_step = data_received, on_step
sys.exit(run.main(["--engine", "sim"]))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_game_whose_answer_it_lost(root: Path, environment: dict[str, str], how: int) -> None:
    # Between the socket and the waiting client: burnysc2 then waited for ever for an answer that had been thrown away.
    command = [sys.executable, "-c", LOSE_AN_ANSWER, str(int(how))]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130
    assert done.stderr.strip() == "interrupted"


def test_an_engine_that_dies_ends_the_game_with_exit_1(root: Path, environment: dict[str, str], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    process = start(root, environment, "--report", str(report))
    for engine in children(process.pid):
        os.kill(engine, signal.SIGKILL)
    code, said = end(process)
    assert code == 1
    assert "Traceback" not in said
    assert "the game broke off" in said
    saved = json.loads(report.read_text(encoding="utf-8"))
    assert saved["result"] == "Error"
    assert any("broke off" in error for error in saved["errors"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--map", "Atlantis"], "unknown map 'Atlantis'; there are: "),
        (["--opponent", "zerg:godlike"], "unknown difficulty 'godlike'; there are: veryeasy"),
        (["--recordings", "/nonexistent/folder"], "/nonexistent/folder"),
        (["--recordings", str(Path(__file__).parent)], "no recording of a map in it"),
        (["--engine", "sc2"], "no StarCraft II in "),
    ],
)
def test_bad_input_is_one_line(root: Path, environment: dict[str, str], arguments: list[str], expected: str) -> None:
    done = run(root, environment, *arguments)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_maps_are_listed_shipped_ones_first(root: Path, environment: dict[str, str]) -> None:
    from sim.maps import names

    done = run(root, environment, "--list-maps")
    assert done.returncode == 0
    assert done.stdout.split()[: len(names(None))] == list(names(None))
