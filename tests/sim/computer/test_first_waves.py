"""What levels 1 to 5 send first when somebody asks them for a build: it goes by the game's own AI scripts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from sim.computer import Computer, levels
from sim.computer.army import HOME
from sim.computer.catalog import recipes
from sim.computer.first_waves import first_waves, with_wave
from sim.computer.view import View
from sim.computer.waves import maybe_attack
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game
from tests.sim.computer.test_forms import at_home

RUSH, TIMING, POWER, MACRO, AIR = range(2, 7)
RACES = (Race.TERRAN, Race.ZERG, Race.PROTOSS)


def first_wave(race: int, level: int, build: int, seed: int = 1) -> tuple[Game, Computer]:
    """Such a computer against somebody who does nothing, until its first wave sets out."""
    game = new_game((race, Race.TERRAN))
    computer = Computer(game, 1, race, level, build, seed)
    while computer.army.state == HOME and game.loop < 16_000:
        computer.step()
        game.step()
    return game, computer


@pytest.mark.parametrize(
    ("race", "level", "build"),
    [
        (Race.TERRAN, 1, RUSH),
        (Race.TERRAN, 5, RUSH),
        (Race.TERRAN, 2, POWER),
        (Race.TERRAN, 4, AIR),
        (Race.ZERG, 1, RUSH),
        (Race.ZERG, 3, RUSH),
        (Race.ZERG, 5, TIMING),
        (Race.ZERG, 5, AIR),
        (Race.PROTOSS, 4, RUSH),
        (Race.PROTOSS, 1, TIMING),
        (Race.PROTOSS, 3, POWER),
    ],
)
def test_it_sets_out_when_and_with_what_the_scripts_say(race, level, build):
    game, computer = first_wave(race, level, build)
    rows = first_waves(race, level, levels.STYLES[build - 2])
    row = next(row for row in rows if row.loop == computer.opening.wave_at and row.opening == computer.opening.name)
    ids = game.facts.ids
    dearest = max(float(computer.sheet.value[ids[name]]) for name, _ in row.units)
    kinds = Counter(game.facts.names[int(game.units["type"][slot])] for slot in computer.army.wave)
    assert abs(game.loop / row.loop - 1) < 0.07
    assert abs(computer.army.wave_value - row.value) <= dearest
    assert set(kinds) <= {name for name, _ in row.units} | {"Zergling"}
    assert all(abs(kinds[name] - count) <= max(2, count / 3) for name, count in row.units)


@pytest.mark.parametrize(("level", "most"), [(1, 600), (5, 3600)])
def test_macro_waits_for_its_second_time_and_has_no_more_than_the_scripts_then(level, most):
    game, computer = first_wave(Race.PROTOSS, level, MACRO)
    assert abs(game.loop / {1: 891 * 16, 5: 758 * 16}[level] - 1) < 0.07
    assert 0.5 * most < computer.army.wave_value <= most


@pytest.mark.parametrize("race", RACES)
def test_a_rush_has_one_gas_structure_before_it_sets_out_and_a_timing_attack_two(race):
    found = []
    for build in (RUSH, TIMING):
        game, computer = first_wave(race, 5, build)
        found.append(len(game.owned(1, computer.names["gas"])))
    assert found == [1, 2]


def test_every_build_of_levels_one_to_five_has_its_waves_of_things_that_can_be_made():
    known = recipes("5.0.14")
    for race in RACES:
        assert not first_waves(race, 6, "rush")
        loops = {}
        for level in range(1, 6):
            for style in levels.STYLES:
                rows = first_waves(race, level, style)
                loops[level, style] = np.average([row.loop for row in rows], weights=[row.chance for row in rows])
                for row in rows:
                    opening = with_wave(race, row, 1.0, lambda _: 1.0)
                    names = {name for name, _ in (*row.units, *opening.tech, *opening.after)}
                    assert names <= set(known), (race, level, style)
                    assert row.value > 0
                    assert row.gap > 4000
            assert loops[level, "rush"] < loops[level, "timing"] < loops[level, "power"] < loops[level, "macro"]


@pytest.mark.parametrize("race", RACES)
def test_random_builds_keep_what_replays_show(race):
    game = new_game((race, Race.TERRAN))
    for seed in range(20):
        assert not Computer(game, 1, race, 5, 1, seed).opening.wave_at
        assert not Computer(game, 1, race, 3, TIMING, seed, asked=False).opening.wave_at
        assert not Computer(game, 1, race, 6, POWER, seed).opening.wave_at


@pytest.mark.parametrize(("marines", "goes"), [(3, False), (12, True)])
def test_a_wave_of_less_than_half_is_left_out_until_the_next_ones_time(marines, goes):
    game, computer, x, y = at_home(Race.TERRAN, 3)
    slots = np.array([game.spawn(game.facts.ids["Marine"], 1, x + k % 6, y + k // 6) for k in range(marines)])
    view = View(game, 1, computer.sight, computer.sheet)
    view.loop = 9000
    computer.army.next_wave = 8900.0
    assert maybe_attack(computer, view, slots) == goes
    assert computer.army.next_wave > 9000 + 4000
    assert computer.army.first_wave == 9000  # the second lists of the opening begin


def test_the_best_levels_wait_for_their_wave_to_grow():
    game, computer, x, y = at_home(Race.TERRAN, 7)
    slots = np.array([game.spawn(game.facts.ids["Marine"], 1, x + k, y) for k in range(3)])
    view = View(game, 1, computer.sight, computer.sheet)
    view.loop, computer.army.next_wave = 13_000, 12_900.0
    assert not maybe_attack(computer, view, slots)
    assert computer.army.next_wave == 12_900.0
