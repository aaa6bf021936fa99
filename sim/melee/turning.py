"""Who casts looks at its target: it turns there first, on the spot, as who shoots does.

Catalog: an ability without an Arc is for what lies straight ahead of its caster, one with an Arc of 360 for all round
(a Liberator's zone had that once and lost it). First injects of Queens born below their hall show it
(docs/rules/zerg.md).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sim.engine.geometry import turned, wrap
from sim.engine.order import ANYWHERE
from sim.engine.state import INSIDE

if TYPE_CHECKING:
    from sim.melee.game import Game

TOUCHING = 1e-3  # cells: who is so near looks at it anyway


def faces_target(game: Game, slot: int) -> bool:
    """Turns a unit towards its current order's target, as far as one loop lets it. -> whether it looks there now"""
    unit, order, kind = game.units[slot], game.orders[slot, 0], game.type_of(slot)
    rate = float(kind["turn_rate_still"] or kind["turn_rate"])
    if rate <= 0 or order["range"] == ANYWHERE or int(unit["flags"]) & INSIDE:
        return True
    place = game.units[order["target"]] if order["target"] >= 0 else order
    right, up = float(place["x"] - unit["x"]), float(place["y"] - unit["y"])
    if math.hypot(right, up) < TOUCHING:
        return True
    wanted = math.atan2(up, right)
    looks = abs(wrap(wanted - float(unit["facing"]))) <= rate
    unit["facing"] = turned(float(unit["facing"]), wanted, rate)
    return looks
