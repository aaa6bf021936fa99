"""Maps: the ground under a game, from our own texts and from recordings of real games."""

from .catalog import beside, load, names, recorded_names
from .footprints import footprint_cells, placement_cells, town_hall_zone
from .practice import names as practice_names
from .terrain import MapError, Neutral, Terrain, arena

__all__ = [
    "MapError",
    "Neutral",
    "Terrain",
    "arena",
    "beside",
    "footprint_cells",
    "load",
    "names",
    "placement_cells",
    "practice_names",
    "recorded_names",
    "town_hall_zone",
]
