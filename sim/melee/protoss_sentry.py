"""Sentries: Guardian Shield, Force Field, Hallucination. Numbers: catalog of both patches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.bufftable import MATRIX, add_buff
from sim.engine.catalog import MASSIVE
from sim.engine.state import FLYING, HALLUCINATION, INSIDE, INVULNERABLE, STRUCTURE, UNFINISHED
from sim.melee import birth
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.casts import timed_life
from sim.melee.effects_terran import GroundEffect
from sim.melee.harm import same
from sim.melee.lifecycle import on_level
from sim.melee.records import Race, Result, Target
from sim.melee.registry import AFTER, FORBID
from sim.melee.spells import spell
from sim.melee.walls import RADII

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

SHIELD, FORCE_FIELD = 76, 1526
SHIELD_BUFF, SHIELD_EFFECT, SHIELD_RADIUS, SHIELD_GAP = 18, 2, 4.5, 8
SHIELD_TICKS = {"5.0.14": 36, "4.10.0": 30}
SHIELD_KEEPS_LEVEL = ("4.10.0",)
FIELD_LOOPS = 240.0
HALLUCINATIONS = {
    146: ("Archon", 1),
    148: ("Colossus", 1),
    150: ("HighTemplar", 2),
    152: ("Immortal", 1),
    154: ("Phoenix", 1),
    156: ("Probe", 4),
    158: ("Stalker", 2),
    160: ("VoidRay", 1),
    162: ("WarpPrism", 1),
    164: ("Zealot", 2),
    2114: ("Oracle", 1),
    2389: ("Disruptor", 1),
    2391: ("Adept", 2),
}
HALLUCINATION_LOOPS = 960.0
PLAIN_KINDS = ("smart", "move", "attack", "stop", "hold", "patrol")  # what a hallucination can do


def guard(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Own units round the sentry take less from ranged weapons, wherever it goes."""
    shelter(game, slot, int(game.units[slot]["generation"]), SHIELD_TICKS[game.patch])


def shelter(game: Game, slot: float, generation: float, left: float) -> None:
    """One tick of a Guardian Shield, round what carries its Sentry, too (ours). In the older patch it does not reach
    over a cliff, to flyers by the ground below them neither (modders: SameCliff, a bug of 2023, mended since)."""
    slot = int(slot)
    if not same(game, slot, generation) or MATRIX in game.units[slot]["buff"]:
        return
    units = game.units
    middle = units[units["inside"][slot]] if int(units["flags"][slot]) & INSIDE else units[slot]
    x, y, owner = float(middle["x"]), float(middle["y"]), int(units["owner"][slot])
    for other in within(game, x, y, SHIELD_RADIUS, without=STRUCTURE, owner=owner):
        if game.patch in SHIELD_KEEPS_LEVEL and not on_level(game, other, x, y):
            continue
        add_buff(units[other], game.state.buffs, SHIELD_BUFF)
    game.memory.effects.append(GroundEffect(SHIELD_EFFECT, owner, x, y, SHIELD_RADIUS, game.loop + SHIELD_GAP))
    if left > 1:
        game.later(SHIELD_GAP, "guardian shield", slot, generation, left - 1)


# -- force fields ---------------------------------------------------------------------------------------------------
def put_field(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A wall of the map's own, until its time is over or something massive walks through."""
    life = timed_life(game, FIELD_LOOPS)  # 241 to 245 loops, all 111 of real games that nobody broke
    game.spawn(game.facts.ids["ForceField"], 0, target.x, target.y, flags=INVULNERABLE, life_left=life)


def trample(game: Game) -> None:
    """Massive ground units break force fields; their images do not (Liquipedia)."""
    found = game.owned(0, "ForceField")
    if not found:
        return
    units = game.units[: int(game.world[0]["slots"])]
    massive = game.types["attributes"][0][units["type"]] & MASSIVE != 0
    walkers = massive & (units["flags"] & (FLYING | UNFINISHED | HALLUCINATION) == 0) & (units["owner"] > 0)
    for field in found:
        x, y = float(units["x"][field]), float(units["y"][field])
        if game.near(x, y, RADII["ForceField"] + 1.0, walkers):
            game.kill(field)


# -- hallucinations -------------------------------------------------------------------------------------------------
def imagine(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Images that deal no damage, take twice as much, and fade."""
    name, count = HALLUCINATIONS[ability.id]
    unit, type_id = game.units[slot], game.facts.ids[name]
    owner = int(unit["owner"])
    for _ in range(count):
        x, y = birth.free_spot(game, float(unit["x"]), float(unit["y"]), 1.5, birth.DOWN, type_id, owner)
        game.spawn(type_id, owner, x, y, flags=HALLUCINATION, life_left=HALLUCINATION_LOOPS)


def only_an_image(game: Game, slot: int, ability: Ability) -> int:
    """Hallucinations move and attack, nothing else."""
    if not int(game.units[slot]["flags"]) & HALLUCINATION or ability.kind in PLAIN_KINDS:
        return Result.SUCCESS
    return Result.NOT_SUPPORTED


spell(SHIELD, guard, everyone=False)  # catalog: BestUnit; players' list of what one of a group casts
spell(FORCE_FIELD, put_field, everyone=False)
for _ability in HALLUCINATIONS:
    spell(_ability, imagine, everyone=False)
AFTER["guardian shield"] = shelter
every(4, trample, Race.PROTOSS)
FORBID.append(only_an_image)
