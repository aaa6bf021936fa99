"""What buffs forbid: transports whose doors are shut, structures that stand still, stolen units, blind detectors."""

import pytest

from sim.engine.bufftable import RECALLED
from sim.engine.state import DETECTED, HALLUCINATION, INSIDE
from sim.melee.game import Command, Game
from sim.melee.records import Race, Result
from sim.server.ghosts import towers
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, full, learn, lost

PATCHES = ("5.0.14", "4.10.0")
SALVAGE = {"5.0.14": 4128, "4.10.0": 32}
NEURAL, MATRIX, CLOUD, BILE_COCOON, SMART = 249, 3747, 2063, 2330, 1


def aboard(game: Game, slot: int) -> bool:
    """The unit is in a transport."""
    return bool(int(game.units[slot]["flags"]) & INSIDE)


def stolen(game: Game, name: str, x: float = 45.0, y: float = 40.0) -> int:
    """A unit of player 2 that an infestor of player 1 has taken over. -> slot"""
    infestor, victim = give(game, "Infestor", x - 5, y), give(game, name, x, y, 2)
    full(game, infestor)
    learn(game, "NeuralParasite")
    game.step(10)
    assert order(game, infestor, NEURAL, victim) == Result.SUCCESS
    game.step(30)
    assert game.units[victim]["owner"] == 1
    return victim


@pytest.mark.parametrize("patch", PATCHES)
def test_nobody_enters_a_bunker_that_is_salvaged(patch: str) -> None:
    game = duel(patch, Race.TERRAN, Race.ZERG)
    bunker, marine = give(game, "Bunker", 40.5, 40.5), give(game, "Marine", 44.0, 40.0)
    game.step(2)
    assert order(game, bunker, SALVAGE[patch]) == Result.SUCCESS
    game.step(2)
    assert order(game, bunker, SALVAGE[patch]) == Result.ERROR, "once is enough"
    assert order(game, bunker, 407, marine) == Result.ERROR
    order(game, marine, SMART, bunker)
    game.step(60)
    assert not aboard(game, marine)
    game.step(20)
    assert not game.units[bunker]["alive"]


def test_damage_gives_a_bunker_back_at_once() -> None:
    game = duel("5.0.14", Race.TERRAN, Race.ZERG)
    bunker, marine = give(game, "Bunker", 40.5, 40.5), give(game, "Marine", 44.0, 40.0)
    game.step(2)
    order(game, bunker, SALVAGE["5.0.14"])
    game.step(10)
    game.units[bunker]["last_hit"] = game.loop
    game.step(5)
    assert order(game, bunker, 407, marine) == Result.SUCCESS


def test_a_depot_waits_for_one_supply_drop() -> None:
    game = duel("5.0.14", Race.TERRAN, Race.ZERG)
    halls = [give(game, "OrbitalCommand", x, 30.5) for x in (30.5, 50.5)]
    depot = give(game, "SupplyDepot", 40.0, 40.0)
    full(game, *halls)
    game.step(2)
    assert order(game, halls[0], 255, depot) == Result.SUCCESS
    game.step(2)
    assert order(game, halls[1], 255, depot) != Result.SUCCESS
    assert order(game, depot, 556) == Result.ERROR, "it neither rises nor goes down meanwhile"
    game.step(70)
    assert game.units[depot]["hp_max"] == 500
    assert order(game, depot, 556) == Result.SUCCESS


def test_a_depot_takes_no_supply_drop_while_it_goes_down() -> None:
    game = duel("5.0.14", Race.TERRAN, Race.ZERG)
    hall, depot = give(game, "OrbitalCommand", 30.5, 30.5), give(game, "SupplyDepot", 40.0, 40.0)
    full(game, hall)
    game.step(2)
    assert order(game, depot, 556) == Result.SUCCESS
    game.step(3)
    assert order(game, hall, 255, depot) == Result.MUST_TARGET_STRUCTURES
    game.step(60)
    assert name_of(game, depot) == "SupplyDepotLowered"
    assert order(game, hall, 255, depot) == Result.SUCCESS


def test_a_contaminated_reactor_makes_neither_of_two() -> None:
    game = duel("5.0.14", Race.ZERG, Race.TERRAN)
    barracks = give(game, "Barracks", 40.5, 40.5, 2)
    give(game, "BarracksReactor", 43.0, 40.0, 2)
    give(game, "SupplyDepot", 60.0, 60.0, 2)
    game.players[2]["minerals"] = 500
    game.step(2)
    for _ in range(2):
        assert order(game, barracks, 560) == Result.SUCCESS
    overseer = give(game, "Overseer", 40.0, 38.0)
    full(game, overseer)
    order(game, overseer, 1825, barracks)
    game.step(20)
    left = game.jobs[barracks, :2]["left"].tolist()
    game.step(60)
    assert game.jobs[barracks, :2]["left"].tolist() == left


def test_chrono_boost_does_not_hasten_what_is_contaminated() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    nexus, overseer = give(game, "Nexus", 60.5, 60.5, 2), give(game, "Overseer", 60.0, 58.0)
    game.players[2]["minerals"] = 500
    full(game, nexus, overseer)
    game.step(2)
    order(game, nexus, 1006)
    game.step(2)
    order(game, nexus, 3755, nexus)
    order(game, overseer, 1825, nexus)
    game.step(20)
    left = int(game.jobs[nexus, 0]["left"])
    game.step(60)
    assert game.jobs[nexus, 0]["left"] == left


@pytest.mark.parametrize("patch", PATCHES)
def test_a_stolen_transport_takes_nobody_in(patch: str) -> None:
    game = duel(patch, Race.ZERG, Race.TERRAN)
    medivac, zergling = stolen(game, "Medivac"), give(game, "Zergling", 45.0, 38.0)
    assert order(game, medivac, 394, zergling) == Result.ERROR
    order(game, zergling, SMART, medivac)
    game.step(30)
    assert not aboard(game, zergling)


def test_stolen_templar_do_not_merge() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    templar = [stolen(game, "HighTemplar", y=y) for y in (40.0, 44.0)]
    assert game.issue(Command(1, 1766, tuple(map(game.tag, templar)))) == Result.ERROR


def test_a_stolen_cyclone_lets_go_and_a_stolen_liberator_has_its_zone() -> None:
    game = duel("5.0.14", Race.ZERG, Race.TERRAN)
    give(game, "Ultralisk", 45.0, 34.0)
    cyclone = stolen(game, "Cyclone")
    assert cyclone not in game.memory.locks
    liberator = give(game, "Liberator", 70.0, 70.0, 2)
    game.step(2)
    order(game, liberator, 2558, (70.0, 74.0))
    game.step(100)
    infestor = give(game, "Infestor", 64.0, 70.0)
    full(game, infestor)
    game.step(2)
    order(game, infestor, NEURAL, liberator)
    game.step(30)
    assert game.memory.zones[liberator].owner == 1
    assert [effect.owner for effect in game.memory.effects if effect.id == 9] == [1]


@pytest.mark.parametrize(("race", "carrier", "unit", "load", "unload"), [
    (Race.TERRAN, "Medivac", "Marine", 394, 396),
    (Race.PROTOSS, "WarpPrism", "Zealot", 911, 913),
])  # fmt: skip
def test_a_jammed_transport_keeps_its_doors_shut(race: int, carrier: str, unit: str, load: int, unload: int) -> None:
    game = duel("5.0.14", Race.TERRAN, race)
    raven, hull = give(game, "Raven", 40.0, 40.0), give(game, carrier, 45.0, 40.0, 2)
    first, second = give(game, unit, 45.0, 42.0, 2), give(game, unit, 45.0, 38.0, 2)
    full(game, raven)
    learn(game, "InterferenceMatrix")
    at_rest(game, first, second)
    game.step(2)
    order(game, hull, load, first)
    game.step(20)
    assert aboard(game, first)
    order(game, hull, unload)
    game.step(2)
    order(game, raven, MATRIX, hull)
    order(game, second, SMART, hull)
    game.memory.dropping.pop(hull, None)
    game.step(40)
    cargo = int(game.units[hull]["cargo"])
    order(game, second, SMART, hull)
    order(game, hull, unload, (46.0, 40.0))
    game.step(60)
    assert game.units[hull]["cargo"] == cargo


def test_who_is_recalled_takes_nobody_in() -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.TERRAN)
    nexus = give(game, "Nexus", 20.5, 20.5)
    prism, zealot = give(game, "WarpPrism", 50.0, 50.0), give(game, "Zealot", 54.0, 50.0)
    full(game, nexus)
    game.step(2)
    assert order(game, nexus, 3757, (50.0, 50.0)) == Result.SUCCESS
    game.step(2)
    order(game, zealot, SMART, prism)
    game.step(40)
    assert not aboard(game, zealot)


@pytest.mark.parametrize(("patch", "boards"), [("5.0.14", True), ("4.10.0", False)])
def test_an_adept_with_its_shade_out_boards_in_the_newer_patch_only(patch: str, boards: bool) -> None:
    game = duel(patch, Race.PROTOSS, Race.TERRAN)
    prism, adepts = give(game, "WarpPrism", 42.0, 40.0), [give(game, "Adept", 40.0, y) for y in (39.0, 41.0)]
    game.step(2)
    order(game, adepts[0], 2544, (60.0, 40.0))
    game.step(10)
    for adept in adepts:
        order(game, prism, 911, adept, queued=True)
    game.step(60)
    assert [aboard(game, adept) for adept in adepts] == [boards, True]


def test_a_cocoon_that_is_lifted_grows_on_and_that_of_a_transport_when_it_is_abducted() -> None:
    for race, caster, power, victim, morph in (
        (Race.PROTOSS, "Phoenix", 173, "Roach", BILE_COCOON),
        (Race.ZERG, "Viper", 2067, "Overlord", 2708),
    ):
        game = duel("5.0.14", race, Race.ZERG)
        holder, unit = give(game, caster, 40.0, 40.0), give(game, victim, 44.0, 40.0, 2)
        give(game, "Overlord", 70.0, 70.0, 2)
        game.memory.taught.add(2)
        game.players[2]["minerals"] = game.players[2]["gas"] = 500
        full(game, holder)
        game.step(2)
        assert order(game, unit, morph) == Result.SUCCESS
        game.step(3)
        assert order(game, holder, power, unit) == Result.SUCCESS
        game.step(700)
        assert name_of(game, unit) in ("Ravager", "OverlordTransport")


def test_a_blinding_cloud_takes_detection_and_reaches_into_bunkers() -> None:
    game = duel("5.0.14", Race.ZERG, Race.TERRAN)
    viper, roach = give(game, "Viper", 40.0, 40.0), give(game, "RoachBurrowed", 50.0, 42.0)
    give(game, "MissileTurret", 48.0, 40.0, 2)
    tower = give(game, "SensorTower", 47.5, 41.5, 2)
    full(game, viper)
    game.step(8)
    assert int(game.units[roach]["flags"]) & DETECTED
    assert tower in towers(game, 2)
    order(game, viper, CLOUD, (48.0, 40.0))
    game.step(40)
    assert not int(game.units[roach]["flags"]) & DETECTED
    assert tower not in towers(game, 2)


def test_a_blinding_cloud_reaches_into_a_bunker() -> None:
    game = duel("5.0.14", Race.ZERG, Race.TERRAN)
    viper, bunker = give(game, "Viper", 36.0, 40.0), give(game, "Bunker", 46.5, 40.5, 2)
    marine, ultralisk = give(game, "Marine", 46.0, 43.0, 2), give(game, "Ultralisk", 41.0, 40.0)
    at_rest(game, ultralisk)
    full(game, viper)
    game.step(2)
    order(game, marine, SMART, bunker)
    order(game, ultralisk, 18)
    game.step(40)
    assert aboard(game, marine)
    order(game, viper, CLOUD, (46.5, 40.5))
    game.step(20)
    before = lost(game, ultralisk)
    game.step(40)
    assert lost(game, ultralisk) <= before


def test_a_cancelled_slot_of_an_egg_makes_it_a_larva_again() -> None:
    game = duel("5.0.14", Race.ZERG, Race.TERRAN)
    larva = game.owned(1, "Larva")[0]
    assert order(game, larva, 1342) == Result.SUCCESS
    game.step(3)
    assert order(game, larva, 305, (0.0, 0.0)) == Result.SUCCESS
    game.step(2)
    assert name_of(game, larva) == "Larva"


def test_images_do_not_become_archons() -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.TERRAN)
    templar = give(game, "HighTemplar", 40.0, 40.0)
    image = game.spawn(game.facts.ids["HighTemplar"], 1, 42.0, 40.0, flags=HALLUCINATION)
    game.step(2)
    assert order(game, templar, 1767, image) == Result.CANT_TARGET_THAT_UNIT


def test_a_beam_ends_where_a_recall_takes_its_victim_away() -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.PROTOSS)
    nexus, stalker = give(game, "Nexus", 20.5, 20.5), give(game, "Stalker", 50.0, 50.0)
    phoenix = give(game, "Phoenix", 50.0, 53.0, 2)
    full(game, nexus, phoenix)
    game.step(2)
    order(game, phoenix, 173, stalker)
    game.step(20)
    assert order(game, nexus, 3757, (50.0, 50.0)) == Result.SUCCESS
    game.step(86)
    assert game.units[stalker]["x"] < 30
    assert game.units[phoenix]["order_count"] == 0
    assert 5 not in game.units[stalker]["buff"]


def test_work_without_power_that_is_contaminated_is_not_undone() -> None:
    game = duel(mine=Race.PROTOSS, enemy=Race.ZERG)
    pylon, gate = give(game, "Pylon", 30.0, 30.0), give(game, "Gateway", 33.5, 30.5)
    overseer = give(game, "Overseer", 36.0, 36.0, 2)
    full(game, overseer)
    game.step()
    assert order(game, gate, 916) == Result.SUCCESS
    game.step(100)
    game.kill(pylon)
    assert order(game, overseer, 1825, gate) == Result.SUCCESS
    game.step(2)
    left = int(game.jobs[gate, 0]["left"])
    game.step(40)
    assert game.jobs[gate, 0]["left"] == left


def test_who_is_recalled_to_a_nexus_that_falls_stays_and_is_free() -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.TERRAN)
    nexus, zealot = give(game, "Nexus", 20.5, 20.5), give(game, "Zealot", 50.0, 50.0)
    full(game, nexus)
    game.step(2)
    assert order(game, nexus, 3757, (50.0, 50.0)) == Result.SUCCESS
    until(game, lambda: RECALLED in game.units[zealot]["buff"], 20)
    game.kill(nexus)
    until(game, lambda: RECALLED not in game.units[zealot]["buff"], 120)
    assert away(game, zealot, 50.0, 50.0) < 0.1
    assert order(game, zealot, 16, (55.0, 50.0)) == Result.SUCCESS
    until(game, lambda: away(game, zealot, 55.0, 50.0) < 0.5, 60)
