"""What Terran abilities do: Stim, scan, MULE, supply drop, boost, cloak, salvage. Numbers: catalog 5.0.14.94137."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.bufftable import DROP_COMING, FAST_BOOST, SALVAGED, add_buff, remove_buff
from sim.engine.catalog import AIR, GROUND
from sim.engine.state import CLOAKED, FLYING, MORPHING, ORDERED
from sim.melee import birth, construction, harvest, transport
from sim.melee.areas import seen
from sim.melee.casts import timed_life
from sim.melee.eyes import reveal
from sim.melee.grids import walkable
from sim.melee.harm import same
from sim.melee.records import GroundEffect, Result, Target
from sim.melee.registry import AFTER, EVERY, KINDS, ON_REMOVE, Kind
from sim.melee.spells import pay, spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

STIM_MARINE, STIM_MARAUDER, MULE, SCAN, SUPPLY_DROP, BOOST = 380, 253, 171, 399, 255, 2116
SALVAGE, OLD_SALVAGE = 4128, 32  # the second in 4.10
FASTER_MEDIVACS, SUPPLY_BUFF = 139, 25
STIM_BUFF, STIM_MARAUDER_BUFF, BOOST_BUFF = 27, 24, 89
CLOAK_BUFFS = {"GhostCloak": 6, "BansheeCloak": 7}
STIM_OF = {STIM_MARINE: STIM_BUFF, STIM_MARAUDER: STIM_MARAUDER_BUFF}
SWIFT = (STIM_MARINE, STIM_MARAUDER, BOOST)  # abilities that do nothing but put buffs on their user, see `swift_buffs`
ATTACK_REDIRECT, STOP_REDIRECT = 1682, 1691
REDIRECTED = {1683: STIM_MARINE, 1684: STIM_MARAUDER}  # a Bunker's ability -> its passengers' own
SCAN_EFFECT, SCAN_RADIUS, SCAN_LOOPS = 6, 13.0, 196  # API effect id; 12.2775 n
MULE_FALL, MULE_LIFE, MULE_SEARCH, MULE_ROOM = 64, 1440.0, 10.0, 2
DROP_FALL = 64
SALVAGE_LOOPS, SALVAGE_LOOK = 80, 4


def buff(buff_id: int) -> object:
    """A cast that puts a buff on its caster."""

    def cast(game: Game, slot: int, ability: Ability, target: Target) -> None:
        add_buff(game.units[slot], game.state.buffs, buff_id)

    return cast


def swift_buffs(game: Game, player: int, ability_id: int) -> tuple[int, ...]:
    """The buffs that Stimpack or afterburners put on their user; an upgrade that makes Medivacs faster makes the factor
    of the boost smaller (not in 4.10)."""
    if ability_id != BOOST:
        return (STIM_OF[ability_id],)
    upgrade = game.facts.upgrades.get(FASTER_MEDIVACS)
    faster = upgrade is not None and any(effect.scope == "type" for effect in upgrade.effects)
    return (BOOST_BUFF, FAST_BOOST) if faster and game.players[player]["upgrades"][FASTER_MEDIVACS] else (BOOST_BUFF,)


def ignite(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Afterburners."""
    for buff_id in swift_buffs(game, int(game.units[slot]["owner"]), BOOST):
        add_buff(game.units[slot], game.state.buffs, buff_id)


def can_redirect(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A Bunker hands Stim, attacks on a unit and Stop on to its passengers."""
    if game.units[slot]["cargo"] <= 0:
        return Result.NOT_SUPPORTED
    if ability.id == ATTACK_REDIRECT and target.given:
        own = target.slot < 0 or game.units[target.slot]["owner"] == game.units[slot]["owner"]
        return Result.ERROR if own else Result.SUCCESS
    return Result.SUCCESS


def redirect_attack(game: Game, slot: int, other: int) -> None:
    """Those who can hit the target from inside fight it as long as they reach it; `other` -1: they choose anew."""
    plane = AIR if other >= 0 and int(game.units[other]["flags"]) & FLYING else GROUND
    for passenger in transport.passengers(game, slot):
        unit = game.units[passenger]
        rows = [int(row) for row in game.type_of(passenger)["weapons"]]
        able = [k for k, row in enumerate(rows) if row >= 0 and game.weapons[unit["owner"], row]["targets"] & plane]
        if other < 0 or able:
            unit["windup"] = -1
            unit["target"], unit["weapon"] = (other, able[0]) if other >= 0 else (-1, -1)
            unit["flags"] = int(unit["flags"]) & ~ORDERED | (ORDERED if other >= 0 else 0)
            unit["target_generation"] = game.units[other]["generation"] if other >= 0 else 0


def redirect(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Every passenger that has the ability and the life for it uses it."""
    if ability.id in (ATTACK_REDIRECT, STOP_REDIRECT):
        redirect_attack(game, slot, target.slot if ability.id == ATTACK_REDIRECT else -1)
        return
    own = game.facts.abilities[REDIRECTED[ability.id]]
    for passenger in transport.passengers(game, slot):
        unit = game.units[passenger]
        if int(unit["type"]) in own.casters and float(unit["hp"]) > game.life_for(passenger, own):
            pay(game, passenger, own)
            add_buff(game.units[passenger], game.state.buffs, STIM_OF[own.id])


def scan(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Sees and detects round a point for a while."""
    owner = int(game.units[slot]["owner"])
    reveal(game, owner, target.x, target.y, SCAN_RADIUS, SCAN_LOOPS, detect=SCAN_RADIUS)
    until = game.loop + SCAN_LOOPS
    game.memory.effects.append(GroundEffect(SCAN_EFFECT, owner, target.x, target.y, SCAN_RADIUS, until))


def prune(game: Game) -> None:
    """Takes effects off the list that are over."""
    if game.memory.effects:
        game.memory.effects[:] = [effect for effect in game.memory.effects if effect.until > game.loop]


def can_call_mule(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Where the player sees the ground: on a mineral field, or where there is room (validator MULETargetCheck)."""
    if target.slot >= 0:
        fits = int(game.units[target.slot]["type"]) in game.facts.minerals
    else:
        reach = range(-MULE_ROOM, MULE_ROOM + 1)
        fits = any(walkable(game, target.x + dx, target.y + dy) for dx in reach for dy in reach)
    if not fits and target.given:
        return Result.CANT_FIND_PLACEMENT
    if not target.given or seen(game, int(game.units[slot]["owner"]), target.x, target.y):
        return Result.SUCCESS
    return Result.MUST_TARGET_VISIBLE_UNIT if target.slot >= 0 else Result.MUST_TARGET_VISIBLE_LOCATION


def call_mule(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A MULE falls beside the field and mines it after it has landed, or falls on the point and waits (catalog)."""
    game.later(MULE_FALL, "mule", int(game.units[slot]["owner"]), target.slot, target.x, target.y)


def land_mule(game: Game, owner: float, field: float, x: float, y: float) -> None:
    """The MULE is there."""
    owner, field = int(owner), int(field)
    halls = [s for s in game.owned(owner) if int(game.units[s]["type"]) in game.facts.town_halls]
    angle = birth.DOWN
    if halls:
        hall = min(halls, key=lambda s: math.hypot(float(game.units[s]["x"]) - x, float(game.units[s]["y"]) - y))
        angle = math.atan2(float(game.units[hall]["y"]) - y, float(game.units[hall]["x"]) - x)
    at_x, at_y = birth.free_spot(game, x, y, 1.3 if field >= 0 else 0.1, angle, game.facts.ids["MULE"], owner)
    mule = game.spawn(game.facts.ids["MULE"], owner, at_x, at_y, life_left=timed_life(game, MULE_LIFE) + 1)
    fields = [s for s in game.near(x, y, MULE_SEARCH) if int(game.units[s]["type"]) in game.facts.minerals]
    if fields and field >= 0:
        harvest.go_harvest(game, mule, fields[0])


def can_drop_supply(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A supply depot, up or down, that has not had one yet."""
    other = game.units[target.slot]
    depot = game.facts.names[int(other["type"])] in ("SupplyDepot", "SupplyDepotLowered")
    depot = depot and not int(other["flags"]) & MORPHING
    if not depot or target.slot in game.memory.supply_drops or DROP_COMING in other["buff"]:
        return Result.MUST_TARGET_STRUCTURES  # so the validators call it
    return Result.SUCCESS


def drop_supply(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Eight more supply after the fall; until then the depot neither rises nor goes down."""
    add_buff(game.units[target.slot], game.state.buffs, DROP_COMING)
    game.later(DROP_FALL, "supply_drop", target.slot, int(game.units[target.slot]["generation"]))


def supply_arrives(game: Game, slot: float, generation: float) -> None:
    """The extra supplies are there."""
    unit = game.units[int(slot)]
    if same(game, slot, generation):
        game.memory.supply_drops[int(slot)] = None
        add_buff(unit, game.state.buffs, SUPPLY_BUFF)
        if game.facts.buffs[SUPPLY_BUFF].hp_max:
            unit["hp_max"] += 100
            unit["hp"] = min(float(unit["hp"]) + 500, float(unit["hp_max"]))
        game.mark_supply(int(unit["owner"]))


def lose_drop(game: Game, slot: int) -> None:
    """A depot takes its extra supplies along, a unit its cloak."""
    game.memory.supply_drops.pop(slot, None)
    game.memory.cloaks.pop(slot, None)


def cloak_on(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Cloaks; energy drains while it lasts."""
    pay(game, slot, ability)
    add_buff(game.units[slot], game.state.buffs, CLOAK_BUFFS[ability.name])
    game.memory.cloaks[slot] = CLOAK_BUFFS[ability.name]


def cloak_off(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Shows itself again."""
    remove_buff(game.units[slot], game.state.buffs, CLOAK_BUFFS[ability.name])
    game.memory.cloaks.pop(slot, None)


def can_cloak(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Only half of the toggle makes sense at a time."""
    cloaked = bool(int(game.units[slot]["flags"]) & CLOAKED)
    known = ability.name in CLOAK_BUFFS and cloaked == (ability.kind == "behavior_off")
    return Result.SUCCESS if known else Result.NOT_SUPPORTED


def end_cloaks(game: Game) -> None:
    """A cloak ends when the energy is spent."""
    for slot, buff_id in list(game.memory.cloaks.items()):
        unit = game.units[slot]
        if unit["alive"] and unit["energy"] <= 0:
            remove_buff(unit, game.state.buffs, buff_id)
            del game.memory.cloaks[slot]


def can_salvage(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Nobody is inside (Liquipedia: Salvage; catalog: HasNoCargo, which fails with this result)."""
    return Result.NOT_WHILE_OCCUPIED if game.units[slot]["cargo"] > 0 else Result.SUCCESS


def salvage(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes the structure down for three quarters of its price; in 5.0.14 damage meanwhile stops that."""
    add_buff(game.units[slot], game.state.buffs, SALVAGED)
    delicate = int(ability.id == SALVAGE)
    game.later(SALVAGE_LOOK, "salvaged", slot, int(game.units[slot]["generation"]), delicate, game.loop)


def salvaged(game: Game, slot: float, generation: float, delicate: float, begun: float) -> None:
    """A look at a salvage: it goes on, it is over, or it was disturbed."""
    unit = game.units[int(slot)]
    if not same(game, slot, generation):
        return
    if delicate and int(unit["last_hit"]) > begun:
        remove_buff(unit, game.state.buffs, SALVAGED)
    elif game.loop - begun < SALVAGE_LOOPS:
        game.later(SALVAGE_LOOK, "salvaged", slot, generation, delicate, begun)
    else:
        row = game.type_of(int(slot))
        back = construction.refunded(row["minerals"]), construction.refunded(row["gas"])
        game.refund(int(unit["owner"]), *back)
        game.scores[int(unit["owner"])].paid_back(game, int(slot), *back)
        game.kill(int(slot))


spell(STIM_MARINE, buff(STIM_BUFF))
spell(STIM_MARAUDER, buff(STIM_MARAUDER_BUFF))
spell(BOOST, ignite)
spell(SCAN, scan, everyone=False, all_round=True)
spell(MULE, call_mule, can_call_mule, everyone=False, all_round=True)
spell(SUPPLY_DROP, drop_supply, can_drop_supply, everyone=False, all_round=True)
spell(SALVAGE, salvage, can_salvage)
spell(OLD_SALVAGE, salvage, can_salvage)
KINDS["redirect"] = Kind(redirect, can_redirect)
KINDS["behavior_on"] = Kind(cloak_on, can_cloak)
KINDS["behavior_off"] = Kind(cloak_off, can_cloak)
AFTER["mule"] = land_mule
AFTER["supply_drop"] = supply_arrives
AFTER["salvaged"] = salvaged
EVERY.append((16, prune))
EVERY.append((8, end_cloaks))
ON_REMOVE.append(lose_drop)
