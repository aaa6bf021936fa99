"""Creep: which cells it covers, how it grows round its sources and how it recedes where none is left.

A source covers the cells it can reach from its own footprint over ground without a cliff between, up to its radius. It
takes one free cell after the other, any of those beside creep; when it is gone the cells that no other source claims
are given up in the same way, any of those at the edge of the creep. Nobody owns creep.

How far and how fast: one ladder bot offers its tumors, as soon as these can spread, every cell with creep at 9 to
10.63 cells from them (214 batches of game 88e47cde, 5.0.14; `docs/rules/zerg.md`): the disc of 10.2 that is their
footprint in the catalog. Queens of four real games with one source only in reach planted 13.15 cells from a hatchery,
and nobody planted farther away: the tips of its footprint, which is no disc. Periods: catalog, 0.352 n (hatchery) and
0.63 n (tumor), patch 5.0.14. What a tumor covers at once is fitted to the batches; of a hatchery it is the catalog's,
and lets a Spore Crawler be begun 4 cells from its middle 57 loops after it was complete, as a real one was. How fast
it recedes tell larvae, which die where it is gone.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.jit import inlined, rule
from sim.engine.state import UNFINISHED
from sim.melee.registry import EVERY, ON_FINISHED, ON_REMOVE, ON_TYPE

if TYPE_CHECKING:
    from sim.melee.game import Game


@dataclass(frozen=True, slots=True)
class Source:
    """Reach of one type of creep source in cells, growth in cells of ground a loop, the radius covered at once, and how
    many cells it covers aside of its middle in each row, the middle one first, where that is no disc."""

    radius: float
    growth: float
    first: float
    rows: tuple[int, ...] = ()


HALL_ROWS = (13, 13, 13, 12, 12, 11, 11, 10, 9, 8, 7, 6, 4, 2)  # catalog: Footprint8x6CreepSourceGrown
PER_PERIOD = 2  # cells; fitted to the batches
HALL = Source(13.2, PER_PERIOD / (0.352 * 16), 4.5, HALL_ROWS)
SLOWER_HALLS = {"4.10.0": 0.352 / 0.42}  # period of 0.42 n there
TUMOR = Source(10.2, PER_PERIOD / (0.63 * 16), 2.5)
SOURCES = {
    "Hatchery": HALL,
    "Lair": HALL,
    "Hive": HALL,
    "CreepTumorBurrowed": TUMOR,
    "NydusCanal": Source(TUMOR.radius, TUMOR.growth, TUMOR.radius),  # catalog: NydusCreepGrowth is grown at its start
}
OLDER = {("4.10.0", "NydusCanal"): TUMOR}  # what a patch has instead (catalog: makeCreep4x4)
GROW_EVERY = 4  # loops between two growth steps
RECEDES = 0.41  # cells a loop that creep loses for each source that is gone: 0.34 to 0.48 fit each of 16 larvae that
# died 893 to 1096 loops after their town hall, three cells from its middle, on two recorded maps


@dataclass(slots=True)
class Patch:
    """What one source covers: its cells [n] as flat indices, those of them that may still be free in the first `free`
    places of `left`, and the cells it may take now (a part of one waits for the next step)."""

    cells: np.ndarray
    left: np.ndarray
    free: int
    growth: float
    x: float  # of its source
    y: float
    due: float = 0.0


class Creep:
    """Creep of one game; the grid itself is `game.creep`."""

    def __init__(self, game: Game) -> None:
        self.patches: dict[int, Patch] = {}  # by slot of the source
        self.support = np.zeros(game.creep.size, np.int16)  # sources that claim the cell
        self.fading: list[Patch] = []  # of sources that are gone; `left` are the cells that may still have creep

    def all(self) -> list[Patch]:
        """Patches that come and patches that go, in the order in which they began."""
        return [*self.patches.values(), *self.fading]


def of(game: Game) -> Creep:
    """The game's creep state, made at the first use."""
    if game.creep_state is None:
        game.creep_state = Creep(game)
    return game.creep_state


def reach(
    walkable: np.ndarray, x: float, y: float, radius: float, rows: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray]:
    """Cells that creep can cover from a source at (x, y): flat indices [n] and distances [n], nearest first.

    walkable is uint8 [height, width], the ground without units. The source's own middle counts as reachable; `rows` are
    those of a `Source`.
    """
    height, width = walkable.shape
    start = (int(y), int(x))
    found = {start: float(np.hypot(start[1] + 0.5 - x, start[0] + 0.5 - y))}
    todo = deque([start])
    while todo:
        row, column = todo.popleft()
        for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if (r, c) in found or not (0 <= r < height and 0 <= c < width) or not walkable[r, c]:
                continue
            distance = float(np.hypot(c + 0.5 - x, r + 0.5 - y))
            if distance <= radius and (not rows or abs(c - start[1]) <= rows[abs(r - start[0])]):
                found[r, c] = distance
                todo.append((r, c))
    order = sorted(found, key=lambda cell: (found[cell], cell))
    cells = np.array([r * width + c for r, c in order], np.int64)
    return cells, np.array([found[cell] for cell in order], np.float64)


def add_source(game: Game, slot: int, *, grown: bool = False, source: Source | None = None) -> None:
    """Starts a source at the unit in `slot`; `grown` covers its whole reach at once (start of the game)."""
    creep, unit = of(game), game.units[slot]
    name = game.facts.names[int(unit["type"])]
    source = source or OLDER.get((game.patch, name)) or SOURCES[name]
    growth = source.growth * (SLOWER_HALLS.get(game.patch, 1.0) if source is HALL else 1.0)
    x, y = float(unit["x"]), float(unit["y"])
    cells, distance = reach(game.terrain.walkable, int(x) + 0.5, int(y) + 0.5, source.radius, source.rows)
    first = len(cells) if grown else int(np.searchsorted(distance, source.first, side="right"))
    game.creep.reshape(-1)[cells[:first]] = 1
    creep.patches[slot] = Patch(cells, cells[first:].copy(), len(cells) - first, growth, x, y)
    creep.support[cells] += 1


@rule
def turn(creep, support, left, count, width, cover, chance):
    """Covers (`cover` 1) one of the cells that lie beside creep, or uncovers (0) one at the edge of the creep that no
    source claims, whichever `chance` in [0, 1) picks. -> cells that are still to be turned.

    creep is uint8 [cells], flat, support int16 [cells]; left holds flat indices of which the first `count` count; those
    that are turned are dropped.
    """
    kept = 0
    beside = 0
    for index in range(count):
        cell = left[index]
        if creep[cell] == cover or (cover == 0 and support[cell]):
            continue
        if _edge(creep, cell, width, cover):  # those come first
            left[index] = left[kept]
            left[kept] = left[beside]
            left[beside] = cell
            beside += 1
        else:
            left[index] = left[kept]
            left[kept] = cell
        kept += 1
    if beside > 0:
        creep[left[int(chance * beside)]] = cover
    return kept


@inlined
def _edge(creep, cell, width, there):
    """Whether a cell with creep (`there` 1) or without (0) lies beside the cell."""
    size = len(creep)
    return (
        (cell >= 1 and creep[cell - 1] == there)
        or (cell + 1 < size and creep[cell + 1] == there)
        or (cell >= width and creep[cell - width] == there)
        or (cell + width < size and creep[cell + width] == there)
    )


def remove_source(game: Game, slot: int) -> None:
    """The source is gone; what no other source claims begins to recede."""
    creep = of(game)
    patch = creep.patches.pop(slot, None)
    if patch is not None:
        creep.support[patch.cells] -= 1
        patch.left, patch.free, patch.due = patch.cells.copy(), len(patch.cells), 0.0
        creep.fading.append(patch)


def advance(game: Game, patch: Patch, rate: float, cover: int) -> None:
    """One step of a patch by `rate` cells a loop: creep comes (`cover` 1) or goes (0)."""
    flat, support, width = game.creep.reshape(-1), of(game).support, game.creep.shape[1]
    patch.due += rate * GROW_EVERY
    while patch.due >= 1.0 and patch.free:
        patch.free = turn(flat, support, patch.left, patch.free, width, cover, game.random())
        patch.due -= 1.0


def grow(game: Game) -> None:
    """One growth step of every source that is not full yet."""
    for patch in of(game).patches.values():
        if patch.free:
            advance(game, patch, patch.growth, 1)


def recede(game: Game) -> None:
    """One step back of the creep of every source that is gone."""
    creep = of(game)
    for patch in creep.fading:
        advance(game, patch, RECEDES, 0)
    creep.fading = [patch for patch in creep.fading if patch.free]


def is_source(game: Game, slot: int) -> bool:
    """The unit gives creep now."""
    unit = game.units[slot]
    return game.facts.names[int(unit["type"])] in SOURCES and not int(unit["flags"]) & UNFINISHED


def on_finished(game: Game, slot: int) -> None:
    """A new source: at the start of a game its creep is already there."""
    if is_source(game, slot) and slot not in of(game).patches:
        add_source(game, slot, grown=game.loop == 0)


def on_type(game: Game, slot: int, old: int) -> None:
    """A tumor that has burrowed becomes a source; hatcheries that turn into lairs stay one."""
    if is_source(game, slot) and slot not in of(game).patches:
        add_source(game, slot)


def on_creep(game: Game, cells: Any) -> bool:
    """Every one of these cells (x, y) is covered."""
    height, width = game.creep.shape
    return all(0 <= x < width and 0 <= y < height and game.creep[y, x] for x, y in cells)


ON_FINISHED.append(on_finished)
ON_TYPE.append(on_type)
ON_REMOVE.append(remove_source)
EVERY.append((GROW_EVERY, grow))
EVERY.append((GROW_EVERY, recede))
