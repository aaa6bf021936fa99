"""Sites as a player knows them: units in sight that are in the way count, structures and creep never seen do not.

Public test programs assert both: an own unit that can walk away is no obstacle, a unit of somebody else in sight is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import FLYING, INSIDE, STRUCTURE, UNFINISHED
from sim.maps import placement_cells
from sim.melee.placement import FOGGED, Known, can_place, placed_by, side_of, snap
from sim.melee.records import Result
from sim.melee.sight import VISIBLE

if TYPE_CHECKING:
    from sim.melee.game import Game
    from sim.melee.sight import Sight

ANY_TUMOR = 3691  # the general id of both tumors: no place is ever free for it (observed)
IN_THE_WAY = 0.5  # share of a unit's radius that reaches into a site, as for the units a builder asks to leave


class Sites:
    """Answers for one player and moment; made anew for every request."""

    def __init__(self, game: Game, player: int, sight: Sight) -> None:
        self.game, self.player = game, player
        units = game.units[: int(game.world[0]["slots"])]
        seen = np.zeros(len(units), bool)
        seen[sight.visible_slots()] = True
        owned = (units["alive"] == 1) & (units["owner"] > 0)
        mine, structure = units["owner"] == player, units["flags"] & STRUCTURE != 0
        rooted = (game.types[player]["speed"][units["type"]] == 0) | (units["flags"] & UNFINISHED != 0)
        stays = np.where(mine, rooted, seen)
        self.obstacles = np.flatnonzero(owned & ~structure & (units["flags"] & (FLYING | INSIDE) == 0) & stays)
        unseen = np.flatnonzero(owned & structure & ~mine & ~seen)
        copies = sight.snapshots()
        copied = set(zip(copies["slot"].tolist(), copies["generation"].tolist(), strict=True)) if len(unseen) else set()
        unknown = {
            cell
            for slot in unseen.tolist()
            if (slot, int(units[slot]["generation"])) not in copied
            for cell in placement_cells(int(units[slot]["type"]), float(units[slot]["x"]), float(units[slot]["y"]))
        }
        self.known = Known(free=unknown, creep=sight.creep())

    def result(self, ability_id: int, x: float, y: float, ignore: int = -1) -> int:
        """Whether the structure that an ability makes could be placed at a point. -> ActionResult id.

        `ignore` is the slot of the unit that asks: it is not in its own way.
        """
        if ability_id == ANY_TUMOR:
            return Result.NOT_SUPPORTED
        kind, product = placed_by(self.game, ability_id)
        if product == self.game.facts.ids[FOGGED] and not self._in_sight(product, x, y):
            return Result.CANT_SEE_BUILD_LOCATION  # a creep map of many public bots knows the fog by it ("no vision")
        found = can_place(self.game, self.player, ability_id, x, y, ignore, self.known)
        if found != Result.SUCCESS or kind in ("warp", "addon") or product in self.game.facts.gas_structures:
            return found
        return Result.CANT_FIND_PLACEMENT if self._occupied(product, x, y, ignore) else found

    def _in_sight(self, product: int, x: float, y: float) -> bool:
        x, y = snap(self.game, product, x, y)
        seen, column, row = self.game.visibility[self.player], int(x), int(y)
        return 0 <= column < seen.shape[1] and 0 <= row < seen.shape[0] and bool(seen[row, column] == VISIBLE)

    def _occupied(self, product: int, x: float, y: float, ignore: int) -> bool:
        game, slots = self.game, self.obstacles[self.obstacles != ignore]
        x, y = snap(game, product, x, y)
        units = game.units[slots]
        reach = side_of(game, product) / 2 + game.types[0]["radius"][units["type"]] * IN_THE_WAY
        return bool(((abs(units["x"] - x) < reach) & (abs(units["y"] - y) < reach)).any())
