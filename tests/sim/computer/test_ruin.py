"""Built-in opponents without a town hall build one; who cannot fights with what is left, then concedes."""

from __future__ import annotations

import pytest

from sim.computer import Computer
from sim.computer.force import HOME
from sim.melee.game import Game
from sim.melee.records import Race
from tests.sim.computer.test_computer import alone, play

RUINED = 3600  # loop at which the town halls are gone
RACES = pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])


def ruined(race: int, minerals: int) -> tuple[Game, Computer]:
    """A computer of level 5 that has just lost its town halls, and what it has left in the bank; by a recorded opening,
    as those that are asked for still make their first fighters then."""
    game, computer = alone(5, RUINED, build=4, race=race, asked=False)
    for slot in halls(game, computer):
        game.kill(slot)
    game.players[1]["minerals"] = minerals
    return game, computer


def halls(game: Game, computer: Computer) -> list[int]:
    """Slots of the computer's town halls, those that go up too."""
    return [slot for slot in game.owned(1) if computer.sheet.hall[game.units["type"][slot]]]


@RACES
def test_who_lost_every_town_hall_builds_one_before_anything_else(race):
    game, computer = ruined(race, 420)
    play(game, [computer], RUINED + 900)
    assert len(halls(game, computer)) == 1


@RACES
def test_who_cannot_pay_one_attacks_with_all_that_is_left_and_then_concedes(race):
    game, computer = ruined(race, 40)
    play(game, [computer], RUINED + 600)
    assert computer.army.wave
    assert computer.army.state != HOME
    for slot in game.owned(1):
        if computer.sheet.army[game.units["type"][slot]]:
            game.kill(slot)
    play(game, [computer], RUINED + 1200)
    assert game.ended


@pytest.mark.parametrize(("workers", "army", "over"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_whose_town_halls_and_workers_are_gone_concedes_however_rich(workers, army, over):
    """Not while somebody fights on."""
    game, computer = ruined(Race.TERRAN, 5000)
    x, y = computer.ground.home
    for slot in game.owned(1):
        game.kill(slot)
    for name, count in (("SCV", workers), ("Marine", army), ("Barracks", 1)):
        for _ in range(count):
            game.spawn(game.facts.ids[name], 1, x, y)
    play(game, [computer], RUINED + 60)
    assert game.ended == over
