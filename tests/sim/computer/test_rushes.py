"""Rushes that somebody asks the best levels for: they go by the game's own AI scripts."""

from __future__ import annotations

import pytest

from sim.computer import Computer, levels
from sim.computer.army import HOME
from sim.computer.view import View
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game

RUSH = 2
WORKERS = {Race.TERRAN: "SCV", Race.ZERG: "Drone", Race.PROTOSS: "Probe"}


def rush(race: int, opening: str, until: int) -> tuple[Game, Computer]:
    """A rush of level 7 against somebody who does nothing, until its first wave sets out."""
    seeds = (
        seed for seed in range(40) if Computer(new_game((race, 1)), 1, race, 7, RUSH, seed).opening.name == opening
    )
    game = new_game((race, Race.TERRAN))
    computer = Computer(game, 1, race, 7, RUSH, next(seeds))
    while computer.army.state == HOME and game.loop < until:
        computer.step()
        game.step()
    return game, computer


@pytest.mark.parametrize(
    ("race", "opening", "earliest", "latest"),
    [
        (Race.ZERG, "six_pool", 1800, 2300),
        (Race.ZERG, "ten_pool", 2300, 3200),
        (Race.TERRAN, "marines", 2800, 3400),
        (Race.TERRAN, "reapers", 3700, 4600),
        (Race.PROTOSS, "adepts", 3600, 4400),
        (Race.PROTOSS, "stalkers", 3600, 4400),
    ],
)
def test_it_sets_out_with_its_first_units_and_few_workers(race, opening, earliest, latest):
    game, computer = rush(race, opening, latest)
    assert earliest < game.loop < latest
    for name, least in computer.opening.attack:
        assert len(game.owned(1, name)) >= least
    assert len(game.owned(1, WORKERS[race])) <= computer.opening.workers_at(game.loop) + 1  # an egg that was begun


def test_what_is_made_later_follows_at_once():
    game, computer = rush(Race.ZERG, "six_pool", 2300)
    first = set(computer.army.wave)
    for _ in range(700):
        computer.step()
        game.step()
    fresh = [slot for slot in game.owned(1, "Zergling") if slot not in first]
    assert len(fresh) >= 4
    assert set(fresh) <= set(computer.army.wave)
    assert computer.army.waves == 1


def test_levels_below_have_no_such_rush():
    for difficulty in range(1, 6):
        computer = Computer(new_game((Race.ZERG, Race.TERRAN)), 1, Race.ZERG, difficulty, RUSH, 1)
        assert computer.opening.attack == ()


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
