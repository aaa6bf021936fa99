"""Production, research, morphs, transports, spells, mining, the end of a game."""

import pytest

from sim.engine.state import CLOAKED, GATHER, INSIDE, LOWERED, MORPHING
from sim.melee.game import Command
from sim.melee.records import Alert, Outcome, Result
from tests.sim.melee.field import bank, finished, geyser, give, name_of, newest, order, terran, until

SMART, STOP, MOVE, TRAIN_SCV, TRAIN_MARINE, CANCEL_LAST, CANCEL_CC = 1, 4, 16, 524, 560, 306, 308
RALLY_UNITS, RALLY_WORKERS, STIM, SIEGE, UNSIEGE, LOWER, RAISE = 195, 203, 380, 388, 390, 556, 558


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


def test_siege_changes_the_type_early_and_is_ready_later():
    game = terran()
    tank, tag = give(game, "SiegeTank"), None
    tag = game.tag(tank)
    assert order(game, tank, SIEGE) == Result.SUCCESS
    changed = until(game, lambda: name_of(game, tank) == "SiegeTankSieged", 40)
    assert 8 <= changed <= 17
    ready = until(game, lambda: not int(game.units[tank]["flags"]) & MORPHING, 80)
    assert ready in (56, 57)
    assert game.tag(tank) == tag
    assert order(game, tank, MOVE, (60.0, 60.0)) == Result.ERROR
    order(game, tank, UNSIEGE)
    order(game, tank, MOVE, (60.0, 60.0), queued=True)
    assert until(game, lambda: name_of(game, tank) == "SiegeTank", 20) <= 9
    x = float(game.units[tank]["x"])
    game.step(40)
    assert game.units[tank]["x"] == x  # still folding up


def test_depots_go_down_and_up():
    game = terran()
    depot = give(game, "SupplyDepot", 48.0, 48.0)
    cap = float(game.players[1]["supply_cap"])
    assert order(game, depot, LOWER) == Result.SUCCESS
    game.step()
    assert name_of(game, depot) == "SupplyDepotLowered"
    game.step(25)
    assert int(game.units[depot]["flags"]) & LOWERED
    assert game.walk[48, 48] == 1
    assert game.place[48, 48] == 0
    assert game.players[1]["supply_cap"] == cap + 8
    marine = give(game, "Marine", 48.0, 48.0)
    assert order(game, depot, RAISE) == Result.SUCCESS
    game.step(30)
    assert game.walk[48, 48] == 0
    assert max(abs(float(game.units[marine]["x"]) - 48), abs(float(game.units[marine]["y"]) - 48)) >= 1


@pytest.mark.parametrize(
    ("start", "ability", "end"),
    [("VikingFighter", 403, "VikingAssault"), ("Hellion", 1998, "HellionTank"), ("Thor", 2362, "ThorAP")],
)
def test_other_units_change_their_shape(start, ability, end):
    game = terran()
    unit = give(game, start)
    game.units[unit]["hp"] /= 2
    assert order(game, unit, ability) == Result.SUCCESS
    until(game, lambda: name_of(game, unit) == end and not int(game.units[unit]["flags"]) & MORPHING, 120)
    assert game.units[unit]["hp"] == pytest.approx(game.units[unit]["hp_max"] / 2, rel=0.01)


def test_a_liberator_sets_up_over_a_zone_and_leaves_it():
    game = terran()
    liberator = give(game, "Liberator")
    assert order(game, liberator, 2558, (60.5, 48.5)) == Result.SUCCESS
    until(game, lambda: name_of(game, liberator) == "LiberatorAG", 200)
    assert float(game.units[liberator]["x"]) == pytest.approx(55.5, abs=0.5)
    assert until(game, lambda: not int(game.units[liberator]["flags"]) & MORPHING, 100) in (64, 65)
    assert [(effect.id, effect.x, effect.radius) for effect in game.effects] == [(9, 60.5, 5)]
    enemy = give(game, "Marauder", 60.5, 48.5, owner=2)
    order(game, enemy, 18)
    until(game, lambda: not game.units[enemy]["alive"], 200)
    assert order(game, liberator, 2560) == Result.SUCCESS
    until(game, lambda: name_of(game, liberator) == "Liberator", 10)
    assert not game.effects


def test_a_banshee_cloaks_until_its_energy_is_spent():
    game = terran()
    banshee = give(game, "Banshee")
    assert order(game, banshee, 392) == Result.TECH_REQUIREMENTS_NOT_MET
    game.players[1]["upgrades"][20] = 1
    assert order(game, banshee, 393) == Result.NOT_SUPPORTED
    assert order(game, banshee, 392) == Result.SUCCESS
    game.step()
    assert int(game.units[banshee]["flags"]) & CLOAKED
    assert game.units[banshee]["energy"] == pytest.approx(25, abs=0.2)
    lasted = until(game, lambda: not int(game.units[banshee]["flags"]) & CLOAKED, 800)
    assert lasted == pytest.approx(25 / ((1.4765 - 0.5625) / 16), abs=20)


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
    assert order(game, medivac, 394, cargo[4]) == Result.ERROR
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
    assert order(game, marine, STIM) == Result.ERROR
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
    assert [effect.id for effect in game.effects] == [6]
    game.step(220)
    assert game.visibility[1, 70, 80] == 1
    assert not game.effects
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


def test_a_medivac_heals_by_itself_and_pays_with_energy():
    game = terran()
    marine, medivac = give(game, "Marine", 40, 40), give(game, "Medivac", 41, 41)
    game.units[marine]["hp"], energy = 10, float(game.units[medivac]["energy"])
    game.step(40)
    healed = float(game.units[marine]["hp"]) - 10
    assert 15 < healed < 25  # 0.5625 a loop (facts), less what its search takes
    assert energy - float(game.units[medivac]["energy"]) == pytest.approx(healed * 0.33, abs=1.5)
