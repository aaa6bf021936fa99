"""Battles on arenas: two armies instead of bases, fog for nobody, and everything anew when nobody is left.

The agents' units (player 1) are copies of live types that do nothing by themselves; the enemies (player 2) are live
units under orders of the map. Both appear at one point each and spread. There is no other end than leaving.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.catalog import AIR, GROUND
from sim.engine.state import AUTOCAST, FLYING, HOLD_FIRE
from sim.facts import load
from sim.facts.copies import SUFFIX
from sim.maps import footprint_cells
from sim.melee import placement
from sim.melee.records import Command
from sim.melee.registry import AFTER, EVERY, ON_FINISHED
from sim.melee.spread import spread

if TYPE_CHECKING:
    from sim.maps.arenas import Arena
    from sim.melee.game import Game

AGENTS, ENEMIES = 1, 2
ATTACK = 23  # exact ability id
HUNT_EVERY = 8  # loops: half a normal second
PAUSE = 4  # loops without anybody: programs of the second challenge step by two until they have seen that
COME_AGAIN = "arena"
FAR = 64.0  # cells: a radius that covers any arena


def set_up(game: Game, arena: Arena) -> None:
    """Players without a bank, sight of everything, both armies."""
    for player, setup in enumerate(game.setups, 1):
        game.players[player]["race"], game.players[player]["playing"] = setup.race, 1
    for player in (AGENTS, ENEMIES):
        eye = game.state.eyes[player - 1]
        eye["owner"], eye["flying"], eye["left"], eye["radius"] = player, 1, math.inf, FAR
        eye["x"], eye["y"] = game.terrain.width / 2, game.terrain.height / 2
    raise_armies(game, arena)


def raise_armies(game: Game, arena: Arena) -> None:
    """Makes all units of both sides and gives the enemies their orders."""
    ours = [_make(game, one, AGENTS, place) for one, place in _places(arena, game.patch, AGENTS)]
    theirs = [_make(game, one, ENEMIES, place) for one, place in _places(arena, game.patch, ENEMIES)]
    _send(game, arena, ours, theirs)


@cache
def _places(arena: Arena, patch: str, player: int) -> list[tuple[str, tuple[float, float]]]:
    """Names of a side's units in the order of their creation, and where each finds room."""
    facts = load(patch)
    units = [group for group in (arena.allies if player == AGENTS else arena.enemies) for _ in range(group.count)]
    rows = [facts.types[facts.ids[group.type]] for group in units]
    found: dict[int, tuple[float, float]] = {}
    for flying in (0, 1):  # fliers and ground units do not stand in each other's way
        chosen = [index for index, row in enumerate(rows) if row["flying"] == flying]
        ground = np.ones_like(arena.terrain.walkable) if flying else arena.terrain.walkable
        points = [(units[i].x, units[i].y, float(rows[i]["separation"])) for i in chosen]
        found.update(zip(chosen, spread(points, ground), strict=True))
    return [(group.type, found[index]) for index, group in enumerate(units)]


def _make(game: Game, name: str, player: int, place: tuple[float, float]) -> int:
    kind = game.facts.ids[name + SUFFIX if player == AGENTS else name]
    x, y = place
    if game.types["structure"][player, kind]:
        x, y = placement.snap(game, kind, x, y)
        for column, row in footprint_cells(kind, x, y):
            game.creep[row, column] = 1  # what Zerg structures need to live
    return game.spawn(kind, player, x, y)


def make_passive(game: Game, slot: int) -> None:
    """Copies fight, heal and flee only by order."""
    if game.arena is not None and game.facts.names[int(game.units[slot]["type"])].endswith(SUFFIX):
        flags = int(game.units[slot]["flags"])
        game.units[slot]["flags"] = (flags | HOLD_FIRE) & ~AUTOCAST


def _send(game: Game, arena: Arena, ours: list[int], theirs: list[int]) -> None:
    """The enemies' first orders."""
    if not ours or not theirs:
        return
    if arena.duty == "attack_units":
        for slot in theirs:
            _attack_all(game, slot, ours)
    elif arena.duty in ("attack_point", "attack_between"):
        x, y = arena.to
        if arena.duty == "attack_between":
            share, (first, last) = game.random(), (arena.allies[0], arena.allies[-1])
            x, y = first.x + share * (last.x - first.x), first.y + share * (last.y - first.y)
        tags = tuple(game.tag(slot) for slot in theirs)
        game.issue(Command(ENEMIES, ATTACK, tags, x=x, y=y, has_point=True))


def _attack_all(game: Game, slot: int, targets: list[int]) -> None:
    """Attacks one unit after the other, the nearest first."""
    for number, target in enumerate(sorted(targets, key=lambda other: _distance(game, slot, other))):
        game.issue(Command(ENEMIES, ATTACK, (game.tag(slot),), target_tag=game.tag(target), queued=number > 0))


def _distance(game: Game, a: int, b: int) -> float:
    one, other = game.units[a], game.units[b]
    return math.hypot(float(one["x"]) - float(other["x"]), float(one["y"]) - float(other["y"]))


def begin_anew(game: Game) -> None:
    """Both armies come again some loops after no unit of either is left."""
    if game.arena is None or not game.arena.allies or not _deserted(game):
        return
    if not any(name == COME_AGAIN for _, _, name, _ in game.memory.later_heap):
        game.later(PAUSE, COME_AGAIN)


def _deserted(game: Game) -> bool:
    """No unit of either player lives."""
    units = game.units[: int(game.world[0]["slots"])]
    return not ((units["alive"] == 1) & (units["owner"] > 0)).any()


def come_again(game: Game) -> None:
    """The armies, unless somebody was created meanwhile."""
    if game.arena is not None and _deserted(game):
        raise_armies(game, game.arena)


def hunt(game: Game) -> None:
    """Enemies without an order attack the nearest of the agents' units that they can hit."""
    if game.arena is None or game.arena.duty != "hunt" or game.ended:
        return
    prey = game.owned(AGENTS)
    for slot in game.owned(ENEMIES):
        within = [other for other in prey if _can_hit(game, slot, other)]
        if within and game.units[slot]["order_count"] == 0:
            nearest = min(within, key=lambda other: _distance(game, slot, other))
            game.issue(Command(ENEMIES, ATTACK, (game.tag(slot),), target_tag=game.tag(nearest)))


def _can_hit(game: Game, slot: int, target: int) -> bool:
    """The unit has a weapon for the target's plane."""
    plane = AIR if int(game.units[target]["flags"]) & FLYING else GROUND
    rows = [row for row in game.type_of(slot)["weapons"].tolist() if row >= 0]
    return any(int(game.weapons[ENEMIES, row]["targets"]) & plane for row in rows)


AFTER[COME_AGAIN] = come_again
ON_FINISHED.append(make_passive)
EVERY.append((1, begin_anew))
EVERY.append((HUNT_EVERY, hunt))
