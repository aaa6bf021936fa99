"""ResponseData: equal to the recorded one, usable by burnysc2, and following a player's upgrades."""

from __future__ import annotations

import lzma

import pytest
from s2clientprotocol import sc2api_pb2
from sc2.game_data import GameData
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from sim.facts import Facts, apply_upgrade, load
from sim.server.data import response_data

TABLES = ("abilities", "units", "upgrades", "buffs", "effects")


@pytest.fixture(params=["5.0.14", "4.10.0"])
def facts(request: pytest.FixtureRequest) -> Facts:
    return load(request.param)


def test_equals_the_recorded_message(facts: Facts, shared) -> None:
    packed = (shared / "recordings" / f"data-{facts.patch}.bin.xz").read_bytes()
    real = sc2api_pb2.ResponseData.FromString(lzma.decompress(packed))
    ours = response_data(facts, facts.types, facts.weapons)
    cells, differing = 0, []
    for table in TABLES:
        left, right = getattr(ours, table), getattr(real, table)
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            for field in a.DESCRIPTOR.fields:
                cells += 1
                told = field.is_repeated or a.HasField(field.name) == b.HasField(field.name)
                if getattr(a, field.name) != getattr(b, field.name) or not told:
                    differing.append((table, b.ListFields()[0][1], field.name))
    print(f"{facts.patch}: {len(differing)} of {cells} cells differ", differing[:10])
    assert differing == []


def test_ids_are_contiguous(facts: Facts) -> None:
    data = response_data(facts, facts.types, facts.weapons)
    assert [a.ability_id for a in data.abilities] == list(range(len(data.abilities)))
    assert [u.unit_id for u in data.units] == list(range(len(data.units)))
    assert [u.upgrade_id for u in data.upgrades] == list(range(len(data.upgrades)))
    assert [b.buff_id for b in data.buffs] == list(range(len(data.buffs)))
    assert [e.effect_id for e in data.effects] == list(range(len(data.effects)))


def test_flags_ask_for_single_tables(facts: Facts) -> None:
    flags = ("ability_id", "unit_type_id", "upgrade_id", "buff_id", "effect_id")
    for flag, table in zip(flags, TABLES, strict=True):
        data = response_data(facts, facts.types, facts.weapons, **{f: f == flag for f in flags})
        assert [name for name in TABLES if len(getattr(data, name))] == [table]


def test_tables_agree_with_the_rules(facts: Facts) -> None:
    """What the engine plays by is what it tells clients."""
    data = response_data(facts, facts.types, facts.weapons)
    for name, unit in facts.ids.items():
        told, row = data.units[unit], facts.types[unit]
        assert told.available, name
        assert told.name == name
        assert (told.mineral_cost, told.vespene_cost) == (row["minerals"], row["gas"]), name
        assert (told.food_required, told.food_provided) == (row["supply"], row["food"]), name
        assert told.movement_speed == pytest.approx(float(row["speed"]) * 16, abs=1e-3), name
        assert (told.armor, told.sight_range, told.cargo_size) == (row["armor"], row["sight"], row["cargo_size"]), name
    for upgrade in facts.upgrades.values():
        told = data.upgrades[upgrade.id]
        assert (told.name, told.mineral_cost, told.vespene_cost) == (upgrade.name, upgrade.minerals, upgrade.gas)
        assert told.research_time == upgrade.loops


def test_weapons_agree_with_the_rules_in_order(facts: Facts) -> None:
    """Weapon by weapon; only the weapons that the protocol hides from clients have no message."""
    data = response_data(facts, facts.types, facts.weapons)
    hidden = set()
    for name, unit in facts.ids.items():
        mine = [facts.weapons[row] for row in facts.types[unit]["weapons"].tolist() if row >= 0]
        told = data.units[unit].weapons
        if len(mine) != len(told):
            assert not told, name
            hidden.add(name)
            continue
        for weapon, message in zip(mine, told, strict=True):
            numbers = (weapon["targets"], weapon["damage"], weapon["attacks"], weapon["range"])
            assert numbers == (message.type, message.damage, message.attacks, pytest.approx(message.range)), name
            assert weapon["period"] == pytest.approx(message.speed * 16, abs=0.02), name
            assert weapon["bonus"] == sum(bonus.bonus for bonus in message.damage_bonus), name
    assert {"Baneling", "Battlecruiser"} <= hidden <= {"Baneling", "Battlecruiser", "Carrier", "Sentry", "VoidRay"}


def test_burnysc2_builds_its_game_data(facts: Facts) -> None:
    data = response_data(facts, facts.types, facts.weapons)
    game = GameData(data)
    for unit in facts.ids.values():
        UnitTypeId(unit)
        assert unit in game.units
    for upgrade in facts.upgrades:
        UpgradeId(upgrade)
    for effect in data.effects:
        EffectId(effect.effect_id)
    for ability in facts.abilities:
        assert data.abilities[ability].available, ability
    assert game.units[UnitTypeId.MARINE.value].cost.minerals == 50
    assert game.units[UnitTypeId.BARRACKS.value].creation_ability.id.value == 321
    assert game.units[UnitTypeId.ORBITALCOMMAND.value].morph_cost.minerals == 150


def test_upgrades_show_in_the_askers_numbers(facts: Facts) -> None:
    types, weapons = facts.player_types()[1], facts.player_weapons()[1]
    for upgrade in (7, 11, 66, 65, 17):
        apply_upgrade(facts, types, weapons, upgrade)
    before = response_data(facts, facts.types, facts.weapons).units
    after = response_data(facts, types, weapons).units
    marine, marauder, zergling = (facts.ids[name] for name in ("Marine", "Marauder", "Zergling"))
    assert (before[marine].weapons[0].damage, after[marine].weapons[0].damage) == (6, 7)
    assert (before[marine].armor, after[marine].armor) == (0, 1)
    assert after[marauder].weapons[0].damage_bonus[0].bonus == 11
    assert after[zergling].movement_speed > before[zergling].movement_speed + 1.5
    assert after[zergling].weapons[0].speed < before[zergling].weapons[0].speed
    untouched = facts.ids["Banshee"]
    assert after[untouched] == before[untouched]
    assert response_data(facts, facts.types, facts.weapons).units[marine].weapons[0].damage == 6
