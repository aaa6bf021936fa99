"""What the interface adds to an arena: names of unit types, numbers of its tables, sizes of observation and state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from sim.maps import MapError, arenas
from sim.maps.arenas import Arena
from train.errors import TrainError

SIGHT, SHOOT, MOVES, BASIC_ACTIONS = 9.0, 6.0, 4, 6  # cells; actions before the first target
# Loops of a full cooldown by which the state divides; a Medivac's row holds its energy. Others: 15.
MAX_COOLDOWN = {
    "Marine": 15,
    "Marauder": 25,
    "Medivac": 200,
    "Stalker": 35,
    "Zealot": 22,
    "Colossus": 24,
    "Hydralisk": 10,
    "Zergling": 11,
    "Baneling": 1,
}
MAX_SHIELD = {"Stalker": 80, "Zealot": 50, "Colossus": 150}
PROTOSS = 3
HEALING = ("MMM", "terran_gen")  # kinds of army whose Medivacs act on allies
# By type in the second challenge; nobody's reach is shorter than two cells there.
SIGHTS = {"Marine": 9, "Marauder": 10, "Medivac": 11, "Stalker": 10, "Zealot": 9, "Colossus": 10}
SIGHTS |= {"Zergling": 8, "Baneling": 8, "Hydralisk": 9}
SHOTS = {"Marine": 5, "Marauder": 6, "Medivac": 4, "Stalker": 6, "Zealot": 2, "Colossus": 7}
SHOTS |= {"Zergling": 2, "Baneling": 2, "Hydralisk": 5}
# Order of the type columns: the agents' by name, except where the challenge's own ids say otherwise.
COLUMNS = {
    "MMM": ("Marauder", "Marine", "Medivac"),
    "stalkers_and_zealots": ("Stalker", "Zealot"),
    "colossi_stalkers_zealots": ("Colossus", "Stalker", "Zealot"),
    "bane": ("Baneling", "Zergling"),
}
# Columns of enemy types where they are counted from other ids than the agents'.
ENEMY_COLUMNS = {"stalkers_and_zealots": ("Zealot", "Stalker")}


@dataclass(frozen=True, slots=True)
class MapInfo:
    """One map of the challenge: `columns` are type names by one-hot column, empty where all agents are of one type."""

    name: str
    arena: Arena
    agents: int
    enemies: int
    shields: tuple[int, int]
    map_type: str
    columns: tuple[str, ...]
    enemy_columns: tuple[str, ...]
    own_ranges: bool = False  # units see and choose targets as far as their types do, as in the second challenge

    @property
    def type_bits(self) -> int:
        """Columns that tell a unit's type; 0 where all are of one type."""
        return len(self.columns)

    @property
    def actions(self) -> int:
        """Actions an agent has: the basic ones and one for each enemy, or ally that may be healed."""
        targets = max(self.agents, self.enemies) if self.map_type in HEALING else self.enemies
        return BASIC_ACTIONS + targets

    def sight(self, names: list[str]) -> np.ndarray:
        """f[n]: how far units of these types see, cells."""
        return np.array([SIGHTS.get(name, SIGHT) if self.own_ranges else SIGHT for name in names])

    def shoot(self, names: list[str]) -> np.ndarray:
        """f[n]: from how far these types may choose a target, cells between centres."""
        return np.array([SHOTS.get(name, SHOOT) if self.own_ranges else SHOOT for name in names])


@cache
def info(name: str) -> MapInfo:
    """The map of this name; TrainError with the known ones."""
    try:
        arena = arenas.load(name)
    except MapError as error:
        raise TrainError(str(error)) from None
    if not arena.allies:
        raise TrainError(f"{name} has no armies of its own: its programs create them through the debug interface")
    map_type = _map_type({group.type for group in arena.allies})
    columns = COLUMNS.get(map_type, ())
    return MapInfo(
        name=name,
        arena=arena,
        agents=sum(group.count for group in arena.allies),
        enemies=sum(group.count for group in arena.enemies),
        shields=(int(arena.races[0] == PROTOSS), int(arena.races[1] == PROTOSS)),
        map_type=map_type,
        columns=columns,
        enemy_columns=ENEMY_COLUMNS.get(map_type, columns),
    )


def _map_type(allies: set[str]) -> str:
    """The challenge's name for a kind of army."""
    for name, types in COLUMNS.items():
        if allies == set(types):
            return name
    return {"Marine": "marines", "Stalker": "stalkers", "Zealot": "zealots", "Hydralisk": "hydralisks"}.get(
        min(allies), min(allies).lower()
    )
