"""Ghosts: EMP rounds, Snipe, holding fire. Numbers: catalogs 5.0.14.94137 and 4.10.0.75689."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import add_buff, remove_buff
from sim.engine.catalog import PSIONIC
from sim.engine.state import HOLD_FIRE, INSIDE
from sim.melee import orders, tech
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.casts import bind, fail, flight, gap, looking, perceives, release, seen_or_wait
from sim.melee.census import with_buff
from sim.melee.harm import an_enemy, author, hurt, same
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, EVERY, ON_REMOVE, Kind
from sim.melee.spells import pay, spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

EMP, SNIPE, HOLD_FIRE_ON, HOLD_FIRE_OFF = 1628, 2714, 36, 38
EMP_SPEED, EMP_RADIUS, EMP_DRAIN, EMP_BUFF = 30.0, 1.5, 100.0, 16
HOLD_BUFF, AIM_BUFF, LOOK_EVERY = 13, 145, 2
AIM_LOOPS, AIM_REACH = 32, {"5.0.14": 14.0, "4.10.0": 30.0}  # cells from edge to edge within which the aim holds
SNIPE_DAMAGE = {"5.0.14": (130.0, 40.0), "4.10.0": (170.0, 0.0)}  # and what psionic targets take more


# -- EMP --------------------------------------------------------------------------------------------------------------
def throw_emp(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The round flies to the place."""
    unit = game.units[slot]
    apart = ((float(unit["x"]) - target.x) ** 2 + (float(unit["y"]) - target.y) ** 2) ** 0.5
    game.later(flight(apart, EMP_SPEED), "emp", author(game, slot), target.x, target.y)


def drain(game: Game, by: float, x: float, y: float) -> None:
    """Takes shields (that is damage, catalog) and energy off all there, friends too, and shows what is cloaked."""
    for other in within(game, x, y, EMP_RADIUS):
        unit = game.units[other]
        hurt(game, other, 0.0, by, shields=EMP_DRAIN)
        unit["energy"] = max(float(unit["energy"]) - EMP_DRAIN, 0.0)
        add_buff(unit, game.state.buffs, EMP_BUFF)


# -- Snipe ------------------------------------------------------------------------------------------------------------
def aim(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks into range; the shot itself takes a while."""
    game.push_order(slot, ability.id, target, range=ability.range)


def steady(game: Game, slot: int) -> None:
    """In range: the price is paid, and the Ghost stands still and aims."""
    order, unit = game.orders[slot, 0], game.units[slot]
    ability = game.facts.abilities[SNIPE]
    if unit["energy"] < game.energy_for(slot, ability):
        fail(game, slot, Result.NOT_ENOUGH_ENERGY)
        return
    if not seen_or_wait(game, slot):
        return
    pay(game, slot, ability)
    order["timer"] = AIM_LOOPS
    bind(game, slot)
    add_buff(unit, game.state.buffs, AIM_BUFF, AIM_LOOPS + 1)
    game.memory.aiming[slot] = game.loop


def watch(game: Game) -> None:
    """A Ghost that is hurt, or whose target hides or dies, lowers its rifle and has its energy back."""
    for slot in sorted(game.memory.aiming):
        order, unit = game.orders[slot, 0], game.units[slot]
        other = int(order["target"])
        lost = not same(game, other, float(order["target_generation"])) or int(game.units[other]["flags"]) & INSIDE
        lost = lost or not perceives(game, int(unit["owner"]), other)
        lost = lost or gap(game, slot, other) > AIM_REACH[game.patch]
        if lost or int(unit["last_hit"]) > game.memory.aiming[slot]:
            lower(game, slot)
            game.finish_order(slot)


def lower(game: Game, slot: int) -> None:
    """The aim comes to nothing."""
    if game.memory.aiming.pop(slot, None) is None:
        return
    unit = game.units[slot]
    most = float(game.type_of(slot)["energy_max"])
    unit["energy"] = min(float(unit["energy"]) + game.facts.abilities[SNIPE].energy, most)
    remove_buff(unit, game.state.buffs, AIM_BUFF)
    release(game, slot)


def dropped(game: Game, slot: int, order: Any) -> None:
    """Cancelled."""
    lower(game, slot)


def snipe(game: Game, slot: int) -> None:
    """The shot."""
    if looking(game, slot):
        steady(game, slot)
        return
    watch(game)
    if slot not in game.memory.aiming:
        return
    del game.memory.aiming[slot]
    order = game.orders[slot, 0].copy()
    remove_buff(game.units[slot], game.state.buffs, AIM_BUFF)
    release(game, slot)
    game.finish_order(slot)
    other = int(order["target"])
    damage, more = SNIPE_DAMAGE.get(game.facts.patch, SNIPE_DAMAGE["5.0.14"])
    psionic = int(game.type_of(other)["attributes"]) & PSIONIC
    hurt(game, other, damage + (more if psionic else 0.0), author(game, slot), calls=False)


def gone(game: Game, slot: int) -> None:
    """Forgets a Ghost."""
    game.memory.aiming.pop(slot, None)


# -- holding fire -----------------------------------------------------------------------------------------------------
def hold_fire(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Gives up its attacks (catalog: the class is off for a loop), and looks for no targets by itself any more until it
    is told to attack."""
    give_up_attacks(game, slot)
    add_buff(game.units[slot], game.state.buffs, HOLD_BUFF)


def weapons_free(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """And does again."""
    remove_buff(game.units[slot], game.state.buffs, HOLD_BUFF)


def attacks(game: Game, slot: int) -> list[int]:
    """Places of the attacks among a unit's orders."""
    known = game.facts.abilities
    ids = map(int, game.orders[slot, : int(game.units[slot]["order_count"])]["ability"])
    return [place for place, ability in enumerate(ids) if ability in known and known[ability].kind == "attack"]


def give_up_attacks(game: Game, slot: int) -> None:
    """Takes the attacks out of a unit's orders."""
    for place in reversed(attacks(game, slot)):
        orders.take_out(game, slot, place)


def told_to_attack(game: Game, buff: int) -> list[int]:
    """Slots of units with this buff that have an attack among their orders (CasterNotAttacking, which takes it off)."""
    return [slot for slot in with_buff(game, buff) if attacks(game, slot)]


def fire_again(game: Game) -> None:
    """An attack order ends a Ghost's held fire."""
    for slot in told_to_attack(game, HOLD_BUFF):
        remove_buff(game.units[slot], game.state.buffs, HOLD_BUFF)


def holds_fire(game: Game, slot: int) -> bool:
    """Requirement of the toggle's second half, of Ghosts and Lurkers."""
    return bool(int(game.units[slot]["flags"]) & HOLD_FIRE)


spell(EMP, throw_emp, everyone=False)
spell(HOLD_FIRE_ON, hold_fire)
spell(HOLD_FIRE_OFF, weapons_free)
ABILITIES[SNIPE] = Kind(aim, an_enemy, reached=steady, timer=snipe, dropped=dropped, everyone=False, turns=True)
AFTER["emp"] = drain
EVERY.append((1, watch))
every(LOOK_EVERY, fire_again, Race.TERRAN)
ON_REMOVE.append(gone)
tech.STATES["HoldingFire"] = holds_fire
tech.STATES["NotHoldingFire"] = lambda game, slot: not holds_fire(game, slot)
