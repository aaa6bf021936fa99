"""The first minutes of a real game on the engine: the economy grows as it should, without a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_the_first_minutes_of_macro(root: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "run.py", "--engine", "sim", "--opponent", "zerg:veryeasy", "--seed", "3"]
    command += ["--game-time-limit", "270", "--report", str(report)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=280, check=False)
    assert report.exists(), done.stdout + done.stderr
    result = json.loads(report.read_text())
    assert result["errors"] == []
    built = result["units_built"]
    assert built["SCV"] >= 15
    assert built["MARINE"] >= 3
    assert built["COMMANDCENTER"] >= 1
    assert built["BARRACKS"] >= 2
    assert built["FACTORY"] >= 1
    assert built["REFINERY"] >= 1
    assert built["SUPPLYDEPOT"] >= 3
    assert result["units_lost"] <= 5
    said = [decision["reason"] for decision in result["decisions"]]
    assert "the enemy stays on one base: expecting an early attack" in said, "the scout looks, and looks again"
