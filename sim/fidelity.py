"""Compares the engine with measurements of the real game: `python -m sim fidelity [--data ../shared] [--patch P]`.

The real numbers come from replays: ladder games on the client 4.10.0 and AI Arena games of 2026 (5.0.14). Ours are
measured in games of the engine, by counting loops and minerals, never read from its tables.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sim.engine.state import UNFINISHED
from sim.facts import patches
from sim.maps import MapError, Neutral, Terrain, arena, load, names
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.placement import can_place

LOOPS_A_MINUTE = 22.4 * 60
# Loops from the first observation of a structure to the one that shows it finished; replays 4.10.0 and 5.0.14 agree.
STRUCTURES = {
    "SupplyDepot": 480,
    "Refinery": 480,
    "Barracks": 1040,
    "EngineeringBay": 560,
    "Bunker": 640,
    "MissileTurret": 400,
    "SensorTower": 400,
    "Factory": 960,
    "Starport": 800,
    "Armory": 1040,
    "GhostAcademy": 640,
    "FusionCore": 1040,
    "CommandCenter": 1600,
    "BarracksTechLab": 400,
    "BarracksReactor": 800,
    "FactoryTechLab": 400,
    "FactoryReactor": 800,
    "StarportTechLab": 400,
    "StarportReactor": 800,
}
# Smallest gap between two units of one producer whose queue never ran dry.
GAPS = {"SCV": 271, "Marauder": 479, "SiegeTank": 719, "Reaper": 719, "Banshee": 959, "VikingFighter": 671}
PRODUCERS = ("Barracks", "Factory", "Starport")
HOSTS = {"Marauder": "Barracks", "Reaper": "Barracks", "SiegeTank": "Factory", "Banshee": "Starport"}
# Minerals gathered since loop 0 with constant SCV production and no gas: medians of 156 built-in AI games, 4.10.0.
MINERALS = {160: 35, 320: 120, 480: 190, 640: 285, 800: 375, 960: 460, 1280: 650, 1440: 740, 1600: 840}
GAS_A_MINUTE = {1: 156, 2: 313}  # full refineries: minutes' mode of 939 and more samples
MULE_INTERVAL = 1420  # mode of 1,164 intervals of one Orbital Command
TRAVEL = (("Marine", 2.25, 1000), ("SCV", 2.8125, 2.5), ("SiegeTank", 2.25, 1000), ("Reaper", 3.75, 1000))
TECH = ("CommandCenter", "SupplyDepot", "Barracks", "EngineeringBay", "Factory", "Armory", "Starport", "GhostAcademy")


class RefusedError(RuntimeError):
    """The engine did not do what a measurement needs."""


class Row(NamedTuple):
    """One line of the comparison: what, ours, the real game's, and the difference in percent of the real one."""

    what: str
    ours: float
    real: float

    @property
    def percent(self) -> float:
        return 100 * (self.ours - self.real) / self.real


def _workshop(patch: str) -> Game:
    """One rich Terran player with every tech on a flat field, with geysers far from home."""
    field = arena(112, 112)
    geysers = tuple(Neutral(342, 40.5 + 10 * number, 100.5) for number in range(2))
    game = Game(dataclasses.replace(field, neutrals=geysers), [PlayerSetup(1, start=0)], seed=1, patch=patch)
    for number, name in enumerate((*TECH, *("SupplyDepot",) * 12)):
        game.spawn(game.facts.ids[name], 1, 10.5 + 5 * (number // 8), 10.5 + 5 * (number % 8))
    game.players[1]["minerals"] = game.players[1]["gas"] = 50_000
    game.step()
    return game


def _ability(game: Game, caster: str, product: str) -> int:
    """The exact ability by which a type makes a product."""
    caster_id, product_id = game.facts.ids[caster], game.facts.ids[product]
    kinds = ("train", "build", "addon")
    return next(
        ability.id
        for ability in game.facts.abilities.values()
        if ability.product == product_id and caster_id in ability.casters and ability.kind in kinds
    )


def _order(game: Game, slot: int, ability: int, x: float = 0.0, y: float = 0.0, target: int = -1) -> None:
    tag = game.tag(target) if target >= 0 else 0
    point = target < 0 and (x, y) != (0.0, 0.0)
    result = game.issue(Command(1, ability, (game.tag(slot),), tag, x, y, point))
    if result != 1:
        raise RefusedError(f"the engine refused ability {ability} with result {result}")


def _first(game: Game, condition: Callable[[], bool], limit: int) -> int:
    """The loop at whose end the condition first holds; -1 when it does not within `limit` loops."""
    for _ in range(limit):
        game.step()
        if condition():
            return game.loop
    return -1


def structures(patch: str = "5.0.14") -> list[Row]:
    """Loops that every Terran structure takes, each built by an SCV (or added to its host) in a game of its own."""
    rows = []
    for name, real in STRUCTURES.items():
        game = _workshop(patch)
        host = next(
            (host for host in ("Barracks", "Factory", "Starport") if name.startswith(host) and name != host), ""
        )
        x, y = 60.5, 60.5
        builder = game.spawn(game.facts.ids[host or "SCV"], 1, x, y)
        game.step()
        ability = _ability(game, host or "SCV", name)
        if name == "Refinery":
            _order(game, builder, ability, target=int(np.flatnonzero(game.units["type"] == 342)[0]))
        elif host:
            _order(game, builder, ability)
        else:
            at = next((x + d, y) for d in np.arange(4, 12, 0.5) if can_place(game, 1, ability, x + d, y) == 1)
            _order(game, builder, ability, *at)
        known = set(game.owned(1, name))

        def new(game: Game = game, name: str = name, known: set[int] = known) -> list[int]:
            return [slot for slot in game.owned(1, name) if slot not in known]

        begun = _first(game, lambda new=new: bool(new()), 2000)
        if begun < 0:
            raise RefusedError(f"the construction of a {name} never began")
        slot = new()[0]
        done = _first(game, lambda g=game, s=slot: not int(g.units[s]["flags"]) & UNFINISHED, 2 * real)
        rows.append(Row(name, done - begun, real))
    return rows


def production(patch: str = "5.0.14") -> list[Row]:
    """Loops between two units of one full queue."""
    rows = []
    for name, real in GAPS.items():
        game = _workshop(patch)
        host = HOSTS.get(name, "CommandCenter" if name == "SCV" else "Starport")
        producer = game.spawn(game.facts.ids[host], 1, 60.5, 60.5)
        lab = game.facts.ids.get(f"{host}TechLab")
        if lab:
            addon = game.spawn(lab, 1, 63.0, 60.0)
            game.units[producer]["addon"], game.units[addon]["addon"] = addon, producer
        game.step()
        for _ in range(3):
            _order(game, producer, _ability(game, host, name))
        births, had = [], len(game.owned(1, name))
        for count in range(had + 1, had + 4):
            births.append(_first(game, lambda g=game, n=name, c=count: len(g.owned(1, n)) >= c, 3 * real))
        rows.append(Row(name, births[2] - births[1], real))
    return rows


def mining(terrain: Terrain, seed: int = 1, start: int = 0, patch: str = "5.0.14") -> list[Row]:
    """Minerals gathered from one base with SCVs in constant production, a depot at 14 supply, and then a barracks.

    As the built-in AI does, idle SCVs are sent to the field with the fewest workers; nobody else gets orders.
    """
    game = Game(terrain, [PlayerSetup(1, start=start), PlayerSetup(2, start=1 - start)], seed=seed, patch=patch)
    (hall,) = game.owned(1, "CommandCenter")
    train = _ability(game, "CommandCenter", "SCV")
    gather = game.abilities_of(game.facts.ids["SCV"])["gather"][0]
    x, y = terrain.starts[start]
    fields = [s for s in game.near(x, y, 11) if int(game.units[s]["type"]) in game.facts.minerals]
    rows, plan = [], [("Barracks", 15, 150), ("SupplyDepot", 14, 100)]
    for loop in range(max(MINERALS) + 1):
        player = game.players[1]
        if loop in MINERALS:
            rows.append(Row(f"{terrain.name} at {loop}", float(player["minerals_gathered"]), MINERALS[loop]))
        workers = game.owned(1, "SCV")
        bank = int(player["minerals"])
        due = bool(plan) and player["supply_used"] >= plan[-1][1] and bank >= plan[-1][2]
        if due and _build_near(game, workers, plan[-1][0], x, y):
            plan.pop()
        elif int(game.units[hall]["job_count"]) < 2 and bank >= 50:
            game.issue(Command(1, train, (game.tag(hall),)))
        if loop % 4 == 0:
            for slot in workers:
                if not game.units[slot]["order_count"]:
                    at_work = [int(game.units[other]["harvest_target"]) for other in workers]
                    _order(game, slot, gather, target=min(fields, key=at_work.count))
        game.step()
    return rows


def _build_near(game: Game, workers: Sequence[int], name: str, x: float, y: float) -> bool:
    """Sends an SCV without a load to build near (x, y); False while tech or room is missing."""
    ability = _ability(game, "SCV", name)
    spots = [(x + dx, y + dy) for dx in (7, -7, 9, -9, 11, -11) for dy in (7, -7, 5, -5, 9, -9)]
    at = next((spot for spot in spots if can_place(game, 1, ability, *spot) == 1), None)
    free = [slot for slot in workers if not game.units[slot]["carry"]]
    if at is None or not free:
        return False
    return game.issue(Command(1, ability, (game.tag(free[0]),), 0, *at, True)) == 1


def gas(terrain: Terrain, patch: str = "5.0.14") -> list[Row]:
    """Gas a minute from one and two refineries with three SCVs each, averaged over three minutes."""
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
                _order(game, slot, gather, target=built)
        game.step(600)
        before, loops = int(game.players[1]["gas_gathered"]), int(3 * LOOPS_A_MINUTE)
        game.step(loops)
        amount = int(game.players[1]["gas_gathered"]) - before
        rows.append(Row(f"gas a minute, refineries: {refineries}", amount / loops * LOOPS_A_MINUTE, real))
    return rows


def mule(terrain: Terrain, patch: str = "5.0.14") -> list[Row]:
    """Loops between two MULEs of an Orbital Command that calls one as soon as it can."""
    game = Game(terrain, [PlayerSetup(1, start=0), PlayerSetup(2, start=1)], seed=1, patch=patch)
    (hall,) = game.owned(1, "CommandCenter")
    game.change_type(hall, game.facts.ids["OrbitalCommand"])
    game.units[hall]["energy"] = 50
    x, y = terrain.starts[0]
    field = next(s for s in game.near(x, y, 11) if int(game.units[s]["type"]) in game.facts.minerals)
    call = next(a.id for a in game.facts.abilities.values() if a.name == "CalldownMULE" and a.target != "None")
    calls: list[int] = []
    while len(calls) < 3 and game.loop < 5000:
        seen = len(game.owned(1, "MULE"))
        if game.units[hall]["energy"] >= 50:
            _order(game, hall, call, target=field)
            calls.append(game.loop)
        game.step(1 if seen else 2)
    return [Row("MULE interval", calls[2] - calls[1], MULE_INTERVAL)]


def travel(patch: str = "5.0.14") -> list[Row]:
    """Loops that units need for 40 cells of open ground; real: catalog speed and acceleration (a normal second)."""
    rows = []
    for name, speed, acceleration in TRAVEL:
        game = Game(arena(112, 64), [PlayerSetup(1, start=0)], seed=1, patch=patch)
        slot = game.spawn(game.facts.ids[name], 1, 24.5, 12.5, facing=0.0)
        begun = game.loop
        _order(
            game, slot, game.abilities_of(game.facts.ids[name])["move"][0], 84.5, 12.5
        )  # and on, so that nobody brakes
        done = _first(game, lambda g=game, s=slot: float(g.units[s]["x"]) >= 64.5, 2000)
        real = 16 * (40 / speed + speed / (2 * acceleration))
        rows.append(Row(f"{name}: 40 cells", done - begun, real))
    return rows


def table(title: str, rows: Sequence[Row]) -> str:
    """The rows as text, worst difference last."""
    lines = [f"{title:<34} {'ours':>8} {'real':>8} {'diff':>7}"]
    lines += [f"  {row.what:<32} {row.ours:>8.0f} {row.real:>8.0f} {row.percent:>+6.1f}%" for row in rows]
    worst = max(rows, key=lambda row: abs(row.percent))
    return "\n".join([*lines, f"  {'worst':<32} {'':>8} {'':>8} {worst.percent:>+6.1f}%", ""])


def main(argv: Sequence[str]) -> int:
    """Prints the comparison. -> exit code."""
    parser = argparse.ArgumentParser(prog="python -m sim fidelity", description="Compare with the real game.")
    default = Path("../shared") if Path("../shared/recordings").is_dir() else None
    parser.add_argument("--data", type=Path, default=default, help="folder with recordings/ of real maps")
    parser.add_argument("--patch", default="5.0.14", help="balance to play by (default: %(default)s)")
    options = parser.parse_args(argv)
    recordings = options.data / "recordings" if options.data else None
    if recordings and not recordings.is_dir():
        print(f"sim fidelity: no recordings in {options.data}", file=sys.stderr)
        return 2
    if options.patch not in patches():
        print(f"sim fidelity: no patch {options.patch}; there are {', '.join(patches())}", file=sys.stderr)
        return 2
    patch = options.patch
    parts: list[tuple[str, Callable[[], list[Row]]]] = [
        ("structures, loops", lambda: structures(patch)),
        ("production gaps, loops", lambda: production(patch)),
        ("travel, loops", lambda: travel(patch)),
        ("gas", lambda: gas(load(names()[0]), patch)),
        ("MULE, loops", lambda: mule(load(names()[0]), patch)),
    ]
    parts += [
        ("minerals gathered", lambda n=name: mining(load(n, recordings), patch=patch)) for name in names(recordings)
    ]
    for title, measure in parts:
        try:
            print(table(title, measure()))
        except (MapError, RefusedError) as error:
            print(f"{title}: {error}\n")
    return 0
