"""Structures going up: their beginning and completion, halting, cancelling. What builders do is in `builders.py`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.state import BUILT, STRUCTURE, UNFINISHED
from sim.melee import lifecycle, pacing, placement
from sim.melee.records import Alert, Result, Target
from sim.melee.registry import KINDS, ON_REMOVE, ON_SPAWN, Kind, on_event

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

START_LIFE = 0.1  # share of the full life that a new structure has
BACK = 0.75  # share of the price that a cancelled structure, add-on or morph gives back
ROUNDING = 0.25  # life: 2000 additions may lose 0.08, a hit takes 0.5 at least; who was not hit is whole


def start_structure(
    game: Game, owner: int, type_id: int, x: float, y: float, *, loops: float, builder: int = -1
) -> int:
    """Puts an unfinished structure on the map; it grows while it has a builder (or at once, without one). -> slot."""
    geyser = placement.geyser_at(game, x, y) if type_id in game.facts.gas_structures else -1
    if geyser >= 0 and game.facts.names[int(game.units[geyser]["type"])].startswith("Rich"):
        type_id = game.facts.ids.get(f"{game.facts.names[type_id]}Rich", type_id)
    slot = lifecycle.spawn(
        game,
        type_id,
        owner,
        x,
        y,
        complete=False,
        flags=UNFINISHED,
        build_left=left_at_start(game, loops),
        build_total=loops,
        build_rate=1,
        builder=builder,
        energy=0,
    )
    unit = game.units[slot]
    share = START_LIFE + (1 - START_LIFE) * (loops - float(unit["build_left"])) / max(loops, 1)
    unit["hp"] = share * float(unit["hp_max"])
    unit["shield"] = share * float(unit["shield_max"])
    if builder >= 0:
        game.units[builder]["builder"] = slot
    return slot


def left_at_start(game: Game, loops: float) -> float:
    """Loops of work that the kernel will do on what begins now: the loop in which it begins counts.

    Real add-ons are complete, and their hosts make the next item, so many loops after their command (104 of 104 that
    were told at once); what warps in and what workers build is complete so many after its start, too.
    """
    return loops if game.commanding else loops - 1


def on_built(game: Game, event: Any) -> None:
    """A structure is complete: it works from now on, its builder is free, or comes out of it."""
    slot = int(event["unit"])
    unit = game.units[slot]
    if not unit["alive"]:
        return
    unit["flags"] = int(unit["flags"]) & ~UNFINISHED
    unit["energy"] = game.type_of(slot)["energy_start"]
    unit["build_left"] = 0
    for vital, most in (("hp", "hp_max"), ("shield", "shield_max")):
        if float(unit[most]) - float(unit[vital]) < ROUNDING:
            unit[vital] = unit[most]
    builder, owner = int(unit["builder"]), int(unit["owner"])
    unit["builder"] = -1
    if not int(unit["flags"]) & STRUCTURE:
        archon = int(unit["type"]) == game.facts.ids["Archon"]
        alert = Alert.MERGE_COMPLETE if archon else Alert.WARP_IN_COMPLETE
    else:
        alert = Alert.ADD_ON_COMPLETE if unit["addon"] >= 0 else Alert.BUILDING_COMPLETE
    game.alert(owner, alert)
    if builder >= 0 and game.units[builder]["builder"] == slot:
        if int(game.units[builder]["flags"]) & STRUCTURE:
            game.units[builder]["builder"] = -1
            game.finish_order(builder)
        else:
            pacing.leave(game, builder, slot)
    lifecycle.finished(game, slot)


def can_halt(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A builder at work, or a structure that a worker builds; an add-on is built by its host, which cannot leave it."""
    flags, builder = game.units["flags"], int(game.units[slot]["builder"])
    built_by_worker = builder >= 0 and not flags[slot] & flags[builder] & STRUCTURE
    return Result.SUCCESS if built_by_worker and (flags[slot] | flags[builder]) & UNFINISHED else Result.ERROR


def halt(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Stops the work; the worker is free."""
    worker = slot if not int(game.units[slot]["flags"]) & UNFINISHED else int(game.units[slot]["builder"])
    game.clear_orders(worker)


def can_cancel(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A structure going up."""
    return Result.SUCCESS if int(game.units[slot]["flags"]) & UNFINISHED else Result.ERROR


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes a structure under construction down and gives three quarters of its price back."""
    give_back(game, slot)


def refunded(price: float) -> int:
    """What comes back of a price for something that is given up: its share, rounded up."""
    return math.ceil(BACK * price)


def give_back(game: Game, slot: int, builder: float = 0.0) -> None:
    """Takes down a structure or add-on that is given up; pays its share back. `builder`: minerals of a drone that comes
    out of it, for the score."""
    unit = game.units[slot]
    owner, row = int(unit["owner"]), game.type_of(slot)
    product = game.facts.abilities.get(game.facts.producer.get(int(unit["type"]), 0))
    minerals, gas = (product.minerals, product.gas) if product else (int(row["minerals"]), int(row["gas"]))
    refund = refunded(minerals), refunded(gas)
    game.refund(owner, *refund)
    game.scores[owner].cancelled(game, slot, refund[0] + builder, refund[1])
    game.kill(slot)


def release(game: Game, slot: int) -> None:
    """A structure vanishes: whoever worked on it is free."""
    unit = game.units[slot]
    builder = int(unit["builder"])
    if int(unit["flags"]) & UNFINISHED and builder >= 0 and game.units[builder]["builder"] == slot:
        game.units[builder]["builder"] = -1
        game.finish_order(builder)


def geyser_below(game: Game, slot: int) -> int:
    """Slot of the geyser on which a gas structure stands, -1 = none, or it is no gas structure."""
    unit = game.units[slot]
    if int(unit["type"]) not in game.facts.gas_structures:
        return -1
    geysers = np.isin(game.units["type"], list(game.facts.geysers))
    return next(iter(game.near(float(unit["x"]), float(unit["y"]), 1.0, geysers)), -1)


def tap(game: Game, slot: int) -> None:
    """A new gas structure gives what is in its geyser."""
    if (geyser := geyser_below(game, slot)) >= 0:
        game.units[slot]["contents"] = game.units[geyser]["contents"]


def cap(game: Game, slot: int) -> None:
    """A gas structure vanishes: what it has not given is in its geyser."""
    if (geyser := geyser_below(game, slot)) >= 0:
        game.units[geyser]["contents"] = game.units[slot]["contents"]


KINDS["halt"] = Kind(halt, can_halt)
on_event(BUILT, on_built)
ON_SPAWN.append(tap)
ON_REMOVE += [release, cap]
