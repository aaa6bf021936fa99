"""What is thrown on the ground: the Reaper's KD8 charge, the Ravager's bile.

Ranges, cooldowns, preparations, damage, the charge's radius, how far it pushes, how long that takes and whom not are
facts, a bile's fall and a charge's fuse are measured.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.bufftable import PUSHED, RECALLED, add_buff
from sim.engine.catalog import MASSIVE
from sim.engine.state import BURROWED, FLYING, INSIDE, INVULNERABLE, NO_COLLISION, STRUCTURE, UNFINISHED
from sim.melee import walls
from sim.melee.areas import within
from sim.melee.harm import EGGS, author, frenzied, hurt, is_dragged, same
from sim.melee.records import GroundEffect, Target
from sim.melee.registry import AFTER, ON_REMOVE
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

KD8, BILE = 2588, 2338
KD8_FUSE, KD8_RADIUS, KD8_DAMAGE, KD8_PUSH = 32, 2.0, 5.0, 3.0
KD8_WAY = 15  # loops that a push takes (UnitKnockbackMover3: .9 n)
BILE_EFFECT, BILE_SHOWN, BILE_FALL, BILE_RADIUS, BILE_DAMAGE = 11, 32, 49, 0.5, 60.0


def throw_charge(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The charge lies on the ground until its fuse has burnt down; it is the thrower's (all 54 of the replays), and in
    nobody's way (catalog: it collides with nothing)."""
    bomb = game.spawn(game.facts.ids["KD8Charge"], int(game.units[slot]["owner"]), target.x, target.y)
    flags = int(game.units[bomb]["flags"]) | INVULNERABLE | NO_COLLISION
    game.units[bomb]["flags"] = flags & ~STRUCTURE  # it leaves no copy in the fog
    game.later(KD8_FUSE, "kd8", author(game, slot), bomb, int(game.units[bomb]["generation"]))


def burst(game: Game, by: float, bomb: float, generation: float) -> None:
    """Hurts what stands on the ground round it, friends too, and pushes it away."""
    if not same(game, bomb, generation):
        return
    x, y = float(game.units[int(bomb)]["x"]), float(game.units[int(bomb)]["y"])
    game.remove(int(bomb))
    for other in within(game, x, y, KD8_RADIUS):
        flags = int(game.units[other]["flags"])
        if flags & FLYING:
            continue
        if not stands_firm(game, other):
            push(game, other, x, y)
        hurt(game, other, KD8_DAMAGE, by)


def stands_firm(game: Game, slot: int) -> bool:
    """Nothing pushes it (validators of ReaperKD8Knockback)."""
    unit = game.units[slot]
    flags, massive = int(unit["flags"]), int(game.type_of(slot)["attributes"]) & MASSIVE
    if flags & (STRUCTURE | BURROWED | UNFINISHED) or massive or frenzied(game, slot) or RECALLED in unit["buff"]:
        return True
    return game.facts.names[int(unit["type"])] in EGGS or is_dragged(game, slot)


def push(game: Game, slot: int, x: float, y: float) -> None:
    """Sends a unit straight away from a point, as far as the ground lets it; meanwhile it does not walk (its mover is
    the charge's), but fires (the catalog's behaviour suppresses nothing)."""
    unit = game.units[slot]
    walls.tear_down(game, slot)
    angle = math.atan2(float(unit["y"]) - y, float(unit["x"]) - x)
    reach = 0.0
    while reach < KD8_PUSH:
        step = reach + 0.25
        column = int(float(unit["x"]) + step * math.cos(angle))
        row = int(float(unit["y"]) + step * math.sin(angle))
        if not (0 <= row < game.walk.shape[0] and 0 <= column < game.walk.shape[1] and game.walk[row, column]):
            break
        reach = step
    goal = float(unit["x"]) + reach * math.cos(angle), float(unit["y"]) + reach * math.sin(angle)
    add_buff(unit, game.state.buffs, PUSHED)
    game.memory.pushes[slot] = number = game.memory.later_count  # which grows with every push
    game.later(1, "pushed", slot, number, *goal, KD8_WAY)


def fly(game: Game, slot: float, number: float, x: float, y: float, left: float) -> None:
    """One loop of a pushed unit's way; the last push counts, and who gets out of its reach stays there (KD8Range)."""
    slot = int(slot)
    if game.memory.pushes.get(slot) != number:
        return
    unit = game.units[slot]
    if int(unit["flags"]) & INSIDE or is_dragged(game, slot):
        return
    if math.hypot(x - float(unit["x"]), y - float(unit["y"])) > KD8_PUSH + 0.5:
        walls.build(game, slot)
        return
    unit["x"] += (x - float(unit["x"])) / left
    unit["y"] += (y - float(unit["y"])) / left
    unit["way_state"] = 0
    if left > 1:
        game.later(1, "pushed", slot, number, x, y, left - 1)
    else:
        walls.build(game, slot)


def forget(game: Game, slot: int) -> None:
    """Nothing pushes who is gone."""
    game.memory.pushes.pop(slot, None)


def throw_bile(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Everybody who sees the place sees it coming, for two normal seconds; then it falls (catalog: expireDelay)."""
    owner, until = int(game.units[slot]["owner"]), game.loop + BILE_SHOWN
    game.memory.effects.append(GroundEffect(BILE_EFFECT, owner, target.x, target.y, BILE_RADIUS, until))
    game.later(BILE_FALL, "bile", author(game, slot), target.x, target.y)


def land_bile(game: Game, by: float, x: float, y: float) -> None:
    """Hurts all there, friends and flyers too; force fields break."""
    for other in within(game, x, y, BILE_RADIUS):
        hurt(game, other, BILE_DAMAGE, by, calls=False)
    fields = game.units["type"] == game.facts.ids.get("ForceField", -1)
    for other in game.near(x, y, BILE_RADIUS + 1.7, fields):
        game.kill(other)


# Groups in replays get as many commands as they have Ravagers, 23 of 26 times at several places; neither ability says
# anything of BestUnit in the catalog, as blinks and shades, which are of all, do.
spell(KD8, throw_charge, everyone=False)
spell(BILE, throw_bile, everyone=False)
AFTER["kd8"] = burst
AFTER["pushed"] = fly
AFTER["bile"] = land_bile
ON_REMOVE.append(forget)
