"""Discs in a picture: which of them covers which pixel, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.jit import rule

if TYPE_CHECKING:
    from sim.server.screen import View

STANDS = (
    0.5  # a disc stands on a pixel of which it covers that share: on that of its centre, and where it covers the middle
)


@dataclass(frozen=True, slots=True)
class Painted:
    """What discs cover; [height * width] each, the pixel's number being row * width + column."""

    top: np.ndarray  # i8: the last disc that stands on the pixel, -1 = none
    standing: np.ndarray  # i8: how many stand on it
    covered: np.ndarray  # f8: the covered shares of the pixel, 0..1 of each disc (anti-aliased), added up


def paint(view: View, x: np.ndarray, y: np.ndarray, radius: np.ndarray) -> Painted:
    """The picture of discs, places and radii in cells, later ones over earlier ones."""
    pixels = view.width * view.height
    found = Painted(np.full(pixels, -1), np.zeros(pixels, np.int64), np.zeros(pixels))
    column, row = (x - view.left) / view.pixel, (view.top - y) / view.pixel
    size = np.maximum(radius / view.pixel, 0.0)
    discs = (column.astype(float), row.astype(float), size.astype(float))
    put_discs(*discs, view.width, view.height, found.top, found.standing, found.covered)
    return found


@rule
def put_discs(column, row, size, width, height, top, standing, covered):  # type: ignore[no-untyped-def]
    """Fills a picture; centres and radii in pixels."""
    for k in range(len(column)):
        reach = int(np.ceil(size[k]))
        middle, across = int(np.floor(row[k])), int(np.floor(column[k]))
        for i in range(max(middle - reach, 0), min(middle + reach + 1, height)):
            for j in range(max(across - reach, 0), min(across + reach + 1, width)):
                dx, dy = j + 0.5 - column[k], i + 0.5 - row[k]
                share = min(max(size[k] - np.sqrt(dx * dx + dy * dy) + 0.5, 0.0), 1.0)
                if i == middle and j == across:
                    share = 1.0
                covered[i * width + j] += share
                if share >= STANDS:
                    top[i * width + j] = k
                    standing[i * width + j] += 1
