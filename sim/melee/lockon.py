"""Cyclones: Lock On holds a target and fires twenty missiles at it while the Cyclone walks where it likes.

Catalog 4.10.0.75689 and 5.0.14.94137, LockOn: range 7, a missile every normal second, broken beyond 15 cells, or where
a missile would leave for who has hidden (`valid`); cooldown 6 n from its end; the own weapon is silent meanwhile. 20
damage each, whatever the armour; the Mag-Field Accelerator adds 10, in 4.10 20 against armored. Its place is lit while
it is held. Autocast takes units and defensive structures within range that no Cyclone holds, in 5.0.14 who can hit it
first, then flyers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import LOCKING, MATRIX, add_buff, buff_flags, remove_buff
from sim.engine.catalog import ARMORED
from sim.engine.state import (
    ATTACK,
    ATTACK_MOVE,
    AUTOCAST,
    BURROWED,
    CLOAKED,
    DETECTED,
    DISARMED,
    FLYING,
    HOLD,
    IMMOBILE,
    INSIDE,
    INVULNERABLE,
    PATROL,
    REVEALED,
    STRUCTURE,
)
from sim.engine.world import HITS_GROUND
from sim.melee import kernel, orders, tech
from sim.melee.barred import PARASITE, STASIS_TRAP
from sim.melee.casts import flight, gap, perceives, seen_or_wait
from sim.melee.eyes import reveal
from sim.melee.harm import an_enemy, author, hurt, player_of, same
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, EVERY, ON_OWNER, ON_REMOVE, ON_SPAWN, Kind
from sim.melee.zerg_overseer import DISGUISES

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

LOCK_ON, CANCEL = 2350, 2354
LOCKED_BUFF = 116
SHOTS, PERIOD, REACH = 20, 16, 15.0
DAMAGE, LIT = 20.0, 2.0
STAND = 7.0  # cells to the target within which an attacking Cyclone stands (ours)
MISSILE_SPEED, MISSILE_PULL = 35.0, 5.0  # from 20 cells a normal second
UPGRADE, BONUS, ARMORED_BONUS = 144, {"5.0.14": 10.0}, {"4.10.0": 20.0}
# Whom the autocast takes of structures, and leaves alone of units (AutoCastValidators).
DEFENSIVE = {
    "PhotonCannon",
    "Bunker",
    "MissileTurret",
    "SpineCrawler",
    "SporeCrawler",
    "PlanetaryFortress",
    "AutoTurret",
}
SPARED = {"Interceptor", "Broodling", "Larva", "Egg", "Changeling", *DISGUISES}
THREATS_FIRST = ("5.0.14",)  # patches in which the autocast has TargetSorts
ADVANCING = (ATTACK_MOVE, PATROL)
AUTOCAST_VERBS = (ATTACK, ATTACK_MOVE, PATROL, HOLD)
SEARCH_EVERY = 4


@dataclass(slots=True)
class Lock:
    """A target held: its slot and generation, missiles left, loop of the next one."""

    target: int
    generation: int
    shots: int
    next: int


def lock_on(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Drives into range."""
    own = tech.improved(game, int(game.units[slot]["owner"]), LOCK_ON)
    game.push_order(slot, ability.id, target, range=own.range)


def aimed(game: Game, slot: int) -> None:
    """In range: the lock holds from now on, unless it holds another one (requirement NotLockedOn)."""
    if holds(game, slot):
        orders.fail(game, slot, Result.ERROR)
    elif seen_or_wait(game, slot):
        other = int(game.orders[slot, 0]["target"])
        game.finish_order(slot)
        hold(game, slot, other)


def hold(game: Game, slot: int, other: int) -> None:
    """Takes hold of a target."""
    unit, victim = game.units[slot], game.units[other]
    game.memory.locks[slot] = Lock(other, int(victim["generation"]), SHOTS, game.loop + PERIOD)
    add_buff(unit, game.state.buffs, LOCKING)
    add_buff(victim, game.state.buffs, LOCKED_BUFF)
    unit["target"], unit["weapon"], unit["windup"] = -1, -1, -1


def let_go(game: Game, slot: int) -> None:
    """Gives the target free; the ability cools down from now on."""
    lock = game.memory.locks.pop(slot)
    remove_buff(game.units[slot], game.state.buffs, LOCKING)
    stand(game, slot, False)
    game.memory.ready[slot, LOCK_ON] = game.loop + round(game.facts.abilities[LOCK_ON].cooldown)
    held = any(
        (other.target, other.generation) == (lock.target, lock.generation) for other in game.memory.locks.values()
    )
    if not held and same(game, lock.target, lock.generation):
        remove_buff(game.units[lock.target], game.state.buffs, LOCKED_BUFF)


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The player gives it up."""
    let_go(game, slot)


def holds(game: Game, slot: int) -> bool:
    """A target is held."""
    return slot in game.memory.locks


def run(game: Game) -> None:
    """Missiles leave, locks break."""
    for slot in sorted(game.memory.locks):
        lock, flags = game.memory.locks[slot], int(game.units[slot]["flags"])
        gone = not same(game, lock.target, lock.generation) or int(game.units[lock.target]["flags"]) & INSIDE
        if gone or flags & INSIDE or gap(game, slot, lock.target) > REACH:
            let_go(game, slot)
        else:
            stand(game, slot, gap(game, slot, lock.target) <= STAND)
            if game.loop < lock.next:
                continue
            if valid(game, slot, lock.target):
                shoot(game, slot, lock)
            else:
                let_go(game, slot)


def valid(game: Game, slot: int, other: int) -> bool:
    """A missile may leave (catalog: LockOnPeriodicValidators): not for who is hidden, in stasis or beyond harm by now,
    or one's own, nor from a Cyclone that is in stasis or jammed."""
    unit, victim = game.units[slot], game.units[other]
    if hides(victim):
        kernel.look(game)  # marks of detection are renewed every few loops only
    if hides(victim) or int(victim["flags"]) & INVULNERABLE or victim["owner"] == unit["owner"]:
        return False
    return STASIS_TRAP not in victim["buff"] and not np.isin(unit["buff"], (STASIS_TRAP, MATRIX)).any()


def hides(unit: Any) -> bool:
    """It is cloaked or buried, and nobody detects it."""
    flags = int(unit["flags"])
    return bool(flags & (CLOAKED | BURROWED)) and not flags & (DETECTED | REVEALED)


def search(game: Game) -> None:
    """Cyclones with autocast look for targets."""
    for slot in sorted(game.memory.cyclones):
        if slot not in game.memory.locks:
            seek(game, slot)


def stand(game: Game, slot: int, near: bool) -> None:
    """On the attack a Cyclone stays where it is while its target is near; told to move it moves."""
    unit = game.units[slot]
    attacking = bool(unit["order_count"]) and game.orders[slot, 0]["verb"] in ADVANCING
    kept = IMMOBILE if near and attacking else buff_flags(unit, game.state.buffs) & IMMOBILE
    unit["flags"] = int(unit["flags"]) & ~IMMOBILE | kept


def shoot(game: Game, slot: int, lock: Lock) -> None:
    """One missile; after the last one the target is free."""
    owner, victim = int(game.units[slot]["owner"]), game.units[lock.target]
    loops = flight(gap(game, slot, lock.target), MISSILE_SPEED, MISSILE_PULL, 20.0)
    game.later(loops, "lock_hit", author(game, slot), lock.target, lock.generation)
    reveal(game, owner, float(victim["x"]), float(victim["y"]), LIT, PERIOD + 4)
    lock.shots -= 1
    lock.next += PERIOD
    if lock.shots <= 0:
        let_go(game, slot)


def strike(game: Game, by: float, other: float, generation: float) -> None:
    """A missile is there."""
    if not same(game, other, generation) or int(game.units[int(other)]["flags"]) & INSIDE:
        return
    amount, patch = DAMAGE, game.facts.patch
    if game.players[player_of(by)]["upgrades"][UPGRADE]:
        amount += BONUS.get(patch, 0.0)
        if int(game.type_of(int(other))["attributes"]) & ARMORED:
            amount += ARMORED_BONUS.get(patch, 0.0)
    hurt(game, int(other), amount, by)


def seek(game: Game, slot: int) -> None:
    """A Cyclone that fights by itself locks on to the best target in range; an idle one drives up to who is a little
    farther off (catalog: AutoCastRange)."""
    unit = game.units[slot]
    flags = int(unit["flags"])
    if not flags & AUTOCAST or flags & (INSIDE | DISARMED) or game.memory.ready.get((slot, LOCK_ON), 0) > game.loop:
        return
    if unit["order_count"] and game.orders[slot, 0]["verb"] not in AUTOCAST_VERBS:
        return
    owner, ability = int(unit["owner"]), game.facts.abilities[LOCK_ON]
    near_enough = tech.improved(game, owner, LOCK_ON).range
    # An upgrade of the range adds as much to that of the autocast (catalog: AutoCastRange).
    beyond = 0.0 if unit["order_count"] else ability.autocast_range - ability.range
    units: Any = game.units[: int(game.world[0]["slots"])]
    enemies = (units["owner"] > 0) & (units["owner"] != owner) & (units["flags"] & INVULNERABLE == 0)
    reach = near_enough + beyond
    near = game.near(float(unit["x"]), float(unit["y"]), reach + 4.0, enemies)
    found = [o for o in near if gap(game, slot, o) <= reach and worthy(game, o) and perceives(game, owner, o)]
    if not found:
        return
    best = min(found, key=lambda o: rank(game, o)) if game.patch in THREATS_FIRST else found[0]
    if gap(game, slot, best) <= near_enough:
        hold(game, slot, best)
    else:
        lock_on(game, slot, ability, Target(best, float(units["x"][best]), float(units["y"][best])))


def worthy(game: Game, slot: int) -> bool:
    """The autocast's validators let it pass."""
    unit, name = game.units[slot], game.facts.names[int(game.units[slot]["type"])]
    if int(unit["flags"]) & STRUCTURE and name not in DEFENSIVE:
        return False
    return name not in SPARED and not np.isin(unit["buff"], (LOCKED_BUFF, PARASITE)).any()


def rank(game: Game, slot: int) -> tuple[bool, bool]:
    """The smaller, the earlier the autocast takes it; of equal ones the nearest."""
    threatens = int(game.state.traits["marks"][slot]) & HITS_GROUND
    return not threatens, not int(game.units[slot]["flags"]) & FLYING


def known(game: Game, slot: int) -> None:
    """Keeps the list of Cyclones."""
    if int(game.units[slot]["type"]) == game.facts.ids["Cyclone"]:
        game.memory.cyclones[slot] = None


def gone(game: Game, slot: int) -> None:
    """Forgets a Cyclone and its lock."""
    if slot in game.memory.locks:
        let_go(game, slot)
        game.memory.ready.pop((slot, LOCK_ON), None)  # the next unit in the slot does not wait for it
    game.memory.cyclones.pop(slot, None)


def stolen(game: Game, slot: int) -> None:
    """A Cyclone that comes to obey somebody else lets go (catalog: NeuralParasite removes LockOnDisableAttack)."""
    if slot in game.memory.locks:
        let_go(game, slot)


ABILITIES[LOCK_ON] = Kind(lock_on, an_enemy, reached=aimed, timer=aimed, everyone=False)
ABILITIES[CANCEL] = Kind(cancel)
AFTER["lock_hit"] = strike
EVERY += [(1, run), (SEARCH_EVERY, search)]
ON_SPAWN.append(known)
ON_REMOVE.append(gone)
ON_OWNER.append(stolen)
tech.STATES["LockedOn"] = holds
tech.STATES["NotLockedOn"] = lambda game, slot: slot not in game.memory.locks
