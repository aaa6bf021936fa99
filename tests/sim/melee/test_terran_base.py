"""What Terran structures do on command: salvage, extra supplies; landing Vikings."""

import pytest

from sim.melee.effects_terran import SUPPLY_BUFF
from sim.melee.records import Result
from tests.sim.melee.field import bank, give, name_of, order, terran, until

SALVAGE = {"5.0.14": 4128, "4.10.0": 32}
SUPPLY_DROP, ASSAULT, MULE, LOAD, UNLOAD = 255, 403, 171, 407, 408
MARAUDER, TANK, HELLION = 563, 591, 595


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_salvage_gives_three_quarters_back(patch):
    game = terran(patch=patch)
    bunker, before = give(game, "Bunker"), bank(game)[0]
    assert order(game, bunker, SALVAGE[patch]) == Result.SUCCESS
    assert until(game, lambda: not game.units[bunker]["alive"], 100) in (80, 81)
    assert bank(game)[0] - before in range(75, 75 + 40)


@pytest.mark.parametrize(
    ("host", "ability", "unit", "below"),
    [
        ("Factory", TANK, "SiegeTank", 2.5),
        ("Factory", HELLION, "Hellion", 2.25),
        ("Barracks", MARAUDER, "Marauder", 2.31),
    ],
)
def test_big_units_come_out_edge_to_edge_with_their_producer(host, ability, unit, below):
    """Real ones do so: 224 of 249 tanks were born two cells from the middle of their factory, not three."""
    game = terran()
    producer, lab = give(game, host), give(game, f"{host}TechLab", 51.0, 48.0)
    game.units[producer]["addon"], game.units[lab]["addon"] = lab, producer
    assert order(game, producer, ability) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, unit)), 800)
    (born,) = game.owned(1, unit)
    place = float(game.units[born]["x"]), float(game.units[born]["y"])
    assert place == pytest.approx((48.5, 48.5 - below), abs=0.02)


def test_a_bunker_with_somebody_inside_is_not_salvaged():
    game = terran()
    bunker, marine = give(game, "Bunker"), give(game, "Marine", 51.0, 48.5)
    order(game, bunker, LOAD, marine)
    until(game, lambda: game.units[bunker]["cargo"] == 1, 60)
    assert order(game, bunker, SALVAGE["5.0.14"]) == Result.NOT_WHILE_OCCUPIED
    order(game, bunker, UNLOAD)
    until(game, lambda: game.units[bunker]["cargo"] == 0, 60)
    assert order(game, bunker, SALVAGE["5.0.14"]) == Result.SUCCESS


@pytest.mark.parametrize(("patch", "gone"), [("5.0.14", False), ("4.10.0", True)])
def test_damage_stops_a_salvage_since_it_was_changed(patch, gone):
    game = terran(patch=patch)
    bunker = give(game, "Bunker")
    order(game, bunker, SALVAGE[patch])
    game.step(20)
    marine = give(game, "Marine", 52.5, 48.5, owner=2)
    until(game, lambda: game.units[bunker]["hp"] < game.units[bunker]["hp_max"], 60)
    game.kill(marine)
    game.step(100)
    assert bool(game.units[bunker]["alive"]) is not gone


@pytest.mark.parametrize(("patch", "life"), [("5.0.14", 500), ("4.10.0", 400)])
def test_extra_supplies(patch, life):
    game = terran(patch=patch)
    orbital, depot = give(game, "OrbitalCommand", 60.5, 60.5), give(game, "SupplyDepot", 49, 49)
    game.step()
    before = float(game.players[1]["supply_cap"])
    assert order(game, orbital, SUPPLY_DROP, depot) == Result.SUCCESS
    assert until(game, lambda: game.players[1]["supply_cap"] > before, 80) in (64, 65)
    assert game.players[1]["supply_cap"] == before + 8
    assert game.units[depot]["hp"] == game.units[depot]["hp_max"] == life
    assert SUPPLY_BUFF in game.units[depot]["buff"], "what bots tell such depots by"


def test_mules_fall_only_where_the_player_sees():
    game = terran()
    orbital = give(game, "OrbitalCommand", 60.5, 60.5)
    game.step(4)
    assert order(game, orbital, MULE, (20.0, 80.0)) == Result.MUST_TARGET_VISIBLE_LOCATION
    assert order(game, orbital, MULE, (63.0, 65.0)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "MULE")) == 1, 70)


def test_vikings_land_only_on_ground():
    game = terran()
    game.walk[40:50, 40:50] = 0
    game.world[0]["terrain_version"] += 1
    viking = give(game, "VikingFighter", 45.0, 45.0)
    assert order(game, viking, ASSAULT) == Result.CANT_FIND_PLACEMENT
    game.units[viking]["x"] = 55.0
    assert order(game, viking, ASSAULT) == Result.SUCCESS
    until(game, lambda: name_of(game, viking) == "VikingAssault", 60)


def delays(patch, name, ability, product):
    """Loops from the order to the change of type, of many units."""
    game = terran(patch=patch)
    slots = [give(game, name, 20 + 2.3 * (k % 28), 30 + 2.3 * (k // 28)) for k in range(112)]
    for slot in slots:
        order(game, slot, ability)
    begun, seen = game.loop, {}
    for _ in range(30):
        game.step()
        seen |= {s: game.loop - begun for s in slots if s not in seen and name_of(game, s) == product}
    assert len(seen) == len(slots)
    return min(seen.values()), max(seen.values())


def test_when_the_type_of_a_siege_tank_changes():
    """As in 2,600 and 2,200 orders of real games: of who stands 8 to 15 loops (who walked: test_modes) and 1 to 8."""
    assert delays("4.10.0", "SiegeTank", 388, "SiegeTankSieged") == (8, 15)
    assert delays("4.10.0", "SiegeTankSieged", 390, "SiegeTank") == (1, 8)
    assert delays("4.10.0", "VikingFighter", 403, "VikingAssault") == (1, 8)


@pytest.mark.parametrize(("patch", "loops"), [("5.0.14", 1), ("4.10.0", 7)])
def test_when_a_liberator_leaves_its_zone(patch, loops):
    """In real games of 4.10 most types change 7 loops after the order."""
    game = terran(patch=patch)
    ship = give(game, "LiberatorAG")
    game.step(3)
    order(game, ship, 2560)
    assert until(game, lambda: name_of(game, ship) == "Liberator", 20) == loops


def test_a_mule_lives_as_long_as_real_ones():
    """1,568 of 1,821 in real games: 1506 to 1510 loops from the call."""
    game = terran()
    orbital = give(game, "OrbitalCommand", 60.5, 60.5)
    game.step(4)
    lives = set()
    for _ in range(3):
        game.units[orbital]["energy"] = 60
        order(game, orbital, MULE, (63.0, 65.0))
        begun = game.loop
        until(game, lambda: game.owned(1, "MULE"), 70)
        until(game, lambda: not game.owned(1, "MULE"), 1500)
        lives.add(game.loop - begun)
    assert min(lives) >= 1506
    assert max(lives) <= 1510
