"""Teams and places of the second challenge, drawn anew for each episode from its `capability_config`.

{"n_units": 5, "n_enemies": 5,
 "team_gen": {"dist_type": "weighted_teams", "unit_types": [...], "weights": [...], "exception_unit_types": [...]},
 "start_positions": {"dist_type": "surrounded_and_reflect", "p": 0.5, "map_x": 32, "map_y": 32}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from sim.facts.copies import SUFFIX
from sim.maps import arenas
from sim.melee.spread import spread
from train.errors import TrainError
from train.smac.maps import MapInfo
from train.smac.units import AGENTS, ENEMIES, Field

Names = list[str]
CORNERS = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)])
APART = 2.0  # cells between the middle, where the agents stand, and the nearest place of those who surround them


@dataclass(frozen=True, slots=True)
class Draw:
    """Who fights in one episode and where: type names as the challenge writes them, places f[n, 2] in cells."""

    allies: Names
    enemies: Names
    ally_places: np.ndarray
    enemy_places: np.ndarray


def draw(config: Mapping[str, Any], rng: np.random.Generator) -> Draw:
    """One episode's teams. TrainError for a distribution that is not known here or lacks a part."""
    count, foes = int(config["n_units"]), int(config["n_enemies"])
    try:
        team, start = config["team_gen"], config["start_positions"]
        allies, enemies = _known(TEAMS, team)(team, count, foes, rng)
        size = np.array([start.get("map_x", arenas.SIDE), start.get("map_y", arenas.SIDE)], float)
        return Draw(allies, enemies, *_known(PLACES, start)(start, size, count, foes, rng))
    except KeyError as missing:
        raise TrainError(f"the capability config lacks {missing}") from None


def _known(table: Mapping[str, Callable[..., Any]], config: Mapping[str, Any]) -> Callable[..., Any]:
    name = config["dist_type"]
    if name not in table:
        raise TrainError(f"no distribution {name!r}; there are: {', '.join(table)}")
    return table[name]


# -- teams ------------------------------------------------------------------------------------------------------------
def _mixed(config: Mapping[str, Any], team: Callable[[], Names]) -> Names:
    """A team that is not made of exceptions (Medivacs) alone."""
    alone = set(config.get("exception_unit_types", ()))
    while set(found := team()) <= alone:
        pass
    return found


def weighted(config: Mapping[str, Any], count: int, foes: int, rng: np.random.Generator) -> tuple[Names, Names]:
    """Every unit's type by the weights; the enemies are the same ones, and further ones where they are more."""

    def some(number: int) -> Names:
        return _mixed(config, lambda: rng.choice(config["unit_types"], number, p=config["weights"]).tolist())

    allies = some(count)
    return allies, (allies + some(foes - count) if foes > count else allies[:foes])


def every(config: Mapping[str, Any], count: int, foes: int, rng: np.random.Generator) -> tuple[Names, Names]:
    """Any combination of types, all equally often; the enemies are the same ones."""
    teams = list(combinations_with_replacement(config["unit_types"], count))
    allies = _mixed(config, lambda: list(teams[rng.integers(len(teams))]))
    return allies, allies[:foes]


def fixed(config: Mapping[str, Any], count: int, foes: int, rng: np.random.Generator) -> tuple[Names, Names]:
    """One of the teams that are given; the enemies are the same ones."""
    allies = list(config["items"][rng.integers(len(config["items"]))])
    return allies, allies[:foes]


# -- places -----------------------------------------------------------------------------------------------------------
Places = tuple[np.ndarray, np.ndarray]


def reflected(config: Mapping[str, Any], size: np.ndarray, count: int, foes: int, rng: np.random.Generator) -> Places:
    """Agents anywhere in the left half, enemies mirrored; those who are more anywhere in the right half."""
    allies = rng.uniform((0, 0), (size[0] / 2 - 1, size[1]), (count, 2))
    mirrored = np.stack([size[0] - allies[:, 0], allies[:, 1]], axis=1)
    more = rng.uniform((size[0] / 2, 0), size, (max(foes - count, 0), 2))
    return allies, np.concatenate([mirrored[:foes], more])


def surrounded(config: Mapping[str, Any], size: np.ndarray, count: int, foes: int, rng: np.random.Generator) -> Places:
    """Agents in the middle, enemies in one to four groups somewhere on the ways to the corners."""
    groups = int(rng.integers(1, len(CORNERS) + 1))
    members = rng.multinomial(foes, np.full(groups, 1 / groups))
    ways = CORNERS[rng.permutation(len(CORNERS))[:groups]]
    inward = rng.uniform(size=(groups, 1))
    places = size / 2 + ways * (inward * APART + (1 - inward) * size / 2)
    return np.tile(size / 2, (count, 1)), np.repeat(places, members, axis=0)


def either(config: Mapping[str, Any], size: np.ndarray, count: int, foes: int, rng: np.random.Generator) -> Places:
    """Mirrored with a probability of `p`, else surrounded."""
    way = surrounded if rng.random() > config["p"] else reflected
    return way(config, size, count, foes, rng)


TEAMS: dict[str, Callable[..., tuple[Names, Names]]] = {"weighted_teams": weighted, "all_teams": every, "fixed": fixed}
PLACES: dict[str, Callable[..., Places]] = {
    "reflect_position": reflected,
    "surrounded": surrounded,
    "surrounded_and_reflect": either,
}


class TeamField(Field):
    """The challenge's empty field, on which each episode makes its own teams."""

    def __init__(self, info: MapInfo, seed: int, patch: str, difficulty: int, config: Mapping[str, Any]) -> None:
        self.config, self.rng = config, np.random.default_rng(seed)
        super().__init__(info, seed, patch, difficulty)

    def new_game(self) -> None:
        """A new game from its first loop, with its first teams."""
        super().new_game()
        self.raise_teams()

    def restart(self) -> None:
        """Everybody dies, and new teams come."""
        for player in (AGENTS, ENEMIES):
            for slot in self.game.owned(player):
                self.game.kill(slot)
        self.game.step()
        self.raise_teams()

    def raise_teams(self) -> None:
        """Makes the units of one draw; each stands in the nearest room to its place."""
        drawn, facts = draw(self.config, self.rng), self.game.facts
        by_name = {name.lower(): name for name in self.info.columns}
        names = [by_name[name] for name in (*drawn.allies, *drawn.enemies)]
        places = np.concatenate([drawn.ally_places, drawn.enemy_places])
        kinds = [facts.types[facts.ids[name]] for name in names]
        for flying in (0, 1):  # fliers and ground units do not stand in each other's way
            chosen = [k for k, kind in enumerate(kinds) if kind["flying"] == flying]
            walkable = self.info.arena.terrain.walkable
            ground = np.ones_like(walkable) if flying else walkable
            points = [(*places[k].tolist(), float(kinds[k]["separation"])) for k in chosen]
            for k, (x, y) in zip(chosen, spread(points, ground), strict=True):
                ours = k < len(drawn.allies)
                kind = facts.ids[names[k] + SUFFIX * ours]
                self.game.spawn(kind, AGENTS if ours else ENEMIES, x, y)
        self.game.step()
