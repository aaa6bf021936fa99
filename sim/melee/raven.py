"""Ravens: auto-turrets, Interference Matrix, anti-armour missiles. Numbers: catalogs 5.0.14.94137 and 4.10.0.75689."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.bufftable import FAST_BOOST, JAMMED_CARRIER, MATRIX, SLOW_ALIGNMENT, add_buff, remove_buff
from sim.engine.catalog import MECHANICAL, PSIONIC
from sim.engine.state import INSIDE, STRUCTURE
from sim.melee import placement
from sim.melee.areas import within
from sim.melee.casts import flight, gap, timed_life
from sim.melee.harm import same
from sim.melee.protoss_robotics import break_barrier
from sim.melee.records import Result, Target
from sim.melee.registry import AFTER
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

TURRET, JAM, SHREDDER = 1764, 3747, 3753
TURRET_DEPLOYS = 16  # loops until it fires: its build time
ALONE = ("5.0.14",)  # patches in which no second matrix goes to who wears one or has one coming (validators)
TURRET_LIFE = {"5.0.14": 176.0, "4.10.0": 224.0}
MATRIX_SPEED, MATRIX_PULL = 30.0, 16.0
ENDED = (89, FAST_BOOST, 122, SLOW_ALIGNMENT)  # a Medivac's boost and an alignment end with it (validators)
SHREDDER_MARK = 279  # RavenShredderMissileTint
SHREDDER_BUFF = {"5.0.14": 298, "4.10.0": 280}
SHREDDER_RADIUS = 2.88
# Its way: thrown .9 cells and hovering 1 n, then faster by 4 cells a normal second in each, by 16 in the last cells.
HOVER_LOOPS, THROWN, SHREDDER_SPEED, SHREDDER_PULL, LAST_CELLS, LAST_PULL = 30, 0.9, 16.0, 4.0, 2.125, 16.0


def can_jam(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Machines and psionic units, in the order of the effect's validators."""
    if game.patch in ALONE and coming(game, target.slot):
        return Result.ERROR
    if game.patch in ALONE and MATRIX in game.units[target.slot]["buff"]:
        return Result.CANT_TARGET_THAT_UNIT
    fits = int(game.type_of(target.slot)["attributes"]) & (MECHANICAL | PSIONIC)
    return Result.SUCCESS if fits else Result.ERROR


def coming(game: Game, slot: int) -> bool:
    """A matrix is on its way to the unit."""
    me = slot, int(game.units[slot]["generation"])
    return any(name == "matrix" and numbers == me for _, _, name, numbers in game.memory.later_heap)


def launch_matrix(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The missile flies."""
    loops = flight(gap(game, slot, target.slot), MATRIX_SPEED, MATRIX_PULL)
    game.later(loops, "matrix", target.slot, int(game.units[target.slot]["generation"]))


def jam(game: Game, slot: float, generation: float) -> None:
    """The target neither fires nor casts nor hides for a while."""
    slot = int(slot)
    if same(game, slot, generation) and not int(game.units[slot]["flags"]) & INSIDE:
        carrier = int(game.units[slot]["type"]) == game.facts.ids["Carrier"] and JAMMED_CARRIER in game.facts.buffs
        loops = game.facts.buffs[MATRIX].loops
        add_buff(game.units[slot], game.state.buffs, JAMMED_CARRIER if carrier else MATRIX, loops)
        for buff in ENDED:
            remove_buff(game.units[slot], game.state.buffs, buff)
        break_barrier(game, slot)
        count_anew(game)
        game.later(loops + 1, "matrix over")


def count_anew(game: Game) -> None:
    """A prism that is jammed has no power, and has it again afterwards."""
    game.counts_version += 1


def launch_shredder(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The missile flies after its target, a friend, too (catalog: its filters), which wears a mark meanwhile (catalog;
    observed)."""
    loops = shredder_flight(gap(game, slot, target.slot))
    add_buff(game.units[target.slot], game.state.buffs, SHREDDER_MARK, loops)
    game.later(loops, "shredder", target.slot, int(game.units[target.slot]["generation"]))


def shredder_flight(way: float) -> int:
    """Loops from its launch to its target (the phases of its mover)."""
    left = max(way - THROWN, 0.0)
    far = max(left - LAST_CELLS, 0.0)
    loops = HOVER_LOOPS + flight(left - far, SHREDDER_SPEED, LAST_PULL, math.sqrt(2 * SHREDDER_PULL * far))
    return loops + flight(far, SHREDDER_SPEED, SHREDDER_PULL) if far else loops


def shred(game: Game, slot: float, generation: float) -> None:
    """Takes armour off all units round the target, friends too; a missile whose target is gone is lost."""
    unit = game.units[int(slot)]
    if not same(game, slot, generation) or int(unit["flags"]) & INSIDE:
        return
    buff = SHREDDER_BUFF.get(game.facts.patch, SHREDDER_BUFF["5.0.14"])
    for other in within(game, float(unit["x"]), float(unit["y"]), SHREDDER_RADIUS):
        if not int(game.units[other]["flags"]) & STRUCTURE:
            add_buff(game.units[other], game.state.buffs, buff)


def can_place_turret(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """On free ground."""
    if not target.given:
        return Result.SUCCESS
    turret = game.facts.ids["AutoTurret"]
    place = placement.snap(game, turret, target.x, target.y)
    return placement.site_free(game, int(game.units[slot]["owner"]), turret, *place)


def drop_turret(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The turret stands for a while."""
    turret, owner = game.facts.ids["AutoTurret"], int(game.units[slot]["owner"])
    x, y = placement.snap(game, turret, target.x, target.y)
    life = TURRET_LIFE.get(game.facts.patch, TURRET_LIFE["5.0.14"])
    slot = game.spawn(turret, owner, x, y, life_left=timed_life(game, life))
    game.units[slot]["cooldown"][:] = TURRET_DEPLOYS


spell(TURRET, drop_turret, can_place_turret, everyone=False)
spell(JAM, launch_matrix, can_jam, everyone=False)
spell(SHREDDER, launch_shredder, everyone=False)
AFTER["matrix"], AFTER["matrix over"] = jam, count_anew
AFTER["shredder"] = shred
