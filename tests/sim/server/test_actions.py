"""Orders, debug commands and cheats of a running game, over the socket."""

from __future__ import annotations

import math

import pytest
from s2clientprotocol import debug_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.facts import load as load_facts
from sim.server import replay
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client, running_server
from tests.sim.server.conftest import map_file

IDS = load_facts().ids
ATTACK, ATTACK_EXACT, MOVE, TRAIN_SCV = 3674, 23, 16, 524
CANCEL_SLOT, CANCEL_QUEUE_SLOT = 3672, 305
BUILD_FACTORY, BUILD_DEPOT, STIMPACK, WARP_GATE = 328, 319, 15, 84
COMBAT_SHIELD, SMART_SERVOS, DRILLING_CLAWS, FLUX_VANES = 16, 289, 122, 288
ANABOLIC_SYNTHESIS, MEDIVAC_SPEED, BLINK = 88, 139, 1442
SUCCESS, NOT_SUPPORTED, ERROR, COOLS_DOWN, NO_MINERALS, NO_TECH, NOT_MINE = 1, 2, 3, 6, 9, 40, 87


def debug(client: Client, **command: object) -> None:
    """One debug command."""
    response = client.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(**command)]))
    assert not response.error, response.error


def create(client: Client, name: str, owner: int, x: float, y: float, quantity: int = 1) -> None:
    """Units out of nothing, there after two loops."""
    place = {"x": x, "y": y}
    unit = {"unit_type": IDS[name], "owner": owner, "pos": place, "quantity": quantity}
    debug(client, create_unit=unit)
    client.step(2)


def units(client: Client, name: str, owner: int = 1) -> list[raw_pb2.Unit]:
    """Units of a type in the present observation."""
    found = client.observe().observation.raw_data.units
    return [u for u in found if u.unit_type == IDS[name] and u.owner == owner]


def hall(client: Client) -> raw_pb2.Unit:
    """The own town hall."""
    return units(client, "CommandCenter")[0]


def test_orders_are_judged_at_once_and_reported_once_with_their_exact_ability(game: Client) -> None:
    worker = units(game, "SCV")[0]
    assert game.command(ATTACK, worker.tag, at=(60, 60)) == SUCCESS
    game.step(1)
    observation = game.observe()
    (action,) = observation.actions
    assert action.action_raw.unit_command.ability_id == ATTACK_EXACT
    assert action.game_loop == 0
    after = next(u for u in observation.observation.raw_data.units if u.tag == worker.tag)
    assert [o.ability_id for o in after.orders] == [ATTACK_EXACT]
    assert not game.observe().actions


def test_verdicts(game: Client) -> None:
    home = hall(game)
    assert game.command(TRAIN_SCV, home.tag) == SUCCESS
    game.step(1)
    assert game.command(TRAIN_SCV, home.tag) == NO_MINERALS
    create(game, "Zergling", 2, home.pos.x + 5, home.pos.y)
    (enemy,) = units(game, "Zergling", 2)
    assert game.command(MOVE, enemy.tag, at=(60, 60)) == NOT_MINE
    assert game.command(MOVE, at=(60, 60)) != SUCCESS
    assert game.command(987_654, home.tag) != SUCCESS
    assert game.command(CANCEL_SLOT, home.tag) == ERROR, "queues are changed by their panels only (observed)"
    assert game.command(CANCEL_QUEUE_SLOT, home.tag) == NOT_SUPPORTED
    assert game.command(MOVE, units(game, "SCV")[0].tag, at=(float("nan"), 5)) != SUCCESS


def test_supply_counts_who_is_made_or_killed_as_soon_as_he_shows(game: Client) -> None:
    def supply() -> tuple[int, int]:
        player = game.observe().observation.player_common
        return player.food_used, player.food_cap

    x, y = hall(game).pos.x, hall(game).pos.y
    before = supply()
    create(game, "SupplyDepot", 1, x + 7, y)
    (depot,) = units(game, "SupplyDepot")
    assert supply() == (before[0], before[1] + 8)
    create(game, "Marine", 1, x + 7, y + 5, 2)
    assert supply() == (before[0] + 2, before[1] + 8)
    debug(game, kill_unit={"tag": [depot.tag, units(game, "Marine")[0].tag]})
    game.step(2)
    assert supply() == (before[0] + 1, before[1])


def test_a_structure_in_the_fog_is_attacked_by_its_copy(game: Client) -> None:
    home = hall(game)
    x, y = 80.0, 80.0
    create(game, "Marine", 1, home.pos.x + 6, home.pos.y)
    create(game, "Overlord", 1, x, y)
    create(game, "Extractor", 2, x + 3.5, y + 3.5)
    game.step(20)
    (real,) = units(game, "Extractor", 2)
    assert real.display_type == raw_pb2.Visible
    (overlord,) = units(game, "Overlord")
    debug(game, kill_unit={"tag": [overlord.tag]})
    game.step(100)
    (copy,) = units(game, "Extractor", 2)
    assert copy.display_type == raw_pb2.Snapshot
    assert copy.tag != real.tag
    assert (copy.pos.x, copy.pos.y) == (real.pos.x, real.pos.y)
    (marine,) = units(game, "Marine")
    assert game.command(ATTACK, marine.tag, target=real.tag) == NOT_SUPPORTED
    assert game.command(ATTACK, marine.tag, target=copy.tag) == SUCCESS
    game.step(2)
    assert units(game, "Marine")[0].orders[0].ability_id == ATTACK_EXACT


def test_debug_creates_kills_and_sets(game: Client) -> None:
    home = hall(game)
    create(game, "Medivac", 1, home.pos.x, home.pos.y - 6, quantity=3)
    found = units(game, "Medivac")
    assert len(found) == 3
    assert len({(round(u.pos.x, 2), round(u.pos.y, 2)) for u in found}) == 3
    value = debug_pb2.DebugSetUnitValue
    debug(game, unit_value={"unit_value": value.Energy, "value": 123, "unit_tag": found[0].tag})
    debug(game, unit_value={"unit_value": value.Life, "value": 7, "unit_tag": found[0].tag})
    game.step(2)
    changed = next(u for u in units(game, "Medivac") if u.tag == found[0].tag)
    assert (changed.energy, changed.health) == (123, 7)
    debug(game, kill_unit={"tag": [u.tag for u in found]})
    assert len(units(game, "Medivac")) == 3  # one state of the world a loop: clients keep distances of it
    game.step(2)
    observation = game.observe().observation.raw_data
    assert set(observation.event.dead_units) == {u.tag for u in found}
    assert not [u for u in observation.units if u.unit_type == IDS["Medivac"]]


def test_what_debug_does_to_units_shows_two_loops_later(game: Client) -> None:
    """The official C++ client's tests of the real game: who is made or killed is new or gone in the second loop; 50.30
    to 50.32 energy in the tenth, 25 to 25.2 shields. Who is new has not fired (burnysc2's test of damages)."""
    unit = {"unit_type": IDS["Sentry"], "owner": 1, "pos": {"x": hall(game).pos.x - 8, "y": hall(game).pos.y}}
    debug(game, create_unit=unit)
    game.step(1)
    assert not units(game, "Sentry")
    game.step(1)
    assert units(game, "Sentry")
    game.step(8)
    (sentry,) = units(game, "Sentry")
    assert sentry.energy == pytest.approx(50 + 9 * 0.5625 / 16)
    debug(game, unit_value={"unit_value": debug_pb2.DebugSetUnitValue.Shields, "value": 25, "unit_tag": sentry.tag})
    game.step(2)
    assert units(game, "Sentry")[0].shield == 25
    create(game, "Mothership", 1, hall(game).pos.x - 8, hall(game).pos.y)
    create(game, "Stalker", 2, hall(game).pos.x - 8, hall(game).pos.y)
    assert units(game, "Stalker", 2)[0].shield == 80
    debug(game, kill_unit={"tag": [sentry.tag]})
    game.step(1)
    assert units(game, "Sentry")
    game.step(1)
    assert not units(game, "Sentry")


def test_created_structures_stand_on_the_grid(game: Client) -> None:
    home = hall(game)
    create(game, "Barracks", 1, home.pos.x + 9.1, home.pos.y + 0.2)
    (barracks,) = units(game, "Barracks")
    assert (barracks.pos.x % 1, barracks.pos.y % 1) == (0.5, 0.5)


def test_types_of_no_ladder_game_are_taken_and_nobody_comes(game: Client) -> None:
    """A public bot makes one of each type that the data names, campaigns' among them."""
    named = {row.name: row.unit_id for row in game.ask(data=sc.RequestData(unit_type_id=True)).data.units}
    before = len(game.observe().observation.raw_data.units)
    debug(game, create_unit={"unit_type": named["HERC"], "owner": 1, "pos": {"x": 60, "y": 60}})
    game.step(2)
    assert len(game.observe().observation.raw_data.units) == before


@pytest.mark.parametrize(("text", "value"), [("unit_type", 9999), ("owner", 3), ("pos", {"x": math.nan, "y": 30})])
def test_debug_create_names_what_is_wrong(game: Client, text: str, value: object) -> None:
    unit = {"unit_type": IDS["Marine"], "owner": 1, "pos": {"x": 30, "y": 30}} | {text: value}
    response = game.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(create_unit=unit)]))
    assert len(response.error) == 1
    assert response.status == sc.in_game


def test_cheats(game: Client) -> None:
    debug(game, game_state=debug_pb2.all_resources)
    common = game.observe().observation.player_common
    assert (common.minerals, common.vespene) == (5050, 5000)
    debug(game, game_state=debug_pb2.fast_build)
    assert game.command(TRAIN_SCV, hall(game).tag) == SUCCESS
    game.step(10)
    assert len(units(game, "SCV")) == 12, "a twentieth of 272 loops: the official client's tests look after ten"
    game.step(6)
    assert len(units(game, "SCV")) == 13
    place = hall(game).pos
    assert game.command(BUILD_DEPOT, units(game, "SCV")[0].tag, at=(place.x + 6, place.y)) == SUCCESS
    while not units(game, "SupplyDepot"):
        game.step(1)
    game.step(30)
    depot = units(game, "SupplyDepot")[0]
    assert (depot.build_progress, depot.health) == (1, 400)
    assert not units(game, "Hatchery", 2)
    debug(game, game_state=debug_pb2.show_map)
    assert not units(game, "Hatchery", 2), "seen once the game goes on"
    game.step(2)
    assert len(units(game, "Hatchery", 2)) == 1
    debug(game, game_state=debug_pb2.show_map)
    game.step(2)
    assert not units(game, "Drone", 2)


def test_the_score_books_gifts_and_losses(game: Client) -> None:
    debug(game, game_state=debug_pb2.minerals)
    debug(game, kill_unit={"tag": [units(game, "SCV")[0].tag]})
    game.step(2)
    details = game.observe().observation.score.score_details
    assert details.spent_minerals == 0
    assert (details.used_minerals.economy, details.lost_minerals.economy) == (950, 50)
    assert details.total_used_minerals.economy == 1000
    debug(game, game_state=debug_pb2.upgrade)
    game.step(1)
    details = game.observe().observation.score.score_details
    assert details.used_minerals.upgrade == details.total_used_minerals.upgrade > 1000


def test_tech_and_upgrade_cheats(game: Client) -> None:
    debug(game, game_state=debug_pb2.all_resources)
    worker = units(game, "SCV")[0]
    place = {"at": (hall(game).pos.x + 9.5, hall(game).pos.y - 9.0)}
    assert game.command(BUILD_FACTORY, worker.tag, **place) == NO_TECH
    debug(game, game_state=debug_pb2.tech_tree)
    assert game.command(BUILD_FACTORY, worker.tag, **place) != NO_TECH
    debug(game, game_state=debug_pb2.tech_tree)
    assert game.command(BUILD_FACTORY, worker.tag, **place) == NO_TECH
    have = set(game.observe().observation.raw_data.player.upgrade_ids)
    assert {COMBAT_SHIELD, SMART_SERVOS, DRILLING_CLAWS, FLUX_VANES} <= have, (
        "those with the catalog's flag come with the tech and stay"
    )
    assert not {STIMPACK, WARP_GATE, ANABOLIC_SYNTHESIS} & have
    debug(game, game_state=debug_pb2.upgrade)
    have = set(game.observe().observation.raw_data.player.upgrade_ids)
    assert {STIMPACK, WARP_GATE} <= have
    assert not {ANABOLIC_SYNTHESIS, MEDIVAC_SPEED} & have, "those whose flag is off"
    data = game.ask(data=sc.RequestData(unit_type_id=True)).data
    assert data.units[IDS["Marine"]].weapons[0].damage == 7, "ResponseData folds the asker's upgrades in"
    assert data.units[IDS["SiegeTank"]].weapons[0].damage == 17, "not vehicles and ships at once (burnysc2's test)"
    assert next(b.bonus for w in data.units[IDS["Tempest"]].weapons for b in w.damage_bonus) == 24, "22 and 2"
    for _ in range(3):
        debug(game, game_state=debug_pb2.upgrade)
    data = game.ask(data=sc.RequestData(unit_type_id=True)).data
    assert data.units[IDS["Marine"]].weapons[0].damage == 9, "one level more each time"


def test_nothing_cools_down_for_who_says_so(empty: Client) -> None:
    debug(empty, game_state=debug_pb2.upgrade)
    create(empty, "Stalker", 1, 60, 60)
    (stalker,) = units(empty, "Stalker")
    results = []
    for turn in range(7):
        if turn in (2, 5):  # on, and off again
            debug(empty, game_state=debug_pb2.cooldown)
        results.append(empty.command(BLINK, stalker.tag, at=(60 + 4 * (turn % 2), 60)))
        empty.step(4)
    assert results == [SUCCESS, COOLS_DOWN, SUCCESS, SUCCESS, SUCCESS, SUCCESS, COOLS_DOWN]


def test_god_keeps_units_alive(game: Client) -> None:
    home = hall(game)
    debug(game, game_state=debug_pb2.god)
    create(game, "Roach", 2, home.pos.x + 5, home.pos.y, quantity=8)
    game.step(300)
    assert len(units(game, "SCV")) == 12
    assert all(u.health == u.health_max for u in units(game, "SCV"))


def test_a_gods_weapons_do_ten_times_as_much(empty: Client) -> None:
    def damages() -> list[float]:
        data = empty.ask(data=sc.RequestData(unit_type_id=True)).data.units
        return [data[IDS[name]].weapons[0].damage for name in ("Marine", "Marauder")] + [
            data[IDS["Marauder"]].weapons[0].damage_bonus[0].bonus
        ]

    plain = damages()
    debug(empty, game_state=debug_pb2.god)
    assert damages() == [10 * damage for damage in plain]
    create(empty, "Marine", 1, 60, 60)
    create(empty, "SupplyDepot", 2, 63, 60)
    empty.step(48)  # an idle unit looks round once in eight loops
    depot = units(empty, "SupplyDepot", 2)[0]
    assert (depot.health_max - depot.health) % 59 == 0 < depot.health_max - depot.health, "armour 1"
    debug(empty, game_state=debug_pb2.upgrade)
    debug(empty, game_state=debug_pb2.god)
    assert damages() == [damage + 1 for damage in plain], "the upgrade stays"


def test_surrender_and_victory_by_debug(game: Client) -> None:
    debug(game, end_game={"end_result": debug_pb2.DebugEndGame.Surrender})
    assert game.step(1).status == sc.ended
    assert {r.player_id: r.result for r in game.observe().player_result} == {1: sc.Defeat, 2: sc.Victory}


def test_camera_and_chat(game: Client) -> None:
    request = sc.RequestAction()
    request.actions.add().action_raw.camera_move.center_world_space.x = 44
    request.actions.add().action_chat.message = "hello"
    assert list(game.ask(action=request).action.result) == [SUCCESS, SUCCESS]
    found = game.observe()
    assert found.observation.raw_data.player.camera.x == 44
    assert [(c.player_id, c.message) for c in found.chat] == [(1, "hello")]
    assert not game.observe().chat


def test_the_same_seed_and_orders_give_the_same_game(client: Client) -> None:
    """Two games with equal seeds are equal after some minutes, a replay names what was ordered."""
    seen = []
    for _ in range(2):
        client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 3), random_seed=11)
        client.join(TERRAN)
        assert client.command(TRAIN_SCV, hall(client).tag) == SUCCESS
        client.step(1500)
        observation = client.observe().observation
        seen.append(sorted((u.tag, u.pos.x, u.pos.y, u.health) for u in observation.raw_data.units))
        saved = replay.unpack(client.ask(save_replay=sc.RequestSaveReplay()).save_replay.data)
        assert (saved["seed"], saved["loops"], len(saved["records"])) == (11, 1500, 1)
    assert seen[0] == seen[1]


def test_data_folds_in_nothing_at_the_start_and_is_complete(game: Client) -> None:
    request = sc.RequestData(ability_id=True, unit_type_id=True, upgrade_id=True, buff_id=True, effect_id=True)
    data = game.ask(data=request).data
    assert [u.unit_id for u in data.units] == list(range(len(data.units)))
    marine = data.units[IDS["Marine"]]
    assert (marine.mineral_cost, marine.weapons[0].damage) == (50, 6)
    assert not game.ask(data=sc.RequestData(buff_id=True)).data.units


def test_the_other_patch_plays_too() -> None:
    with running_server(patch="4.10.0") as server:
        client = Client(server.port)
        client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 3), random_seed=1)
        client.join(TERRAN)
        client.step(400)
        armory = client.ask(data=sc.RequestData(unit_type_id=True)).data.units[IDS["Armory"]]
        assert (armory.mineral_cost, armory.vespene_cost) == (150, 100), "50 gas since 5.0"
        assert len(units(client, "SCV")) == 12
        client.close()
