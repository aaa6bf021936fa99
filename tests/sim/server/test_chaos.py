"""Random orders to units of all three races over the socket: nothing breaks, nothing is left over, no observation says
what cannot be, and the saved game plays again to the very same state."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from s2clientprotocol import common_pb2, debug_pb2, query_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.engine.bufftable import buff_flags
from sim.engine.state import CHANNELLING, FLYING, IMMOBILE, INSIDE
from sim.facts import load
from sim.maps import placement_cells
from sim.melee import grids, supply
from sim.melee.game import Game
from sim.server.server import Server
from tests.sim.server.client import PARTICIPANT, Client, running_server
from tests.sim.server.conftest import map_file

TURNS, ACTORS, SPREAD = 90, 12, 9.0  # turns of 1 to 8 loops, units a turn, cells
CHEATS = (debug_pb2.all_resources, debug_pb2.tech_tree, debug_pb2.upgrade)
TABLES = ("mines", "locks", "nukes", "aiming", "dropping", "zones", "cyclones", "drones", "rallies", "walls", "cloaks")
TABLES += ("boarded", "routes", "blocked", "supply_drops", "missiles")


def made(rng: np.random.Generator, patch: str, low: tuple[float, float], high: tuple[float, float]) -> list[Any]:
    """Debug commands that make one or two of 110 types for each player, round one point of the map."""
    facts = load(patch)
    known = sorted(set(facts.ids.values()) - facts.minerals - facts.geysers)
    middle = rng.uniform(np.add(low, 20), np.subtract(high, 20))
    found = []
    for kind in rng.permutation(known)[:110].tolist():
        for owner in (1, 2):
            x, y = np.clip(middle + rng.normal(0, SPREAD, 2), np.add(low, 1), np.subtract(high, 1)).tolist()
            unit = {"unit_type": kind, "owner": owner, "pos": {"x": x, "y": y}, "quantity": int(rng.integers(1, 3))}
            found.append(debug_pb2.DebugCommand(create_unit=unit))
    return found


def ordered(rng: np.random.Generator, unit: Any, offered: list[int], units: list[Any]) -> sc.Action:
    """What the unit is offered, or anything, at a unit near it or anywhere, at a point, or at nothing."""
    known = offered if offered and rng.random() < 0.85 else [int(rng.integers(1, 4200))]
    order = raw_pb2.ActionRawUnitCommand(
        ability_id=int(rng.choice(known)), unit_tags=[unit.tag], queue_command=bool(rng.random() < 0.25)
    )
    at = rng.random()
    if at < 0.4:
        near = sorted(units, key=lambda other: math.hypot(other.pos.x - unit.pos.x, other.pos.y - unit.pos.y))
        order.target_unit_tag = near[int(rng.integers(min(len(near), 12 if at < 0.2 else 1000)))].tag
    elif at < 0.85:
        order.target_world_space_pos.x, order.target_world_space_pos.y = rng.normal(
            (unit.pos.x, unit.pos.y), 5
        ).tolist()
    if rng.random() < 0.05:
        toggle = {"ability_id": order.ability_id, "unit_tags": [unit.tag]}
        return sc.Action(action_raw=raw_pb2.ActionRaw(toggle_autocast=toggle))
    return sc.Action(action_raw=raw_pb2.ActionRaw(unit_command=order))


def ask(client: Client, **request: Any) -> sc.Response:
    """An answer that is no failure of the engine."""
    answer = client.ask(**request)
    assert not any(text.startswith(("Internal error", "the engine failed")) for text in answer.error), answer.error
    return answer


def turn(rng: np.random.Generator, client: Client, player: int) -> None:
    """Some units of the player do something, and now and then something is wounded or killed by a command."""
    seen = ask(client, observation=sc.RequestObservation()).observation.observation.raw_data.units
    check_seen(seen)
    units = list(seen)
    own = [unit for unit in units if unit.owner == player]
    chosen = [own[k] for k in rng.choice(len(own), min(ACTORS, len(own)), replace=False)]
    asked = [query_pb2.RequestQueryAvailableAbilities(unit_tag=unit.tag) for unit in chosen]
    query = query_pb2.RequestQuery(abilities=asked, ignore_resource_requirements=bool(rng.random() < 0.5))
    offers = [[row.ability_id for row in one.abilities] for one in ask(client, query=query).query.abilities]
    actions = [ordered(rng, unit, offered, units) for unit, offered in zip(chosen, offers, strict=True)]
    ask(client, action=sc.RequestAction(actions=actions))
    victim, chance = units[int(rng.integers(len(units)))], rng.random()
    value = {"unit_value": int(rng.integers(1, 4)), "value": float(rng.choice((1, 50, 200))), "unit_tag": victim.tag}
    if chance < 0.08:
        ask(client, debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(unit_value=value)]))
    elif chance < 0.12:
        ask(client, debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(kill_unit={"tag": [victim.tag]})]))


def check_seen(units: Any) -> None:
    """No tag comes twice, and no number lies where it cannot."""
    tags = [unit.tag for unit in units if unit.tag]
    assert len(set(tags)) == len(tags)
    for unit in units:
        numbers = (unit.health, unit.shield, unit.energy, unit.weapon_cooldown, unit.facing, unit.build_progress)
        assert all(math.isfinite(number) and number >= 0 for number in numbers), unit
        if unit.display_type == raw_pb2.Visible:
            for part in ("health", "shield", "energy"):
                assert getattr(unit, part) <= getattr(unit, f"{part}_max") + 1e-3, unit
            assert unit.cargo_space_taken <= unit.cargo_space_max, unit
            assert all(0 <= progress <= 1 for progress in (unit.build_progress, *(o.progress for o in unit.orders))), (
                unit
            )


def check_kept(game: Game) -> None:
    """What the game remembers is of who lives; passengers, bound units and grids are what they should be."""
    units = game.units[: int(game.world[0]["slots"])]
    living = units["alive"] == 1
    for name in TABLES:
        assert all(living[slot] for slot in getattr(game.memory, name)), name
    for slot in np.flatnonzero(living & (units["flags"] & CHANNELLING != 0)):
        assert units["order_count"][slot], f"{game.facts.names[units['type'][slot]]} is bound and does nothing"
    for slot in np.flatnonzero(living & (units["cargo"] > 0)):
        if not game.facts.names[units["type"][slot]].startswith("Nydus"):  # all of a network share their room
            inside = living & (units["inside"] == slot) & (units["flags"] & INSIDE != 0)
            assert game.types[1]["cargo_size"][units["type"][inside]].sum() == units["cargo"][slot]
    free = living & (units["order_count"] == 0) & np.isin(units["type"], [48, 51, 54])
    for slot in np.flatnonzero(free).tolist():  # who has nothing to do is held by a buff or not at all
        assert int(units["flags"][slot]) & IMMOBILE == buff_flags(units[slot], game.state.buffs) & IMMOBILE
    walk, place = game.terrain.walkable.astype(np.uint8), game.terrain.buildable.astype(np.uint8)
    for slot in np.flatnonzero(living & (units["flags"] & (FLYING | INSIDE) == 0)).tolist():
        kind, x, y = (units[name][slot].item() for name in ("type", "x", "y"))
        for column, row in grids.cells_of(game, slot):
            walk[row, column] = 0
        for column, row in placement_cells(kind, x, y):
            if 0 <= row < place.shape[0] and 0 <= column < place.shape[1]:
                place[row, column] = 0
    for cells in game.memory.walls.values():
        for column, row in cells:
            walk[row, column] = 0
    assert np.array_equal(walk, game.walk)
    assert np.array_equal(place, game.place)


def play(server: Server, patch: str, seed: int) -> tuple[int, str, bytes]:
    """A game of two clients. -> loops, hash of the last state, saved game"""
    rng = np.random.default_rng(seed)
    clients = [Client(server.port), Client(server.port)]
    first = clients[0]
    first.create(map_file(), (PARTICIPANT,), (PARTICIPANT,), random_seed=seed)
    for client in clients:
        client.send(join_game=client.join_request(int(rng.integers(1, 4))))
        time.sleep(0.05)  # who asks first is player 1
    assert [client.receive().join_game.player_id for client in clients] == [1, 2]
    area = first.ask(game_info=sc.RequestGameInfo()).game_info.start_raw.playable_area
    for client in clients:
        ask(client, debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(game_state=cheat) for cheat in CHEATS]))
    corners: list[common_pb2.PointI] = [area.p0, area.p1]
    ask(first, debug=sc.RequestDebug(debug=made(rng, patch, *((corner.x, corner.y) for corner in corners))))
    for number in range(TURNS):
        loops = int(rng.integers(1, 9))
        for client in clients:
            client.send(step=sc.RequestStep(count=loops))
        assert not [error for client in clients for error in client.receive().error]
        for player, client in enumerate(clients, 1):
            turn(rng, client, player)
        if number % 10 == 0:
            check_kept(server.match.game)
    game = server.match.game
    ending = game.loop, game.state_hash(), first.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    counted = game.players[["supply_used", "supply_cap"]].copy()
    game.supply_dirty[1:3] = [True, True]
    supply.recount(game)
    assert np.array_equal(counted, game.players[["supply_used", "supply_cap"]])
    for client in clients:
        client.close()
    return ending


@pytest.mark.parametrize(("patch", "seed"), [("5.0.14", 22), ("4.10.0", 11)])
def test_chaos(patch: str, seed: int) -> None:
    with running_server(patch=patch) as server:
        loops, state, saved = play(server, patch, seed)
    with running_server(patch=patch) as server:
        client = Client(server.port)
        options = sc.InterfaceOptions(raw=True)
        answer = client.ask(start_replay={"replay_data": saved, "observed_player_id": 1, "options": options})
        assert not answer.start_replay.HasField("error"), answer
        client.step(loops)
        assert (server.match.game.loop, server.match.game.state_hash()) == (loops, state)
        client.close()
