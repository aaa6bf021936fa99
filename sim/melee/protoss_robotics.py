"""The Immortal's barrier, the Disruptor's nova, the height of a Colossus, and how far a Warp Prism reaches.

Barrier: 100 damage, 48 loops, again after 720 loops (common knowledge: the row is not in the table). It is kept as
extra shields. Nova: catalog of both patches.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import MATRIX, RECALLED, add_buff, buff_flags, remove_buff
from sim.engine.state import (
    EAGER,
    FLYING,
    HALLUCINATION,
    HIT,
    IMMOBILE,
    INSIDE,
    INVULNERABLE,
    MOVE,
    NO_COLLISION,
    TALL,
)
from sim.melee import transport
from sim.melee.areas import within
from sim.melee.harm import author, hurt, is_dragged, same
from sim.melee.lifecycle import on_level
from sim.melee.records import Target
from sim.melee.registry import ABILITIES, AFTER, ON_LEAVE, ON_SPAWN, Kind, on_event
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

BARRIER, BARRIER_LOOPS, BARRIER_COOLDOWN, BARRIER_AMOUNT = -102, 48, 720, 100.0
BARRIER_BUFF = {"5.0.14": 299, "4.10.0": 102}  # TakenDamage, ImmortalOverload: the one with a duration
NO_BARRIER = (5, MATRIX)  # who is lifted or jammed has none (validators)
NOVA = 2346
PICK_UP, PICK_UP_RANGE = 911, {"5.0.14": 5.0, "4.10.0": 6.0}
NOVA_LOOPS, NOVA_RADIUS, LEASH_EVERY = 48, 1.5, 2
HOLDS = (5, 129, MATRIX, RECALLED)  # graviton beam, stasis trap, interference, recall
PRISMS = ("WarpPrism", "WarpPrismPhasing")
NOVA_DAMAGE = {"5.0.14": (100.0, 100.0), "4.10.0": (145.0, 55.0)}  # life, and what shields take beside


def stand_tall(game: Game, slot: int) -> None:
    """A Colossus is in the reach of weapons against flyers, too (its plane is Ground|Air)."""
    unit = game.units[slot]
    if int(unit["type"]) == game.facts.ids["Colossus"]:
        unit["flags"] |= TALL


def be_ready(game: Game, slot: int) -> None:
    """A new Immortal's barrier waits for the first hit."""
    if int(game.units[slot]["type"]) == game.facts.ids["Immortal"]:
        game.units[slot]["flags"] |= EAGER


def ready_again(game: Game, slot: float, generation: float) -> None:
    """The barrier has cooled down: the next hit raises it."""
    if same(game, slot, generation):
        be_ready(game, int(slot))


def raise_barrier(game: Game, event: Any) -> None:
    """An Immortal was hit: its barrier goes up, if it is ready, and takes this hit already. Its shields count what is
    left of the barrier; observations show them at most as full (they stay at 100, as observed)."""
    slot = int(event["unit"])
    unit = game.units[slot]
    if not unit["alive"] or int(unit["type"]) != game.facts.ids["Immortal"] or int(unit["flags"]) & HALLUCINATION:
        return
    if (
        game.memory.ready.get((slot, BARRIER), 0) > game.loop
        or unit["hp"] <= 0
        or np.isin(unit["buff"], NO_BARRIER).any()
    ):
        return
    game.memory.ready[slot, BARRIER] = game.loop + BARRIER_COOLDOWN
    unit["flags"] = int(unit["flags"]) & ~EAGER
    game.later(BARRIER_COOLDOWN - 1, "barrier ready", slot, int(unit["generation"]))
    add_buff(unit, game.state.buffs, BARRIER_BUFF[game.patch], float(BARRIER_LOOPS))
    before = min(float(unit["shield"]) + float(event["value"]), float(unit["shield_max"]))
    game.later(BARRIER_LOOPS, "barrier", slot, int(unit["generation"]), before)
    unit["shield"] += BARRIER_AMOUNT


def break_barrier(game: Game, slot: int) -> None:
    """A matrix takes a raised barrier down (validator NotHaveScramblerMissileBehavior)."""
    heap, me = game.memory.later_heap, (slot, int(game.units[slot]["generation"]))
    for due in [due for due in heap if due[2] == "barrier" and due[3][:2] == me]:
        lower_barrier(game, *due[3])
        heap.remove(due)
    heapq.heapify(heap)
    remove_buff(game.units[slot], game.state.buffs, BARRIER_BUFF[game.patch])


def lower_barrier(game: Game, slot: float, generation: float, before: float) -> None:
    """What is left of the barrier is lost."""
    if same(game, slot, generation):
        unit = game.units[int(slot)]
        unit["shield"] = min(float(unit["shield"]), max(before, 0.0))


def send_nova(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A ball of energy sets out for the point; it can be led on while it lives."""
    unit = game.units[slot]
    ball = game.spawn(
        game.facts.ids["DisruptorPhased"],
        int(unit["owner"]),
        float(unit["x"]),
        float(unit["y"]),
        flags=INVULNERABLE | NO_COLLISION,
    )
    move = game.abilities_of(int(game.units[ball]["type"]))["move"][0]
    game.push_order(ball, move, Target(-1, target.x, target.y, True), verb=MOVE, range=0.0)
    game.later(NOVA_LOOPS, "nova", ball, int(game.units[ball]["generation"]))
    game.later(LEASH_EVERY, "nova leash", ball, int(game.units[ball]["generation"]), slot, int(unit["generation"]))
    unit["flags"] |= IMMOBILE  # catalog: it is slower by 2.2382 of its 2.25 cells a normal second
    game.later(NOVA_LOOPS, "nova over", slot, int(unit["generation"]))


def leash(game: Game, ball: float, ball_generation: float, slot: float, generation: float) -> None:
    """The ball is gone without a burst once its Disruptor is dead, aboard something, abducted or held (catalog: what
    removes PurificationNovaTargettedTarget)."""
    if not same(game, ball, ball_generation):
        return
    if not same(game, slot, generation) or out_of_play(game, int(slot)):
        game.remove(int(ball))
    else:
        game.later(LEASH_EVERY, "nova leash", ball, ball_generation, slot, generation)


def out_of_play(game: Game, slot: int) -> bool:
    """The Disruptor has no hold on its ball any more."""
    unit = game.units[slot]
    return bool(int(unit["flags"]) & INSIDE) or np.isin(unit["buff"], HOLDS).any() or is_dragged(game, slot)


def walk_again(game: Game, slot: float, generation: float) -> None:
    """The Disruptor may leave its place."""
    if same(game, slot, generation):
        unit = game.units[int(slot)]
        unit["flags"] = int(unit["flags"]) & ~IMMOBILE | buff_flags(unit, game.state.buffs)


def set_free(game: Game, slot: int, carrier: int) -> None:
    """A Disruptor that comes out of a transport may move at once (catalog: their UnloadCargoEffect takes the buff
    PurificationNovaTargettedCaster away; in the older patch Warp Prisms alone have one)."""
    frees = game.patch == "5.0.14" or game.facts.names[int(game.units[carrier]["type"])] in PRISMS
    if frees and int(game.units[slot]["type"]) == game.facts.ids["Disruptor"]:
        walk_again(game, slot, int(game.units[slot]["generation"]))


def burst(game: Game, slot: float, generation: float) -> None:
    """The ball bursts: everything on its level of the ground round it is hurt, friends too but for other Disruptors
    (catalog: SameCliff; a validator)."""
    slot = int(slot)
    if not same(game, slot, generation):
        return
    unit = game.units[slot]
    owner, by = int(unit["owner"]), author(game, slot)
    x, y = float(unit["x"]), float(unit["y"])
    near = [other for other in within(game, x, y, NOVA_RADIUS, without=FLYING) if on_level(game, other, x, y)]
    game.remove(slot)
    for other in near:
        if int(game.units[other]["type"]) != game.facts.ids["Disruptor"] or game.units[other]["owner"] != owner:
            damage, shields = NOVA_DAMAGE[game.patch]
            hurt(game, other, damage, by, shields=shields)


def pick_up(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A Warp Prism takes units in from afar."""
    game.push_order(slot, ability.id, target, range=PICK_UP_RANGE[game.patch])


ABILITIES[PICK_UP] = Kind(pick_up, transport.can_load, reached=transport.fetched, everyone=False)
spell(NOVA, send_nova, everyone=False, all_round=True)
ON_SPAWN.append(stand_tall)
on_event(HIT, raise_barrier)
AFTER["barrier"], AFTER["barrier ready"] = lower_barrier, ready_again
ON_SPAWN.append(be_ready)
AFTER["nova"], AFTER["nova leash"] = burst, leash
AFTER["nova over"] = walk_again
ON_LEAVE.append(set_free)
