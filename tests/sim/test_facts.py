"""Every name in the tables resolves, every patch loads, and upgrades change what they should."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from sim.engine.catalog import (
    BIOLOGICAL,
    LIGHT,
    MECHANICAL,
)
from sim.engine.state import PLAYERS
from sim.facts import KINDS, Facts, FactsError, apply_upgrade, load, patches

PRODUCTS = ("train", "warp", "build", "addon", "arm")


def weapon_of(facts: Facts, unit: str, place: int = 0) -> np.void:
    return facts.weapons[facts.types[facts.ids[unit]]["weapons"][place]]


# -- loading ----------------------------------------------------------------------------------------------------------
def test_patches_are_cached_and_listed() -> None:
    assert patches() == ("5.0.14", "4.10.0")
    assert load("4.10.0") is load("4.10.0")
    assert load() is load("5.0.14")


@pytest.mark.parametrize("patch", ["5.0.15", "", "../5.0.14", "conversion"])
def test_unknown_patch_is_one_line(patch: str) -> None:
    with pytest.raises(FactsError, match=r"unknown patch .*; known: 5\.0\.14, 4\.10\.0") as error:
        load(patch)
    assert "\n" not in str(error.value)


def test_facts_do_not_bring_the_compiler() -> None:
    code = "import sys, sim.facts; sim.facts.load(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_player_has_its_own_copy(newest: Facts) -> None:
    types, weapons = newest.player_types(), newest.player_weapons()
    assert types.shape == (PLAYERS, len(newest.types))
    assert weapons.shape == (PLAYERS, len(newest.weapons))
    types[1]["hp"][48] = 1
    assert types[2]["hp"][48] == newest.types["hp"][48] == 45


# -- spot values, known from the game itself --------------------------------------------------------------------------


def test_kinds_are_the_documented_ones(facts: Facts) -> None:
    assert {ability.kind for ability in facts.abilities.values()} <= set(KINDS)


def test_sets_and_shapes(facts: Facts) -> None:
    name = facts.ids
    assert facts.workers == {name["SCV"], name["Drone"], name["Probe"]}
    assert name["OrbitalCommand"] in facts.town_halls
    assert name["CommandCenterFlying"] not in facts.town_halls
    cargo = {unit: int(facts.types[name[unit]]["cargo_space"]) for unit in ("Medivac", "Bunker", "OverlordTransport")}
    assert cargo == {"Medivac": 8, "Bunker": 4, "OverlordTransport": 8}
    assert facts.types[name["Overlord"]]["cargo_space"] == 0
    sides = {"CommandCenter": 5, "Barracks": 3, "SupplyDepot": 2, "BarracksTechLab": 2, "Hatchery": 5, "Refinery": 3}
    assert {unit: int(facts.types[name[unit]]["footprint"]) for unit in sides} == sides
    assert facts.shapes[name["MineralField"]] == (2, 1)
    assert facts.types[name["SupplyDepotLowered"]]["api_radius"] == 1.25
    assert facts.types[name["Medivac"]]["heal_rate"] == pytest.approx(9 / 16)
    assert name["WidowMineBurrowed"] in facts.flags["burrowed"]


# -- requirements -----------------------------------------------------------------------------------------------------
def test_requirements_resolve(facts: Facts) -> None:
    for ability in facts.abilities.values():
        assert not ability.requirement or ability.requirement in facts.requirements
    name, need = facts.ids, facts.requirements
    assert set(need["HaveSupplyDepot"].units[0]) == {name["SupplyDepot"], name["SupplyDepotLowered"]}
    assert {name["Lair"], name["Hive"]} <= set(need["HaveHatchery"].units[0])
    assert name["OrbitalCommandFlying"] in need["HaveCommandCenter"].units[0]
    assert name["BarracksFlying"] in need["HaveBarracks"].units[0]
    assert need["HaveBanelingNest2"].units == ((name["RoachWarren"],),)
    assert name["FactoryTechLab"] in need["HaveAttachedTechLab"].addon
    ghost = need["HaveAttachedBarrTechLabAndShadowOps"]
    assert ghost.addon
    assert ghost.units == ((name["GhostAcademy"],),)


def test_research_lines_follow_their_levels(facts: Facts) -> None:
    first, second = facts.abilities[652], facts.abilities[653]
    one, two = facts.requirements[first.requirement], facts.requirements[second.requirement]
    assert (one.lacks, one.upgrades, one.units) == (first.product, (), ())
    assert (two.lacks, two.upgrades, two.units) == (second.product, (first.product,), ((facts.ids["Armory"],),))
    adrenal = facts.requirements[facts.abilities[1252].requirement]
    assert adrenal.units == ((facts.ids["Hive"],),)


# -- cross checks -----------------------------------------------------------------------------------------------------
def test_everything_made_exists(facts: Facts) -> None:
    exists = facts.types["exists"]
    for ability in facts.abilities.values():
        assert all(exists[unit] for unit in ability.casters)
        if ability.kind == "research":
            upgrade = facts.upgrades[ability.product]
            assert (ability.minerals, ability.gas, ability.loops) == (upgrade.minerals, upgrade.gas, upgrade.loops)
        elif ability.kind in PRODUCTS or ability.kind in ("morph", "lift", "land", "root", "burrow", "unburrow"):
            assert exists[ability.product], ability
            assert ability.minerals >= 0
            assert ability.casters
        if ability.kind in PRODUCTS:
            assert ability.loops > 0
        if ability.cocoon:
            assert exists[ability.cocoon]


def test_every_terran_unit_can_be_made(facts: Facts) -> None:
    made = {a.product for a in facts.abilities.values() if a.kind in (*PRODUCTS, "morph", "lift", "land", "burrow")}
    names = (
        "SCV Marine Marauder Reaper Ghost Hellion HellionTank WidowMine Cyclone SiegeTank Thor VikingFighter Medivac "
    )
    names += (
        "Liberator Raven Banshee Battlecruiser OrbitalCommand PlanetaryFortress Drone Overlord Queen Roach Ravager "
    )
    names += "Hydralisk Mutalisk Infestor Lair Hive SpineCrawler SporeCrawler Zealot Stalker Probe Carrier"
    assert [name for name in names.split() if facts.ids[name] not in made] == []


def test_tables_are_plausible(facts: Facts) -> None:
    types = facts.types[facts.types["exists"] > 0]
    assert (types["hp_start"] <= types["hp"]).all()
    assert (types["energy_start"] <= types["energy_max"]).all()
    assert (types["radius"] >= 0).all()
    assert (types["weapons"] < len(facts.weapons)).all()
    assert (types["attributes"][types["structure"] > 0] > 0).all()
    movers = types[types["speed"] > 0]
    assert (movers["turn_rate"] > 0).all()
    armed = facts.weapons[facts.weapons["damage"] > 0]
    assert (armed["period"] > 0).all()
    assert (armed["arc"] > 0).all()


def test_patches_differ_where_the_game_was_changed() -> None:
    old, new = load("4.10.0"), load("5.0.14")

    def column(facts: Facts, unit: str, field: str) -> float:
        return float(facts.types[facts.ids[unit]][field])

    changes = [
        ("Ghost", "supply", 2, 3),
        ("Liberator", "gas", 150, 125),
        ("Raven", "gas", 200, 150),
        ("Raven", "build_loops", 960, 768),
        ("Armory", "gas", 100, 50),
        ("SensorTower", "minerals", 125, 100),
        ("PlanetaryFortress", "armor", 3, 2),
        ("AutoTurret", "hp", 150, 100),
    ]
    for unit, field, before, after in changes:
        assert (column(old, unit, field), column(new, unit, field)) == (before, after), (unit, field)
    assert (old.upgrades[15].loops, new.upgrades[15].loops) == (2720, 2240)
    assert (old.ids["RefineryRich"], new.ids["RefineryRich"]) == (1960, 1943)
    assert (weapon_of(old, "ThorAP")["damage"], weapon_of(new, "ThorAP")["damage"]) == (40, 25)


# -- upgrades ---------------------------------------------------------------------------------------------------------
def test_weapon_and_armor_levels(facts: Facts) -> None:
    types, weapons = facts.player_types(), facts.player_weapons()
    marine, scv, row = facts.ids["Marine"], facts.ids["SCV"], facts.types[facts.ids["Marine"]]["weapons"][0]
    for upgrade in (7, 8, 11, 16):  # infantry weapons 1 and 2, armour 1, Combat Shield
        apply_upgrade(facts, types[1], weapons[1], upgrade)
    mine = types[1][marine]
    assert (mine["hp"], mine["hp_start"], mine["armor"], mine["armor_level"], mine["attack_level"]) == (55, 55, 1, 1, 2)
    assert weapons[1][row]["damage"] == 8
    assert types[1][scv]["armor"] == 1
    assert types[2][marine] == facts.types[marine]
    assert weapons[2][row] == facts.weapons[row]


def test_upgrades_of_single_units(newest: Facts) -> None:
    types, weapons = newest.player_types()[1], newest.player_weapons()[1]
    for name in ("PunisherGrenades", "zerglingmovementspeed", "zerglingattackspeed", "HighCapacityBarrels"):
        upgrade = next(u for u in newest.upgrades.values() if u.name == name)
        apply_upgrade(newest, types, weapons, upgrade.id)
    rows = {unit: newest.types[newest.ids[unit]]["weapons"][0] for unit in ("Marauder", "Zergling", "HellionTank")}
    assert weapons[rows["Marauder"]]["slow_buff"] == 33
    assert newest.weapons[rows["Marauder"]]["slow_buff"] == 0
    assert types["speed"][newest.ids["Zergling"]] * 16 == pytest.approx(4.6991, abs=1e-3)
    assert weapons[rows["Zergling"]]["period"] == pytest.approx(11.136 / 1.4, abs=0.01)
    assert (weapons[rows["HellionTank"]]["bonus"], weapons[rows["HellionTank"]]["bonus_attribute"]) == (12, LIGHT)


def test_upgrades_of_abilities(newest: Facts) -> None:
    servos = next(u.id for u in newest.upgrades.values() if u.name == "SmartServos")
    plain, quick = newest.abilities[2362], newest.ability_for(2362, {servos})
    assert (plain.loops, plain.random_loops) == (40, 4)
    assert (quick.loops, quick.type_delay, quick.random_loops) == (16, 16, 0)
    assert newest.ability_for(388, {servos}) == newest.abilities[388]


def test_every_effect_names_something(facts: Facts) -> None:
    for upgrade in facts.upgrades.values():
        for effect in upgrade.effects:
            field = effect.field.partition(":")[0]
            if effect.scope == "type":
                assert facts.types["exists"][effect.target]
                assert field in facts.types.dtype.names
            elif effect.scope == "weapon":
                assert effect.target in facts.weapon_names
                assert field in facts.weapons.dtype.names
            else:
                assert hasattr(facts.abilities[int(effect.target)], field)


def test_an_unknown_upgrade_changes_nothing(newest: Facts) -> None:
    types, weapons = newest.player_types()[1], newest.player_weapons()[1]
    apply_upgrade(newest, types, weapons, 9999)
    assert (types == newest.types).all()
    assert (weapons == newest.weapons).all()


def test_mechanical_attribute_reaches_the_bits(facts: Facts) -> None:
    assert facts.types[facts.ids["SCV"]]["attributes"] == LIGHT | BIOLOGICAL | MECHANICAL
