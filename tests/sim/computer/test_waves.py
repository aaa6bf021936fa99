"""When waves of built-in opponents set out, and how they hunt down what is left of an enemy without an army."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, army, defence
from sim.computer.force import HOME, STRIKING
from sim.computer.view import View
from sim.engine.state import INVULNERABLE
from sim.melee.game import Game
from sim.melee.records import Race
from sim.melee.sight import VISIBLE
from tests.sim.computer.test_computer import new_game, play
from tests.sim.computer.test_forms import at_home, enemies


def look(game: Game, computer: Computer) -> View:
    """What it sees now."""
    return View(game, computer.player, computer.sight, computer.sheet)


@pytest.mark.parametrize(("raiders", "goes"), [(2, True), (12, False)])
def test_a_wave_that_is_due_sets_out_though_a_few_raid_the_base(raiders, goes):
    """Two sides whose bases adjoin raid each other all the time: armies of 15,000 stood at home to the game's end."""
    game, computer, x, y = at_home(Race.TERRAN)
    for k in range(40):
        game.spawn(game.facts.ids["Marine"], 1, x + k % 7, y + k // 7)
    computer.army.next_wave = 1.0
    enemies(game, "Roach", raiders, x, y + 12)
    play(game, [computer], 60)
    assert computer.last_threat > 0
    assert (computer.army.state != HOME) == goes


@pytest.mark.parametrize(("left", "together"), [(3, True), (15, False)])
def test_the_next_wave_does_not_wait_for_the_last_of_a_beaten_one(left, together):
    """Seventy units stood at home for 8000 loops while the last four of the wave before fought on."""
    game, computer, x, y = at_home(Race.TERRAN)
    ids, (ex, ey) = game.facts.ids, computer.ground.enemy_start
    out = [game.spawn(ids["Marine"], 1, ex + 12 + k % 5, ey + k // 5) for k in range(left)]
    home = [game.spawn(ids["Marine"], 1, x + k % 7, y + k // 7) for k in range(40)]
    own = computer.army
    own.state, own.waves, own.wave_value, own.joined, own.next_wave = STRIKING, 1, 1000.0, 10**6, 1.0
    own.wave = {slot: int(game.units["generation"][slot]) for slot in out}
    game.units["flags"][game.owned(1)] |= INVULNERABLE
    play(game, [computer], 60)
    assert (own.waves, len(set(home) & set(own.wave)) > 30) == (1 + together, together)


def test_who_stands_at_a_base_of_his_beside_ours_does_not_threaten():
    game, computer, x, y = at_home(Race.TERRAN, 8)
    ids = game.facts.ids
    game.spawn(ids["Hatchery"], 2, x + 12, y + 20)
    roach = enemies(game, "Roach", 1, x + 13, y + 24)[0]
    game.step()
    assert defence.threats(computer, look(game, computer)) is None
    game.remove(roach)
    enemies(game, "Roach", 1, x + 3, y + 8)
    game.step()
    assert defence.threats(computer, look(game, computer)) is not None


def test_a_wave_parts_where_the_enemy_has_no_army_left():
    """One that stayed together took 19,000 loops to find the last Nexuses."""
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, 8, 5, 1)  # sees the whole map
    x, y = computer.ground.home
    marines = [game.spawn(game.facts.ids["Marine"], 1, x + 9 + k % 6, y + k // 6) for k in range(24)]
    bases = [computer.ground.bases[index] for index in computer.ground.base_order[3:5]]
    places = [computer.ground.enemy_start, *((base.x, base.y) for base in bases)]
    for place in places[1:]:
        game.spawn(game.facts.ids["Hatchery"], 2, *place)
    game.step()
    own = computer.army
    own.state, own.wave_value, own.joined = STRIKING, 1200.0, 10**6
    own.wave = {slot: int(game.units["generation"][slot]) for slot in marines}
    for quiet, parts in ((0, 1), (army.HUNT_AFTER, 3)):
        own.since = own.opposed = game.loop - quiet
        play(game, [computer], game.loop + 40)
        goals = game.orders[marines, 0]
        assert sum(np.hypot(goals["x"] - x, goals["y"] - y).min() < 6 for x, y in places) == parts


def test_parties_are_never_smaller_than_eight_and_nobody_is_left_out():
    game, computer, x, y = at_home(Race.TERRAN)
    marines = np.array([game.spawn(game.facts.ids["Marine"], 1, x + k % 6, y + k // 6) for k in range(19)])
    targets = [(30.0, 30.0), (31.0, 30.0), (90.0, 30.0), (30.0, 120.0)]
    found = army.parties(look(game, computer), marines, targets)
    assert [place for place, _ in found] == [(30.0, 30.0), (30.0, 120.0)], "those furthest apart"
    assert sorted(slot for _, party in found for slot in party) == sorted(marines)
    assert min(len(party) for _, party in found) >= 8


def test_without_a_known_structure_the_bases_unseen_longest_are_searched():
    game, computer, *_ = at_home(Race.TERRAN)
    ground = computer.ground
    fog = np.zeros_like(game.visibility[1])
    assert ground.look(fog, 100)[0] == ground.enemy_start
    assert ground.look(np.full_like(fog, VISIBLE), 200)[0] == ground.enemy_start
    x, y = ground.enemy_start
    fog[int(y), int(x)] = VISIBLE
    places = ground.look(fog, 300)
    assert places[-1] == ground.enemy_start
    assert set(places) == {(base.x, base.y) for base in ground.bases}
