"""Larvae turn into eggs, and eggs hatch; so do the Zerglings of 4.10.0 that become Banelings.

An egg keeps the tag of its larva and holds one item of production; what hatches has new tags, and the egg is reported
dead (measured in replays: type change at the command, birth after the loops of the table, both zerglings at once,
the Baneling in place of its cocoon). What was in an egg that is killed is paid back, as in any queue (measured). In
5.0.14 a Baneling keeps the tag of its Zergling (`zerg_morph.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.state import JOB_DONE, MORPHING
from sim.melee import birth, production
from sim.melee.construction import refunded
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, TABLES, Kind, on_event
from sim.melee.zerg_larva import HALLS, watch
from sim.melee.zerg_rally import inherit

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

LARVA_TRAIN = range(1342, 1372)  # LarvaTrain, by command
CANCEL_EGG = (304, 305)  # Cancel_Queue1 and CancelSlot_Queue1, of eggs
TRAIN_BANELING = 80  # of 4.10.0
EGGS = {"Egg": "Larva", "BanelingCocoon": "Zergling"}  # and what a cancelled one is again


def root(game: Game) -> None:
    """Nothing moves eggs, and larvae only their own crawling: one that ran from a shot could not be used until it was
    there. It is their type's, not a flag, which would be gone with a stasis or a graviton beam that ends."""
    for name in ("Larva", *EGGS):
        game.types["speed"][:, game.facts.ids[name]] = 0


def is_egg(game: Game, slot: int) -> bool:
    """The unit is an egg that holds an item of production, or held it until now."""
    return game.facts.names[int(game.units[slot]["type"])] in EGGS


def nearest_hall(game: Game, slot: int) -> int:
    """Slot of the owner's town hall nearest to a unit, -1 without any."""
    unit = game.units[slot]
    halls = game.owned(int(unit["owner"]), *HALLS)
    if not halls:
        return -1
    places = game.units[halls]
    return halls[int(np.argmin((places["x"] - unit["x"]) ** 2 + (places["y"] - unit["y"]) ** 2))]


def lay(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The larva becomes an egg with one item; it takes over the rally point of its town hall."""
    unit = game.units[slot]
    hall = int(unit["builder"])
    production.push_job(game, slot, ability)
    if hall >= 0:
        inherit(game, slot, hall, ability.product)
    game.change_type(slot, game.facts.ids["Egg"])


def can_spin(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Not in a cocoon yet, nor busy digging."""
    unit = game.units[slot]
    return Result.NOT_SUPPORTED if unit["job_count"] or int(unit["flags"]) & MORPHING else Result.SUCCESS


def spin(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The Zergling's cocoon closes; it gives back what other morphs do."""
    game.clear_orders(slot)
    production.push_job(game, slot, ability)
    for price in ("minerals", "gas"):
        game.jobs[slot, 0][price] = refunded(float(game.jobs[slot, 0][price]))
    game.change_type(slot, ability.cocoon)


def hatch(game: Game, event: Any) -> None:
    """Production has let the units out: the empty egg dies."""
    slot = int(event["unit"])
    if game.units[slot]["alive"] and is_egg(game, slot) and not game.units[slot]["job_count"]:
        game.kill(slot)


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A cancelled egg is what it was before."""
    production.cancel_last(game, slot, ability, target)
    before = EGGS.get(game.facts.names[int(game.units[slot]["type"])])
    if before is None:
        return
    game.change_type(slot, game.facts.ids[before])
    birth.write(game, slot, ())
    if before == "Larva":
        hall = game.units[slot]["builder"] = nearest_hall(game, slot)
        if hall >= 0:
            watch(game, int(hall))


for _ability in LARVA_TRAIN:
    ABILITIES[_ability] = Kind(lay, production.can_hatch, everyone=False)
ABILITIES[TRAIN_BANELING] = Kind(spin, can_spin)
for _ability in CANCEL_EGG:
    ABILITIES[_ability] = Kind(cancel, production.can_cancel_last, everyone=False)
on_event(JOB_DONE, hatch)
TABLES.append(root)
