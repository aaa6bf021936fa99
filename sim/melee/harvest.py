"""Mining: the commands of workers, and what follows from the compiled rules in `harvest_rules.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine import state
from sim.engine.state import CHANNELLING, DEPLETED, GATHER, INSIDE, RETURN
from sim.melee import birth
from sim.melee import harvest_places as places
from sim.melee import harvest_steps as steps
from sim.melee.harvest_fields import SEARCH_RADIUS, at_site
from sim.melee.records import Alert, Result, Target
from sim.melee.registry import KINDS, ON_REMOVE, Kind, on_event

if TYPE_CHECKING:
    from sim.facts import Ability, Facts
    from sim.melee.game import Game

WAITING = "WorkerStopIdleAbilityVespene"  # the order of who waits at a gas structure: there is one since 5.0.14
MULE_AMOUNT, MULE_FACTOR = 25, 2.05  # catalog 5.0.14: ResourceAmountRequest, ResourceTimeMultiplier of MULEGather


def table(facts: Facts) -> np.ndarray:
    """HARVEST[n_types]: what each type is to mining."""
    rows = np.zeros(len(facts.types), places.HARVEST)
    for type_id, resource in facts.resources.items():
        if type_id in facts.geysers:
            continue
        row = rows[type_id]
        row["role"] = places.GAS if resource.is_gas else places.MINERALS
        row["amount"], row["loops"], row["delay"] = resource.amount, resource.loops, resource.return_loops
        width, depth = facts.shapes.get(type_id, (3, 3))
        row["half_x"], row["half_y"] = width / 2, depth / 2
    for type_id in facts.town_halls:
        rows[type_id]["role"] = places.HALL
        rows[type_id]["half_x"] = rows[type_id]["half_y"] = 2.5
    for role, (touch, cut) in places.OUTLINES.items():
        rows["touch"][rows["role"] == role] = touch
        rows["cut"][rows["role"] == role] = cut
    for type_id in facts.harvesters:
        rows[type_id]["role"], rows[type_id]["factor"] = places.WORKER, 1
        rows[type_id]["acceleration"] = facts.types["acceleration"][type_id]
    mule = rows[facts.ids["MULE"]]
    mule["role"], mule["factor"], mule["amount"] = places.MULE, MULE_FACTOR, MULE_AMOUNT
    for ability in facts.abilities.values():
        column = {"gather": "gather", "return": "bring"}.get(ability.kind)
        for type_id in ability.casters if column else ():
            if not rows[type_id][column]:
                rows[type_id][column] = ability.id
        if ability.name == WAITING and ability.kind == "effect":
            rows["waits"][list(ability.casters)] = ability.id
    return rows


def idlers(game: Game) -> np.ndarray:
    """Who has no order, bool [slots]; in the older patch also who waits at a gas structure that is not complete."""
    used = int(game.world[0]["slots"])
    units = game.units[:used]
    idle = units["order_count"] == 0
    waits = (units["harvest_stage"] == places.WAIT) & (game.harvest_table["waits"][units["type"]] == 0)
    for slot in np.flatnonzero(waits):
        idle[slot] |= at_site(game.units, game.orders, slot)
    return idle


def can_gather(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A mineral field, or an own gas structure, where it waits until that is complete; MULEs take minerals only."""
    if target.slot < 0:
        return Result.ERROR
    other = game.units[target.slot]
    kind = int(other["type"])
    if kind in game.facts.minerals:
        return Result.SUCCESS
    mule = int(game.units[slot]["type"]) == game.facts.ids["MULE"]
    mine = other["owner"] == game.units[slot]["owner"]
    return Result.SUCCESS if kind in game.facts.gas_structures and mine and not mule else Result.ERROR


def gather(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Sends the worker mining; a field it was at work on is free again."""
    if not target.queued:
        leave_field(game, slot)
    game.push_order(slot, ability.id, target, verb=GATHER)


def go_harvest(game: Game, worker: int, resource: int) -> None:
    """Sends a worker to a resource."""
    unit = game.units[resource]
    target = Target(resource, float(unit["x"]), float(unit["y"]))
    type_id = int(game.units[worker]["type"])
    for ability in game.facts.abilities.values():
        if ability.kind == "gather" and type_id in ability.casters:
            gather(game, worker, ability, target)
            return


def can_return(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Something to bring and somewhere to bring it."""
    return Result.SUCCESS if game.units[slot]["carry"] or target.queued else Result.ERROR


def bring(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Brings the load to a town hall, then goes on mining."""
    if not target.queued:
        leave_field(game, slot)
    game.push_order(slot, ability.id, target, verb=RETURN)


def leave_field(game: Game, slot: int) -> None:
    """Takes the worker off the field or out of the gas structure it is at work on; not in its return delay."""
    unit = game.units[slot]
    if int(unit["flags"]) & CHANNELLING:
        return
    field = int(unit["harvest_target"])
    if field >= 0 and game.units[field]["occupant"] == slot:
        game.units[field]["occupant"] = -1
    if int(unit["flags"]) & INSIDE and unit["inside"] == field:
        unit["flags"] &= ~np.uint32(INSIDE)
        unit["inside"] = -1
    if unit["harvest_stage"] == places.HANDED:
        unit["speed"] = 0.0  # it turns at the town hall all the same
    unit["harvest_stage"] = places.WALK


def on_loaded(game: Game, event: Any) -> None:
    """The load is taken: with other orders behind it the gather order is over."""
    slot = int(event["unit"])
    if game.units[slot]["order_count"] > 1:
        game.finish_order(slot)


def on_delivered(game: Game, event: Any) -> None:
    """The load is home: with other orders behind it the return order is over."""
    slot = int(event["unit"])
    if game.units[slot]["order_count"] > 1 and game.orders[slot, 0]["verb"] == RETURN:
        game.finish_order(slot)


def on_no_work(game: Game, event: Any) -> None:
    """No field or no town hall is left: the worker is idle."""
    leave_field(game, int(event["unit"]))
    game.finish_order(int(event["unit"]))


def on_depleted(game: Game, event: Any) -> None:
    """An empty mineral field vanishes; an empty geyser stays."""
    slot, worker = int(event["unit"]), int(event["other"])
    owner = int(game.units[worker]["owner"])
    if int(game.units[slot]["type"]) in game.facts.minerals:
        game.alert(owner, Alert.MINERALS_EXHAUSTED)
        game.resource_version += 1
        game.kill(slot)
    else:
        game.alert(owner, Alert.VESPENE_EXHAUSTED)


def evict(game: Game, slot: int) -> None:
    """A gas structure that falls lets its worker out; a worker that dies frees its field. Who worked on a field that is
    gone remembers where it was."""
    unit = game.units[slot]
    occupant = int(unit["occupant"])
    if occupant >= 0 and game.units[occupant]["inside"] == slot:
        leave_field(game, occupant)
    if unit["harvest_target"] >= 0:
        leave_field(game, slot)
    if game.harvest_table["role"][unit["type"]] in (places.MINERALS, places.GAS):
        workers = game.units["harvest_target"] == slot
        game.units["harvest_x"][workers], game.units["harvest_y"][workers] = unit["x"], unit["y"]
        game.units["harvest_target"][workers] = places.GONE
        hand_on_rally(game, slot)


def hand_on_rally(game: Game, field: int) -> None:
    """Who is made for a field that is gone goes to the nearest one about its place (observed of 4.10: at once, where
    another lay four cells off); without any, to its place."""
    if game.harvest_table["role"][game.units[field]["type"]] != places.MINERALS:
        return
    minerals = (game.harvest_table["role"][game.units["type"]] == places.MINERALS) & (game.units["contents"] > 0)
    here = float(game.units[field]["x"]), float(game.units[field]["y"])
    others = [slot for slot in game.near(*here, SEARCH_RADIUS, minerals) if slot != field]
    if others:
        x, y = (float(game.units[others[0]][axis]) for axis in "xy")
        birth.replace(game, field, (birth.point_of(game, Target(others[0], x, y)),))


KINDS["gather"] = Kind(gather, can_gather)
KINDS["return"] = Kind(bring, can_return)
on_event(steps.LOADED, on_loaded)
on_event(state.DELIVERED, on_delivered)
on_event(steps.NO_WORK, on_no_work)
on_event(DEPLETED, on_depleted)
ON_REMOVE.append(evict)
