"""Overseers: changelings and Contaminate; Overlords that drip creep.

Catalog: a changeling lives 150 n and takes on the look of what it meets; a contaminated structure neither makes nor
researches anything for 30 n. Who owns a disguised changeling's enemy does not fire at it by itself. Real games: it
looks round every 8 loops of its life (77 of 90 were disguised after 8), and in disguise it is a new unit with a life of
its own while the old one is reported dead. Not in the tables: how near it has to come (12), how far an overlord's creep
reaches (5), and that the new one goes where the old one was sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import add_buff
from sim.engine.state import FLYING, HIT, UNPOWERED
from sim.melee import birth, lifecycle, production, zerg_creep
from sim.melee.active import every
from sim.melee.barred import CONTAMINATED
from sim.melee.casts import timed_life
from sim.melee.harm import same
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, ON_SPAWN, ON_TYPE, TABLES, Kind, on_event
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

SPAWN_CHANGELING, CONTAMINATE, CREEP_ON, CREEP_OFF = 181, 1825, 1692, 1693
CHANGELING_LIFE, DISGUISE_REACH, DISGUISE_EVERY = 2400.0, 12.0, 8
SHIELD, WINGS = 16, 66  # upgrades that show: Combat Shield, Metabolic Boost
DISGUISES = (
    "ChangelingZealot",
    "ChangelingMarineShield",
    "ChangelingMarine",
    "ChangelingZerglingWings",
    "ChangelingZergling",
)
CONTAMINATED_LOOPS = 480
CREEP = zerg_creep.Source(4.5, zerg_creep.TUMOR.growth, 1.5)
NO_CREEP = zerg_creep.Source(0.0, 0.0, -1.0)
STAYED = 0.25  # cells that a dripping overlord may drift


# -- changelings ------------------------------------------------------------------------------------------------------
def lay_changeling(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """It falls to the ground below."""
    unit, type_id = game.units[slot], game.facts.ids["Changeling"]
    owner = int(unit["owner"])
    x, y = birth.free_spot(game, float(unit["x"]), float(unit["y"]), 0.5, birth.DOWN, type_id, owner)
    game.spawn(type_id, owner, x, y, life_left=timed_life(game, CHANGELING_LIFE))


def look_of(game: Game, enemy: int) -> str:
    """What a changeling turns into among that player's units."""
    race, upgrades = int(game.players[enemy]["race"]), game.players[enemy]["upgrades"]
    if race == Race.TERRAN:
        return "ChangelingMarineShield" if upgrades[SHIELD] else "ChangelingMarine"
    if race == Race.ZERG:
        return "ChangelingZerglingWings" if upgrades[WINGS] else "ChangelingZergling"
    return "ChangelingZealot"


def born(game: Game, slot: int) -> None:
    """A changeling begins to look round."""
    if int(game.units[slot]["type"]) == game.facts.ids["Changeling"]:
        game.later(DISGUISE_EVERY, "disguise", slot, int(game.units[slot]["generation"]))


def disguise(game: Game, slot: float, generation: float) -> None:
    """A changeling near an enemy looks like one of his from now on; else it looks again later."""
    slot, units = int(slot), game.units[: int(game.world[0]["slots"])]
    if not same(game, slot, generation):
        return
    unit, owner = game.units[slot], int(game.units[slot]["owner"])
    x, y = float(unit["x"]), float(unit["y"])
    if not game.near(x, y, DISGUISE_REACH, units["owner"] == 3 - owner):
        game.later(DISGUISE_EVERY, "disguise", slot, generation)
        return
    life = timed_life(game, CHANGELING_LIFE)
    share = float(unit["hp"]) / float(unit["hp_max"])
    look = game.facts.ids[look_of(game, 3 - owner)]
    double = game.spawn(look, owner, x, y, life_left=life, facing=float(unit["facing"]))
    game.units[double]["hp"] *= share
    game.units[double]["order_count"] = unit["order_count"]
    game.orders[double] = game.orders[slot]
    game.kill(slot)


def harmless(game: Game) -> None:
    """In disguise it carries no weapon, and nobody picks it as a target by himself."""
    disguised = [game.facts.ids[name] for name in DISGUISES]
    game.types["weapons"][:, disguised] = -1
    game.types["target_priority"][:, disguised] = 0


def drop_the_mask(game: Game, event: Any) -> None:
    """Whatever hits one in disguise kills it, but for less than a point (catalog: behaviour ChangelingDisable)."""
    slot = int(event["unit"])
    disguised = game.facts.names[int(game.units[slot]["type"])] in DISGUISES
    if disguised and game.units[slot]["alive"] and game.units[slot]["hp"] > 0 and event["value"] >= 1:
        lifecycle.died(game, slot, int(event["other"]))


# -- contaminate ------------------------------------------------------------------------------------------------------
def contaminate(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Its work stands still."""
    fresh = CONTAMINATED not in game.units[target.slot]["buff"]
    if add_buff(game.units[target.slot], game.state.buffs, CONTAMINATED, CONTAMINATED_LOOPS) and fresh:
        game.later(1, "contaminated", target.slot, int(game.units[target.slot]["generation"]))


def stand_still(game: Game, slot: float, generation: float) -> None:
    """One loop of a contaminated structure: the kernel has counted its jobs down, so they are counted up again."""
    slot, unit = int(slot), game.units[int(slot)]
    if not same(game, slot, generation) or CONTAMINATED not in unit["buff"]:
        return
    works = not int(unit["flags"]) & UNPOWERED  # else its jobs are counted up for that already
    for job in game.jobs[slot, : min(int(unit["job_count"]), production.at_a_time(game, slot))] if works else ():
        if job["started"] and job["left"] < job["total"]:
            job["left"] += 1
    game.later(1, "contaminated", slot, generation)


# -- creep from above -------------------------------------------------------------------------------------------------
def can_drip(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Only the half of the toggle that changes something."""
    drips = slot in zerg_creep.of(game).patches
    return Result.SUCCESS if drips == (ability.id == CREEP_OFF) else Result.NOT_SUPPORTED


def drip(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Creep grows below for as long as the overlord stays where it is, if one can walk there (catalog: validator
    Pathable of its behaviour)."""
    if ability.id == CREEP_ON:
        unit = game.units[slot]
        ground = game.terrain.walkable[int(unit["y"]), int(unit["x"])]
        zerg_creep.add_source(game, slot, source=CREEP if ground else NO_CREEP)
    else:
        zerg_creep.remove_source(game, slot)


def stop_dripping(game: Game) -> None:
    """Overlords that have moved away stop."""
    for slot, patch in list(zerg_creep.of(game).patches.items()):
        unit = game.units[slot]
        if int(unit["flags"]) & FLYING and max(abs(unit["x"] - patch.x), abs(unit["y"] - patch.y)) > STAYED:
            zerg_creep.remove_source(game, slot)


def runs_dry(game: Game, slot: int, old: int) -> None:
    """Neither a cocoon nor an Overseer drips (catalog: they have no such ability)."""
    if int(game.units[slot]["flags"]) & FLYING and slot in zerg_creep.of(game).patches:
        zerg_creep.remove_source(game, slot)


spell(SPAWN_CHANGELING, lay_changeling, everyone=False)
spell(CONTAMINATE, contaminate, everyone=False)
for _ability in (CREEP_ON, CREEP_OFF):
    ABILITIES[_ability] = Kind(drip, can_drip)
AFTER["disguise"] = disguise
AFTER["contaminated"] = stand_still
ON_SPAWN.append(born)
ON_TYPE.append(runs_dry)
on_event(HIT, drop_the_mask)
TABLES.append(harmless)
every(zerg_creep.GROW_EVERY, stop_dripping, Race.ZERG)
