"""Games between built-in opponents in a row: all pairs, same seed same game, errors named and counted."""

from __future__ import annotations

import itertools

import pytest

from sim import cli, soak
from sim.computer import Computer
from sim.maps import load

MAP = "Simple64"


def test_every_pair_of_races_comes_in_turn_and_levels_change():
    found = list(soak.pairings(90, 5, ("a", "b")))
    assert {game.races for game in found[:9]} == set(itertools.product((1, 2, 3), repeat=2))
    assert {level for game in found for level in game.levels} == set(range(1, 11))
    assert any(game.levels[0] != game.levels[1] for game in found)
    assert len({game.seed for game in found}) == 90
    assert {game.map_name for game in found} == {"a", "b"}


def test_the_same_seed_is_the_same_game_and_another_is_not():
    first, other = soak.Pairing(3, (1, 2), (7, 7), MAP), soak.Pairing(4, (1, 2), (7, 7), MAP)
    played = [soak.play(game, load(MAP), 900, "5.0.14") for game in (first, first, other)]
    assert [game.error for game in played] == [""] * 3
    assert played[0].loops == 900
    assert played[0].state == played[1].state != played[2].state


def test_a_table_is_printed(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["soak", MAP, "--games", "2", "--until", "300", "--again", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "Terran 1 v Terran 1" in lines[1]
    assert "undecided" in lines[2]
    assert lines[3].startswith("2 games, 0 wrong, 2 undecided, 600 loops")


def test_an_error_of_a_game_is_a_row_and_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def fail(self: Computer) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(Computer, "step", fail)
    assert cli.main(["soak", MAP, "--games", "1", "--until", "50"]) == 1
    assert "ZeroDivisionError: on purpose (test_soak.py:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "text"), [(["Nowhere"], "unknown map 'Nowhere'"), (["--games", "0"], "--games and --until")]
)
def test_bad_arguments_are_one_line(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["soak", *arguments]) != 0
    error = capsys.readouterr().err
    assert text in error
    assert len(error.splitlines()) == 1
