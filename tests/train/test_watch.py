"""The page that plays one battle."""

from __future__ import annotations

import json
import re

import pytest

from train.cli import main


def data_of(path) -> dict:
    """What a page holds."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r"^const D = (\{.*\});$", text, re.MULTILINE).group(1).replace("<\\/", "</"))


@pytest.mark.parametrize("policy", ["scripted", "attack"])
def test_a_battle_becomes_a_page(tmp_path, capsys, policy):
    out = tmp_path / "fight.html"
    assert main(["watch", "3m", "--policy", policy, "--out", str(out)]) == 0
    record = data_of(out)
    assert f"{record['result']} after {len(record['frames'])} decisions" in capsys.readouterr().out
    first, last = record["frames"][0]["units"], record["frames"][-1]["units"]
    assert len(first) == 6
    assert len(last) < 6, "somebody died"
    assert {record["kinds"][unit[1]]["name"] for unit in first} == {"Marine", "Marine_RL"} or len(record["kinds"]) == 1
    assert any(unit[8] >= 0 for frame in record["frames"] for unit in frame["units"]), "shots are shown"
    assert "http" not in out.read_text(encoding="utf-8"), "nothing is loaded from elsewhere"


def test_mistakes_are_one_line(tmp_path, capsys):
    assert main(["watch", "nowhere", "--out", str(tmp_path / "x.html")]) == 2
    assert main(["watch", "3m", "--policy", "nobody", "--out", str(tmp_path / "x.html")]) == 2
    assert main(["watch", "drills", "--out", str(tmp_path / "x.html")]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert not (tmp_path / "x.html").exists()
