"""Real games again: commands that wait for what comes later here, and counterparts that hatch together."""

from __future__ import annotations

import pytest

from sim.engine.state import MOVE as MOVING
from sim.facts import load as load_facts
from sim.maps import load, names
from sim.melee.game import Command, Game
from sim.melee.harvest_places import WORK
from sim.melee.records import Result
from sim.replays import answers, drive
from sim.replays.answers import Trips
from sim.replays.binding import Binding
from sim.replays.drive import new_game, play
from sim.replays.effects import effects
from sim.replays.prompter import Known
from sim.replays.reader import (
    RealEvent,
    RealGame,
    read_games,
)
from tests.sim.replay_files import (
    BORN,
    BRING,
    BUILD_BARRACKS,
    BUILD_DEPOT,
    DEPOT,
    FIELD,
    MOVE,
    REFINERY,
    SMART,
    TRAIN_DRONE,
    TRAIN_SCV,
    write,
)


def test_what_a_builder_was_told_after_the_real_start_waits_for_ours(tmp_path, terrain):
    (x, y), middle = terrain.starts[0], terrain.width / 2
    site = [int(x) + (12.0 if x < middle else -12.0), int(y) + 0.0]
    orders = [[395, 1, BUILD_DEPOT, 0, site, [1]], [401, 1, MOVE, 0, [x, y], [1]]]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    known = effects(real, load_facts("4.10.0"))
    assert known.begun == {0: (400, DEPOT)}
    trace = play(real, terrain, 640, Known(known.commands, known.begun), 200)
    assert 405 < trace.happened["I", DEPOT] < 600, "the walk from the fields takes longer than five loops"
    assert trace.verdicts == [1, 1]
    hasty = play(real, terrain, 640, Known(known.commands, known.begun), 0)
    assert ("I", DEPOT) not in hasty.happened, "without patience the worker is called off"


def test_what_a_builder_was_told_when_its_structure_was_complete_waits_for_ours(tmp_path, terrain, monkeypatch):
    (x, y), middle = terrain.starts[0], terrain.width / 2
    site = [int(x) + (12.0 if x < middle else -12.0), int(y) + 0.0]
    write(tmp_path, terrain, [[395, 1, BUILD_DEPOT, 0, site, [1]], [885, 1, MOVE, 0, [x, y + 9], [1]]])
    (real,) = read_games(tmp_path, {"abc12345"})
    known, games = effects(real, load_facts("4.10.0")), []
    told = Known(known.commands, known.begun, known.done)
    monkeypatch.setattr(drive, "new_game", lambda *given: games.append(new_game(*given)) or games[-1])
    done, patience = play(real, terrain, 1000, told).happened["D", DEPOT], 20
    assert known.done[DEPOT] + patience < 885 + patience < done
    play(real, terrain, done + 16, told, patience)
    workers = games[-1].owned(1, "SCV")
    assert MOVING in games[-1].orders["verb"][workers, 0], "an SCV at work, or coming out, ignores what it is told"


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
    trace = play(real, terrain, 1100, Known(frozenset({0, 2, 3}), known.begun), 200)
    assert trace.happened["B", BORN] == 302
    assert trace.happened["D", DEPOT] > 882
    assert trace.verdicts == [1, 1, 1, 1]
    assert not trace.held, "nothing was refused"
    hasty = play(real, terrain, 1100, Known(frozenset({0, 2, 3}), known.begun), 0)
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
    bring = [60, 1, BRING, 1, None, [1]]
    for home in ([60, 1, MOVE, 1, [0, x, y], [1]], bring):  # other ways to send home with the load
        write(tmp_path, terrain, [orders[0], home, bring, *orders[2:]])
        (led,) = read_games(tmp_path, {"abc12345"})
        sorts = {0: homeward, 1: homeward, 2: homeward, 3: outward, 4: onward}
        assert answers.answers(led, load_facts("4.10.0")) == sorts
    write(tmp_path, terrain, [orders[0], bring, [90, *bring[1:]], [95, 1, BRING, 0, None, [1, 2, 3]]])
    (led,) = read_games(tmp_path, {"abc12345"})
    sorts = {0: homeward, 1: homeward, 2: answers.BEHIND}  # the last means nobody's load
    assert answers.answers(led, load_facts("4.10.0")) == sorts
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
    travelling = answers.Trips(game, travel=1)
    travelling.off[worker] = game.loop
    assert travelling.when(worker, homeward, game.loop) == early, "nobody has heard of the load yet"
    assert travelling.when(worker, homeward, game.loop - 1) == early
    assert travelling.when(worker, homeward, game.loop + 1) == now, "it answers to a load of before"
    assert trips.when(worker, answers.BEHIND, game.loop) == early
    assert trips.when(worker, answers.BEHIND, game.loop - answers.PATIENT - 1) == past
    play_while(True, outward, early)
    assert trips.when(worker, outward, game.loop) == trips.when(worker, answers.BEHIND, game.loop) == now
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


@pytest.fixture
def refined(tmp_path, terrain, monkeypatch):
    """-> (plays commands of a game whose player 1 has a refinery from the start; town hall, mineral field and refinery
    as targets of commands). Playing -> (verdicts, slots of workers on gas, loops in which one is in the refinery, loop
    of the last delivery by slot)."""
    (x, y), facts = terrain.starts[0], load_facts("4.10.0")
    field, geyser = (
        min((n for n in terrain.neutrals if n.type_id in kinds), key=lambda n: (n.x - x) ** 2 + (n.y - y) ** 2)
        for kinds in (facts.minerals, facts.geysers)
    )
    cells = [
        [key, name, owner, int(n.x - 0.5), int(n.y - 0.5)]
        for key, name, owner, n in ((FIELD, "MineralField", 0, field), (REFINERY, "Refinery", 1, geyser))
    ]
    games: list[Game] = []
    inside: list[int] = []
    home: list[int] = []
    update = Trips.update

    def refine(*arguments) -> Game:
        games.append(new_game(*arguments))
        games[-1].spawn(facts.ids["Refinery"], 1, geyser.x, geyser.y)
        return games[-1]

    def watch(trips: Trips) -> None:
        update(trips)
        inside.extend(trips.game.loop for slot in trips.game.owned(1, "SCV") if trips.inside(slot))
        home[:] = trips.home.tolist()

    def again(commands: list, until: int):
        units = [[key, name, owner, 0, *at, 0] for key, name, owner, *at in cells]
        write(tmp_path, terrain, commands, [[0, "B", *cell] for cell in cells], units)
        (real,) = read_games(tmp_path, {"abc12345"})
        inside.clear()
        trace = drive.play(real, terrain, until)
        game = games[-1]
        refinery = game.owned(1, "Refinery")[0]
        gas = [slot for slot in game.owned(1, "SCV") if game.units[slot]["harvest_target"] == refinery]
        return trace.verdicts, gas, list(inside), list(home)

    monkeypatch.setattr(drive, "new_game", refine)
    monkeypatch.setattr(Trips, "update", watch)
    return again, [0, x, y], [4, field.x, field.y], [5, geyser.x, geyser.y]


def test_a_worker_in_a_gas_structure_is_told_as_it_comes_out(refined):
    again, _, field, refinery = refined
    to_gas = [5, 1, SMART, 0, refinery, [1]]
    _, gas, inside, _ = again([to_gas], 250)
    assert len(gas) == 1
    assert len(inside) > 10
    off = [inside[3], 1, SMART, 0, field, [1]]
    assert again([to_gas, off], inside[3] + 2)[1] == gas, "not yet"
    verdicts, left, _, _ = again([to_gas, off], inside[3] + 60)
    assert (verdicts, left) == ([1, 1], []), "refused inside it stayed on gas for good"


def test_a_worker_that_is_ahead_still_goes_from_minerals_to_gas(refined):
    again, hall, _, refinery = refined
    ((worker,), home) = again([[5, 1, SMART, 0, refinery, [1]]], 10)[1], again([], 250)[3]
    at = home[worker] + 10
    told = [[at, 1, SMART, 0, hall, [1]], [at, 1, SMART, 1, refinery, [1]]]
    assert again(told, at + 60)[1] == [worker], "only its way home is over"


def test_of_a_group_who_is_in_a_gas_structure_is_told_as_it_comes_out(refined):
    again, _, field, refinery = refined
    to_gas = [5, 1, SMART, 0, refinery, [1]]
    inside = again([to_gas], 250)[2]
    off = [inside[3], 1, SMART, 0, field, [1, 2]]
    assert again([to_gas, off], inside[3] + 60)[1] == [], "the group's command alone left it on gas for good"


def test_a_worker_that_is_ahead_is_steered_as_soon_as_it_is_near_and_not_earlier(tmp_path, terrain):
    """Told at the stamped loop, one that is ahead would have slowed down before."""
    (x, y), home = terrain.starts[0], 150
    orders = [[home, 1, MOVE, 0, [x + 3, y], [1]], [home, 1, SMART, 1, [0, x, y], [1]]]
    write(tmp_path, terrain, orders)
    (real,) = read_games(tmp_path, {"abc12345"})
    sorts = answers.answers(real, load_facts("4.10.0"))
    (batch,) = answers.batches(real, sorts)
    assert (batch.loop, batch.before, batch.sort, batch.commands) == (home, -1, answers.HOMEWARD, (0, 1))
    game = new_game(real, terrain)
    worker, trips = game.owned(1, "SCV")[0], answers.Trips(game)
    unit = game.units[worker]
    while not unit["carry"]:
        assert not trips.ready(worker, batch), "it has no load yet"
        game.step()
    near = batch._replace(x=float(unit["x"]), y=float(unit["y"]))
    assert not trips.ready(worker, near), "nobody leaves in the return delay"
    while not trips.ready(worker, near):
        game.step()
    far = batch._replace(x=float(unit["x"]) + answers.NEAR + 0.1, y=float(unit["y"]))
    assert not trips.ready(worker, far)
    assert not trips.ready(worker, near._replace(sort=answers.OUTWARD))
