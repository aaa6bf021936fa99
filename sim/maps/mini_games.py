"""The mini-games of pysc2 under their own names: ground, units, rewards and time limits as pysc2's page has them.

The real map files cannot be read, so the ground is our own: 64 by 64 cells, of which as many are played on as a public
program's table of the real ones has (22 by 16, 26 by 18 or 44 by 32). `sim/melee/mini_game.py` has the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from .resources import MINERAL_FIELD, VESPENE_GEYSER
from .terrain import MapError, Neutral, Terrain

SIDE, LEVEL = 64, 191  # cells; height byte of the ground
MIDDLE = (SIDE / 2, 28.0)  # of what is played on: where the real camera's range in FindAndDefeatZerglings has its own
VIEW = (31.9, 25.95)  # where the camera looks: public programs' sites and logs fit no view further off than .1
SECOND = 16  # loops in a second of pysc2's page: episodes of 120 seconds last 240 steps of eight loops
SCREEN, YARD, WIDE = (21, 20, 43, 36), (19, 19, 45, 37), (10, 12, 54, 44)  # playable areas
BEACON, SHARD = 317, 1680  # unit types of the real maps (seen by programs)

# Resources and workers left of a town hall, as offsets from its centre, as the logs of a public program show them on a
# real screen; a second base has the mirror image of the resources.
LAYOUT: tuple[tuple[int, float, float], ...] = (
    (MINERAL_FIELD, -5.5, 5.0),
    (MINERAL_FIELD, -6.5, 4.0),
    (MINERAL_FIELD, -6.5, 2.0),
    (MINERAL_FIELD, -7.5, 1.0),
    (MINERAL_FIELD, -7.5, -1.0),
    (MINERAL_FIELD, -6.5, -2.0),
    (MINERAL_FIELD, -6.5, -4.0),
    (MINERAL_FIELD, -5.5, -5.0),
    (VESPENE_GEYSER, -4.0, 7.0),
    (VESPENE_GEYSER, -4.0, -7.0),
)
WORKERS = tuple((x, float(y)) for x in (-5.5, -4.0) for y in range(3, -3, -1))


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
    face each other. base: a Command Center with its workers instead, mining says that these mine from the start on,
    twice that there are resources of a second one; made and gathered: what is rewarded there, and allowed the only
    things that can be made (empty: all).
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
    base: tuple[float, float] | None = None
    mining: bool = False
    twice: bool = False
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
            *("CollectMineralsAndGas", 420, YARD),
            base=(29.5, 28.5),
            twice=True,
            gathered=True,
        ),
        MiniGame(
            *("BuildMarines", 900, YARD),
            base=(29.5, 28.5),
            mining=True,
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
    if game.base is not None:
        x, y = game.base
        wanted = [row for row in LAYOUT if game.geysers or row[0] != VESPENE_GEYSER]
        neutrals = [Neutral(kind, x + right, y + up) for kind, right, up in wanted]
        if game.twice:
            neutrals += [Neutral(one.type_id, 2 * MIDDLE[0] - one.x, one.y) for one in neutrals]
    return Terrain(
        name=name,
        title=name,
        width=SIDE,
        height=SIDE,
        playable=game.playable,
        walkable=ground,
        buildable=ground,
        levels=np.full((SIDE, SIDE), LEVEL, np.uint8),
        starts=(game.base or MIDDLE,),
        neutrals=tuple(neutrals),
        mini_game=name,
    )
