"""Real games again: reading their files, finding counterparts, telling effects, measuring, and one real game."""

from __future__ import annotations

import dataclasses

import pytest

from sim.facts import load as load_facts
from sim.maps import load
from sim.melee.game import Game
from sim.replays import command
from sim.replays.drive import Sample, Trace, new_game, play
from sim.replays.effects import effects
from sim.replays.metrics import census, gathered, measure, real_gathered, refusals
from sim.replays.prompter import Drift, Known
from sim.replays.reader import (
    CLIENT_POINT,
    NO_TARGET,
    UNKNOWN,
    RealCommand,
    RealEvent,
    RealGame,
    ReplayError,
    read_games,
    read_heads,
)
from sim.replays.table import Line, cell, reasons, table
from tests.sim.replay_files import (
    BORN,
    DEPOT,
    HALL,
    MOVE,
    SCV,
    SMART,
    commands,
    write,
)

TECH_LAB = 421  # of a Barracks


@pytest.fixture
def real(tmp_path, terrain) -> RealGame:
    write(tmp_path, terrain, commands(terrain))
    (game,) = read_games(tmp_path, {"abc12345"})
    return game


def test_the_reader_gives_commands_events_and_statistics_in_plain_terms(real, terrain):
    assert (real.patch, real.sides, real.fight_loop, real.terrain) == ("4.10.0", (1,), 700, terrain.name)
    train, move, smart, filled_in, remembered = real.commands[:5]
    assert (train.units, train.target, train.has_point) == ((HALL,), NO_TARGET, False)
    assert move.has_point
    assert move.flags == 1
    assert (smart.target, smart.has_point) == (HALL, False)
    assert (filled_in.target, filled_in.has_point) == (NO_TARGET, False), "the client, not the player, gave the point"
    assert (remembered.target, remembered.x) == (UNKNOWN, 7.5)
    assert len(real.commands) == 8, "chat is no command"
    born = next(event for event in real.events if event.key == BORN)
    assert (born.kind, born.creator, born.player) == ("B", HALL, 1)
    assert next(event for event in real.events if event.kind == "U").type == "Stimpack"
    assert real.stats[1][1][1]["MineralsCurrent"] == 30


def test_games_that_are_not_wanted_or_not_tracked_are_left_out(tmp_path, terrain):
    write(tmp_path, terrain, commands(terrain))
    assert list(read_games(tmp_path, {"other"})) == []
    (tmp_path / "tracker-dev.jsonl.gz").unlink()
    assert list(read_games(tmp_path, {"abc12345"})) == []
    with pytest.raises(ReplayError):
        read_heads(tmp_path / "nowhere")


def test_effects_are_given_to_the_command_that_explains_them(real):
    known = effects(real, load_facts("4.10.0"))
    assert known.commands == {0, 6}, "the second SCV never came; of equal orders the latest before the start counts"
    assert known.idle == {BORN}, "272 loops after its order"
    assert known.waiting == ((1, 300, 400, 100, 0),), "paid since the first of the equal orders"


def test_an_add_on_is_the_work_of_the_host_beside_it(real):
    """Two barracks are told at once to build one, and there is money for the first only."""
    told = [RealCommand(500, 1, TECH_LAB, CLIENT_POINT, NO_TARGET, 0.0, 0.0, False, (key,)) for key in (7, 8)]
    events = [RealEvent(300, "I", 7 + n, "Barracks", 1, 30, 20 + 5 * n, -1) for n in range(2)]
    events.append(RealEvent(500, "I", 9, "BarracksTechLab", 1, 33, 20, -1))
    known = effects(dataclasses.replace(real, commands=tuple(told), events=tuple(events)), load_facts("4.10.0"))
    assert known.commands == {0}


def test_real_minerals_count_what_is_paid_but_not_begun(real):
    truth = real_gathered(real, effects(real, load_facts("4.10.0")), 1)
    assert gathered(real.stats[1][1][1], "Minerals", 1050) == 30
    assert truth == {320: (130.0, 0.0), 480: (160.0, 0.0)}


def test_the_engine_plays_the_commands_and_finds_the_counterparts(real, terrain):
    known = effects(real, load_facts("4.10.0"))
    trace = play(real, terrain, 640, Known(known.commands))
    assert trace.verdicts[:2] == [1, 1]
    assert trace.happened["B", BORN] == 272
    assert 300 < trace.happened["I", DEPOT] < 640
    assert set(trace.samples[1]) == {160, 320, 480, 640}
    values = measure(real, trace, known, 1, 480)
    assert values["birth of idle producers, loops"] == 0
    assert values["structures at their place %"] == 100
    assert values["binding %"] == 100


def test_refusals_are_counted_by_their_reason(real, terrain):
    known = effects(real, load_facts("4.10.0"))._replace(commands=frozenset({0, 5, 6, 7}))
    trace = Trace(640, (1,), verdicts=[9, 1, 1, 1, 1, 1, 0, 9], held={7: 4})
    counts = refusals(real, trace, known, 1, 640)
    assert counts == {("not enough minerals", True): 1, ("no counterpart", True): 1, ("not enough minerals", False): 1}
    first, *rest = reasons("Set, Race", counts).splitlines()
    assert "in time again" in first
    assert [line.split()[-2:] for line in rest] == [["1", "1"], ["0", "1"]]
    assert "no effective command" in reasons("Set, Race", {})


def test_player_starts_are_those_of_the_real_game(real, terrain):
    game = new_game(real, terrain)
    for player in (1, 2):
        (hall,) = game.owned(player, "CommandCenter")
        assert (game.units[hall]["x"], game.units[hall]["y"]) == terrain.starts[player - 1]


def test_ways_between_sightings_do_not_depend_on_where_they_began(real):
    trace = Trace(480, (1,), samples={1: {}})
    trace.drifts = [
        Drift(100, 1, 5.0, 7, ours=(5.0, 0.0), real=(0.0, 0.0)),
        Drift(110, 1, 8.0, 7, ours=(5.0, 2.0), real=(1.5, 0.0)),  # half a cell farther
        Drift(120, 1, 8.0, 7, ours=(5.0, 4.0), real=(1.5, 0.1)),  # the real one has stopped
        Drift(400, 1, 8.0, 7, ours=(5.0, 9.0), real=(9.5, 0.0)),  # too late
        Drift(410, 1, 1.0, 8, ours=(0.0, 0.0), real=(0.0, 1.0)),  # another one
    ]
    values = measure(real, trace, effects(real, load_facts("4.10.0")), 1, 480)
    assert values["way between two sightings, cells"] == pytest.approx(0.5)


def test_figures_by_hand(real):
    known = effects(real, load_facts("4.10.0"))
    trace = Trace(480, (1,), verdicts=[1, 1, 1, 1, 0, 9, 9, 1])
    trace.held[6] = 4
    trace.samples[1] = {
        320: Sample(143, 0, 13, 15, {"SCV": 5}),
        480: Sample(160, 0, 1, 0, {"SCV": 6, "CommandCenter": 1}),
    }
    trace.happened = {("B", BORN): 274, ("I", DEPOT): 390}
    trace.drifts = [Drift(100, 1, 1.0), Drift(200, 1, 3.0), Drift(100, 2, 50.0)]
    values = measure(real, trace, known, 1, 480)
    assert values["binding %"] == pytest.approx(100 * 6 / 7), "one of seven commands named an unknown unit"
    assert values["refused at first, effective %"] == 50
    assert values["the same, but for money, %"] == 0, "what was refused lacked minerals"
    assert values["refused, effective %"] == 0
    assert values["minerals gathered, %"] == 0
    assert "gas gathered, %" not in values
    assert values["structure start, loops"] == 10
    assert values["structure start, loops, signed"] == -10
    assert values["birth, loops"] == 2
    assert values["position, cells"] == 2
    assert "way between two sightings, cells" not in values, "nobody was seen twice"
    early = measure(real, trace, known, 1, 320)
    assert early["minerals gathered, %"] == pytest.approx(10)
    assert early["supply used"] == 0
    assert early["supply made"] == 0


def test_a_census_follows_births_deaths_and_changes(tmp_path, terrain):
    later = [[500, "T", DEPOT, "SupplyDepotLowered"], [510, "X", BORN, "", 0, 1, 1, [None, None]]]
    write(tmp_path, terrain, commands(terrain), later)
    (real,) = read_games(tmp_path, {"abc12345"})
    before, after = census(real, 1, 490), census(real, 1, 520)
    assert (before["SCV"], before["SupplyDepot"]) == (5, 1)
    assert (after["SCV"], after["SupplyDepot"], after["SupplyDepotLowered"]) == (4, 0, 1)


def test_cells_show_the_median_and_the_worse_tail():
    games = [{"binding %": float(value), "supply used": float(value)} for value in range(11)]
    assert cell(Line("binding %", 100), games) == "5.0 / 1.0", "low is bad"
    assert cell(Line("supply used"), games) == "5.0 / 9.0"
    assert cell(Line("gas gathered, %"), games) == "-"
    text = table("a title", {"800": games, "fight": []})
    assert "a title" in text
    assert "supply used" in text
    assert "gas" not in text


def test_mistakes_of_the_user_are_one_line(tmp_path, capsys, terrain):
    assert command.main(["--data", str(tmp_path)]) == 2
    (tmp_path / "replays").mkdir()
    write(tmp_path / "replays", terrain, commands(terrain))
    assert command.main(["--data", str(tmp_path), "--game", "nothing"]) == 2
    assert command.main(["--data", str(tmp_path)]) == 2, "no recording of its map"
    whole = (tmp_path / "replays" / "commands-dev.jsonl.gz").read_bytes()
    (tmp_path / "replays" / "commands-dev.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    assert command.main(["--data", str(tmp_path)]) == 2, "half a file"
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert all(line.startswith("python -m sim resim: ") for line in lines)


@pytest.mark.parametrize("wanted", ["6f44a55e", "1bbf0fc6"])
def test_a_real_game_is_played_again(shared, wanted):
    folder = shared / "replays"
    if not (folder / "commands-dev.jsonl.gz").is_file():
        pytest.skip("no commands of real games")
    (real,) = read_games(folder, {wanted})
    facts = load_facts(real.patch)
    known = effects(real, facts)
    trace = play(real, load(real.terrain, shared / "recordings"), 1600, Known(known.commands))
    values = measure(real, trace, known, 1, 1600)
    assert values["binding %"] >= 90, "one game; the median of all is 100"
    assert values["birth of idle producers, loops"] == 0
    assert values["minerals gathered, %"] < 3
    assert values["supply made"] <= 1


def test_sightings_are_compared_with_the_loop_before(tmp_path, terrain, monkeypatch):
    """An SCV walks, a second one is aimed at it: what its client saw of it is a loop old."""
    x, y = (int(at) for at in terrain.starts[0])
    away = [x + (-20.0 if x > terrain.width / 2 else 20.0), y + 0.0]
    told = [[10, 1, MOVE, 0, away, [1]], [40, 1, SMART, 0, [1, 7.5, 8.5], [4]]]
    write(tmp_path, terrain, told, extra_units=[[SCV + 2, "SCV", 1, 0, x - 3, y + 3, 0]])
    (real,) = read_games(tmp_path, {"abc12345"})
    places, step = {}, Game.step

    def watch(game: Game, loops: int = 1) -> None:
        step(game, loops)
        for slot in game.owned(1, "SCV"):
            places[game.loop, slot] = float(game.units["x"][slot]), float(game.units["y"][slot])

    monkeypatch.setattr(Game, "step", watch)
    (seen,) = play(real, terrain, 60).drifts
    assert (seen.loop, seen.key, seen.real) == (40, SCV, (7.5, 8.5))
    (slot,) = (slot for (loop, slot), place in places.items() if loop == 39 and place == seen.ours)
    assert places[40, slot] != seen.ours
