"""Whatever clients say, in whatever order: every request gets its one answer, and none of them is an internal error."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from s2clientprotocol import common_pb2, debug_pb2, query_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server.client import COMPUTER, PARTICIPANT, Client
from tests.sim.server.conftest import map_file

KNOWN = (sc.launched, sc.init_game, sc.in_game, sc.ended)
BROKEN = ("Internal error", "the engine failed", "the game could not be started")
MAPS = ("SMAC_Maps/MMM.SC2Map", "SMAC_Maps/2s_vs_1sc.SC2Map", "32x32_flat", "Simple64", map_file(), "Nowhere", "")
numbers = st.integers(-(2**31), 2**31 - 1)
few = st.integers(0, 40)
tags = st.one_of(few.map(lambda slot: (slot << 18) + (1 << 32) + 1), st.integers(0, 2**64 - 1))
floats = st.one_of(st.floats(-5, 40), st.floats(width=32))
points = st.builds(lambda x, y: common_pb2.Point2D(x=x, y=y), floats, floats)
places = st.builds(lambda x, y: common_pb2.Point(x=x, y=y, z=0), floats, floats)
sizes = st.builds(lambda x, y: common_pb2.Size2DI(x=x, y=y), st.integers(-1, 80), st.integers(-1, 80))
layers = st.builds(
    lambda screen, mini, width: sc.SpatialCameraSetup(resolution=screen, minimap_resolution=mini, width=width),
    sizes,
    sizes,
    floats,
)


def asking(kind: str, value: st.SearchStrategy) -> st.SearchStrategy:
    """Requests of one kind as (name, message)."""
    return value.map(lambda message: (kind, message))


def optional(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(st.none(), strategy)


abilities = st.one_of(st.sampled_from((1, 4, 16, 17, 18, 23, 386, 3674, 3666)), st.integers(0, 4200), numbers)
unit_commands = st.builds(
    raw_pb2.ActionRawUnitCommand,
    ability_id=abilities,
    unit_tags=st.lists(tags, max_size=4),
    queue_command=st.booleans(),
    target_unit_tag=optional(tags),
)
aimed_commands = st.builds(
    raw_pb2.ActionRawUnitCommand,
    ability_id=abilities,
    unit_tags=st.lists(tags, max_size=4),
    target_world_space_pos=points,
)
raw_actions = st.one_of(
    st.builds(raw_pb2.ActionRaw, unit_command=st.one_of(unit_commands, aimed_commands)),
    st.builds(
        lambda ability, units: raw_pb2.ActionRaw(toggle_autocast={"ability_id": ability, "unit_tags": units}),
        abilities,
        st.lists(tags, max_size=3),
    ),
    st.builds(lambda place: raw_pb2.ActionRaw(camera_move={"center_world_space": place}), places),
)
actions = st.one_of(
    st.builds(sc.Action, action_raw=raw_actions),
    st.builds(lambda text: sc.Action(action_chat={"message": text}), st.text(max_size=20)),
    st.builds(
        lambda index, act: sc.Action(action_ui={"control_group": {"action": act, "control_group_index": index}}),
        st.integers(0, 12),
        st.integers(1, 5),
    ),
    st.builds(lambda index: sc.Action(action_ui={"cargo_panel": {"unit_index": index}}), st.integers(-3, 500)),
    st.builds(lambda way: sc.Action(action_ui={"select_idle_worker": {"type": way}}), st.integers(1, 4)),
    st.builds(
        lambda ability, x, y: sc.Action(
            action_feature_layer={"unit_command": {"ability_id": ability, "target_screen_coord": {"x": x, "y": y}}}
        ),
        abilities,
        numbers,
        numbers,
    ),
)
debugs = st.one_of(
    st.builds(
        lambda kind, owner, place, many: debug_pb2.DebugCommand(
            create_unit={"unit_type": kind, "owner": owner, "pos": place, "quantity": many}
        ),
        st.integers(0, 2100),
        st.integers(-1, 17),
        points,
        st.integers(0, 4),
    ),
    st.builds(lambda found: debug_pb2.DebugCommand(kill_unit={"tag": found}), st.lists(tags, max_size=5)),
    st.builds(
        lambda field, value, tag: debug_pb2.DebugCommand(
            unit_value={"unit_value": field, "value": value, "unit_tag": tag}
        ),
        st.integers(1, 3),
        floats,
        tags,
    ),
    st.builds(lambda state: debug_pb2.DebugCommand(game_state=state), st.integers(1, 12)),
    st.builds(lambda end: debug_pb2.DebugCommand(end_game={"end_result": end}), st.integers(1, 2)),
    st.just(debug_pb2.DebugCommand()),
)
queries = st.builds(
    query_pb2.RequestQuery,
    pathing=st.lists(
        st.one_of(
            st.builds(query_pb2.RequestQueryPathing, start_pos=points, end_pos=points),
            st.builds(query_pb2.RequestQueryPathing, unit_tag=tags, end_pos=points),
            st.just(query_pb2.RequestQueryPathing()),
        ),
        max_size=2,
    ),
    abilities=st.lists(st.builds(query_pb2.RequestQueryAvailableAbilities, unit_tag=tags), max_size=2),
    placements=st.lists(
        st.builds(
            query_pb2.RequestQueryBuildingPlacement,
            ability_id=abilities,
            target_pos=points,
            placing_unit_tag=optional(tags),
        ),
        max_size=2,
    ),
)
options = st.builds(
    sc.InterfaceOptions,
    raw=st.booleans(),
    score=st.booleans(),
    raw_affects_selection=st.booleans(),
    raw_crop_to_playable_area=st.booleans(),
    feature_layer=optional(layers),
)
joins = st.builds(sc.RequestJoinGame, race=st.integers(0, 4), options=options)  # an observer would wait for players
creates = st.builds(
    lambda name, kinds, race, level, fog, seed: sc.RequestCreateGame(
        local_map=sc.LocalMap(map_path=name),
        player_setup=[sc.PlayerSetup(type=kind, race=race, difficulty=level) for kind in kinds],
        disable_fog=fog,
        random_seed=seed,
    ),
    st.sampled_from(MAPS),
    st.permutations((PARTICIPANT, COMPUTER, sc.Observer)).flatmap(  # a second participant would be waited for
        lambda kinds: st.integers(0, 3).map(lambda count: kinds[:count])
    ),
    st.integers(1, 4),
    st.integers(1, 10),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
requests = st.one_of(
    asking("create_game", creates),
    asking("join_game", joins),
    asking("restart_game", st.just(sc.RequestRestartGame())),
    asking("leave_game", st.just(sc.RequestLeaveGame())),
    asking("save_replay", st.just(sc.RequestSaveReplay())),
    asking("game_info", st.just(sc.RequestGameInfo())),
    asking("data", st.builds(sc.RequestData, unit_type_id=st.booleans(), ability_id=st.booleans())),
    asking("observation", st.builds(sc.RequestObservation, disable_fog=st.booleans(), game_loop=optional(few))),
    asking("step", st.builds(sc.RequestStep, count=st.integers(0, 12))),
    asking("action", st.builds(sc.RequestAction, actions=st.lists(actions, max_size=3))),
    asking("query", queries),
    asking("debug", st.builds(sc.RequestDebug, debug=st.lists(debugs, max_size=3))),
    asking("available_maps", st.just(sc.RequestAvailableMaps())),
    asking("replay_info", st.builds(sc.RequestReplayInfo, replay_data=st.binary(max_size=8))),
    asking("start_replay", st.builds(sc.RequestStartReplay, replay_data=st.binary(max_size=8))),
    asking("save_map", st.builds(sc.RequestSaveMap, map_path=st.text(max_size=4), map_data=st.binary(max_size=8))),
)


def check(client: Client, name: str, message: Any) -> sc.Response:
    """Asks, and checks what every answer must be: an error or a response of its own kind, and a sensible status."""
    response = client.ask(**{name: message})
    assert response.status in KNOWN
    assert not any(text.startswith(BROKEN) for text in response.error), (name, message, response.error)
    assert response.error or response.WhichOneof("response") == name
    return response


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(requests, max_size=12))
def test_any_requests_in_any_order(client: Client, asked: list[tuple[str, Any]]) -> None:
    for name, message in asked:
        check(client, name, message)
    assert client.ask(ping=sc.RequestPing()).ping.base_build
    if client.ask(ping=sc.RequestPing()).status in (sc.in_game, sc.ended):
        check(client, "leave_game", sc.RequestLeaveGame())


in_game = st.lists(requests.filter(lambda asked: asked[0] in IN_GAME), min_size=1, max_size=14)
IN_GAME = ("save_replay", "game_info", "observation", "step", "action", "query", "debug", "restart_game")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(MAPS[:5]), options, st.integers(0, 1), in_game)
def test_any_requests_in_a_game(
    client: Client, name: str, wanted: sc.InterfaceOptions, watch: int, asked: list[tuple[str, Any]]
) -> None:
    """The same on an arena or a melee map, as a player or, where two built-in opponents play, as an observer."""
    setup = [sc.PlayerSetup(type=COMPUTER if watch else PARTICIPANT, race=1)]
    setup.append(sc.PlayerSetup(type=COMPUTER, race=2, difficulty=1))
    made = check(client, "create_game", sc.RequestCreateGame(local_map=sc.LocalMap(map_path=name), player_setup=setup))
    assert not made.create_game.HasField("error"), made
    seat = {"observed_player_id": 0} if watch else {"race": 1}
    check(client, "join_game", sc.RequestJoinGame(options=wanted, **seat))
    for kind, message in asked:
        check(client, kind, message)
    assert client.ask(ping=sc.RequestPing()).ping.base_build
