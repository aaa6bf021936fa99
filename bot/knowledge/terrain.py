"""The map as arrays, and where town halls belong on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from loguru import logger
from sc2.position import Point2

from bot.knowledge.facts import in_order
from bot.knowledge.paths import Paths, grid_graph
from bot.knowledge.sites import ResourceGroup, find_sites

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

OWN_MAIN = 5.0
"""A site whose town hall place is this close to where a player began is its main (cells)."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place for a town hall with its resources."""

    position: Point2
    minerals: tuple[Point2, ...]
    geysers: tuple[Point2, ...]
    distance: float = math.inf
    """Walking distance from our start (the air distance and a penalty where no way is known)."""
    enemy_distance: float = math.inf
    """The same from the enemy's start."""

    @property
    def mineral_centre(self) -> Point2:
        if not self.minerals:
            return self.position
        count = len(self.minerals)
        return Point2((sum(p.x for p in self.minerals) / count, sum(p.y for p in self.minerals) / count))


@dataclass(frozen=True, slots=True)
class Terrain:
    """Everything about the map that stays as it is. Grids are [height, width], row 0 at the bottom."""

    shape: tuple[int, int]
    playable: tuple[int, int, int, int]
    """x0, y0, x1, y1 of the playable area."""
    walkable: np.ndarray
    """bool: at the start of the game, our first town hall's own cells counted as walkable."""
    buildable: np.ndarray
    """bool: the ground allows structures (rocks do not)."""
    height: np.ndarray
    """float: height in cells."""
    start: Point2
    enemy_starts: tuple[Point2, ...]
    sites: tuple[Site, ...]
    """All town hall sites, nearest to our start first; the first is our own main."""
    from_start: Paths
    from_enemy: Paths
    """From the first enemy start location."""
    from_natural: Paths
    ramp_top: Point2 | None
    """Of our main."""

    @property
    def natural(self) -> Site:
        """Where our second base belongs (our main on a map of one site)."""
        return self.sites[1] if len(self.sites) > 1 else self.sites[0]

    @property
    def enemy_natural(self) -> Site | None:
        """Where the enemy's second base belongs; None where it may have started in several places."""
        if len(self.enemy_starts) != 1:
            return None
        start = self.enemy_starts[0]
        theirs = (site for site in self.sites if site.minerals and site.enemy_distance < site.distance)
        away = (site for site in theirs if site.position.distance_to(start) > OWN_MAIN)
        return min(away, key=lambda site: site.enemy_distance, default=None)

    def site_at(self, point: tuple[float, float], radius: float = 4.0) -> Site | None:
        """The site whose town hall place is at this point, or None."""
        near = min(self.sites, key=lambda site: site.position.distance_to(Point2(point)), default=None)
        return near if near is not None and near.position.distance_to(Point2(point)) <= radius else None

    def inside(self, point: tuple[float, float], margin: float = 0.0) -> bool:
        """Whether the point lies in the playable area, `margin` cells or more from its edge."""
        x0, y0, x1, y1 = self.playable
        return x0 + margin <= point[0] < x1 - margin and y0 + margin <= point[1] < y1 - margin

    def is_level(self, point: tuple[float, float], radius: float) -> bool:
        """Whether all ground so near can be built on, so that no ramp is there."""
        x, y, reach = int(point[0]), int(point[1]), int(radius)
        window = np.s_[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        return bool((self.buildable[window] | ~self.walkable[window]).all())

    def clamp(self, point: tuple[float, float], margin: float = 1.0) -> Point2:
        """The nearest point inside the playable area."""
        x0, y0, x1, y1 = self.playable
        return Point2((min(max(point[0], x0 + margin), x1 - margin), min(max(point[1], y0 + margin), y1 - margin)))


def read_terrain(bot: BotAI) -> Terrain:
    """Read the map at the first step. Costs about a tenth of a second; call once."""
    info = bot.game_info
    walkable = info.pathing_grid.data_numpy.astype(bool)
    buildable = info.placement_grid.data_numpy.astype(bool)
    levels = info.terrain_height.data_numpy
    start = _start(bot)
    _open(walkable, start, 3)
    graph = grid_graph(walkable)
    enemy_starts = tuple(Point2(p) for p in info.start_locations if p.distance_to(start) > 2 * OWN_MAIN)
    from_start = Paths(graph, walkable.shape, start)
    from_enemy = Paths(graph, walkable.shape, enemy_starts[0]) if enemy_starts else from_start
    minerals = [unit.position for unit in in_order(bot.mineral_field) if "450" not in unit.name]
    found = find_sites(minerals, [unit.position for unit in in_order(bot.vespene_geyser)], buildable, levels)
    sites = _sorted_sites(found, start, from_start, from_enemy)
    area = info.playable_area
    return Terrain(
        shape=walkable.shape,
        playable=(area.x, area.y, area.x + area.width, area.y + area.height),
        walkable=walkable,
        buildable=buildable,
        height=(levels.astype(np.float32) - 127.0) / 8.0,
        start=start,
        enemy_starts=enemy_starts,
        sites=sites,
        from_start=from_start,
        from_enemy=from_enemy,
        from_natural=Paths(graph, walkable.shape, sites[min(1, len(sites) - 1)].position),
        ramp_top=_ramp_top(bot),
    )


def _start(bot: BotAI) -> Point2:
    """Our first town hall; without one (the protocol names only the enemy's start) where our units are."""
    if bot.townhalls:
        return bot.townhalls.first.position
    return bot.all_own_units.center if bot.all_own_units else bot.game_info.map_center


def _sorted_sites(found: Sequence[ResourceGroup], start: Point2, own: Paths, enemy: Paths) -> tuple[Site, ...]:
    """Sites with distances, nearest first; our own main first whatever the distances say."""
    result = []
    for group in found:
        ours = group.townhall.distance_to(start) < OWN_MAIN
        place = start if ours else group.townhall
        distance = 0.0 if ours else _walk(own, place)
        result.append(Site(place, group.minerals, group.geysers, distance, _walk(enemy, place)))
    if not any(site.position == start for site in result):
        result.append(Site(start, (), (), 0.0, _walk(enemy, start)))
    return tuple(sorted(result, key=lambda site: site.distance))


def _walk(paths: Paths, point: Point2) -> float:
    distance = paths.to(point)
    return distance if math.isfinite(distance) else 200.0 + 2.0 * math.dist(paths.source, point)


def _open(walkable: np.ndarray, centre: Point2, half: int) -> None:
    """Count the cells under our first town hall as walkable: they are the source of paths."""
    x, y = int(centre.x), int(centre.y)
    walkable[y - half : y + half + 1, x - half : x + half + 1] = True


def _ramp_top(bot: BotAI) -> Point2 | None:
    """The upper end of the ramp of our main, None on a map without one."""
    try:
        return Point2(bot.main_base_ramp.top_center)
    except Exception as error:  # burnysc2 raises various things where a map has no usual ramp
        logger.warning("no main ramp found: {}", error)
        return None
