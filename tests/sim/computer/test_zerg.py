"""What Zerg computers do with their Queens, and what none of the real ones does."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, levels, zerg_care
from sim.computer.catalog import recipes
from sim.facts import load
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game, play

TRANSFUSED = 288  # API id of the buff of who was healed


def second_hall(level: int = 7):
    """A Zerg computer with a finished second town hall and two Queens at its first; all places in cells."""
    game = new_game()
    computer = Computer(game, 1, Race.ZERG, level, 5, seed=5)
    base = computer.ground.bases[computer.ground.base_order[1]]
    hall = game.spawn(game.facts.ids["Hatchery"], 1, base.x, base.y)
    x, y = computer.ground.home
    queens = [game.spawn(game.facts.ids["Queen"], 1, x + 5, y + 3 * k) for k in range(2)]
    return game, computer, hall, queens


def test_every_town_hall_has_a_queen_of_its_own():
    """Two stood at one hall with 160 energy, and the other one got no larvae."""
    game, computer, hall, queens = second_hall()
    units = game.units
    units["energy"][queens] = 50
    injected = False
    for until in range(40, 1000, 40):
        play(game, [computer], until)
        injected |= bool((units["buff"][hall] == zerg_care.INJECT_BUFF).any())
    assert injected
    x, y = (units[axis][queens][:, None] - units[axis][[*game.owned(1, "Hatchery")]][None, :] for axis in "xy")
    assert set(np.hypot(x, y).argmin(axis=1)) == {0, 1}


def test_no_queen_plants_a_tumor():
    """None of the 22 real Zerg computers did (levels 3 to 7)."""
    game, computer, _, queens = second_hall()
    while game.loop < 3000:
        game.units["energy"][queens] = 200
        play(game, [computer], game.loop + 50)
    assert not game.owned(1, "CreepTumorQueen", "CreepTumor", "CreepTumorBurrowed")


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_openings_build_what_their_units_need(race):
    """Ultralisks had a fifth of the army's value, and nobody built an UltraliskCavern."""
    facts, ways = load("5.0.14"), recipes("5.0.14")
    for plan, choices in levels.race_table(race)["openings"].items():
        names = {name for style in levels.STYLES for name in levels.openings(race, plan, style, asked=True)}
        names |= {name for style in choices["random"] for name in levels.openings(race, plan, style, asked=False)}
        for name in names:
            opening = levels.opening(race, name)
            built = {facts.ids[what] for what, _ in opening.tech + opening.after if what in facts.ids}
            for unit in {unit for phase in opening.phases for unit in phase["units"]}:
                requirement = facts.requirements.get(ways[unit].requirement)
                for group in requirement.units if requirement else ():
                    assert built & set(group), (name, unit)


@pytest.mark.parametrize(("lacks", "hit", "heals"), [(45, True, True), (45, False, False), (20, True, False)])
def test_a_queen_heals_a_friend_under_fire_that_lacks_enough(lacks: float, hit: bool, heals: bool):
    """At the lowest level, too: so Queens of two real games' computers did, and left one alone that was not hit."""
    game, computer, _, (queen, friend) = second_hall(level=1)
    units = game.units
    foe = game.spawn(game.facts.ids["Marine"], 2, units["x"][friend] + 6, units["y"][friend])
    units["energy"][[queen, friend]], healed = (100, 0), False
    x, y = float(units["x"][friend]), float(units["y"][friend])
    for _ in range(300):
        units["hp"][friend], units["hp"][foe] = units["hp_max"][friend] - lacks, 55
        units["last_hit"][friend] = game.loop if hit else -1000
        units["x"][friend], units["y"][friend], units["x"][foe], units["y"][foe] = x, y, x + 6, y
        play(game, [computer], game.loop + 1)
        healed |= bool((units["buff"][friend] == TRANSFUSED).any())
    assert healed == heals
