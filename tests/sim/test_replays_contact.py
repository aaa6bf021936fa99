"""What either side killed after the first fight: real ones from their events, ours from the score, and the report."""

from __future__ import annotations

import dataclasses
import gzip

import pytest

from sim.replays import command
from sim.replays.contact import Contact, killed, really_killed, report
from sim.replays.drive import new_game, play
from sim.replays.reader import RealEvent, RealGame, read_games
from tests.sim.replay_files import commands, write


@pytest.fixture
def real(tmp_path, terrain) -> RealGame:
    write(tmp_path, terrain, commands(terrain), extra_events=[[600, "X", 401 << 18, "", 0, 5, 5, [2, 7]]])
    (game,) = read_games(tmp_path, {"abc12345"})
    return game


def test_the_reader_tells_who_killed(real) -> None:
    assert [(event.loop, event.killer) for event in real.events if event.kind == "X"] == [(600, 2)]


def test_a_kill_counts_by_the_last_type_in_its_window_and_for_the_enemy_alone(real) -> None:
    born = [(1, "Marine", 1), (2, "SiegeTank", 2), (3, "Marine", 1), (4, "Marine", 1), (5, "Larva", 2)]
    events = [RealEvent(10, "B", key, name, owner, 0, 0, -1) for key, name, owner in born]
    events.append(RealEvent(20, "T", 2, "SiegeTankSieged", 0, 0, 0, -1))
    deaths = [(700, 1, 2), (701, 2, 1), (702, 3, 1), (900, 4, 2), (701, 5, 1), (701, 6, 1)]
    events += [RealEvent(loop, "X", key, "", 0, 0, 0, -1, by) for loop, key, by in deaths]
    game = dataclasses.replace(real, events=tuple(sorted(events)))
    assert really_killed(game, 700, 800) == (275.0, 0.0), "the tank; not the own Marine, the larva or an unknown unit"
    assert really_killed(game, 699, 900) == (275.0, 100.0), "Marines of player 1, before and after"


def test_ours_is_read_off_the_score_at_the_marks(real, terrain) -> None:
    game = new_game(real, terrain)
    victim = game.spawn(game.facts.ids["Marine"], 2, 30.5, 30.5)
    game.units[victim]["hp"] = 1
    game.spawn(game.facts.ids["Marine"], 1, 33.5, 30.5)
    game.step(60)
    assert killed(game) == (50.0, 0.0)
    trace = play(real, terrain, 40, marks=(10, 40))
    assert trace.killed == {10: (0.0, 0.0), 40: (0.0, 0.0)}


def test_ranks_and_ratios_by_hand() -> None:
    same = report(
        [Contact("a", (100, 200), (200, 400)), Contact("b", (300, 50), (600, 100)), Contact("c", (0, 0), (0, 9))]
    )
    assert "3 games, 6 sides" in same
    assert "rank correlation over sides: 0.99" in same, "one tie of ours"
    assert "ours / real: median 0.50 (0.50 to 0.50)" in same, "of the four sides that lost a hundred or more"
    assert "ahead in 2 of 2 games" in same
    turned = report([Contact("a", (100, 300), (300, 100)), Contact("b", (300, 200), (100, 400))])
    assert "ahead in 0 of 2 games" in turned
    assert "rank correlation over games: -" in turned, "two games have no ranks worth the name"


def test_the_command_plays_on_past_the_first_fight_of_who_both_gave_commands(tmp_path, terrain, capsys) -> None:
    folder = tmp_path / "replays"
    folder.mkdir()
    write(folder, terrain, commands(terrain))
    asked = ["--data", str(tmp_path), "--game", "abc12345", "--past", "50", "--seed", "2"]
    assert command.main(asked) == 0
    alone = capsys.readouterr().out
    assert "700 loops" in alone, "one side's commands are unknown"
    assert "after contact" not in alone
    file = folder / "commands-dev.jsonl.gz"
    text = gzip.decompress(file.read_bytes()).decode().replace('"commands":0', '"commands":1')
    file.write_bytes(gzip.compress(text.encode()))
    assert command.main(asked) == 0
    both = capsys.readouterr().out
    assert "750 loops" in both
    assert "abc12345: killed 0 : 0, really 0 : 0" in both
    assert command.main([*asked, "--until", "320"]) == 0
    before = capsys.readouterr().out
    assert "after contact" not in before, "the first fight was not reached"
    first = next(line for line in before.splitlines() if line.startswith("LE-ai"))
    assert first.split()[3:] == ["320", "asked", "for"], "no column `fight` either"
