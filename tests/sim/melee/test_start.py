"""What stands on a map when a game begins."""

from __future__ import annotations

import dataclasses

import pytest

from sim.maps import Neutral, arena, load
from sim.melee.game import Game
from sim.melee.records import PlayerSetup, Race
from tests.sim.melee.field import name_of, order, until

WALL, ZONE, ROCK = 1996, 1987, 639  # ids of 5.0.14, as recordings have them
OLD_WALL, OLD_ZONE, OLD_TOWER = 1961, 1957, 1966  # ids of 4.10.0, where the newer patch has none


@pytest.mark.parametrize(
    ("patch", "names"),
    [
        ("5.0.14", ["AccelerationZoneLarge", "DestructibleRockEx16x6", "MineralField450"]),
        ("4.10.0", ["DestructibleRockEx16x6", "MineralField450"]),  # of other ids, and without such zones
    ],
)
def test_map_units_are_the_same_in_both_patches(patch: str, names: list[str]) -> None:
    neutrals = tuple(Neutral(kind, 20.0 + 12 * k, 40.5) for k, kind in enumerate((WALL, ZONE, ROCK)))
    terrain = dataclasses.replace(arena(96, 96), neutrals=neutrals)
    setups = [PlayerSetup(Race.TERRAN, start=0), PlayerSetup(Race.ZERG, start=1)]
    game = Game(terrain, setups, seed=1, patch=patch)
    units = game.units[: int(game.world[0]["slots"])]
    found = [name_of(game, slot) for slot in range(len(units)) if units["alive"][slot] and units["owner"][slot] == 0]
    assert sorted(found) == names


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_maps_recorded_from_the_older_client_play_on_both_patches(patch: str) -> None:
    neutrals = tuple(Neutral(kind, 20.0 + 12 * k, 40.5) for k, kind in enumerate((OLD_WALL, OLD_ZONE, OLD_TOWER)))
    terrain = dataclasses.replace(arena(96, 96), neutrals=neutrals)
    setups = [PlayerSetup(Race.TERRAN, start=0), PlayerSetup(Race.ZERG, start=1)]
    game = Game(terrain, setups, seed=1, patch=patch)
    units = game.units[: int(game.world[0]["slots"])]
    found = [name_of(game, slot) for slot in range(len(units)) if units["alive"][slot] and units["owner"][slot] == 0]
    assert found == ["MineralField450", "InhibitorZoneSmall", "CollapsibleRockTowerRampLeftGreen"]
    blocked = [not game.walk[40, 20 + 12 * k] for k in range(3)]
    assert blocked == [True, patch == "4.10.0", True]  # zones stood in the way then (catalog)


def test_a_zerg_starts_in_the_order_of_real_tags() -> None:
    """All 78 real sides: the hatchery, its larvae, the drones, the overlord."""
    game = Game(load("AmberFordAIE"), [PlayerSetup(Race.ZERG, start=0), PlayerSetup(Race.ZERG, start=1)], seed=1)
    units = game.units[: int(game.world[0]["slots"])]
    names = [game.facts.names[int(number)] for number in units["type"][units["owner"] == 1]]
    assert names == ["Hatchery", *["Larva"] * 3, *["Drone"] * 12, "Overlord"]


@pytest.mark.parametrize(
    ("fields", "goes"),
    [
        # Expansions of Pylon, Ultralove (twice), Ley Lines and Torches, and towards which field real workers came out.
        ([(0.5, 6), (-6.5, 0), (-2.5, 6), (-6.5, 2), (-0.5, 7), (-5.5, 5), (-7.5, 1), (-6.5, 4)], (-5.5, 5)),
        ([(-0.5, 6), (2.5, 6), (-1.5, 7), (1.5, 7), (-5.5, 5), (5.5, 5), (-4.5, 6), (6.5, 4)], (-5.5, 5)),
        ([(0.5, -6), (-2.5, -6), (-1.5, -7), (1.5, -7), (-5.5, -5), (5.5, -5), (4.5, -6), (-6.5, -4)], (-5.5, -5)),
        ([(-6.5, -2), (-6.5, 2), (-5.5, -5), (-5.5, 5), (-7.5, -1), (-7.5, 1), (-6.5, -4), (-6.5, 4)], (-5.5, -5)),
        ([(0.5, 6), (6.5, -1), (1.5, 7), (6.5, 3), (5.5, 5), (4.5, 6), (7.5, 0), (7.5, 2)], (7.5, 0)),
    ],
)
def test_to_which_field_a_new_town_hall_sends_its_workers(fields, goes) -> None:
    neutrals = tuple(Neutral(341, 48.5 + x, 48.5 + y) for x, y in fields)
    terrain = dataclasses.replace(arena(96, 96), neutrals=neutrals)
    game = Game(terrain, [PlayerSetup(Race.TERRAN, start=0), PlayerSetup(Race.TERRAN, start=1)], seed=1)
    game.players[1]["minerals"] = 1000
    game.step()
    scv = game.spawn(game.facts.ids["SCV"], 1, 48.5, 52.0)
    game.step(2)
    assert order(game, scv, 318, (48.5, 48.5)) == 1
    until(game, lambda: len(game.owned(1, "CommandCenter")) == 2, 300)
    hall = game.owned(1, "CommandCenter")[-1]
    game.units[hall]["build_left"] = 1
    game.step(2)
    field = int(game.units[hall]["rally_target"])
    assert (float(game.units[field]["x"]) - 48.5, float(game.units[field]["y"]) - 48.5) == goes
