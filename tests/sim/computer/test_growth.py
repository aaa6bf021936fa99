"""Built-in opponents go on growing once their lists are done: gas, town halls, and armies of the shares they want."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.computer import Computer, levels, sites, spend, tech
from sim.computer.view import View
from sim.melee.game import Game
from sim.melee.records import Race, Result
from tests.sim.computer.test_computer import new_game, play

LATE = 20_000  # loops by which the lists come earlier here


def late(race: int, level: int = 7) -> tuple[Game, Computer]:
    """A game and a computer with one more finished town hall, whose lists have all come due."""
    game = new_game((race, Race.ZERG))
    computer = Computer(game, 1, race, level, 5, seed=5)
    base = computer.ground.bases[computer.ground.base_order[1]]
    game.spawn(computer.role("hall"), 1, base.x, base.y)
    computer.ahead = LATE
    game.step()
    return game, computer


def without_lists(units: dict[str, float]) -> levels.Opening:
    """An opening that asks for nothing but an army of these shares."""
    return levels.Opening(name="none", bases=2, tech=(), after=(), phases=({"from": 0, "units": units},))


def wanted(game: Game, computer: Computer) -> dict[str, int]:
    """What it misses now, and how many of it there should be."""
    return dict(tech.goals(computer, View(game, 1, computer.sight, computer.sheet)))


@pytest.mark.parametrize("race", [Race.TERRAN, Race.ZERG, Race.PROTOSS])
def test_a_dry_gas_structure_is_followed_by_another_one(race):
    """They had none left after 20,000 loops, with 24,000 minerals in the bank."""
    game, computer = late(race)
    name = computer.names["gas"]
    units = game.units
    geysers = [units[["x", "y"]][slot] for slot in computer.ground.geyser_slots[:8]]
    built = [game.spawn(computer.role("gas"), 1, float(x), float(y)) for x, y in geysers]
    units["contents"][built] = 500
    game.step()
    assert name not in wanted(game, computer)
    units["contents"][built[:5]] = 0
    assert wanted(game, computer)[name] >= 4


@pytest.mark.parametrize(("level", "halls"), [(7, 3), (5, 2)])
def test_another_town_hall_comes_from_time_to_time(level, halls):
    """Real ones of levels 6 and 7 take one every 2000 loops, those below seldom."""
    game, computer = late(Race.PROTOSS, level)
    computer.opening = without_lists({"Zealot": 1.0})
    while game.loop < 3000:
        game.players[1]["minerals"] = max(int(game.players[1]["minerals"]), 500)
        play(game, [computer], game.loop + 100)
    assert len(game.owned(1, "Nexus")) == halls


def test_one_that_gathers_twice_as_much_spends_it_from_the_start():
    """It held 970 minerals at loop 1600 and 1400 at 3200, waiting for the times of the level below."""
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, 10, 5, seed=5)
    computer.level = replace(computer.level, income=((0, 1.0),))
    wanted_before = tech.army_wanted(computer, 6400)
    play(game, [computer], 1600)
    assert game.players[1]["minerals"] < 700
    assert computer.counted_halls(View(game, 1, computer.sight, computer.sheet)) >= 2
    assert tech.army_wanted(computer, 6400) > 1.2 * wanted_before, "its army's curve comes as much earlier"


def test_a_base_behind_rocks_is_taken_when_they_are_gone():
    """Builders stood for good before a wall of mineral fields, and no third base was ever taken there."""
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, 5, 5, seed=5)
    closed = 65.5, 132.5
    assert computer.ground.bases[computer.ground.base_order[-1]].x in (closed[0], 110.5), "another one is its mirror"
    for base in computer.ground.bases:
        if (base.x, base.y) != closed:
            game.spawn(game.facts.ids["CommandCenter"], 1, base.x, base.y)
    game.step()
    assert sites.hall(computer, View(game, 1, computer.sight, computer.sheet)) is None
    for slot in game.owned(0):
        if game.facts.names[int(game.units["type"][slot])].startswith("Destructible"):
            game.kill(slot)
    game.step(20)
    assert sites.hall(computer, View(game, 1, computer.sight, computer.sheet)) == (*closed, -1)


def test_a_lost_main_base_is_the_first_to_be_taken_again():
    game = new_game((Race.TERRAN, Race.ZERG))
    computer = Computer(game, 1, Race.TERRAN, 5, 5, seed=5)
    game.kill(game.owned(1, "CommandCenter")[0])
    game.step(20)
    assert sites.hall(computer, View(game, 1, computer.sight, computer.sheet)) == (*computer.ground.home, -1)


def test_warp_gates_wait_for_what_the_army_lacks_too():
    """They sent Sentries instead whenever minerals were short: half an army of them."""
    game = new_game((Race.PROTOSS, Race.ZERG))
    computer = Computer(game, 1, Race.PROTOSS, 5, 5, seed=5)
    ids, (x, y) = game.facts.ids, computer.ground.home
    game.spawn(ids["CyberneticsCore"], 1, x, y + 9)
    game.spawn(ids["Pylon"], 1, x + 9, y)
    game.spawn(ids["WarpGate"], 1, x + 9, y + 4)
    computer.opening = without_lists({"Stalker": 0.8, "Sentry": 0.2})
    game.step()
    for minerals, stalkers in ((100, 0), (130, 1)):
        game.players[1]["minerals"], game.players[1]["gas"] = minerals, 200
        view = View(game, 1, computer.sight, computer.sheet)
        view.loop = 9000  # the curve has an army by then
        tech.train_army(computer, view, spend.Purse(view), urgent=False)
        game.step()
        assert (len(game.owned(1, "Stalker")), len(game.owned(1, "Sentry"))) == (stalkers, 0)


@pytest.mark.parametrize(
    ("unit", "have", "place"),
    [
        ("Marine", {}, "Barracks"),
        ("Marine", {"SupplyDepot": False, "Barracks": False}, ""),  # it waits for work
        ("Marine", {"SupplyDepot": False, "Barracks": True}, "Barracks"),
        ("Marauder", {"SupplyDepot": False, "Barracks": True}, "BarracksTechLab"),
        ("Thor", {}, ""),
    ],
)
def test_more_places_are_of_what_is_at_work_and_not_of_what_lacks_tech(unit, have, place):
    game, computer = late(Race.TERRAN)
    ids, (x, y) = game.facts.ids, computer.ground.on_the_way(computer.ground.home, computer.ground.enemy_start, 0.3)
    for k, (name, busy) in enumerate(have.items()):
        slot = game.spawn(ids[name], 1, x + 4 * k, y)
        if busy:
            game.players[1]["minerals"] = 50
            assert computer.hands.order(computer.recipes["Marine"].ability, [slot]) == Result.SUCCESS
    game.step(2)
    assert tech._place_for(computer, View(game, 1, computer.sight, computer.sheet), unit) == place


def test_a_second_level_waits_for_the_first():
    game, computer = late(Race.TERRAN)
    second = computer.recipes["TerranInfantryWeaponsLevel2"]
    for name in ("EngineeringBay", "Armory"):
        game.spawn(game.facts.ids[name], 1, *computer.ground.enemy_start)
    for known in (0, 1):
        game.players[1]["upgrades"][computer.recipes["TerranInfantryWeaponsLevel1"].product] = known
        assert spend.tech_met(computer, View(game, 1, computer.sight, computer.sheet), second) == known


def test_what_cannot_stand_where_it_was_to_is_not_tried_again_at_once(monkeypatch):
    game, computer = late(Race.TERRAN)
    game.players[1]["minerals"] = 400
    monkeypatch.setattr(sites, "find", lambda *_: (*computer.ground.home, -1))
    view = View(game, 1, computer.sight, computer.sheet)
    assert not spend.make(computer, view, spend.Purse(view), "SupplyDepot")
    monkeypatch.undo()
    for later, made in ((0, False), (spend.BACK_OFF - 1, False), (spend.BACK_OFF, True)):
        view = View(game, 1, computer.sight, computer.sheet)
        view.loop += later
        assert spend.make(computer, view, spend.Purse(view), "SupplyDepot") == made


def test_an_army_grows_on_as_it_did_at_the_end_of_its_curve():
    curves = levels.Curves(np.array([0.0, 100.0, 200.0]), np.zeros(3), np.array([0.0, 50.0, 250.0]))
    assert [curves.army_at(loop) for loop in (50, 150, 200, 250)] == [25, 150, 250, 350]


def test_lists_are_done_with_a_thing_once_its_last_is_due():
    game, computer = late(Race.TERRAN)
    computer.opening = replace(without_lists({}), tech=(("Barracks", 500), ("Factory", 900), ("Barracks", 700)))
    computer.ahead = 0
    view = View(game, 1, computer.sight, computer.sheet)
    for loop, done in ((600, False), (700 - tech.LEAD - 1, False), (700 - tech.LEAD, True)):
        view.loop = loop
        assert tech.all_due(computer, view, "Barracks") == done
        assert not tech.all_due(computer, view, "Factory")


def test_the_second_list_counts_from_the_first_wave_on_or_from_its_own_time():
    _, computer = late(Race.TERRAN)
    computer.opening = replace(without_lists({}), midgame=5000, after=(("Armory", 100),))
    computer.ahead = 0
    ((_, at),) = tech.timetable(computer)
    assert at == pytest.approx(tech.due(computer, 5000) + 100 * computer.level.delay)
    computer.army.first_wave = 3000
    assert tech.timetable(computer) == [("Armory", 3000 + 100 * computer.level.delay)]
