"""Where things are in a picture: the camera's view and the minimap, between pixels and the world.

Pixels are square and counted from the top left; the world is counted in cells from the bottom left. The shorter side
of the camera's picture is `width` cells long (24 unless asked otherwise), the longer side of the map fills the minimap.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from s2clientprotocol import sc2api_pb2 as sc

    from sim.maps import Terrain

CAMERA_WIDTH = 24.0  # cells, where a client names no width
MOST_PIXELS = 1024  # of one side of a picture


@dataclass(frozen=True, slots=True)
class View:
    """A picture of `width` by `height` pixels, each `pixel` cells long; (left, top) is its upper left corner."""

    width: int
    height: int
    pixel: float
    left: float
    top: float

    @property
    def xs(self) -> np.ndarray:
        """Place of each column's middle; float64 [width], cells."""
        return self.left + (np.arange(self.width) + 0.5) * self.pixel

    @property
    def ys(self) -> np.ndarray:
        """Place of each row's middle, the first row at the top; float64 [height], cells."""
        return self.top - (np.arange(self.height) + 0.5) * self.pixel

    def inside(self, column: int, row: int) -> bool:
        """The pixel belongs to the picture."""
        return 0 <= column < self.width and 0 <= row < self.height

    def place(self, column: int, row: int) -> tuple[float, float]:
        """The middle of a pixel in the world, cells."""
        return self.left + (column + 0.5) * self.pixel, self.top - (row + 0.5) * self.pixel

    def pixel_of(self, x: float, y: float) -> tuple[int, int]:
        """Column and row of a place; they may lie outside the picture."""
        return floor((x - self.left) / self.pixel), floor((self.top - y) / self.pixel)


def fault(setup: sc.SpatialCameraSetup) -> str:
    """What is wrong with the pictures a client asks for; '' when nothing is."""
    sides = (setup.resolution.x, setup.resolution.y, setup.minimap_resolution.x, setup.minimap_resolution.y)
    if not all(0 <= side <= MOST_PIXELS for side in sides):
        return f"pictures have 0 to {MOST_PIXELS} pixels a side"
    if setup.HasField("width") and not 1.0 <= setup.width <= 1000.0:
        return "the camera is 1 to 1000 cells wide"
    return ""


def screen_view(setup: sc.SpatialCameraSetup, camera: tuple[float, float]) -> View | None:
    """The camera's picture round its centre; None when none was asked for."""
    width, height = setup.resolution.x, setup.resolution.y
    if width <= 0 or height <= 0:
        return None
    pixel = (setup.width or CAMERA_WIDTH) / min(width, height)
    return View(width, height, pixel, camera[0] - pixel * width / 2, camera[1] + pixel * height / 2)


def minimap_view(setup: sc.SpatialCameraSetup, terrain: Terrain) -> View | None:
    """The minimap's picture of the whole map, or of its playable part; None when none was asked for."""
    width, height = setup.minimap_resolution.x, setup.minimap_resolution.y
    if width <= 0 or height <= 0:
        return None
    x0, y0, x1, y1 = terrain.playable if setup.crop_to_playable_area else (0, 0, terrain.width, terrain.height)
    return View(width, height, max((x1 - x0) / width, (y1 - y0) / height), float(x0), float(y1))
