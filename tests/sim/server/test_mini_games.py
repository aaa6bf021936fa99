"""pysc2's mini-games over the wire: what stands there, what is rewarded, what comes again, and when they end."""

from __future__ import annotations

import itertools
import math

import pytest
from s2clientprotocol import common_pb2, debug_pb2, query_pb2, score_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import mini_games
from sim.server.install import install
from tests.sim.server import screens
from tests.sim.server.client import PARTICIPANT, PROTOSS, TERRAN, Client

MOVE, ATTACK, GATHER = 16, 23, 295
FIELD, GEYSER = 341, 342
MARINE, BARRACKS, SCV, ROACH, ZERGLING, BANELING = 48, 21, 45, 110, 105, 9
BEACON, SHARD = 317, 1680
NEUTRAL = 16
LEFT, TOP = mini_games.VIEW[0] - 12, mini_games.VIEW[1] + 12  # of a screen of 24 cells
VICTORY, DEFEAT = 1, 2


def enter(client: Client, name: str, race: int = TERRAN, **more: int) -> sc.ResponseObservation:
    response = client.create(f"mini_games/{name}.SC2Map", (PARTICIPANT,), **{"random_seed": 3, **more})
    assert not response.create_game.HasField("error")
    client.join(race)
    return client.observe()


def restarted(client: Client) -> sc.ResponseObservation:
    assert not client.ask(restart_game=sc.RequestRestartGame()).restart_game.HasField("error")
    return client.observe()


def units(seen: sc.ResponseObservation, owner: int, kind: int | None = None) -> list:
    return [u for u in seen.observation.raw_data.units if u.owner == owner and kind in (None, u.unit_type)]


def place(unit: object) -> tuple[float, float]:
    return unit.pos.x, unit.pos.y


def points(seen: sc.ResponseObservation) -> int:
    assert seen.observation.score.score_type == score_pb2.Score.Curriculum
    return seen.observation.score.score


def played(client: Client, loops: int = 1) -> sc.ResponseObservation:
    client.step(loops)
    return client.observe()


def killed(client: Client, victims: list) -> sc.ResponseObservation:
    wanted = debug_pb2.DebugCommand(kill_unit=debug_pb2.DebugKillUnit(tag=[unit.tag for unit in victims]))
    client.ask(debug=sc.RequestDebug(debug=[wanted]))
    return played(client, 3)


def test_all_of_them_are_installed_and_listed(client: Client, tmp_path) -> None:
    install(tmp_path)
    found = {path.stem for path in (tmp_path / "Maps" / "mini_games").iterdir()}
    listed = client.ask(available_maps=sc.RequestAvailableMaps()).available_maps.local_map_paths
    assert found == set(mini_games.names())
    assert len(found) == 7
    assert all(f"mini_games/{name}.SC2Map" in listed for name in found)


@pytest.mark.parametrize(
    ("name", "mine", "theirs", "chosen"),
    [
        ("MoveToBeacon", {MARINE: 1}, {}, 0),
        ("CollectMineralShards", {MARINE: 2}, {}, 0),
        ("DefeatRoaches", {MARINE: 9}, {ROACH: 4}, 9),
        ("DefeatZerglingsAndBanelings", {MARINE: 9}, {ZERGLING: 6, BANELING: 4}, 9),
        ("FindAndDefeatZerglings", {MARINE: 3}, {ZERGLING: 2}, 3),  # the other 23 are in the fog
        ("CollectMineralsAndGas", {18: 1, SCV: 12}, {}, 0),
        ("BuildMarines", {18: 1, SCV: 12}, {}, 0),
    ],
)
def test_what_stands_there_at_first(client: Client, name: str, mine: dict, theirs: dict, chosen: int) -> None:
    seen = enter(client, name)
    for owner, wanted in ((1, mine), (2, theirs)):
        found = units(seen, owner)
        assert {kind: sum(u.unit_type == kind for u in found) for kind in {u.unit_type for u in found}} == wanted
    assert sum(unit.is_selected for unit in units(seen, 1)) == chosen
    assert points(seen) == 0


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("MoveToBeacon", (22, 16)),
        ("CollectMineralShards", (22, 16)),
        ("DefeatRoaches", (22, 16)),
        ("DefeatZerglingsAndBanelings", (22, 16)),
        ("FindAndDefeatZerglings", (44, 32)),
        ("CollectMineralsAndGas", (26, 18)),
        ("BuildMarines", (26, 18)),
    ],
)
def test_as_much_is_played_on_as_on_the_real_maps(client: Client, name: str, size: tuple[int, int]) -> None:
    seen = enter(client, name)
    area = client.ask(game_info=sc.RequestGameInfo()).game_info.start_raw.playable_area
    assert (area.p1.x - area.p0.x, area.p1.y - area.p0.y) == size
    kinds = (18, 341, 342, 483)  # Command Centers and resources stand on whole cells
    for unit in seen.observation.raw_data.units:
        reach = 2.5 if unit.unit_type == 18 else 1.5 if unit.unit_type == 342 else 0.5
        assert unit.unit_type not in kinds or area.p0.x + reach <= unit.pos.x <= area.p1.x - reach
        assert unit.unit_type not in kinds or area.p0.y + reach <= unit.pos.y <= area.p1.y - reach


def test_a_public_programs_sites_by_the_screen_are_open_in_build_marines(client: Client) -> None:
    """Pixels of a screen of 84: two rows of nine depots, seven barracks below the base and four beside it."""
    seen = enter(client, "BuildMarines")
    camera = seen.observation.raw_data.player.camera
    assert (camera.x - 12, camera.y + 12) == pytest.approx((LEFT, TOP), abs=1e-4)
    depots = [(319, 20 + 7 * column, 5 + 7 * row) for row in range(2) for column in range(9)]
    barracks = [(321, 20 + 10 * number, 60) for number in range(6)] + [(321, 83, 60)]
    barracks += [(321, 52 + 10 * number, 40) for number in range(4)]
    cheats = [debug_pb2.DebugCommand(game_state=debug_pb2.fast_build)]
    for ability, column, row in depots + barracks:
        cheats += [debug_pb2.DebugCommand(game_state=debug_pb2.minerals)]
        client.ask(debug=sc.RequestDebug(debug=cheats))
        cheats = []
        place = LEFT + (column + 0.5) / 3.5, TOP - (row + 0.5) / 3.5  # the middle of the pixel
        assert client.command(ability, units(seen, 1, SCV)[0].tag, at=place) == 1, (ability, column, row)
        seen = played(client, 200)
    assert len(units(seen, 1, BARRACKS)) == 11
    assert len(units(seen, 1, 19)) == 18


def test_a_beacon_that_is_reached_is_worth_a_point_and_goes_elsewhere(client: Client) -> None:
    seen = enter(client, "MoveToBeacon")
    for number in range(1, 4):
        (beacon,), (marine,) = units(seen, NEUTRAL, BEACON), units(seen, 1)
        assert math.dist(place(beacon), place(marine)) >= (4 if number == 1 else 5)
        client.command(MOVE, marine.tag, at=place(beacon))
        for _ in range(300):
            seen = played(client)
            if points(seen):
                break
            assert place(units(seen, NEUTRAL, BEACON)[0]) == place(beacon)
        while points(seen) < number:
            seen = played(client)
        assert points(seen) == number
        assert units(seen, NEUTRAL, BEACON)[0].tag == beacon.tag
        assert 0.7 < math.dist(place(units(seen, 1)[0]), place(beacon)) < 0.88


def test_twenty_shards_come_again_once_all_are_taken(client: Client) -> None:
    seen, taken = enter(client, "CollectMineralShards"), 0
    assert len(units(seen, NEUTRAL, SHARD)) == 20
    while taken < 21 and seen.observation.game_loop < 1900:
        shards, marine = units(seen, NEUTRAL, SHARD), units(seen, 1)[0]
        nearest = min(shards, key=lambda shard: math.dist(place(shard), place(marine)))
        client.command(MOVE, marine.tag, at=place(nearest))
        seen = played(client, 4)
        left = units(seen, NEUTRAL, SHARD)
        assert len(left) == 20 - points(seen) % 20
        assert min(math.dist(place(shard), place(unit)) for shard in left for unit in units(seen, 1)) > 1.37
        taken = points(seen)
    assert taken >= 21


def test_an_order_by_the_screen_goes_through_a_beacon_to_the_ground(client: Client) -> None:
    view = sc.SpatialCameraSetup(width=24, resolution=common_pb2.Size2DI(x=84, y=84))
    view.minimap_resolution.x = view.minimap_resolution.y = 64
    options = sc.InterfaceOptions(raw=True, score=True, feature_layer=view)
    client.create("MoveToBeacon", (PARTICIPANT,), random_seed=3)
    client.ask(join_game=sc.RequestJoinGame(race=TERRAN, options=options))
    seen = client.observe()
    (beacon,) = units(seen, NEUTRAL, BEACON)
    request = sc.RequestAction()
    request.actions.add().action_ui.select_army.selection_add = False
    order = request.actions.add().action_feature_layer.unit_command
    order.ability_id = MOVE
    order.target_screen_coord.x = int((beacon.pos.x - LEFT) * 3.5)
    order.target_screen_coord.y = int((TOP - beacon.pos.y) * 3.5)
    client.ask(action=request)
    (told,) = units(played(client, 2), 1)[0].orders
    goal = told.target_world_space_pos
    assert told.WhichOneof("target") == "target_world_space_pos"
    assert math.dist((goal.x, goal.y), place(beacon)) < 0.5


def test_a_new_wave_brings_reinforcements_and_all_take_their_places(client: Client) -> None:
    seen = enter(client, "DefeatRoaches", PROTOSS)  # whatever race was asked for
    hurt = units(seen, 1)[0].tag
    value = debug_pb2.DebugSetUnitValue(unit_value=debug_pb2.DebugSetUnitValue.Life, value=20, unit_tag=hurt)
    client.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(unit_value=value)]))
    seen = killed(client, units(seen, 2))
    marines, roaches = units(seen, 1), units(seen, 2)
    assert points(seen) == 40
    assert len(marines) == 14
    assert len(roaches) == 4
    assert next(u for u in marines if u.tag == hurt).health == 20
    side = math.copysign(1, roaches[0].pos.x - 32)
    assert all(side * (u.pos.x - 32) > 4 for u in roaches)
    assert all(side * (u.pos.x - 32) < -4 for u in marines)
    assert len({u.pos.x for u in roaches}) == 1
    assert all(unit.is_selected for unit in marines)


def test_lines_have_gaps_of_a_cell_and_stand_somewhere_on_their_side(client: Client) -> None:
    """As three waves in a public program's log of the real game: 5.4 to 8.9 cells from the middle, up to 1.7 above."""
    seen, middles = enter(client, "DefeatRoaches"), set()
    for _ in range(4):
        for owner in (1, 2):
            found = sorted(units(seen, owner), key=lambda unit: unit.pos.y)[:9]
            if owner == 2 or len(units(seen, 1)) == 9:
                gaps = [above.pos.y - below.pos.y for below, above in itertools.pairwise(found)]
                assert gaps == pytest.approx([1.0] * (len(found) - 1), abs=1e-3)
            middle = sum(unit.pos.y for unit in found) / len(found)
            assert 5 <= abs(found[0].pos.x - 32) <= 10
            assert owner == 1 or -1 <= middle - 28 <= 2
            middles.add((round(found[0].pos.x, 3), round(middle, 3)))
        seen = killed(client, units(seen, 2))
    assert len(middles) == 8


def test_zerglings_stand_in_a_line_and_banelings_in_another_behind_them(client: Client) -> None:
    """So all of them are within each other's call: real programs that fight Zerglings alone meet the Banelings, too."""
    seen = enter(client, "DefeatZerglingsAndBanelings")
    fronts = {}
    for kind in (ZERGLING, BANELING):
        found = sorted(units(seen, 2, kind), key=lambda unit: unit.pos.y)
        gaps = [above.pos.y - below.pos.y for below, above in itertools.pairwise(found)]
        assert gaps == pytest.approx([1.0] * (len(found) - 1), abs=1e-3)
        (fronts[kind],) = {round(unit.pos.x, 3) for unit in found}
    side = 1 if fronts[ZERGLING] > 32 else -1
    assert side * (fronts[BANELING] - fronts[ZERGLING]) == pytest.approx(1.0)


def test_fields_geysers_and_workers_stand_as_in_a_log_of_the_real_game(client: Client) -> None:
    """Pixels of a screen of 32, which a public program wrote down before its first order."""
    seen = enter(client, "CollectMineralsAndGas")
    found = {
        kind: sorted(
            (int((unit.pos.x - LEFT) * 32 / 24), int((TOP - unit.pos.y) * 32 / 24))
            for unit in seen.observation.raw_data.units
            if unit.unit_type == kind
        )
        for kind in {unit.unit_type for unit in seen.observation.raw_data.units}
    }
    left = [(5, 5), (4, 7), (4, 9), (2, 11), (2, 13), (4, 15), (4, 17), (5, 19)]
    right = [(26, 5), (28, 7), (28, 9), (29, 11), (29, 13), (28, 15), (28, 17), (26, 19)]
    assert found == {
        18: [(12, 12)],
        FIELD: sorted(left + right),
        GEYSER: sorted((x, y) for x in (7, 24) for y in (3, 21)),
        SCV: sorted((x, y) for x in (5, 7) for y in (8, 9, 11, 12, 13, 15)),
    }


def test_a_marine_that_falls_costs_a_point_and_the_last_one_ends_it(client: Client) -> None:
    seen = enter(client, "DefeatZerglingsAndBanelings")
    seen = killed(client, units(seen, 1)[:2] + units(seen, 2, BANELING)[:1])
    assert points(seen) == 5 - 2
    assert not seen.player_result
    seen = killed(client, units(seen, 1))
    assert points(seen) == 5 - 9
    assert [result.result for result in seen.player_result] == [DEFEAT]


def test_zerglings_are_scattered_and_come_again_away_from_the_marines(client: Client) -> None:
    enter(client, "FindAndDefeatZerglings", disable_fog=True)
    seen = client.observe(disable_fog=True)
    hidden = units(seen, 2)
    assert len(hidden) == 25
    gaps = [math.dist(place(a), place(b)) for a in hidden for b in hidden if a is not b]
    assert min(gaps) >= 4.5
    near = sorted(math.dist(mini_games.MIDDLE, place(unit)) for unit in hidden)
    assert 7.5 <= near[0] <= near[1] <= 9.5
    assert near[2] >= 10
    killed(client, hidden)
    seen = client.observe(disable_fog=True)
    assert points(seen) == 25
    assert len(units(seen, 2)) == 25
    middle = place(units(seen, 1)[0])
    assert min(math.dist(middle, place(unit)) for unit in units(seen, 2)) > 8


def test_the_time_is_up_after_240_steps_and_another_episode_is_another_one(client: Client) -> None:
    response = client.create("mini_games/MoveToBeacon.SC2Map", (PARTICIPANT,))
    assert not response.create_game.HasField("error")
    client.join()
    first = place(units(client.observe(), NEUTRAL, BEACON)[0])
    assert not played(client, 1919).player_result
    seen = played(client)
    assert seen.observation.game_loop == 1920
    assert [result.result for result in seen.player_result] == [VICTORY]
    seen = restarted(client)
    assert seen.observation.game_loop == 0
    assert points(seen) == 0
    assert place(units(seen, NEUTRAL, BEACON)[0]) != first


def test_a_quick_load_goes_back_to_an_episode_without_a_seed(client: Client) -> None:
    assert not client.create("MoveToBeacon", (PARTICIPANT,)).create_game.HasField("error")
    client.join()
    saved = place(units(played(client, 10), NEUTRAL, BEACON)[0])
    client.ask(quick_save=sc.RequestQuickSave())
    restarted(client)
    client.ask(quick_load=sc.RequestQuickLoad())
    seen = client.observe()
    assert (seen.observation.game_loop, place(units(seen, NEUTRAL, BEACON)[0])) == (10, saved)


def test_an_episode_with_a_seed_is_the_same_again(client: Client) -> None:
    first = place(units(enter(client, "MoveToBeacon"), NEUTRAL, BEACON)[0])
    assert place(units(restarted(client), NEUTRAL, BEACON)[0]) == first


def test_what_is_gathered_is_the_reward_and_spending_costs_nothing(client: Client) -> None:
    seen = enter(client, "CollectMineralsAndGas")
    hall = units(seen, 1, 18)[0]
    client.command(524, hall.tag)
    seen = played(client, 300)
    assert points(seen) == 0, "the workers wait for orders, as in a public program's log of the real game"
    for worker in units(seen, 1, SCV):
        client.command(GATHER, worker.tag, target=units(seen, NEUTRAL, FIELD)[0].tag)
    seen = played(client, 400)
    assert len(units(seen, 1, SCV)) == 13
    assert points(seen) == seen.observation.score.score_details.collected_minerals > 0


def test_all_workers_of_build_marines_go_for_the_middle_field_at_first(client: Client) -> None:
    """A public program ends if somebody is idle in the first observation: then real fields are missing."""
    seen = enter(client, "BuildMarines")
    assert seen.observation.player_common.idle_worker_count == 0
    fields = {unit.tag: place(unit) for unit in units(seen, NEUTRAL, FIELD)}
    (wanted,) = {order.target_unit_tag for unit in units(seen, 1, SCV) for order in unit.orders}
    assert abs(fields[wanted][1] - 28.5) < 2, "beside the hall"
    client.command(524, units(seen, 1, 18)[0].tag)
    later = played(client, 1000).observation.player_common
    assert (later.food_workers, later.idle_worker_count) == (13, 0), "nor is who is made there"
    assert later.minerals > 400


def test_only_marines_and_what_they_need_can_be_made(client: Client) -> None:
    seen = enter(client, "BuildMarines")
    cheats = [debug_pb2.minerals, debug_pb2.gas, debug_pb2.tech_tree, debug_pb2.fast_build]
    client.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(game_state=one) for one in cheats]))
    barracks = debug_pb2.DebugCreateUnit(unit_type=BARRACKS, owner=1, quantity=1)
    barracks.pos.x, barracks.pos.y = 38.5, 34.5
    client.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(create_unit=barracks)]))
    seen = played(client, 3)
    home, worker = units(seen, 1, BARRACKS)[0].tag, units(seen, 1, SCV)[0].tag
    assert client.command(560, home) == 1  # a Marine
    assert client.command(421, home) != 1  # no tech lab
    assert client.command(322, worker, at=(36.5, 26.5)) != 1  # no Engineering Bay
    assert client.command(319, worker, at=(36.0, 26.0)) == 1  # a Supply Depot
    offered = {ability.ability_id for ability in _offers(client, worker)}
    assert 319 in offered
    assert 322 not in offered
    assert points(played(client, 100)) == 1


def _offers(client: Client, tag: int) -> list:
    request = query_pb2.RequestQuery()
    request.abilities.add().unit_tag = tag
    return client.ask(query=request).query.abilities[0].abilities


def test_who_is_selected_at_first_shows_on_the_minimap_before_the_screen(client: Client) -> None:
    """A user's print of FindAndDefeatZerglings: nothing to order in loop 0, and the layers differ."""
    client.create("mini_games/FindAndDefeatZerglings.SC2Map", (PARTICIPANT,))
    client.ask(join_game=sc.RequestJoinGame(race=TERRAN, options=screens.options()))
    for wanted in (False, True):
        seen = client.observe().observation
        layers = seen.feature_layer_data
        assert any(layers.minimap_renders.selected.data)
        assert any(layers.renders.selected.data) == wanted
        assert bool(seen.abilities) == wanted
        assert len(seen.ui_data.multi.units) == 3 * wanted
        client.step(1)
