"""Birth, death and change of type of units, and what they do to the grids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine import state
from sim.engine.parameters import CLIFF
from sim.engine.state import DEATH, EXPIRED, FLYING, PLAYERS, STRUCTURE
from sim.melee import grids, looks
from sim.melee.eyes import look_back
from sim.melee.records import Alert, Outcome
from sim.melee.registry import ON_FINISHED, ON_REMOVE, ON_SPAWN, ON_TYPE, on_event

if TYPE_CHECKING:
    from sim.melee.game import Game

REUSE_AFTER = 2  # loops before a slot is used again: 1 of 140 next real births took the last one's in the loop after a
# death, 106 of 140 two loops after it, 105 of 114 three after it (missiles, which have tags too, take the rest)
HEIGHT_STEP = 1 / 8  # the terrain byte's unit


class NoRoomError(RuntimeError):
    """Every slot is in use by a living unit."""


def ground_height(game: Game, x: float, y: float) -> float:
    """Height of the ground at a point, cells."""
    levels = game.terrain.levels
    column = min(max(int(x), 0), levels.shape[1] - 1)
    row = min(max(int(y), 0), levels.shape[0] - 1)
    return (float(levels[row, column]) - 127) * HEIGHT_STEP


def on_level(game: Game, slot: int, x: float, y: float) -> bool:
    """No cliff lies between the ground below a unit and that at a point (catalog: SameCliff)."""
    unit = game.units[slot]
    below = ground_height(game, float(unit["x"]), float(unit["y"]))
    return abs(below - ground_height(game, x, y)) < CLIFF


def take_slot(game: Game) -> int:
    """A free slot: the last that was freed and rests since REUSE_AFTER loops, else a new one.

    Raises:
        NoRoomError: every slot is in use, or was a moment ago.
    """
    free = game.memory.free_slots
    for index in range(len(free) - 1, -1, -1):  # only those of the last loops rest
        if free[index][0] <= game.loop:
            return free.pop(index)[1]
    slot = int(game.world[0]["slots"])
    if slot >= len(game.units):
        raise NoRoomError(f"more than {len(game.units)} units at a time")
    game.world[0]["slots"] = slot + 1
    return slot


def type_flags(row: Any) -> int:
    """Flags that follow from the type alone."""
    flags = FLYING if row["flying"] else 0
    if row["structure"]:
        flags |= STRUCTURE
    return flags


def spawn(game: Game, type_id: int, owner: int, x: float, y: float, *, complete: bool = True, **fields: Any) -> int:
    """Fills a record; see `Game.spawn`. `complete=False` leaves ON_FINISHED to the rule that completes it."""
    slot = take_slot(game)
    unit, row = game.units[slot], game.types[owner, type_id]
    generation = int(unit["generation"]) + 1
    flags = int(fields.pop("flags", 0))
    game.units[slot] = np.zeros((), state.UNIT)
    game.orders[slot] = np.zeros((), state.ORDER)
    game.jobs[slot] = np.zeros((), state.JOB)
    unit["type"], unit["owner"], unit["alive"], unit["generation"] = type_id, owner, 1, generation
    unit["flags"] = type_flags(row) | flags
    unit["born"] = game.loop
    unit["x"], unit["y"] = x, y
    unit["z"] = ground_height(game, x, y) + float(row["height"])
    unit["facing"] = unit["turret"] = looks.of(game.patch)[type_id]
    unit["goal_x"], unit["goal_y"], unit["way_x"], unit["way_y"] = x, y, x, y
    unit["home_x"], unit["home_y"] = x, y
    unit["hp"] = row["hp_start"] if row["hp_start"] > 0 else row["hp"]
    unit["hp_max"] = row["hp"]
    unit["shield"] = unit["shield_max"] = row["shield"]
    unit["energy"] = row["energy_start"]
    unit["last_hit"] = unit["mended"] = unit["called"] = -(1 << 20)
    unit["windup"] = -1
    unit["speed_factor"] = unit["attack_factor"] = 1
    for name in state.LINKS:
        unit[name] = -1
    for name, value in fields.items():
        unit[name] = value
    grids.block(game, slot)
    game.mark_supply(owner)
    for handler in ON_SPAWN:
        handler(game, slot)
    if complete:
        finished(game, slot)
    return slot


def finished(game: Game, slot: int) -> None:
    """Tells the rules that a unit is complete."""
    game.mark_supply(int(game.units[slot]["owner"]))
    for handler in ON_FINISHED:
        handler(game, slot)


def _leave(game: Game, slot: int) -> None:
    """What death and removal share; the record keeps its last values except `alive`."""
    for handler in ON_REMOVE:
        handler(game, slot)
    grids.unblock(game, slot)
    game.units[slot]["alive"] = 0
    game.units[slot]["order_count"] = 0
    game.units[slot]["job_count"] = 0
    game.memory.blocked.pop(slot, None)
    game.memory.free_slots.append((game.loop + REUSE_AFTER, slot))
    game.mark_supply(int(game.units[slot]["owner"]))


def remove(game: Game, slot: int) -> None:
    """Takes a unit off without a death; see `Game.remove`."""
    _leave(game, slot)


def kill(game: Game, slot: int, *, dark: bool = False) -> None:
    """Kills a unit now; see `Game.kill`."""
    if game.units[slot]["alive"]:
        game.units[slot]["hp"] = 0
        if not dark:
            look_back(game, slot)
        died(game, slot, 0)


def hold(game: Game, slot: int) -> None:
    """Keeps the slot of a unit that was just removed: nobody else gets it, until `let_go` or `bring_back`."""
    game.memory.free_slots = [entry for entry in game.memory.free_slots if entry[1] != slot]


def let_go(game: Game, slot: int) -> None:
    """The unit whose slot was held will not come back."""
    game.memory.free_slots.append((game.loop + REUSE_AFTER, slot))


def bring_back(game: Game, slot: int, x: float, y: float) -> None:
    """The unit whose slot was held is there again: same tag, type, owner and life."""
    unit = game.units[slot]
    type_id, owner, life = int(unit["type"]), int(unit["owner"]), float(unit["hp"])
    unit["generation"] -= 1  # `spawn` counts it up again
    game.memory.free_slots.append((-1, slot))
    spawn(game, type_id, owner, x, y, hp=life)


def died(game: Game, slot: int, by: int) -> None:
    """Books a death by a player's hand (0: nobody's): who saw it, its score, its slot."""
    unit = game.units[slot]
    column, row = int(unit["x"]), int(unit["y"])
    for player in range(1, PLAYERS):
        inside = 0 <= row < game.walk.shape[0] and 0 <= column < game.walk.shape[1]
        if player == unit["owner"] or (inside and game.visibility[player, row, column] == 2):
            game.inbox[player].dead.append(game.tag(slot))
    unit["hit_by"] = by
    game.scores[int(unit["owner"])].lost(game, slot, by)
    if by > 0 and by != unit["owner"]:
        game.scores[by].killed(game, slot)
    _leave(game, slot)


def change_type(game: Game, slot: int, type_id: int) -> None:
    """See `Game.change_type`."""
    unit = game.units[slot]
    old = int(unit["type"])
    grids.unblock(game, slot)
    before, row = game.types[unit["owner"], old], game.types[unit["owner"], type_id]
    share = float(unit["hp"]) / max(float(unit["hp_max"]), 1.0)
    unit["type"] = type_id
    unit["flags"] = (int(unit["flags"]) & ~type_flags(before)) | type_flags(row)
    extra = float(unit["hp_max"]) - float(before["hp"])  # what buffs add
    unit["hp_max"] = float(row["hp"]) + extra
    unit["hp"] = share * float(unit["hp_max"])
    unit["shield_max"] = row["shield"]
    unit["shield"] = min(float(unit["shield"]), float(row["shield"]))
    if row["energy_max"] > 0 and before["energy_max"] == 0:
        unit["energy"] = row["energy_start"]
    unit["energy"] = min(float(unit["energy"]), float(row["energy_max"]))
    unit["weapon"], unit["windup"], unit["cooldown"], unit["looked"] = -1, -1, 0, 0
    if row["weapons"][0] < 0:
        unit["target"] = -1
    unit["z"] = ground_height(game, float(unit["x"]), float(unit["y"])) + float(row["height"])
    if game.facts.names[type_id] in looks.TURN:
        unit["facing"] = unit["turret"] = looks.of(game.patch)[type_id]
    grids.block(game, slot)
    game.mark_supply(int(unit["owner"]))
    for handler in ON_TYPE:
        handler(game, slot, old)


def on_death(game: Game, event: Any) -> None:
    """A unit died in the kernel, which has cleared `alive` already."""
    slot = int(event["unit"])
    game.units[slot]["alive"] = 1  # so that the rules still find it while it is taken apart
    died(game, slot, int(event["other"]))


def on_expired(game: Game, event: Any) -> None:
    """The timed life of a unit ended; its DEATH follows."""
    unit = game.units[int(event["unit"])]
    if int(unit["type"]) == game.facts.ids["MULE"]:
        game.alert(int(unit["owner"]), Alert.MULE_EXPIRED)


def defeat(game: Game, player: int) -> None:
    """The player has lost; the other one, if any, has won."""
    if game.ended or game.players[player]["result"]:
        return
    game.players[player]["result"] = Outcome.DEFEAT
    game.players[player]["playing"] = 0
    left = [p for p in range(1, PLAYERS) if game.players[p]["playing"]]
    if len(left) <= 1:
        for p in left:
            game.players[p]["result"] = Outcome.VICTORY
        game.ended = True


on_event(DEATH, on_death)
on_event(EXPIRED, on_expired)
