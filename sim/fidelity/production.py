"""How long things take: structures, full queues, and ways over open ground."""

from __future__ import annotations

import numpy as np

from sim.engine.state import UNFINISHED
from sim.fidelity.real import GAPS, HOSTS, STRUCTURES, TRAVEL
from sim.fidelity.workshop import RefusedError, Row, ability_for, first_loop, order, workshop
from sim.maps import arena
from sim.melee.game import Game, PlayerSetup
from sim.melee.placement import can_place


def structures(patch: str = "5.0.14") -> list[Row]:
    """Loops that every Terran structure takes, each built by an SCV (or added to its host) in a game of its own."""
    rows = []
    for name, real in STRUCTURES.items():
        game = workshop(patch)
        host = next(
            (host for host in ("Barracks", "Factory", "Starport") if name.startswith(host) and name != host), ""
        )
        x, y = 60.5, 60.5
        builder = game.spawn(game.facts.ids[host or "SCV"], 1, x, y)
        game.step()
        ability = ability_for(game, host or "SCV", name)
        if name == "Refinery":
            order(game, builder, ability, target=int(np.flatnonzero(game.units["type"] == 342)[0]))
        elif host:
            order(game, builder, ability)
        else:
            at = next((x + d, y) for d in np.arange(4, 12, 0.5) if can_place(game, 1, ability, x + d, y) == 1)
            order(game, builder, ability, *at)
        known = set(game.owned(1, name))

        def new(game: Game = game, name: str = name, known: set[int] = known) -> list[int]:
            return [slot for slot in game.owned(1, name) if slot not in known]

        begun = first_loop(game, lambda new=new: bool(new()), 2000)
        if begun < 0:
            raise RefusedError(f"the construction of a {name} never began")
        slot = new()[0]
        done = first_loop(game, lambda g=game, s=slot: not int(g.units[s]["flags"]) & UNFINISHED, 2 * real)
        rows.append(Row(name, done - begun + 1, real))  # the loop in which it begins counts
    return rows


def production(patch: str = "5.0.14") -> list[Row]:
    """Loops between two units of one full queue."""
    rows = []
    for name, real in GAPS.items():
        game = workshop(patch)
        host = HOSTS.get(name, "CommandCenter" if name == "SCV" else "Starport")
        producer = game.spawn(game.facts.ids[host], 1, 60.5, 60.5)
        lab = game.facts.ids.get(f"{host}TechLab")
        if lab:
            addon = game.spawn(lab, 1, 63.0, 60.0)
            game.units[producer]["addon"], game.units[addon]["addon"] = addon, producer
        game.step()
        for _ in range(3):
            order(game, producer, ability_for(game, host, name))
        births, had = [], len(game.owned(1, name))
        for count in range(had + 1, had + 4):
            births.append(first_loop(game, lambda g=game, n=name, c=count: len(g.owned(1, n)) >= c, 3 * real))
        rows.append(Row(name, births[2] - births[1], real))
    return rows


def travel(patch: str = "5.0.14") -> list[Row]:
    """Loops that units need for 40 cells of open ground; real: catalog speed and acceleration (a normal second)."""
    rows = []
    for name, speed, acceleration in TRAVEL:
        game = Game(arena(112, 64), [PlayerSetup(1, start=0)], seed=1, patch=patch)
        slot = game.spawn(game.facts.ids[name], 1, 24.5, 12.5, facing=0.0)
        begun = game.loop + 1  # the order acts one loop later
        move = game.abilities_of(game.facts.ids[name])["move"][0]
        order(game, slot, move, 84.5, 12.5)  # and on, so that nobody brakes
        done = first_loop(game, lambda g=game, s=slot: float(g.units[s]["x"]) >= 64.5, 2000)
        real = 16 * (40 / speed + speed / (2 * acceleration))
        rows.append(Row(f"{name}: 40 cells", done - begun, real, 1))
    return rows
