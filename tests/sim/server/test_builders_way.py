"""Builders whose way leads past own units between structures, as bots build below their hatchery."""

from __future__ import annotations

import pytest

from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client
from tests.sim.server.test_actions import MOVE, SUCCESS, create, debug, units

BUILD_CHAMBER, BUILD_WARREN, BUILD_SPINE = 1156, 1165, 1166
COULDNT_REACH = 208
FREE = 4
LOOPS = 160  # the walk of nine cells takes 60, and 17 of building are seen


@pytest.fixture
def zerg(client: Client) -> Client:
    """A connection that plays Zerg on the empty map, where nothing costs anything."""
    created = client.create("Empty128", (PARTICIPANT,), (COMPUTER, TERRAN, 1), random_seed=7).create_game
    assert not created.HasField("error")
    client.join(ZERG)
    debug(client, game_state=FREE)
    return client


@pytest.mark.parametrize(
    "between",
    [
        [("Egg", 68.45, 60.57)],
        [("Queen", 70.3, 60.6), ("Zergling", 69.1, 60.5), ("Zergling", 69.8, 60.3), ("Zergling", 68.6, 60.5)],
    ],
    ids=["an egg", "a queen and zerglings"],
)
def test_a_builder_gets_past_own_units_in_a_gap(zerg: Client, between: list[tuple[str, float, float]]) -> None:
    for name, x, y in (("Hatchery", 68.5, 63.5), ("SpawningPool", 73.5, 60.5), ("RoachWarren", 69.5, 58.5)):
        create(zerg, name, 1, x, y)
    zerg.step(1500)  # its creep has grown
    debug(zerg, kill_unit={"tag": [unit.tag for unit in units(zerg, "Larva")]})
    for name, x, y in between:  # the gap below the hatchery is one cell wide
        create(zerg, name, 1, x, y)
    create(zerg, "Drone", 1, 65, 62)
    (drone,) = units(zerg, "Drone")
    assert zerg.command(BUILD_SPINE, drone.tag, at=(73, 63)) == SUCCESS
    for _ in range(LOOPS // 8):
        zerg.step(8)
        assert not zerg.observe().action_errors
    assert not units(zerg, "Drone")
    assert [unit.build_progress > 0 for unit in units(zerg, "SpineCrawler")] == [True]


def test_a_drone_whose_site_is_taken_gives_up_there(zerg: Client) -> None:
    create(zerg, "Hatchery", 1, 68.5, 63.5)
    create(zerg, "SpawningPool", 1, 68.5, 69.5)
    zerg.step(1500)  # its creep has grown
    create(zerg, "Drone", 1, 76, 63)
    (near,) = units(zerg, "Drone")
    create(zerg, "Drone", 1, 65, 62)
    far = next(unit for unit in units(zerg, "Drone") if unit.tag != near.tag)
    for drone, ability in ((near, BUILD_CHAMBER), (far, BUILD_WARREN)):
        assert zerg.command(ability, drone.tag, at=(74.5, 63.5)) == SUCCESS
    errors = []
    for _ in range(LOOPS // 8):
        zerg.step(8)
        errors += zerg.observe().action_errors
    assert [(error.unit_tag, error.ability_id, error.result) for error in errors] == [
        (far.tag, BUILD_WARREN, COULDNT_REACH)
    ]
    assert units(zerg, "EvolutionChamber")
    assert [list(unit.orders) for unit in units(zerg, "Drone")] == [[]]


def test_nobody_is_held_up_by_larvae(zerg: Client) -> None:
    """The catalog gives them no separation radius, and they lie where queens and drones pass all the time."""
    create(zerg, "Hatchery", 1, 55.5, 66.5)
    zerg.step(600)  # its creep has grown: off creep larvae die
    create(zerg, "Drone", 1, 50, 60)
    (drone,) = units(zerg, "Drone")
    for k in range(5):
        create(zerg, "Larva", 1, 53 + k, 60)
    zerg.step(2)
    assert len(units(zerg, "Larva")) > 5, "its own, too"
    assert zerg.command(MOVE, drone.tag, at=(60, 60)) == SUCCESS
    for _ in range(32):
        zerg.step(2)
        (walks,) = units(zerg, "Drone")
        assert walks.pos.y == pytest.approx(60, abs=0.05)
    assert walks.pos.x > 59
