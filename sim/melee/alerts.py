"""Alerts of attacks: once per unit until it has been left alone for a long time. Who looks there is not told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.state import HIT, STRUCTURE
from sim.melee.records import Alert
from sim.melee.registry import ON_REMOVE, on_event

if TYPE_CHECKING:
    from sim.melee.game import Game

QUIET = 6200  # loops without an attack after which a unit raises the alarm again (observed: 6,000 to 6,500)

SILENT = ("LocustMP", "LocustMPFlying")  # catalog: IgnoreAttackAlert


def on_hit(game: Game, event: Any) -> None:
    """A unit was hit: its owner is told, unless it has been lately."""
    slot = int(event["unit"])
    owner = int(game.units[slot]["owner"])
    if owner == 0 or event["other"] in (0, owner) or game.facts.names[int(game.units[slot]["type"])] in SILENT:
        return
    last = game.memory.attacked.get(slot)
    game.memory.attacked[slot] = game.loop
    if last is None or game.loop - last > QUIET:
        structure = int(game.units[slot]["flags"]) & STRUCTURE
        alert = Alert.BUILDING_UNDER_ATTACK if structure else Alert.UNIT_UNDER_ATTACK
        game.inbox[owner].attacks.append((int(alert), float(game.units[slot]["x"]), float(game.units[slot]["y"])))


def forget(game: Game, slot: int) -> None:
    """The next unit in the slot raises its own alarm."""
    game.memory.attacked.pop(slot, None)


on_event(HIT, on_hit)
ON_REMOVE.append(forget)
