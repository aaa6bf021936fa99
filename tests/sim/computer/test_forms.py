"""What units of built-in opponents turn into: landed Vikings, Hellbats, Archons, fields of prisms, who burrows."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, spend
from sim.computer.force import STRIKING
from sim.computer.view import View
from sim.engine.state import INVULNERABLE
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import new_game, play


def at_home(race: int, level: int = 5, patch: str = "5.0.14") -> tuple[Game, Computer, float, float]:
    """A game, a computer, and a place beside its town hall."""
    game = new_game((race, Race.ZERG), patch=patch)
    computer = Computer(game, 1, race, level, 4, seed=5)
    x, y = computer.ground.home
    side = 1 if x < game.terrain.walkable.shape[1] / 2 else -1
    return game, computer, x + side * 9, y


def enemies(game: Game, name: str, count: int, x: float, y: float) -> list[int]:
    """Enemies that nothing kills."""
    slots = [game.spawn(game.facts.ids[name], 2, x, y) for _ in range(count)]
    game.units["flags"][slots] |= INVULNERABLE
    return slots


def test_a_viking_lands_before_enemies_on_the_ground_and_rises_when_they_are_gone_or_others_fly():
    game, computer, x, y = at_home(Race.TERRAN)
    viking = game.spawn(game.facts.ids["VikingFighter"], 1, x, y)
    forms = [game.facts.ids[name] for name in ("VikingFighter", "VikingAssault")]
    assert computer.sheet.hits_air[forms].all()
    assert computer.sheet.hits_ground[forms].all()
    game.units["flags"][viking] |= INVULNERABLE
    play(game, [computer], 100)
    assert game.owned(1, "VikingFighter")
    roaches = enemies(game, "Roach", 2, x + 3, y)
    play(game, [computer], 250)
    assert game.owned(1, "VikingAssault")
    mutalisk = enemies(game, "Mutalisk", 1, x, y)
    play(game, [computer], 400)
    assert game.owned(1, "VikingFighter")
    game.remove(mutalisk[0])
    play(game, [computer], 550)
    assert game.owned(1, "VikingAssault")
    for slot in roaches:
        game.remove(slot)
    play(game, [computer], 750)
    assert game.owned(1, "VikingFighter")


@pytest.mark.parametrize("armory", [False, True])
def test_hellions_become_hellbats_with_an_armory(armory):
    game, computer, x, y = at_home(Race.TERRAN)
    if armory:
        game.spawn(game.facts.ids["Armory"], 1, 60.5, 100.5)
    game.spawn(game.facts.ids["Hellion"], 1, x, y)
    play(game, [computer], 200)
    assert bool(game.owned(1, "HellionTank")) == armory


def test_mines_do_not_wait_underground_for_larvae_and_eggs():
    """A wave's mines stayed down beside a hatchery for as long as it stood."""
    game, computer, x, y = at_home(Race.TERRAN)
    mine = game.spawn(game.facts.ids["WidowMineBurrowed"], 1, x, y)
    enemies(game, "Larva", 1, x + 4, y)
    enemies(game, "Egg", 1, x + 5, y)
    play(game, [computer], 200)
    assert game.owned(1, "WidowMine") == [mine]


def test_two_dark_templar_become_an_archon_though_there_is_psionic_storm():
    game, computer, x, y = at_home(Race.PROTOSS, 7)
    game.players[1]["upgrades"][computer.recipes["PsiStormTech"].product] = 1
    for k in range(3):
        game.spawn(game.facts.ids["DarkTemplar"], 1, x + k, y)
    play(game, [computer], 400)
    assert (len(game.owned(1, "DarkTemplar")), len(game.owned(1, "Archon"))) == (1, 1)


def test_a_prism_opens_its_field_where_the_wave_fights_and_who_is_warped_in_there_joins_it():
    game, computer, *_ = at_home(Race.PROTOSS, 7)
    ids, (ex, ey) = game.facts.ids, computer.ground.enemy_start
    goal = (ex + 3 * computer.ground.home[0]) / 4, (ey + 3 * computer.ground.home[1]) / 4
    goal = min(computer.ground.way, key=lambda point: np.hypot(point[0] - goal[0], point[1] - goal[1]))
    game.spawn(ids["CyberneticsCore"], 1, 60.5, 100.5)
    game.spawn(ids["WarpGate"], 1, 64.5, 100.5)
    for k in range(3):
        game.spawn(ids["Pylon"], 1, 60 + 2 * k, 104)
    fighters = [game.spawn(ids["Zealot"], 1, *goal) for _ in range(6)]
    game.units["flags"][fighters] |= INVULNERABLE
    prism = game.spawn(ids["WarpPrism"], 1, *goal)
    enemies(game, "SpineCrawler", 1, goal[0] + 13, goal[1])
    army = computer.army
    army.state, army.wave_value = STRIKING, 600.0
    army.wave = {slot: int(game.units["generation"][slot]) for slot in fighters}
    play(game, [computer], 120)
    assert game.owned(1, "WarpPrismPhasing") == [prism]
    game.players[1]["minerals"] = 500
    view = View(game, 1, computer.sight, computer.sheet)
    assert spend.make(computer, view, spend.Purse(view), "Zealot")
    play(game, [computer], 320)
    fresh = set(game.owned(1, "Zealot")) - set(fighters)
    assert fresh
    assert fresh <= set(army.wave)


def test_a_prism_closes_its_field_when_no_wave_is_near():
    game, computer, x, y = at_home(Race.PROTOSS)
    game.spawn(game.facts.ids["WarpPrismPhasing"], 1, x, y)
    play(game, [computer], 120)
    assert game.owned(1, "WarpPrism")


@pytest.mark.parametrize(("name", "share"), [("Roach", 0.42), ("Baneling", 0.6), ("Infestor", 0.4)])
def test_the_hurt_burrow_where_it_is_known_and_come_up_when_the_enemy_is_gone(name, share):
    game, computer, x, y = at_home(Race.ZERG)
    game.players[1]["upgrades"][computer.recipes["Burrow"].product] = 1
    mine = [game.spawn(game.facts.ids[name], 1, x, y + k) for k in range(4)]
    game.units["flags"][mine] |= INVULNERABLE
    game.units["hp"][mine[:2]] = share * game.units["hp_max"][mine[:2]]
    enemy = enemies(game, "Hydralisk", 1, x + 4, y)
    play(game, [computer], 700)
    down = set(game.owned(1, f"{name}Burrowed"))
    assert down
    assert down <= set(mine[:2])
    game.remove(enemy[0])
    play(game, [computer], 900)
    assert not game.owned(1, f"{name}Burrowed")


@pytest.mark.parametrize(("level", "shades"), [(3, False), (5, True)])
def test_now_and_then_an_adept_sends_its_shade_at_the_enemy(level, shades):
    game, computer, x, y = at_home(Race.PROTOSS, level)
    adepts = [game.spawn(game.facts.ids["Adept"], 1, x + k % 5, y + k // 5) for k in range(20)]
    game.units["flags"][adepts] |= INVULNERABLE
    enemies(game, "Roach", 1, x + 6, y)
    seen = False
    while game.loop < 1200 and not seen:
        play(game, [computer], game.loop + 50)
        seen = bool(game.owned(1, "AdeptPhaseShift"))
    assert seen == shades


def test_who_stays_at_home_does_not_join_a_wave_that_is_still_there():
    game, computer, x, y = at_home(Race.PROTOSS, 3)
    zealots = [game.spawn(game.facts.ids["Zealot"], 1, x + k, y) for k in range(6)]
    army = computer.army
    army.state, army.wave_value, army.target = STRIKING, 300.0, computer.ground.enemy_start
    army.wave = {slot: int(game.units["generation"][slot]) for slot in zealots[:3]}
    play(game, [computer], 100)
    assert set(army.wave) == set(zealots[:3])
