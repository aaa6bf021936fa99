"""Vipers: Abduct, Blinding Cloud, Consume; their bombs are in `zerg_bomb.py`.

Numbers: catalog of both patches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.bufftable import RECALLED, TONGUED, add_buff, buff_flags, remove_buff
from sim.engine.state import FLYING, INSIDE, INVULNERABLE, MORPHING, STRUCTURE, UNFINISHED
from sim.melee import birth, burrow, morphs, transport, walls
from sim.melee.areas import flight, within
from sim.melee.effects_terran import GroundEffect
from sim.melee.grids import walkable
from sim.melee.harm import DRAGGED, is_dragged, same
from sim.melee.protoss_nexus import place_at
from sim.melee.records import Result, Target
from sim.melee.registry import AFTER, FORBID
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

ABDUCT, CLOUD, CONSUME = 2067, 2063, 2073
TONGUE_SPEED, TAP_SPEED = 18.75 / 16, 18.75 / 16  # cells per loop
DRAG_WAIT, DRAG_LOOPS = 2, 16  # YoinkDelayPersistent, YoinkMover: as long from near as from afar
CLOUD_EFFECT, CLOUD_RADIUS, CLOUD_TICKS, CLOUD_TICK = 10, 2.0, 15, 8
CLOUD_BUFF, CLOUD_STRUCTURE_BUFF = 83, 38
CONSUME_BUFF, CONSUME_TICKS, CONSUME_TICK, ENERGY_A_TICK = 59, 20, 16, 2.5
# Whose orders and changes of mode go on after it (YoinkCancelOrder).
STEADY = ("SiegeTank", "SiegeTankSieged", "Hellion", "HellionTank", "Thor", "ThorAP", "WarpPrism", "WarpPrismPhasing")
LIFE_A_TICK = {"5.0.14": 7.5, "4.10.0": 10.0}


# -- abduct -----------------------------------------------------------------------------------------------------------
def can_abduct(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Nobody who is being recalled or warped in (NotWarpingIn), or whom a tongue has caught or flies to (NoYoink)."""
    other = game.units[target.slot]
    if TONGUED in other["buff"]:
        return Result.ERROR
    away = RECALLED in other["buff"] or int(other["flags"]) & UNFINISHED
    return Result.CANT_TARGET_THAT_UNIT if away else Result.SUCCESS


def abduct(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The tongue shoots out."""
    loops = flight(game, slot, target.x, target.y, TONGUE_SPEED)
    viper, generation = game.units[slot], int(game.units[target.slot]["generation"])
    place = float(viper["x"]), float(viper["y"])
    add_buff(game.units[target.slot], game.state.buffs, TONGUED)
    game.later(loops, "tongue", slot, int(viper["generation"]), target.slot, generation, *place)


def catch(
    game: Game, viper: float, viper_generation: float, slot: float, generation: float, x: float, y: float
) -> None:
    """It has caught the unit, which is dragged to the place where the viper is now (or was, if it has died since)."""
    slot, viper = int(slot), int(viper)
    if not same(game, slot, generation) or int(game.units[slot]["flags"]) & (INVULNERABLE | INSIDE):
        return
    if same(game, viper, viper_generation):
        x, y = float(game.units[viper]["x"]), float(game.units[viper]["y"])
    if game.facts.names[int(game.units[slot]["type"])] not in STEADY:
        morphs.interrupt(game, slot)
    burrow.come_up(game, slot)  # catalog: InstantUnburrow
    walls.tear_down(game, slot)
    game.units[slot]["flags"] |= DRAGGED
    game.later(DRAG_WAIT, "dragged", slot, generation, x, y, DRAG_LOOPS)


def drag(game: Game, slot: float, generation: float, x: float, y: float, left: float) -> None:
    """One loop of its way; ground units end on ground they can stand on."""
    slot = int(slot)
    if not same(game, slot, generation):
        return
    unit = game.units[slot]
    unit["flags"] |= DRAGGED  # whatever happens to it meanwhile
    if left >= 1:
        share = 1 / left
        at_x, at_y = (
            float(unit["x"]) + share * (x - float(unit["x"])),
            float(unit["y"]) + share * (y - float(unit["y"])),
        )
        place_at(game, slot, at_x, at_y)
        game.later(1, "dragged", slot, generation, x, y, left - 1)
        return
    kept = buff_flags(unit, game.state.buffs) | (morphs.LOCKED if int(unit["flags"]) & MORPHING else 0)
    unit["flags"] = int(unit["flags"]) & ~DRAGGED | kept
    if not int(unit["flags"]) & FLYING and not walkable(game, x, y):
        place_at(game, slot, *birth.free_spot(game, x, y, 0.1, birth.DOWN, int(unit["type"]), int(unit["owner"])))
    walls.build(game, slot)


def dragged(game: Game, slot: int, ability: Ability) -> int:
    """Who is being dragged takes no orders."""
    return Result.ERROR if is_dragged(game, slot) else Result.SUCCESS


# -- blinding cloud ---------------------------------------------------------------------------------------------------
def spread_cloud(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """What is on the ground below, friend or foe, sees nothing farther than its arms reach, in Bunkers, too."""
    until = game.loop + CLOUD_TICKS * CLOUD_TICK
    owner = int(game.units[slot]["owner"])
    game.memory.effects.append(GroundEffect(CLOUD_EFFECT, owner, target.x, target.y, CLOUD_RADIUS, until))
    blind(game, target.x, target.y, CLOUD_TICKS + 1)


def blind(game: Game, x: float, y: float, left: float) -> None:
    """One tick of the cloud."""
    for other in within(game, x, y, CLOUD_RADIUS, without=FLYING):
        structure = int(game.units[other]["flags"]) & STRUCTURE
        add_buff(game.units[other], game.state.buffs, CLOUD_STRUCTURE_BUFF if structure else CLOUD_BUFF)
        for passenger in transport.passengers(game, other) if structure and game.units[other]["cargo"] > 0 else ():
            add_buff(game.units[passenger], game.state.buffs, CLOUD_BUFF)
    if left > 1:
        game.later(CLOUD_TICK, "blinding cloud", x, y, left - 1)


# -- consume ----------------------------------------------------------------------------------------------------------
def can_consume(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """For a viper that lacks energy."""
    full = game.units[slot]["energy"] >= game.type_of(slot)["energy_max"]
    return Result.ERROR if full else Result.SUCCESS


def consume(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A tentacle taps the structure; the viper may fly on meanwhile."""
    loops = flight(game, slot, target.x, target.y, TAP_SPEED)
    numbers = (slot, int(game.units[slot]["generation"]), target.slot, int(game.units[target.slot]["generation"]))
    game.later(loops + CONSUME_TICK, "consume", *numbers, CONSUME_TICKS)
    add_buff(game.units[target.slot], game.state.buffs, CONSUME_BUFF, loops + CONSUME_TICKS * CONSUME_TICK)


def drink(game: Game, slot: float, generation: float, structure: float, other_generation: float, left: float) -> None:
    """One tick: life becomes energy, until the viper is full."""
    slot, structure = int(slot), int(structure)
    if not same(game, structure, other_generation):
        return
    if not same(game, slot, generation) or game.units[slot]["energy"] >= game.type_of(slot)["energy_max"]:
        remove_buff(game.units[structure], game.state.buffs, CONSUME_BUFF)
        return
    unit, most = game.units[slot], float(game.type_of(slot)["energy_max"])
    unit["energy"] = min(float(unit["energy"]) + ENERGY_A_TICK, most)
    game.units[structure]["hp"] -= LIFE_A_TICK[game.patch]
    if game.units[structure]["hp"] <= 0:
        game.kill(structure)
    elif left > 1:
        game.later(CONSUME_TICK, "consume", slot, generation, structure, other_generation, left - 1)


spell(ABDUCT, abduct, can_abduct, everyone=False, bound=True)
spell(CLOUD, spread_cloud, everyone=False)
spell(CONSUME, consume, can_consume, everyone=False)
transport.STAYING.append(is_dragged)  # SuppressPassenger
AFTER["tongue"] = catch
AFTER["dragged"] = drag
AFTER["blinding cloud"] = blind
AFTER["consume"] = drink
FORBID.append(dragged)
