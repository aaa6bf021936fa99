"""Whether a structure leaves room beside it: no gap of one cell and no pocket, in which broad units (tanks, Thors,
Ultralisks) would stand walled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from sim.maps import footprint_cells
from sim.melee import placement

if TYPE_CHECKING:
    from sim.computer.computer import Computer

MARGIN = 6  # cells round the structure that are looked at


def with_addon(computer: Computer, product: int, x: float, y: float) -> list[tuple[int, int]]:
    """Cells of a structure with its centre there, and of the add-on it may get; (column, row)."""
    cells = footprint_cells(product, x, y)
    addon = computer.addon_room.get(product)
    return cells + (footprint_cells(addon, x + placement.ADDON_X, y + placement.ADDON_Y) if addon else [])


def roomy(computer: Computer, product: int, x: float, y: float) -> bool:
    """True if a structure at the place `x`, `y` (snapped) takes no ground from broad units but its own, and cuts it
    nowhere in two."""
    was, left, free = _grounds(computer, product, x, y)
    return not (was & free & ~left).any() and _whole(was, left)


def passable(computer: Computer, product: int, x: float, y: float) -> bool:
    """True if it cuts their ground nowhere in two."""
    was, left, _ = _grounds(computer, product, x, y)
    return _whole(was, left)


def _grounds(computer: Computer, product: int, x: float, y: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where broad units pass round the place without and with the structure, and what stays open; u1 [h, w] each."""
    columns, rows = zip(*with_addon(computer, product, x, y), strict=True)
    left, low = max(min(columns) - MARGIN, 0), max(min(rows) - MARGIN, 0)
    before = computer.game.walk[low : max(rows) + MARGIN + 1, left : max(columns) + MARGIN + 1].copy()
    after = before.copy()
    after[np.array(rows) - low, np.array(columns) - left] = 0
    return _broad(before), _broad(after), after


def _whole(was: np.ndarray, left: np.ndarray) -> bool:
    """True if each connected part of a ground is still one in what is left of it."""
    parts = ndimage.label(was)[0][left == 1]
    pieces = np.stack([parts, ndimage.label(left)[0][left == 1]])
    return np.unique(pieces, axis=1).shape[1] == len(np.unique(parts))


def _broad(walk: np.ndarray) -> np.ndarray:
    """Cells that are one of four open ones in a square, as the engine's `fit_broad` fills them; u1 [h, w]."""
    squares = walk[:-1, :-1] & walk[:-1, 1:] & walk[1:, :-1] & walk[1:, 1:]
    broad = np.zeros_like(walk)
    for rows in (slice(None, -1), slice(1, None)):
        for columns in (slice(None, -1), slice(1, None)):
            broad[rows, columns] |= squares
    return broad
