"""The Oracle: pulsar beam, revelation, stasis wards.

Numbers: catalog of both patches; not in it: the life of a stasis ward (170 Faster seconds; replays).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import JAMMED_CARRIER, MATRIX, RECALLED, UNSLOWED, add_buff, remove_buff
from sim.engine.state import AUTOCAST, DISARMED, FLYING, INVULNERABLE, REVEALED, STRUCTURE, UNFINISHED
from sim.melee import builders, construction, eyes, orders, placement, zerg_neural
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.casts import perceives, timed_life
from sim.melee.census import of_type, with_buff
from sim.melee.harm import FRENZIED, same
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, ON_FINISHED, ON_SPAWN, TABLES, Kind
from sim.melee.spells import pay, spell
from sim.melee.zerg_overseer import DISGUISES

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

REVELATION, REVELATION_BUFF, REVELATION_RADIUS = 2146, 49, 6.0
REVELATION_LOOPS = {"5.0.14": 448.0, "4.10.0": 672.0}
BEAM_ON, BEAM_OFF, BEAM_BUFF = 2375, 2376, 99
WARD, WARD_SEES, WARD_REACH, WARD_BUFF = 2505, 3.0, 5.0, 129
WARD_ACTIVATE, WARD_HOLDS, WARD_GONE = 2536, 8, 35  # loops from the burst: .5 n until it holds, 1.66 n until it is gone
# Whom no ward holds or waits for (validators of the catalog).
WARD_SPARES = {"Larva", "Egg", "BanelingCocoon", "RavagerCocoon", "LurkerMPEgg", "InfestedTerransEgg", *FRENZIED}
# What a stasis ends (their RemoveValidator NotOracleStasisTrapped): fungus, revelation, matrices, anti-armour missiles.
WARD_ENDS = (17, UNSLOWED, REVELATION_BUFF, MATRIX, JAMMED_CARRIER, 280, 298)
# What goes on after a stasis: only who builds is told to stop (OracleStasisTrapBuildingSet, and an SCV to halt).
GOES_ON = frozenset({"move", "patrol", "hold", "attack", "gather", "return"})
WARD_LIGHT, WARD_LIT = 4.0, 64.0  # cells and loops that are seen from when it holds on (OracleStasisTrapReveal)
WARD_LIFE = 3807.0  # loops from its completion: eight real ones went 3888 to 3891 loops after they were begun
LOOK_EVERY = 4


def carry_beam(game: Game) -> None:
    """The weapon of an Oracle, which its row of the table does not name."""
    oracle = game.facts.ids["Oracle"]
    game.types["weapons"][:, oracle, 0] = game.facts.weapon_names.index("Oracle")


def oracle_born(game: Game, slot: int) -> None:
    """It is off until the beam is switched on."""
    unit = game.units[slot]
    if int(unit["type"]) == game.facts.ids["Oracle"]:
        unit["flags"] |= DISARMED


def can_beam(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """On when it is off, and off when it is on."""
    on = BEAM_BUFF in game.units[slot]["buff"]
    return Result.SUCCESS if on == (ability.id == BEAM_OFF) else Result.NOT_SUPPORTED


def beam(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Switches the pulsar beam; energy drains while it is on."""
    unit = game.units[slot]
    if ability.id == BEAM_ON:
        pay(game, slot, ability)
        add_buff(unit, game.state.buffs, BEAM_BUFF)
        unit["flags"] &= ~np.uint32(DISARMED)
    else:
        remove_buff(unit, game.state.buffs, BEAM_BUFF)
        unit["flags"] |= DISARMED


def reveal(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Enemies in the circle are seen and detected wherever they go."""
    for other in within(game, target.x, target.y, REVELATION_RADIUS, enemy=int(game.units[slot]["owner"])):
        add_buff(game.units[other], game.state.buffs, REVELATION_BUFF, REVELATION_LOOPS[game.patch])


def ward(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Flies to the site."""
    x, y = placement.snap(game, ability.product, target.x, target.y)
    place = Target(-1, x, y, True, target.queued)
    game.push_order(slot, ability.id, place, range=max(ability.range, 1.0), product=ability.product)


def put_ward(game: Game, slot: int) -> None:
    """The ward completes itself, and hides then."""
    order, unit = game.orders[slot, 0].copy(), game.units[slot]
    ability = game.facts.abilities[int(order["ability"])]
    price = game.energy_for(slot, ability)
    if float(unit["energy"]) < price:
        orders.fail(game, slot, Result.NOT_ENOUGH_ENERGY)
        return
    unit["energy"] -= price
    x, y = float(order["x"]), float(order["y"])
    construction.start_structure(game, int(unit["owner"]), ability.product, x, y, loops=ability.loops)
    game.finish_order(slot)


def look(game: Game) -> None:
    """Beams without energy go out, the revealed are seen, wards wait for whom they hold."""
    units = game.units
    for slot in of_type(game, "Oracle"):
        if BEAM_BUFF not in units["buff"][slot]:
            units["flags"][slot] |= DISARMED
    for slot in with_buff(game, REVELATION_BUFF):
        enemy, x, y = 3 - int(units["owner"][slot]), float(units["x"][slot]), float(units["y"][slot])
        eyes.reveal(game, enemy, x, y, 1.0, LOOK_EVERY + 1, detect=1.0)
    for slot in of_type(game, "OracleStasisTrap"):
        waits = int(units["flags"][slot]) & (UNFINISHED | INVULNERABLE | AUTOCAST) == AUTOCAST
        if waits and is_set_off(game, slot):
            spring(game, slot, game.facts.abilities[WARD_ACTIVATE], Target())


def victims(game: Game, slot: int, radius: float) -> list[int]:
    """Enemies of a ward that stand on the ground round it, but for those that it spares and who is being recalled."""
    unit, units = game.units[slot], game.units
    x, y, owner = float(unit["x"]), float(unit["y"]), int(unit["owner"])
    found = within(game, x, y, radius, without=FLYING | STRUCTURE, enemy=owner)
    found = [other for other in found if game.facts.names[int(units["type"][other])] not in WARD_SPARES]
    return [other for other in found if RECALLED not in units["buff"][other]]


def is_set_off(game: Game, slot: int) -> bool:
    """Somebody walks near whom the ward's player sees and takes for an enemy: no Changeling in disguise."""
    names, units, owner = game.facts.names, game.units, int(game.units[slot]["owner"])
    return any(
        perceives(game, owner, other) and names[int(units["type"][other])] not in DISGUISES
        for other in victims(game, slot, WARD_SEES)
    )


def can_spring(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Once."""
    return Result.ERROR if int(game.units[slot]["flags"]) & INVULNERABLE else Result.SUCCESS


def spring(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A ward bursts, by itself when an enemy walks near; nothing harms it any more."""
    unit = game.units[slot]
    unit["flags"] |= INVULNERABLE | REVEALED
    game.later(WARD_HOLDS, "ward holds", slot, int(unit["generation"]))
    game.later(WARD_GONE, "ward gone", slot, int(unit["generation"]))


def hold(game: Game, slot: float, generation: float) -> None:
    """Who is near a bursting ward now is held in stasis, and his weapons and abilities cool down no more meanwhile
    (catalog: a rate of .001); the ward's player sees them on."""
    ready, held = game.memory.ready, float(game.state.buffs["loops"][WARD_BUFF])
    if same(game, slot, generation):
        unit = game.units[int(slot)]
        eyes.reveal(game, int(unit["owner"]), float(unit["x"]), float(unit["y"]), WARD_LIGHT, WARD_LIT)
        for other in victims(game, int(slot), WARD_REACH):
            stop_work(game, other)
            zerg_neural.break_off(game, other)
            for buff in WARD_ENDS:
                remove_buff(game.units[other], game.state.buffs, buff)
            add_buff(game.units[other], game.state.buffs, WARD_BUFF)
            game.counts_version += 1  # a prism may have its power back
            cooldown = game.units["cooldown"][other]
            cooldown[cooldown > 0] += held
            for key in [key for key, loop in ready.items() if key[0] == other and loop > game.loop]:
                ready[key] += round(held)


def stop_work(game: Game, slot: int) -> None:
    """What a stasis interrupts is given up; walks, attacks and harvests go on after it."""
    ability = game.facts.abilities.get(int(game.orders[slot, 0]["ability"]))
    if game.units[slot]["order_count"] and (ability is None or ability.kind not in GOES_ON):
        game.clear_orders(slot)


def burnt_out(game: Game, slot: float, generation: float) -> None:
    """Nothing is left of the ward."""
    if same(game, slot, generation):
        game.kill(int(slot))


def ward_done(game: Game, slot: int) -> None:
    """A finished ward waits for a limited time; it looks round at once (7 of 28 real ones were gone 34 loops later)."""
    if int(game.units[slot]["type"]) == game.facts.ids["OracleStasisTrap"]:
        game.units[slot]["life_left"] = timed_life(game, WARD_LIFE)
        if int(game.units[slot]["flags"]) & AUTOCAST and is_set_off(game, slot):
            spring(game, slot, game.facts.abilities[WARD_ACTIVATE], Target())


spell(REVELATION, reveal, everyone=False)
for _ability in (BEAM_ON, BEAM_OFF):
    ABILITIES[_ability] = Kind(beam, can_beam)
ABILITIES[WARD] = Kind(ward, builders.can_build, reached=put_ward, everyone=False)
ABILITIES[WARD_ACTIVATE] = Kind(spring, can_spring)
AFTER["ward holds"], AFTER["ward gone"] = hold, burnt_out
TABLES.append(carry_beam)
ON_SPAWN.append(oracle_born)
ON_FINISHED.append(ward_done)
every(LOOK_EVERY, look, Race.PROTOSS)
