"""What units of built-in opponents cast, at whom and how often, as the game's own AI scripts have it."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import aim, casting
from sim.computer.force import RETREATING
from sim.engine.state import INVULNERABLE, UNHARMED
from sim.facts import load
from sim.melee.records import Race
from tests.sim.computer.test_computer import play
from tests.sim.computer.test_forms import at_home, enemies

INJECT, MULE, CHRONO, STIM, SIEGE = 251, 171, 3755, 380, 388


def ordered(game, computer, until: int, *abilities: int) -> list[tuple[int, int]]:
    """(loop, ability) of all orders of these abilities that were obeyed until a loop."""
    found, issue = [], game.issue

    def noted(command):
        verdict = issue(command)
        if command.ability in abilities and verdict == 1:
            found.append((game.loop, command.ability))
        return verdict

    game.issue = noted
    play(game, [computer], until)
    game.issue = issue
    return found


def caster(race: int, name: str, level: int = 7, energy: float = 200.0, patch: str = "5.0.14"):
    """A game, a computer, a unit of it beside its town hall that nothing kills, and its place (cells)."""
    game, computer, x, y = at_home(race, level, patch)
    slot = game.spawn(game.facts.ids[name], 1, x, y)
    game.units["flags"][slot] |= INVULNERABLE
    game.units["energy"][slot] = energy
    return game, computer, slot, x, y


def know(game, computer, *upgrades: str) -> None:
    """The side has these upgrades."""
    for name in upgrades:
        game.players[1]["upgrades"][computer.recipes[name].product] = 1


@pytest.mark.parametrize(("level", "least", "most"), [(1, 1, 5), (3, 6, 9), (7, 40, 60)])
def test_lower_levels_wait_between_two_casts(level, least, most):
    """Ten seconds of 16 loops at the lowest one, five at Medium, none from VeryHard on, whoever casts."""
    game, computer, *_ = at_home(Race.TERRAN, level)
    halls = [game.spawn(game.facts.ids["OrbitalCommand"], 1, *base) for base in computer.ground.posts]
    casts = []
    for until in range(50, 700, 50):
        game.units["energy"][halls] = 100
        casts += ordered(game, computer, until, MULE)
    assert least <= len(casts) <= most
    gaps = np.diff([loop for loop, _ in casts])
    assert gaps.min(initial=1000) >= computer.level.cast_gap


@pytest.mark.parametrize("level", [1, 4])
def test_every_level_injects_and_boosts(level):
    game, computer, *_ = caster(Race.ZERG, "Queen", level, 50)
    assert ordered(game, computer, 300, INJECT)
    game, computer, x, y = at_home(Race.PROTOSS, level)
    game.units["energy"][game.owned(1, "Nexus")] = 100
    assert not ordered(game, computer, 300, CHRONO), "before a Pylon stands"
    game.spawn(game.facts.ids["Pylon"], 1, x, y)
    assert ordered(game, computer, 700, CHRONO)


@pytest.mark.parametrize(("zealots", "casts"), [(1, False), (2, False), (3, True)])
def test_a_storm_is_for_three_but_the_hurt_cast_at_one(zealots, casts):
    for hurt in (False, True):
        game, computer, templar, x, y = caster(Race.PROTOSS, "HighTemplar")
        know(game, computer, "PsiStormTech")
        game.units["hp"][templar], game.units["shield"][templar] = (10, 0) if hurt else (40, 40)
        for k in range(zealots):
            enemies(game, "Zealot", 1, x + 6 + 0.7 * k, y)
        assert bool(ordered(game, computer, 60, 1036)) == (casts or hurt)


@pytest.mark.parametrize(
    ("race", "unit", "ability", "foe", "too_few", "enough"),
    [
        (Race.ZERG, "Infestor", 74, "Marauder", 4, 5),
        (Race.ZERG, "Viper", 2063, "Marine", 4, 5),
        (Race.TERRAN, "Ghost", 1628, "Stalker", 3, 4),
        (Race.PROTOSS, "Oracle", 2375, "Marine", 4, 5),
        (Race.PROTOSS, "Sentry", 76, "Marine", 2, 3),
        (Race.TERRAN, "Raven", 1764, "Marine", 1, 2),
    ],
)
def test_how_many_enemies_a_cast_is_worth(race, unit, ability, foe, too_few, enough):
    for count, casts in ((too_few, False), (enough, True)):
        game, computer, _, x, y = caster(race, unit)
        for k in range(count):
            enemies(game, foe, 1, x + 4 + 0.4 * (k % 2), y + 0.4 * (k // 2))
        assert bool(ordered(game, computer, 60, ability)) == casts


@pytest.mark.parametrize(("level", "casts"), [(3, False), (4, True)])
def test_ravens_cast_from_level_4_on(level, casts):
    game, computer, _, x, y = caster(Race.TERRAN, "Raven", level)
    for k in range(4):
        enemies(game, "Marine", 1, x + 4 + k, y)
    assert bool(ordered(game, computer, 400, 1764)) == casts


def test_yamato_is_for_whose_life_is_nearest_to_its_damage():
    game, computer, _, x, y = caster(Race.TERRAN, "Battlecruiser")
    know(game, computer, "BattlecruiserEnableSpecializations")
    enemies(game, "Marine", 1, x + 6, y)
    enemies(game, "Ultralisk", 1, x + 6, y + 2)
    stalker = enemies(game, "Immortal", 1, x + 6, y - 2)[0]  # 300 of life and shields, 500, and 55
    play(game, [computer], 60)
    assert (computer.aimed.get((401, stalker), 0)) > 0


@pytest.mark.parametrize(("life", "away"), [(0.9, False), (0.5, True)])
def test_stalkers_blink_away_when_they_are_hurt_and_after_whom_they_attack_when_not(life, away):
    game, computer, stalker, x, y = caster(Race.PROTOSS, "Stalker")
    know(game, computer, "BlinkTech")
    units = game.units
    roach = game.spawn(game.facts.ids["Roach"], 2, x + 5, y)
    units["flags"][roach] |= UNHARMED
    units["hp"][stalker], units["shield"][stalker] = 80 * life, 0 if away else 80
    before = float(units["x"][stalker])
    casts = []
    while not casts and game.loop < 300:
        units["hp"][stalker] = 80 * life
        units["last_hit"][stalker], units["last_attacker"][stalker] = game.loop, roach
        if not away:
            units["x"][roach], units["target"][stalker] = units["x"][stalker] + 8.5, roach  # it runs
        casts = ordered(game, computer, game.loop + 1, 1442)
    play(game, [], game.loop + 4)
    assert casts
    assert (float(units["x"][stalker]) < before - 3) == away


@pytest.mark.parametrize(("unit", "ability", "goal"), [("Adept", 2544, 15), ("Battlecruiser", 2358, 25)])
def test_a_wave_that_retreats_uses_what_brings_it_home(unit, ability, goal):
    race = Race.PROTOSS if unit == "Adept" else Race.TERRAN
    for state in (RETREATING, "striking"):
        game, computer, *_ = at_home(race, 3)  # below level 4 no Adept plays at random
        far = computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.6)
        slot = game.spawn(game.facts.ids[unit], 1, *far)
        game.units["hp"][slot] *= 0.5
        army = computer.army
        army.state, army.wave_value, army.since = state, 300.0, 0
        army.wave = {slot: int(game.units["generation"][slot])}
        game.units["last_hit"][slot] = 0
        assert bool(ordered(game, computer, 48, ability)) == (state == RETREATING), goal


def test_a_detector_nearby_keeps_the_hurt_above_ground():
    for name, down in (("Hydralisk", True), ("Overseer", False)):
        game, computer, roach, x, y = caster(Race.ZERG, "Roach")
        know(game, computer, "Burrow")
        game.units["hp"][roach] = 60
        enemies(game, "Hydralisk", 1, x + 4, y)
        enemies(game, name, 1, x + 4, y)
        found = False
        while game.loop < 900 and not found:
            play(game, [computer], game.loop + 50)
            found = bool(game.owned(1, "RoachBurrowed"))
        assert found == down


def test_drones_burrow_when_they_are_hit_and_come_up_healed():
    game, computer, x, y = at_home(Race.ZERG, 1)
    know(game, computer, "Burrow")
    foe = enemies(game, "Hydralisk", 1, x, y + 3)[0]
    game.units["hp"][game.owned(1, "Drone")] = 20
    play(game, [computer], 200)
    assert game.owned(1, "DroneBurrowed")
    game.remove(foe)
    play(game, [computer], 1200)
    assert not game.owned(1, "DroneBurrowed")


@pytest.mark.parametrize(
    ("foes", "medivac", "hit", "casts"),
    [(3, False, False, False), (4, False, False, True), (2, True, False, True), (4, False, True, False)],
)
def test_stimpack_comes_before_the_first_hit(foes, medivac, hit, casts):
    """Against four, or two with a healer beside; at the lowest level too."""
    game, computer, marine, x, y = caster(Race.TERRAN, "Marine", 1)
    know(game, computer, "Stimpack")
    if medivac:
        game.units["energy"][game.spawn(game.facts.ids["Medivac"], 1, x, y + 1)] = 100
    for k in range(foes):
        enemies(game, "Roach", 1, x + 5, y + 0.7 * k)
    found = []
    while game.loop < 90:
        game.units["last_hit"][marine] = game.loop if hit else -1000
        found += ordered(game, computer, game.loop + 1, STIM)
    assert bool(found) == casts


@pytest.mark.parametrize(("away", "sieges"), [(13.5, True), (2.5, False), (20.0, False)])
def test_tanks_siege_for_who_is_in_their_reach_and_not_at_their_throat(away, sieges):
    game, computer, _, x, y = caster(Race.TERRAN, "SiegeTank")
    game.units["flags"][game.spawn(game.facts.ids["Marine"], 1, x + 12, y + 6)] |= INVULNERABLE  # sees
    enemies(game, "Roach", 1, x + away, y)
    assert bool(ordered(game, computer, 24, SIEGE)) == sieges


def test_bunkers_are_filled_while_enemies_are_near():
    game, computer, x, y = at_home(Race.TERRAN)
    bunker = game.spawn(game.facts.ids["Bunker"], 1, x + 0.5, y + 0.5)
    marines = [game.spawn(game.facts.ids["Marine"], 1, x - 3, y + k) for k in range(3)]
    game.units["flags"][[bunker, *marines]] |= INVULNERABLE
    play(game, [computer], 60)
    assert game.units["cargo"][bunker] == 0
    foe = enemies(game, "Roach", 1, x + 7, y)[0]
    play(game, [computer], 300)
    assert game.units["cargo"][bunker] > 0
    game.remove(foe)
    play(game, [computer], 500)
    assert game.units["cargo"][bunker] == 0


def test_every_row_names_what_there_is():
    """Unit, ability, aim and filter; in 4.10.0 or 5.0.14."""
    for cast in casting.casts():
        assert any(cast.unit in load(p).ids and cast.ability in load(p).abilities for p in ("5.0.14", "4.10.0"))
        assert cast.target in (*aim.AIM, "self")
        assert not cast.only or cast.only in aim.ONLY
