"""Production, research, transports, spells, mining, healing."""

import pytest

from sim.engine.state import CLOAKED, GATHER, INSIDE
from sim.melee import upgrades
from sim.melee.records import Alert, Result
from tests.sim.melee.field import bank, geyser, give, name_of, newest, order, terran, until

SMART, MOVE, TRAIN_SCV, TRAIN_MARINE, CANCEL_LAST = 1, 16, 524, 560, 306
RALLY_BUILDING, RALLY_WORKERS, STIM, BUILD_CC = 195, 203, 380, 318


def lab_on(game, host):
    """Gives a host a finished tech lab."""
    lab = give(
        game, name_of(game, host) + "TechLab", float(game.units[host]["x"]) + 2.5, float(game.units[host]["y"]) - 0.5
    )
    game.units[host]["addon"], game.units[lab]["addon"] = lab, host
    return lab


def test_training_takes_its_loops_and_the_queue_goes_on_in_the_same_loop():
    game = terran()
    cc, known = game.owned(1, "CommandCenter")[0], len(game.owned(1, "SCV"))
    for _ in range(5):
        assert order(game, cc, TRAIN_SCV) == Result.SUCCESS
    assert order(game, cc, TRAIN_SCV) == Result.SUCCESS  # judged by the state before the step
    before = bank(game)[0]
    game.step()
    assert game.units[cc]["job_count"] == 5
    assert before - bank(game)[0] == 250
    assert order(game, cc, TRAIN_SCV) == Result.QUEUE_FULL
    assert until(game, lambda: len(game.owned(1, "SCV")) > known, 300) == 271
    assert Alert.TRAIN_WORKER_COMPLETE in game.events(1).alerts
    assert until(game, lambda: len(game.owned(1, "SCV")) > known + 1, 300) == 271


def test_cancelling_the_last_item_gives_all_back():
    game = terran()
    barracks = give(game, "Barracks")
    before = bank(game)
    order(game, barracks, TRAIN_MARINE)
    order(game, barracks, TRAIN_MARINE)
    game.step(10)
    used = float(game.players[1]["supply_used"])
    for left in (1, 0):
        assert order(game, barracks, CANCEL_LAST) == Result.SUCCESS
        game.step()
        assert game.units[barracks]["job_count"] == left
    assert bank(game)[0] - before[0] < 60  # only what the workers brought
    assert game.players[1]["supply_used"] == used - 1
    assert order(game, barracks, CANCEL_LAST) == Result.ERROR


def test_new_units_follow_the_rally_point():
    game = terran()
    barracks, cc = give(game, "Barracks"), game.owned(1, "CommandCenter")[0]
    field = next(s for s in game.near(16.0, 80.5, 8) if name_of(game, s) == "MineralField")
    order(game, barracks, SMART, (60.0, 60.0))
    order(game, cc, RALLY_WORKERS, field)
    order(game, barracks, TRAIN_MARINE)
    order(game, cc, TRAIN_SCV)
    game.step(402)
    assert (game.orders[newest(game, "Marine"), 0]["x"], game.orders[newest(game, "Marine"), 0]["y"]) == (60, 60)
    scv = newest(game, "SCV")
    assert (game.orders[scv, 0]["verb"], game.orders[scv, 0]["target"]) == (GATHER, field)


def test_a_town_hall_takes_the_rally_point_of_a_barracks():
    game = terran()
    cc = game.owned(1, "CommandCenter")[0]
    x, y = float(game.units[cc]["x"]), float(game.units[cc]["y"])
    assert order(game, cc, RALLY_BUILDING, (x + 8, y)) == Result.SUCCESS
    order(game, cc, TRAIN_SCV)
    game.step(275)
    scv = newest(game, "SCV")
    assert game.orders[scv, 0]["x"] == x + 8
    assert float(game.units[scv]["x"]) > x + 2
    assert order(game, scv, RALLY_BUILDING, (x, y)) == Result.NOT_SUPPORTED


def test_research_counts_once_and_shields_are_felt_by_living_marines():
    game = terran()
    host = give(game, "Barracks")
    lab, marine = lab_on(game, host), give(game, "Marine", 60.5, 60.5)
    second = lab_on(game, give(game, "Barracks", 48.5, 56.5))
    assert order(game, lab, 731) == Result.SUCCESS
    game.step()
    before = bank(game)
    assert order(game, second, 731) == Result.SUCCESS  # and nothing happens
    game.step()
    assert bank(game)[1] == before[1]
    assert game.units[second]["job_count"] == 0
    assert until(game, lambda: bool(game.players[1]["upgrades"][16]), 2000) == 1760 - 2
    assert (game.units[marine]["hp"], game.units[marine]["hp_max"]) == (55, 55)
    assert Alert.RESEARCH_COMPLETE in game.events(1).alerts
    assert order(game, lab, 731) in (Result.NOT_SUPPORTED, Result.TECH_REQUIREMENTS_NOT_MET)
    bay = game.owned(1, "EngineeringBay")[0]
    assert order(game, bay, 653) == Result.NOT_SUPPORTED  # level 1 first
    assert order(game, bay, 652) == Result.SUCCESS
    weapon = game.types[1, game.facts.ids["Marine"]]["weapons"][0]
    damage = float(game.weapons[1, weapon]["damage"])
    game.step(2562)
    assert game.weapons[1, weapon]["damage"] == damage + 1
    assert game.weapons[2, weapon]["damage"] == damage


@pytest.mark.parametrize(
    ("name", "alert"),
    [
        ("Stimpack", Alert.RESEARCH_COMPLETE),
        ("HiSecAutoTracking", Alert.RESEARCH_COMPLETE),
        ("TerranInfantryWeaponsLevel1", Alert.UPGRADE_COMPLETE),
        ("TerranBuildingArmor", Alert.UPGRADE_COMPLETE),
        ("LiberatorAGRangeUpgrade", Alert.UPGRADE_COMPLETE),
        ("AdeptPiercingAttack", Alert.UPGRADE_COMPLETE),
    ],
)
def test_which_alert_an_upgrade_brings(name, alert):
    """UpgradeComplete, unless the catalog says otherwise."""
    game = terran()
    game.events(1)
    upgrades.finish(game, 1, next(known.id for known in game.facts.upgrades.values() if known.name == name))
    assert game.events(1).alerts == [alert]


def test_marines_fire_out_of_a_bunker_and_survive_it():
    game = terran()
    bunker = give(game, "Bunker")
    marines = [give(game, "Marine", 52.5, 46.5 + k) for k in range(5)]
    for marine in marines:
        order(game, marine, SMART, bunker)
    game.step(120)
    inside = [m for m in marines if int(game.units[m]["flags"]) & INSIDE]
    assert (len(inside), int(game.units[bunker]["cargo"])) == (4, 4)
    outside = next(m for m in marines if m not in inside)
    game.kill(outside)
    radii = sum(float(game.types[1, game.facts.ids[name]]["radius"]) for name in ("Bunker", "Marauder"))
    enemy = give(game, "Marauder", 48.5 + radii + 5.9, 48.5, owner=2)  # a Marine alone reaches 5
    order(game, enemy, 18)
    hp = float(game.units[enemy]["hp"])
    game.step(60)
    assert game.units[enemy]["hp"] < hp
    game.kill(enemy)
    game.kill(bunker)
    game.step()
    assert all(game.units[m]["alive"] and not int(game.units[m]["flags"]) & INSIDE for m in inside)


def test_medivacs_carry_eight_and_take_them_along_into_death():
    game = terran()
    medivac = give(game, "Medivac")
    cargo = [give(game, "Marauder", 50.5, 44.5 + 2 * k) for k in range(5)]
    for unit in cargo[:4]:
        assert order(game, medivac, 394, unit, queued=True) == Result.SUCCESS
    until(game, lambda: game.units[medivac]["cargo"] == 8, 400)
    assert order(game, medivac, 394, cargo[4]) == Result.NOT_ENOUGH_ROOM
    assert order(game, medivac, 396, (60.5, 60.5)) == Result.SUCCESS
    until(game, lambda: game.units[medivac]["cargo"] == 6, 200)
    assert until(game, lambda: game.units[medivac]["cargo"] == 0, 200) == 48
    order(game, medivac, 394, cargo[0])
    until(game, lambda: game.units[medivac]["cargo"] == 2, 200)
    tag = game.tag(cargo[0])
    game.events(1)
    game.kill(medivac)
    assert tag in game.events(1).dead


def test_stim_costs_life_and_quickens():
    game = terran()
    game.players[1]["upgrades"][15] = 1
    marine = give(game, "Marine")
    order(game, marine, MOVE, (70.5, 48.5))
    game.step()
    assert order(game, marine, STIM) == Result.SUCCESS
    game.step()
    assert (game.units[marine]["hp"], game.orders[marine, 0]["ability"]) == (35, MOVE)  # instant: the order stays
    game.step(3)
    assert game.units[marine]["speed"] == pytest.approx(1.5 * 2.25 / 16, rel=0.01)
    game.units[marine]["hp"] = 10
    assert order(game, marine, STIM) == Result.NOT_ENOUGH_LIFE
    game.step(245)
    assert game.units[marine]["speed_factor"] == 1


def test_scan_mule_and_supply_drop():
    game = terran(rich=False)
    orbital = game.owned(1, "CommandCenter")[0]
    game.change_type(orbital, game.facts.ids["OrbitalCommand"])
    game.units[orbital]["energy"] = 200
    ghost = give(game, "Banshee", 80.5, 70.5, owner=2)
    game.units[ghost]["flags"] |= CLOAKED
    assert order(game, orbital, 399, (80.0, 70.0)) == Result.SUCCESS
    game.step(4)
    assert game.visibility[1, 70, 80] == 2
    assert int(game.units[ghost]["flags"]) & (1 << 17)  # detected
    assert [effect.id for effect in game.memory.effects] == [6]
    game.step(220)
    assert game.visibility[1, 70, 80] == 1
    assert not game.memory.effects
    field = next(s for s in game.near(16.0, 80.5, 8) if name_of(game, s) == "MineralField")
    hall = give(game, "CommandCenter", 17.5, 72.5)
    for scv in game.owned(1, "SCV"):
        game.kill(scv)
    game.step(4)  # so that the new hall's surroundings are seen
    gathered = int(game.players[1]["minerals_gathered"])
    assert order(game, orbital, 171, field) == Result.SUCCESS
    game.step(70)
    mule = game.owned(1, "MULE")[0]
    assert hall >= 0
    assert until(game, lambda: not game.owned(1, "MULE"), 1500) in range(1430, 1445)
    assert (int(game.players[1]["minerals_gathered"]) - gathered) % 25 == 0
    assert int(game.players[1]["minerals_gathered"]) - gathered >= 200
    assert Alert.MULE_EXPIRED in game.events(1).alerts
    assert mule >= 0
    depot, cap = game.owned(1, "SupplyDepot")[0], float(game.players[1]["supply_cap"])
    assert order(game, orbital, 255, depot) == Result.SUCCESS
    game.step(66)
    assert game.players[1]["supply_cap"] == cap + 8


def test_repair_costs_a_quarter():
    game = terran(tech=False)
    depot, scv = give(game, "SupplyDepot"), give(game, "SCV", 52.5, 48.5)
    for worker in game.owned(1, "SCV"):
        if worker != scv:
            game.kill(worker)
    game.units[depot]["hp"] = 200
    before = bank(game)[0]
    assert order(game, scv, SMART, depot) == Result.SUCCESS
    until(game, lambda: game.units[depot]["hp"] >= 400, 600)
    assert before - bank(game)[0] in (12, 13)


def test_gas_is_brought_home_and_the_field_counts_its_workers():
    game = terran()
    hole = game.units[geyser(game)]
    hall = give(game, "CommandCenter", 60.5, 73.5)
    refinery = give(game, "Refinery", float(hole["x"]), float(hole["y"]))
    game.units[refinery]["contents"] = 10
    workers = [give(game, "SCV", 56.5 + k, 69.5) for k in range(2)]
    for worker in workers:
        order(game, worker, SMART, refinery)
    before = bank(game)[1]
    game.step(30)
    assert [game.units[worker]["harvest_target"] for worker in workers] == [refinery] * 2
    until(game, lambda: game.units[refinery]["contents"] == 6, 150)
    game.step(400)
    assert bank(game)[1] - before == 10
    assert Alert.VESPENE_EXHAUSTED in game.events(1).alerts
    assert hall >= 0


def test_a_worked_out_field_vanishes_and_its_workers_go_on():
    game = terran(tech=False, rich=False)
    hall = give(game, "CommandCenter", 17.5, 72.5)
    field = next(s for s in game.near(16.0, 80.5, 8) if name_of(game, s) == "MineralField")
    game.units[field]["contents"] = 5
    scv = give(game, "SCV", 17.5, 76.5)
    order(game, scv, SMART, field)
    tag = game.tag(field)
    game.step(150)
    assert game.slot(tag) < 0
    assert Alert.MINERALS_EXHAUSTED in game.events(1).alerts
    game.step(300)
    assert int(game.players[1]["minerals_gathered"]) >= 15
    assert hall >= 0


def test_a_medivac_heals_by_itself_and_pays_with_energy():
    game = terran()
    marine, medivac = give(game, "Marine", 40, 40), give(game, "Medivac", 41, 41)
    game.units[marine]["hp"], energy = 10, float(game.units[medivac]["energy"])
    game.step(40)
    healed = float(game.units[marine]["hp"]) - 10
    assert 15 < healed < 25  # 0.5625 a loop (facts), less what its search takes
    assert energy - float(game.units[medivac]["energy"]) == pytest.approx(healed * 0.33, abs=1.5)


@pytest.mark.parametrize(("patch", "goes"), [("5.0.14", True), ("4.10.0", False)])
def test_a_new_town_hall_sends_its_workers_to_its_minerals_in_the_newer_patch(patch, goes):
    game = terran(patch=patch)
    assert order(game, give(game, "SCV", 24.5, 70.5), BUILD_CC, (20.5, 74.5)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "CommandCenter")) == 2, 300)
    hall = newest(game, "CommandCenter")
    game.units[hall]["build_left"] = 1
    game.step(2)
    order(game, hall, TRAIN_SCV)
    game.step(275)
    scv = newest(game, "SCV")
    assert (game.units[scv]["y"] > game.units[hall]["y"]) == goes
    assert (game.units[scv]["order_count"] > 0 and game.orders[scv, 0]["verb"] == GATHER) == goes


def test_tags_come_again_as_real_ones_do():
    """The last that fell first, from the second loop on (a Hatchery's nine Broodlings in a real game: nine slots of the
    dead, in their reversed order)."""
    game = terran()
    first, second, third = (give(game, "Marine", 40.5 + 4 * k, 48.5) for k in range(3))
    game.kill(first)
    game.step()
    game.kill(second)
    game.step()
    game.kill(third)
    game.step()
    assert [give(game, "Marine", 40.5, 40.5 + 3 * k) for k in range(2)] == [second, first], "the third rests"
    game.step()
    again = give(game, "Marine", 60.5, 48.5)
    assert again == third
    assert game.tag(again) & 0x3FFFF == 2


def test_a_rally_point_on_its_own_structure_takes_it_away():
    game = terran()
    barracks = game.owned(1, "Barracks")[0]
    for target in ((60.0, 60.0), barracks):
        assert order(game, barracks, RALLY_BUILDING, target) == Result.SUCCESS
        game.step()
    order(game, barracks, 560)
    until(game, lambda: bool(game.owned(1, "Marine")), 420)
    game.step()
    assert game.units[game.owned(1, "Marine")[0]]["order_count"] == 0
