"""Infestors: Fungal Growth, Microbial Shroud (5.0.14), Infested Terrans (4.10.0).

Numbers: catalog of both patches. Damage in a fungus falls every quarter of a normal second for 4 n; a second fungus on
the same unit starts its time anew. What is in one is shown, can neither blink nor jump, and moves at a quarter but for
Ultralisks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.bufftable import UNSLOWED, add_buff
from sim.engine.state import FLYING, STRUCTURE
from sim.melee.areas import flight, within
from sim.melee.harm import author, frenzied, hurt, player_of, same
from sim.melee.records import Result, Target
from sim.melee.registry import AFTER, FORBID
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

FUNGAL, SHROUD, TERRANS = 74, 4111, 247
FUNGAL_BUFF, FUNGAL_RADIUS, FUNGAL_SPEED, FUNGAL_TICK = 17, 2.25, 12 / 16, 4
FUNGAL_LOOPS = 64.0  # its sixteenth tick comes as it ends
FUNGAL_DAMAGE = {"5.0.14": 1.5625, "4.10.0": 1.875}  # a tick
STUCK = (1442, 2700, 2358)  # blink, shadow stride and tactical jump
SHROUD_BUFF, SHROUD_RADIUS, SHROUD_TICKS, SHROUD_TICK = 297, 3.5, 30, 8
EGG_SPEED, EGG_LOOPS, TERRAN_LIFE = 10 / 16, 78, 480.0


def throw_fungus(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """It flies to the point."""
    loops = flight(game, slot, target.x, target.y, FUNGAL_SPEED)
    game.later(loops, "fungus", author(game, slot), target.x, target.y)


def land_fungus(game: Game, by: float, x: float, y: float) -> None:
    """Enemies at the point, on the ground and in the air, are held."""
    for other in within(game, x, y, FUNGAL_RADIUS, without=STRUCTURE, enemy=player_of(by)):
        unit = game.units[other]
        fresh = FUNGAL_BUFF not in unit["buff"]
        if not add_buff(unit, game.state.buffs, FUNGAL_BUFF, FUNGAL_LOOPS):
            continue
        if frenzied(game, other):
            add_buff(unit, game.state.buffs, UNSLOWED, FUNGAL_LOOPS)
        if fresh:
            game.later(FUNGAL_TICK, "fungus grows", by, other, int(unit["generation"]), 0)


def grow_fungus(game: Game, by: float, slot: float, generation: float, last: float) -> None:
    """One tick, as long as the fungus lasts; the `last` one comes in the loop in which it ends."""
    slot, unit = int(slot), game.units[int(slot)]
    places = (unit["buff"] == FUNGAL_BUFF).nonzero()[0]
    if not same(game, slot, generation) or not (len(places) or last):
        return
    left = float(unit["buff_left"][places[0]]) if len(places) else 0.0
    hurt(game, slot, FUNGAL_DAMAGE[game.patch], by)
    if unit["alive"] and left >= FUNGAL_TICK:
        game.later(FUNGAL_TICK, "fungus grows", by, slot, generation, int(left == FUNGAL_TICK))


def held(game: Game, slot: int, ability: Ability) -> int:
    """No way out of a fungus."""
    stuck = ability.id in STUCK and FUNGAL_BUFF in game.units[slot]["buff"]
    return Result.ERROR if stuck else Result.SUCCESS


def spread_shroud(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A cloud over the ground for a while."""
    cover(game, target.x, target.y, SHROUD_TICKS + 1)


def cover(game: Game, x: float, y: float, left: float) -> None:
    """One tick: whoever is below, of both players, is hurt half as much by flyers for five normal seconds."""
    for other in within(game, x, y, SHROUD_RADIUS, without=FLYING | STRUCTURE):
        add_buff(game.units[other], game.state.buffs, SHROUD_BUFF)
    if left > 1:
        game.later(SHROUD_TICK, "shroud", x, y, left - 1)


def throw_egg(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """An egg flies to the point."""
    loops = flight(game, slot, target.x, target.y, EGG_SPEED)
    game.later(loops, "egg lands", int(game.units[slot]["owner"]), target.x, target.y)


def land_egg(game: Game, owner: float, x: float, y: float) -> None:
    """It lies there for a while and can be killed."""
    egg = game.spawn(game.facts.ids["InfestedTerransEgg"], int(owner), x, y)
    game.later(EGG_LOOPS, "egg hatches", egg, int(game.units[egg]["generation"]))


def hatch(game: Game, egg: float, generation: float) -> None:
    """The egg becomes an Infested Terran (it keeps its tag) for thirty normal seconds."""
    if same(game, egg, generation):
        game.change_type(int(egg), game.facts.ids["InfestorTerran"])
        game.units[int(egg)]["life_left"] = TERRAN_LIFE


spell(FUNGAL, throw_fungus, everyone=False)
spell(SHROUD, spread_shroud, everyone=False)
spell(TERRANS, throw_egg, everyone=False)
AFTER["fungus"] = land_fungus
AFTER["fungus grows"] = grow_fungus
AFTER["shroud"] = cover
AFTER["egg lands"] = land_egg
AFTER["egg hatches"] = hatch
FORBID.append(held)
