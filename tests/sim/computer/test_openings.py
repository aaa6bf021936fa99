"""The openings of the built-in opponents: what the real ones (71 replays) begin when, and when their waves set out."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, levels
from sim.computer.army import HOME
from sim.computer.catalog import recipes
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import alone, new_game, play

RUSH, TIMING, POWER, MACRO, AIR = range(2, 7)


def halls(game: Game) -> int:
    """Town halls of player 1, unfinished ones too."""
    return len(game.owned(1, "CommandCenter", "OrbitalCommand", "Nexus", "Hatchery", "Lair", "Hive"))


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_macro_opens_with_a_second_base_and_timing_does_not(race):
    game, _ = alone(5, 2300, MACRO, race)  # real: 1196 (Zerg) to 1717 (Terran)
    assert halls(game) == 2
    game, computer = alone(5, 5800, TIMING, race)
    assert halls(game) == 1
    assert computer.opening.bases == 1


@pytest.mark.parametrize(("difficulty", "earliest", "latest"), [(3, 6700, 7500), (4, 6250, 7000), (5, 5900, 6700)])
def test_an_early_first_wave_sets_out_as_the_real_ones(difficulty, earliest, latest):
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, difficulty, TIMING, seed=5)
    while computer.army.state == HOME and game.loop < latest:
        computer.step()
        game.step()
    assert earliest < computer.army.first_wave < latest


def test_what_comes_after_the_first_wave_waits_for_it():
    game = new_game((Race.PROTOSS, Race.ZERG))
    computer = Computer(game, 1, Race.PROTOSS, 5, TIMING, seed=5)
    while computer.army.state == HOME:
        computer.step()
        game.step()
    set_out = game.loop
    assert not game.owned(1, "RoboticsFacility", "PhotonCannon", "TwilightCouncil")
    play(game, [computer], set_out + 1100)  # real: cannons at once, a Robotics Facility 180 loops after it
    assert game.owned(1, "PhotonCannon")
    assert game.owned(1, "RoboticsFacility")


def test_the_best_levels_wait_with_their_first_wave():
    _, computer = alone(7, 10000, TIMING, Race.PROTOSS, asked=False)
    assert computer.army.waves == 0  # the real ones are at the enemy's at 11,300 at the earliest


def test_no_random_build_is_a_rush():
    styles = set()
    for seed in range(40):
        computer = Computer(new_game(), 1, Race.ZERG, 6, 1, seed)
        styles.add(computer.style.name)
    assert styles == {"timing", "power", "macro", "air"}


@pytest.mark.parametrize("race", [Race.TERRAN, Race.PROTOSS, Race.ZERG])
def test_the_first_supply_is_ordered_at_one_free(race):
    game = new_game((race, Race.ZERG))
    computer = Computer(game, 1, race, 5, POWER, seed=5)
    ability = computer.recipes[computer.names["supply"]].ability
    mine = np.flatnonzero(game.units["owner"] == 1)
    while not (game.jobs[mine]["ability"] == ability).any() and not (game.orders[mine]["ability"] == ability).any():
        computer.step()
        game.step()
        mine = np.flatnonzero((game.units["owner"] == 1) & (game.units["alive"] == 1))
        assert game.loop < 700
    free = float(game.players[1]["supply_cap"] - game.players[1]["supply_used"])
    assert free <= 1
    assert game.loop > 150


def test_a_busy_factory_gets_its_tech_lab_and_room_for_it():
    game, _ = alone(6, 4100, TIMING, Race.TERRAN, asked=False)  # real: begun at 3190
    assert game.owned(1, "FactoryTechLab")


def test_a_town_hall_trains_without_a_pause():
    game, _ = alone(5, 1640, TIMING, Race.TERRAN)
    assert len(game.owned(1, "SCV")) == 17  # real: at 1600 in 14 of 14 games


@pytest.mark.parametrize("patch", ["4.10.0", "5.0.14"])
def test_every_opening_asks_for_things_that_can_be_made(patch):
    known = recipes(patch)
    for race in (Race.TERRAN, Race.ZERG, Race.PROTOSS):
        for plan, choices in levels.race_table(race)["openings"].items():
            assert set(choices) - {"random", "asked"} | set(choices.get("asked", {})) == set(levels.STYLES)
            names = {name for style in levels.STYLES for name in levels.openings(race, plan, style, asked=True)}
            names |= {name for style in choices["random"] for name in levels.openings(race, plan, style, asked=False)}
            for opening in (levels.opening(race, name) for name in names):
                units = {name for phase in opening.phases for name in phase["units"]}
                structures = {name for name, _ in (*opening.tech, *opening.after) if name not in known}
                assert units <= set(known), opening.name
                assert structures <= {"InfestorEnergyUpgrade"}, opening.name  # went with a patch


def test_who_plays_air_flies_in_the_end_and_nobody_else_mostly():
    """A Terran of the middle levels that was asked for air played the same as one that was asked for macro."""
    for race in (Race.TERRAN, Race.ZERG, Race.PROTOSS):
        sheet = Computer(new_game((race, Race.ZERG)), 1, race, 5, POWER, seed=5).sheet
        ids = new_game().facts.ids
        for plan in ("middle", "harder", "elite"):
            for style in levels.STYLES:
                for opening in (levels.opening(race, name) for name in levels.openings(race, plan, style, asked=True)):
                    units = opening.phases[-1]["units"]
                    above = sum(share for name, share in units.items() if sheet.flying[ids[name]]) / sum(units.values())
                    assert (above > 0.4) == (style == "air"), (race, plan, style, opening.name, above)


def test_macro_takes_town_halls_sooner_and_attacks_later_than_timing():
    timing, macro = levels.style("timing", "elite"), levels.style("macro", "elite")
    assert (timing.hall_gap, macro.wave_time) > (macro.hall_gap, timing.wave_time)
    gaps = []
    for build in (3, 5):
        game = new_game((Race.PROTOSS, Race.ZERG))
        computer = Computer(game, 1, Race.PROTOSS, 7, build, seed=5)
        computer.ahead = 20_000  # loops by which the lists come earlier: they ask for no more
        computer.opening = levels.Opening("none", 2, (), (), ({"from": 0, "units": {"Zealot": 1.0}},))
        while game.loop < 3000 and len(game.owned(1, "Nexus")) < 2:
            game.players[1]["minerals"] = max(int(game.players[1]["minerals"]), 500)
            computer.step()
            game.step()
        gaps.append(game.loop)
    assert gaps[0] > gaps[1] + 700


def test_two_bases_follow_other_curves_than_one():
    one, two = (levels.curves(Race.TERRAN, 5, bases) for bases in (1, 2))
    assert one.workers_at(8000) + 10 < two.workers_at(8000)  # real: 26 and 42
