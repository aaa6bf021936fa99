"""Stalkers and Dark Templar that blink, Zealots that charge, Adepts that send their shade.

Numbers: catalog of both patches; the range of a blink (8) is common knowledge: the table says 500 and cuts it at 8.
A shade lives 10 n while its Adept goes on with its orders; then the Adept takes its place, unless one of both was told
to give up; it dies with its Adept.
Charge adds 8 damage in contact in the older patch; a Zealot charges by itself within 4, unless that was switched off,
and by order from anywhere.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import PUSHED, RECALLED, add_buff, remove_buff
from sim.engine.state import AUTOCAST, FLYING, HALLUCINATION, IMMOBILE, INSIDE, INVULNERABLE, MOVE, NO_COLLISION
from sim.melee import protoss_air, tech, transport, zerg_neural
from sim.melee.active import every
from sim.melee.areas import seen
from sim.melee.birth import free_spot
from sim.melee.census import of_type
from sim.melee.grids import walkable
from sim.melee.harm import author, hurt, is_dragged, same
from sim.melee.protoss_nexus import place_at, teleport
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, KINDS, ON_OWNER, ON_REMOVE, Kind
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

BLINK, SHADOW_STRIDE, CHARGE, ATTACK = 1442, 2700, 1819, 23
BLINK_RANGE = 8.0
STRIDE_REST = {"5.0.14": 16}  # loops without an attack after a Shadow Stride (DarkTemplarBlinkAttackDelay, since 5.0.9)
SHADE, SHADE_CANCEL_ADEPT, SHADE_CANCEL = 2544, 2594, 2596
SHADE_LOOPS, FADE_EVERY = 160, 2
ADEPTS_STAY = ("4.10.0",)
THIEFS_SHADES_LAST = ("4.10.0",)
HOLDS = (5, 17, 129, RECALLED)  # graviton beam, fungus, stasis trap
CHARGE_BUFF, CHARGE_FROM, CHARGE_REACH, CHARGE_COOLDOWN = 30, 4.0, 0.4, 160
CHARGE_DAMAGE = {"4.10.0": 8.0}  # patch 4.11 made the upgrade's legs faster and took the blow away
CHARGE_EVERY = 2
CHARGE_UPGRADE = 86


def landing(game: Game, slot: int, target: Target) -> tuple[float, float] | None:
    """Where a blink ends: the point, or as far on the way there as it reaches and can stand; None = nowhere."""
    x, y = float(game.units[slot]["x"]), float(game.units[slot]["y"])
    reach = min(math.hypot(target.x - x, target.y - y), BLINK_RANGE)
    angle = math.atan2(target.y - y, target.x - x)
    while reach > 0:
        place = x + reach * math.cos(angle), y + reach * math.sin(angle)
        if walkable(game, *place):
            return place
        reach -= 0.25
    return None


def can_blink(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """The place where it lands is in sight; the point ordered need not be (it is within 500 and asks for no vision)."""
    if int(game.units[slot]["flags"]) & IMMOBILE:
        return Result.ERROR
    place = landing(game, slot, target)
    if target.queued or place is None or seen(game, int(game.units[slot]["owner"]), *place):
        return Result.SUCCESS  # queued: from where it sets out is not known yet
    return Result.CANT_SEE_BUILD_LOCATION


def blink(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Appears where it lands or, where somebody stands, as near as it fits, rather before than behind him (common
    knowledge: who blinks to one point stands side by side there); looks away from where it was."""
    unit = game.units[slot]
    place = landing(game, slot, target)
    if place is not None:
        angle = math.atan2(target.y - float(unit["y"]), target.x - float(unit["x"]))
        unit["facing"] = angle
        kind, owner = int(unit["type"]), int(unit["owner"])
        teleport(game, slot, *place)
        place_at(game, slot, *free_spot(game, *place, 0.0, angle + math.pi, kind, owner, mover=slot))
        if ability.id == SHADOW_STRIDE:
            unit["cooldown"][:] = np.maximum(unit["cooldown"], STRIDE_REST.get(game.patch, 0))


# -- charge ---------------------------------------------------------------------------------------------------------
def charge(game: Game) -> None:
    """Zealots with a target in their reach run at it (autocast), images do not, until contact; in the older patch it
    ends with a blow."""
    units = game.units
    for slot in of_type(game, "Zealot"):
        unit = units[slot]
        if unit["target"] < 0 or int(unit["flags"]) & HALLUCINATION:
            continue
        other = units[unit["target"]]
        if not game.players[unit["owner"]]["upgrades"][CHARGE_UPGRADE] or not other["alive"]:
            continue
        row, kind = game.type_of(slot), game.type_of(int(unit["target"]))
        gap = math.hypot(float(unit["x"] - other["x"]), float(unit["y"] - other["y"]))
        gap -= float(row["radius"]) + float(kind["radius"])
        if CHARGE_BUFF in unit["buff"]:
            if gap <= CHARGE_REACH:
                remove_buff(unit, game.state.buffs, CHARGE_BUFF)
                if game.patch in CHARGE_DAMAGE:
                    hurt(game, int(unit["target"]), CHARGE_DAMAGE[game.patch], author(game, slot))
        elif (
            CHARGE_REACH < gap <= CHARGE_FROM
            and int(unit["flags"]) & AUTOCAST
            and game.memory.ready.get((slot, CHARGE), 0) <= game.loop
        ):
            start_charge(game, slot)


def start_charge(game: Game, slot: int) -> None:
    """The Zealot runs, until contact or the end of its time."""
    add_buff(game.units[slot], game.state.buffs, CHARGE_BUFF)
    game.memory.ready[slot, CHARGE] = game.loop + CHARGE_COOLDOWN


def can_charge(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An enemy on the ground."""
    other = game.units[target.slot]
    fits = other["owner"] not in (0, game.units[slot]["owner"]) and not int(other["flags"]) & (FLYING | INVULNERABLE)
    return Result.SUCCESS if fits else Result.CANT_TARGET_THAT_UNIT


def charge_at(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """An attack, at a run from the start."""
    KINDS["attack"].apply(game, slot, game.facts.abilities[ATTACK], target)
    if not target.queued:
        start_charge(game, slot)


# -- shades -----------------------------------------------------------------------------------------------------------
def send_shade(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A shade sets out; it passes through units and cannot be hurt."""
    unit = game.units[slot]
    owner = int(unit["owner"])
    shade = game.spawn(
        game.facts.ids["AdeptPhaseShift"],
        owner,
        float(unit["x"]),
        float(unit["y"]),
        flags=INVULNERABLE | NO_COLLISION,
        life_left=SHADE_LOOPS + 0.5,  # shown as its timer bar (AdeptPhaseShiftTimer)
        facing=float(unit["facing"]),
        builder=-1,
    )
    game.units[shade]["timer"] = slot + 1
    move = game.abilities_of(int(game.units[shade]["type"]))["move"][0]
    game.push_order(shade, move, Target(-1, target.x, target.y, True), verb=MOVE, range=0.0)
    numbers = (slot, int(unit["generation"]), shade, int(game.units[shade]["generation"]))
    game.later(SHADE_LOOPS, "shade", *numbers)


def follow_shade(game: Game, slot: float, generation: float, shade: float, shade_generation: float) -> None:
    """The shade's time is over: its Adept stands where it stood and takes its orders over (catalog), and the shade is
    told dead (as the real game does). It waits for an Adept that a tongue draws along or a charge pushes
    (CasterNotAbducted, KD8CasterKnockingBack)."""
    slot, shade = int(slot), int(shade)
    if not same(game, shade, shade_generation):
        return
    if same(game, slot, generation) and (is_dragged(game, slot) or PUSHED in game.units[slot]["buff"]):
        game.units[shade]["life_left"] += 1
        game.later(1, "shade", slot, generation, shade, shade_generation)
        return
    x, y = float(game.units[shade]["x"]), float(game.units[shade]["y"])
    going = game.orders[shade, : int(game.units[shade]["order_count"])].copy()
    game.kill(shade)
    if same(game, slot, generation):
        break_free(game, slot)
        game.clear_orders(slot)
        teleport(game, slot, x, y)
        for order in going:
            aim = Target(int(order["target"]), float(order["x"]), float(order["y"]), True, queued=True)
            game.push_order(slot, int(order["ability"]), aim, verb=int(order["verb"]), range=float(order["range"]))


def break_free(game: Game, slot: int) -> None:
    """What holds an Adept lets go of it as it takes its shade's place (catalog: AdeptPhaseShiftRemoveDisablesSet), an
    Infestor too (observed by modders)."""
    protoss_air.let_go(game, slot)
    zerg_neural.break_off(game, slot)
    for buff in HOLDS:
        remove_buff(game.units[slot], game.state.buffs, buff)


def fade(game: Game) -> None:
    """A shade dies when its Adept goes aboard or is recalled."""
    units = game.units
    for shade in of_type(game, "AdeptPhaseShift"):
        adept = int(units["timer"][shade]) - 1
        if adept >= 0 and (int(units["flags"][adept]) & INSIDE or RECALLED in units["buff"][adept]):
            game.kill(shade)


def shade_of(game: Game, slot: int) -> int:
    """Slot of the shade that an Adept has sent, -1 = none."""
    for _, _, name, numbers in game.memory.later_heap:
        if name == "shade" and numbers[0] == slot and same(game, *numbers[:2]) and same(game, *numbers[2:]):
            return int(numbers[2])
    return -1


def stays(game: Game, slot: int) -> bool:
    """In the older patch an Adept whose shade is out is no passenger (catalog: AdeptPhaseShiftCaster)."""
    adept = int(game.units[slot]["type"]) == game.facts.ids["Adept"]
    return adept and game.patch in ADEPTS_STAY and shade_of(game, slot) >= 0


def give_up(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The shade dies (and is told dead), the Adept stays."""
    shade = slot if ability.id == SHADE_CANCEL else shade_of(game, slot)
    if shade >= 0:
        game.kill(shade)


def lose_shade(game: Game, slot: int) -> None:
    """An Adept takes its shade along."""
    if int(game.units[slot]["type"]) == game.facts.ids["Adept"]:
        shade = shade_of(game, slot)
        if shade >= 0:
            game.kill(shade)


def given_back(game: Game, slot: int) -> None:
    """The shade that a thief sent ends when he loses the Adept (catalog of the newer patch:
    AdeptPhaseShiftNeuraledShadeCP); one that was out when the Adept was taken over stays its player's."""
    unit, shade = game.units[slot], shade_of(game, slot)
    if shade < 0 or game.patch in THIEFS_SHADES_LAST or zerg_neural.BUFF in unit["buff"]:
        return
    if game.units[shade]["owner"] != unit["owner"]:
        game.kill(shade)


spell(BLINK, blink, can_blink, all_round=True)
spell(SHADOW_STRIDE, blink, can_blink)
ABILITIES[CHARGE] = Kind(charge_at, can_charge)
spell(SHADE, send_shade, aside=True)
spell(SHADE_CANCEL_ADEPT, give_up)
spell(SHADE_CANCEL, give_up)
AFTER["shade"] = follow_shade
ON_REMOVE.append(lose_shade)
ON_OWNER.append(given_back)
transport.STAYING.append(stays)
tech.STATES["PhaseShifting"] = lambda game, slot: shade_of(game, slot) >= 0
every(CHARGE_EVERY, charge, Race.PROTOSS)
every(FADE_EVERY, fade, Race.PROTOSS)
