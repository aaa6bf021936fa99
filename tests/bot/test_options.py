"""The command line of a local game: what a person can mistype gets one line and exit 2."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from sc2.data import AIBuild, Difficulty, Race

from bot import config, local, options
from bot.macro import build_order
from bot.strategy import decide


class FakeEngine:
    """An embedded engine that must not be started by any of these tests."""

    def maps(self, recordings: Path | None) -> list[str]:
        if recordings is not None and not recordings.is_dir():
            raise ValueError(f"no recordings in {recordings}")
        return ["Granite", "Basalt"]

    def prepare(self, recordings: Path | None) -> Path:
        raise AssertionError("bad input must be found before the engine starts")


@pytest.fixture(autouse=True)
def no_real_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SC2PATH", str(tmp_path / "nowhere"))


def test_opponents_are_read_in_any_case() -> None:
    computer = options.opponent("Zerg:VeryHard:rush")
    assert (computer.race, computer.difficulty, computer.ai_build) == (Race.Zerg, Difficulty.VeryHard, AIBuild.Rush)
    assert options.describe(computer) == "zerg:veryhard:rush"
    assert options.describe(options.opponent("random")) == "random:hard"


@pytest.mark.parametrize("difficulty", list(Difficulty))
def test_every_difficulty_of_the_client_can_be_asked_for(difficulty: Difficulty) -> None:
    assert options.opponent(f"terran:{difficulty.name}").difficulty is difficulty


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--map", "Atlantis"], "unknown map 'Atlantis'; there are: Granite, Basalt"),
        (["--opponent", "orc:hard"], "unknown race 'orc'; there are: terran, zerg, protoss, random"),
        (["--opponent", "zerg:impossible"], "unknown difficulty 'impossible'; there are: veryeasy"),
        (["--opponent", "zerg:hard:turtle"], "unknown build 'turtle'; there are: randombuild"),
        (["--opponent", "zerg:hard:rush:x"], "unknown build"),
        (["--recordings", "/nonexistent"], "no recordings in /nonexistent"),
        (["--engine", "sc2"], "no StarCraft II in"),
        (["--report", "/proc/nothing/report.json"], "cannot write /proc/nothing/report.json"),
        (["--report", "/proc/report.json"], "cannot write /proc/report.json"),  # a folder in which nothing can be made
        (["--replay", "/"], "cannot write /"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert local.main(arguments, FakeEngine()) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize(
    "arguments", [["--seed", "-1"], ["--seed", "x"], ["--game-time-limit", "0"], ["--engine", "no"], ["--nonsense"]]
)
def test_argparse_answers_malformed_options_with_exit_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        local.main(arguments, FakeEngine())
    assert stopped.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_what_the_disk_refuses_is_one_line_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    class Full(FakeEngine):
        def prepare(self, recordings: Path | None) -> Path:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/checkout/.cache")

    assert local.main([], Full()) == 1
    assert capsys.readouterr().err == "run.py: [Errno 28] No space left on device: '/checkout/.cache'\n"


def test_maps_are_listed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert local.main(["--list-maps"], FakeEngine()) == 0
    assert capsys.readouterr().out == "Granite\nBasalt\n"


def test_without_embedded_engine_a_real_game_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert local.main([], None) == 2
    assert local.main(["--engine", "sim"], None) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_folder_with_a_game_counts_as_the_real_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "game"
    executable = game / "Versions" / "Base75689" / "SC2_x64"
    executable.parent.mkdir(parents=True)
    executable.write_text("", encoding="utf-8")
    (game / "Maps" / "Ladder").mkdir(parents=True)
    (game / "Maps" / "Ladder" / "Quartz.SC2Map").write_text("", encoding="utf-8")
    monkeypatch.setenv("SC2PATH", str(game))
    assert local.real_game()
    assert local.real_maps() == ["Quartz"]
    assert not local.use_embedded("auto", FakeEngine())
    assert local.use_embedded("sim", FakeEngine())
    from sc2.paths import Paths  # looks for a game when touched: not while pytest collects

    assert executable == Paths.EXECUTABLE  # as a client in this process would leave it
    monkeypatch.setenv("SC2PATH", str(tmp_path / "nowhere"))
    assert not local.real_game(), "what was found in one folder must not stick"


def test_an_edited_config_that_is_wrong_is_one_line_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "edited.toml").write_text("first = \n", encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(config.resources, "files", lambda _: tmp_path)
        with pytest.raises(ValueError, match=r"^bot/config/edited.toml: Invalid value \(at line 1, column 9\)$"):
            config.load("edited")
    local.check_config()
    edited = {"mine": {"steps": [{"at": 14, "build": "FABRIK"}]}}
    with monkeypatch.context() as patched:
        patched.setattr(build_order, "load", lambda _: edited)
        with pytest.raises(ValueError, match=r"^build order mine, step 1: no such type 'FABRIK'$"):
            local.check_config()
    armies = {**config.load("composition"), "army": [{"reason": "", "units": {"MARIN": 1.0}}]}
    monkeypatch.setattr(decide, "load", lambda name: armies if name == "composition" else config.load(name))
    with pytest.raises(options.UsageError, match="'MARIN'"):
        local.check_config()
