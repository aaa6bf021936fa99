"""What the abilities query offers can be ordered: every ability of every type of the three races, by the protocol."""

from __future__ import annotations

import pytest
from s2clientprotocol import data_pb2, debug_pb2, query_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.facts import load
from tests.sim.server import screens
from tests.sim.server.client import PROTOSS, TERRAN, ZERG, Client
from tests.sim.server.screens import IDS

SMART, TRAIN_OVERLORD, SUCCESS = 1, 1344, 1
STOP, MOVE, HOLD, GATHER, REPAIR, CLOAK, UNCLOAK = 4, 16, 18, 295, 316, 392, 393
LEFTOVERS = ("Nuke", "InfestedTerransEgg", "RavenRepairDrone", "NydusCanalAttacker")  # of no ladder game
NOT_SUPPORTED, NO_TECH, CHEATS = 2, 40, (debug_pb2.show_map, debug_pb2.minerals, debug_pb2.gas, debug_pb2.tech_tree)
STEP, LEFT, LOW, COLUMNS = 8, 20.5, 24.5, 14  # cells of the empty map
TARGETS = {"VespeneGeyser": 16, "MineralField": 16, "Roach": 1, "SupplyDepot": 1, "Thor": 2}
NOTHING, POINT, UNIT, POINT_OR_UNIT, POINT_OR_NOTHING = data_pb2.AbilityData.Target.values()
TO_NOTHING, TO_POINT, TO_UNIT = (
    (NOTHING, POINT_OR_NOTHING),
    (POINT, POINT_OR_UNIT, POINT_OR_NOTHING),
    (UNIT, POINT_OR_UNIT),
)


def make(game: Client, kinds: list[int], owners: list[int]) -> list:
    """One unit of each type in a place of its own. -> those that are there"""
    request = sc.RequestDebug()
    for k, (kind, owner) in enumerate(zip(kinds, owners, strict=True)):
        unit = request.debug.add().create_unit
        unit.unit_type, unit.owner, unit.quantity = kind, owner, 1
        unit.pos.x, unit.pos.y = LEFT + STEP * (k % COLUMNS), LOW + STEP * (k // COLUMNS)
    for cheat in CHEATS:
        request.debug.add(game_state=cheat)
    assert not game.ask(debug=request).error
    game.step(2)
    return list(game.observe().observation.raw_data.units)


@pytest.mark.parametrize("race", [TERRAN, ZERG, PROTOSS])
def test_what_is_offered_is_not_refused(client: Client, race: int) -> None:
    assert not client.create("Empty128", (sc.Participant,), (sc.Computer, TERRAN, 1)).create_game.HasField("error")
    client.join(race)
    data = client.ask(data=sc.RequestData(ability_id=True, unit_type_id=True)).data
    facts = load()
    casters = {caster for ability in facts.abilities.values() for caster in ability.casters}
    casters -= {facts.ids[name] for name in LEFTOVERS}
    kinds = [row.unit_id for row in data.units if row.race == race and row.available and row.unit_id in casters]
    seen = make(client, [*kinds, *map(IDS.get, TARGETS)], [1] * len(kinds) + list(TARGETS.values()))
    goals = [next(unit.tag for unit in seen if unit.unit_type == IDS[name]) for name in TARGETS]
    own = [unit for unit in seen if unit.owner == 1 and unit.tag not in goals]
    query = query_pb2.RequestQuery(ignore_resource_requirements=True)
    for unit in own:
        query.abilities.add(unit_tag=unit.tag)
    sorts, refused, count = {row.ability_id: row.target for row in data.abilities}, [], 0
    for unit, answer in zip(own, client.ask(query=query).query.abilities, strict=True):
        for ability in {found.ability_id for found in answer.abilities} - {SMART}:
            ways = [{}] if sorts[ability] in TO_NOTHING else []
            ways += [{"at": (unit.pos.x + 2, unit.pos.y)}] if sorts[ability] in TO_POINT else []
            ways += [{"target": goal} for goal in goals] if sorts[ability] in TO_UNIT else []
            count += 1
            if all(client.command(ability, unit.tag, **way) in (NOT_SUPPORTED, NO_TECH) for way in ways):
                refused.append((facts.names[unit.unit_type], ability))
    assert count > 150
    assert not refused


@pytest.mark.parametrize("name", ["Barracks", "Gateway", "CommandCenter", "Nexus", "Hatchery", "Egg"])
def test_a_right_click_of_a_producer_sets_its_rally_and_is_reported_as_a_right_click(client: Client, name: str) -> None:
    assert not client.create("Empty128", (sc.Participant,), (sc.Computer, TERRAN, 1)).create_game.HasField("error")
    client.join(TERRAN)
    unit = next(unit for unit in make(client, [IDS[name]], [1]) if unit.unit_type == IDS[name])
    assert client.command(SMART, unit.tag, at=(unit.pos.x + 9, unit.pos.y)) == SUCCESS
    client.step(2)
    told = client.observe()
    assert [action.action_raw.unit_command.ability_id for action in told.actions] == [SMART]
    producer = next(found for found in told.observation.raw_data.units if found.tag == unit.tag)
    assert [goal.point.x for goal in producer.rally_targets] == [unit.pos.x + 9]


def test_a_right_click_sets_where_an_egg_sends_its_unit(client: Client) -> None:
    assert not client.create("Flat64", (sc.Participant,), (sc.Computer, TERRAN, 1)).create_game.HasField("error")
    client.join(ZERG)
    seen = client.observe().observation.raw_data.units
    larva = next(unit for unit in seen if unit.unit_type == IDS["Larva"])
    make(client, [], [])
    assert client.command(TRAIN_OVERLORD, larva.tag) == SUCCESS
    client.step(2)
    goal = (larva.pos.x + 10, larva.pos.y)
    assert client.command(SMART, larva.tag, at=goal) == SUCCESS
    client.step(2)
    told = client.observe()
    egg = next(unit for unit in told.observation.raw_data.units if unit.tag == larva.tag)
    assert (egg.unit_type, egg.rally_targets[0].point.x) == (IDS["Egg"], goal[0])


def test_what_has_a_target_requires_a_point_in_a_query_as_on_a_panel(client: Client) -> None:
    """Be it a unit, as fields to mine and what is repaired."""
    game = screens.start(client)
    worker = screens.own(game, "SCV")[0]
    screens.select(game, worker)
    query = query_pb2.RequestQuery(abilities=[query_pb2.RequestQueryAvailableAbilities(unit_tag=worker.tag)])
    (asked,) = game.ask(query=query).query.abilities
    for offers in (asked.abilities, game.observe().observation.abilities):
        aimed = {offer.ability_id: offer.requires_point for offer in offers}
        assert (aimed[SMART], aimed[MOVE], aimed[GATHER], aimed[REPAIR]) == (True,) * 4
        assert (aimed[STOP], aimed[HOLD]) == (False, False)


def test_a_cloak_can_be_taken_off_without_energy(client: Client) -> None:
    """Nothing is paid for it, so it stays on the panel."""
    game = screens.start(client)
    for cheat in CHEATS:
        game.ask(debug=sc.RequestDebug(debug=[{"game_state": cheat}]))
    hall = screens.own(game, "CommandCenter")[0]
    screens.create(game, "Banshee", hall.pos.x + 4, hall.pos.y + 4)
    (banshee,) = screens.own(game, "Banshee")
    assert game.command(CLOAK, banshee.tag) == SUCCESS
    game.step(2)
    spent = debug_pb2.DebugSetUnitValue(unit_value=debug_pb2.DebugSetUnitValue.Energy, value=5, unit_tag=banshee.tag)
    game.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(unit_value=spent)]))
    game.step(2)
    screens.select(game, banshee)
    offered = {offer.ability_id for offer in game.observe().observation.abilities}
    assert UNCLOAK in offered
    assert CLOAK not in offered
