"""What a right-click means, by who does it and what is clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.catalog import MECHANICAL
from sim.engine.state import FLYING, INVULNERABLE, STRUCTURE, UNFINISHED
from sim.melee import builders, mending, orders, transport
from sim.melee.moving import may_hit
from sim.melee.records import Result, Target
from sim.melee.registry import SMART

if TYPE_CHECKING:
    from sim.melee.game import Game


def own_kind(game: Game, slot: int, kind: str) -> int:
    """The unit's first ability of a kind, 0 = none."""
    return game.abilities_of(int(game.units[slot]["type"])).get(kind, (0,))[0]


def worker(game: Game, slot: int, target: Target) -> int:
    """Workers gather, bring home, go on building and repair."""
    unit = game.units[slot]
    if target.slot < 0 or int(unit["type"]) not in game.facts.harvesters:
        return 0
    other = game.units[target.slot]
    kind, mine = int(other["type"]), other["owner"] == unit["owner"]
    finished = not int(other["flags"]) & UNFINISHED
    if kind in game.facts.minerals:
        return own_kind(game, slot, "gather")
    if not mine:
        return 0
    if kind in game.facts.town_halls and finished and unit["carry"]:
        return own_kind(game, slot, "return")
    if builders.resumable(game, slot, target.slot):
        return game.facts.producer.get(kind, 0)
    if kind in game.facts.gas_structures:
        return own_kind(game, slot, "gather")
    mechanical = int(game.type_of(target.slot)["attributes"]) & MECHANICAL
    paid = mending.repair_paid(game, int(unit["owner"]), target.slot) == Result.SUCCESS  # else it follows (observed)
    if finished and mechanical and paid and float(other["hp"]) < float(other["hp_max"]):
        return own_kind(game, slot, "repair")
    return 0


def producer(game: Game, slot: int, target: Target) -> int:
    """Structures and eggs set their rally point; flying ones fly, and cocoons that can move do so."""
    flags, kinds = int(game.units[slot]["flags"]), game.abilities_of(int(game.units[slot]["type"]))
    if flags & FLYING or ("move" in kinds and not flags & STRUCTURE):
        return 0
    known = (*kinds.get("rally_workers", ()), *kinds.get("rally", ()))
    return next((ability for ability in known if game.facts.abilities[ability].shown), 0)


def enemy(game: Game, slot: int, target: Target) -> int:
    """Armed units attack enemies that some weapon of theirs can hit; others follow them, if they can."""
    if target.slot < 0:
        return 0
    other = game.units[target.slot]
    if other["owner"] in (0, game.units[slot]["owner"]) or int(other["flags"]) & INVULNERABLE:
        return 0
    if not may_hit(game, slot, int(other["flags"])):
        return 0
    return orders.attack_of(game, slot)


def go(game: Game, slot: int, target: Target) -> int:
    """Everything else is a move: to a point, or after a unit."""
    return own_kind(game, slot, "move") if target.given else 0


assert transport  # its answers come before these
SMART += [worker, producer, enemy, go]
