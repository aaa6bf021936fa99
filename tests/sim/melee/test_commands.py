"""Verdicts, queues, general ids, right-clicks, groups, determinism."""

import pytest

from sim.engine.state import ATTACK, ATTACK_MOVE, AUTOCAST, FOLLOW, GATHER, HOLD, MOVE, RETURN
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.moving import walking_distance
from sim.melee.records import Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import bank, give, name_of, order, terran, until

SMART, STOP, ATTACK_ALL, MOVE_ID, MOVE_ALL, HOLD_ID = 1, 3665, 3674, 16, 3794, 18
TRAIN_SCV, TRAIN_MARINE, STIM, SPRAY_TERRAN = 524, 560, 380, 26


def test_general_ids_become_exact_ones():
    game = terran()
    marine = give(game, "Marine")
    for general, exact, verb in ((ATTACK_ALL, 23, ATTACK_MOVE), (MOVE_ALL, MOVE_ID, MOVE)):
        assert order(game, marine, general, (60.0, 40.0)) == Result.SUCCESS
        game.step()
        assert (game.orders[marine, 0]["ability"], game.orders[marine, 0]["verb"]) == (exact, verb)
    assert order(game, marine, STOP) == Result.SUCCESS
    game.step()
    assert game.units[marine]["order_count"] == 0


def test_of_a_group_told_to_spray_the_nearest_goes():
    """The others work on: five Drones of a real game did not lack at home."""
    game = terran()
    scvs = [give(game, "SCV", x, 48.5) for x in (30.5, 36.5, 33.5)]
    tags = tuple(game.tag(slot) for slot in scvs)
    assert game.issue(Command(1, SPRAY_TERRAN, tags, 0, 60.0, 48.5, True)) == Result.SUCCESS
    game.step()
    assert [int(game.units[slot]["order_count"]) for slot in scvs] == [0, 1, 0]


def test_what_right_click_means():
    game = terran()
    scv, marine, depot = give(game, "SCV"), give(game, "Marine", 50.5, 48.5), game.owned(1, "SupplyDepot")[0]
    enemy, hurt = give(game, "Marine", 70.5, 70.5, owner=2), give(game, "Marine", 52.5, 48.5)
    game.units[hurt]["hp"] = 20
    field = next(s for s in game.near(16.0, 80.5, 8) if name_of(game, s) == "MineralField")
    expected = [
        (scv, field, GATHER),
        (scv, marine, FOLLOW),
        (scv, hurt, FOLLOW),
        (scv, game.owned(1, "CommandCenter")[0], FOLLOW),
        (marine, enemy, ATTACK),
        (marine, depot, FOLLOW),
        (marine, (60.0, 60.0), MOVE),
        (scv, enemy, ATTACK),
    ]
    for unit, target, verb in expected:
        assert order(game, unit, SMART, target) == Result.SUCCESS
        game.step()
        assert game.orders[unit, 0]["verb"] == verb, name_of(game, unit)
    game.units[scv]["carry"] = 5
    assert order(game, scv, SMART, game.owned(1, "CommandCenter")[0]) == Result.SUCCESS
    game.step()
    assert game.orders[scv, 0]["verb"] == RETURN


def test_verdicts():
    game = terran(rich=False)
    marine, enemy = give(game, "Marine"), game.owned(2, "SCV")[0]
    cc, barracks, scv = (game.owned(1, name)[0] for name in ("CommandCenter", "Barracks", "SCV"))
    assert game.issue(Command(1, MOVE_ID, (game.tag(enemy),), 0, 5.0, 5.0, True)) == Result.CANT_CONTROL_UNIT
    assert game.issue(Command(1, MOVE_ID, (12345 + 2**32,), 0, 5.0, 5.0, True)) == Result.ERROR
    assert game.issue(Command(1, ATTACK_ALL, (game.tag(marine),), 999 + 2**32)) == Result.ERROR
    assert order(game, marine, TRAIN_SCV) == Result.NOT_SUPPORTED
    assert order(game, marine, STIM) == Result.TECH_REQUIREMENTS_NOT_MET
    assert order(game, barracks, TRAIN_MARINE) == Result.SUCCESS
    assert order(game, barracks, 563) == Result.TECH_REQUIREMENTS_NOT_MET  # a Marauder needs a tech lab
    assert order(game, scv, 318, (48.5, 48.5)) == Result.NOT_ENOUGH_MINERALS
    game.players[1]["minerals"] = 500
    assert order(game, scv, 328, (48.5, 48.5)) == Result.NOT_ENOUGH_VESPENE
    game.step(2)
    assert order(game, barracks, STOP) == Result.ERROR  # it produces
    assert order(game, cc, 1517) == Result.ERROR  # nothing to cancel
    orbital = give(game, "OrbitalCommand", 60.5, 60.5)
    game.units[orbital]["energy"] = 49
    assert order(game, orbital, 399, (20.0, 20.0)) == Result.NOT_ENOUGH_ENERGY
    medivac = give(game, "Medivac")
    assert order(game, medivac, 2116) == Result.SUCCESS
    game.step()
    assert order(game, medivac, 2116) == Result.COOLDOWN


def test_a_full_cap_refuses_no_order_but_delays_the_queue():
    game = terran(tech=False)
    cc = game.owned(1, "CommandCenter")[0]
    assert (game.players[1]["supply_used"], game.players[1]["supply_cap"]) == (12, 15)
    for _ in range(5):
        assert order(game, cc, TRAIN_SCV) == Result.SUCCESS
    game.step()
    assert game.units[cc]["job_count"] == 5
    game.step(4 * 272)
    assert (len(game.owned(1, "SCV")), game.units[cc]["job_count"]) == (15, 2)
    assert game.jobs[cc, 0]["started"] == 0
    give(game, "SupplyDepot")
    assert until(game, lambda: len(game.owned(1, "SCV")) == 16, 300) in (272, 273)
    other = game.owned(1, "CommandCenter")[0]
    while game.units[other]["job_count"]:
        game.step(16)
    for place in range(int(game.players[1]["supply_cap"] - game.players[1]["supply_used"])):
        give(game, "Marine", 60.5 + place, 70.5)
    game.step()
    game.events(1)
    assert order(game, other, TRAIN_SCV) == Result.SUCCESS, "it waits for supply"
    game.step(2)
    assert (game.units[other]["job_count"], game.jobs[other, 0]["started"]) == (1, 0)
    assert not game.events(1).errors


def test_queued_orders_are_carried_out_one_after_the_other():
    game = terran()
    marine = give(game, "Marine", 20.5, 40.5)
    order(game, marine, MOVE_ID, (24.5, 40.5))
    order(game, marine, MOVE_ID, (24.5, 44.5), queued=True)
    order(game, marine, HOLD_ID, queued=True)
    game.step()
    assert game.units[marine]["order_count"] == 3
    until(game, lambda: game.units[marine]["order_count"] == 1, 200)
    assert game.orders[marine, 0]["verb"] == HOLD
    assert (round(float(game.units[marine]["x"]), 1), round(float(game.units[marine]["y"]), 1)) == (24.5, 44.5)


def test_an_equal_order_is_ignored_but_drops_the_queue():
    game = terran()
    marine = give(game, "Marine", 20.5, 40.5)
    order(game, marine, MOVE_ID, (60.5, 40.5))
    order(game, marine, MOVE_ID, (60.5, 60.5), queued=True)
    game.step(10)
    assert order(game, marine, MOVE_ID, (60.5, 40.5)) == Result.SUCCESS
    game.step()
    assert game.units[marine]["order_count"] == 1
    assert game.units[marine]["speed"] > 0


def test_a_unit_holds_32_orders_and_refuses_the_next():
    game = terran()
    marine = give(game, "Marine", 20.5, 40.5)
    for k in range(40):
        assert order(game, marine, MOVE_ID, (30.0 + k, 60.5), queued=True) == Result.SUCCESS
    game.step()
    assert game.units[marine]["order_count"] == 32
    assert order(game, marine, MOVE_ID, (30.0, 60.5), queued=True) == Result.ORDER_QUEUE_FULL
    assert order(game, marine, MOVE_ID, (30.0, 60.5)) == Result.SUCCESS


def test_groups_keep_their_formation_and_leave_out_who_cannot():
    game = terran()
    group = [give(game, "Marine", 30.5 + 2 * k, 40.5) for k in range(3)]
    tags = tuple(game.tag(slot) for slot in (*group, game.owned(1, "Barracks")[0]))
    assert game.issue(Command(1, MOVE_ID, (*tags, tags[0]), 0, 60.5, 60.5, True)) == Result.SUCCESS
    game.step()
    assert [round(float(game.orders[slot, 0]["x"]), 2) for slot in group] == [58.5, 60.5, 62.5]
    # In a row too a group's box has its bodies in it: sent to a point inside, all go there.
    game.issue(Command(1, MOVE_ID, tuple(game.tag(slot) for slot in group), 0, 32.5, 40.6, True))
    game.step()
    assert [round(float(game.orders[slot, 0]["x"]), 2) for slot in group] == [32.5] * 3
    idle = [give(game, "Barracks", 60.5 + 4 * k, 30.5) for k in range(2)]
    before = bank(game)
    game.issue(Command(1, TRAIN_MARINE, tuple(game.tag(slot) for slot in idle)))
    game.step()
    assert [int(game.units[slot]["job_count"]) for slot in idle] == [1, 0]
    assert bank(game)[0] == before[0] - 50


@pytest.mark.parametrize(
    ("names", "apart", "kept"),
    [(("Banshee", "Banshee"), 6.25, True), (("Banshee", "Banshee"), 6.75, False), (("Banshee", "Marine"), 5.5, False)],
)
def test_flyers_alone_keep_a_wider_formation(names, apart, kept):
    """Eight cells, bodies included (catalog: AirFormationDiameter, MixedFormationDiameter)."""
    game = terran()
    pair = [give(game, name, 30.0 + apart * k, 40.0) for k, name in enumerate(names)]
    assert game.issue(Command(1, MOVE_ID, tuple(map(game.tag, pair)), 0, 60.0, 60.0, True)) == Result.SUCCESS
    game.step()
    goals = [float(game.orders[slot, 0]["x"]) for slot in pair]
    assert goals[1] - goals[0] == pytest.approx(apart if kept else 0, abs=1e-3)


def test_what_units_offer():
    game = terran()
    barracks, cc, scv = give(game, "Barracks"), game.owned(1, "CommandCenter")[0], game.owned(1, "SCV")[0]
    offered = available_abilities(game, barracks)
    assert {421, 422, 452, TRAIN_MARINE, 561} <= set(offered)
    assert 563 not in offered  # no tech lab
    assert 306 not in offered  # nothing to cancel
    assert {524, 1516, 1450, 417} <= set(available_abilities(game, cc))
    assert {295, 16, 23, 4, 318, 319, 321, 328} <= set(available_abilities(game, scv))


def test_paths_go_round_walls():
    game = terran()
    for k in range(12):
        give(game, "Barracks", 48.5, 30.5 + 3 * k)
    assert walking_distance(game, (40.5, 48.5), (44.5, 48.5)) == pytest.approx(4)
    assert 30 < walking_distance(game, (44.5, 48.5), (52.5, 48.5)) < 60
    assert walking_distance(game, (40.5, 48.5), (1.0, 1.0)) == 0


def play(seed: int) -> tuple[str, int]:
    """A little game with fights and production. -> (hash, loops)"""
    game = terran(seed=seed)
    for k in range(6):
        give(game, "Marine", 44.5, 40.5 + k)
        give(game, "Marine", 56.5, 40.5 + k, owner=2)
    for player in (1, 2):
        tags = tuple(game.tag(slot) for slot in game.owned(player, "Marine"))
        game.issue(Command(player, ATTACK_ALL, tags, 0, 50.0, 43.0, True))
        game.issue(Command(player, TRAIN_SCV, (game.tag(game.owned(player, "CommandCenter")[0]),)))
    game.step(400)
    return game.state_hash(), game.loop


def test_the_same_seed_and_commands_give_the_same_state():
    assert play(3) == play(3)
    assert play(3)[0] != play(4)[0]


def test_bad_setups_are_refused():
    game = terran()
    with pytest.raises(ValueError, match="players"):
        Game(game.terrain, [], seed=1)
    with pytest.raises(ValueError, match="players"):
        Game(game.terrain, [PlayerSetup(1)] * 3, seed=1)


@pytest.mark.parametrize(
    ("name", "ability"),
    [("Marine", 23), ("SCV", 23), ("Battlecruiser", 3771), ("SiegeTankSieged", 23), ("Medivac", 16), ("Overlord", 16)],
)
def test_a_right_click_on_an_enemy_is_an_attack_of_the_armed_and_a_move_of_others(name, ability):
    game = terran()
    unit, prey = give(game, name), give(game, "CommandCenter", 56.5, 48.5, owner=2)
    game.step(8)
    assert order(game, unit, SMART, prey) == Result.SUCCESS
    game.step()
    assert game.orders[unit, 0]["ability"] == ability


@pytest.mark.parametrize(
    ("name", "prey", "ability"),
    [
        ("Marauder", "Banshee", 16),
        ("VikingFighter", "Marine", 16),
        ("Marine", "Banshee", 23),
        ("VikingFighter", "Colossus", 23),
    ],
)
def test_a_right_click_on_what_no_weapon_reaches_follows_it(name, prey, ability):
    game = terran()
    unit, other = give(game, name), give(game, prey, 54.5, 48.5, owner=2)
    game.step(8)
    assert order(game, unit, SMART, other) == Result.SUCCESS
    game.step()
    assert game.orders[unit, 0]["ability"] == ability


@pytest.mark.parametrize(
    ("name", "prey", "verdict"),
    [
        ("SiegeTank", "Overlord", Result.CANT_TARGET_AIR_UNITS),
        ("VikingFighter", "Marine", Result.CANT_TARGET_GROUND_UNITS),
        ("VikingFighter", "Colossus", Result.SUCCESS),
        ("MissileTurret", "Marine", Result.CANT_TARGET_GROUND_UNITS),
        ("Medivac", "Marine", Result.SUCCESS),
    ],
)
def test_nobody_is_sent_at_what_its_weapons_do_not_reach(name, prey, verdict):
    game = terran()
    unit, enemy = give(game, name), give(game, prey, 54.5, 48.5, owner=2)
    game.step()
    assert order(game, unit, ATTACK_ALL, enemy) == verdict


def test_who_cannot_hit_goes_on_while_its_group_attacks():
    game = terran()
    marine, marauder = give(game, "Marine"), give(game, "Marauder", 47.0, 48.5)
    enemy = give(game, "Overlord", 60.5, 48.5, owner=2)
    order(game, marauder, MOVE_ID, (30.0, 30.0))
    game.step()
    assert game.issue(Command(1, 23, (game.tag(marauder), game.tag(marine)), game.tag(enemy))) == Result.SUCCESS
    game.step()
    assert [int(game.orders[slot, 0]["verb"]) for slot in (marine, marauder)] == [ATTACK, MOVE]
    assert order(game, marauder, SMART, enemy) == Result.SUCCESS
    game.step()
    assert game.orders[marauder, 0]["verb"] == FOLLOW


def test_a_viking_that_lands_takes_an_attack_on_the_ground():
    game = terran()
    viking, enemy = give(game, "VikingFighter"), give(game, "SupplyDepot", 52.0, 49.0, owner=2)
    order(game, viking, 403)
    game.step(4)
    assert order(game, viking, 23, enemy) == Result.SUCCESS
    until(game, lambda: game.units[enemy]["hp"] < 400, 120)


STANDING = [("SiegeTankSieged", "Barracks"), ("PlanetaryFortress", "Barracks"), ("LurkerMPBurrowed", "Barracks")]
STANDING += [("MissileTurret", "Overlord"), ("SpineCrawler", "Barracks")]


@pytest.mark.parametrize(("name", "prey"), STANDING)
def test_who_does_not_walk_is_sent_at_nobody_out_of_its_range(name, prey):
    game = terran()
    gun, far = give(game, name), give(game, prey, 78.5, 48.5, owner=2)
    near = give(game, prey, 53.5, 48.5, owner=2)
    game.step()
    assert order(game, gun, 23, far) == Result.TARGET_IS_OUT_OF_RANGE
    assert order(game, gun, 23, near) == Result.SUCCESS


def test_a_sieged_tank_is_sent_at_nobody_below_its_minimum_range():
    game = terran()
    tank, near = give(game, "SiegeTankSieged"), give(game, "Marine", 50.5, 48.5, owner=2)
    game.step()
    assert order(game, tank, 23, near) == Result.TARGET_IS_TOO_CLOSE


@pytest.mark.parametrize("goal", [(66.0, 48.5), (80.0, 48.5)])
def test_a_sieged_tank_whose_target_leaves_takes_another(goal):
    """Out of its range, or out of sight as well: its order is over, it does not wait for it."""
    game = terran()
    tank, runner = give(game, "SiegeTankSieged"), give(game, "Ultralisk", 58.5, 48.5, owner=2)
    game.step()
    assert order(game, tank, 23, runner) == Result.SUCCESS
    assert order(game, runner, MOVE_ID, goal) == Result.SUCCESS
    game.step(160)
    stays = give(game, "Ultralisk", 55.5, 50.5, owner=2)
    order(game, stays, HOLD_ID)
    until(game, lambda: game.units[stays]["hp"] < 500, 60)
    assert game.units[tank]["order_count"] == 0


@pytest.mark.parametrize(
    ("caster", "ability", "prey", "owner", "result"),
    [
        ("Phoenix", 173, "Banshee", 2, 113),  # MustTargetGroundUnits
        ("Phoenix", 173, "Thor", 2, 132),  # CantTargetMassiveUnits
        ("Phoenix", 173, "SupplyDepot", 2, 116),  # CantTargetStructures
        ("Nexus", 3755, "Marine", 1, 115),  # MustTargetStructures
        ("Nexus", 3755, "SupplyDepot", 2, 110),  # CantTargetEnemyUnits
        ("HighTemplar", 140, "Ghost", 1, 104),  # CantTargetYourOwnUnits
        ("HighTemplar", 140, "Marine", 2, 137),  # MustTargetEnergyCapableUnits
        ("SCV", 316, "Marine", 1, 127),  # MustTargetMechanicalUnits
        ("SCV", 316, "Hellion", 2, 110),
        ("Medivac", 386, "Hellion", 1, 121),  # MustTargetBiologicalUnits
        ("Phoenix", 173, "Marine", 2, Result.SUCCESS),
    ],
)
def test_refusals_tell_which_target_filter_they_come_from(caster, ability, prey, owner, result):
    game = terran()
    unit = give(game, caster, 48.5, 48.5)
    other = give(game, prey, 52.5, 50.0, owner=owner)
    game.units[unit]["energy"] = 200
    game.step(8)
    assert order(game, unit, ability, other) == result


@pytest.mark.parametrize("name", ["Stalker", "Battlecruiser"])
def test_what_is_queued_for_who_rests_and_fights_waits_until_that_fight_is_over(name):
    """Six Stalkers of a real game that were told to stop, in a fight, and to go elsewhere after that stood there and
    fired for 90 loops; where nobody was near they went (a public program's logs)."""
    game = terran()
    unit, enemy = give(game, name), give(game, "Roach", 53.0, 48.5, owner=2)
    game.units[enemy]["hp"] = 145
    until(game, lambda: game.units[unit]["target"] == enemy, 40)
    assert order(game, unit, STOP) == Result.SUCCESS
    game.step()
    assert order(game, unit, MOVE_ALL, (30.0, 48.5), queued=True) == Result.SUCCESS
    game.step(60)
    assert game.units[unit]["x"] > 47
    game.kill(enemy)
    game.step(60)
    assert game.units[unit]["x"] < 46


def test_what_is_queued_for_who_repairs_by_itself_waits_until_the_patient_is_whole():
    """Its repair is its first order: it shows one (observed)."""
    game = terran()
    bunker, worker = give(game, "Bunker", 51.5, 48.5), give(game, "SCV")
    game.units[bunker]["hp"] = 380
    game.units[worker]["flags"] |= AUTOCAST
    until(game, lambda: game.units[worker]["target"] == bunker, 40)
    assert order(game, worker, MOVE_ALL, (30.0, 48.5), queued=True) == Result.SUCCESS
    until(game, lambda: game.units[worker]["x"] < 46, 200)
    assert game.units[bunker]["hp"] == 400
