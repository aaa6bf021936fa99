"""Commands: whom they address, which exact ability they mean, whether it is possible, and when it is carried out.

A command is judged twice: by `issue` against the state as the last step left it (that verdict is what the client is
told), and again when the next step carries it out, in order; what no longer fits then is dropped silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sim.engine.state import AUTOCAST, BURROWED, INSIDE, MORPHING, PLAYERS, STRUCTURE, UNFINISHED
from sim.facts import Ability
from sim.melee import formation, tech
from sim.melee.orders import drop_behind, kind_of
from sim.melee.records import Command, Result, Target
from sim.melee.registry import FORBID, SMART

if TYPE_CHECKING:
    from sim.melee.game import Game

SMART_ID = 1
UNFINISHED_KINDS = ("cancel", "rally", "rally_workers")  # what a structure under construction may be told
INSIDE_KINDS = ("unload", "unload_unit")
BUILDER_KINDS = ("halt", "stop")  # what takes a worker off the structure it works on
STANDING = (4, 16, 18, 3665, 3793, 3794)  # stop, move, hold: an Error for what produces (observed)
ATTACKS = (19, 23, 3674)  # 19: of the unarmed
SET_UP = (32, 136, 1911, 1912)  # forms that stand: sieged tank, phasing prism, watching Observer and Overseer
WALKING = (*STANDING, *ATTACKS, 17, 3795)  # patrol and attack, too: an Error for burrowed and such forms (observed)
STEPS = tuple(ability for ability in WALKING if ability not in (4, 3665))  # a form that stands can be stopped
PANEL_KINDS = ("cancel_slot", "unload_unit")
PLACING_KINDS = ("build", "warp", "land")
OWN_ONLY = ("cancel_last", "cancel", "unload")  # their exact ids do not stand for those of other types (observed)
POINT = 1 / 4096  # points are kept to this, cut down


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that was answered with Success: who does what. units: (slot, generation, exact ability id).

    done: tags of the units that have carried it out, once it was their turn.
    """

    command: Command
    units: tuple[tuple[int, int, int], ...]
    done: list[int] = field(default_factory=list)


def _target(game: Game, command: Command) -> Target | None:
    """The command's target with its tag resolved; None when the unit named does not live."""
    if command.target_tag:
        slot = game.slot(command.target_tag)
        if slot < 0 or (int(game.units[slot]["flags"]) & INSIDE and not unloads(game, command.ability)):
            return None
        unit = game.units[slot]
        return Target(slot, float(unit["x"]), float(unit["y"]), False, command.queued)
    x = int(command.x / POINT) * POINT
    y = int(command.y / POINT) * POINT
    return Target(-1, x, y, command.has_point, command.queued)


def unloads(game: Game, ability_id: int) -> bool:
    """The ability names a passenger, which is otherwise out of reach."""
    ids = (ability_id, *game.facts.general.get(ability_id, ()))
    return any(i in game.facts.abilities and game.facts.abilities[i].kind == "unload_unit" for i in ids)


def candidates(game: Game, slot: int, ability_id: int, target: Target) -> list[int]:
    """Exact abilities of this unit that a given id may stand for (Smart by context, general ids), best guess first."""
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
    return [i for i in ids if type_id in facts.abilities[i].casters]


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
    """ActionResult for one unit and one exact ability now."""
    ability, kind = game.facts.abilities[ability_id], kind_of(game, ability_id)
    unit = game.units[slot]
    flags = int(unit["flags"])
    if kind is None or (ability.casters and int(unit["type"]) not in ability.casters):
        return Result.NOT_SUPPORTED
    if flags & UNFINISHED and ability.kind not in UNFINISHED_KINDS:
        return Result.NOT_SUPPORTED
    if flags & INSIDE and ability.kind not in INSIDE_KINDS:
        return Result.ERROR
    if not right_target(ability, target):
        return Result.ERROR
    for forbid in FORBID:
        if (refusal := forbid(game, slot, ability)) != Result.SUCCESS:
            return refusal
    player = int(unit["owner"])
    if not tech.met(game, player, ability.requirement, slot):
        return Result.NOT_SUPPORTED if ability.kind == "research" else Result.TECH_REQUIREMENTS_NOT_MET
    if game.ready.get((slot, ability_id), 0) > game.loop:
        return Result.COOLDOWN
    if ability.energy and ability.kind != "behavior_off" and float(unit["energy"]) < game.energy_for(slot, ability):
        return Result.NOT_ENOUGH_ENERGY
    if ability.hp_cost and float(unit["hp"]) <= ability.hp_cost:
        return Result.ERROR
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
    return owner == player or (owner > 0 and player in game.masters)


def verdict_for(game: Game, slot: int, command: Command, target: Target) -> tuple[int, int]:
    """`choose` for a unit that obeys the command's player; who controls the enemy cannot spend its resources."""
    exact, verdict = choose(game, slot, command.ability, target)
    if verdict == Result.SUCCESS and game.units[slot]["owner"] != command.player:
        ability = game.facts.abilities[exact]
        if ability.minerals or ability.gas:
            return exact, int(Result.CANT_CONTROL_UNIT)
    return exact, verdict


def issue(game: Game, command: Command) -> int:
    """See `Game.issue`."""
    if not 1 <= command.player < PLAYERS or game.ended:
        return Result.ERROR
    target = _target(game, command)
    if target is None:
        return Result.ERROR
    units: list[tuple[int, int, int]] = []
    answer = 0
    for tag in dict.fromkeys(command.tags):
        slot = game.slot(tag)
        if slot < 0:
            verdict = int(Result.ERROR)
        elif not obeys(game, slot, command.player):
            verdict = int(Result.CANT_CONTROL_UNIT)
        elif command.autocast:
            verdict, exact = _judge_autocast(game, slot, command.ability)
        else:
            exact, verdict = verdict_for(game, slot, command, target)
        if verdict == Result.SUCCESS:
            units.append((slot, int(game.units[slot]["generation"]), exact))
        answer = answer or verdict
    if not units:
        return answer or Result.ERROR
    if len(units) < least(game, units[0][2]):
        return Result.ERROR
    game.pending[command.player].append(Accepted(command, tuple(units)))
    return Result.SUCCESS


def least(game: Game, ability_id: int) -> int:
    """How many units must be able to carry out a command."""
    kind = kind_of(game, ability_id)
    return kind.together if kind is not None else 1


def _judge_autocast(game: Game, slot: int, ability_id: int) -> tuple[int, int]:
    type_id = int(game.units[slot]["type"])
    for found in (ability_id, *game.facts.general.get(ability_id, ())):
        ability = game.facts.abilities.get(found)
        if ability is not None and ability.autocast and type_id in ability.casters:
            return Result.SUCCESS, found
    return Result.NOT_SUPPORTED, 0


def apply_pending(game: Game) -> None:
    """Carries out what was accepted since the last step, player after player; who is first is drawn from the seed."""
    order: Iterable[int] = range(1, PLAYERS)
    if all(game.pending[1:]) and game.random() < 0.5:
        order = reversed(range(1, PLAYERS))
    for player in order:
        accepted, game.pending[player] = game.pending[player], []
        for entry in accepted:
            carry_out(game, entry)


def carry_out(game: Game, accepted: Accepted) -> None:
    """Applies one accepted command to those of its units that can still do it."""
    command = accepted.command
    target = _target(game, command)
    if target is None:
        return
    able: list[tuple[int, int]] = []
    for slot, generation, _ in accepted.units:
        unit = game.units[slot]
        if not unit["alive"] or unit["generation"] != generation or not obeys(game, slot, command.player):
            continue
        if command.autocast:
            unit["flags"] ^= AUTOCAST
            accepted.done.append(game.tag(slot))
            continue
        exact, verdict = verdict_for(game, slot, command, target)
        if verdict == Result.SUCCESS and not keeps_building(game, slot, exact, command.queued):
            able.append((slot, exact))
    if not able:
        return
    kind = kind_of(game, able[0][1])
    if kind is not None and not kind.everyone:
        fit = [pair for pair in able if kind.fits is None or kind.fits(game, pair[0], pair[1])] or able
        able = [min(fit, key=lambda pair: _burden(game, pair[0], target))]  # of equals the first named
    points = formation.points(game, able, target) if len(able) > 1 else None
    for index, (slot, exact) in enumerate(able):
        own = target if points is None else points[index]
        ability = game.facts.abilities[exact]
        if index and judge(game, slot, exact, own) != Result.SUCCESS:
            continue  # those before it have used up what it needs
        if not ability.instant and same_as_current(game, slot, exact, own):
            drop_behind(game, slot)
            continue
        kind = kind_of(game, exact)
        if kind is not None:
            accepted.done.append(game.tag(slot))
            kind.apply(game, slot, ability, own)


def keeps_building(game: Game, slot: int, ability_id: int, queued: bool) -> bool:
    """A worker at work on a structure ignores orders that are not queued, except those that halt the work.

    Measured in replays of both patches: of 720 constructions whose worker was sent elsewhere meanwhile, 718 ended in
    time, and the worker stood idle afterwards.
    """
    structure = int(game.units[slot]["builder"])
    if queued or structure < 0 or int(game.units[slot]["flags"]) & STRUCTURE:
        return False
    ability = game.facts.abilities[ability_id]
    return game.units[structure]["builder"] == slot and not ability.instant and ability.kind not in BUILDER_KINDS


def _burden(game: Game, slot: int, target: Target) -> tuple[int, int, float]:
    """How unfit a unit is to be the one that carries out a command: busy ones and far ones last."""
    unit = game.units[slot]
    distance = (float(unit["x"]) - target.x) ** 2 + (float(unit["y"]) - target.y) ** 2 if target.given else 0.0
    return int(unit["job_count"]), int(unit["order_count"]) if not target.given else 0, distance


def same_as_current(game: Game, slot: int, ability_id: int, target: Target) -> bool:
    """An unqueued order equal to the one being carried out: it changes nothing."""
    if target.queued or not game.units[slot]["order_count"]:
        return False
    order = game.orders[slot, 0]
    if order["ability"] != ability_id or order["target"] != target.slot:
        return False
    if target.slot >= 0:
        return bool(order["target_generation"] == game.units[target.slot]["generation"])
    if not target.has_point:
        return True
    return abs(float(order["x"]) - target.x) < POINT and abs(float(order["y"]) - target.y) < POINT
