"""Drones that become structures, morphs of structures and units."""

import numpy as np
import pytest

from sim.melee import placement
from sim.melee.lifecycle import REUSE_AFTER
from sim.melee.records import Alert, Result
from tests.sim.melee import field
from tests.sim.melee.powers_world import at_rest, duel, full, lost
from tests.sim.melee.zerg_world import at, count, first, give, on, order, rich, spot, until, zerg_game

POOL, EXTRACTOR, CANCEL_BUILD = 1155, 1154, 314
LAIR, BANELING, CANCEL_LAIR = 1216, 4121, 1217
UPROOT, ROOT, ATTACK = 1725, 1729, 23
ABDUCT, FUNGAL = 2067, 74
CANT_TARGET_STRUCTURES = 116  # ActionResult
BLAST_ON, BLAST_OFF = 2081, 2082  # "attack structures"


def test_structures_only_on_creep():
    game = zerg_game()
    rich(game)
    drone = first(game, "Drone")
    hall = game.units[first(game, "Hatchery")]
    off = np.hypot(*(np.indices(game.place.shape) + 0.5 - np.array([hall["y"], hall["x"]])[:, None, None]))
    fits = (game.place == 1) & (game.creep == 0) & (game.visibility[1] == 0)
    fits = np.lib.stride_tricks.sliding_window_view(fits, (3, 3)).all((2, 3))
    row, column = np.unravel_index(np.argmin(np.where(fits, off[1:-1, 1:-1], np.inf)), fits.shape)
    row, column = int(row) + 1, int(column) + 1  # the middle of the nearest free site that nobody has seen
    assert at(game, drone, POOL, column + 0.5, row + 0.5) == Result.SUCCESS, "nobody sees what is there"
    game.step()
    assert game.players[1]["minerals"] == 4800
    until(game, lambda: not game.units[drone]["order_count"])
    assert [(e.ability, e.result) for e in game.events(1).errors] == [(POOL, Result.CANT_BUILD_LOCATION_INVALID)]
    assert game.players[1]["minerals"] >= 5000, "and the price is back"
    assert at(game, drone, POOL, column + 0.5, row + 0.5) == 49  # CantBuildTooFarFromCreepSource: now it sees
    assert at(game, drone, POOL, *spot(game, POOL)) == Result.SUCCESS


def test_the_drone_becomes_the_pool_and_the_pool_takes_1040_loops():
    game = zerg_game()
    rich(game, 200, 0)
    drone = first(game, "Drone")
    tag = game.tag(drone)
    assert at(game, drone, POOL, *spot(game, POOL)) == Result.SUCCESS
    game.step()
    assert game.players[1]["minerals"] == 0  # paid when ordered
    until(game, lambda: count(game, "SpawningPool") == 1, 400)
    began = game.loop
    assert game.slot(tag) < 0
    assert tag not in game.events(1).dead
    assert count(game, "Drone") == 11
    assert game.players[1]["supply_used"] == 11
    pool = first(game, "SpawningPool")
    until(game, lambda: game.units[pool]["build_left"] <= 0, 1100)
    assert game.loop - began == 1039, "the loop in which it began counts"
    assert tag in game.events(1).dead  # known only now


def test_a_cancelled_structure_gives_its_drone_back():
    game = zerg_game()
    rich(game, 200, 0)
    drone = first(game, "Drone")
    tag = game.tag(drone)
    game.units[drone]["hp"] = 21
    at(game, drone, POOL, *spot(game, POOL))
    until(game, lambda: count(game, "SpawningPool") == 1, 400)
    life = float(game.units[drone]["hp"])
    game.step(60)  # other units may be born meanwhile
    bank = int(game.players[1]["minerals"])
    born = give(game, "Zergling", 6, 6)
    game.events(1)
    order(game, first(game, "SpawningPool"), CANCEL_BUILD)
    game.step()
    events = game.events(1)
    assert Alert.TRAIN_WORKER_COMPLETE in events.alerts
    assert count(game, "SpawningPool") == 0
    assert count(game, "Drone") == 12
    assert bank + 150 <= game.players[1]["minerals"] <= bank + 160
    assert count(game, "Broodling") == 0
    assert game.slot(tag) == drone != born
    assert 21 <= life < 25
    assert game.units[drone]["hp"] == pytest.approx(life, abs=0.1)
    assert tag not in events.dead


def test_a_structure_that_falls_takes_its_drone_along_and_frees_its_slot():
    game = zerg_game()
    rich(game, 200, 0)
    drone = first(game, "Drone")
    tag = game.tag(drone)
    at(game, drone, POOL, *spot(game, POOL))
    until(game, lambda: count(game, "SpawningPool") == 1, 400)
    game.events(1)
    game.kill(first(game, "SpawningPool"))
    assert tag in game.events(1).dead
    assert count(game, "Drone") == 11
    game.step(REUSE_AFTER + 8)
    assert drone in [give(game, "Zergling", 6, 6) for _ in range(8)]
    assert game.slot(tag) < 0


def test_an_extractor_stands_on_its_geyser_and_needs_no_creep():
    game = zerg_game()
    rich(game)
    hall = game.units[first(game, "Hatchery")]
    units = game.units
    geyser = next(
        s for s in game.near(float(hall["x"]), float(hall["y"]), 12) if int(units[s]["type"]) in game.facts.geysers
    )
    assert on(game, first(game, "Drone"), EXTRACTOR, geyser) == Result.SUCCESS
    until(game, lambda: count(game, "Extractor") == 1, 300)
    assert count(game, "Drone") == 11


def test_lair_takes_1280_loops_less_one_and_keeps_the_tag():
    game = zerg_game()
    rich(game)
    hall = first(game, "Hatchery")
    tag = game.tag(hall)
    assert order(game, hall, LAIR) == Result.TECH_REQUIREMENTS_NOT_MET
    give(game, "SpawningPool", 8, 0)
    game.step()
    assert order(game, hall, LAIR) == Result.SUCCESS
    game.step()
    assert game.players[1]["minerals"] < 4900
    assert game.players[1]["gas"] == 4900
    began = game.loop
    until(game, lambda: count(game, "Lair") == 1, 1400)
    assert game.loop - began in (1278, 1279)  # a morph is done one loop early, measured in replays
    assert game.tag(first(game, "Lair")) == tag
    assert count(game, "Larva") == 3


def test_a_cancelled_lair_gives_three_quarters_back():
    game = zerg_game()
    rich(game, 150, 100)
    give(game, "SpawningPool", 8, 0)
    game.step()
    order(game, first(game, "Hatchery"), LAIR)
    game.step(10)
    assert game.players[1]["gas"] == 0
    assert order(game, first(game, "Hatchery"), CANCEL_LAIR) == Result.SUCCESS
    game.step()
    assert game.players[1]["gas"] == 75
    assert count(game, "Hatchery") == 1


def test_baneling_cocoon_keeps_the_tag_and_takes_320_loops():
    game = zerg_game()
    rich(game)
    give(game, "BanelingNest", 8, 3)
    ling = give(game, "Zergling", 5, 5)
    tag = game.tag(ling)
    game.step()
    assert order(game, ling, BANELING) == Result.SUCCESS
    game.step()
    began = game.loop
    assert count(game, "BanelingCocoon") == 1
    until(game, lambda: count(game, "Baneling") == 1, 400)
    assert abs(game.loop - began - 320) <= 1
    assert game.tag(first(game, "Baneling")) == tag
    assert game.units[first(game, "Baneling")]["hp"] == 30


def test_banelings_kill_light_units_around_their_victim_and_spare_their_own():
    game = zerg_game()
    hall = game.units[first(game, "Hatchery")]
    x, y = float(hall["x"]), float(hall["y"]) + 8
    ids = game.facts.ids
    victims = [game.spawn(ids["Zergling"], 2, x + dx * 0.8, y + 1.2) for dx in (-1, 0, 1)]
    friend = game.spawn(ids["Zergling"], 1, x + 1.0, y - 0.5)
    tags = [game.tag(slot) for slot in victims]
    banes = [game.spawn(ids["Baneling"], 1, x + dx, y) for dx in (-0.5, 0.5)]
    for bane in banes:
        on(game, bane, 23, victims[1])
    until(game, lambda: count(game, "Baneling") < 2, 80)
    assert all(game.slot(tag) < 0 for tag in tags)
    game.step(4)
    assert count(game, "Baneling") == 1, "the other's victim is dead"
    assert game.units[friend]["hp"] > 25


def test_a_crawler_walks_and_takes_root_again():
    game = zerg_game()
    crawler = give(game, "SpineCrawler", 7.5, 0.5)
    game.step()
    assert order(game, crawler, UPROOT) == Result.SUCCESS
    game.step(30)
    assert game.facts.names[game.units[crawler]["type"]] == "SpineCrawlerUprooted"
    x, y = spot(game, ROOT, far=7)
    assert at(game, crawler, ROOT, x, y) == Result.SUCCESS
    until(game, lambda: game.facts.names[game.units[crawler]["type"]] == "SpineCrawler", 900)
    assert abs(game.units[crawler]["x"] - x) <= 0.5
    assert abs(game.units[crawler]["y"] - y) <= 0.5


def test_a_crawler_on_its_legs_is_a_structure_still():
    """Catalog: it keeps the attribute, so what is for units only passes it by; and it stands in a builder's way."""
    game = duel()
    crawler = field.give(game, "SpineCrawler", 46.5, 40.5, 2)
    infestor, viper = field.give(game, "Infestor", 39.5, 40.5), field.give(game, "Viper", 39.5, 42.5)
    game.step(4)
    assert field.order(game, crawler, UPROOT) == Result.SUCCESS
    game.step(30)
    full(game, infestor, viper)
    before = float(game.units[crawler]["hp"])
    assert field.order(game, viper, ABDUCT, crawler) == CANT_TARGET_STRUCTURES
    assert field.order(game, infestor, FUNGAL, (46.5, 40.5)) == Result.SUCCESS
    game.step(60)
    assert game.units[infestor]["energy"] < 150
    assert game.units[crawler]["hp"] >= before
    assert placement.blockers(game, game.facts.ids["Hatchery"], 46.5, 40.5) == [crawler]


def test_a_crawler_that_was_told_to_attack_is_uprooted_all_the_same():
    game = duel()
    crawler, enemy = field.give(game, "SpineCrawler", 46.0, 40.0), field.give(game, "Marauder", 52.0, 40.0, 2)
    game.step(8)
    at_rest(game, enemy)
    assert field.order(game, crawler, ATTACK, enemy) == Result.SUCCESS
    game.step(2)
    assert game.units[crawler]["order_count"] == 1
    assert field.order(game, crawler, UPROOT) == Result.SUCCESS
    game.step(2)
    assert game.facts.names[game.units[crawler]["type"]] == "SpineCrawlerUprooted"


def test_a_crawler_does_not_take_root_over_burrowed_units():
    game = zerg_game()
    crawler = give(game, "SpineCrawlerUprooted", 7.5, 0.5)
    x, y = spot(game, ROOT, far=7)
    game.spawn(game.facts.ids["ZerglingBurrowed"], 1, x, y)
    game.step()
    assert at(game, crawler, ROOT, x, y) == Result.SUCCESS
    game.step()
    until(game, lambda: not game.units[crawler]["order_count"], 400)
    assert game.facts.names[game.units[crawler]["type"]] == "SpineCrawlerUprooted"
    assert [(e.ability, e.result) for e in game.events(1).errors] == [(ROOT, Result.CANT_BUILD_LOCATION_INVALID)]


def test_structures_leave_broodlings_after_8_loops_that_live_8_seconds():
    game = zerg_game()
    pool = give(game, "SpawningPool", 8, 0)
    game.kill(pool)
    assert until(game, lambda: count(game, "Broodling") > 0, 10) in (8, 9)
    assert count(game, "Broodling") == 6
    game.step(128)
    assert count(game, "Broodling") == 6
    game.step(5)
    assert count(game, "Broodling") == 0


@pytest.mark.parametrize(
    ("name", "number"), [("Hatchery", 9), ("NydusNetwork", 6), ("NydusCanal", 0), ("SpineCrawlerUprooted", 0)]
)
def test_how_many_broodlings_a_structure_leaves(name: str, number: int):
    """Catalog: ZergBuildingDies6 and 9; a worm and crawlers have neither."""
    game = duel()
    ruin = field.give(game, name, 46.5, 40.5)
    game.step()
    game.kill(ruin)
    game.step(12)
    assert len(game.owned(1, "Broodling")) == number


def test_a_drone_walks_to_the_middle_of_its_site_and_begins_at_once_where_it_waits():
    game = zerg_game()
    rich(game)
    hall = game.units[first(game, "Hatchery")]
    x, y = float(hall["x"]) + 7.0, float(hall["y"]) - 1.0
    drone = give(game, "Drone", 7.4, -1.0)
    assert at(game, drone, POOL, x, y) == Result.SUCCESS
    game.step(2)
    assert count(game, "SpawningPool") == 1
    walker = give(game, "Drone", 7.0, 12.0)
    assert at(game, walker, 1152 + 4, x, y + 5) == Result.SUCCESS  # an evolution chamber
    place = x, y + 5
    last = 9.0
    while game.units[walker]["alive"] and game.loop < 200:
        last = float(np.hypot(game.units[walker]["x"] - place[0], game.units[walker]["y"] - place[1]))
        game.step()
    assert last < 0.5
    assert count(game, "EvolutionChamber") == 1


@pytest.mark.parametrize(
    "name", ["Nexus", "Hatchery", "NydusCanal", "DestructibleRock6x6", "DestructibleRock2x4Horizontal"]
)
@pytest.mark.parametrize("way", [(-8.0, 0.0), (-6.0, -6.0), (0.5, 8.0)])
def test_blades_reach_what_stands_on_more_ground_than_its_radius(name, way):
    """A Nexus has a radius of 2 and stands on five cells."""
    game = duel()
    half = 0.5 if name in ("Nexus", "Hatchery", "NydusCanal") else 0.0
    hall = game.spawn(game.facts.ids[name], 2 if half else 0, 50 + half, 40 + half)
    zergling = game.spawn(game.facts.ids["Zergling"], 1, 50.5 + way[0], 40.5 + way[1])
    whole = float(game.units[hall]["hp"] + game.units[hall]["shield"])
    assert on(game, zergling, 23, hall) == Result.SUCCESS
    game.step(90)
    assert float(game.units[hall]["hp"] + game.units[hall]["shield"]) < whole


def test_banelings_burst_at_structures_only_when_they_are_told_to():
    game = duel()
    baneling, depot = field.give(game, "Baneling", 40.0, 40.0), field.give(game, "SupplyDepot", 43.0, 40.0, 2)
    game.step(60)
    assert game.units[baneling]["alive"], "not by itself"
    assert field.order(game, baneling, BLAST_OFF) == Result.NOT_SUPPORTED, "that is off from birth"
    for ability in (BLAST_ON, BLAST_OFF):
        assert field.order(game, baneling, ability) == Result.SUCCESS
        game.step()
    game.step(60)
    assert game.units[baneling]["alive"]
    assert field.order(game, baneling, BLAST_ON) == Result.SUCCESS
    field.until(game, lambda: not game.units[baneling]["alive"], 100)
    assert lost(game, depot) == 80


def test_a_baneling_bursts_at_the_structure_that_it_is_sent_to():
    game = duel()
    baneling, depot = field.give(game, "Baneling", 40.0, 40.0), field.give(game, "SupplyDepot", 48.0, 40.0, 2)
    game.step(2)
    assert field.order(game, baneling, 245, depot) == Result.SUCCESS
    field.until(game, lambda: not game.units[baneling]["alive"], 100)
    assert lost(game, depot) == 80
