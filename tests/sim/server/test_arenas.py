"""The arenas over the wire, asked as the multi-agent challenge's programs ask: armies, passive agents, new battles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from s2clientprotocol import debug_pb2, query_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import arenas
from sim.melee.game import Game
from sim.melee.records import PlayerSetup, Race
from sim.server.install import install
from tests.sim.server.client import COMPUTER, PARTICIPANT, PROTOSS, TERRAN, ZERG, Client

STOP, MOVE, ATTACK, HEAL = 4, 16, 23, 386
MARINE, STALKER, ZEALOT, MARAUDER, MEDIVAC = 48, 74, 73, 51, 54


def enter(client: Client, name: str, race: int = TERRAN, enemy: int = TERRAN, difficulty: int = 7) -> None:
    players = (PARTICIPANT,), (COMPUTER, enemy, difficulty)
    response = client.create(f"SMAC_Maps/{name}.SC2Map", *players, random_seed=5)
    assert not response.create_game.HasField("error")
    request = sc.RequestJoinGame(race=race, options=sc.InterfaceOptions(raw=True, score=False))
    assert client.ask(join_game=request).join_game.player_id == 1


def sides(client: Client) -> tuple[list, list]:
    units = client.observe().observation.raw_data.units
    return [u for u in units if u.owner == 1], [u for u in units if u.owner == 2]


def kill(client: Client, units: list) -> None:
    wanted = debug_pb2.DebugCommand(kill_unit=debug_pb2.DebugKillUnit(tag=[unit.tag for unit in units]))
    assert not client.ask(debug=sc.RequestDebug(debug=[wanted])).error


@pytest.mark.parametrize(
    ("name", "race", "copies", "enemies"),
    [
        ("3m", TERRAN, {0: 3}, {MARINE: 3}),
        ("MMM2", TERRAN, {0: 2, 1: 7, 2: 1}, {MARAUDER: 3, MARINE: 8, MEDIVAC: 1}),
        ("1c3s5z", PROTOSS, {0: 1, 1: 3, 2: 5}, {4: 1, STALKER: 3, ZEALOT: 5}),
        ("bane_vs_bane", ZERG, {0: 4, 1: 20}, {9: 4, 105: 20}),
    ],
)
def test_armies_and_their_types(client, name, race, copies, enemies):
    """Agents' types are consecutive ids behind all others, in the order of their names."""
    enter(client, name, race, race)
    ours, theirs = sides(client)
    data = client.ask(data=sc.RequestData(unit_type_id=True)).data.units
    first = min(unit.unit_type for unit in ours)
    assert first == len(data) - len(copies)
    assert all(data[number].name.endswith("_RL") for number in range(first, len(data)))
    assert {kind: sum(u.unit_type == first + kind for u in ours) for kind in copies} == copies
    assert {kind: sum(u.unit_type == kind for u in theirs) for kind in enemies} == enemies
    assert len(ours) == sum(copies.values())
    assert len(theirs) == sum(enemies.values())
    for unit in ours:
        base = next(u for u in data if u.name == data[unit.unit_type].name.removesuffix("_RL"))
        assert data[unit.unit_type].movement_speed > 0
        assert data[unit.unit_type].attributes == base.attributes


def test_game_info_is_read_as_the_challenge_reads_it(client):
    enter(client, "corridor", PROTOSS, ZERG)
    info = client.ask(game_info=sc.RequestGameInfo()).game_info.start_raw
    assert (info.map_size.x, info.map_size.y) == (32, 32)
    assert (info.playable_area.p0.x, info.playable_area.p1.x, info.playable_area.p1.y) == (0, 32, 32)
    assert info.pathing_grid.bits_per_pixel == 1
    bits = np.unpackbits(np.frombuffer(info.pathing_grid.data, np.uint8)).reshape(32, 32)
    assert (bits == arenas.load("corridor").terrain.walkable).all()
    assert len(info.terrain_height.data) == 32 * 32


def test_agents_do_nothing_unless_told(client):
    """Enemies march up and shoot; the agents neither answer nor run, also not the Medivac."""
    enter(client, "MMM")
    before = {unit.tag: (unit.pos.x, unit.pos.y) for unit in sides(client)[0]}
    for _ in range(12):
        client.step(16)
    ours, theirs = sides(client)
    assert sum(unit.health for unit in theirs) == sum(unit.health_max for unit in theirs)
    assert len(ours) < 10 or sum(unit.health for unit in ours) < sum(unit.health_max for unit in ours)
    for unit in ours:
        assert math.dist((unit.pos.x, unit.pos.y), before[unit.tag]) < 1.5  # pushed at most


def test_agents_obey(client):
    enter(client, "MMM")
    ours, theirs = sides(client)
    first = min(unit.unit_type for unit in ours)
    marine = min((unit for unit in ours if unit.unit_type == first + 1), key=lambda unit: unit.pos.y)
    medivac = next(unit for unit in ours if unit.unit_type == first + 2)
    assert client.command(MOVE, marine.tag, at=(marine.pos.x, marine.pos.y - 2)) == 1
    client.step(8)
    moved = next(unit for unit in sides(client)[0] if unit.tag == marine.tag)
    assert marine.pos.y - moved.pos.y == pytest.approx(8 * 2.25 / 16, abs=0.05), "it sets off at once"
    assert client.command(STOP, marine.tag) == 1
    assert client.command(ATTACK, marine.tag, target=theirs[0].tag) == 1
    assert client.command(HEAL, medivac.tag, target=marine.tag) == 1
    assert client.command(HEAL, marine.tag, target=medivac.tag) == 2


@pytest.mark.parametrize("name", sorted(arenas.names()))
def test_whoever_stands_on_an_arena_is_whole(client, name):
    """Copies of Hydralisks had the life of live ones, 90 of their own 80."""
    enter(client, name)
    ours, theirs = sides(client)
    assert ours or name == "32x32_flat"
    assert all((unit.health, unit.shield) == (unit.health_max, unit.shield_max) for unit in ours + theirs)


def test_enemies_choose_targets_by_their_difficulty(client):
    """Nobody else's orders are shown, but whom they hurt."""

    def lives(difficulty: int) -> list[tuple[int, float]]:
        enter(client, "1c3s5z", PROTOSS, PROTOSS, difficulty)
        client.step(200)
        left = [(unit.unit_type, unit.health + unit.shield) for unit in sides(client)[0]]
        client.ask(leave_game=sc.RequestLeaveGame())
        return left

    assert lives(1) == lives(2) != lives(7)


def test_a_new_battle_begins_when_nobody_is_left(client):
    enter(client, "2s3z", PROTOSS, PROTOSS)
    ours, theirs = sides(client)
    places = sorted((unit.unit_type, unit.pos.x, unit.pos.y) for unit in ours + theirs)
    for _ in range(3):
        client.step(60)
        ours, theirs = sides(client)
        before = ours + theirs
        kill(client, before)
        client.step(2)
        assert sides(client) == ([], [])
        client.step(5)
        ours, theirs = sides(client)
        assert (len(ours), len(theirs)) == (5, 5)
        assert not {unit.tag for unit in before} & {unit.tag for unit in ours + theirs}
        assert all(unit.health == unit.health_max for unit in ours + theirs)
        now = sorted((unit.unit_type, unit.pos.x, unit.pos.y) for unit in ours + theirs)
        for (kind, x, y), (was, x0, y0) in zip(now, places, strict=True):
            assert kind == was
            assert math.dist((x, y), (x0, y0)) < 0.5
    client.step(16)
    assert sum(unit.pos.x for unit in sides(client)[1]) < sum(unit.pos.x for unit in theirs)  # they come again


def test_while_somebody_lives_nobody_comes_back(client):
    enter(client, "3m")
    ours, theirs = sides(client)
    kill(client, theirs)
    client.step(50)
    ours, theirs = sides(client)
    assert (len(ours), len(theirs)) == (3, 0)
    assert client.ask(observation=sc.RequestObservation()).status == sc.in_game  # no side has won or lost


def test_both_sides_see_everything(client):
    enter(client, "corridor", PROTOSS, ZERG)
    observation = client.observe().observation.raw_data
    assert set(observation.map_state.visibility.data) == {2}
    assert len([unit for unit in observation.units if unit.owner == 2]) == 24


def test_the_lone_spine_crawler_lives(client):
    enter(client, "2s_vs_1sc", PROTOSS, ZERG)
    client.step(400)
    ours, theirs = sides(client)
    assert [unit.health for unit in theirs] == [unit.health_max for unit in theirs]
    assert len(ours) == 2


def test_the_flat_field_takes_units_by_debug_commands(client):
    """As the second challenge does: copies by the last nine ids, enemies that hunt."""
    enter(client, "32x32_flat")
    assert sides(client) == ([], [])
    data = client.ask(data=sc.RequestData(unit_type_id=True)).data.units
    names = [unit.name for unit in list(data)[-9:]]
    assert names == sorted(names)
    assert names[4] == "Marine_RL"
    wanted = [
        debug_pb2.DebugCommand(create_unit=debug_pb2.DebugCreateUnit(unit_type=kind, owner=owner, pos=pos, quantity=2))
        for kind, owner, pos in ((len(data) - 5, 1, {"x": 8, "y": 16}), (MARINE, 2, {"x": 24, "y": 16}))
    ]
    assert not client.ask(debug=sc.RequestDebug(debug=wanted)).error
    client.step(2)
    ours, theirs = sides(client)
    assert (len(ours), len(theirs)) == (2, 2)
    client.step(160)
    ours, theirs = sides(client)
    assert all(unit.pos.x < 22 for unit in theirs)
    assert sum(unit.health for unit in theirs) == 90  # copies stay passive here too


def test_all_arenas_are_installed_and_listed(tmp_path, client):
    install(tmp_path)
    found = {path.stem for path in (tmp_path / "Maps" / "SMAC_Maps").iterdir()}
    assert found == set(arenas.names())
    listed = client.ask(available_maps=sc.RequestAvailableMaps()).available_maps.local_map_paths
    assert {f"SMAC_Maps/{name}.SC2Map" for name in arenas.names()} <= set(listed)


def test_a_colossus_walks_down_the_plateau_and_zerglings_take_the_ramps(client):
    enter(client, "2c_vs_64zg", PROTOSS, ZERG)
    ours, theirs = sides(client)
    kill(client, theirs[1:])
    client.step(2)
    walker, runner = ours[0], theirs[0]
    asked = query_pb2.RequestQuery(pathing=[{"unit_tag": runner.tag, "end_pos": {"x": 16, "y": 16}}])
    assert client.ask(query=asked).query.pathing[0].distance > 20
    assert client.command(MOVE, walker.tag, at=(walker.pos.x, 10)) == 1
    client.step(60)
    found = next(unit for unit in sides(client)[0] if unit.tag == walker.tag)
    assert found.pos.y < 12


def test_restart_begins_at_loop_zero_with_both_armies(client):
    enter(client, "3m")
    client.step(100)
    assert client.ask(restart_game=sc.RequestRestartGame()).status == sc.in_game
    assert client.observe().observation.game_loop == 0
    assert [len(side) for side in sides(client)] == [3, 3]


def test_zerglings_of_the_plateau_attack_one_colossus_and_then_the_other():
    setups = [PlayerSetup(Race.PROTOSS, start=0), PlayerSetup(Race.ZERG, start=1)]
    game = Game(arenas.load("2c_vs_64zg").terrain, setups, seed=1)
    ours, theirs = game.owned(1, "Colossus_RL"), game.owned(2, "Zergling")
    game.step()
    assert (len(ours), len(theirs)) == (2, 64)
    assert {tuple(sorted(game.orders[slot, :2]["target"].tolist())) for slot in theirs} == {tuple(ours)}
    assert set(game.orders[theirs, 0]["ability"].tolist()) == {ATTACK}
