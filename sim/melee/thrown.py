"""Spells that strike from afar: KD8 charges, biles, EMP, Yamato cannons, snipers, Raven missiles, turrets, jumps.

Ranges, prices, cooldowns and preparations are facts; what the tables lack (damage, radius and delay of the strikes) is
common knowledge of patch 5.0.14. EMP rounds, shots, Raven missiles and turrets
arrive without flight.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import add_buff
from sim.engine.state import BIOLOGICAL, FLYING, INVULNERABLE, MECHANICAL, PSIONIC, STRUCTURE
from sim.melee import placement
from sim.melee.effects_terran import GroundEffect
from sim.melee.orders import ANYWHERE
from sim.melee.protoss_harm import hurt, same
from sim.melee.protoss_nexus import place_at
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, Kind
from sim.melee.spells import pay, spell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.facts import Ability
    from sim.melee.game import Game

KD8, BILE, EMP, YAMATO, SNIPE, TURRET = 2588, 2338, 1628, 401, 2714, 1764
MATRIX, SHREDDER, JUMP = 3747, 3753, 2358
KD8_FUSE, KD8_RADIUS, KD8_DAMAGE, KD8_PUSH = 32, 2.0, 5.0, 1.0
BILE_EFFECT, BILE_FALL, BILE_RADIUS, BILE_DAMAGE = 11, 40, 0.5, 60.0
EMP_RADIUS, EMP_DRAIN, EMP_BUFF = 1.5, 100.0, 16
YAMATO_DAMAGE = 240.0
SNIPE_LOOPS, SNIPE_DAMAGE, SNIPE_PSIONIC = 32, 130.0, 40.0
TURRET_LIFE = 176.0
MATRIX_BUFF, SHREDDER_BUFF, SHREDDER_RADIUS = 277, 298, 2.88
JUMP_LOOPS = 32  # 1.4 n of standing still and .6 n of leaving


def within(game: Game, x: float, y: float, radius: float) -> Iterator[int]:
    """Units whose body reaches into a circle, nearest first; map features are left out."""
    units = game.units[: int(game.world[0]["slots"])]
    fit = (units["owner"] > 0) & (units["flags"] & INVULNERABLE == 0)
    for other in game.near(x, y, radius + 3.0, fit):
        gap = math.hypot(float(units["x"][other]) - x, float(units["y"][other]) - y)
        if gap <= radius + float(game.type_of(other)["radius"]):
            yield other


def an_enemy(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Only units of another player."""
    fits = target.slot >= 0 and game.units[target.slot]["owner"] not in (0, game.units[slot]["owner"])
    return Result.SUCCESS if fits else Result.CANT_TARGET_THAT_UNIT


def throw_charge(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The charge lies on the ground until its fuse has burnt down."""
    bomb = game.spawn(game.facts.ids["KD8Charge"], int(game.units[slot]["owner"]), target.x, target.y)
    game.units[bomb]["flags"] |= INVULNERABLE
    game.later(KD8_FUSE, "kd8", slot, bomb, int(game.units[bomb]["generation"]))


def burst(game: Game, slot: float, bomb: float, generation: float) -> None:
    """Hurts what stands on the ground round it, friends too, and pushes it away."""
    if not same(game, bomb, generation):
        return
    x, y = float(game.units[int(bomb)]["x"]), float(game.units[int(bomb)]["y"])
    game.remove(int(bomb))
    for other in list(within(game, x, y, KD8_RADIUS)):
        flags = int(game.units[other]["flags"])
        if flags & FLYING:
            continue
        if not flags & STRUCTURE:
            push(game, other, x, y)
        hurt(game, other, KD8_DAMAGE, int(slot))


def push(game: Game, slot: int, x: float, y: float) -> None:
    """Moves a unit straight away from a point, as far as the ground lets it."""
    unit = game.units[slot]
    angle = math.atan2(float(unit["y"]) - y, float(unit["x"]) - x)
    reach = 0.0
    while reach < KD8_PUSH:
        step = reach + 0.25
        column = int(float(unit["x"]) + step * math.cos(angle))
        row = int(float(unit["y"]) + step * math.sin(angle))
        if not (0 <= row < game.walk.shape[0] and 0 <= column < game.walk.shape[1] and game.walk[row, column]):
            break
        reach = step
    unit["x"] += reach * math.cos(angle)
    unit["y"] += reach * math.sin(angle)
    unit["way_state"] = 0


def throw_bile(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Everybody who sees the place sees it coming."""
    owner, until = int(game.units[slot]["owner"]), game.loop + BILE_FALL
    game.effects.append(GroundEffect(BILE_EFFECT, owner, target.x, target.y, BILE_RADIUS, until))
    game.later(BILE_FALL, "bile", slot, target.x, target.y)


def land_bile(game: Game, slot: float, x: float, y: float) -> None:
    """Hurts all there, friends and flyers too; force fields break."""
    for other in list(within(game, x, y, BILE_RADIUS)):
        hurt(game, other, BILE_DAMAGE, int(slot))
    fields = game.units["type"] == game.facts.ids.get("ForceField", -1)
    for other in game.near(x, y, BILE_RADIUS + 1.7, fields):
        game.kill(other)


def drain(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes shields and energy, and shows what is cloaked."""
    for other in list(within(game, target.x, target.y, EMP_RADIUS)):
        unit = game.units[other]
        unit["shield"] = max(float(unit["shield"]) - EMP_DRAIN, 0.0)
        unit["energy"] = max(float(unit["energy"]) - EMP_DRAIN, 0.0)
        unit["last_hit"] = game.loop
        add_buff(unit, game.state.buffs, EMP_BUFF)


def fire_cannon(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """One great shot."""
    hurt(game, target.slot, YAMATO_DAMAGE, slot)


def can_snipe(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Living enemies only."""
    verdict = an_enemy(game, slot, ability, target)
    if verdict == Result.SUCCESS and not int(game.type_of(target.slot)["attributes"]) & BIOLOGICAL:
        return Result.CANT_TARGET_THAT_UNIT
    return verdict


def aim(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks into range; the shot itself takes a while."""
    game.push_order(slot, ability.id, target, range=ability.range)


def steady(game: Game, slot: int) -> None:
    """In range: the Ghost stands still and aims."""
    game.orders[slot, 0]["timer"] = SNIPE_LOOPS


def snipe(game: Game, slot: int) -> None:
    """Hits unless the Ghost was hurt while it aimed, or the target is gone."""
    order: Any = game.orders[slot, 0].copy()
    ability, other = game.facts.abilities[int(order["ability"])], int(order["target"])
    game.finish_order(slot)
    unit = game.units[slot]
    steadily = game.loop - int(unit["last_hit"]) > SNIPE_LOOPS and unit["energy"] >= ability.energy
    if steadily and same(game, other, float(order["target_generation"])):
        pay(game, slot, ability)
        psionic = int(game.type_of(other)["attributes"]) & PSIONIC
        hurt(game, other, SNIPE_DAMAGE + (SNIPE_PSIONIC if psionic else 0.0), slot)


def can_jam(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Mechanical and psionic enemies, no structures."""
    verdict = an_enemy(game, slot, ability, target)
    if verdict == Result.SUCCESS:
        fits = int(game.type_of(target.slot)["attributes"]) & (MECHANICAL | PSIONIC)
        if not fits or int(game.units[target.slot]["flags"]) & STRUCTURE:
            return Result.CANT_TARGET_THAT_UNIT
    return verdict


def jam(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The target cannot fire for a while."""
    add_buff(game.units[target.slot], game.state.buffs, MATRIX_BUFF)


def shred(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes armour off all enemies round the target."""
    owner, unit = game.units[slot]["owner"], game.units[target.slot]
    for other in list(within(game, float(unit["x"]), float(unit["y"]), SHREDDER_RADIUS)):
        if game.units[other]["owner"] != owner:
            add_buff(game.units[other], game.state.buffs, SHREDDER_BUFF)


def charge_jump(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Stands still until it is gone; anywhere on the map will do."""
    game.push_order(slot, ability.id, target, range=ANYWHERE)


def leave(game: Game, slot: int) -> None:
    """The jump begins."""
    game.orders[slot, 0]["timer"] = JUMP_LOOPS


def arrive(game: Game, slot: int) -> None:
    """The unit is at the place it was sent to."""
    order: Any = game.orders[slot, 0].copy()
    game.finish_order(slot)
    pay(game, slot, game.facts.abilities[JUMP])
    place_at(game, slot, float(order["x"]), float(order["y"]))


def can_place_turret(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """On free ground."""
    if not target.given:
        return Result.SUCCESS
    turret = game.facts.ids["AutoTurret"]
    return placement.site_free(
        game, int(game.units[slot]["owner"]), turret, *placement.snap(game, turret, target.x, target.y)
    )


def drop_turret(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The turret stands for a while."""
    turret, owner = game.facts.ids["AutoTurret"], int(game.units[slot]["owner"])
    x, y = placement.snap(game, turret, target.x, target.y)
    if placement.site_free(game, owner, turret, x, y) == Result.SUCCESS:
        game.spawn(turret, owner, x, y, life_left=TURRET_LIFE)
    else:
        game.units[slot]["energy"] += ability.energy
        game.error(slot, ability.id, Result.CANT_BUILD_LOCATION_INVALID)


spell(KD8, throw_charge)
spell(BILE, throw_bile)
spell(EMP, drain, everyone=False)
spell(YAMATO, fire_cannon, an_enemy, everyone=False)
spell(TURRET, drop_turret, can_place_turret, everyone=False)
spell(MATRIX, jam, can_jam, everyone=False)
spell(SHREDDER, shred, an_enemy, everyone=False)
ABILITIES[JUMP] = Kind(charge_jump, reached=leave, timer=arrive)
ABILITIES[SNIPE] = Kind(aim, can_snipe, reached=steady, timer=snipe, everyone=False)
AFTER["kd8"] = burst
AFTER["bile"] = land_bile
