"""Verdicts on commands: which exact ability one means for a unit, whether that is possible now, and what the client is
told if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import BURROWED, INSIDE, MORPHING, STRUCTURE, UNFINISHED
from sim.facts import Ability
from sim.melee import filters, tech
from sim.melee.orders import kind_of
from sim.melee.records import Command, Result, Target
from sim.melee.registry import FORBID, SMART

if TYPE_CHECKING:
    from sim.melee.game import Game

SMART_ID = 1
RALLIES = ("rally", "rally_workers")
UNFINISHED_KINDS = ("cancel", "halt", *RALLIES)  # what a structure under construction may be told
INSIDE_KINDS = ("unload", "unload_unit")
STANDING = (4, 16, 18, 3665, 3793, 3794)  # stop, move, hold: an Error for what produces (observed)
ATTACKS = (19, 23, 3674)  # 19: of the unarmed
SET_UP = (32, 136, 1911, 1912)  # forms that stand: sieged tank, phasing prism, watching Observer and Overseer
WALKING = (*STANDING, *ATTACKS, 17, 3795)  # patrol and attack, too: an Error for burrowed and such forms (observed)
STEPS = tuple(ability for ability in WALKING if ability not in (4, 3665))  # a form that stands can be stopped
PANEL_KINDS = ("cancel_slot", "unload_unit")
PLACING_KINDS = ("build", "warp", "land")
OWN_ONLY = ("cancel_last", "cancel", "unload")  # their exact ids do not stand for those of other types (observed)


def unloads(game: Game, ability_id: int) -> bool:
    """The ability names a passenger, which is otherwise out of reach."""
    ids = (ability_id, *game.facts.general.get(ability_id, ()))
    return any(i in game.facts.abilities and game.facts.abilities[i].kind == "unload_unit" for i in ids)


def candidates(game: Game, slot: int, ability_id: int, target: Target) -> list[int]:
    """Exact abilities of this unit that a given id may stand for (Smart by context, general ids), best guess first.

    Exact ids of rally points stand for those of all types: real Command Centers and Nexus took that of a Barracks
    (seven of seven), and what they made came out towards the point.
    """
    facts = game.facts
    type_id = int(game.units[slot]["type"])
    if ability_id == SMART_ID:
        return [found for rule in SMART if (found := rule(game, slot, target))][:1]
    exact = facts.abilities.get(ability_id)
    if exact is not None and type_id in exact.casters:
        return [ability_id]
    ids = [i for i in facts.general.get(ability_id, ()) if i in facts.abilities]
    if not ids and exact is not None and exact.general and exact.kind not in OWN_ONLY:
        ids = [i for i in facts.general.get(exact.general, ()) if i in facts.abilities]
    own = [i for i in ids if type_id in facts.abilities[i].casters]
    if not own and exact is not None and exact.kind in RALLIES:
        known = game.abilities_of(type_id)
        own = [i for kind in RALLIES for i in known.get(kind, ())]
    return own


def right_target(ability: Ability, target: Target) -> bool:
    """The command names the sort of target that the ability needs."""
    if ability.target == "None":
        return True
    if ability.target == "Point":
        return target.given
    if ability.target == "Unit":
        return target.slot >= 0
    return target.given or ability.target == "PointOrNone"


def odd_target(ability: Ability, target: Target) -> bool:
    """A target where none is wanted, or a unit where something is to be placed: an Error, but for right-clicks and for
    what panels send (observed)."""
    if ability.target == "None":
        return target.given and ability.kind not in PANEL_KINDS
    return ability.target == "Point" and target.slot >= 0 and ability.kind in PLACING_KINDS


def judge(game: Game, slot: int, ability_id: int, target: Target) -> int:
    """ActionResult for one unit and one exact ability now.

    Of a worker in a gas structure an order to gather is an Error, any other NotSupported, right-clicks as well
    (observed of 4.10; whoever is inside something: ours).
    """
    ability, kind = game.facts.abilities[ability_id], kind_of(game, ability_id)
    unit = game.units[slot]
    flags = int(unit["flags"])
    if kind is None or (ability.casters and int(unit["type"]) not in ability.casters):
        return Result.NOT_SUPPORTED
    if flags & UNFINISHED and ability.kind not in UNFINISHED_KINDS:
        return Result.NOT_SUPPORTED
    if flags & INSIDE and ability.kind not in INSIDE_KINDS:
        return Result.ERROR if ability.kind == "gather" else Result.NOT_SUPPORTED
    if not right_target(ability, target):
        return Result.ERROR
    if target.queued and not ability.instant and int(unit["order_count"]) >= game.orders.shape[1]:
        return Result.ORDER_QUEUE_FULL
    for forbid in FORBID:
        if (refusal := forbid(game, slot, ability)) != Result.SUCCESS:
            return refusal
    player = int(unit["owner"])
    if not tech.met(game, player, ability.requirement, slot):
        hidden = ability.kind == "research" or game.facts.requirements[ability.requirement].state in tech.HIDING
        return Result.NOT_SUPPORTED if hidden else Result.TECH_REQUIREMENTS_NOT_MET
    if game.memory.ready.get((slot, ability_id), 0) > game.loop:
        return Result.COOLDOWN
    if ability.energy and ability.kind != "behavior_off" and float(unit["energy"]) < game.energy_for(slot, ability):
        return Result.NOT_ENOUGH_ENERGY
    if float(unit["hp"]) <= game.life_for(slot, ability):
        return Result.NOT_ENOUGH_LIFE
    verdict = filters.refusal(game, slot, ability, target.slot) if target.slot >= 0 else Result.SUCCESS
    if verdict == Result.SUCCESS:
        verdict = kind.check(game, slot, ability, target)
    if verdict != Result.SUCCESS:
        return verdict
    if not game.can_pay(player, ability.minerals, 0):
        return Result.NOT_ENOUGH_MINERALS
    if not game.can_pay(player, 0, ability.gas):
        return Result.NOT_ENOUGH_VESPENE
    return Result.SUCCESS


def rooted(game: Game, slot: int, *, attack: bool) -> bool:
    """A unit in a form that does not walk; one that is told to attack must have no weapon either.

    While it changes its form it is none: the order waits until it is over.
    """
    flags, row = int(game.units[slot]["flags"]), game.type_of(slot)
    if flags & (STRUCTURE | MORPHING) or row["speed"] > 0:
        return False
    if not flags & BURROWED and int(game.units[slot]["type"]) not in SET_UP:
        return False
    return not attack or int(row["weapons"][0]) < 0


def choose(game: Game, slot: int, ability_id: int, target: Target) -> tuple[int, int]:
    """The exact ability a unit will do for a given id, and the verdict; (0, NotSupported) when it has none."""
    if ability_id in STEPS and rooted(game, slot, attack=ability_id in ATTACKS):
        return 0, int(Result.ERROR)
    if ability_id == SMART_ID and int(game.units[slot]["flags"]) & INSIDE:
        return 0, int(Result.NOT_SUPPORTED)
    first = (0, int(Result.NOT_SUPPORTED))
    for found in candidates(game, slot, ability_id, target):
        verdict = judge(game, slot, found, target)
        if ability_id != SMART_ID and odd_target(game.facts.abilities[found], target):
            verdict = int(Result.ERROR)
        if verdict == Result.SUCCESS:
            return found, verdict
        if not first[0]:
            first = (found, int(verdict))
    unit = game.units[slot]
    if first[0] and ability_id != first[0] and first[1] == Result.NOT_SUPPORTED:
        kind = game.facts.abilities[first[0]].kind
        return first[0], int(Result.ERROR if kind == "unload" else Result.NOT_SUPPORTED)
    walks = WALKING if not int(unit["flags"]) & STRUCTURE else (STANDING if unit["job_count"] else ())
    return first if first[0] or ability_id not in walks else (0, int(Result.ERROR))


def obeys(game: Game, slot: int, player: int) -> bool:
    """The unit takes orders from this player: its owner, or one who controls the enemy, too (debug control_enemy)."""
    owner = int(game.units[slot]["owner"])
    return owner == player or (owner > 0 and player in game.memory.masters)


def verdict_for(game: Game, slot: int, command: Command, target: Target) -> tuple[int, int]:
    """`choose` for a unit that obeys the command's player; who controls the enemy cannot spend its resources."""
    exact, verdict = choose(game, slot, command.ability, target)
    if verdict == Result.SUCCESS and game.units[slot]["owner"] != command.player:
        ability = game.facts.abilities[exact]
        if ability.minerals or ability.gas:
            return exact, int(Result.CANT_CONTROL_UNIT)
    return exact, verdict


def judge_autocast(game: Game, slot: int, ability_id: int) -> tuple[int, int]:
    """(verdict, exact ability) on switching a unit's autocast; see `judge`."""
    type_id = int(game.units[slot]["type"])
    for found in (ability_id, *game.facts.general.get(ability_id, ())):
        ability = game.facts.abilities.get(found)
        if ability is not None and ability.autocast and type_id in ability.casters:
            return Result.SUCCESS, found
    return Result.NOT_SUPPORTED, 0
