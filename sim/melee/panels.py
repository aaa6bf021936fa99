"""What a click on one entry of a panel does: let out that passenger, take that item from the queue.

The command names the entry by its index in `x`; without a point it means the last item, or the first passenger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import FLYING
from sim.melee import production, supply, transport
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game


def _passenger(game: Game, slot: int, target: Target) -> int:
    """Slot of the passenger meant, -1 = none."""
    aboard = transport.passengers(game, slot)
    index = int(target.x) if target.has_point else 0
    return aboard[index] if 0 <= index < len(aboard) else -1


def can_unload_one(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Somebody sits there, and the ground below can be stood on."""
    if _passenger(game, slot, target) < 0:
        return Result.ERROR
    unit = game.units[slot]
    over_ground = game.walk[int(unit["y"]), int(unit["x"])]
    return Result.SUCCESS if over_ground or not int(unit["flags"]) & FLYING else Result.ERROR


def unload_one(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Lets the passenger out at once."""
    transport.leave(game, _passenger(game, slot, target), slot)


def _item(game: Game, slot: int, target: Target) -> int:
    """Index of the item meant in the queue, -1 = none."""
    count = int(game.units[slot]["job_count"])
    index = int(target.x) if target.has_point else count - 1
    return index if 0 <= index < count else -1


def can_cancel_item(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """There is such an item."""
    return Result.SUCCESS if _item(game, slot, target) >= 0 else Result.ERROR


def cancel_item(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Takes the item out and gives its whole price back."""
    job = production.take_job(game, slot, _item(game, slot, target))
    game.refund(int(game.units[slot]["owner"]), job["minerals"], job["gas"])
    supply.recount(game)
    production.start_jobs(game, slot)


KINDS["unload_unit"] = Kind(unload_one, can_unload_one, everyone=False)
KINDS["cancel_slot"] = Kind(cancel_item, can_cancel_item, everyone=False)
