"""The tables say what the game says, every name in them resolves, and upgrades change what they should."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from sim.engine.catalog import (
    AIR,
    ARMORED,
    BIOLOGICAL,
    GROUND,
    LIGHT,
    MECHANICAL,
    SPLASH_AT_SELF,
    SPLASH_AT_TARGET,
    SPLASH_LINE,
)
from sim.engine.state import PLAYERS
from sim.facts import KINDS, Facts, FactsError, apply_upgrade, load, patches

PRODUCTS = ("train", "warp", "build", "addon", "arm")


@pytest.fixture(params=["5.0.14", "4.10.0"])
def facts(request: pytest.FixtureRequest) -> Facts:
    return load(request.param)


@pytest.fixture
def newest() -> Facts:
    return load("5.0.14")


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


def test_kinds_are_the_documented_ones(facts: Facts) -> None:
    assert {ability.kind for ability in facts.abilities.values()} <= set(KINDS)


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
