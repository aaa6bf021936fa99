"""What a click on one item of a production queue does; for passengers see `unload.py`.

The command names the item by its index in `x`; without a point it means the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee import production, supply
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game


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


KINDS["cancel_slot"] = Kind(cancel_item, can_cancel_item, everyone=False)
