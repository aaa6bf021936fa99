"""Structures of maps that act: watchtowers and zones of speed, on the empty map."""

from __future__ import annotations

import pytest
from s2clientprotocol import raw_pb2

from tests.sim.server.client import Client
from tests.sim.server.screens import IDS, create
from tests.sim.server.test_actions import ATTACK_EXACT, MOVE, SUCCESS

X = Y = 80.0
NOBODY, VISIBLE = 16, 2


def unit(game: Client, name: str) -> raw_pb2.Unit:
    """The one unit of its type."""
    (found,) = (u for u in game.observe().observation.raw_data.units if u.unit_type == IDS[name])
    return found


def sees(game: Client, right: float) -> bool:
    """The player sees the ground so many cells to the right of the tower."""
    grid = game.observe().observation.raw_data.map_state.visibility
    return grid.data[int(Y) * grid.size.x + int(X + right)] == VISIBLE


@pytest.mark.parametrize(
    ("name", "away", "holds"),
    [
        ("Marine", 3.8, True),  # 2.5 cells between the edges of both: 1 and 0.375 cells wide
        ("Marine", 4.2, False),
        ("SiegeTankSieged", 3, True),
        ("DarkTemplar", 3, True),
        ("Changeling", 3, True),
        ("Medivac", 0, False),
        ("WidowMineBurrowed", 3, False),
        ("AutoTurret", 3, False),
        ("SpineCrawlerUprooted", 3, False),
    ],
)
def test_who_holds_a_watchtower(empty: Client, name: str, away: float, holds: bool) -> None:
    create(empty, "XelNagaTower", X, Y, NOBODY)
    create(empty, name, X - away, Y)
    empty.step(12)
    assert sees(empty, 21) == holds
    assert not sees(empty, 23)


def test_a_watchtower_takes_no_harm(empty: Client) -> None:
    create(empty, "XelNagaTower", X, Y, NOBODY)
    create(empty, "Marine", X - 4, Y)
    empty.command(ATTACK_EXACT, unit(empty, "Marine").tag, target=unit(empty, "XelNagaTower").tag)
    empty.step(60)
    tower = unit(empty, "XelNagaTower")
    assert tower.health == tower.health_max


def test_a_watchtower_shows_nothing_to_two_who_hold_it(empty: Client) -> None:
    create(empty, "XelNagaTower", X, Y, NOBODY)
    create(empty, "SCV", X - 3, Y)
    empty.step(12)
    assert sees(empty, 21)
    create(empty, "Probe", X + 3, Y, 2)
    empty.step(12)
    assert not sees(empty, 21)


@pytest.mark.parametrize(
    ("zone", "radius", "factor"),
    [("AccelerationZoneSmall", 4, 1.35), ("AccelerationZoneLarge", 6, 1.35), ("InhibitorZoneMedium", 5, 0.65)],
)
@pytest.mark.parametrize("name", ["Marine", "Phoenix"])
def test_zones_change_the_speed_of_who_crosses_them(
    empty: Client, zone: str, radius: float, factor: float, name: str
) -> None:
    create(empty, zone, X, Y, NOBODY)
    create(empty, name, X - radius - 8, Y)
    assert empty.command(MOVE, unit(empty, name).tag, at=(X + 20, Y)) == SUCCESS
    pace = {True: 0.0, False: 0.0}  # cells a loop, in the zone and before it
    at = unit(empty, name)
    while at.pos.x < X + radius + 3:
        empty.step(2)
        now = unit(empty, name)
        if abs(abs(now.pos.x - X) - radius - now.radius) > 1:  # not at its edge
            within = abs(now.pos.x - X) < radius
            assert bool(now.buff_ids) == within
            if bool(at.buff_ids) == within and now.pos.x < X:
                pace[within] = (now.pos.x - at.pos.x) / 2
        at = now
    assert pace[True] / pace[False] == pytest.approx(factor, rel=0.02)


def test_zones_change_no_structure(empty: Client) -> None:
    create(empty, "InhibitorZoneLarge", X, Y, NOBODY)
    create(empty, "BarracksFlying", X, Y)
    empty.step(5)
    assert not unit(empty, "BarracksFlying").buff_ids
