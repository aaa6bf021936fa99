"""What comes in: minerals, gas, MULEs."""

from __future__ import annotations

from collections.abc import Sequence

from sim.fidelity.real import GAS_A_MINUTE, GAS_TRIPS, MINERALS, MULE_INTERVAL, MULE_TRIPS
from sim.fidelity.workshop import Row, ability_for, order
from sim.maps import Terrain, arena
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.placement import can_place

LOOPS_A_MINUTE = 22.4 * 60
TRIP, ALLOWED = 5, 0.03  # minerals of one trip, and the part of the real figure that we may be off
HALL = (56.5, 56.5)  # where a town hall of our own stands on open ground
FIRST_ORDER = 18  # loop in which those sides begin their first worker: all 71 of Kairos Junction have it at 290 to 293


def mining(terrain: Terrain, seed: int = 1, start: int = 0, patch: str = "5.0.14") -> list[Row]:
    """Minerals gathered from one base with SCVs one after the other, a depot as soon as the second one is begun and the
    bank allows it (real ones begin it at loop 405 or 428, these at 460 to 503), and then a barracks.

    Newborn SCVs go to the field that the game has set for them at the start, builders that are done to the one with
    the fewest workers; nobody else gets orders.
    """
    game = Game(terrain, [PlayerSetup(1, start=start), PlayerSetup(2, start=1 - start)], seed=seed, patch=patch)
    (hall,) = game.owned(1, "CommandCenter")
    train = ability_for(game, "CommandCenter", "SCV")
    gather = game.abilities_of(game.facts.ids["SCV"])["gather"][0]
    x, y = terrain.starts[start]
    fields = [s for s in game.near(x, y, 11) if int(game.units[s]["type"]) in game.facts.minerals]
    rows, plan = [], [("Barracks", 15, 150), ("SupplyDepot", 14, 100)]
    for loop in range(max(MINERALS) + 1):
        player = game.players[1]
        if loop in MINERALS:
            real = MINERALS[loop]
            allowed = max(TRIP, ALLOWED * real)
            rows.append(Row(f"{terrain.name} at {loop}", float(player["minerals_gathered"]), real, allowed))
        workers = game.owned(1, "SCV")
        bank = int(player["minerals"])
        due = bool(plan) and player["supply_used"] >= plan[-1][1] and bank >= plan[-1][2]
        if due and _build_near(game, workers, plan[-1][0], x, y):
            plan.pop()
        elif loop >= FIRST_ORDER and int(game.units[hall]["job_count"]) < 1 and bank >= 50:
            game.issue(Command(1, train, (game.tag(hall),)))
        if loop % 4 == 0:
            for slot in workers:
                if not game.units[slot]["order_count"]:
                    at_work = [int(game.units[other]["harvest_target"]) for other in workers]
                    order(game, slot, gather, target=min(fields, key=at_work.count))
        game.step()
    return rows


def _build_near(game: Game, workers: Sequence[int], name: str, x: float, y: float) -> bool:
    """Sends an SCV without a load to build near (x, y); False while tech or room is missing."""
    ability = ability_for(game, "SCV", name)
    spots = [(x + dx, y + dy) for dx in (7, -7, 9, -9, 11, -11) for dy in (7, -7, 5, -5, 9, -9)]
    at = next((spot for spot in spots if can_place(game, 1, ability, *spot) == 1), None)
    free = [slot for slot in workers if not game.units[slot]["carry"]]
    if at is None or not free:
        return False
    return game.issue(Command(1, ability, (game.tag(free[0]),), 0, *at, True)) == 1


def gas(terrain: Terrain, patch: str = "5.0.14") -> list[Row]:
    """Gas a minute from one and two refineries with three SCVs each, averaged over ten minutes."""
    rows = []
    for refineries, real in GAS_A_MINUTE.items():
        game = Game(terrain, [PlayerSetup(1, start=0), PlayerSetup(2, start=1)], seed=1, patch=patch)
        x, y = terrain.starts[0]
        units = game.units
        geysers = [s for s in game.near(x, y, 11) if int(units[s]["type"]) in game.facts.geysers][:refineries]
        workers = game.owned(1, "SCV")
        gather = game.facts.general[3666][0] if 3666 in game.facts.general else 295
        for number, geyser in enumerate(geysers):
            built = game.spawn(game.facts.ids["Refinery"], 1, float(units[geyser]["x"]), float(units[geyser]["y"]))
            game.units[built]["contents"] = units[geyser]["contents"]
            game.step()
            for slot in workers[3 * number : 3 * number + 3]:
                order(game, slot, gather, target=built)
        game.step(600)
        before, loops = int(game.players[1]["gas_gathered"]), int(10 * LOOPS_A_MINUTE)
        game.step(loops)
        amount = int(game.players[1]["gas_gathered"]) - before
        rows.append(Row(f"gas a minute, refineries: {refineries}", amount / loops * LOOPS_A_MINUTE, real, 1))
    return rows


def gas_trips(patch: str = "5.0.14") -> list[Row]:
    """Mean loops from delivery to delivery of one worker that nobody tells anything, by its refinery's place."""
    rows = []
    for (dx, dy), (real, allowed) in GAS_TRIPS.items():
        game = Game(arena(112, 112), [PlayerSetup(1, start=0)], seed=1, patch=patch)
        game.spawn(game.facts.ids["CommandCenter"], 1, *HALL)
        refinery = game.spawn(game.facts.ids["Refinery"], 1, HALL[0] + dx, HALL[1] + dy)
        game.units[refinery]["contents"] = 2250
        worker = game.spawn(game.facts.ids["SCV"], 1, HALL[0] + dx / 2, HALL[1] + dy / 2)
        game.step()
        order(game, worker, game.abilities_of(game.facts.ids["SCV"])["gather"][0], target=refinery)
        rows.append(Row(f"gas at {dx:g}, {dy:g}", _trips(game, worker), real, allowed))
    return rows


def mules(terrain: Terrain, patch: str = "5.0.14") -> list[Row]:
    """Loops between two MULEs of an Orbital Command that calls one as soon as it can, and of their trips from those
    fields of a start for which real ones are known, beside the first workers of a game."""
    game = _orbital(terrain, patch)
    places = _fields(game)
    field = next(iter(places))
    calls: list[int] = []
    while len(calls) < 3 and game.loop < 5000:
        seen = len(game.owned(1, "MULE"))
        if _call(game, field):
            calls.append(game.loop)
        game.step(1 if seen else 2)
    rows = [Row("MULE interval", calls[2] - calls[1], MULE_INTERVAL, 3)]
    for place in sorted(MULE_TRIPS.keys() & places.values()):
        rows.append(Row(f"trip at {place[0]:g}, {place[1]:g}", _trip(terrain, patch, place), MULE_TRIPS[place], 3))
    return rows


def _orbital(terrain: Terrain, patch: str) -> Game:
    """A new game whose town hall is an Orbital Command with the energy for a MULE."""
    game = Game(terrain, [PlayerSetup(1, start=0), PlayerSetup(2, start=1)], seed=1, patch=patch)
    (hall,) = game.owned(1, "CommandCenter")
    game.change_type(hall, game.facts.ids["OrbitalCommand"])
    game.units[hall]["energy"] = 50
    return game


def _fields(game: Game) -> dict[int, tuple[float, float]]:
    """Mineral fields of player 1's start, the nearest first -> place off the town hall's middle, mirrored."""
    (hall,) = game.owned(1, "OrbitalCommand")
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    near = [slot for slot in game.near(x, y, 9) if int(game.units[slot]["type"]) in game.facts.minerals]
    return {slot: (abs(float(game.units[slot]["x"]) - x), abs(float(game.units[slot]["y"]) - y)) for slot in near}


def _call(game: Game, field: int) -> bool:
    """Calls a MULE to a field if there is the energy."""
    (hall,) = game.owned(1, "OrbitalCommand")
    if game.units[hall]["energy"] < 50:
        return False
    call = next(a.id for a in game.facts.abilities.values() if a.name == "CalldownMULE" and a.target != "None")
    order(game, hall, call, target=field)
    return True


def _trip(terrain: Terrain, patch: str, place: tuple[float, float]) -> float:
    """Mean loops from delivery to delivery of one MULE at the field with this place."""
    game = _orbital(terrain, patch)
    _call(game, next(slot for slot, at in _fields(game).items() if at == place))
    game.step(100)
    (slot,) = game.owned(1, "MULE")
    return _trips(game, slot)


def _trips(game: Game, slot: int, last: int = 2000) -> float:
    """Mean loops from delivery to delivery of a worker until its time is over, or to loop `last`."""
    came, loaded = [], 0
    while game.units[slot]["alive"] and game.loop < last:
        carried, loaded = loaded, int(game.units[slot]["carry"])
        if carried and not loaded:
            came.append(game.loop)
        game.step()
    return (came[-1] - came[0]) / (len(came) - 1)
