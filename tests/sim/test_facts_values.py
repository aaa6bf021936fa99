"""Spot values that are known from the game itself."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.catalog import (
    AIR,
    ARMORED,
    BIOLOGICAL,
    GROUND,
    LIGHT,
    SPLASH_AT_SELF,
    SPLASH_AT_TARGET,
    SPLASH_LINE,
)
from sim.facts import Facts
from sim.maps import footprints

PRODUCTS = ("train", "warp", "build", "addon", "arm")


def weapon_of(facts: Facts, unit: str, place: int = 0) -> np.void:
    return facts.weapons[facts.types[facts.ids[unit]]["weapons"][place]]


def test_marine(facts: Facts) -> None:
    marine = facts.types[facts.ids["Marine"]]
    assert facts.ids["Marine"] == 48
    assert facts.names[48] == "Marine"
    assert (marine["hp"], marine["armor"], marine["minerals"], marine["gas"], marine["supply"]) == (45, 0, 50, 0, 1)
    assert marine["attributes"] == LIGHT | BIOLOGICAL
    assert marine["build_loops"] == 400
    assert marine["speed"] * 22.4 == pytest.approx(3.15)
    gun = weapon_of(facts, "Marine")
    assert (gun["damage"], gun["range"], gun["targets"]) == (6, 5, GROUND | AIR)
    assert gun["period"] == pytest.approx(0.8608 * 16, abs=1e-3)
    assert (gun["random_min"], gun["random_max"]) == (-1, 2)
    assert marine["weapons"].tolist()[1:] == [-1, -1, -1]


def test_sieged_tank_splashes_friends_in_three_rings(facts: Facts) -> None:
    gun = weapon_of(facts, "SiegeTankSieged")
    assert (gun["damage"], gun["bonus"], gun["bonus_attribute"]) == (40, 30, ARMORED)
    assert (gun["range"], gun["min_range"], gun["period"]) == (13, 2, 48)
    assert gun["splash"] == SPLASH_AT_TARGET
    assert gun["splash_friends"]
    assert gun["ring_radius"] == pytest.approx([0.4687, 0.7812, 1.25])
    assert gun["ring_fraction"] == pytest.approx([1, 0.5, 0.25])
    assert not weapon_of(facts, "PlanetaryFortress")["splash_friends"]


def test_weapons_that_the_protocol_hides_are_kept(newest: Facts) -> None:
    burst = weapon_of(newest, "Baneling")
    assert burst["suicide"]
    assert burst["splash"] == SPLASH_AT_SELF
    assert (burst["damage"], burst["bonus"], burst["structure_damage"]) == (16, 19, 80)
    ground, air = weapon_of(newest, "Battlecruiser", 0), weapon_of(newest, "Battlecruiser", 1)
    assert (ground["targets"], ground["damage"], air["targets"], air["damage"]) == (GROUND, 8, AIR, 5)
    assert ground["moving_fire"]
    assert weapon_of(newest, "VoidRay")["damage"] == 6
    assert (newest.types[newest.ids["SiegeTank"]]["weapons"] >= 0).sum() == 1
    assert (newest.types[newest.ids["Queen"]]["weapons"] >= 0).sum() == 2


def test_special_shots(newest: Facts) -> None:
    glaive = weapon_of(newest, "Mutalisk")
    assert (glaive["bounces"], glaive["bounce_range"]) == (2, 3)
    assert weapon_of(newest, "Hellion")["splash"] == SPLASH_LINE
    assert weapon_of(newest, "Marauder")["missile_speed"] == pytest.approx(20 / 16)
    assert weapon_of(newest, "Marine")["missile_speed"] == 0
    assert weapon_of(newest, "Roach")["min_range"] == 0
    assert (
        weapon_of(newest, "Thor", 0)["splash_targets"] == AIR or weapon_of(newest, "Thor", 1)["splash_targets"] == AIR
    )
    assert (newest.weapons["missile_speed"] > 0)[newest.weapons["missile_acceleration"] > 0].all()


@pytest.mark.parametrize(
    ("name", "loops"),
    [
        ("SupplyDepot", 480),
        ("Barracks", 1040),
        ("Refinery", 480),
        ("CommandCenter", 1600),
        ("Factory", 960),
        ("Starport", 800),
        ("EngineeringBay", 560),
        ("Armory", 1040),
        ("Bunker", 640),
        ("MissileTurret", 400),
        ("SensorTower", 400),
        ("GhostAcademy", 640),
        ("FusionCore", 1040),
        ("BarracksTechLab", 400),
        ("BarracksReactor", 800),
    ],
)
def test_structures_take_their_measured_loops(facts: Facts, name: str, loops: int) -> None:
    assert facts.types[facts.ids[name]]["build_loops"] == loops
    makers = [a for a in facts.abilities.values() if a.kind in PRODUCTS and a.product == facts.ids[name]]
    assert [a.loops for a in makers] == [loops]


def test_morphs_change_type_when_the_stage_starts(facts: Facts) -> None:
    by_name = {ability.friendly_name: ability for ability in facts.abilities.values()}
    siege, orbital, lower = (by_name[n] for n in ("Morph SiegeMode", "Morph OrbitalCommand", "Morph SupplyDepot Lower"))
    assert (siege.type_delay, siege.random_loops, siege.product) == (8, 8, facts.ids["SiegeTankSieged"])
    assert siege.loops == pytest.approx(8 + 56.67, abs=0.01)
    assert (orbital.type_delay, orbital.loops, orbital.minerals, orbital.gas) == (560, 560, 150, 0)
    assert (lower.type_delay, lower.loops) == (0, pytest.approx(20.8, abs=1e-3))
    land = by_name["Land Barracks"]
    assert (land.kind, land.product, land.loops) == ("land", facts.ids["Barracks"], 32)


def test_prices_are_the_product_less_what_it_is_made_of(facts: Facts) -> None:
    price: dict[int, tuple[int, int, float]] = {}
    for a in facts.abilities.values():  # the first way counts: an Overseer also comes from its own siege mode
        if a.kind in (*PRODUCTS, "morph"):
            price.setdefault(a.product, (a.minerals, a.gas, a.supply))
    ids = facts.ids
    assert price[ids["Zergling"]] == (50, 0, 1)
    assert price[ids["Baneling"]] == (25, 25, 0)
    assert price[ids["Overseer"]] == (50, 50, 0)
    assert price[ids["Lair"]] == (150, 100, 0)
    assert price[ids["SiegeTankSieged"]] == (0, 0, 0)
    assert price[ids["SpawningPool"]] == (200, 0, -1)
    assert price[ids["BarracksTechLab"]] == (50, 25, 0)


def test_kinds_and_costs_of_abilities(facts: Facts) -> None:
    kinds = {23: "attack", 16: "move", 17: "patrol", 18: "hold", 19: "attack", 4: "stop", 1: "smart", 295: "gather"}
    kinds |= {296: "return", 316: "repair", 386: "heal", 421: "addon", 422: "addon", 452: "lift", 554: "land"}
    kinds |= {394: "load", 395: "unload", 396: "unload", 314: "cancel", 315: "halt", 348: "halt", 306: "cancel_last"}
    kinds |= {195: "rally", 203: "rally_workers", 1390: "burrow", 1392: "unburrow", 1729: "root", 382: "behavior_on"}
    assert {number: facts.abilities[number].kind for number in kinds} == kinds
    stim, scan, mule = (facts.abilities[number] for number in (380, 399, 171))
    assert (stim.hp_cost, stim.instant, stim.requirement) == (10, True, "UseStimpack")
    assert (scan.energy, scan.target, scan.range) == (50, "Point", 500)
    assert mule.casters == (facts.ids["OrbitalCommand"],)
    assert facts.abilities[401].prepare == 48
    assert facts.abilities[401].cooldown == 1600
    assert facts.general[3674][0] == 23, "who can attack attacks, and does not scan-move"
    assert set(facts.general[3682]) == {421, 454, 487}


def test_buffs(facts: Facts) -> None:
    stim, slow, cloak = facts.buffs[27], facts.buffs[33], facts.buffs[7]
    assert (stim.name, stim.loops, stim.speed, stim.attack) == ("Stimpack", 240, 1.5, 1.5)
    assert (slow.loops, slow.speed) == (24, 0.5)
    assert cloak.cloak
    assert cloak.energy_regen == pytest.approx(-1.4765 / 16, abs=1e-4)


def test_resources(facts: Facts) -> None:
    by_name = {facts.names[unit]: resource for unit, resource in facts.resources.items()}
    field, rich, geyser = (by_name[n] for n in ("MineralField", "RichMineralField750", "VespeneGeyser"))
    assert (field.contents, field.amount, field.ideal, field.is_gas) == (1800, 5, 2, False)
    assert field.loops == pytest.approx(44.576, abs=0.01)
    assert field.return_loops == 8
    assert (rich.contents, rich.amount) == (900, 7)
    assert (geyser.contents, geyser.amount, geyser.is_gas) == (2250, 4, True)
    assert by_name["RefineryRich"].amount == 8
    assert by_name["Refinery"].loops == pytest.approx(31.696, abs=0.01)
    assert facts.ids["Refinery"] in facts.gas_structures
    assert facts.ids["SpacePlatformGeyser"] in facts.geysers
    assert facts.ids["MineralField450"] in facts.minerals


def test_life_of_what_stands_on_maps(facts: Facts) -> None:
    towers = [n for n in facts.names if n.startswith("Collapsible") and "Tower" in n and "Debris" not in n]
    towers = [n for n in towers if "PushUnit" not in n]
    assert len(towers) > 8
    assert {float(facts.types[facts.ids[n]]["hp"]) for n in towers} == {500}
    lives = {"DestructibleRock6x6": 2000, "DestructibleRock6x6Weak": 100, "Debris2x2NonConjoined": 400}
    assert {n: facts.types[facts.ids[n]]["hp"] for n in lives} == lives


def test_what_has_a_size_blocks_the_ground(newest: Facts) -> None:
    blocking = {type_id for type_id in footprints.BUILDING if footprints.placement_cells(type_id, 9, 9)}
    assert {newest.names[type_id] for type_id in newest.shapes if type_id not in blocking} == {"OracleStasisTrap"}


def test_speeds_on_creep(facts: Facts) -> None:
    """Catalog: SpeedMultiplierCreep; the Queen's of a later patch, and none for who is buried (Liquipedia)."""
    factors = {"Zergling": 1.3, "Drone": 1, "Broodling": 1, "InfestorTerran": 1.3, "LocustMP": 1.4, "Roach": 1.3}
    factors |= {"SpineCrawlerUprooted": 2.5, "Queen": 8 / 3, "InfestorBurrowed": 1, "ChangelingMarine": 1}
    found = {name: float(facts.types["creep_speed"][facts.ids[name]]) for name in factors}
    assert found == pytest.approx(factors, abs=1e-6)
