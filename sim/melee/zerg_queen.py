"""Queens: larva injects, transfusion, creep tumors, and the tumors that spread by themselves.

Numbers: catalog 5.0.14 (inject 25 energy, 40 n; transfusion 75 life .2 n after it began and 50 more over 10 n; tumor
15 n, its own cooldown 19 n, in 4.10.0 15 n). A tumor of a queen costs 25 energy: `sim/facts/conversion/abilities.py`
says why.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import add_buff
from sim.engine.state import BURROWED, CHANNELLING, INVULNERABLE
from sim.melee import casts, construction, orders, placement
from sim.melee.barred import CONTAMINATED
from sim.melee.harm import same
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, FORBID, ON_FINISHED, Kind
from sim.melee.zerg_larva import INJECT_GAP, is_hall

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

INJECT, TRANSFUSE, QUEEN_TUMOR, SPREAD_TUMOR = 251, 1664, 1694, 1733
INJECT_BUFF = 11  # QueenSpawnLarvaTimer
INJECT_LOOPS, INJECT_LARVAE = 640, 3
BURROW_DELAY, BURROW_LOOPS = 5.921875, 16  # a finished tumor begins to dig itself in after up to so many loops
SEED_LOOPS, SEED_FIRST = 3.775, 1.5  # a seed's flight: loops a cell, and beside; fitted to 758 spreads of real games
SEED_FLIES = 4.0  # loops a cell that it is in the air (CreepTumorMissile), where work goes on at a tenth of its pace
SPREAD_COOLDOWN = {"5.0.14": 304, "4.10.0": 240}  # loops from then on until it may spread, once
HEAL_NOW, HEAL_BUFF = 75.0, 288  # the buff heals 50 more over 10 n
USED = 1.0  # `timer` of a tumor that has spread


def approach(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks into range of the target; the effect follows there."""
    game.push_order(slot, ability.id, target, range=max(ability.range, 0.1))


def pay_energy(game: Game, slot: int) -> bool:
    """Takes the price of its order off a caster in range; False when it has less (the order ends with an error)."""
    amount = game.energy_for(slot, game.facts.abilities[int(game.orders[slot, 0]["ability"])])
    if float(game.units[slot]["energy"]) < amount:
        orders.fail(game, slot, Result.NOT_ENOUGH_ENERGY)
        return False
    game.units[slot]["energy"] -= amount
    return True


def linger(game: Game, slot: int) -> None:
    """After the effect she is busy for the ability's finishing time; new orders wait behind it."""
    order = game.orders[slot, 0]
    loops = game.facts.abilities[int(order["ability"])].finish
    if loops < 1:
        game.finish_order(slot)
        return
    order["timer"] = loops
    casts.bind(game, slot)


def rise(game: Game, slot: int) -> None:
    """She is free again."""
    casts.release(game, slot)
    game.finish_order(slot)


def interrupted(game: Game, slot: int, order: Any) -> None:
    """Something stronger than orders took her away from it."""
    if order["stage"] and int(game.units[slot]["flags"]) & CHANNELLING:
        casts.release(game, slot)


def can_inject(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A town hall that is not contaminated."""
    if not is_hall(game, target.slot):
        return Result.MUST_TARGET_STRUCTURES  # so the validator calls it
    stands_still = CONTAMINATED in game.units[target.slot]["buff"]
    return Result.CANT_TARGET_THAT_UNIT if stands_still else Result.SUCCESS


def inject_reached(game: Game, slot: int) -> None:
    """The queen spits: larvae come 640 loops later; an inject that is still at work goes on first."""
    hall = int(game.orders[slot, 0]["target"])
    if orders.target_gone(game, slot) or not is_hall(game, hall) or CONTAMINATED in game.units[hall]["buff"]:
        game.finish_order(slot)
    elif pay_energy(game, slot):
        generation = int(game.units[hall]["generation"])
        running = [
            when
            for when, _, name, numbers in game.memory.later_heap
            if name == "inject done" and numbers[:2] == (hall, generation)
        ]
        wait = max([when + 1 for when in running], default=game.loop) + INJECT_LOOPS - game.loop
        game.later(wait, "inject done", hall, generation)
        if running:
            game.later(wait - INJECT_LOOPS, "inject begins", hall, generation)
        else:
            inject_begins(game, hall, generation)
        linger(game, slot)


def inject_begins(game: Game, hall: int, generation: int) -> None:
    """The hall shows the timer of one inject at a time (catalog: the next one's begins when it has run out)."""
    if same(game, hall, generation):
        add_buff(game.units[int(hall)], game.state.buffs, INJECT_BUFF, float(INJECT_LOOPS))


def inject_done(game: Game, hall: int, generation: int) -> None:
    """The larvae of an inject come out, one every few loops."""
    game.later(INJECT_GAP, "inject larva", hall, generation, INJECT_LARVAE)


def can_transfuse(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Who is wounded."""
    unit = game.units[target.slot]
    return Result.SUCCESS if unit["hp"] < unit["hp_max"] else Result.REQUIRES_HEAL_TARGET


def transfuse_reached(game: Game, slot: int) -> None:
    """She begins to spit; until she does, another order calls it off."""
    game.orders[slot, 0]["timer"] = game.facts.abilities[TRANSFUSE].prepare


def transfused(game: Game, slot: int) -> None:
    """Heals at once, and some more over time; then she is busy for a while."""
    if game.orders[slot, 0]["y2"] == casts.CAST:
        rise(game, slot)
        return
    other = int(game.orders[slot, 0]["target"])
    if orders.target_gone(game, slot):
        game.finish_order(slot)
    elif pay_energy(game, slot):
        heal(game, other, HEAL_NOW)
        game.orders[slot, 0]["y2"] = casts.CAST
        game.memory.ready[slot, TRANSFUSE] = game.loop + round(game.facts.abilities[TRANSFUSE].cooldown)
        add_buff(game.units[other], game.state.buffs, HEAL_BUFF)
        linger(game, slot)


def heal(game: Game, slot: int, amount: float) -> None:
    """Gives life back, up to the most the unit can have."""
    unit = game.units[slot]
    given = min(float(unit["hp_max"]) - float(unit["hp"]), amount)
    unit["hp"] += given
    game.world[0]["healed"][unit["owner"], 0] += given


def can_plant(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A free site on creep, for all the player sees; a seed, which lands at once, must be in sight (catalog: Fogged
    bars the footprint CreepTumor, but not CreepTumorQueen) and wants nobody standing there either (in a real game the
    first point of seven batches was refused while a Queen had been sent there, and a free one taken)."""
    unit = game.units[slot]
    player = int(unit["owner"])
    away = math.hypot(float(unit["x"]) - target.x, float(unit["y"]) - target.y)
    if ability.id == SPREAD_TUMOR and away > ability.range + 0.75:
        return Result.ERROR
    x, y = placement.snap(game, ability.product, target.x, target.y)
    if ability.id == QUEEN_TUMOR:
        return placement.site_ordered(game, player, ability.product, x, y)
    column, row = int(x), int(y)
    height, width = game.walk.shape
    if not (0 <= column < width and 0 <= row < height) or game.visibility[player, row, column] != 2:
        return Result.CANT_SEE_BUILD_LOCATION
    if placement.blockers(game, ability.product, x, y):
        return Result.CANT_BUILD_LOCATION_INVALID
    return placement.site_free(game, player, ability.product, x, y)


def spent(game: Game, slot: int, ability: Ability) -> int:
    """A tumor has one seed only."""
    used = ability.id == SPREAD_TUMOR and game.units[slot]["timer"] == USED
    return Result.NOT_SUPPORTED if used else Result.SUCCESS


def plant(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Sends the queen to the place; a tumor spreads there at once."""
    x, y = placement.snap(game, ability.product, target.x, target.y)
    place = Target(-1, x, y, True, target.queued)
    if ability.id == QUEEN_TUMOR:
        game.push_order(slot, ability.id, place, range=1.0, product=ability.product)
        return
    unit = game.units[slot]
    unit["timer"] = USED
    away = math.hypot(float(unit["x"]) - x, float(unit["y"]) - y)
    loops = ability.loops + round(SEED_LOOPS * away + SEED_FIRST)
    seed = construction.start_structure(game, int(unit["owner"]), ability.product, x, y, loops=loops)
    game.units[seed]["flags"] |= INVULNERABLE  # PrecursorCreepTumor
    game.later(math.ceil(SEED_FLIES * away), "seed lands", seed, int(game.units[seed]["generation"]))


def land(game: Game, slot: float, generation: float) -> None:
    """The seed has come down, and may be hurt."""
    if same(game, int(slot), generation):
        game.units[int(slot)]["flags"] &= ~np.uint32(INVULNERABLE)


def queen_planted(game: Game, slot: int) -> None:
    """The queen stands at the place."""
    order = game.orders[slot, 0].copy()
    ability, player = game.facts.abilities[int(order["ability"])], int(game.units[slot]["owner"])
    x, y = float(order["x"]), float(order["y"])
    if placement.site_free(game, player, ability.product, x, y) != Result.SUCCESS:
        orders.fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID)
    elif pay_energy(game, slot):
        construction.start_structure(game, player, ability.product, x, y, loops=ability.loops)
        game.finish_order(slot)


def on_finished(game: Game, slot: int) -> None:
    """A finished tumor digs itself in."""
    if game.facts.names[int(game.units[slot]["type"])] in placement.TUMORS:
        delay = int(game.random() * BURROW_DELAY)
        game.later(delay, "tumor burrows", slot, int(game.units[slot]["generation"]))


def burrow(game: Game, slot: int, generation: int) -> None:
    """From now on the tumor makes creep and may spread after its cooldown; it is hidden once it has dug itself in."""
    slot = int(slot)
    if same(game, slot, generation):
        game.change_type(slot, game.facts.ids["CreepTumorBurrowed"])
        game.units[slot]["flags"] &= ~np.uint32(BURROWED)
        game.later(BURROW_LOOPS, "tumor hides", slot, generation)
        game.memory.ready[(slot, SPREAD_TUMOR)] = game.loop + SPREAD_COOLDOWN[game.patch]


def hide(game: Game, slot: int, generation: int) -> None:
    """The tumor has dug itself in."""
    if same(game, slot, generation):
        game.units[int(slot)]["flags"] |= BURROWED


ABILITIES[INJECT] = Kind(
    approach, can_inject, reached=inject_reached, timer=rise, dropped=interrupted, everyone=False, turns=True
)
ABILITIES[TRANSFUSE] = Kind(
    approach,
    can_transfuse,
    reached=transfuse_reached,
    timer=transfused,
    dropped=interrupted,
    everyone=False,
    turns=True,
)
ABILITIES[QUEEN_TUMOR] = Kind(plant, can_plant, reached=queen_planted, everyone=False)
ABILITIES[SPREAD_TUMOR] = Kind(plant, can_plant, everyone=False)
AFTER["inject begins"] = inject_begins
AFTER["inject done"] = inject_done
AFTER["seed lands"] = land
AFTER["tumor burrows"] = burrow
AFTER["tumor hides"] = hide
ON_FINISHED.append(on_finished)
FORBID.append(spent)
