"""How the game answers, shows and reports orders: what was observed of the real one, through the protocol."""

from __future__ import annotations

import pytest
from s2clientprotocol import debug_pb2, query_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.facts import load as load_facts
from tests.sim.server.client import Client
from tests.sim.server.test_actions import MOVE, SUCCESS, create, debug, hall, units

IDS = load_facts().ids
TRAIN_SCV, TRAIN_MARINE, TECH_LAB, STOP, ATTACK, SIEGE, PATROL, SMART = 524, 560, 421, 4, 23, 388, 17, 1
CANCEL_QUEUE, CANCEL_OTHER_QUEUE, CANCEL_LAST = 306, 308, 3671
JUMP, LOAD_BUNKER = 2358, 407
WEAPONS_1, WEAPONS_2, ARMOR_1 = 652, 653, 656
MORPH_RAVAGER, BILE, STORM = 2330, 2338, 1036
ZONE, GUARDING, LEAVE_ZONE, LEAVING = 2558, 2554, 2560, 2556  # a Liberator's
UNLOAD_MEDIVAC, UNLOAD_AT, UNLOAD_ALL, LOAD_MEDIVAC, DEPOT, BURROW_MINE = 395, 396, 3664, 394, 319, 2095
NOT_SUPPORTED, ERROR, MUST_TARGET_UNIT = 2, 3, 81


def make(client: Client, name: str, right: float, up: float) -> raw_pb2.Unit:
    """A unit of ours so many cells from the town hall."""
    home, before = hall(client).pos, {unit.tag for unit in units(client, name)}
    create(client, name, 1, home.x + right, home.y + up)
    return next(unit for unit in units(client, name) if unit.tag not in before)


def again(client: Client, tag: int) -> raw_pb2.Unit:
    """The unit as it is now."""
    return next(unit for unit in client.observe().observation.raw_data.units if unit.tag == tag)


def offered(client: Client, tag: int) -> set[int]:
    """Its abilities by the query, whatever they cost."""
    wanted = query_pb2.RequestQuery(ignore_resource_requirements=True)
    wanted.abilities.add(unit_tag=tag)
    return {found.ability_id for found in client.ask(query=wanted).query.abilities[0].abilities}


def offered_now(client: Client, tag: int) -> set[int]:
    """Its abilities by the query, less what cools down or cannot be paid."""
    wanted = query_pb2.RequestQuery()
    wanted.abilities.add(unit_tag=tag)
    return {found.ability_id for found in client.ask(query=wanted).query.abilities[0].abilities}


@pytest.fixture
def rich(game: Client) -> Client:
    """The game with a full bank, and the direction towards the middle of the map as `client.side`."""
    debug(game, game_state=debug_pb2.minerals)
    debug(game, game_state=debug_pb2.gas)
    return game


def side(client: Client) -> int:
    """1 or -1: which way open ground lies from the town hall."""
    info = client.ask(game_info=sc.RequestGameInfo()).game_info.start_raw
    return 1 if hall(client).pos.x < info.map_size.x / 2 else -1


def test_a_cancel_is_a_structures_own(rich: Client) -> None:
    barracks = make(rich, "Barracks", 9 * side(rich), 0).tag
    assert rich.command(TRAIN_MARINE, barracks) == SUCCESS
    rich.step(1)
    assert rich.command(CANCEL_OTHER_QUEUE, barracks) == NOT_SUPPORTED
    assert CANCEL_QUEUE in offered(rich, barracks)
    assert CANCEL_OTHER_QUEUE not in offered(rich, barracks)
    assert rich.command(CANCEL_LAST, barracks) == SUCCESS
    rich.step(1)
    assert not again(rich, barracks).orders


def test_an_add_on_without_room_is_answered_success_and_never_built(rich: Client) -> None:
    barracks = make(rich, "Barracks", 9 * side(rich), 0)
    create(rich, "SupplyDepot", 1, barracks.pos.x + 3, barracks.pos.y - 0.5)
    bank = rich.observe().observation.player_common.minerals
    assert rich.command(TECH_LAB, barracks.tag) == SUCCESS
    rich.step(8)
    assert not again(rich, barracks.tag).orders
    seen = rich.observe()
    assert seen.observation.player_common.minerals >= bank
    assert not seen.actions
    free, other = make(rich, "Barracks", 9 * side(rich), 8), make(rich, "Barracks", 9 * side(rich), -8)
    assert rich.command(TECH_LAB, barracks.tag, free.tag, other.tag) == SUCCESS
    rich.step(2)
    assert [order.ability_id for order in again(rich, free.tag).orders] == [TECH_LAB]
    assert not again(rich, other.tag).orders, "one of those with room does it"


@pytest.mark.parametrize(("name", "ability"), [("BarracksFlying", TECH_LAB), ("Battlecruiser", JUMP)])
def test_orders_that_need_no_walk_show_their_point(rich: Client, name: str, ability: int) -> None:
    unit = make(rich, name, 9 * side(rich), 8)
    place = (unit.pos.x // 1 + 0.5, unit.pos.y // 1 + 0.5)
    assert rich.command(ability, unit.tag, at=place) == SUCCESS
    rich.step(2)
    orders = again(rich, unit.tag).orders
    assert orders[-1].ability_id == ability
    assert {(order.target_world_space_pos.x, order.target_world_space_pos.y) for order in orders} == {place}


def test_a_line_in_research_is_offered_to_no_other_structure_which_takes_it_to_no_effect(rich: Client) -> None:
    """Public bots with two forges ask each for weapons first, and give armor to the one that is not offered them."""
    first, second = (make(rich, "EngineeringBay", 9 * side(rich), 5 * n).tag for n in (-1, 1))
    assert {WEAPONS_1, ARMOR_1} <= offered(rich, second)
    assert rich.command(WEAPONS_1, first) == SUCCESS
    rich.step(1)
    assert offered(rich, second) & {WEAPONS_1, ARMOR_1} == {ARMOR_1}
    assert rich.command(WEAPONS_1, second) == SUCCESS
    rich.step(1)
    assert not again(rich, second).orders
    assert rich.command(ARMOR_1, second) == SUCCESS
    rich.step(1)
    assert len(again(rich, second).orders) == 1
    assert ARMOR_1 not in offered(rich, first)


def test_research_waits_in_line_but_not_for_its_own_next_level(rich: Client) -> None:
    bay = make(rich, "EngineeringBay", 9 * side(rich), 0).tag
    assert {WEAPONS_1, ARMOR_1} <= offered(rich, bay)
    assert rich.command(WEAPONS_1, bay) == SUCCESS
    rich.step(1)
    assert not offered(rich, bay) & {WEAPONS_1, ARMOR_1}
    assert rich.command(WEAPONS_2, bay) == NOT_SUPPORTED
    assert rich.command(ARMOR_1, bay) == SUCCESS
    rich.step(1)
    assert len(again(rich, bay).orders) == 2


def test_targets_of_the_wrong_sort_are_errors(rich: Client) -> None:
    marine = make(rich, "Marine", 6 * side(rich), 0)
    scv = units(rich, "SCV")[0].tag
    assert rich.command(STOP, marine.tag, at=(marine.pos.x, marine.pos.y)) == ERROR
    assert rich.command(MOVE, marine.tag) == ERROR
    assert rich.command(DEPOT, scv, target=marine.tag) == ERROR
    fortress = make(rich, "PlanetaryFortress", 12 * side(rich), 0).tag
    assert rich.command(ATTACK, fortress, at=(marine.pos.x, marine.pos.y)) == MUST_TARGET_UNIT
    mine = make(rich, "WidowMine", 6 * side(rich), 4).tag
    assert rich.command(BURROW_MINE, mine) == SUCCESS
    rich.step(90)
    assert [rich.command(order, mine, at=(marine.pos.x, marine.pos.y)) for order in (MOVE, PATROL)] == [ERROR, ERROR]


def test_a_form_shows_the_order_that_made_it(rich: Client) -> None:
    tank = make(rich, "SiegeTank", 8 * side(rich), 0).tag
    assert rich.command(SIEGE, tank) == SUCCESS
    for loops in (2, 30, 68):  # on its way, as a type of its own already, in place
        rich.step(loops)
        now = again(rich, tank)
        assert [order.ability_id for order in now.orders] == [SIEGE]
    assert now.unit_type == IDS["SiegeTankSieged"]


@pytest.mark.parametrize("name", ["MissileTurret", "PlanetaryFortress"])
def test_a_structure_that_fires_by_itself_shows_its_attack(rich: Client, name: str) -> None:
    guard = make(rich, name, 12 * side(rich), 0)
    assert not guard.orders
    create(rich, "Overlord" if name == "MissileTurret" else "Roach", 2, guard.pos.x + 5 * side(rich), guard.pos.y)
    rich.step(8)
    now = again(rich, guard.tag)
    assert [(order.ability_id, order.target_unit_tag) for order in now.orders] == [(ATTACK, now.engaged_target_tag)]
    assert now.is_active


def test_who_is_called_aboard_moves_there(rich: Client) -> None:
    bunker, marine = make(rich, "Bunker", 9 * side(rich), 0), make(rich, "Marine", 16 * side(rich), 0)
    assert rich.command(LOAD_BUNKER, bunker.tag, target=marine.tag) == SUCCESS
    rich.step(2)
    (order,) = again(rich, marine.tag).orders
    assert (order.ability_id, order.target_unit_tag) == (MOVE, bunker.tag)
    rich.step(80)
    assert [inside.tag for inside in again(rich, bunker.tag).passengers] == [marine.tag]


def test_a_medivac_unloads_at_a_point_or_on_itself(rich: Client) -> None:
    way = side(rich)
    medivac, marine = make(rich, "Medivac", 8 * way, 0), make(rich, "Marine", 8 * way, 1)
    assert rich.command(LOAD_MEDIVAC, medivac.tag, target=marine.tag) == SUCCESS
    rich.step(40)
    assert again(rich, medivac.tag).cargo_space_taken == 1
    assert rich.command(UNLOAD_MEDIVAC, medivac.tag) == NOT_SUPPORTED
    assert rich.command(UNLOAD_ALL, medivac.tag) == ERROR
    assert UNLOAD_AT in offered(rich, medivac.tag)
    assert UNLOAD_MEDIVAC not in offered(rich, medivac.tag)
    assert rich.command(MOVE, medivac.tag, at=(medivac.pos.x + 6 * way, medivac.pos.y)) == SUCCESS
    rich.step(1)
    assert rich.command(UNLOAD_AT, medivac.tag, target=medivac.tag) == SUCCESS
    rich.step(4)
    now = again(rich, medivac.tag)
    assert now.cargo_space_taken == 0
    assert [order.ability_id for order in now.orders] == [MOVE]


def test_only_orders_that_were_carried_out_are_reported(rich: Client) -> None:
    marine, depot = make(rich, "Marine", 8 * side(rich), 0), make(rich, "SupplyDepot", 12 * side(rich), 3)
    goal = (marine.pos.x + 5 * side(rich), marine.pos.y)
    rich.observe()
    assert rich.command(MOVE, marine.tag, marine.tag, depot.tag, at=goal) == SUCCESS
    assert not rich.observe().actions, "it is carried out by the next step"
    rich.step(1)
    (action,) = rich.observe().actions
    assert list(action.action_raw.unit_command.unit_tags) == [marine.tag]
    assert rich.command(MOVE, marine.tag, at=goal) == SUCCESS, "it is at that already"
    rich.step(1)
    assert not rich.observe().actions


@pytest.mark.parametrize(("name", "ability", "loops"), [("Zergling", 4121, 320), ("Overlord", 1448, 267)])
def test_a_cocoon_is_whole_and_its_order_shows_how_far_it_is(rich: Client, name: str, ability: int, loops: int) -> None:
    debug(rich, game_state=debug_pb2.tech_tree)
    unit = make(rich, name, 8 * side(rich), 0)
    assert rich.command(ability, unit.tag) == SUCCESS
    rich.step(loops // 2)
    cocoon = again(rich, unit.tag)
    assert (cocoon.build_progress, [order.ability_id for order in cocoon.orders]) == (1, [ability])
    assert cocoon.orders[0].progress == pytest.approx(0.5, abs=0.04)


def test_a_cocoon_that_only_moves_shows_no_progress(rich: Client) -> None:
    """A patrol's second point was read as the length of a morph: more than all of it was done."""
    cocoon = make(rich, "OverlordCocoon", 8 * side(rich), 0)
    assert rich.command(PATROL, cocoon.tag, at=(cocoon.pos.x + 6, cocoon.pos.y)) == SUCCESS
    rich.step(2)
    (order,) = again(rich, cocoon.tag).orders
    assert (order.ability_id, order.progress) == (PATROL, 0)


def test_what_is_researched_elsewhere_is_answered_success_and_not_reported(rich: Client) -> None:
    first, second = make(rich, "EngineeringBay", 9 * side(rich), 0), make(rich, "EngineeringBay", 9 * side(rich), 8)
    assert rich.command(WEAPONS_1, first.tag) == SUCCESS
    rich.step(1)
    rich.observe()
    assert rich.command(WEAPONS_1, second.tag) == SUCCESS
    rich.step(1)
    assert not rich.observe().actions
    assert not again(rich, second.tag).orders


@pytest.mark.parametrize("moving", [False, True])
def test_a_morph_is_of_one_unit_a_command_but_modes_are_of_all(rich: Client, moving: bool) -> None:
    """Five Roaches got four commands within ten loops of a real game: four became Ravagers, one a command."""
    debug(rich, game_state=debug_pb2.tech_tree)
    debug(rich, game_state=debug_pb2.food)
    way = side(rich)
    roaches = [make(rich, "Roach", 9 * way, up).tag for up in (-2, 0, 2)]
    tanks = [make(rich, "SiegeTank", 12 * way, up).tag for up in (-3, 3)]
    if moving:
        assert rich.command(MOVE, *roaches, at=(hall(rich).pos.x + 30 * way, hall(rich).pos.y)) == SUCCESS
        rich.step(4)
    for _ in range(2):
        assert rich.command(MORPH_RAVAGER, *roaches) == SUCCESS
    assert rich.command(SIEGE, *tanks) == SUCCESS
    rich.step(20)
    seen = rich.observe()
    types = {unit.tag: unit.unit_type for unit in seen.observation.raw_data.units}
    assert [types[tag] for tag in roaches] == [IDS["RavagerCocoon"], IDS["RavagerCocoon"], IDS["Roach"]]
    assert [types[tag] for tag in tanks] == [IDS["SiegeTankSieged"]] * 2
    done = [action.action_raw.unit_command for action in seen.actions]
    assert [[*order.unit_tags] for order in done if order.ability_id == MORPH_RAVAGER] == [[tag] for tag in roaches[:2]]


def test_of_several_ravagers_one_throws_its_bile_a_command(rich: Client) -> None:
    """Groups in real games get a burst of commands, each at another place."""
    way = side(rich)
    ravagers = [make(rich, "Ravager", 9 * way, up) for up in (-2, 0, 2)]
    places = [(ravagers[1].pos.x + 5 * way, ravagers[1].pos.y + up) for up in (-3, 0)]
    for place in places:
        assert rich.command(BILE, *(ravager.tag for ravager in ravagers), at=place) == SUCCESS
    rich.step(16)
    seen = rich.observe().observation.raw_data
    falling = {(round(where.x, 2), round(where.y, 2)) for effect in seen.effects for where in effect.pos}
    assert falling == {(round(x, 2), round(y, 2)) for x, y in places}
    assert sum(BILE in offered_now(rich, ravager.tag) for ravager in ravagers) == 1, "one has not thrown"


def test_a_liberator_runs_the_morph_behind_its_order(rich: Client) -> None:
    """Ordered to guard a zone (2558) a real one reports 2554 running, and so on the way back; catalog: the first is an
    effect that gives the second as an order."""
    liberator = make(rich, "Liberator", 8 * side(rich), 6)
    assert rich.command(ZONE, liberator.tag, at=(liberator.pos.x + 9 * side(rich), liberator.pos.y)) == SUCCESS
    shown = []
    for _ in range(120):
        rich.step(1)
        shown += [order.ability_id for order in again(rich, liberator.tag).orders]
    assert list(dict.fromkeys(shown)) == [ZONE, GUARDING], "it flies there, then it sets up"
    (order,) = again(rich, liberator.tag).orders
    assert order.target_unit_tag == liberator.tag, "so a client library's test finds it, run on 4.10"
    assert rich.command(LEAVE_ZONE, liberator.tag) == SUCCESS
    rich.step(2)
    (order,) = again(rich, liberator.tag).orders
    assert (order.ability_id, order.HasField("target_world_space_pos")) == (LEAVING, False)


def test_a_cast_whose_energy_is_spent_meanwhile_fails_silently(rich: Client) -> None:
    """Seen of a storm that was queued behind a move."""
    templar = make(rich, "HighTemplar", 6 * side(rich), 0)
    debug(rich, unit_value={"unit_value": debug_pb2.DebugSetUnitValue.Energy, "value": 80, "unit_tag": templar.tag})
    debug(rich, game_state=debug_pb2.tech_tree)
    rich.step(2)
    place = (templar.pos.x + 5 * side(rich), templar.pos.y)
    assert [rich.command(STORM, templar.tag, at=place, queued=waits) for waits in (False, True)] == [SUCCESS] * 2
    errors = []
    for _ in range(20):
        rich.step(4)
        errors += rich.observe().action_errors
    now = again(rich, templar.tag)
    assert (len(now.orders), now.energy < 10, errors) == (0, True, [])


def test_a_fortress_at_work_is_told_to_stop_and_to_attack_and_trains_on(rich: Client) -> None:
    fortress, barracks = make(rich, "PlanetaryFortress", 12 * side(rich), 0), make(rich, "Barracks", 9 * side(rich), 8)
    prey = create_enemy(rich, "CommandCenter", fortress.pos.x + 7 * side(rich), fortress.pos.y)
    assert rich.command(TRAIN_SCV, fortress.tag) == rich.command(TRAIN_MARINE, barracks.tag) == SUCCESS
    rich.step(4)
    assert {STOP, ATTACK} <= offered(rich, fortress.tag)
    assert rich.command(ATTACK, fortress.tag, target=prey) == SUCCESS
    rich.step(2)
    orders = [(order.ability_id, order.target_unit_tag) for order in again(rich, fortress.tag).orders]
    assert orders == [(TRAIN_SCV, 0), (ATTACK, prey)]
    assert (rich.command(STOP, fortress.tag), rich.command(STOP, barracks.tag)) == (SUCCESS, ERROR)
    rich.step(8)
    orders = [(order.ability_id, order.target_unit_tag) for order in again(rich, fortress.tag).orders]
    assert orders == [(TRAIN_SCV, 0), (ATTACK, prey)], "it takes its target up again by itself"


def test_who_has_no_weapon_any_more_is_engaged_with_nobody(rich: Client) -> None:
    debug(rich, game_state=debug_pb2.tech_tree)
    roach = make(rich, "Roach", 12 * side(rich), 0)
    prey = create_enemy(rich, "CommandCenter", roach.pos.x + 7 * side(rich), roach.pos.y)
    assert rich.command(ATTACK, roach.tag, target=prey) == SUCCESS
    rich.step(20)
    assert again(rich, roach.tag).engaged_target_tag == prey
    assert rich.command(MORPH_RAVAGER, roach.tag) == SUCCESS
    rich.step(20)
    cocoon = again(rich, roach.tag)
    assert (cocoon.unit_type, cocoon.engaged_target_tag) == (IDS["RavagerCocoon"], 0)


def create_enemy(client: Client, name: str, x: float, y: float) -> int:
    """A unit of player 2 in sight. -> tag"""
    create(client, name, 2, x, y)
    client.step(4)
    return units(client, name, 2)[0].tag
