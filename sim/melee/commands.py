"""Commands: whom they address, when they are judged (`verdicts.py`), and when they are carried out.

A command is judged twice: by `issue` against the state as the last step left it (that verdict is what the client is
told), and again when the next step carries it out, in order; what no longer fits then is dropped silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sim.engine.state import AUTOCAST, INSIDE, PLAYERS, UNFINISHED
from sim.melee import formation
from sim.melee.orders import drop_behind, kind_of
from sim.melee.production import turn
from sim.melee.records import Command, Result, Target
from sim.melee.verdicts import SMART_ID, judge, judge_autocast, obeys, unloads, verdict_for

if TYPE_CHECKING:
    from sim.melee.game import Game

BUILDER_KINDS = ("halt", "stop")  # what takes a worker off the structure it works on
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
            verdict, exact = judge_autocast(game, slot, command.ability)
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


def apply_pending(game: Game) -> None:
    """Carries out what was accepted since the last step, player after player; who is first is drawn from the seed."""
    game.commanding = True
    order: Iterable[int] = range(1, PLAYERS)
    if all(game.pending[1:]) and game.random() < 0.5:
        order = reversed(range(1, PLAYERS))
    for player in order:
        accepted, game.pending[player] = game.pending[player], []
        for entry in accepted:
            carry_out(game, entry)
    game.commanding = False


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
        if verdict == Result.SUCCESS and keeps_building(game, slot, exact, command.queued):
            drop_behind(game, slot)
        elif verdict == Result.SUCCESS:
            able.append((slot, exact))
    if not able:
        return
    kind = kind_of(game, able[0][1])
    if kind is not None and (not kind.everyone or game.facts.abilities[able[0][1]].best_unit):
        fit = [pair for pair in able if kind.fits(game, pair[0], game.facts.abilities[pair[1]], target)]
        able = [min(fit, key=lambda pair: _burden(game, *pair, target))] if fit else []  # of equals the first named
    points = formation.points(game, able, target) if len(able) > 1 else None
    for index, (slot, exact) in enumerate(able):
        own = target if points is None else points[index]
        ability = game.facts.abilities[exact]
        if index and judge(game, slot, exact, own) != Result.SUCCESS:
            continue  # those before it have used up what it needs
        again = command.ability == SMART_ID and ability.kind == "gather"  # a right-click begins the harvest anew
        if not ability.instant and not again and same_as_current(game, slot, exact, own):
            drop_behind(game, slot)
            continue
        if ability.kind == "build" and at_work(game, slot) and not own.queued:
            drop_behind(game, slot)
            own = replace(own, queued=True)
        kind = kind_of(game, exact)
        if kind is not None:
            accepted.done.append(game.tag(slot))
            kind.apply(game, slot, ability, own)


def at_work(game: Game, slot: int) -> bool:
    """The worker is constructing a structure, or comes out of it."""
    structure = int(game.units[slot]["builder"])
    if structure < 0 or int(game.units[slot]["type"]) not in game.facts.harvesters:
        return False
    return bool(game.units[structure]["builder"] == slot or not int(game.units[structure]["flags"]) & UNFINISHED)


def keeps_building(game: Game, slot: int, ability_id: int, queued: bool) -> bool:
    """A worker at work on a structure ignores orders that are not queued, except those that halt the work, and that to
    build another one, which it does next, the last if it is told several (players); what was queued is forgotten.

    Measured in replays of both patches: of 720 constructions whose worker was sent elsewhere meanwhile, 718 ended in
    time, and the worker stood idle afterwards. A bot that queues a move where it sees none queued did so 825 times
    while an SCV built a Command Center, each after an order to harvest.
    """
    ability = game.facts.abilities[ability_id]
    ignored = not queued and not ability.instant and ability.kind not in (*BUILDER_KINDS, "build")
    return ignored and at_work(game, slot)


def _burden(game: Game, slot: int, ability_id: int, target: Target) -> tuple[tuple[float, int, int], bool, float]:
    """How unfit a unit is to be the one that carries out a command: who could begin later, casts or morphs so already,
    is busy, or is far goes last."""
    unit = game.units[slot]
    at_it = bool(unit["order_count"] and game.orders[slot, 0]["ability"] == ability_id)
    far = (float(unit["x"]) - target.x) ** 2 + (float(unit["y"]) - target.y) ** 2
    builds = game.facts.abilities[ability_id].kind == "build"
    return turn(game, slot), at_it and not builds, far if target.given else float(unit["order_count"])


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
