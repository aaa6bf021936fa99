"""Where units that debug commands make at one point come to stand."""

from __future__ import annotations

import math
from itertools import combinations

from s2clientprotocol import debug_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server.client import Client
from tests.sim.server.test_actions import IDS, units

POINT = (60.0, 60.0)


def make(client: Client, *groups: tuple[str, int, int]) -> None:
    """Units of (type, owner, number) at the point by one request, as client libraries send them."""
    wanted = []
    for name, owner, quantity in groups:
        unit = {"unit_type": IDS[name], "owner": owner, "pos": {"x": POINT[0], "y": POINT[1]}, "quantity": quantity}
        wanted.append(debug_pb2.DebugCommand(create_unit=unit))
    client.ask(debug=sc.RequestDebug(debug=wanted))
    client.step(2)


def away(unit: raw_pb2.Unit) -> float:
    """Its distance from the point."""
    return math.dist((unit.pos.x, unit.pos.y), POINT)


def test_who_is_named_first_stands_inside_and_touches_the_others(empty: Client) -> None:
    make(empty, ("Marine", 1, 12), ("Marauder", 1, 4))
    marines, marauders = units(empty, "Marine"), units(empty, "Marauder")
    assert min(map(away, marauders)) > max(map(away, marines)), "so the Marauders are in front"
    assert max(map(away, marauders)) < 2.5, "as near as there is room"
    for one, other in combinations([*marines, *marauders], 2):
        touch = one.radius + other.radius - 1 / 16
        assert math.dist((one.pos.x, one.pos.y), (other.pos.x, other.pos.y)) > touch - 0.01


def test_who_comes_later_finds_room_beside_who_stands_there(empty: Client) -> None:
    make(empty, ("Marine", 1, 1))
    make(empty, ("Marine", 2, 1), ("Mutalisk", 1, 1))
    (first,), (second,), (flyer,) = units(empty, "Marine"), units(empty, "Marine", 2), units(empty, "Mutalisk")
    assert away(first) < 0.01
    assert away(second) > first.radius + second.radius - 1 / 16 - 0.01
    assert away(flyer) < 0.01, "nobody is in a flyer's way but flyers"
