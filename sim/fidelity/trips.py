"""Trips of workers that a bot steers, from delivery to delivery.

Four public bots of the ladder steer alike: a worker with no other orders that comes within two cells of the field's or
the town hall's edge is sent there by a move, with the harvest or the delivery queued behind it, so that it does not
slow down before. They look every four or five loops; as the worker goes on by itself meanwhile, that hardly changes
its trips: their means are half a loop apart, 1.2 at worst. In games of two clients an action travels for a loop.

Another one looks in every loop, leads its workers home from the load on, and lets them go out by themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from sim.engine.state import GATHER, RETURN
from sim.fidelity.real import LED_HOME, STEERED_TRIPS
from sim.fidelity.workshop import Row, order
from sim.maps import Terrain
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.harvest_places import DELAY, WALK
from sim.server.actions import TRAVEL

EVERY = 4  # loops between two looks
NEAR, FAR = 0.75, 2.0  # cells from the point within which the bots steer
HALL_EDGE = 3.125  # cells from the middle of a town hall to the point to which they send
HOME_POINT = 3.0  # and to that of the bot that looks in every loop, which sends on to the middle
MOVE, SMART = 16, 1
FIRST, LAST = 400, 1600  # loops: trips in between count
ALLOWED = 1.0  # loop: the means of two bots differ by as much


def trips(terrain: Terrain, start: int = 0, patch: str = "5.0.14") -> list[Row]:
    """Mean loops of a trip of one steered SCV at each field of a start whose place real bots have harvested."""
    real = {place: row[0] for place, row in STEERED_TRIPS.items()}
    return _trips(terrain, start, patch, real, _steer, EVERY)


def led_home(terrain: Terrain, start: int = 0, patch: str = "5.0.14") -> list[Row]:
    """The same of SCVs that are led home only, by a bot that looks in every loop."""
    return _trips(terrain, start, patch, LED_HOME, _lead_home, 1)


def _trips(
    terrain: Terrain,
    start: int,
    patch: str,
    real: dict[tuple[float, float], float],
    tell: Callable[[Game, int, int, int], list[Command]],
    every: int,
) -> list[Row]:
    """Lets one worker a field make its trips: `tell` says what its bot tells it at a look, one in `every` loops."""
    game = Game(terrain, [PlayerSetup(1, start=start), PlayerSetup(2, start=1 - start)], seed=1, patch=patch)
    units, (hall,) = game.units, game.owned(1, "CommandCenter")
    home = float(units[hall]["x"]), float(units[hall]["y"])
    gather = game.abilities_of(game.facts.ids["SCV"])["gather"][0]
    fields = [s for s in game.near(*home, 9) if int(units[s]["type"]) in game.facts.minerals]
    places = {field: (float(units[field]["x"]) - home[0], float(units[field]["y"]) - home[1]) for field in fields}
    known = [field for field in fields if _mirrored(places[field]) in real]
    workers = dict(zip(game.owned(1, "SCV"), known, strict=False))
    for slot in game.owned(1, "SCV"):
        if slot in workers:
            order(game, slot, gather, target=workers[slot])
        else:
            game.remove(slot)
    said: dict[int, list[Command]] = {slot: [] for slot in workers}
    came: dict[int, list[int]] = {slot: [] for slot in workers}
    loaded = dict.fromkeys(workers, 0)
    while game.loop < LAST:
        for slot, field in workers.items():
            if game.loop % every == TRAVEL % every:
                for command in said[slot]:
                    game.issue(command)
            if game.loop % every == 0:
                said[slot] = tell(game, slot, hall, field)
            carried, loaded[slot] = loaded[slot], int(units[slot]["carry"])
            if carried and not loaded[slot] and game.loop > FIRST:
                came[slot].append(game.loop)
        game.step()
    rows = []
    for slot, loops in came.items():
        place = _mirrored(places[workers[slot]])
        mean = (loops[-1] - loops[0]) / (len(loops) - 1)
        rows.append(Row(f"field at {place[0]:g}, {place[1]:g}", mean, real[place], ALLOWED))
    return sorted(rows)


def _mirrored(place: tuple[float, float]) -> tuple[float, float]:
    return abs(place[0]), abs(place[1])


def _steer(game: Game, slot: int, hall: int, field: int) -> list[Command]:
    """What the bots tell a worker in this loop."""
    unit, center = game.units[slot], game.units[hall]
    x, y, home_x, home_y = (float(v) for v in (unit["x"], unit["y"], center["x"], center["y"]))
    if unit["order_count"] != 1 or unit["harvest_stage"] != WALK:
        return []
    if unit["carry"] and game.orders[slot, 0]["verb"] == RETURN:
        target, share = hall, HALL_EDGE / math.hypot(x - home_x, y - home_y)
        point = home_x + share * (x - home_x), home_y + share * (y - home_y)
    elif not unit["carry"] and game.orders[slot, 0]["verb"] == GATHER:
        target, field_x, field_y = field, float(game.units[field]["x"]), float(game.units[field]["y"])
        _, dx, dy = STEERED_TRIPS[abs(field_x - home_x), abs(field_y - home_y)]
        point = field_x + math.copysign(1, home_x - field_x) * dx, field_y + math.copysign(1, home_y - field_y) * dy
    else:
        return []
    if not NEAR < math.dist((x, y), point) < FAR:
        return []
    move = Command(1, MOVE, (game.tag(slot),), 0, *point, True)
    return [move, Command(1, SMART, (game.tag(slot),), game.tag(target), queued=True)]


def _lead_home(game: Game, slot: int, hall: int, _: int) -> list[Command]:
    """What the bot that looks in every loop tells a worker that has its load: a point, the town hall, home."""
    unit, center = game.units[slot], game.units[hall]
    if unit["harvest_stage"] != DELAY or unit["order_count"] != 1:
        return []
    x, y, home_x, home_y = (float(v) for v in (unit["x"], unit["y"], center["x"], center["y"]))
    share, tag = HOME_POINT / math.hypot(x - home_x, y - home_y), (game.tag(slot),)
    return [
        Command(1, MOVE, tag, 0, home_x + share * (x - home_x), home_y + share * (y - home_y), True),
        Command(1, MOVE, tag, 0, home_x, home_y, True, True),
        Command(1, int(game.harvest_table[unit["type"]]["bring"]), tag, queued=True),
    ]
