"""Built-in opponents make what their openings name besides the army: eyes that go with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.computer import Computer, economy, spend
from sim.computer.force import STRIKING
from sim.computer.view import View
from sim.engine.state import CLOAKED, INVULNERABLE
from sim.melee import lifecycle
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game, play
from tests.sim.computer.test_forms import at_home, enemies

NEEDS = {
    Race.PROTOSS: ("Pylon", "RoboticsFacility"),
    Race.ZERG: ("Lair", "Overlord", "Overlord"),
    Race.TERRAN: ("Starport",),
}
FIGHTER = {Race.PROTOSS: "Zealot", Race.ZERG: "Roach", Race.TERRAN: "Marine"}


def after_the_first_wave(race: int, level: int = 4) -> tuple[Game, Computer]:
    """A computer with the structures that its eyes need, long after its first wave."""
    game = new_game((race, Race.ZERG))
    computer = Computer(game, 1, race, level, 4, seed=5)
    play(game, [computer], 100)
    x, y = computer.ground.home
    side = 1 if x < game.terrain.walkable.shape[1] / 2 else -1
    for k, name in enumerate(NEEDS[race]):
        slot = game.spawn(game.facts.ids[name], 1, x + side * 9.5, y - 4.5 + 4 * k)
        if name == "Starport":
            lab = game.spawn(game.facts.ids["StarportTechLab"], 1, x + side * 9.5 + 2.5, y - 5)
            game.units["addon"][slot] = lab
    eyes = tuple((name, 0) for name, _ in computer.opening.after if name in computer.table["detectors"])
    computer.opening = replace(computer.opening, tech=(), after=eyes)  # nothing else is due
    computer.army.first_wave = 0.0
    game.players[1]["minerals"] = game.players[1]["gas"] = 3000
    game.players[1]["supply_cap"] = 60
    return game, computer


@pytest.mark.parametrize(
    ("race", "name", "loops"),
    [(Race.PROTOSS, "Observer", 1300), (Race.ZERG, "Overseer", 500), (Race.TERRAN, "Raven", 2600)],
)
def test_eyes_come_after_the_first_wave_and_go_with_the_next(race, name, loops):
    game, computer = after_the_first_wave(race)
    play(game, [computer], loops)
    assert len(game.owned(1, name)) == 2
    ex, ey = computer.ground.enemy_start
    goal = (ex + computer.ground.home[0]) / 2, (ey + computer.ground.home[1]) / 2
    fighters = [game.spawn(game.facts.ids[FIGHTER[race]], 1, *goal) for _ in range(6)]
    army = computer.army
    army.state, army.wave_value = STRIKING, 600.0
    army.wave = {slot: int(game.units["generation"][slot]) for slot in fighters}
    play(game, [computer], loops + 100)
    eyes = game.owned(1, name)
    goals = game.orders[eyes, 0]
    assert (np.hypot(goals["x"] - goal[0], goals["y"] - goal[1]) < 20).any()


def test_overseers_lay_changelings_before_enemies_at_the_levels_without_upgrades_too():
    game = new_game()
    computer = Computer(game, 1, Race.ZERG, 3, 4, seed=5)
    x, y = computer.ground.home
    overseer = game.spawn(game.facts.ids["Overseer"], 1, x + 12, y)
    game.units["energy"][overseer] = 60
    play(game, [computer], 80)
    assert game.units["energy"][overseer] > 50  # nobody to deceive
    eye = game.units[overseer]
    game.spawn(game.facts.ids["Zergling"], 2, float(eye["x"]) + 4, float(eye["y"]))
    play(game, [computer], 160)
    assert game.units["energy"][overseer] < 50


def test_only_gates_that_can_warp_are_asked():
    game = new_game((Race.PROTOSS, Race.ZERG))
    computer = Computer(game, 1, Race.PROTOSS, 5, 5, seed=5)
    x, y = computer.ground.home
    ids = game.facts.ids
    side = 1 if x < game.terrain.walkable.shape[1] / 2 else -1
    game.spawn(ids["Pylon"], 1, x + side * 8, y)
    gates = [game.spawn(ids["WarpGate"], 1, x + side * 9.5, y + dy) for dy in (-5.5, 5.5)]
    play(game, [computer], 40)
    game.players[1]["minerals"] = 500
    asked = []
    order = computer.hands.order
    computer.hands.order = lambda ability, slots, **where: asked.append(list(slots)) or order(ability, slots, **where)
    zealot = computer.recipes["warped Zealot"].ability
    game.memory.ready[gates[0], zealot] = game.loop + 500
    for _ in range(6):
        view = View(game, 1, computer.sight, computer.sheet)
        spend.make(computer, view, spend.Purse(view), "Zealot")
    assert [gates[1]] in asked
    assert [gates[0]] not in asked


def test_two_high_templar_become_an_archon_while_there_is_no_storm():
    for storm in (0, 1):
        game = new_game((Race.PROTOSS, Race.ZERG))
        computer = Computer(game, 1, Race.PROTOSS, 7, 4, seed=5)
        game.players[1]["upgrades"][computer.recipes["PsiStormTech"].product] = storm
        x, y = computer.ground.home
        for k in range(3):
            game.spawn(game.facts.ids["HighTemplar"], 1, x + 8 + k, y + 8)
        play(game, [computer], 400)
        assert len(game.owned(1, "HighTemplar")) == (3 if storm else 1)
        assert len(game.owned(1, "Archon")) == 1 - storm


@pytest.mark.parametrize(("level", "orbitals", "fortress"), [(7, 3, True), (7, 2, False), (5, 3, False)])
def test_town_halls_beyond_three_orbital_commands_become_fortresses_at_the_better_levels(level, orbitals, fortress):
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, level, 5, seed=5)
    ids = game.facts.ids
    game.spawn(ids["EngineeringBay"], 1, 60.5, 100.5)
    bases = [computer.ground.bases[k] for k in computer.ground.base_order[1:]]
    for base in bases[:orbitals]:
        game.spawn(ids["OrbitalCommand"], 1, base.x, base.y)
    game.players[1]["minerals"] = game.players[1]["gas"] = 500
    play(game, [computer], 1300)
    assert bool(game.owned(1, "PlanetaryFortress")) == fortress


def test_a_slot_that_a_mineral_field_has_left_is_no_field():
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, 5, 5, seed=5)
    field = int(computer.ground.mineral_slots[0])
    game.remove(field)
    for _ in range(lifecycle.REUSE_AFTER + 1):
        game.step()
    refinery = game.spawn(game.facts.ids["Refinery"], 1, *computer.ground.home)
    game.units["contents"][refinery] = 100
    game.step()
    assert refinery == field
    assert field not in economy.fields(View(game, 1, computer.sight, computer.sheet), computer)


@pytest.mark.parametrize("level", [1, 7])
@pytest.mark.parametrize(("name", "wanted"), [("Observer", False), ("DarkTemplar", True)])
def test_only_who_does_harm_asks_for_more_eyes(name, wanted, level):
    """An Observer that looked on made a Zerg lose four Overseers a minute; every level asks for more (AI scripts)."""
    game, computer, x, y = at_home(Race.ZERG, level)
    game.units["flags"][enemies(game, name, 1, x, y)] |= CLOAKED
    play(game, [computer], 100)
    assert (computer.hidden_seen > 0) == wanted


@pytest.mark.parametrize(
    ("name", "fighter", "scans"),
    [("Observer", True, False), ("DarkTemplar", True, True), ("DarkTemplar", False, False)],
)
def test_orbital_commands_scan_where_something_hides(name, fighter, scans):
    """At the levels with eyes of their own no sweep ever came, as these had noted the sight of it first; the game's own
    AI scripts sweep only where a fighter of theirs is near."""
    game, computer, x, y = at_home(Race.TERRAN, 7)
    if fighter:
        game.units["flags"][game.spawn(game.facts.ids["Marine"], 1, x, y)] |= INVULNERABLE
    orbital = game.spawn(game.facts.ids["OrbitalCommand"], 1, *computer.ground.posts[1])
    game.units["energy"][orbital] = 110  # for a MULE and a sweep
    game.units["flags"][enemies(game, name, 1, x, y)] |= CLOAKED
    play(game, [computer], 100)
    assert (computer.scanned > 0) == scans


def test_eyes_go_with_those_who_defend():
    """Ahead of them they died one after the other."""
    game, computer, x, y = at_home(Race.ZERG, 7)
    ids, units = game.facts.ids, game.units
    roaches = [game.spawn(ids["Roach"], 1, x - 12, y + k) for k in range(6)]
    overseer = game.spawn(ids["Overseer"], 1, x - 12, y)
    units["flags"][[*roaches, overseer]] |= INVULNERABLE
    stalker = enemies(game, "Stalker", 1, x + 12, y)[0]
    units["flags"][game.spawn(ids["Overlord"], 1, x + 9, y)] |= INVULNERABLE  # sees it
    away = np.full(7, 99.0)
    while away[1:].min() >= 6 and game.loop < 500:
        play(game, [computer], game.loop + 10)
        away = np.hypot(*(units[axis][[overseer, *roaches]] - units[axis][stalker] for axis in "xy"))
    assert away[1:].min() < 6
    assert away[0] > away[1:].min()
