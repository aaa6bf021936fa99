"""When waves of built-in opponents set out, and how they hunt down what is left of an enemy without an army."""

from __future__ import annotations

import numpy as np
import pytest

from sim.computer import Computer, army, defence, force, waves
from sim.computer.force import HOME, RETREATING, STRIKING
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


def out(level: int, ours: int, theirs: int) -> tuple[Game, Computer]:
    """A Terran wave of Marauders that meets Roaches half way to the enemy, at loop 150."""
    game, computer, *_ = at_home(Race.TERRAN, level)
    far = computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.5)
    wave = [game.spawn(game.facts.ids["Marauder"], 1, *far) for _ in range(ours)]
    enemies(game, "Roach", theirs, *far)
    game.units["flags"][wave] |= INVULNERABLE
    own = computer.army
    own.state, own.wave_value, own.next_wave, own.waves = STRIKING, 125.0 * ours, 600.0, 1
    own.wave = {slot: int(game.units["generation"][slot]) for slot in wave}
    play(game, [], 150)
    return game, computer


@pytest.mark.parametrize(
    ("level", "ours", "theirs", "fought", "leaves"),
    [(4, 7, 12, 0, True), (4, 8, 12, 0, True), (4, 8, 12, 100, False), (4, 10, 12, 0, False), (3, 2, 12, 0, False)],
)
def test_a_wave_leaves_a_fight_below_three_quarters_and_a_fresh_one_sooner(level, ours, theirs, fought, leaves):
    """The game's own AI scripts: below .75 of the enemy's strength, in the first three seconds below .85, from level 4
    on; a Marauder is worth 125, a Roach 100. For 120 seconds none sets out again."""
    game, computer = out(level, ours, theirs)
    computer.army.fighting = game.loop - fought
    while not computer.turn or computer.turn % 2:
        play(game, [computer], game.loop + 1)
    assert (computer.army.state == RETREATING) == leaves
    assert computer.army.next_wave == (game.loop - 1 + army.REST if leaves else 600)


@pytest.mark.parametrize(("level", "fresh", "joins"), [(5, 8, False), (6, 5, False), (6, 6, True)])
def test_six_at_home_follow_a_wave_at_levels_that_never_stop_making_more(level, fresh, joins):
    game, computer = out(level, 12, 1)
    x, y = computer.ground.home
    more = [game.spawn(game.facts.ids["Marine"], 1, x + 5, y + k) for k in range(fresh)]
    computer.army.joined = -1000
    play(game, [computer], 220)
    assert (set(more) <= set(computer.army.wave)) == joins


@pytest.mark.parametrize(("share", "goes"), [(0.4, False), (0.6, True)])
@pytest.mark.parametrize("level", [1, 3])
def test_half_of_what_the_curve_has_is_enough_for_a_wave_and_all_of_it_goes(level, share, goes):
    game, computer, x, y = at_home(Race.TERRAN, level)
    view = look(game, computer)
    view.loop = 9500
    wanted = computer.curves.army_at(9500) * computer.level.army
    marines = [game.spawn(game.facts.ids["Marine"], 1, x, y + k / 3) for k in range(int(share * wanted / 50 + 0.99))]
    view = look(game, computer)
    view.loop, computer.army.next_wave = 9500, 9000.0
    assert waves.maybe_attack(computer, view, np.array(marines)) == goes
    assert set(computer.army.wave) == (set(marines) if goes else set())


def test_a_wave_of_which_nobody_is_left_is_over():
    game, computer = out(4, 3, 1)
    for slot in computer.army.wave:
        game.remove(slot)
    play(game, [computer], 190)
    assert (computer.army.state, computer.army.wave) == (HOME, {})


@pytest.mark.parametrize(("away", "long_ago", "over"), [(8, 0, True), (40, 0, False), (40, 501, True)])
def test_a_retreat_ends_at_home_or_after_a_while(away, long_ago, over):
    game, computer, *_ = at_home(Race.TERRAN)
    point = computer.rally_point(look(game, computer))
    (x, y), (ex, ey) = point, computer.ground.enemy_start
    part = away / np.hypot(ex - x, ey - y)
    wave = [game.spawn(game.facts.ids["Banshee"], 1, x + part * (ex - x), y + part * (ey - y)) for _ in range(3)]
    own = computer.army
    own.state, own.since, own.next_wave = RETREATING, game.loop - long_ago, 5000.0
    own.wave = {slot: int(game.units["generation"][slot]) for slot in wave}
    army.campaign(computer, look(game, computer), np.array(wave))
    assert (own.state, bool(own.wave)) == ((HOME, False) if over else (RETREATING, True))
    game.step()
    assert (game.units["order_count"][wave] == (0 if over else 1)).all()


@pytest.mark.parametrize(
    ("met", "raiders", "there", "called"),
    [(False, 12, 7, True), (False, 12, 8, False), (True, 12, 0, False), (False, 1, 0, False)],
)
def test_a_wave_that_has_met_nobody_is_called_home_against_what_is_too_strong_there(met, raiders, there, called):
    """For those at home: below four fifths of its strength. A Marauder is worth 125, a Roach 100."""
    game, computer = out(4, 6, int(met))
    x, y = computer.ground.home
    own = [game.spawn(game.facts.ids["Marauder"], 1, x, y + 20 + k) for k in range(there)]
    enemies(game, "Roach", raiders, x, y + 9)
    game.step()
    view = look(game, computer)
    threat = defence.threats(computer, view)
    defence.defend(computer, view, np.array(own, np.int64), threat)
    assert (computer.army.state == RETREATING) == called
    assert computer.army.next_wave == (view.loop + 0.3 * computer.level.wave_gap if called else 600)


def test_strength_is_the_value_of_what_lives_of_who_fights():
    """Of workers a part, of what does not fight a little; and a walk is in place of what was to be done before."""
    game, computer, x, y = at_home(Race.TERRAN)
    ids = game.facts.ids
    slots = [game.spawn(ids[name], 1, x, y) for name in ("Marine", "Marauder", "SCV", "SupplyDepot")]
    game.units["hp"][slots[1]] /= 5
    found = force.strength(look(game, computer), np.array(slots))
    assert found == pytest.approx([50, 25, 15, 10])
    for goal in (x + 10, x + 20):
        computer.hands.walk(slots[:1], goal, y)
        game.step()
    assert (game.units["order_count"][slots[0]], game.orders["x"][slots[0], 0]) == (1, x + 20)


@pytest.mark.parametrize(("x", "sent_again"), [(0.0, False), (30.0, True)])
def test_who_has_a_target_before_the_goal_is_not_sent_there_again(x, sent_again):
    """Each decision would take it off its target otherwise."""
    game, computer, home, y = at_home(Race.TERRAN)
    slot, goal = game.spawn(game.facts.ids["Marine"], 1, home, y), (home, y + 20)
    prey = game.spawn(game.facts.ids["Roach"], 2, home + 3, y + 3)
    game.step(4)
    computer.hands.on(force.ATTACK, [slot], prey)
    computer.hands.at(force.ATTACK, [slot], *goal, queued=True)
    game.step()
    force.send(computer, look(game, computer), np.array([slot]), goal[0] + x, goal[1])
    game.step()
    assert (int(game.orders[slot, 0]["target"]) != prey) == sent_again
