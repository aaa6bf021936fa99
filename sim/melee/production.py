"""Production queues: units and research, five items deep, with a reactor eight and two at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine import state
from sim.engine.state import JOB_DONE, MORPHING, REACTOR
from sim.melee import birth, supply, tech, upgrades
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, MADE, ON_REMOVE, Kind, on_event

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

QUEUE, REACTOR_QUEUE = 5, 8


def depth(game: Game, slot: int) -> int:
    """Items the queue of a producer holds."""
    return REACTOR_QUEUE if int(game.units[slot]["flags"]) & REACTOR else QUEUE


def at_a_time(game: Game, slot: int) -> int:
    """Items that run at the same time."""
    return 2 if int(game.units[slot]["flags"]) & REACTOR else 1


def can_train(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Room in the queue; not while it morphs or builds an add-on. Without supply the item waits in line (observed)."""
    unit = game.units[slot]
    if unit["order_count"] or int(unit["flags"]) & MORPHING:
        return Result.NOT_SUPPORTED
    if unit["job_count"] >= depth(game, slot):
        return Result.QUEUE_FULL
    return Result.SUCCESS


def can_hatch(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """The same for a larva or what else becomes the unit itself: nothing waits, so the supply has to be there."""
    if not supply.room_for(game, int(game.units[slot]["owner"]), ability.supply):
        return Result.NOT_ENOUGH_FOOD
    return can_train(game, slot, ability, target)


def can_research(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A line that the player does not have yet."""
    unit = game.units[slot]
    if unit["order_count"] or int(unit["flags"]) & MORPHING or game.players[unit["owner"]]["upgrades"][ability.product]:
        return Result.NOT_SUPPORTED
    return Result.QUEUE_FULL if unit["job_count"] >= depth(game, slot) else Result.SUCCESS


def in_research(game: Game, player: int, upgrade: int) -> bool:
    """Some structure of the player has this upgrade in its queue."""
    units = game.units[: int(game.world[0]["slots"])]
    for slot in np.flatnonzero((units["alive"] == 1) & (units["owner"] == player) & (units["job_count"] > 0)):
        jobs = game.jobs[slot, : units[slot]["job_count"]]
        if ((jobs["is_upgrade"] == 1) & (jobs["product"] == upgrade)).any():
            return True
    return False


def train(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Puts a unit into the queue."""
    push_job(game, slot, ability)


def research(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Puts an upgrade into the queue."""
    push_job(game, slot, ability)


def nobody_else(game: Game, slot: int, ability: Ability, target: Target) -> bool:
    """No structure of the player researches the upgrade; else the order is dropped silently, as in the real game."""
    return not in_research(game, int(game.units[slot]["owner"]), ability.product)


def push_job(game: Game, slot: int, ability: Ability) -> None:
    """Pays for an item, puts it behind the others, and starts it if its turn has come."""
    unit = game.units[slot]
    game.jobs[slot, unit["job_count"]] = np.zeros((), state.JOB)
    job = game.jobs[slot, unit["job_count"]]
    job["ability"], job["product"] = ability.id, ability.product
    job["is_upgrade"] = ability.kind == "research"
    job["total"] = job["left"] = round(ability.loops)
    job["minerals"], job["gas"], job["supply"] = ability.minerals, ability.gas, ability.supply
    unit["job_count"] += 1
    game.pay(int(unit["owner"]), ability.minerals, ability.gas)
    start_jobs(game, slot)


def turn(game: Game, slot: int) -> tuple[float, int, int]:
    """Of several producers the one with the least of these takes an item: loops until it would begin there, then less
    the free places, less the places. In a real game 36 of 37 Marines for three to seven Barracks with and without
    reactors go by it (the other one if two orders count that were cancelled), by the count of items 18."""
    places = at_a_time(game, slot)
    free = [0.0] * places
    for job in game.jobs[slot, : int(game.units[slot]["job_count"])]:
        free[free.index(min(free))] += float(job["left"] if job["started"] else job["total"])
    return min(free), -free.count(0.0), -places


def start_jobs(game: Game, slot: int, *, same_loop: bool = False) -> None:
    """Starts the items whose turn it is, as supply allows; what has to wait is tried again whenever supply changes.

    `same_loop`: the item before ended in this loop, which counts for the next one too (gaps are one loop shorter than
    the table: SCV 271, measured in replays).
    """
    unit = game.units[slot]
    player = int(unit["owner"])
    game.memory.blocked.pop(slot, None)
    for index in range(min(at_a_time(game, slot), int(unit["job_count"]))):
        job = game.jobs[slot, index]
        if job["started"]:
            continue
        if not supply.room_for(game, player, float(job["supply"])):
            game.memory.blocked[slot] = None
            if same_loop:  # a queue that comes to a stop says so once; one that never began does not (observed)
                game.error(slot, int(job["ability"]), Result.NOT_ENOUGH_FOOD)
            return
        job["started"] = 1
        job["left"] = job["total"] - (1 if same_loop else 0)
        game.players[player]["supply_used"] += job["supply"]
        if job["supply"]:
            game.mark_supply(player)


def wake_blocked(game: Game) -> None:
    """Supply was counted again: producers that waited for it try once more."""
    for slot in list(game.memory.blocked):
        start_jobs(game, slot)


def take_job(game: Game, slot: int, index: int) -> Any:
    """Takes an item out of the queue. -> a copy of it."""
    unit = game.units[slot]
    count = int(unit["job_count"])
    jobs = game.jobs[slot]
    job = jobs[index].copy()
    jobs[index : count - 1] = jobs[index + 1 : count].copy()
    jobs[count - 1] = np.zeros((), state.JOB)
    unit["job_count"] = count - 1
    game.mark_supply(int(unit["owner"]))
    return job


def on_job_done(game: Game, event: Any) -> None:
    """An item's time is over: the unit comes out, or the upgrade counts from now on."""
    slot = int(event["unit"])
    unit = game.units[slot]
    if not unit["alive"]:
        return
    for index in range(int(unit["job_count"])):
        job = game.jobs[slot, index]
        if job["started"] and job["left"] <= 0:
            break
    else:
        return
    job = take_job(game, slot, index)
    if job["is_upgrade"]:
        upgrades.finish(game, int(unit["owner"]), int(job["product"]))
    else:
        ability = game.facts.abilities[int(job["ability"])]
        game.players[unit["owner"]]["supply_used"] -= job["supply"]  # counted again with the units
        made = MADE.get(int(job["product"]))
        if made is not None:
            made(game, slot)
        for _ in range(max(ability.count, 1) if made is None else 0):
            birth.unit_born(game, slot, int(job["product"]))
        supply.recount(game)
    if game.units[slot]["alive"]:
        start_jobs(game, slot, same_loop=True)


def can_cancel_last(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """There must be something to cancel."""
    return Result.SUCCESS if game.units[slot]["job_count"] else Result.ERROR


def cancel_last(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes the last item out and gives its whole price back."""
    job = take_job(game, slot, int(game.units[slot]["job_count"]) - 1)
    game.refund(int(game.units[slot]["owner"]), job["minerals"], job["gas"])
    supply.recount(game)
    start_jobs(game, slot)


def lose_waiting(game: Game, slot: int) -> None:
    """The producer lost its add-on: waiting items that need it, and those that the queue has no room for any more, are
    paid back; of two that a reactor made at a time the second waits for the first (Liquipedia: Tech Lab; players)."""
    player = int(game.units[slot]["owner"])
    for index in reversed(range(int(game.units[slot]["job_count"]))):
        job = game.jobs[slot, index]
        needs = game.facts.abilities[int(job["ability"])].requirement
        if index >= depth(game, slot) or not (job["started"] or tech.met(game, player, needs, slot)):
            job = take_job(game, slot, index)
            game.refund(player, job["minerals"], job["gas"])


def lose_jobs(game: Game, slot: int) -> None:
    """A producer that dies takes its queue along; what had not been finished is paid back."""
    while game.units[slot]["job_count"]:
        job = take_job(game, slot, int(game.units[slot]["job_count"]) - 1)
        game.refund(int(game.units[slot]["owner"]), job["minerals"], job["gas"])


KINDS["train"] = Kind(train, can_train, everyone=False)
KINDS["research"] = Kind(research, can_research, everyone=False, fits=nobody_else)
KINDS["cancel_last"] = Kind(cancel_last, can_cancel_last, everyone=False)
on_event(JOB_DONE, on_job_done)
ON_REMOVE.append(lose_jobs)
