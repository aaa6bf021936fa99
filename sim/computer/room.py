"""Whether a structure leaves room beside it: no gap of one cell and no pocket, in which broad units (tanks, Thors,
Ultralisks) would stand walled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from sim.engine.state import APPROACH
from sim.maps import footprint_cells
from sim.melee import placement

if TYPE_CHECKING:
    from sim.computer.computer import Computer

MARGIN = 6  # cells round the structure that are looked at
SQUARE = np.ones((2, 2), bool)  # of open cells: what broad units want (`pathing.fit_broad`)


def _with_addon(computer: Computer, product: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells of a structure with its centre there, and of the add-on it may get; (column, row)."""
    cells = footprint_cells(product, x, y)
    addon = computer.addon_room.get(product)
    return cells + (footprint_cells(addon, x + placement.ADDON_X, y + placement.ADDON_Y) if addon else [])


def roomy(computer: Computer, product: int, x: float, y: float) -> bool:
    """True if a structure at the place `x`, `y` (snapped) takes no ground from broad units but its own, and cuts it
    nowhere in two; what workers are on the way to build counts as standing."""
    was, left, free, clear = _grounds(computer, product, x, y)
    return clear and not (was & free & ~left).any() and _whole(was, left)


def passable(computer: Computer, product: int, x: float, y: float) -> bool:
    """True if it cuts their ground nowhere in two."""
    was, left, _, clear = _grounds(computer, product, x, y)
    return clear and _whole(was, left)


def ordered(computer: Computer) -> list[tuple[int, int]]:
    """Cells (column, row) of the structures that own workers are on the way to build, and of their add-ons."""
    units, first = computer.game.units, computer.game.orders[:, 0]
    going = (units["alive"] == 1) & (units["owner"] == computer.player) & (units["order_count"] > 0)
    going &= computer.sheet.worker[units["type"]] & (first["verb"] >= APPROACH) & (first["product"] > 0)
    sites = first[np.flatnonzero(going)]
    places = [(int(site["product"]), float(site["x"]), float(site["y"])) for site in sites]
    return [cell for place in places for cell in _with_addon(computer, *place)]


def _grounds(computer: Computer, product: int, x: float, y: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Where broad units pass round the place without and with the structure, and what stays open, bool [h, w] each;
    whether nothing else is to stand there."""
    cells, taken = _with_addon(computer, product, x, y), ordered(computer)
    columns, rows = zip(*cells, strict=True)
    left, low = max(min(columns) - MARGIN, 0), max(min(rows) - MARGIN, 0)
    before = computer.game.walk[low : max(rows) + MARGIN + 1, left : max(columns) + MARGIN + 1] == 1
    for column, row in taken:
        if 0 <= row - low < before.shape[0] and 0 <= column - left < before.shape[1]:
            before[row - low, column - left] = False
    after = before.copy()
    after[np.array(rows) - low, np.array(columns) - left] = False
    clear = set(cells).isdisjoint(taken)
    return ndimage.binary_opening(before, SQUARE), ndimage.binary_opening(after, SQUARE), after, clear


def _whole(was: np.ndarray, left: np.ndarray) -> bool:
    """True if each connected part of a ground is still one in what is left of it."""
    parts = ndimage.label(was)[0][left]
    pieces = np.stack([parts, ndimage.label(left)[0][left]])
    return np.unique(pieces, axis=1).shape[1] == len(np.unique(parts))
