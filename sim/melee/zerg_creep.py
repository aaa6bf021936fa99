"""Creep: which cells it covers, how it grows round its sources and how it recedes where none is left.

A source covers the cells it can reach from its own footprint over ground without a cliff between, up to its radius. It
grows from the middle outwards; cells that no source claims any more are eaten from the edge inwards. Nobody owns creep.

Radii: queens of four real games with one source only in reach planted 13.15 cells from a hatchery, and nobody planted
farther away; tumors were spread 10.63 from a tumor as often as 10 (19 of 307 and 30 of 577 tries; 10.63 is also as far
as their cast was tried). Growth: catalog period 0.352 n (hatchery) and 0.63 n (tumor), patch 5.0.14; a tumor covers its
disc before its own cooldown of 304 loops ends (measured), which fixes the rate. How fast creep recedes is our choice.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.state import UNFINISHED
from sim.melee.registry import EVERY, ON_FINISHED, ON_REMOVE, ON_TYPE

if TYPE_CHECKING:
    from sim.melee.game import Game


@dataclass(frozen=True, slots=True)
class Source:
    """Reach of one type of creep source: radius in cells, growth in cells of radius per loop."""

    radius: float
    growth: float


HALL = Source(13.2, 0.36 / (0.352 * 16))
SLOWER_HALLS = {"4.10.0": 0.352 / 0.42}  # period of 0.42 n there
TUMOR = Source(10.65, 0.36 / (0.63 * 16))
SOURCES = {
    "Hatchery": HALL,
    "Lair": HALL,
    "Hive": HALL,
    "CreepTumorBurrowed": TUMOR,
    "NydusCanal": Source(10.0, TUMOR.growth),
}
FIRST_RADIUS = 3.5  # covered at once: the source's own footprint
GROW_EVERY = 8  # loops between two growth steps
RECEDE_EVERY = 24  # loops in which unsupported creep loses one cell of its edge


@dataclass(slots=True)
class Patch:
    """What one source covers: cells [n] as flat indices in order of distance, and how many are covered so far."""

    cells: np.ndarray
    distance: np.ndarray
    growth: float
    radius: float
    x: float = 0.0  # of its source
    y: float = 0.0
    covered: int = 0


class Creep:
    """Creep of one game; the grid itself is `game.creep`."""

    def __init__(self, game: Game) -> None:
        self.patches: dict[int, Patch] = {}  # by slot of the source
        self.support = np.zeros(game.creep.size, np.int16)  # sources that claim the cell
        self.receding = False


def of(game: Game) -> Creep:
    """The game's creep state, made at the first use."""
    found = getattr(game, "creep_state", None)
    if found is None:
        found = game.creep_state = Creep(game)
    return found


def reach(walkable: np.ndarray, x: float, y: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Cells that creep can cover from a source at (x, y): flat indices [n] and distances [n], nearest first.

    walkable is uint8 [height, width], the ground without units. The source's own middle counts as reachable.
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
            if distance <= radius:
                found[r, c] = distance
                todo.append((r, c))
    order = sorted(found, key=lambda cell: (found[cell], cell))
    cells = np.array([r * width + c for r, c in order], np.int64)
    return cells, np.array([found[cell] for cell in order], np.float64)


def add_source(game: Game, slot: int, *, grown: bool = False, source: Source | None = None) -> None:
    """Starts a source at the unit in `slot`; `grown` covers its whole reach at once (start of the game)."""
    creep, unit = of(game), game.units[slot]
    source = source or SOURCES[game.facts.names[int(unit["type"])]]
    growth = source.growth * (SLOWER_HALLS.get(game.patch, 1.0) if source is HALL else 1.0)
    x, y = float(unit["x"]), float(unit["y"])
    cells, distance = reach(game.terrain.walkable, x, y, source.radius)
    patch = Patch(cells, distance, growth, source.radius if grown else FIRST_RADIUS, x, y)
    creep.patches[slot] = patch
    creep.support[cells] += 1
    spread(game.creep.reshape(-1), patch)


def spread(creep: np.ndarray, patch: Patch) -> None:
    """Covers the cells within the patch's present radius; creep is uint8 [cells], flat."""
    covered = int(np.searchsorted(patch.distance, patch.radius, side="right"))
    if covered > patch.covered:
        creep[patch.cells[patch.covered : covered]] = 1
        patch.covered = covered


def remove_source(game: Game, slot: int) -> None:
    """The source is gone; what no other source claims begins to recede."""
    creep = of(game)
    patch = creep.patches.pop(slot, None)
    if patch is not None:
        creep.support[patch.cells] -= 1
        creep.receding = True


def grow(game: Game) -> None:
    """One growth step of every source that is not full yet."""
    flat = game.creep.reshape(-1)
    for patch in of(game).patches.values():
        if patch.covered < len(patch.cells):
            patch.radius += patch.growth * GROW_EVERY
            spread(flat, patch)


def recede(game: Game) -> None:
    """Takes the edge off the creep that no source supports."""
    creep = of(game)
    if not creep.receding:
        return
    here = game.creep == 1
    loose = here & (creep.support.reshape(here.shape) == 0)
    padded = np.pad(here, 1)
    inner = padded[2:, 1:-1] & padded[:-2, 1:-1] & padded[1:-1, 2:] & padded[1:-1, :-2]
    game.creep[loose & ~inner] = 0
    creep.receding = bool((loose & inner).any())


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
EVERY.append((RECEDE_EVERY, recede))
