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


def test_an_unknown_map_is_one_line(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["soak", "Nowhere"]) == 2
    error = capsys.readouterr().err
    assert "unknown map 'Nowhere'" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("arguments", [("--games", "0"), ("--until", "x"), ("--again", "-1"), ("--seed", "1.5")])
def test_numbers_out_of_range_are_named(arguments: tuple[str, str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as end:
        cli.main(["soak", *arguments])
    assert end.value.code == 2
    assert f"{arguments[1]!r} is not a whole number" in capsys.readouterr().err
