"""The mini-games of pysc2 under their own names: ground, units, rewards and time limits as pysc2's page has them.

The real map files cannot be read, so the ground is our own: its size is that of the real one of FindAndDefeatZerglings
(64 by 64 cells, of which 44 by 32 are played on: what a client's user read off its camera), cut down to one screen of
24 cells for those that need no camera. `sim/melee/mini_game.py` has the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from .resources import GEYSERS, base
from .terrain import MapError, Neutral, Terrain

SIDE, LEVEL = 64, 191  # cells; height byte of the ground
MIDDLE = (SIDE / 2, SIDE / 2)
SECOND = 16  # loops in a second of pysc2's page: episodes of 120 seconds last 240 steps of eight loops
SCREEN, WIDE = (20, 22, 44, 42), (10, 16, 54, 48)  # playable areas
YARD = (20, 20, 44, 44)
BEACON, SHARD = 317, 1680  # unit types of the real maps (seen by programs)


@dataclass(frozen=True, slots=True)
class Wave:
    """Enemies that come together: type and count, the reward for each, and how many Marines come with a later wave."""

    groups: tuple[tuple[str, int], ...]
    reward: int
    reinforcements: int = 0


@dataclass(frozen=True, slots=True)
class MiniGame:
    """One mini-game.

    seconds is its time limit. marines stand there at the start, chosen says that they are selected, lit that there is
    no fog. beacon and shards are what Marines are to reach, wave whom they are to kill, scattered or in two lines that
    face each other. base: a Command Center with its workers instead; made and gathered: what is rewarded there, and
    allowed the only things that can be made (empty: all).
    """

    name: str
    seconds: int
    playable: tuple[int, int, int, int] = SCREEN
    marines: int = 0
    chosen: bool = False
    lit: bool = True
    beacon: bool = False
    shards: int = 0
    wave: Wave | None = None
    scattered: bool = False
    base: tuple[float, float, str] | None = None
    other_base: tuple[float, float, str] | None = None
    geysers: bool = True
    made: str = ""
    gathered: bool = False
    allowed: tuple[str, ...] = ()


GAMES = {
    game.name: game
    for game in (
        MiniGame("MoveToBeacon", 120, marines=1, beacon=True),
        MiniGame("CollectMineralShards", 120, marines=2, shards=20),
        MiniGame(
            *("FindAndDefeatZerglings", 180, WIDE),
            marines=3,
            chosen=True,
            lit=False,
            wave=Wave((("Zergling", 25),), 1),
            scattered=True,
        ),
        MiniGame("DefeatRoaches", 120, marines=9, chosen=True, wave=Wave((("Roach", 4),), 10, 5)),
        MiniGame(
            *("DefeatZerglingsAndBanelings", 120),
            marines=9,
            chosen=True,
            wave=Wave((("Zergling", 6), ("Baneling", 4)), 5, 4),
        ),
        MiniGame(
            *("CollectMineralsAndGas", 420, WIDE),
            base=(22.5, 32.5, "SW"),
            other_base=(41.5, 31.5, "NE"),
            gathered=True,
        ),
        MiniGame(
            *("BuildMarines", 900, YARD),
            base=(30.5, 30.5, "SW"),
            geysers=False,
            made="Marine",
            allowed=("SCV", "Marine", "SupplyDepot", "Barracks"),
        ),
    )
}


def names() -> tuple[str, ...]:
    """All mini-games."""
    return tuple(GAMES)


def lit(terrain: Terrain) -> bool:
    """A mini-game is played there without fog."""
    return terrain.mini_game in GAMES and GAMES[terrain.mini_game].lit


@cache
def load(name: str) -> Terrain:
    """The ground of the mini-game of this exact name; MapError when there is none."""
    if name not in GAMES:
        raise MapError(f"unknown mini-game {name!r}; there are: {', '.join(GAMES)}")
    game = GAMES[name]
    left, low, right, high = game.playable
    ground = np.zeros((SIDE, SIDE), np.uint8)
    ground[low:high, left:right] = 1
    neutrals: list[Neutral] = []
    for site in (game.base, game.other_base):
        if site is not None:
            neutrals += [thing for thing in base(*site) if game.geysers or thing.type_id not in GEYSERS]
    return Terrain(
        name=name,
        title=name,
        width=SIDE,
        height=SIDE,
        playable=game.playable,
        walkable=ground,
        buildable=ground,
        levels=np.full((SIDE, SIDE), LEVEL, np.uint8),
        starts=(game.base[:2] if game.base else MIDDLE,),
        neutrals=tuple(neutrals),
        mini_game=name,
    )
