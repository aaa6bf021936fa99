"""Placement queries as public test programs ask them, on the empty map: what a player knows decides."""

from __future__ import annotations

import math

import pytest
from s2clientprotocol import debug_pb2, query_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import load
from tests.sim.server import screens
from tests.sim.server.client import PROTOSS, TERRAN, ZERG, Client
from tests.sim.server.conftest import map_file
from tests.sim.server.screens import IDS, create
from tests.sim.server.test_actions import debug

BUILD_HALL, SUCCESS, NO_PLACE, CREEP = 318, 1, 41, 46
TURRET, RAVEN_BUILD, GATHER = 1764, 349, 3666
BUILD_GATEWAY, NO_POWER, SMART = 883, 50, 1
LAND_BARRACKS, WARP_IN_ZEALOT = 554, 1413
NO_SIGHT, NO_CREEP = 45, 49
X = Y = 80.5  # far from either start


def asked(game: Client, ability: int, x: float, y: float) -> int:
    """Answer to a placement query."""
    query = query_pb2.RequestQuery()
    place = query.placements.add(ability_id=ability)
    place.target_pos.x, place.target_pos.y = x, y
    return game.ask(query=query).query.placements[0].result


def seen(game: Client) -> list[raw_pb2.Unit]:
    """Every unit of the observation."""
    return list(game.observe().observation.raw_data.units)


def fits(game: Client) -> bool:
    """Whether a town hall could be placed there."""
    result = asked(game, BUILD_HALL, X, Y)
    assert result in (SUCCESS, NO_PLACE)
    return result == SUCCESS


@pytest.fixture
def home(client: Client) -> tuple[float, float]:
    """The hatchery's place in a game as Zerg."""
    assert not client.create(map_file(), (sc.Participant,), (sc.Computer, TERRAN, 1)).create_game.HasField("error")
    client.join(ZERG)
    hall = next(unit.pos for unit in seen(client) if unit.unit_type == IDS["Hatchery"])
    return hall.x, hall.y


def put(game: Client, name: str, owner: int) -> None:
    create(game, name, X, Y, owner)
    game.step(10)


def test_on_the_empty_map_nobody_has_anything_and_nobody_loses(empty: Client) -> None:
    empty.step(200)
    seen = empty.observe()
    assert not seen.observation.raw_data.units
    assert not seen.player_result
    assert seen.observation.player_common.minerals == 0, "no melee begins there"
    camera = seen.observation.raw_data.player.camera
    assert (camera.x, camera.y) == (load("Empty128").width / 2, load("Empty128").height / 2), "there is no town hall"


@pytest.mark.parametrize("enemy", ["Zealot", "SupplyDepot", "DarkTemplar", "RoachBurrowed"])
def test_what_stands_in_the_fog_is_not_known(empty: Client, enemy: str) -> None:
    put(empty, enemy, 2)
    assert fits(empty)


@pytest.mark.parametrize("enemy", ["DarkTemplar", "RoachBurrowed", "WidowMineBurrowed"])
def test_the_undetected_are_not_known_until_they_are(empty: Client, enemy: str) -> None:
    put(empty, "Overlord", 1)
    put(empty, enemy, 2)
    assert fits(empty)
    put(empty, "Observer", 1)
    assert not fits(empty)


@pytest.mark.parametrize("enemy", ["Zealot", "SiegeTankSieged", "SupplyDepotLowered", "Changeling"])
def test_what_is_in_sight_is_in_the_way(empty: Client, enemy: str) -> None:
    put(empty, "Overlord", 1)
    assert fits(empty)
    put(empty, enemy, 2)
    assert not fits(empty)


@pytest.mark.parametrize(("dx", "dy", "free"), [(2.4, 0, False), (0, -2.4, False), (3.2, 0, True), (-2.4, 3.2, True)])
def test_who_reaches_into_a_site_is_in_the_way(empty: Client, dx: float, dy: float, free: bool) -> None:
    """A town hall's begins 2.5 cells from its middle; a tank's radius is 0.9."""
    put(empty, "Overlord", 1)
    create(empty, "SiegeTankSieged", X + dx, Y + dy, 2)
    assert fits(empty) is free


@pytest.mark.parametrize(("own", "free"), [("Zealot", True), ("Overlord", True), ("SiegeTankSieged", False)])
def test_own_units_leave_if_they_can(empty: Client, own: str, free: bool) -> None:
    put(empty, own, 1)
    assert fits(empty) is free


def test_made_fields_are_nobodys_and_full_and_a_worker_goes_where_one_was_seen(empty: Client) -> None:
    create(empty, "Nexus", X - 12, Y)
    create(empty, "MineralField", X, Y, owner=14)  # there is no such player
    create(empty, "Probe", X - 3, Y)
    probe, field = (next(u for u in seen(empty) if u.unit_type == IDS[name]) for name in ("Probe", "MineralField"))
    assert (field.owner, field.alliance, field.mineral_contents) == (16, 3, 1800)
    assert empty.command(GATHER, probe.tag, target=field.tag) == SUCCESS
    empty.step(120)
    assert any(u.unit_type == IDS["MineralField"] and u.mineral_contents == 1795 for u in seen(empty))
    debug(empty, game_state=debug_pb2.show_map)
    create(empty, "MineralField", X, Y - 30, owner=0)
    made = min((u for u in seen(empty) if u.unit_type == IDS["MineralField"]), key=lambda u: u.pos.y)
    debug(empty, game_state=debug_pb2.show_map)
    empty.step(6)
    copy = min((u for u in seen(empty) if u.unit_type == IDS["MineralField"]), key=lambda u: u.pos.y)
    debug(empty, kill_unit=debug_pb2.DebugKillUnit(tag=[made.tag]))
    empty.step(2)
    assert empty.command(GATHER, probe.tag, target=copy.tag) == SUCCESS
    empty.step(60)
    assert next(u for u in seen(empty) if u.tag == probe.tag).pos.y < Y - 5


def test_a_made_gas_structure_has_the_gas_of_its_geyser(empty: Client) -> None:
    create(empty, "Nexus", X, Y)
    create(empty, "VespeneGeyser", X + 7, Y, owner=0)
    create(empty, "Assimilator", X + 7, Y)
    create(empty, "Probe", X + 4, Y)
    probe, gas = (next(u for u in seen(empty) if u.unit_type == IDS[name]) for name in ("Probe", "Assimilator"))
    assert (gas.vespene_contents, gas.ideal_harvesters) == (2250, 3)
    assert empty.command(GATHER, probe.tag, target=gas.tag) == SUCCESS
    empty.step(190)
    assert empty.observe().observation.player_common.vespene == 8, "two trips"


@pytest.mark.parametrize(
    ("name", "kind", "trip"), [("Refinery", "VespeneGeyser", 4), ("ExtractorRich", "RichVespeneGeyser", 8)]
)
def test_a_gas_structure_made_on_open_ground_brings_its_geyser(empty: Client, name: str, kind: str, trip: int) -> None:
    create(empty, "CommandCenter", X, Y)
    create(empty, name, X + 7, Y)
    create(empty, "SCV", X + 4, Y)
    scv, gas, geyser = (next(u for u in seen(empty) if u.unit_type == IDS[n]) for n in ("SCV", name, kind))
    assert (geyser.owner, geyser.alliance, geyser.pos.x, geyser.pos.y) == (16, 3, gas.pos.x, gas.pos.y)
    assert empty.command(GATHER, scv.tag, target=gas.tag) == SUCCESS
    empty.step(100)
    assert empty.observe().observation.player_common.vespene == trip


def test_who_has_every_upgrade_has_eight_places_in_a_bunker(empty: Client) -> None:
    debug(empty, game_state=debug_pb2.upgrade)
    create(empty, "Bunker", X, Y)
    bunker = next(u for u in seen(empty) if u.unit_type == IDS["Bunker"])
    assert bunker.cargo_space_max == 8, "Neosteel Armor and Neosteel Frame"


def test_who_dies_by_a_command_lets_his_passengers_out(empty: Client) -> None:
    create(empty, "Bunker", X, Y)
    create(empty, "Marauder", X + 4, Y)
    bunker, rider = (next(u for u in seen(empty) if u.unit_type == IDS[name]) for name in ("Bunker", "Marauder"))
    assert empty.command(SMART, rider.tag, target=bunker.tag) == SUCCESS
    empty.step(40)
    assert [u.tag for u in seen(empty)] == [bunker.tag]
    debug(empty, kill_unit=debug_pb2.DebugKillUnit(tag=[bunker.tag, rider.tag]))
    empty.step(3)
    assert [u.tag for u in seen(empty)] == [rider.tag]


def test_a_structure_once_seen_stays_known(empty: Client) -> None:
    put(empty, "Overlord", 1)
    put(empty, "SupplyDepot", 2)
    eye = screens.own(empty, "Overlord")[0]
    kill = sc.RequestDebug()
    kill.debug.add().kill_unit.tag.append(eye.tag)
    empty.ask(debug=kill)
    empty.step(100)
    assert not fits(empty)


def test_creep_that_nobody_has_seen_is_in_nobodys_way(empty: Client) -> None:
    depot, around = 319, [(X + dx, Y + dy) for dx in (-6, 0, 6) for dy in (-6, 0, 6) if dx or dy]
    put(empty, "Hatchery", 2)
    empty.step(400)  # its creep takes any cell beside it: which ones it has by now is chance
    assert {asked(empty, depot, *place) for place in around} == {SUCCESS}
    put(empty, "Overlord", 1)
    raw = empty.observe().observation.raw_data
    assert raw.map_state.creep.data != bytes(len(raw.map_state.creep.data))
    assert CREEP in {asked(empty, depot, *place) for place in around}


@pytest.mark.parametrize(("dx", "dy"), [(9, 0), (-9, 0), (0, 9), (0, -9)])
def test_ways_begin_in_structures_on_the_side_that_they_go_to_but_none_ends_there(
    empty: Client, dx: int, dy: int
) -> None:
    x, y = X + 20, Y
    create(empty, "CommandCenter", x, y, 1)
    query = query_pb2.RequestQuery()
    for start, end in (((x + dx, y + dy), (x, y)), ((x, y), (x + dx, y + dy))):
        way = query.pathing.add()
        (way.start_pos.x, way.start_pos.y), (way.end_pos.x, way.end_pos.y) = start, end
    there, back = (found.distance for found in empty.ask(query=query).query.pathing)
    assert there == 0
    assert back == pytest.approx(6, abs=0.5)


def test_a_unit_asks_for_its_own_way(game: Client) -> None:
    """Straight for who flies, round what is in the way for who walks, none for who is not there."""
    near = next(unit.pos for unit in seen(game) if unit.unit_type == IDS["CommandCenter"])
    create(game, "Medivac", near.x, near.y)
    walker, flyer = (next(u for u in seen(game) if u.unit_type == IDS[name]) for name in ("SCV", "Medivac"))
    (goal,) = game.ask(game_info=sc.RequestGameInfo()).game_info.start_raw.start_locations
    goal.x += math.copysign(7, near.x - goal.x)
    query = query_pb2.RequestQuery()
    for tag in (walker.tag, flyer.tag, 12345):
        query.pathing.add(unit_tag=tag, end_pos=goal)
    walks, flies, nobody = (found.distance for found in game.ask(query=query).query.pathing)
    assert flies == pytest.approx(math.hypot(goal.x - flyer.pos.x, goal.y - flyer.pos.y), abs=0.1)
    assert walks > 1.1 * flies
    assert nobody == 0


def test_a_way_from_a_town_hall_does_not_begin_in_a_closed_pocket_beside_it(empty: Client) -> None:
    """Bots ask from their hall which base is next, and have none if there is no way to any."""
    for name, x, y in (("CommandCenter", X, Y), ("EngineeringBay", X + 5, Y), ("SupplyDepot", X + 3.5, Y + 2.5)):
        create(empty, name, x, y, 1)
    create(empty, "SupplyDepot", X + 3.5, Y - 2.5, 1)
    empty.step(10)
    query = query_pb2.RequestQuery()
    for start, end in ((X, X + 15), (X + 3, X + 15)):
        way = query.pathing.add()
        way.start_pos.x, way.start_pos.y, way.end_pos.x, way.end_pos.y = start, Y, end, Y
    out, shut_in = (found.distance for found in empty.ask(query=query).query.pathing)
    assert shut_in == 0
    assert out > 12


@pytest.mark.parametrize("ability", [1153, 1694, 1733])
def test_tumors_are_asked_for_by_any_of_their_exact_abilities(
    client: Client, home: tuple[float, float], ability: int
) -> None:
    row = [asked(client, ability, home[0] + dx, home[1]) for dx in range(-14, 15)]
    assert SUCCESS in row
    assert row[14] == NO_PLACE, "the hatchery itself"
    assert row[0] != SUCCESS != row[-1], "off creep"


def test_a_tumor_that_spreads_wants_sight_and_a_queens_does_not(client: Client, home: tuple[float, float]) -> None:
    """Public bots' creep maps are made by such queries: "no vision" is an answer of its own, no creep another."""
    x, y = (home[0] + X) / 2 + 0.5, (home[1] + Y) / 2 + 0.5
    assert [asked(client, ability, x, y) for ability in (1153, 1733, 1694)] == [NO_SIGHT, NO_SIGHT, NO_CREEP]
    create(client, "Overlord", x, y)
    client.step(4)
    assert [asked(client, ability, x, y) for ability in (1153, 1733, 1694)] == [NO_CREEP] * 3


def test_an_auto_turret_is_placed_like_a_structure_and_on_creep(client: Client, home: tuple[float, float]) -> None:
    around = [(home[0] + dx, home[1] + dy) for dx in range(-6, 7) for dy in range(-6, 7)]
    places = [place for place in around if asked(client, TURRET, *place) == SUCCESS]
    assert 0 < len(places) < len(around)
    assert places == [place for place in around if asked(client, RAVEN_BUILD, *place) == SUCCESS]
    create(client, "Raven", *places[0])
    raven = next(u for u in client.observe().observation.raw_data.units if u.unit_type == IDS["Raven"]).tag
    debug(client, unit_value=debug_pb2.DebugSetUnitValue(unit_value=1, value=100, unit_tag=raven))
    client.step(1)
    assert client.command(TURRET, raven, at=places[0]) == SUCCESS
    client.step(20)
    assert any(u.unit_type == IDS["AutoTurret"] for u in client.observe().observation.raw_data.units)


def test_enemies_can_be_made_in_a_game_of_one_and_fight(client: Client) -> None:
    assert not client.create("Empty128", (sc.Participant,)).create_game.HasField("error")
    client.join()
    create(client, "Marine", X, Y, quantity=4)
    create(client, "Zergling", X + 4, Y, owner=2)
    (foe,) = (unit for unit in seen(client) if unit.owner == 2)
    assert foe.alliance == raw_pb2.Enemy
    client.step(100)
    assert not [unit for unit in seen(client) if unit.owner == 2]


def test_a_field_made_by_debug_lies_where_it_was_asked_for(empty: Client) -> None:
    create(empty, "MineralField", 80, 80.5, owner=0)
    create(empty, "VespeneGeyser", 90.5, 80.5, owner=0)
    create(empty, "Overlord", 85, 80)
    places = {(unit.pos.x, unit.pos.y) for unit in seen(empty) if unit.unit_type != IDS["Overlord"]}
    assert places == {(80, 80.5), (90.5, 80.5)}


@pytest.mark.parametrize(
    ("pylon", "gateway", "result"), [(39, 44.5, NO_POWER), (44, 38.5, SUCCESS), (39, 35.5, SUCCESS)]
)
def test_pylons_power_no_higher_ground(client: Client, pylon: float, gateway: float, result: int) -> None:
    """The start's plateau ends at x = 43, two levels above the ground left of it."""
    y = 24.5
    assert not client.create("Simple64", (sc.Participant,), (sc.Computer, TERRAN, 1)).create_game.HasField("error")
    client.join(PROTOSS)
    create(client, "Pylon", pylon, y + 0.5, 1)
    client.step(4)
    assert asked(client, BUILD_GATEWAY, gateway, y) == result
    create(client, "Gateway", gateway, y, 1)
    client.step(4)
    found = next(unit for unit in seen(client) if unit.unit_type == IDS["Gateway"])
    assert found.is_powered == (result == SUCCESS)


def test_a_site_taken_while_a_structure_comes_down_sends_it_up_again(empty: Client) -> None:
    """It ended the game with an error of the engine."""
    create(empty, "BarracksFlying", X, Y, 1)
    barracks = next(unit for unit in seen(empty) if unit.unit_type == IDS["BarracksFlying"])
    assert empty.command(LAND_BARRACKS, barracks.tag, at=(X, Y)) == SUCCESS
    empty.step(30)  # it is above the site, on its way down
    create(empty, "SupplyDepot", X, Y, 1)
    assert not empty.step(80).error
    assert [unit.unit_type for unit in seen(empty) if unit.tag == barracks.tag] == [IDS["BarracksFlying"]]
    assert empty.command(LAND_BARRACKS, barracks.tag, at=(X + 8, Y)) == SUCCESS, "it obeys as before"
    empty.step(400)
    assert [unit.unit_type for unit in seen(empty) if unit.tag == barracks.tag] == [IDS["Barracks"]]


def test_no_place_is_free_for_the_general_ability_of_tumors(client: Client, home: tuple[float, float]) -> None:
    """A user of the official client asked for every cell of a map, in vain."""
    assert SUCCESS not in [asked(client, 3691, home[0] + dx, home[1]) for dx in range(-14, 15)]


def test_who_is_being_warped_in_is_in_the_way(empty: Client) -> None:
    """He cannot leave before he is complete."""
    create(empty, "Pylon", X + 4.5, Y - 0.5, 1)
    create(empty, "WarpGate", X + 7, Y + 3, 1)
    empty.step(4)
    gate = next(unit for unit in seen(empty) if unit.unit_type == IDS["WarpGate"])
    debug(empty, game_state=debug_pb2.all_resources)
    debug(empty, game_state=debug_pb2.food)
    assert fits(empty)
    assert empty.command(WARP_IN_ZEALOT, gate.tag, at=(X, Y)) == SUCCESS
    empty.step(4)
    assert not fits(empty)
    empty.step(120)
    assert fits(empty)
