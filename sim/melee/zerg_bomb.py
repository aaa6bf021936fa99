"""Parasitic Bombs: what Vipers throw at flyers.

Catalog of both patches: it flies to its host, sleeps a normal second, and then hurts all enemies in the air round it
for 10 n, or round where it left its host, by 3 life every quarter of a normal second (common knowledge: the row of its
damage is not in the table); two do not add up on one unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.bufftable import add_buff, remove_buff
from sim.engine.state import FLYING, IMMOBILE, INVULNERABLE, MORPHING, NO_COLLISION, STRUCTURE, TALL
from sim.melee.areas import flight, within
from sim.melee.harm import author, fly_on, hurt, player_of, same
from sim.melee.records import Target
from sim.melee.registry import AFTER, ON_REMOVE
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

BOMB, BOMB_SPEED = 2542, 13 / 16  # cells per loop
BOMB_BUFF, BOMB_RADIUS, BOMB_TICKS, BOMB_TICK, BOMB_DAMAGE, BOMBED = 132, 3.0, 40, 4, 3.0, -132
BOMB_SLEEPS = 5  # ticks from its impact to its first look round: a normal second (ParasiticBombInitialDelay) and one
DODGED = ("5.0.14",)  # patches in which a bomb whose host is lost in its flight spreads there at once
VIKING_LANDS, JUMP, FLYING_BOMB = 403, 2358, "bomb"


def throw_bomb(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """It flies to its host."""
    loops = flight(game, slot, target.x, target.y, BOMB_SPEED)
    game.later(
        loops, FLYING_BOMB, author(game, slot), target.slot, int(game.units[target.slot]["generation"]), 0.0, 0.0
    )


def land_bomb(game: Game, by: float, host: float, generation: float, x: float, y: float) -> None:
    """It sleeps on its host first. Where that was lost in its flight (`x, y`: there), or begins to land, the newer
    patch's spreads at once."""
    unit, there = game.units[int(host)], same(game, host, generation)
    lands = there and int(unit["flags"]) & MORPHING and game.orders[int(host), 0]["ability"] == VIKING_LANDS
    if there and not (lands and game.patch in DODGED):
        add_buff(unit, game.state.buffs, BOMB_BUFF, (BOMB_TICKS + BOMB_SLEEPS) * BOMB_TICK)
        ride(game, by, host, generation, x, y, BOMB_TICKS + BOMB_SLEEPS)
    elif game.patch in DODGED:
        spread(game, by, *((float(unit["x"]), float(unit["y"])) if there else (x, y)), BOMB_TICKS)


def ride(game: Game, by: float, host: float, generation: float, x: float, y: float, left: float) -> None:
    """One tick on the host, who leaves it behind where he dies, lands or jumps off (validators)."""
    unit, there = game.units[int(host)], same(game, host, generation)
    if there:
        x, y = float(unit["x"]), float(unit["y"])
    if not there or not carries(game, int(host)):
        if there:
            remove_buff(unit, game.state.buffs, BOMB_BUFF)
        spread(game, by, x, y, left)
        return
    swarm(game, by, x, y, left)
    if left > 1:
        game.later(BOMB_TICK, "bomb rides", by, host, generation, x, y, left - 1)


def carries(game: Game, slot: int) -> bool:
    """It is in the air, or a Colossus, and does not jump."""
    unit, order = game.units[slot], game.orders[slot, 0]
    jumps = unit["order_count"] and order["ability"] == JUMP and order["stage"]
    return bool(int(unit["flags"]) & (FLYING | TALL)) and not jumps


def spread(game: Game, by: float, x: float, y: float, left: float) -> None:
    """From now on it is a cloud in that place."""
    slot = mark(game, player_of(by), x, y)
    stay(game, by, slot, int(game.units[slot]["generation"]), left)


def stay(game: Game, by: float, slot: float, generation: float, left: float) -> None:
    """One tick of the cloud; its mark goes with it."""
    if not same(game, slot, generation):
        return
    unit = game.units[int(slot)]
    swarm(game, by, float(unit["x"]), float(unit["y"]), left)
    if left > 1:
        game.later(BOMB_TICK, "bomb stays", by, slot, generation, left - 1)
    else:
        game.remove(int(slot))


def swarm(game: Game, by: float, x: float, y: float, left: float) -> None:
    """Who flies near is hurt a tick later, by one bomb at a time."""
    for other in within(game, x, y, BOMB_RADIUS, without=STRUCTURE, enemy=player_of(by)) if left <= BOMB_TICKS else ():
        high = int(game.units[other]["flags"]) & (FLYING | TALL)
        if high and game.memory.ready.get((other, BOMBED), 0) <= game.loop:
            game.memory.ready[other, BOMBED] = game.loop + BOMB_TICK - 1
            game.later(BOMB_TICK, "bomb bites", by, other, int(game.units[other]["generation"]))


def bite(game: Game, by: float, slot: float, generation: float) -> None:
    """Who was near the host one tick ago is hurt, wherever it is now (ParasiticBombSecondaryBuff)."""
    if same(game, slot, generation):
        hurt(game, int(slot), BOMB_DAMAGE, by)


def lose_host(game: Game, slot: int) -> None:
    """Bombs on their way to who is gone fly to where he was."""
    fly_on(game, FLYING_BOMB, slot)


def mark(game: Game, owner: int, x: float, y: float) -> int:
    """The thing that observations show where a host died (client libraries take it for an effect). -> slot."""
    slot = game.spawn(game.facts.ids["ParasiticBombDummy"], owner, x, y)
    game.units[slot]["flags"] |= INVULNERABLE | NO_COLLISION | IMMOBILE
    return slot


spell(BOMB, throw_bomb, everyone=False)
AFTER[FLYING_BOMB], AFTER["bomb rides"], AFTER["bomb stays"], AFTER["bomb bites"] = land_bomb, ride, stay, bite
ON_REMOVE.append(lose_host)
