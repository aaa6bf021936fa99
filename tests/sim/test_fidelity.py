"""The engine against measurements of the real game."""

from __future__ import annotations

import pytest

from sim import cli, fidelity, maps
from sim.facts import patches
from sim.fidelity import casts, duels, kills, makes, plain, report, setups, sight
from sim.replays.reader import read_games
from tests.sim import replay_files

# The curve is read at single loops, where one trip more or less counts. In the midst of the first trips real games
# without orders to workers stand at 25 to 40, by map and start.
FIRST_TRIPS, TOLERANCE = (" 160", " 480"), 3
ONE_TRIP, TWO_TRIPS = 5, 10


@pytest.mark.parametrize("patch", patches())
def test_structures_take_their_recorded_loops(patch):
    wrong = [row for row in fidelity.structures(patch) if row.ours != row.real]
    assert not wrong


@pytest.mark.parametrize("race", [1, 2, 3])
def test_whatever_a_race_makes_takes_the_loops_of_its_facts(race):
    rows = makes.everything(race=race)
    assert len(rows) > 60
    assert not [row for row in rows if row.verdict == "differs"]


def test_duels_last_as_long_as_the_facts_allow():
    rows = duels.duels(only=("Marine", "SiegeTankSieged", "Stalker", "Zergling", "Mutalisk", "Colossus"))
    assert len(rows) > 50
    assert not [row for row in rows if row.verdict == "differs"]


def test_kills_follow_each_other_as_in_real_games():
    rows = kills.kills(only=("SiegeTankSieged", "Stalker", "DarkTemplar", "Archon", "Ultralisk"))
    assert len(rows) == 5
    assert not [row for row in rows if row.verdict == "differs"]


def test_gaps_of_a_weapon_that_the_patch_has_changed_are_left_out():
    known = {row.what for row in kills.kills("4.10.0", only=("Cyclone", "Immortal", "Archon"))}
    assert known < {"Cyclone", "Immortal", "Archon"}
    assert "Archon" in known
    assert "Immortal" not in known, "its cooldown is longer since"


@pytest.mark.parametrize("patch", patches())
def test_who_has_set_up_kills_as_soon_as_real_ones(patch):
    rows = setups.setups(patch)
    assert len(rows) == len(setups.TANKS) + len(setups.OTHERS)
    assert not [row for row in rows if row.verdict == "differs"]


@pytest.mark.parametrize("patch", patches())
def test_casts_cost_and_cool_down_as_the_facts_say(patch):
    rows = casts.casts(patch)
    assert len(rows) > 60
    assert not [row for row in rows if row.verdict == "differs"]


def test_everybody_sees_as_far_as_the_table_says():
    assert not [row for row in sight.sight() if row.verdict == "differs"]


def test_the_table_is_put_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"above\n{report.BEGIN}\nold\n{report.END}\nbelow\n")
    report.keep(page, "new")
    assert page.read_text() == f"above\n{report.BEGIN}\nnew\n{report.END}\nbelow\n"
    page.write_text("no marks")
    with pytest.raises(ValueError, match="no lines"):
        report.keep(page, "new")
    assert page.read_text() == "no marks"
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


def test_full_queues_produce_at_the_recorded_gap():
    wrong = [row for row in fidelity.production() if row.ours != row.real]
    assert not wrong


def test_units_cover_open_ground_at_catalog_speed():
    assert all(row.apart < 0.02 for row in fidelity.travel())


@pytest.mark.parametrize("name", maps.names())
def test_trips_of_steered_workers_last_as_long_as_real_ones(name):
    rows = fidelity.trips(maps.load(name))
    assert len(rows) == 8
    off = sorted(row.ours - row.real for row in rows)
    assert max(abs(loops) for loops in off[3:]) <= 0.6
    assert off[0] > -2.5, "three fields at the hall's side are two loops short (docs/fidelity/mining.md)"
    assert abs(sum(off)) / len(off) < 1


@pytest.mark.parametrize("name", maps.names())
def test_trips_of_workers_led_home_last_as_long_as_real_ones(name):
    """The way out is theirs: it shows that nobody waits before he begins at his field (three loops in ours, once)."""
    rows = fidelity.led_home(maps.load(name))
    assert len(rows) == 8
    off = sorted(row.ours - row.real for row in rows)
    assert -4 < off[0] < -2.5, "one field is met at a corner (docs/fidelity/mining.md)"
    assert max(abs(loops) for loops in off[1:]) <= 1.2


def test_gas_comes_in_as_in_replays():
    assert all(row.apart < 0.05 for row in fidelity.gas(maps.load(maps.names()[0])))


def test_mules_come_as_often_as_in_replays_and_their_trips_are_as_long():
    interval, *trips = fidelity.mules(maps.load(maps.names()[0]))
    assert abs(interval.ours - interval.real) <= 8
    assert len(trips) == 4
    assert all(abs(row.ours - row.real) <= 3.5 for row in trips)
    assert abs(sum(row.ours - row.real for row in trips)) <= 4


@pytest.mark.parametrize("name", maps.names())
def test_minerals_follow_the_real_medians(name):
    for row in fidelity.mining(maps.load(name)):
        trips = TWO_TRIPS if row.what.endswith(FIRST_TRIPS) else ONE_TRIP
        assert abs(row.ours - row.real) <= max(trips, TOLERANCE / 100 * row.real), row


def test_sides_without_commands_mine_with_the_workers_that_the_tracker_knows(tmp_path):
    """A depot takes a worker away for as long as it is built, and one who is born comes in addition."""
    terrain = maps.load(maps.names()[0])
    x, y = (int(v) for v in terrain.starts[1])
    born = [272, "B", 900 << 18 | 1, "SCV", 2, x, y - 3]
    depot = [[400, "I", 901 << 18 | 1, "SupplyDepot", 2, x + 6, y], [880, "D", 901 << 18 | 1]]
    curves = []
    for number, extra in enumerate(([], [born], [born, *depot])):
        folder = tmp_path / str(number)
        folder.mkdir()
        replay_files.write(folder, terrain, [], extra)
        (real,) = read_games(folder, {"abc12345"})
        curves.append(plain.trips(real, 2, terrain, 960))
    alone, helped, built = curves
    assert alone[320] == helped[320] == 24
    assert 4 <= helped[960] - alone[960] <= 6
    assert 3 <= helped[960] - built[960] <= 6


def test_the_table_says_what_differs():
    text = fidelity.table("things", [fidelity.Row("depot", 481, 480), fidelity.Row("tank", 700, 720)])
    assert "depot" in text
    assert "-2.8%" in text


def test_a_missing_folder_is_one_line(tmp_path, capsys):
    assert fidelity.main(["--data", str(tmp_path / "nothing")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert fidelity.main(["--patch", "1.2.3"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert fidelity.main(["nonsense"]) == 2
    assert "structures" in capsys.readouterr().err
    assert fidelity.main(["--keep", str(tmp_path / "nowhere.md")]) == 2
    assert "nowhere.md" in capsys.readouterr().err
    assert fidelity.main(["sight", "--keep", str(tmp_path)]) == 2
    assert "name no parts" in capsys.readouterr().err


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt, 130), (BrokenPipeError, 141)])
def test_who_breaks_a_measurement_off_sees_no_traceback(error, status, monkeypatch, tmp_path):
    def stop(arguments):
        raise error

    monkeypatch.setattr(fidelity, "main", stop)
    with (tmp_path / "out").open("w") as out:  # a broken pipe's end is put aside
        monkeypatch.setattr("sys.stdout", out)
        assert cli.main(["fidelity", "sight"]) == status
