"""The 23 maps of the StarCraft Multi-Agent Challenge as scenarios, and the random teams and starts of its version 2.

Units, places, orders and limits come from the table of the arenas. Our units are passive live types: they fight by
order only. Version 2: types drawn by weight, the enemy's team is a copy of ours plus extra units, half of the fights
start surrounded, half mirrored, on a flat open field of 32x32 cells.
"""

from __future__ import annotations

import math

import numpy as np

from sim.maps import arenas
from train.errors import TrainError
from train.scenario import Group, Mission, Reward, Scenario

DUTIES = {
    "attack_point": "attack",
    "attack_between": "attack",
    "attack_units": "hunt",
    "hunt": "hunt",
    "nothing": "none",
}
V2_RACES = {
    "terran": (1, ("Marine", "Marauder", "Medivac")),
    "protoss": (3, ("Stalker", "Zealot", "Colossus")),
    "zerg": (2, ("Zergling", "Hydralisk", "Baneling")),
}
V2_WEIGHTS = (0.45, 0.45, 0.1)
V2_SIZES = ((5, 5), (10, 10), (20, 20), (10, 11), (20, 23))
V2_LIMIT, SIDE = 200, 32
REWARD = Reward(win=10.0, killed=10.0, lost=0.0, damage=0.6)


def names() -> tuple[str, ...]:
    """The maps, then the random teams as race_mv_n."""
    teams = [f"smacv2_{race}_{ours}v{theirs}" for race in V2_RACES for ours, theirs in V2_SIZES]
    return (*(n for n in arenas.names() if arenas.load(n).enemies), *teams)


def load(name: str) -> Scenario:
    """A map or a family of random teams by its name."""
    return random_teams(name) if name.startswith("smacv2_") else arena(name)


def arena(name: str) -> Scenario:
    """One of the 23 maps."""
    found = arenas.load(name)
    own = tuple(Group(g.type, g.count, (g.x, g.y)) for g in found.allies)
    enemy = tuple(Group(g.type, g.count, (g.x, g.y)) for g in found.enemies)
    point = found.to
    if found.duty == "attack_between":
        point = (own[0].at[0] + own[-1].at[0]) / 2, (own[0].at[1] + own[-1].at[1]) / 2
    return Scenario(
        name=name,
        title=f"SMAC {name}",
        ground=found.terrain,
        own=own,
        enemy=enemy,
        limit=found.limit,
        family="smac",
        races=found.races,
        behaviour=DUTIES[found.duty],
        aims=True,
        enemy_point=point,
        mission=Mission(point=enemy[0].at, home=own[0].at),
        fog=False,
        passive=True,
        jitter=0.0,
        reward=REWARD,
    )


def random_teams(name: str) -> Scenario:
    """smacv2_RACE_NvM, where N and M may be any numbers of units up to 40, M not less than N."""
    try:
        _, race, sizes = name.split("_")
        ours, theirs = (int(part) for part in sizes.split("v"))
        race_id, types = V2_RACES[race]
    except (ValueError, KeyError):
        raise TrainError(
            f"unknown scenario {name!r}; random teams are named smacv2_RACE_NvM, as in smacv2_terran_5v5"
        ) from None
    if not 1 <= ours <= theirs <= 40:
        raise TrainError(f"{name}: teams of {ours} and {theirs}; 1 to 40 units, the enemy's not smaller")
    ground = arenas.load("3s_vs_3z").terrain

    def make(rng: np.random.Generator) -> Scenario:
        return _team(rng, name, types, ours, theirs, race_id)

    return Scenario(
        name=name,
        title=f"SMACv2 {race} {ours} against {theirs}",
        ground=ground,
        own=(Group(types[0], ours, (9.0, 16.0)),),
        enemy=(Group(types[0], theirs, (23.0, 16.0)),),
        limit=V2_LIMIT,
        family="smacv2",
        races=(race_id, race_id),
        behaviour="hunt",
        aims=True,
        fog=False,
        passive=True,
        jitter=0.0,
        reward=REWARD,
        make=make,
    )


def _team(rng: np.random.Generator, name: str, types: tuple[str, ...], ours: int, theirs: int, race: int) -> Scenario:
    """Types and places of one fight."""
    team = _draw_types(rng, types, ours)
    enemies = team + _draw_types(rng, types, theirs - ours, alone=False)
    if rng.random() < 0.5:
        own_at = [(SIDE / 2, SIDE / 2)] * ours
        count = int(rng.integers(1, 5))
        corners = [(math.pi / 4 + math.pi / 2 * k) for k in rng.permutation(4)[:count]]
        enemy_at = []
        for index in range(theirs):
            angle, away = corners[index % count], 11.0
            enemy_at.append((SIDE / 2 + away * math.cos(angle), SIDE / 2 + away * math.sin(angle)))
    else:
        own_at = [(float(rng.uniform(2, 15)), float(rng.uniform(2, SIDE - 2))) for _ in range(ours)]
        enemy_at = [(SIDE - x, y) for x, y in own_at]
        enemy_at += [(float(rng.uniform(17, SIDE - 2)), float(rng.uniform(2, SIDE - 2))) for _ in range(theirs - ours)]
    own = tuple(Group(kind, 1, at) for kind, at in zip(team, own_at, strict=True))
    enemy = tuple(Group(kind, 1, at) for kind, at in zip(enemies, enemy_at, strict=True))
    return Scenario(
        name=name,
        title=name,
        ground=arenas.load("3s_vs_3z").terrain,
        own=own,
        enemy=enemy,
        limit=V2_LIMIT,
        family="smacv2",
        races=(race, race),
        behaviour="hunt",
        aims=True,
        mission=Mission(point=(SIDE / 2, SIDE / 2), home=own[0].at),
        fog=False,
        passive=True,
        jitter=0.0,
        reward=REWARD,
    )


def _draw_types(rng: np.random.Generator, types: tuple[str, ...], count: int, alone: bool = True) -> list[str]:
    """So many types by weight; a team never consists of Medivacs alone."""
    while True:
        drawn = [str(kind) for kind in rng.choice(types, size=count, p=V2_WEIGHTS)]
        if not alone or any(kind != "Medivac" for kind in drawn):
            return drawn
