"""Where structures look (catalog: Facing, less a quarter turn)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.maps import load
from sim.melee.game import Game
from sim.melee.records import PlayerSetup, Race
from tests.sim.melee.field import give, name_of, order, terran, until

LIFT, LAND = 452, 554
SOUTH, SOUTHWEST = 270.0, 224.903


def looks(game: Game, slot: int) -> float:
    """Degrees."""
    return math.degrees(float(game.units[slot]["facing"])) % 360.0


@pytest.mark.parametrize(
    ("race", "hall", "degrees"),
    [
        (Race.TERRAN, "CommandCenter", SOUTHWEST),  # all recordings
        (Race.PROTOSS, "Nexus", SOUTHWEST),
        (Race.ZERG, "Hatchery", SOUTH),
    ],
)
def test_a_first_town_hall_looks_as_its_race_has_it(race: Race, hall: str, degrees: float) -> None:
    game = Game(load("AmberFordAIE"), [PlayerSetup(race, start=0), PlayerSetup(Race.ZERG, start=1)], seed=1)
    found = np.flatnonzero((game.units["alive"] == 1) & (game.units["type"] == game.facts.ids[hall]))
    assert looks(game, int(found[0])) == pytest.approx(degrees, abs=0.01)


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
@pytest.mark.parametrize(
    ("name", "degrees"),
    [
        *(("Barracks", SOUTHWEST), ("SupplyDepot", SOUTHWEST), ("MissileTurret", SOUTH), ("Pylon", SOUTH)),
        *(("PhotonCannon", 315.0), ("SpineCrawler", SOUTHWEST), ("RoachWarren", 236.997), ("MineralField", SOUTH)),
    ],
)
def test_structures_look_where_their_type_does(patch: str, name: str, degrees: float) -> None:
    game = terran(patch=patch, tech=False)
    assert looks(game, give(game, name)) == pytest.approx(degrees, abs=0.01)


def test_who_lands_turns_back() -> None:
    game = terran(tech=False)
    barracks = give(game, "Barracks", 40.5, 40.5)
    order(game, barracks, LIFT)
    until(game, lambda: name_of(game, barracks) == "BarracksFlying" and not game.units[barracks]["order_count"], 200)
    order(game, barracks, LAND, (60.5, 50.5))
    until(game, lambda: float(game.units[barracks]["x"]) > 50, 400)
    assert looks(game, barracks) < 90, "the way it flies"
    until(game, lambda: name_of(game, barracks) == "Barracks", 400)
    assert looks(game, barracks) == pytest.approx(SOUTHWEST, abs=0.01)


@pytest.mark.parametrize(
    ("name", "into", "degrees"),
    [("SpineCrawlerUprooted", "SpineCrawler", 57.296), ("Spire", "GreaterSpire", 249.994)],
)
def test_only_who_has_a_stage_for_it_turns_as_it_changes(name: str, into: str, degrees: float) -> None:
    """Catalog: Facing of UpgradeToGreaterSpire and of what lands, but of no SpineCrawlerRoot."""
    game = terran(tech=False)
    slot = give(game, name, 40.0, 40.0)
    game.units["facing"][slot] = 1.0
    game.change_type(slot, game.facts.ids[into])
    assert looks(game, slot) == pytest.approx(degrees, abs=0.01)
