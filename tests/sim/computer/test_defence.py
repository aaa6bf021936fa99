"""Built-in opponents answer early attacks with workers, and Terran ones repair."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, defence
from sim.computer.view import View
from sim.engine.state import UNFINISHED, UNHARMED
from sim.melee import lifecycle
from sim.melee.records import Command, Race
from tests.sim.computer.test_computer import new_game, play
from tests.sim.computer.test_forms import at_home, enemies


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_a_worker_rush_fails(race):
    """Three rushes: no Drone comes home, and half of the workers are left on average."""
    left = []
    for seed in (3, 4, 5):
        game = new_game((race, Race.ZERG), seed)
        computer, drones = Computer(game, 1, race, 5, 4, seed=seed), game.owned(2, "Drone")
        x, y = computer.ground.home
        game.issue(Command(2, 3674, tuple(map(game.tag, drones)), x=x, y=y, has_point=True))
        play(game, [computer], 1700)
        assert not set(drones) & set(game.owned(2, "Drone"))
        left.append(len(game.owned(1, computer.names["worker"])))
    assert sum(left) >= 6 * len(left)


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_easy_outlives_a_worker_rush(race):
    """The tests of a client library let twelve Drones loose on the real game's Easy: it lives after 240 s."""
    for seed in (3, 4, 5):
        game = new_game((race, Race.ZERG), seed)
        computer, drones = Computer(game, 1, race, 2, 4, seed=seed), game.owned(2, "Drone")
        x, y = computer.ground.home
        game.issue(Command(2, 3674, tuple(map(game.tag, drones)), x=x, y=y, has_point=True))
        play(game, [computer], 5376)
        assert any(game.owned(1, hall) for hall in ("CommandCenter", "OrbitalCommand", "Hatchery", "Lair", "Nexus"))
        assert len(game.owned(1, computer.names["worker"])) >= 3


def test_workers_tear_down_a_pylon_beside_the_base_but_leave_finished_cannons_alone():
    game, computer, x, y = at_home(Race.TERRAN)
    ids = game.facts.ids
    going_up = {"complete": False, "flags": UNFINISHED, "build_left": 400, "build_total": 400, "build_rate": 1}
    lifecycle.spawn(game, ids["Pylon"], 2, x, y + 7, **going_up)
    play(game, [computer], 100)
    assert 3 <= len(computer.militia) <= 8
    play(game, [computer], 900)
    assert not game.owned(2, "Pylon")
    game, computer, x, y = at_home(Race.TERRAN)
    game.spawn(ids["Pylon"], 2, x, y + 7)
    game.spawn(ids["PhotonCannon"], 2, x + 2, y + 5)
    play(game, [computer], 300)
    assert not computer.militia


def test_a_scout_does_not_stop_the_mining():
    game, computer, x, y = at_home(Race.TERRAN)
    probe = game.spawn(game.facts.ids["Probe"], 2, x, y)
    game.units["hp"][probe] = game.units["hp_max"][probe] = 4000
    game.issue(Command(2, 18, (game.tag(probe),)))  # it stays, though it is hit
    play(game, [computer], 500)
    assert 1 <= len(computer.militia) <= 3


@pytest.mark.parametrize(("drones", "least", "most"), [(1, 1, 3), (2, 10, 12)])
def test_workers_that_come_together_are_met_by_all(drones, least, most):
    game, computer, x, y = at_home(Race.TERRAN)
    game.units["flags"][enemies(game, "Drone", drones, x, y)] |= UNHARMED
    play(game, [computer], 120)
    assert least <= len(computer.militia) <= most


def test_nobody_scouts_where_there_is_no_worker():
    game, computer, *_ = at_home(Race.TERRAN)
    for slot in game.owned(1, "SCV"):
        game.remove(slot)
    computer.next_scout = 0
    play(game, [computer], 100)
    assert not computer.scouts
    assert computer.next_scout > 100, "it tries again later"


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_the_first_scout_is_a_worker_and_comes_early_from_harder_on(race):
    """Real ones were met in their enemy's base from loop 2430 (Harder, VeryHard) and from 4290 on (below)."""
    for level, came in ((7, True), (4, False)):
        game = new_game((race, Race.TERRAN), 5)
        computer = Computer(game, 1, race, level, 4, seed=5)
        x, y = computer.ground.enemy_start
        nearest = 1000.0
        while game.loop < 3200:
            play(game, [computer], game.loop + 40)
            workers = game.owned(1, computer.names["worker"])
            away = np.hypot(game.units["x"][workers] - x, game.units["y"][workers] - y)
            nearest = min(nearest, float(away.min()))
        assert (nearest < 20) == came


@pytest.mark.parametrize("level", [1, 3, 5])
def test_scvs_repair_a_burning_depot_at_every_level(level):
    """So the game's own AI scripts have it."""
    game, computer, x, y = at_home(Race.TERRAN, level)
    depot = game.spawn(game.facts.ids["SupplyDepot"], 1, x, y)
    game.units["hp"][depot] = 100
    play(game, [computer], 700)
    assert float(game.units["hp"][depot]) > 350


@pytest.mark.parametrize(("name", "defended"), [("CreepTumorBurrowed", False), ("SpineCrawler", True)])
def test_nobody_dies_for_a_tumor(name, defended):
    """Roach after Roach ran to the tumors beside which the enemy's army had gathered."""
    game, computer, *_ = at_home(Race.ZERG, 8)  # sees the whole map
    far = computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.5)
    game.spawn(game.facts.ids[name], 1, *far)
    enemies(game, "Zealot", 2, far[0] + 3, far[1])
    play(game, [], 30)
    threat = defence.threats(computer, View(game, 1, computer.sight, computer.sheet))
    assert (threat is not None) == defended


@pytest.mark.parametrize(
    ("level", "loop", "away", "seen"),
    [(1, 5000, 13, True), (5, 5000, 18, False), (6, 5000, 25, True), (7, 9700, 18, False), (8, 5000, 40, True)],
)
def test_how_far_from_its_structures_enemies_are_attackers(level, loop, away, seen):
    """The game's own AI scripts: 15 cells, and in their first ten minutes 30 from Harder on, 45 for cheaters."""
    game, computer, *_ = at_home(Race.TERRAN, level)
    (x, y), (ex, ey) = computer.ground.home, computer.ground.enemy_start
    part = away / np.hypot(ex - x, ey - y)
    roach = enemies(game, "Roach", 1, x + part * (ex - x), y + part * (ey - y))[0]
    game.units["flags"][game.spawn(game.facts.ids["Marine"], 1, *(game.units[axis][roach] for axis in "xy"))] |= (
        UNHARMED
    )
    game.step(20)
    view = View(game, 1, computer.sight, computer.sheet)
    view.loop = loop
    assert (defence.threats(computer, view) is not None) == seen


@pytest.mark.parametrize(
    ("foe", "count", "ours", "shelters"),
    [("Roach", 10, 3, True), ("Roach", 10, 5, False), ("PhotonCannon", 4, 4, False), ("PhotonCannon", 4, 3, True)],
)
@pytest.mark.parametrize("level", [1, 5])
def test_too_few_wait_for_more(level, foe, count, ours, shelters):
    """Below half of the attackers' strength, .7 of it where that is structures (the game's own AI scripts).

    A Marauder is worth 125, a Roach 100, a cannon 150."""
    game, computer, x, y = at_home(Race.TERRAN, level)
    hall = computer.ground.posts[0]
    game.spawn(game.facts.ids["CommandCenter"], 1, *hall)  # where they wait
    marauders = [game.spawn(game.facts.ids["Marauder"], 1, x - 3, y + k) for k in range(ours)]
    for k in range(count):
        enemies(game, foe, 1, x + 2 + 2 * (k % 2), y + 2 * (k // 2) - 3)
    game.step(20)
    view = View(game, 1, computer.sight, computer.sheet)
    threat = defence.threats(computer, view)
    defence.defend(computer, view, np.array(marauders), threat)
    assert computer.sheltering == shelters


@pytest.mark.parametrize("level", [1, 2])
def test_workers_help_at_the_lowest_levels_too(level):
    game, computer, x, y = at_home(Race.TERRAN, level)
    enemies(game, "Zergling", 2, x - 4, y)
    play(game, [computer], 200)
    assert computer.militia


@pytest.mark.parametrize(("level", "looks"), [(1, False), (4, False), (5, True)])
def test_overlords_look_after_the_next_bases_from_level_5_on(level, looks):
    game, computer, *_ = at_home(Race.ZERG, level)
    play(game, [computer], 200)
    assert bool(computer.posted) == looks


@pytest.mark.parametrize("level", [1, 2])
def test_the_lowest_levels_scout_from_second_300_on(level):
    """Seconds of 16 loops (the game's own AI scripts)."""
    game, computer, *_ = at_home(Race.TERRAN, level)
    game.units["flags"][game.owned(1)] |= UNHARMED
    play(game, [computer], 4790)
    assert not computer.scouts
    play(game, [computer], 5400)
    assert computer.scouts
