"""The part of the comparison in which real games are given again: its rows, its targets, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.fidelity import games, report
from sim.fidelity.workshop import RefusedError, Row
from sim.replays.table import LINES, Line
from tests.sim.replay_files import commands, write


@pytest.fixture
def data(tmp_path: Path, terrain) -> Path:
    """A folder like the real one, with one small game on a shipped map."""
    for name in ("replays", "recordings"):
        (tmp_path / name).mkdir()
    write(tmp_path / "replays", terrain, commands(terrain))
    return tmp_path


def test_a_game_becomes_rows_by_prefix_with_what_is_asked(data: Path) -> None:
    found = {row.what: row for row in games.games(data)}
    title = "LE-ai 4.10.0, Terran"
    assert {name.rsplit(" at ", 1)[1] for name in found} == {"fight"}, "it ends before loop 800"
    places = found[f"{title}: structures at their place % at fight"]
    assert (places.real, places.slack) == (100, 0)
    bound = found[f"{title}: binding % at fight"]
    assert bound.real == 100
    assert bound.ours > 60
    assert f"{title}: minerals gathered, %, worst tenth at fight" in found
    assert not any("signed" in name for name in found), "nothing is asked of these"


def test_figures_are_held_to_the_median_and_to_the_tail() -> None:
    sides = [{"minerals gathered, %": value, "binding %": 100 - value} for value in (0.0, 1.0, 1.5, 2.0, 9.0)]
    found = {row.what: row for row in games.rows({"a": {"1600": sides}})}
    verdicts = {name: (row.ours, row.verdict) for name, row in found.items()}
    assert verdicts == {
        "a: binding % at 1600": (98.5, "differs"),
        "a: minerals gathered, % at 1600": (1.5, "within"),
        "a: minerals gathered, %, worst tenth at 1600": (pytest.approx(6.2), "differs"),
    }


def test_without_games_on_recorded_maps_the_part_is_left_out(data: Path) -> None:
    with pytest.raises(RefusedError, match="needs --data"):
        games.games(None)
    (data / "recordings").rmdir()
    with pytest.raises(RefusedError, match="no game in"):
        games.games(data)


def test_what_is_asked_is_told_in_words() -> None:
    asked = {line.name: line.asked for line in LINES}
    assert asked["binding %"] == ">= 99"
    assert asked["structures at their place %"] == "100"
    assert asked["supply made"] == "0"
    assert asked["minerals gathered, %"] == "<= 2 / 5"
    assert Line("shown only").asked == ""


def test_the_page_names_what_differs_where_the_best_is_nothing_off() -> None:
    part = report.Part("games", "a title", "real ones", lambda patch, data: [])
    rows = [Row(f"a: refused, % at {loop}", ours, 0, 1) for loop, ours in (("800", 3), ("1600", 5), ("fight", 0.5))]
    text = report.markdown([(part, rows)], "5.0.14")
    assert "| games: a: refused, % at 1600 | 5 | 0 |" in text
    assert "| a title | real ones | 3 | 0 | 1 | 2 |" in text
    shown = report.table("a title", rows, whole=False)
    assert "+5" in shown
    assert "worst a: refused, % at 1600: +5" in shown
