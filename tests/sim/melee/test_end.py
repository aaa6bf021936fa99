"""What players are told and what counts: deaths, scores, the first moment, the end of a game."""

import pytest

from sim.engine.state import UNFINISHED
from sim.melee.game import Command
from sim.melee.records import Outcome, Result
from sim.melee.sight import Sight
from sim.melee.victory import BARE_AFTER
from tests.sim.melee.field import finished, give, order, terran, until

MOVE, ATTACK = 16, 23


def test_a_dead_unit_is_reported_once_to_those_who_saw_it():
    game = terran()
    near, far = give(game, "Marine", owner=2), give(game, "Marine", 80.5, 80.5, owner=2)
    give(game, "Marine", 50.5, 48.5)
    game.step(4)
    tags = game.tag(near), game.tag(far)
    game.events(1)
    game.kill(near)
    game.kill(far)
    assert game.events(1).dead == [tags[0]]
    assert set(game.events(2).dead) >= set(tags)
    assert game.events(1).dead == []
    assert game.slot(tags[0]) < 0
    game.step(40)
    again = give(game, "Marine", owner=2)
    assert game.tag(again) not in tags


def test_who_has_no_structure_left_has_lost():
    game = terran(tech=False)
    assert game.result(1) == Outcome.NONE
    game.kill(game.owned(2, "CommandCenter")[0])
    game.step(8)
    assert (game.result(1), game.result(2), game.ended) == (Outcome.VICTORY, Outcome.DEFEAT, True)
    loop = game.loop
    game.step(10)
    assert game.loop == loop


@pytest.mark.parametrize("name", ["AutoTurret", "CreepTumorBurrowed", "OracleStasisTrap", "RavenRepairDrone"])
def test_what_scores_nothing_keeps_nobody_in_the_game(name: str):
    game = terran(tech=False)
    give(game, name, 48.0, 48.0, owner=2)
    game.kill(game.owned(2, "CommandCenter")[0])
    game.step(8)
    assert game.result(2) == Outcome.DEFEAT


def test_a_crawler_on_its_legs_is_a_structure():
    """By its attributes; that it is moved like a unit does not end the game."""
    game = terran(tech=False)
    crawler = give(game, "SpineCrawler", 48.5, 48.5, owner=2)
    game.change_type(crawler, game.facts.ids["SpineCrawlerUprooted"])
    game.kill(game.owned(2, "CommandCenter")[0])
    game.step(8)
    assert game.result(2) == Outcome.NONE


def test_who_begins_no_town_hall_is_laid_bare():
    """Structures alone, and only while none is begun; one that flies is one."""
    game = terran(tech=False)
    depot, marine = give(game, "SupplyDepot", 47, 47, owner=2), give(game, "Marine", 49.5, 47.5, owner=2)
    eyes = Sight(game, 1)
    hall = game.owned(2, "CommandCenter")[0]
    game.change_type(hall, game.facts.ids["CommandCenterFlying"])
    game.step(BARE_AFTER + 8)
    assert not eyes.is_visible(depot)
    game.kill(hall)
    game.step(BARE_AFTER - 8)
    assert not eyes.is_visible(depot)
    game.step(16)
    assert [eyes.is_visible(slot) for slot in (depot, marine)] == [True, False]
    hunter = give(game, "Marine", 30.5, 47.5)
    assert order(game, hunter, ATTACK, depot) == Result.SUCCESS
    until(game, lambda: game.units[depot]["hp"] < 400, 400)
    game.kill(hunter)
    game.spawn(game.facts.ids["CommandCenter"], 2, 60.5, 60.5, build_left=100, build_total=1600, flags=UNFINISHED)
    game.step(12)
    assert not eyes.is_visible(depot)


def test_leaving_is_losing():
    game = terran()
    game.surrender(1)
    assert (game.result(1), game.result(2)) == (Outcome.DEFEAT, Outcome.VICTORY)
    assert game.issue(Command(2, MOVE, (game.tag(game.owned(2, "SCV")[0]),), 0, 5.0, 5.0, True)) == Result.ERROR


def test_the_first_moment_of_a_game():
    game = terran(rich=False, tech=False)
    for player in (1, 2):
        record = game.players[player]
        assert (record["minerals"], record["supply_used"], record["supply_cap"]) == (50, 12, 15)
        assert len(game.owned(player, "SCV")) == 12
    assert finished(game, game.owned(1, "CommandCenter")[0])


def test_lost_and_killed_value():
    game = terran()
    tank = give(game, "SiegeTank", owner=2)
    game.units[tank]["hp"] = 1
    give(game, "Marine", 50.5, 48.5)
    until(game, lambda: not game.units[tank]["alive"], 60)
    assert game.scores[2].lost_value["army"] == [150, 125]
    assert game.scores[1].killed_value["army"] == [150, 125]


def test_players_whose_last_structures_fall_in_one_loop_tie():
    game = terran(tech=False)
    for player in (1, 2):
        game.kill(game.owned(player, "CommandCenter")[0])
    game.step(8)
    assert (game.result(1), game.result(2), game.ended) == (Outcome.TIE, Outcome.TIE, True)
