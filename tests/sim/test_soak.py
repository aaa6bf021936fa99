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


def test_rungs_meet_by_every_pair_of_races_and_on_both_sides():
    found = list(soak.rungs(162, 5, ("a", "b")))
    met = {(*game.races, *game.levels) for game in found}
    uppers = range(2, 11)
    races = itertools.product((1, 2, 3), repeat=2)
    wanted = {
        (*pair, *sides) for pair in races for upper in uppers for sides in ((upper, upper - 1), (upper - 1, upper))
    }
    assert met == wanted
    assert len({game.seed for game in found}) == 162


def test_standings_count_what_the_higher_level_won():
    def game(levels: tuple[int, int], winner: int) -> tuple[soak.Pairing, soak.Played]:
        return soak.Pairing(1, (1, 2), levels, MAP), soak.Played(winner)

    lines = soak.standings([game((3, 2), 1), game((2, 3), 2), game((2, 3), 1), game((3, 2), 0), game((10, 9), 2)])
    assert lines == ["level 3 against 2: 2 of 4 won (0.15 to 0.85)", "level 10 against 9: 0 of 1 won (0.00 to 0.79)"]


def test_rungs_end_with_their_standings(capsys: pytest.CaptureFixture[str]):
    assert cli.main(["soak", MAP, "--rungs", "--games", "1", "--until", "50", "--again", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Terran 2 v Terran 1" in lines[1]
    assert lines[-1] == "level 2 against 1: 0 of 1 won (0.00 to 0.79)"


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
