"""The scripted micro in real fights on the engine, against the same armies that only attack-move."""

from __future__ import annotations

import os
import statistics
from pathlib import Path

import pytest

from tools import drill

NAMES = ["marines-banelings", "reapers-zerglings"]


@pytest.fixture(scope="module")
def trainer(root: Path) -> drill.Trainer:
    before = os.environ.get("SC2PATH")
    try:
        return drill.play(NAMES, rounds=1)
    finally:
        os.environ.pop("SC2PATH")
        if before is not None:
            os.environ["SC2PATH"] = before


@pytest.mark.parametrize("name", NAMES)
def test_micro_beats_a_plain_attack(trainer: drill.Trainer, name: str) -> None:
    micro, plain = trainer.scores[name, True], trainer.scores[name, False]
    assert len(micro) == len(plain) == 1
    assert statistics.mean(micro) > statistics.mean(plain)


def test_no_rule_failed(trainer: drill.Trainer) -> None:
    assert not trainer.guard.errors


def test_the_table_shows_the_gain(trainer: drill.Trainer) -> None:
    lines = drill.table(trainer, NAMES).splitlines()
    assert [line.split()[0] for line in lines[1:]] == NAMES


def test_unknown_drills_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert drill.main(["no-such-drill"]) == 2
    assert "there are: marines-zerglings" in capsys.readouterr().err
