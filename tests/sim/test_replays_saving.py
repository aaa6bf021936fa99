"""Real games again: what is given again, and who pays for what first."""

from __future__ import annotations

from sim.facts import load as load_facts
from sim.melee.records import Result
from sim.replays import drive
from sim.replays.drive import new_game, play
from sim.replays.prompter import Known
from sim.replays.reader import read_games
from tests.sim.replay_files import BUILD_BARRACKS, BUILD_DEPOT, SMART, TRAIN_SCV, write

LOST, BARRACKS = (number << 18 | 1 for number in (200, 201))
TRAIN_REAPER = 561


def site_beside(terrain, dx, dy):
    """A place for a structure so far from the first start, on the side of the map's middle."""
    x, y = terrain.starts[0]
    return [int(x) + (dx if x < terrain.width / 2 else -dx), int(y) + dy]


def test_a_group_that_has_lost_somebody_does_what_it_is_told_once(tmp_path, terrain):
    """Told again in every loop as one without a counterpart, the others would train one each time there is money."""
    x, y = (int(v) for v in terrain.starts[0])
    write(
        tmp_path,
        terrain,
        [[0, 1, TRAIN_SCV, 0, None, [0, 4]]],
        extra_units=[[LOST, "CommandCenter", 1, 0, x, y + 9, 0]],
    )
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 640, Known(frozenset({0})), 400)
    assert trace.verdicts == [0], "one of them has no counterpart"
    assert trace.samples[1][640].counts["SCV"] == 13


def test_what_is_refused_for_another_reason_than_money_holds_up_nothing(tmp_path, terrain):
    site = site_beside(terrain, 12.5, 0.5)
    write(tmp_path, terrain, [[200, 1, BUILD_BARRACKS, 0, site, [1]], [201, 1, TRAIN_SCV, 0, None, [0]]])
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 240, Known(frozenset({0, 1})))
    assert trace.verdicts == [Result.TECH_REQUIREMENTS_NOT_MET, Result.SUCCESS]


def test_who_saves_spends_what_is_left_over_and_waits_with_what_is_not(tmp_path, terrain, monkeypatch):
    """A Reaper lacks gas: an SCV is trained as soon as the bank holds the minerals of both."""
    facts = load_facts("4.10.0")
    x, y = terrain.starts[0]
    at = x + (9 if x < terrain.width / 2 else -9), y
    games = []

    def with_barracks(*arguments):
        games.append(new_game(*arguments))
        games[-1].spawn(facts.ids["Barracks"], 1, *at)
        return games[-1]

    monkeypatch.setattr(drive, "new_game", with_barracks)
    cell = [int(at[0] - 0.5), int(at[1] - 0.5)]
    orders = [[5, 1, TRAIN_REAPER, 0, None, [4]], [6, 1, TRAIN_SCV, 0, None, [0]]]
    write(
        tmp_path,
        terrain,
        orders,
        extra_events=[[0, "B", BARRACKS, "Barracks", 1, *cell]],
        extra_units=[[BARRACKS, "Barracks", 1, 0, *cell, 0]],
    )
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 300, Known(frozenset({0, 1})), 250)
    assert trace.verdicts == [Result.NOT_ENOUGH_VESPENE, Result.NOT_ENOUGH_MINERALS]
    assert list(trace.held) == [1], "the Reaper is never paid for"
    assert 60 < trace.held[1] < 200, "not before there are 100 minerals"
    hall = games[-1].owned(1, "CommandCenter")[0]
    assert games[-1].units[hall]["job_count"] == 1


def test_what_a_town_hall_saves_for_is_not_called_off_by_a_rally_point(tmp_path, terrain):
    """As a unit's next order would: bots call MULEs, scan and rally while they save."""
    site = site_beside(terrain, 8, 0)
    orders = [[5, 1, TRAIN_SCV, 0, None, [0]], [6, 1, TRAIN_SCV, 0, None, [0]], [20, 1, SMART, 0, site, [0]]]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 300, Known(frozenset({0, 1, 2})), 250)
    assert trace.verdicts == [Result.SUCCESS, Result.NOT_ENOUGH_MINERALS, Result.SUCCESS]
    assert list(trace.held) == [1]


def test_what_one_bank_does_not_pay_in_one_loop_is_refused_and_given_again(tmp_path, terrain):
    """The engine judges both SCVs by the same bank, and drops the second one silently when it carries them out."""
    write(tmp_path, terrain, [[5, 1, TRAIN_SCV, 0, None, [0]], [5, 1, TRAIN_SCV, 0, None, [0]]])
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 700, Known(frozenset({0, 1})), 250)
    assert trace.verdicts == [Result.SUCCESS, Result.NOT_ENOUGH_MINERALS]
    assert list(trace.held) == [1]
    assert trace.samples[1][640].counts["SCV"] == 14


def test_what_the_real_game_refused_does_not_spend_what_is_saved(tmp_path, terrain):
    """Of two commands the real bank paid the first; ours is short of it and has enough for the second."""
    site = site_beside(terrain, 12.0, 0.0)
    write(tmp_path, terrain, [[5, 1, BUILD_DEPOT, 0, site, [1]], [5, 1, TRAIN_SCV, 0, None, [0]]])
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 320, Known(frozenset({0})), 250)
    assert trace.verdicts == [Result.NOT_ENOUGH_MINERALS, Result.NOT_ENOUGH_MINERALS]
    assert list(trace.held) == [0]
    assert trace.samples[1][320].counts["SCV"] == 12


def test_what_waits_is_saved_for(tmp_path, terrain):
    """The worker that is to build is born 30 loops later here; meanwhile the real game refused an SCV."""
    site = site_beside(terrain, 12.0, 0.0)
    orders = [
        [30, 1, TRAIN_SCV, 0, None, [0]],
        [290, 1, BUILD_DEPOT, 0, site, [3]],  # born at 272
        [291, 1, TRAIN_SCV, 0, None, [0]],
    ]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    trace = play(real, terrain, 320, Known(frozenset({0, 1})), 200)
    assert trace.verdicts == [Result.SUCCESS, Result.SUCCESS, Result.NOT_ENOUGH_MINERALS]
    hasty = play(real, terrain, 320, Known(frozenset({0})), 200)
    assert hasty.verdicts[2] == Result.SUCCESS, "there was money for it"
