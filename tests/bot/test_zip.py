"""The ladder zip holds what the ladder runs, and nothing else."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tools import make_zip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in (
        "run.py",
        "ladderbots.json",
        "README.md",
        "bot/main.py",
        "bot/config/army.toml",
        "bot/__pycache__/main.cpython-311.pyc",
        "bot/.hidden",
        "bot/tests/test_main.py",
        "models/card.md",
        "models/teachers/card.md",
        "sim/engine.py",
        "data/opponent.json",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return tmp_path


def test_it_holds_the_player_only(project: Path, tmp_path: Path) -> None:
    target = tmp_path / "dist" / "bot.zip"
    make_zip.make_zip(project, target)
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == [
            "bot/config/army.toml",
            "bot/main.py",
            "ladderbots.json",
            "models/card.md",
            "run.py",
        ]
        assert archive.testzip() is None
        assert all(entry.external_attr >> 16 == 0o100644 for entry in archive.infolist())
    assert [path.name for path in target.parent.iterdir()] == ["bot.zip"], "nothing unfinished may stay behind"


def test_same_sources_same_bytes(project: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    make_zip.make_zip(project, first)
    (project / "run.py").touch()
    make_zip.make_zip(project, second)
    assert first.read_bytes() == second.read_bytes()


def test_too_big_is_refused_and_the_old_zip_stays(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "bot.zip"
    make_zip.make_zip(project, target)
    before = target.read_bytes()
    monkeypatch.setattr(make_zip, "LIMIT", 100)
    with pytest.raises(ValueError, match="limit"):
        make_zip.make_zip(project, target)
    assert target.read_bytes() == before


def test_the_real_zip_is_accepted_by_the_ladder(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "Ironsight.zip"
    assert make_zip.main([str(target)]) == 0
    assert target.stat().st_size <= make_zip.LIMIT
    with zipfile.ZipFile(target) as archive:
        names = archive.namelist()
        # The ladder's own check: the literal name, not ./run.py or Ironsight/run.py.
        assert "run.py" in names
        assert {name.split("/")[0] for name in names} <= {"run.py", "ladderbots.json", "bot", "models"}
