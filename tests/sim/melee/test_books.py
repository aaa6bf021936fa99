"""The score's books: damage, and the value of what there is, was lost and was given up."""

import pytest
from s2clientprotocol import score_pb2

from sim.melee import construction, lifecycle
from sim.melee.records import Result
from sim.server.score import fill_score, holdings
from tests.sim.melee.field import give, order, terran, until
from tests.sim.melee.powers_world import duel

HOLD, KD8, CANCEL, REPAIR, TRAIN_SCV, TECH_LAB, SALVAGE, EXPLODE = 18, 2588, 314, 316, 524, 421, 4128, 42


def scored(game, player):
    """The score of a player."""
    score = score_pb2.Score()
    fill_score(score, game, player, holdings(game, player))
    return score


def details(game, player):
    """Its details."""
    return scored(game, player).score_details


def test_damage_dealt_and_taken_by_life_and_shields():
    game = terran()
    zealot = give(game, "Zealot", 50.0, 48.5, owner=2)
    marines = [give(game, "Marine", 46.0, 46.0 + k) for k in range(6)]
    until(game, lambda: not game.units[zealot]["alive"], 600)
    own, enemy = details(game, 1), details(game, 2)
    regained = own.total_damage_dealt.shields - 50
    assert 0 <= regained < 5
    assert own.total_damage_dealt.life == pytest.approx(100)
    assert (enemy.total_damage_taken.life, enemy.total_damage_taken.shields) == (
        own.total_damage_dealt.life,
        own.total_damage_dealt.shields,
    )
    hurt = sum(45 - float(game.units[m]["hp"]) for m in marines if game.units[m]["alive"])
    dead = sum(45 for m in marines if not game.units[m]["alive"])
    assert own.total_damage_taken.life == pytest.approx(hurt + dead)
    assert enemy.total_damage_dealt.life == pytest.approx(hurt + dead)


def test_friendly_fire_is_taken_but_not_dealt_and_healing_counts():
    game = terran()
    reaper, marauder = give(game, "Reaper"), give(game, "Marauder", 52.5, 48.5)
    order(game, reaper, KD8, (52.5, 48.5))
    until(game, lambda: game.units[marauder]["hp"] < 125, 60)
    own = details(game, 1)
    assert own.total_damage_taken.life == 5
    assert own.total_damage_dealt.life == 0
    give(game, "Medivac", 50.5, 48.5)
    until(game, lambda: game.units[marauder]["hp"] >= 125, 100)
    assert details(game, 1).total_healed.life >= 5


def test_what_falls_to_its_own_side_is_friendly_fire_and_no_loss():
    game = terran()
    reaper, marauder = give(game, "Reaper"), give(game, "Marauder", 52.5, 48.5)
    game.units[marauder]["hp"] = 3
    order(game, reaper, KD8, (52.5, 48.5))
    until(game, lambda: not game.units[marauder]["alive"], 60)
    own = details(game, 1)
    assert (own.lost_minerals.army, own.friendly_fire_minerals.army) == (0, 100)
    assert (own.total_used_minerals.army, own.total_used_vespene.army) == (50 + 100, 50 + 25)


def test_a_baneling_that_is_told_to_burst_is_friendly_fire():
    game = duel()
    baneling = give(game, "Baneling")
    assert order(game, baneling, EXPLODE) == Result.SUCCESS
    until(game, lambda: not game.units[baneling]["alive"], 8)
    own = details(game, 1)
    assert (own.lost_minerals.army, own.friendly_fire_minerals.army) == (0, 50)


def test_interceptors_fall_to_whom_their_carrier_fell_to():
    game = duel()
    carrier = give(game, "Carrier")
    other = game.spawn(game.facts.ids["Interceptor"], 1, 50.0, 48.5, complete=False, builder=carrier)
    lifecycle.died(game, carrier, 2)
    assert not game.units[other]["alive"]
    assert details(game, 2).killed_minerals.army == 350 + 15


def test_a_buried_drone_is_economy():
    game = duel()
    drone = give(game, "DroneBurrowed")
    game.kill(drone)
    assert details(game, 1).lost_minerals.economy == 50


def test_the_collection_rate_is_cut_down_and_counts_the_time_there_was():
    game = terran()
    while game.loop < 160:
        game.step()
    game.scores[1].deliveries[0].clear()
    game.scores[1].deliveries[0].extend([(150, 5)] * 6)
    assert details(game, 1).collection_rate_minerals == 251, "30 in 160 loops: not 252"
    game.step(80)
    game.scores[1].deliveries[0].clear()
    game.scores[1].deliveries[0].extend([(150, 5)] * 19)
    assert details(game, 1).collection_rate_minerals == 531, "95 in 240 loops: not 532"


@pytest.mark.parametrize(
    ("name", "economy", "army", "technology"),
    [
        ("Refinery", (75, 0), (0, 0), (0, 0)),
        ("Overlord", (100, 0), (0, 0), (0, 0)),
        ("Overseer", (100, 0), (50, 50), (0, 0)),
        ("Lair", (325, 0), (0, 0), (150, 100)),
        ("PlanetaryFortress", (550, 150), (0, 0), (0, 0)),
        ("Barracks", (0, 0), (0, 0), (150, 0)),
        ("Queen", (0, 0), (175, 0), (0, 0)),
    ],
)
def test_where_a_unit_counts(name, economy, army, technology):
    """Fitted to 10,000 entries of the statistics of real games."""
    game = terran()
    before = details(game, 1)
    give(game, name, 50.0, 48.5)
    after = details(game, 1)
    for category, (minerals, gas) in (("economy", economy), ("army", army), ("technology", technology)):
        for part, value in (("used_minerals", minerals), ("used_vespene", gas)):
            assert getattr(getattr(after, part), category) - getattr(getattr(before, part), category) == value


def test_what_is_going_up_is_not_used_yet_and_given_up_is_less_lost_by_the_refund():
    game = terran()
    before = details(game, 1)
    site = construction.start_structure(game, 1, game.facts.ids["Barracks"], 50.5, 48.5, loops=1040)
    now = details(game, 1)
    assert (now.used_minerals.technology, now.total_value_structures) == (
        before.used_minerals.technology,
        before.total_value_structures,
    )
    order(game, site, CANCEL)
    game.step(2)
    assert not game.units[site]["alive"]
    assert details(game, 1).lost_minerals.technology == -113
    assert details(game, 1).friendly_fire_minerals.technology == 150


def test_repair_is_healing():
    game = terran()
    tank, worker = give(game, "SiegeTank", 50.0, 48.5), give(game, "SCV", 52.0, 48.5)
    game.units[tank]["hp"] = 100
    order(game, worker, REPAIR, tank)
    until(game, lambda: game.units[tank]["hp"] >= 110, 400)
    assert details(game, 1).total_healed.life == pytest.approx(float(game.units[tank]["hp"]) - 100, abs=0.01)


def test_the_sum_counts_what_is_being_made():
    game = terran()
    before = scored(game, 1).score
    hall = game.owned(1, "CommandCenter")[0]
    for _ in range(2):
        order(game, hall, TRAIN_SCV)
    game.step()
    assert scored(game, 1).score == before


@pytest.mark.parametrize(
    ("patch", "name", "needs", "ability", "back", "lost"),
    [
        ("5.0.14", "Roach", ("RoachWarren",), 2330, (19, 57), (6, 18)),
        ("5.0.14", "Hydralisk", ("LurkerDenMP",), 2332, (38, 75), (12, 25)),
        ("5.0.14", "Zergling", ("BanelingNest",), 4121, (19, 19), (6, 6)),
        ("4.10.0", "Zergling", ("BanelingNest",), 80, (19, 19), (6, 6)),
    ],
)
def test_killed_cocoons_give_three_quarters_of_their_price_back_and_count_for_nobody(
    patch, name, needs, ability, back, lost
):
    game = duel(patch)
    for k, structure in enumerate(("Hatchery", *needs)):
        give(game, structure, 20.5 + 8 * k, 20.5)
    unit = give(game, name)
    game.step(4)
    assert order(game, unit, ability) == Result.SUCCESS
    game.step(40)
    before = game.players[1].copy()
    marine = give(game, "Marine", 50.0, 48.5, owner=2)
    game.units[unit]["hp"] = 1
    until(game, lambda: not game.units[unit]["alive"], 60)
    game.step()
    assert (game.players[1]["minerals"], game.players[1]["gas"]) == (
        before["minerals"] + back[0],
        before["gas"] + back[1],
    )
    own, enemy = details(game, 1), details(game, 2)
    assert (own.lost_minerals.army, own.lost_vespene.army) == lost
    assert (enemy.killed_minerals.army, enemy.killed_vespene.army) == (0, 0)
    assert game.units[marine]["alive"]


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_cocoon_counts_as_what_went_into_it_and_a_lurker_den_not_at_all(patch):
    game = duel(patch)
    before = details(game, 1)
    for name in ("RavagerCocoon", "LurkerMPEgg", "BanelingCocoon", "OverlordCocoon", "LurkerDenMP"):
        give(game, name, 40.5, 48.5)
    after = details(game, 1)
    assert after.used_minerals.army - before.used_minerals.army == 75 + 100 + 25
    assert after.used_vespene.army - before.used_vespene.army == 25 + 50
    assert after.used_minerals.economy - before.used_minerals.economy == 100
    assert after.used_minerals.technology == before.used_minerals.technology


def test_a_cancelled_structure_with_a_drone_is_less_lost_by_that_too():
    game = duel()
    hatchery = construction.start_structure(game, 1, game.facts.ids["Hatchery"], 50.5, 48.5, loops=1136)
    drone = give(game, "Drone", 50.5, 48.5)
    game.remove(drone)
    lifecycle.hold(game, drone)
    game.memory.drones[hatchery] = drone
    game.step()
    assert order(game, hatchery, CANCEL) == Result.SUCCESS
    game.step()
    books = details(game, 1)
    assert books.lost_minerals.economy == -(207 + 50)
    assert books.friendly_fire_minerals.economy == 325


def test_an_addon_goes_up_with_its_host_and_is_paid_back():
    game = terran()
    barracks = give(game, "Barracks", 48.5, 48.5)
    game.step()
    assert order(game, barracks, TECH_LAB) == Result.SUCCESS
    game.step(20)
    before = game.players[1].copy()
    game.kill(barracks)
    assert (game.players[1]["minerals"], game.players[1]["gas"]) == (before["minerals"] + 38, before["gas"] + 19)
    books = details(game, 1)
    assert (books.lost_minerals.technology, books.lost_vespene.technology) == (150 - 38, -19)
    assert (books.friendly_fire_minerals.technology, books.friendly_fire_vespene.technology) == (50, 25)
    assert not game.owned(1, "BarracksTechLab")


def test_a_salvaged_bunker_loses_what_does_not_come_back():
    game = terran()
    bunker = give(game, "Bunker")
    assert order(game, bunker, SALVAGE) == Result.SUCCESS
    until(game, lambda: not game.units[bunker]["alive"], 100)
    own = details(game, 1)
    assert (own.lost_minerals.technology, own.friendly_fire_minerals.technology) == (25, 0)
