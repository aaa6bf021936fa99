"""What a create_game settles: the map, the players, how the game runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.maps import Terrain


@dataclass(frozen=True, slots=True)
class Player:
    """One player of the set-up; ids follow from the order.

    `requested` may be Random; `race` is what a computer plays. Both are settled for participants when they join.
    """

    computer: bool
    requested: int = 0
    race: int = 0
    difficulty: int = 0
    build: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a create_game settled."""

    terrain: Terrain
    map_path: str
    players: tuple[Player, ...]
    realtime: bool
    seed: int
    fog: bool
    patch: str
    observers: int = 0  # seats for who only watches
    seeded: bool = True  # the client asked for this seed
