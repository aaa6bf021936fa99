"""The one cancel that a structure offers: its own construction, its add-on, its morph, its queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import CHANNELLING, MORPHING, UNFINISHED
from sim.melee import addons, construction, morphs, orders, tech
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game


def what(game: Game, slot: int, ability: Ability) -> str:
    """Which of its undertakings this cancel would stop; '' when none."""
    unit = game.units[slot]
    flags = int(unit["flags"])
    if ability.name == "BuildInProgress":
        return "construction" if flags & UNFINISHED else ""
    if not unit["order_count"]:
        return ""
    current = game.facts.abilities.get(int(game.orders[slot, 0]["ability"]))
    if current is None or current.name != ability.name:
        return ""
    if current.kind in tech.CHANGES and tech.nameless(ability):
        return ""  # siege mode, a Viking's or a Hellion's change (catalog: not Interruptible)
    if current.kind == "addon":
        return "addon"
    if flags & CHANNELLING and game.orders[slot, 0]["stage"] == 1:
        return "channel"
    return "morph" if flags & MORPHING else ""


def can_cancel(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Something of that sort must be going on."""
    return Result.SUCCESS if what(game, slot, ability) else Result.ERROR


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Stops it and gives three quarters of the price back."""
    undertaking = what(game, slot, ability)
    if undertaking == "construction":
        construction.cancel(game, slot, ability, target)
    elif undertaking == "addon":
        addons.cancel(game, slot)
    elif undertaking == "morph":
        morphs.cancel(game, slot, ability, target)
    elif undertaking == "channel":
        orders.clear(game, slot)


KINDS["cancel"] = Kind(cancel, can_cancel)
