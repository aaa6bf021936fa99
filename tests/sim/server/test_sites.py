"""Placement queries as public test programs ask them, on the empty map: what a player knows decides."""

from __future__ import annotations

import pytest
from s2clientprotocol import query_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server import screens
from tests.sim.server.client import TERRAN, Client
from tests.sim.server.screens import create

BUILD_HALL, SUCCESS, NO_PLACE = 318, 1, 41
X = Y = 80.5  # far from either start


@pytest.fixture
def empty(client: Client) -> Client:
    answer = client.create("Empty128", (sc.Participant,), (sc.Computer, TERRAN, sc.VeryEasy))
    assert not answer.create_game.HasField("error")
    client.join()
    return client


def fits(game: Client) -> bool:
    """Whether a town hall could be placed there."""
    query = query_pb2.RequestQuery()
    place = query.placements.add(ability_id=BUILD_HALL)
    place.target_pos.x, place.target_pos.y = X, Y
    result = game.ask(query=query).query.placements[0].result
    assert result in (SUCCESS, NO_PLACE)
    return result == SUCCESS


def put(game: Client, name: str, owner: int) -> None:
    create(game, name, X, Y, owner)
    game.step(10)


def test_on_the_empty_map_nobody_has_anything_and_nobody_loses(empty: Client) -> None:
    empty.step(200)
    seen = empty.observe()
    assert not seen.observation.raw_data.units
    assert not seen.player_result
    assert seen.observation.player_common.minerals == 50


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


@pytest.mark.parametrize(("own", "free"), [("Zealot", True), ("Overlord", True), ("SiegeTankSieged", False)])
def test_own_units_leave_if_they_can(empty: Client, own: str, free: bool) -> None:
    put(empty, own, 1)
    assert fits(empty) is free


def test_a_structure_once_seen_stays_known(empty: Client) -> None:
    put(empty, "Overlord", 1)
    put(empty, "SupplyDepot", 2)
    eye = screens.own(empty, "Overlord")[0]
    kill = sc.RequestDebug()
    kill.debug.add().kill_unit.tag.append(eye.tag)
    empty.ask(debug=kill)
    empty.step(100)
    assert not fits(empty)


@pytest.mark.parametrize(("dx", "dy"), [(9, 0), (-9, 0), (0, 9), (0, -9)])
def test_a_way_to_a_structure_ends_on_the_side_that_it_comes_from(empty: Client, dx: int, dy: int) -> None:
    put(empty, "CommandCenter", 1)
    query = query_pb2.RequestQuery()
    for start, end in (((X + dx, Y + dy), (X, Y)), ((X, Y), (X + dx, Y + dy))):
        way = query.pathing.add()
        (way.start_pos.x, way.start_pos.y), (way.end_pos.x, way.end_pos.y) = start, end
    there, back = (found.distance for found in empty.ask(query=query).query.pathing)
    assert there == pytest.approx(6, abs=0.5)
    assert back == pytest.approx(6, abs=0.5)
