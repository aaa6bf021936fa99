"""Debug commands: units out of nothing, cheats, the end of the game. Drawings are accepted and drawn nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import cos, floor, isnan, pi, sin, sqrt
from typing import TYPE_CHECKING

import numpy as np
from s2clientprotocol import debug_pb2

from sim.engine.state import BURROWED, FLYING, INSIDE, INVULNERABLE, PLAYERS
from sim.melee import looks, placement, start, supply
from sim.melee.records import Outcome
from sim.melee.spread import GOLDEN_ANGLE, spread
from sim.server import cheats
from sim.server.data import named_types
from sim.server.places import on_map
from sim.server.seat import RequestError, Seat

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.server.match import Match

DELAY = 2  # loops from a command until it shows
MOST_UNITS = 500  # of one create_unit
KEPT = 1024  # room for units that only the game itself may fill: larvae, eggs, missiles' broods
FARTHEST = 24.0  # who finds no room within so many cells comes all the same
NEUTRAL = 16
FIELDS = {debug_pb2.DebugSetUnitValue.Energy: "energy", debug_pb2.DebugSetUnitValue.Life: "hp"}


def run_debug(seat: Seat, commands: Iterable[debug_pb2.DebugCommand]) -> None:
    """Carries the commands out in order; units come, go and change and the map shows two loops on, all else at once."""
    if not seat.player:
        raise RequestError("Observers cannot use debug commands")
    for command in commands:
        kind = command.WhichOneof("command")
        handler = HANDLERS.get(kind or "")
        if handler is not None and not seat.match.over:
            handler(seat, command)
    for other in seat.match.eyes:
        if other.sight is not None:
            other.sight.update(force=True)


def carry_out(match: Match) -> bool:
    """Does to units what was asked for two loops ago, at the loop's end; -> something was done.

    The official C++ client's tests of the real game, with a client alone: who is made or killed is still missing or
    there a loop later and appears or is gone in the second. Who appears has hurt nobody yet (burnysc2's test of
    damages), though its energy has grown once.
    """
    due = [act for loop, act in match.debug_orders if loop <= match.game.loop - DELAY]
    match.debug_orders = match.debug_orders[len(due) :]
    for act in due:
        act()
    if any(match.game.supply_dirty):
        supply.recount(match.game)  # room comes with who brings it (burnysc2's realtime test makes Nexus one by one)
    return bool(due)


def _later(seat: Seat, act: Callable[[], None]) -> None:
    """Puts an act off until the end of the loop after the next."""
    seat.match.debug_orders.append((seat.match.game.loop, act))


def _create(seat: Seat, command: debug_pb2.DebugCommand) -> None:
    """Judges the command now; the units appear later."""
    game, wanted = seat.match.game, command.create_unit
    resource = wanted.unit_type in game.facts.minerals | game.facts.geysers  # nobody's, whoever is named (those tests)
    owner = 0 if resource or wanted.owner in (0, NEUTRAL) else wanted.owner
    if not 0 <= owner < PLAYERS:  # the official client's tests make enemies in a game of one
        raise RequestError(f"There is no player {wanted.owner}")
    if wanted.unit_type not in game.facts.ids.values():
        if wanted.unit_type in named_types(game.facts.patch):
            return  # of a campaign or a test: public bots make one of each type that the data names
        raise RequestError(f"There is no unit type {wanted.unit_type}")
    place = on_map(game, wanted.pos)
    if place is None:
        raise RequestError("The place is no point on the map")
    _later(seat, lambda: _spawn(game, wanted, owner, place))


def _spawn(game: Game, wanted: debug_pb2.DebugCreateUnit, owner: int, place: tuple[float, float]) -> None:
    """Units at the place, each in the nearest room that those before it and whoever stands there leave.

    So who is named first stands in the middle and the others round him (a public program's real fights: "places them
    outward in the order listed", so Marauders named after Marines are in front). Those of player 2 stand and look as
    player 1's would turned by half (structures aside): two armies made alike that meet are images of each other, so
    neither begins with the better front. Once the world is full nobody comes.
    """
    structure = bool(game.types["structure"][owner, wanted.unit_type])
    turn = pi if owner == 2 and not structure else 0.0
    facing = (looks.of(game.patch)[wanted.unit_type] + turn) % (2 * pi)
    flags = INVULNERABLE if wanted.unit_type in game.facts.flags["invulnerable"] else 0
    room = max(len(game.units) - KEPT - int(game.units["alive"].sum()), 0)
    for x, y in _rooms(game, wanted.unit_type, owner, place, min(wanted.quantity or 1, MOST_UNITS, room)):
        if wanted.unit_type in game.facts.minerals | game.facts.geysers:
            wide = wanted.unit_type in game.facts.geysers  # three cells; a field is two wide and one high
            x, y = (floor(x) + 0.5 if wide else floor(x + 0.5)), floor(y) + 0.5
            start.spawn_neutral(game, wanted.unit_type, x, y)
            game.resource_version += 1
        else:
            if structure:
                x, y = placement.snap(game, wanted.unit_type, x, y)  # in step with add-ons and other structures
                _bring_geyser(game, wanted.unit_type, x, y)
            slot = game.spawn(wanted.unit_type, owner, x, y, facing=facing, turret=facing, flags=flags)
            if slot >= 0:
                row, unit = game.type_of(slot), game.units[slot]
                unit["energy"] = min(unit["energy"] + row["energy_regen"], row["energy_max"])


def _rooms(game: Game, kind: int, owner: int, place: tuple[float, float], count: int) -> list[tuple[float, float]]:
    """Where so many units of a type come, one after the other; structures, resources and who keeps nobody away heed
    nobody."""
    flying, apart = bool(game.types["flying"][owner, kind]), float(game.types["separation"][owner, kind])
    turn = pi if owner == 2 else 0.0
    x0, y0, x1, y1 = game.terrain.playable
    heeds = apart > 0.0 and not game.types["structure"][owner, kind]
    if not heeds or kind in game.facts.minerals | game.facts.geysers:
        ways = [(2.2 * max(apart, 0.2) * sqrt(k), k * GOLDEN_ANGLE) for k in range(count)]
        rooms = [(place[0] + away * cos(angle), place[1] + away * sin(angle)) for away, angle in ways]
        return [(min(max(x, x0 + 0.5), x1 - 0.5), min(max(y, y0 + 0.5), y1 - 0.5)) for x, y in rooms]
    open_to_it = np.zeros_like(game.walk)
    open_to_it[y0:y1, x0:x1] = 1 if flying else game.walk[y0:y1, x0:x1]
    x, y = place if flying else _ground(game, *place)
    return spread([(x, y, apart)] * count, open_to_it, _standing(game, flying), turn, FARTHEST)


def _standing(game: Game, flying: bool) -> list[tuple[float, float, float]]:
    """x, y and separation radius of all who fly, or of all walkers above the ground who keep apart."""
    units, types = game.units, game.types
    kind = units["owner"], units["type"]
    there = (units["alive"] == 1) & ((units["flags"] & (INSIDE | BURROWED)) == 0) & (types["structure"][kind] == 0)
    chosen = there & (((units["flags"] & FLYING) != 0) == flying) & (types["separation"][kind] > 0.0)
    columns = units["x"][chosen], units["y"][chosen], types["separation"][kind][chosen]
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _bring_geyser(game: Game, type_id: int, x: float, y: float) -> None:
    """A gas structure that is made on open ground has a geyser of its own below it.

    So the C++ client's tests have it (a Probe harvests there), and observations of public test data: seven maps of 2024
    on which somebody had made 60 rich gas structures show 103 rich geysers.
    """
    if type_id not in game.facts.gas_structures:
        return
    geysers = np.isin(game.units["type"], list(game.facts.geysers))
    if len(game.near(x, y, 1.0, geysers)) == 0:
        rich = game.facts.names[type_id].endswith("Rich")
        start.spawn_neutral(game, game.facts.ids["RichVespeneGeyser" if rich else "VespeneGeyser"], x, y)
        game.resource_version += 1


def _ground(game: Game, x: float, y: float) -> tuple[float, float]:
    """The place itself where ground units can stand there, else the middle of the nearest cell where they can."""
    if game.walk[int(y), int(x)]:
        return x, y
    rows, columns = np.nonzero(game.walk)
    nearest = int(np.argmin((columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2))
    return float(columns[nearest]) + 0.5, float(rows[nearest]) + 0.5


def _kill(seat: Seat, command: debug_pb2.DebugCommand) -> None:
    """Passengers are not reached: in the C++ client's tests one that was told to die with its bunker lives on."""
    game = seat.match.game
    slots = {tag: game.slot(tag) for tag in command.kill_unit.tag}
    tags = [tag for tag, slot in slots.items() if slot >= 0 and not game.units[slot]["flags"] & INSIDE]
    _later(seat, lambda: _remove(game, tags))


def _remove(game: Game, tags: Iterable[int]) -> None:
    for tag in tags:
        slot = game.slot(tag)
        if slot >= 0:
            game.kill(slot, dark=True)


def _unit_value(seat: Seat, command: debug_pb2.DebugCommand) -> None:
    _later(seat, lambda: _set(seat.match.game, command.unit_value))


def _set(game: Game, wanted: debug_pb2.DebugSetUnitValue) -> None:
    slot = game.slot(wanted.unit_tag)
    if slot < 0 or isnan(wanted.value):  # a life that is no number would never end
        return
    name = FIELDS.get(wanted.unit_value, "shield")
    limit = game.type_of(slot)["energy_max"] if name == "energy" else game.units[slot][f"{name}_max"]
    value = limit if wanted.value == 0 and name != "hp" else wanted.value  # 0 fills shields and energy (observed)
    game.units[slot][name] = min(max(value, 0.0), float(limit))


def _game_state(seat: Seat, command: debug_pb2.DebugCommand) -> None:
    """burnysc2's check of its examples on the real game (4.10) lets one light the map before its first step: had the
    same loop's next observation more units, the distances that it keeps for a loop would end it by an exception."""
    if command.game_state == debug_pb2.show_map:
        _later(seat, lambda: cheats.switch(seat, debug_pb2.show_map))
    else:
        cheats.switch(seat, command.game_state)


def _end(seat: Seat, command: debug_pb2.DebugCommand) -> None:
    game, player = seat.match.game, seat.player
    if command.end_game.end_result == debug_pb2.DebugEndGame.DeclareVictory:
        results = dict.fromkeys(range(1, len(game.setups) + 1), Outcome.DEFEAT)
        game.declare({**results, player: Outcome.VICTORY})
    else:
        game.surrender(player)


HANDLERS = {
    "create_unit": _create,
    "kill_unit": _kill,
    "unit_value": _unit_value,
    "game_state": _game_state,
    "end_game": _end,
}
