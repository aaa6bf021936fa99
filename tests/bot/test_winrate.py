"""Summing up many games: intervals that hold for few games, and games that broke off."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tools import bench_bot, bench_micro, drill, duel, make_zip, winrate


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 0, 0.0, 1.0), (9, 10, 0.5958, 0.9821), (10, 10, 0.7225, 1.0), (0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962)],
)
def test_wilson_intervals_agree_with_published_values(wins: int, games: int, low: float, high: float) -> None:
    assert winrate.wilson(wins, games) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def report(seed: int, result: str, seconds: float = 600.0, errors: tuple[str, ...] = ()) -> dict:
    return {
        "seed": seed,
        "result": result,
        "game_seconds": seconds,
        "wall_seconds": 30.0,
        "step_ms": {"median": 1.0, "p99": 2.0, "max": 3.0},
        "units_lost": 1,
        "enemy_killed": 2,
        "army_value": {"lost": 100 * seed, "killed": 1000},
        "errors": list(errors),
    }


def test_summary_counts_results_and_faults() -> None:
    text = winrate.summary([report(1, "Victory", 300), report(2, "Defeat", 900), report(3, "Victory", 600, ("x",))])
    assert text.startswith("2 of 3 won: 67%")
    assert "length 5.0 to 15.0 min, median 10.0" in text
    assert "1 games with errors" in text


def test_the_exchange_is_of_all_games_together_and_its_interval_over_games() -> None:
    assert winrate.exchange(np.array([[100, 1000], [100, 1000]])) == (100.0, 100.0, 100.0)
    share, low, high = winrate.exchange(np.array([[0, 1000], [600, 3000]]))
    assert (share, low, high) == (150.0, 0.0, 200.0)
    assert "lost for 1,000 killed: 150 (" in winrate.summary([report(1, "Victory"), report(2, "Victory")])


def test_a_game_without_report_is_an_error_and_not_a_loss(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", "run.py: the engine is gone\n")

    monkeypatch.setattr(winrate.subprocess, "run", broken)
    played = winrate.play(4, [], tmp_path)
    assert played == {"result": "Error", "seed": 4, "errors": ["run.py: the engine is gone"]}
    assert "the engine is gone" in winrate.line(played)
    assert winrate.main(["--games", "2"]) == 1


def test_arguments_that_no_game_takes_are_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert winrate.main(["--games", "3", "--opponent", "zorg:hard"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "run.py: unknown race 'zorg'; there are: terran, zerg, protoss, random\n")


def test_an_interrupt_begins_no_more_games(
    interrupted: Callable[[ModuleType], Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    work = interrupted(winrate)

    def play(seed: int, *_: object) -> dict:
        begun.append(seed)
        work()
        return report(seed, "Victory")

    monkeypatch.setattr(winrate, "play", play)
    with pytest.raises(KeyboardInterrupt):
        winrate.main(["--games", "3"])
    assert begun == [1]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (winrate, ["--games", "0"]),
        (winrate, ["--parallel", "-2"]),
        (winrate, ["--first-seed", "-1"]),
        (winrate, ["--out", "/proc/none/report.json"]),
        (drill, ["--rounds", "0"]),
        (bench_micro, ["--sizes", "50", "-1"]),
        (bench_micro, ["--steps", "0"]),
        (bench_bot, ["--steps", "many"]),
        (duel, ["..", "--games", "0"]),
        (make_zip, ["--what"]),
    ],
)
def test_tools_refuse_what_makes_no_sense(
    tool: ModuleType, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        tool.main(arguments)
    assert stopped.value.code == 2
    assert arguments[-1].lstrip("-").split(".")[0] in capsys.readouterr().err.splitlines()[-1]
