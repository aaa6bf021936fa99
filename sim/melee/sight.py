"""What one player may see: the units in sight, and copies of the structures and resources that left it.

The server and the computers below the cheating levels look through this same window, so that nobody acts on more than
the fog allows. `Sight.update` has to run after every change of vision for a copy to be made of all that was in sight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.jit import rule
from sim.engine.state import BURROWED, CLOAKED, DETECTED, INSIDE, STRUCTURE
from sim.melee.records import Race

if TYPE_CHECKING:
    from sim.melee.game import Game

NEVER, SEEN, VISIBLE = 0, 1, 2  # values of the visibility grid
COPY_BASE = 2 << 32  # tags of copies lie above those of all units (measured in recordings)
UNSEEN_FACING = {  # what copies of things that nobody has seen yet report in all recordings; the others 0
    **dict.fromkeys(("DestructibleRockEx16x6", "DestructibleDebris6x6", "XelNagaTower"), 7.0),
    "DestructibleRockEx1VerticalHuge": 1.0,
    **dict.fromkeys(("DestructibleRampDiagonalHugeBLUR", "DestructibleDebrisRampDiagonalHugeBLUR"), 0.11108398),
}

FORGOTTEN = ("OracleStasisTrap",)  # structures without the catalog's FogVisibility Snapshot (KD8 charges: `thrown`)

SNAPSHOT = np.dtype(
    [
        ("tag", "u8"),
        ("slot", "i4"),  # the unit it is a copy of
        ("generation", "u4"),
        ("type", "i2"),
        ("owner", "i1"),
        ("seen", "u1"),  # 0: known from the map alone, as at the start of a game
        ("flags", "u4"),
        ("x", "f4"),
        ("y", "f4"),
        ("z", "f4"),
        ("facing", "f4"),
        ("progress", "f4"),  # 0..1
    ],
    align=True,
)


def progress_of(units: np.ndarray) -> np.ndarray:
    """Share of the construction that is done, float32 [n], 0..1; 1 for what is finished."""
    left, total = units["build_left"], units["build_total"]
    with np.errstate(divide="ignore", invalid="ignore"):
        done = 1.0 - left / total
    return np.where((left > 0) & (total > 0), np.clip(done, 0.0, 1.0), 1.0).astype(np.float32)


class Sight:
    """Eyes of one player; `reveal` lifts the fog from units (`disable_fog`, show_map), `detect` the cloaks as well."""

    def __init__(self, game: Game, player: int, reveal: bool = False, detect: bool = False) -> None:
        self.game = game
        self.player = player
        self.reveal = reveal
        self.detect = detect
        self._always = np.array(["Zone" in name for name in game.facts.names], dtype=bool)
        self._stands = game.types["speed"][0] == 0
        self._stands[[game.facts.ids[name] for name in FORGOTTEN]] = False
        self._copies = np.zeros(0, SNAPSHOT)
        self._count = 0  # copies ever made: the next copy's number
        self._in_sight = np.zeros(0, bool)  # by slot, as of the last update
        self._hidden = np.zeros(0, bool)
        self._generation = np.zeros(len(game.units), np.uint32)  # of the slots at the last update
        self._creep = np.zeros_like(game.creep)
        self._loop = -1
        self._first_look()

    # -- questions ---------------------------------------------------------------------------------------------------
    def in_sight(self) -> np.ndarray:
        """Which slots' units the player fully sees now, its own included; bool [slots]. Read only."""
        self.update()
        return self._in_sight

    def hidden(self) -> np.ndarray:
        """Which slots hold cloaked enemies in sight that nobody detects: a shimmer whose place is known, not its state;
        bool [slots]. Read only."""
        self.update()
        return self._hidden

    def visible_slots(self) -> np.ndarray:
        """Slots of all that is `in_sight`, in their order; int64 [n]."""
        return np.flatnonzero(self.in_sight())

    def hidden_slots(self) -> np.ndarray:
        """Slots of all that is `hidden`, in their order; int64 [n]."""
        return np.flatnonzero(self.hidden())

    def is_visible(self, slot: int) -> bool:
        """The player fully sees the unit in this slot now."""
        self.update()
        return 0 <= slot < len(self._in_sight) and bool(self._in_sight[slot])

    def snapshots(self) -> np.ndarray:
        """Copies of what left sight; SNAPSHOT [n], oldest first. Read only; replaced, never changed in place."""
        self.update()
        return self._copies

    def creep(self) -> np.ndarray:
        """Creep as the player last saw it, uint8 [h, w]: none where it never was (as in recordings of loop 0 against
        Zerg), and what has grown or gone in the fog is not known. Read only."""
        self.update()
        return self.game.creep if self.reveal else self._creep

    def original(self, tag: int) -> tuple[int, int, float, float] | None:
        """Slot, generation and place of what the copy with this tag shows; None for any other tag."""
        if tag < COPY_BASE:
            return None
        found = np.flatnonzero(self.snapshots()["tag"] == tag)
        if not len(found):
            return None
        copy = self._copies[found[0]]
        return int(copy["slot"]), int(copy["generation"]), float(copy["x"]), float(copy["y"])

    # -- upkeep ------------------------------------------------------------------------------------------------------
    def update(self, force: bool = False) -> None:
        """Brings sight and copies up to the game's loop; nothing happens when that was already done in this loop.

        `force` looks again within the same loop, for units that appeared or died without a step (debug commands).
        """
        if self._loop == self.game.loop and not force:
            return
        units, lost = self._look()
        if lost.any():
            self._copy(units, np.flatnonzero(lost & self._leaves_copy(units)), seen=True)
        if len(self._copies):
            stays = np.zeros(len(self._copies), bool)
            if keep(self._copies, self.game.visibility[self.player], self.reveal, stays) < len(stays):
                self._copies = self._copies[stays]

    def _first_look(self) -> None:
        """At the start the map's resources and rocks out of sight are known as copies."""
        units, _ = self._look()
        unseen = (units["alive"] == 1) & (units["owner"] == 0) & ~self._in_sight
        self._copy(units, np.flatnonzero(unseen & self._leaves_copy(units)), seen=False)
        names = self.game.facts.names
        self._copies["facing"] = [UNSEEN_FACING.get(names[type_id], 0.0) for type_id in self._copies["type"]]

    def _leaves_copy(self, units: np.ndarray) -> np.ndarray:
        """Living structures and resources that stand on the ground; bool [n]."""
        return (units["alive"] == 1) & (units["flags"] & STRUCTURE != 0) & self._stands[units["type"]]

    def _look(self) -> tuple[np.ndarray, np.ndarray]:
        """Recomputes what is in sight; returns the used rows of the game's units, and who of them has left it."""
        game = self.game
        units = game.units[: int(game.world[0]["slots"])]
        before = self._in_sight
        self._in_sight, self._hidden, lost = np.zeros((3, len(units)), bool)
        grid = game.visibility[self.player]
        found = (self._generation, self._in_sight, self._hidden, lost)
        look(units, self.player, grid, self._always, self.reveal, self.detect, before, *found)
        if Race.ZERG in game.memory.races:  # nobody else makes creep
            remember(grid, game.creep, self._creep)
        self._loop = game.loop
        return units, lost

    def _copy(self, units: np.ndarray, slots: np.ndarray, seen: bool) -> None:
        """Adds a copy with a tag of its own for each of these slots."""
        if not len(slots):
            return
        source = units[slots]
        new = np.zeros(len(slots), SNAPSHOT)
        for name in ("generation", "type", "owner", "flags", "x", "y", "z", "facing"):
            new[name] = source[name]
        new["slot"] = slots
        new["seen"] = seen
        new["progress"] = progress_of(source)
        number = self._count + 1 + np.arange(len(slots), dtype=np.uint64)
        new["tag"] = (number << np.uint64(18)) + np.uint64(COPY_BASE + 1)
        self._count += len(slots)
        self._copies = np.concatenate([self._copies, new])


@rule
def lit(grid, x, y):  # type: ignore[no-untyped-def]
    """A point (cells) lies in sight."""
    row = min(max(int(y), 0), grid.shape[0] - 1)
    column = min(max(int(x), 0), grid.shape[1] - 1)
    return grid[row, column] == VISIBLE


@rule
def keep(copies, grid, reveal, stays):  # type: ignore[no-untyped-def]
    """Marks the copies whose place is out of sight: what is in sight needs none; -> how many."""
    count = 0
    for k in range(len(copies)):
        stays[k] = not (reveal or lit(grid, copies[k].x, copies[k].y))
        count += stays[k]
    return count


@rule
def look(units, player, grid, always, reveal, detect, before, generation, in_sight, hidden, lost):  # type: ignore
    """Fills, by slot: what the player fully sees, which cloaked units it sees shimmer, and who was in sight `before`,
    when the slots had these generations, and is no more. All are false at first."""
    for slot in range(len(units)):
        unit = units[slot]
        was_seen = slot < len(before) and before[slot] and generation[slot] == unit.generation
        generation[slot] = unit.generation
        if not unit.alive or unit.flags & INSIDE:
            lost[slot] = was_seen
            continue
        own = unit.owner == player
        secret = unit.flags & (CLOAKED | BURROWED) and not unit.flags & DETECTED
        if own or reveal or lit(grid, unit.x, unit.y) or always[unit.type]:
            in_sight[slot] = own or detect or not secret
            hidden[slot] = not in_sight[slot] and not unit.flags & BURROWED
        lost[slot] = was_seen and not in_sight[slot]


@rule
def remember(grid, creep, known):  # type: ignore[no-untyped-def]
    """Takes over the creep of all cells in sight."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            here = grid[row, column] == VISIBLE
            known[row, column] = creep[row, column] if here else known[row, column]
