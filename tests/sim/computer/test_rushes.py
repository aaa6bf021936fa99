"""Rushes and timing attacks that somebody asks the best levels for: they go by the game's own AI scripts."""

from __future__ import annotations

import pytest

from sim.computer import Computer, levels
from sim.computer.army import HOME
from sim.computer.force import going
from sim.computer.view import View
from sim.engine.state import INVULNERABLE
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game, play

RUSH, TIMING = 2, 3
WORKERS = {Race.TERRAN: "SCV", Race.ZERG: "Drone", Race.PROTOSS: "Probe"}


def attack(race: int, build: int, opening: str, until: int) -> tuple[Game, Computer]:
    """Level 7 with such an opening against somebody who does nothing, until its first wave sets out."""
    for seed in range(60):
        game = new_game((race, Race.TERRAN))
        computer = Computer(game, 1, race, 7, build, seed)
        if computer.opening.name == opening:
            break
    while computer.army.state == HOME and game.loop < until:
        computer.step()
        game.step()
    return game, computer


@pytest.mark.parametrize(
    ("race", "build", "opening", "earliest", "latest"),
    [
        (Race.ZERG, RUSH, "six_pool", 1800, 2300),
        (Race.ZERG, RUSH, "ten_pool", 2300, 3200),
        (Race.ZERG, TIMING, "banes", 3000, 4000),
        (Race.ZERG, TIMING, "seven_roaches", 3600, 4600),
        (Race.TERRAN, RUSH, "marines", 2800, 3400),
        (Race.TERRAN, RUSH, "reapers", 3700, 4600),
        (Race.TERRAN, TIMING, "stimmed", 4200, 5100),
        (Race.TERRAN, TIMING, "hellions_and_marauders", 4500, 5500),
        (Race.TERRAN, TIMING, "tanks", 4800, 5400),
        (Race.TERRAN, TIMING, "cloaked_banshees", 5400, 6600),
        (Race.PROTOSS, RUSH, "adepts", 3600, 4400),
        (Race.PROTOSS, RUSH, "stalkers", 3600, 4400),
        (Race.PROTOSS, TIMING, "four_gates", 5600, 6800),
        (Race.PROTOSS, TIMING, "eight_adepts", 5000, 6000),
        (Race.PROTOSS, TIMING, "two_immortals", 5600, 6800),
        (Race.PROTOSS, TIMING, "blink", 5400, 6600),
        (Race.PROTOSS, TIMING, "three_dark_templar", 5500, 6800),
    ],
)
def test_it_sets_out_with_its_first_units_and_few_workers(race, build, opening, earliest, latest):
    game, computer = attack(race, build, opening, latest)
    assert computer.opening.name == opening
    assert earliest < game.loop < latest
    for name, least in computer.opening.attack:
        assert len(game.owned(1, name)) >= least
    assert len(game.owned(1, WORKERS[race])) <= computer.opening.workers_at(game.loop) + 1  # an egg that was begun


def test_what_is_made_later_follows_at_once():
    game, computer = attack(Race.ZERG, RUSH, "six_pool", 2300)
    first = set(computer.army.wave)
    for _ in range(700):
        computer.step()
        game.step()
    fresh = [slot for slot in game.owned(1, "Zergling") if slot not in first]
    assert len(fresh) >= 4
    assert set(fresh) <= set(computer.army.wave)
    assert computer.army.waves == 1


def test_dark_templar_of_the_attack_stay_apart_until_the_next_wave():
    game, computer = attack(Race.PROTOSS, TIMING, "three_dark_templar", 6800)
    assert not game.owned(1, "Archon")
    computer.army.waves = 2
    play(game, [computer], game.loop + 300)
    assert game.owned(1, "Archon")


def test_banshees_raid_alone_and_with_those_that_are_made_later():
    game, computer = attack(Race.TERRAN, TIMING, "cloaked_banshees", 6600)
    marines, first = game.owned(1, "Marine"), set(computer.army.wave)
    assert len(marines) >= 5
    assert first == set(game.owned(1, "Banshee"))
    game.units["flags"][game.owned(2)] |= INVULNERABLE
    while len(game.owned(1, "Banshee")) == len(first):
        play(game, [computer], game.loop + 1)
    play(game, [computer], game.loop + 800)  # it has gathered
    assert set(computer.army.wave) > first
    assert not set(computer.army.wave) & set(game.owned(1, "Marine"))
    view = View(game, 1, computer.sight, computer.sheet)
    view.loop = computer.opening.raid_until
    assert set(going(computer, view, view.slots[view.army])) > set(marines)


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_neither_levels_below_nor_random_builds_have_any(race):
    game = new_game((race, Race.TERRAN))
    for build in (RUSH, TIMING):
        assert all(not Computer(game, 1, race, level, build, 1).opening.attack for level in range(1, 6))
    assert all(not Computer(game, 1, race, level, 1, seed).opening.attack for level in (6, 7, 10) for seed in range(30))


def test_its_end_brings_ordinary_waves_and_workers():
    opening = levels.opening(Race.ZERG, "six_pool")
    assert opening.workers_at(opening.until - 1) == 18
    assert opening.workers_at(opening.until) == float("inf")
    assert opening.army_at(opening.until - 1) == 800
    assert opening.army_at(opening.until) == 0


def test_a_structure_that_its_builder_is_at_work_at_counts_once():
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, 7, RUSH, 0)
    while not game.owned(1, "Barracks"):
        computer.step()
        game.step()
    kind = game.facts.ids["Barracks"]
    view = View(game, 1, computer.sight, computer.sheet)
    standing = len(game.owned(1, "Barracks"))
    on_the_way = sum(
        int(game.orders[slot, 0]["product"]) == kind and int(game.units[slot]["builder"]) < 0
        for slot in game.owned(1, "SCV")
    )
    assert view.have(kind) == standing + on_the_way
