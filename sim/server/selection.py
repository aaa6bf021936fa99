"""What a player has selected, and its control groups.

Kept as tags, so that the dead drop out by themselves. Units are shown in the order of the catalog's SubgroupPriority,
then by type and slot; the index of a unit in a panel is its place in that order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import INSIDE, UNFINISHED
from sim.melee import harvest
from sim.server.kinds import kinds

if TYPE_CHECKING:
    from sim.melee.game import Game

GROUPS = 10
MOST = 500  # units in one selection: the largest the panels of clients know


class Selection:
    """The selection and the control groups of one player."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.early = False  # it is what the map chose before its first loop
        self._tags: list[int] = []
        self._groups: list[list[int]] = [[] for _ in range(GROUPS)]

    @property
    def chosen(self) -> bool:
        """Something was selected; it may have died since."""
        return bool(self._tags)

    # -- questions ---------------------------------------------------------------------------------------------------
    def slots(self, game: Game) -> list[int]:
        """Slots of the selected units that live, in the order of the panels."""
        return self._ordered(game, self._tags)

    def shown(self, game: Game) -> list[int]:
        """The slots that panel and screen show; what a map chose shows there from its first loop on."""
        return [] if self.early and game.loop == 0 else self.slots(game)

    def group(self, game: Game, index: int) -> list[int]:
        """Slots of a control group, in the order of the panels."""
        return self._ordered(game, self._groups[index])

    def _ordered(self, game: Game, tags: list[int]) -> list[int]:
        if not tags:
            return []
        number = np.array(tags, np.int64) - (1 << 32)
        slots, generation = number >> 18, number & 0x3FFFF
        units, types = game.units, game.types
        there = (units["alive"][slots] == 1) & (units["generation"][slots] & 0x3FFFF == generation)
        slots = slots[there & (units["flags"][slots] & INSIDE == 0)]
        owner, kind = units["owner"][slots], units["type"][slots]
        return slots[np.lexsort((slots, kind, -types["subgroup"][owner, kind]))].tolist()

    def own(self, game: Game) -> list[int]:
        """The selected units that the player may command."""
        slots = self.slots(game)
        mine = game.units["owner"][slots] == self.player if slots else ()
        return [slot for slot, own in zip(slots, mine, strict=True) if own]

    # -- changes -----------------------------------------------------------------------------------------------------
    def choose(self, game: Game, slots: Iterable[int], add: bool = False) -> None:
        """Selects these units instead of, or beside, what is selected. Others' units are only ever selected alone, and
        some never (Interceptors)."""
        never, types = kinds(game.patch)["unselectable"], game.units["type"]
        found = [slot for slot in dict.fromkeys(slots) if not never[types[slot]]]
        own = [slot for slot in found if game.units[slot]["owner"] == self.player]
        before = self.own(game) if add else []
        if own or before:
            found = list(dict.fromkeys([*before, *own]))
        self._tags = [game.tag(slot) for slot in found[:MOST]]
        self.early = False

    def drop(self, game: Game, slots: Iterable[int]) -> None:
        """Takes units out of the selection."""
        out = {game.tag(slot) for slot in slots}
        self._tags = [tag for tag in self._tags if tag not in out]

    def set_group(self, game: Game, index: int, append: bool, steal: bool) -> None:
        """Makes the own selection a control group, or adds it to one; `steal` takes it out of all others."""
        tags = [game.tag(slot) for slot in self.own(game)]
        kept = self._groups[index] if append else []
        if steal:
            taken = set(tags)
            self._groups = [[tag for tag in group if tag not in taken] for group in self._groups]
            kept = [tag for tag in kept if tag not in taken]
        self._groups[index] = list(dict.fromkeys([*kept, *tags]))

    def recall(self, game: Game, index: int) -> None:
        """Selects a control group; an empty one changes nothing."""
        slots = self.group(game, index)
        if slots:
            self.choose(game, slots)


# -- sets of own units, as slots ------------------------------------------------------------------------------------
def _own(game: Game, player: int) -> tuple[np.ndarray, np.ndarray]:
    """Slots of the player's living units on the map, and their records."""
    units = game.units[: int(game.world[0]["slots"])]
    slots = np.flatnonzero((units["alive"] == 1) & (units["owner"] == player) & (units["flags"] & INSIDE == 0))
    return slots, units[slots]


def army(game: Game, player: int) -> list[int]:
    """All that has the catalog's mark for it (ArmySelect): no Queens, but Overseers and locusts."""
    slots, units = _own(game, player)
    fights = kinds(game.patch)["army"][units["type"]]
    return slots[fights & (units["flags"] & UNFINISHED == 0)].tolist()


def idle_workers(game: Game, player: int) -> list[int]:
    """Workers without an order."""
    slots, units = _own(game, player)
    workers = game.types[player]["worker"][units["type"]] == 1
    return slots[workers & harvest.idlers(game)[slots]].tolist()


def of_types(game: Game, player: int, *names: str) -> list[int]:
    """Finished units of the named types."""
    slots, units = _own(game, player)
    wanted = np.isin(units["type"], [game.facts.ids[name] for name in names])
    return slots[wanted & (units["flags"] & UNFINISHED == 0)].tolist()


def larva(game: Game, player: int, selected: list[int]) -> list[int]:
    """Larvae: of the selected town halls if there are any, else all (the nearest hall counts as theirs)."""
    found = of_types(game, player, "Larva")
    halls = [slot for slot in game.owned(player) if int(game.units[slot]["type"]) in game.facts.town_halls]
    chosen = [slot for slot in halls if slot in selected]
    if not chosen or not halls:
        return found
    units = game.units
    at = np.stack([units["x"][halls], units["y"][halls]])
    nearest = [
        halls[int(((at[0] - units[slot]["x"]) ** 2 + (at[1] - units[slot]["y"]) ** 2).argmin())] for slot in found
    ]
    return [slot for slot, hall in zip(found, nearest, strict=True) if hall in chosen]


def larva_count(game: Game, player: int, selected: list[int]) -> int:
    """Larvae of the selected town halls; 0 while none is selected (observed in three versions)."""
    if not kinds(game.patch)["hall"][game.units["type"][selected]].any():
        return 0
    return len(larva(game, player, selected))
