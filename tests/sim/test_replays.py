"""Real games again: reading their files, finding counterparts, telling effects, measuring, and one real game."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from sim.facts import load as load_facts
from sim.maps import load, names
from sim.melee.game import Command
from sim.melee.harvest_places import WORK
from sim.melee.records import Result
from sim.replays import answers, command
from sim.replays.binding import Binding
from sim.replays.drive import Drift, Sample, Trace, new_game, play
from sim.replays.effects import effects
from sim.replays.metrics import census, gathered, measure, real_gathered, refusals
from sim.replays.reader import (
    NO_TARGET,
    UNKNOWN,
    RealEvent,
    RealGame,
    ReplayError,
    read_games,
    read_heads,
)
from sim.replays.table import cell, reasons, table

HALL, SCV, DEPOT, FIELD, BORN = (number << 18 | 1 for number in range(100, 105))
TRAIN_SCV, TRAIN_DRONE, BUILD_DEPOT, BUILD_BARRACKS, MOVE, SMART = 524, 1342, 319, 321, 16, 1


@pytest.fixture(scope="module")
def terrain():
    return load(names()[0])


def write(folder: Path, terrain, commands: list, extra_events: list = ()) -> None:
    """A game of two Terrans on a shipped map in the files' format; player 2 gives no commands."""
    (x1, y1), (x2, y2) = terrain.starts[:2]
    at = [int(x1) + 12, int(y1)] if x1 < terrain.width / 2 else [int(x1) - 12, int(y1)]
    head = {
        "id": "abc12345",
        "set": "LE-ai",
        "terrain": terrain.name,
        "balance": "4.10.0",
        "players": [
            {"id": 1, "name": "one", "race": "Terran", "commands": len(commands)},
            {"id": 2, "name": "two", "race": "Terran", "commands": 0},
        ],
        "loops": 900,
        "fight_loop": 700,
        "commands_until": None,
    }
    units = [
        [HALL, "CommandCenter", 1, 0, int(x1), int(y1), 0],
        [SCV, "SCV", 1, 0, int(x1) - 3, int(y1) - 3, 0],
        [DEPOT, "SupplyDepot", 1, 400, *at, 1],
        [BORN, "SCV", 1, 272, int(x1), int(y1) - 3, 0],
    ]
    lines = [{"game": head}, {"units": units}, *commands, ["chat", 5, 1, "gl hf"]]
    with gzip.open(folder / "commands-dev.jsonl.gz", "wt", encoding="utf8") as file:
        file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    corners = [(dx, dy) for dx in (-3, 3) for dy in (-3, 3)]
    events = [
        [0, "B", HALL, "CommandCenter", 1, int(x1), int(y1)],
        [0, "B", HALL + 1, "CommandCenter", 2, int(x2), int(y2)],
        *([0, "B", SCV + (n << 1), "SCV", 1, int(x1) + dx, int(y1) + dy] for n, (dx, dy) in enumerate(corners)),
        [272, "B", BORN, "SCV", 1, int(x1), int(y1) - 3, [HALL, "CommandCenterTrain"]],
        [400, "I", DEPOT, "SupplyDepot", 1, *at],
        [880, "D", DEPOT],
        [890, "U", None, "Stimpack", 1],
        *extra_events,
    ]
    stats = [
        [1, {"MineralsUsedInProgressEconomy": 50, "MineralsUsedCurrentEconomy": 1000, "FoodUsed": 13, "FoodMade": 15}],
        [320, {"MineralsCurrent": 30, "MineralsUsedCurrentEconomy": 1050, "FoodUsed": 13, "FoodMade": 15}],
        [480, {"MineralsCurrent": 60, "MineralsUsedInProgressEconomy": 100, "MineralsUsedCurrentEconomy": 1050}],
    ]
    track = {"stats": {"1": stats, "2": []}, "ev": sorted(events, key=lambda event: event[0]), "id": "abc12345"}
    with gzip.open(folder / "tracker-dev.jsonl.gz", "wt", encoding="utf8") as file:
        file.write(json.dumps(track, separators=(",", ":")) + "\n")


def commands(terrain) -> list:
    (x, y), middle = terrain.starts[0], terrain.width / 2
    at = [int(x) + 12 + 0.0, int(y) + 0.0] if x < middle else [int(x) - 12 + 0.0, int(y) + 0.0]
    return [
        [0, 1, TRAIN_SCV, 0, None, [0]],
        [10, 1, MOVE, 1, [at[0], at[1]], [1]],
        [12, 1, SMART, 0, [0, x, y], [1]],
        [14, 1, SMART, 8, [-1, 7.5, 8.5], [1]],
        [16, 1, SMART, 0, [-1, 7.5, 8.5], [1]],
        [300, 1, BUILD_DEPOT, 0, at, [1]],
        [310, 1, BUILD_DEPOT, 0, at, [1]],
        [500, 1, TRAIN_SCV, 0, None, [0]],
    ]


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


def test_real_minerals_count_what_is_paid_but_not_begun(real):
    truth = real_gathered(real, effects(real, load_facts("4.10.0")), 1)
    assert gathered(real.stats[1][1][1], "Minerals", 1050) == 30
    assert truth == {320: (130.0, 0.0), 480: (160.0, 0.0)}


def test_the_engine_plays_the_commands_and_finds_the_counterparts(real, terrain):
    known = effects(real, load_facts("4.10.0"))
    trace = play(real, terrain, 640, known.commands)
    assert trace.verdicts[:2] == [1, 1]
    assert trace.happened["B", BORN] == 272
    assert 300 < trace.happened["I", DEPOT] < 640
    assert set(trace.samples[1]) == {160, 320, 480, 640}
    values = measure(real, trace, known, 1, 480)
    assert values["birth of idle producers, loops"] == 0
    assert values["structures at their place %"] == 100
    assert values["binding %"] == 100


def test_what_a_builder_was_told_after_the_real_start_waits_for_ours(tmp_path, terrain):
    (x, y), middle = terrain.starts[0], terrain.width / 2
    site = [int(x) + (12.0 if x < middle else -12.0), int(y) + 0.0]
    orders = [[395, 1, BUILD_DEPOT, 0, site, [1]], [401, 1, MOVE, 0, [x, y], [1]]]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    known = effects(real, load_facts("4.10.0"))
    assert known.begun == {0: (400, DEPOT)}
    trace = play(real, terrain, 640, known.commands, 200, begun=known.begun)
    assert 405 < trace.happened["I", DEPOT] < 600, "the walk from the fields takes longer than five loops"
    assert trace.verdicts == [1, 1]
    hasty = play(real, terrain, 640, known.commands, 0, begun=known.begun)
    assert ("I", DEPOT) not in hasty.happened, "without patience the worker is called off"


def test_what_rests_on_something_that_comes_later_here_waits_for_it(tmp_path, terrain):
    (x, y), middle = terrain.starts[0], terrain.width / 2
    inward = 1.0 if x < middle else -1.0
    site = [int(x) + 12.0 * inward, int(y) + 0.0]
    orders = [
        [30, 1, TRAIN_SCV, 0, None, [0]],
        [274, 1, MOVE, 0, [x + 9 * inward, y], [3]],  # the new worker, born at 272
        [395, 1, BUILD_DEPOT, 0, site, [1]],
        [882, 1, BUILD_BARRACKS, 0, [int(x) + 7.5 * inward, int(y) + 6.5], [1]],  # the depot was complete at 880
    ]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    known = effects(real, load_facts("4.10.0"))
    trace = play(real, terrain, 1100, frozenset({0, 2, 3}), 200, begun=known.begun)
    assert trace.happened["B", BORN] == 302
    assert trace.happened["D", DEPOT] > 882
    assert trace.verdicts == [1, 1, 1, 1]
    assert not trace.held, "nothing was refused"
    hasty = play(real, terrain, 1100, frozenset({0, 2, 3}), 0, begun=known.begun)
    assert hasty.verdicts == [1, 0, 1, Result.TECH_REQUIREMENTS_NOT_MET]


def test_two_eggs_that_hatch_at_once_have_two_counterparts():
    """Real larvae of one hatchery: both drones are found, however near their eggs lie."""
    born = [RealEvent(0, "B", 1, "Hatchery", 1, 5, 5, -1)]
    born += [RealEvent(0, "B", 10 + n, "Larva", 1, 5, 2, 1) for n in range(3)]
    born += [RealEvent(273, "B", 20 + n, "Drone", 1, 5, 2, 10 + n) for n in range(2)]
    terrain = load(names()[0])
    x, y = (int(v) for v in terrain.starts[0])
    other = RealEvent(0, "B", 2, "Hatchery", 2, int(terrain.starts[1][0]), int(terrain.starts[1][1]), -1)
    events = [other, *(event._replace(x=event.x - 5 + x, y=event.y - 5 + y) for event in born)]
    owners = {event.key: event.player for event in events}
    real = RealGame("game", "set", terrain.name, "5.0.14", {1: "Zerg", 2: "Zerg"}, (1,), 400, 400, (),
                    owners, tuple(events), {1: [], 2: []})  # fmt: skip
    game = new_game(real, terrain)
    binding = Binding(game, real, (1,))
    game.players[1]["minerals"] = 500
    first, second = (binding.slot(10 + n) for n in range(2))
    for name in ("x", "y"):
        game.units[second][name] = game.units[first][name]
    for slot in (first, second):
        assert game.issue(Command(1, TRAIN_DRONE, (game.tag(slot),))) == 1
    for _ in range(280):
        game.step()
        binding.update(frozenset())
    assert {("B", 20), ("B", 21)} <= binding.happened.keys()


def test_what_a_worker_is_told_on_its_trips_waits_for_it(tmp_path, terrain):
    x, y = terrain.starts[0]
    orders = [
        [60, 1, MOVE, 0, [x + 3, y], [1]],
        [60, 1, SMART, 1, [0, x, y], [1]],
        [110, 1, MOVE, 0, [x - 5, y], [1]],
        [118, 1, SMART, 1, [2, x, y], [1]],
        [122, 1, BUILD_DEPOT, 0, [x + 9, y], [1]],
    ]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    homeward, outward, onward = answers.HOMEWARD, answers.OUTWARD, answers.ONWARD
    assert answers.answers(real, load_facts("4.10.0")) == {0: homeward, 1: homeward, 2: outward, 3: onward}
    early, now, past = answers.EARLY, answers.NOW, answers.PAST
    game = new_game(real, terrain)
    trips = answers.Trips(game)
    worker = game.owned(1, "SCV")[0]

    def play_while(loaded: bool, sort: int, when: int) -> None:
        while bool(game.units[worker]["carry"]) == loaded:
            assert trips.when(worker, sort, game.loop) == when
            game.step()
            trips.update()

    play_while(False, homeward, early)
    assert trips.when(worker, homeward, game.loop) == now
    play_while(True, outward, early)
    assert trips.when(worker, outward, game.loop) == now
    assert trips.when(worker, onward, game.loop) == past, "it gathers already"
    assert trips.when(worker, homeward, game.loop + answers.AHEAD) == past, "a load that is home already"
    assert trips.when(worker, homeward, game.loop + answers.AHEAD + 1) == early, "the next one"
    assert trips.when(worker, homeward, game.loop - answers.PATIENT - 1) == past, "not for ever"
    while game.units[worker]["harvest_stage"] != WORK:
        game.step()
    assert trips.when(worker, outward, game.loop) == past, "it need not be sent to the field any more"
    field = int(game.units[worker]["harvest_target"])
    for ability, more in ((MOVE, {"x": x, "y": y, "has_point": True}), (SMART, {"target_tag": game.tag(field)})):
        game.issue(Command(1, ability, (game.tag(worker),), queued=ability == SMART, **more))
    game.step()
    assert trips.when(worker, homeward, game.loop + 2 * answers.AHEAD) == early, "it is on its way to the field"


def test_a_worker_that_loads_late_is_told_all_of_its_trip_as_late(tmp_path, terrain):
    x, y = terrain.starts[0]
    orders = [
        [20, 1, SMART, 0, [0, x, y], [1]],
        [30, 1, MOVE, 0, [x + 3, y], [1]],
        [30, 1, SMART, 1, [0, x, y], [1]],
        [40, 1, MOVE, 0, [x - 5, y], [1]],
        [90, 1, SMART, 0, [0, x, y], [1]],
        [95, 1, BUILD_DEPOT, 0, [x + 9, y], [1]],
    ]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    load, onwards, _, outward, next_load, depot = real.commands
    game = new_game(real, terrain)
    trips = answers.Trips(game)

    def tell(command, sort: int, late: int) -> None:
        while game.loop < command.loop + late:
            game.step()
        trips.told(command, sort)

    assert trips.late(load, answers.HOMEWARD) == 0, "nothing was late yet"
    tell(load, answers.HOMEWARD, 7)
    assert trips.late(onwards, answers.HOMEWARD) == trips.late(outward, answers.OUTWARD) == 7
    assert trips.late(depot, 0) == 0, "that answers to something else"
    tell(onwards, answers.HOMEWARD, 7)
    tell(outward, answers.OUTWARD, 9)
    assert trips.late(outward, answers.ONWARD) == 9
    assert trips.late(next_load, answers.HOMEWARD) == 0, "the next load has a lag of its own"
    tell(depot, 0, 0)
    assert trips.late(outward, answers.OUTWARD) == 0


def test_refusals_are_counted_by_their_reason(real, terrain):
    known = effects(real, load_facts("4.10.0"))._replace(commands=frozenset({0, 5, 6, 7}))
    trace = Trace(640, (1,), verdicts=[9, 1, 1, 1, 1, 1, 0, 9], held={7: 4})
    counts = refusals(real, trace, known, 1)
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
    assert cell("binding %", games) == "5.0 / 1.0", "low is bad"
    assert cell("supply used", games) == "5.0 / 9.0"
    assert cell("gas gathered, %", games) == "-"
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
    assert all(line.startswith("sim resim: ") for line in lines)


@pytest.mark.parametrize("wanted", ["6f44a55e", "1bbf0fc6"])
def test_a_real_game_is_played_again(shared, wanted):
    folder = shared / "replays"
    if not (folder / "commands-dev.jsonl.gz").is_file():
        pytest.skip("no commands of real games")
    (real,) = read_games(folder, {wanted})
    facts = load_facts(real.patch)
    known = effects(real, facts)
    trace = play(real, load(real.terrain, shared / "recordings"), 1600, known.commands)
    values = measure(real, trace, known, 1, 1600)
    assert values["binding %"] >= 90, "one game; the median of all is 100"
    assert values["birth of idle producers, loops"] == 0
    assert values["minerals gathered, %"] < 3
    assert values["supply made"] <= 1
