"""Damage that spells do, whom they reach, and whom they may name; shared by the rules of all races."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.damage import blame, call
from sim.engine.reports import is_news
from sim.engine.state import (
    DISARMED,
    EAGER,
    HALLUCINATION,
    HIT,
    IMMOBILE,
    INVULNERABLE,
    NO_COLLISION,
    PLAYERS,
    REVEALED,
    STRUCTURE,
    UNFINISHED,
    UNHARMED,
)
from sim.melee.records import Result, Target
from sim.melee.registry import ON_EVENT

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

FRENZIED = frozenset({"Ultralisk", "UltraliskBurrowed"})
COCOONS = ("BanelingCocoon", "RavagerCocoon", "LurkerMPEgg", "BroodLordCocoon", "OverlordCocoon", "InfestedTerransEgg")
EGGS = frozenset({"Larva", "Egg", *COCOONS})  # IsNotLarva, IsNotEggUnit
DRAGGED = IMMOBILE | DISARMED | NO_COLLISION | REVEALED  # whom a Viper's tongue draws along (SuppressCloak)


def frenzied(game: Game, slot: int) -> bool:
    """Nothing slows, lifts, abducts or takes over an Ultralisk (behaviour Frenzy; validator NotFrenzied)."""
    return game.facts.names[int(game.units[slot]["type"])] in FRENZIED


def is_dragged(game: Game, slot: int) -> bool:
    """A tongue draws the unit along."""
    flags = int(game.units[slot]["flags"])
    if flags & DRAGGED != DRAGGED or flags & STRUCTURE:
        return False
    me = slot, int(game.units[slot]["generation"])
    return any(name == "dragged" and numbers[:2] == me for _, _, name, numbers in game.memory.later_heap)


def author(game: Game, slot: int) -> int:
    """Who does something, as one number that stays true when its slot is another unit's: its tag and its player."""
    return game.tag(slot) * PLAYERS + int(game.units[slot]["owner"])


def player_of(by: float) -> int:
    """The player of an `author`."""
    return int(by) % PLAYERS


def hurt(
    game: Game,
    slot: int,
    amount: float,
    by: float,
    *,
    armor: bool = False,
    ranged: bool = False,
    shields: float = 0.0,
    calls: bool = True,
) -> None:
    """Damage of an `author` to one unit: shields first (`shields` more of it there), then life; the unit dies at 0.
    What is all for shields is a hit of who has none, too.

    With `armor` the armour of shields and life takes its part and at least 0.5 comes through, as with weapons; with
    `ranged` a Guardian Shield does, too. Images take twice as much and have no armour. Who is hit calls its friends if
    it `calls` (catalog: CallForHelp). The rules hear of it as of a hit (at most one in 16 loops, but for the EAGER).
    """
    unit = game.units[slot]
    if not unit["alive"] or unit["hp"] <= 0 or int(unit["flags"]) & (INVULNERABLE | UNHARMED) or amount + shields <= 0:
        return
    row, buffs = game.type_of(slot), game.state.buffs[unit["buff"]]
    if ranged:
        amount = max(amount - float(buffs["ranged_armor"].sum()), 0.5)
    if int(unit["flags"]) & HALLUCINATION:
        amount, shields, armor = 2 * amount, 2 * shields, False
    before = float(unit["hp"]) + float(unit["shield"])
    life, shield = float(unit["hp"]), float(unit["shield"])
    fresh = int(unit["flags"]) & EAGER or is_news(game.loop, int(unit["last_hit"]), slot)
    player, attacker = player_of(by), game.slot(int(by) // PLAYERS)  # who has died meanwhile is not turned on
    blame(game.world[0], unit, player, attacker, game.units[attacker]["generation"] if attacker >= 0 else 0)
    if calls:
        call(game.world[0], unit)
    through = 0.0
    if unit["shield"] > 0:
        whole = amount + shields
        if armor:
            whole = max(whole - float(row["shield_armor"]) - float(buffs["shield_armor"].sum()), 0.5)
        if whole <= float(unit["shield"]):
            unit["shield"] -= whole
            amount = 0.0
        else:
            amount = max(min(whole - float(unit["shield"]), amount), 0.0)
            unit["shield"] = 0
    if amount > 0:
        bare = int(unit["flags"]) & UNFINISHED and int(unit["flags"]) & STRUCTURE
        own = 0.0 if bare else float(row["armor"])
        through = max(amount - own - float(buffs["armor"].sum()), 0.5) if armor else amount
        unit["hp"] -= through
    book(game, slot, player, life - max(float(unit["hp"]), 0.0), shield - float(unit["shield"]))
    if fresh:
        event = {
            "kind": HIT,
            "unit": slot,
            "other": player,
            "value": before - float(unit["hp"]) - float(unit["shield"]),
        }
        for handler in ON_EVENT.get(HIT, ()):
            handler(game, event)
    if unit["alive"] and unit["hp"] <= 0:
        from sim.melee import lifecycle

        lifecycle.died(game, slot, player)


def book(game: Game, slot: int, by: int, life: float, shield: float) -> None:
    """Adds a player's damage to the books of both sides (score details)."""
    head, owner = game.world[0], int(game.units[slot]["owner"])
    head["taken"][owner] += (life, shield)
    if by != owner:
        head["dealt"][by] += (life, shield)


def same(game: Game, slot: float, generation: float) -> bool:
    """The slot still holds the unit that was meant then."""
    unit = game.units[int(slot)]
    return bool(unit["alive"]) and int(unit["generation"]) == int(generation)


def fly_on(game: Game, name: str, slot: int) -> None:
    """A unit is taken off the map: what flies to it (`name`; numbers: author, slot, generation, x, y) goes on to where
    it was."""
    unit, heap = game.units[slot], game.memory.later_heap
    for place, (when, count, other, numbers) in enumerate(heap):
        if other == name and numbers[1:3] == (slot, unit["generation"]):
            heap[place] = when, count, name, (*numbers[:3], float(unit["x"]), float(unit["y"]))


def distance_to(game: Game, slot: int, x: float, y: float) -> float:
    """From a point to a unit's edge; 0 inside it."""
    unit = game.units[slot]
    apart = math.hypot(float(unit["x"]) - x, float(unit["y"]) - y)
    return max(apart - float(game.type_of(slot)["radius"]), 0.0)


def an_enemy(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Only units of another player."""
    fits = game.units[target.slot]["owner"] not in (0, game.units[slot]["owner"])
    return Result.SUCCESS if fits else Result.CANT_TARGET_THAT_UNIT
