"""Chooses the place of the next structure among the planned slots, and remembers which ones failed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND, Base, Knowledge
from bot.knowledge.terrain import Site, Terrain
from bot.macro.grid import cells, disc, fits, lane
from bot.macro.layout import KIND_OF, Kind, Layout, plan_layout

BAD_FOR = 40 * LOOPS_PER_SECOND
"""A place that was refused is left alone for so many loops: a unit or creep may have been in the way."""
BUNKER_AHEAD = 6.0
"""Cells in front of a town hall at which its bunker stands."""
HALF_SIZE: dict[UnitTypeId, float] = {
    UnitTypeId.SUPPLYDEPOT: 1.0,
    UnitTypeId.SUPPLYDEPOTLOWERED: 1.0,
    UnitTypeId.MISSILETURRET: 1.0,
    UnitTypeId.SENSORTOWER: 0.5,
    UnitTypeId.COMMANDCENTER: 2.5,
    UnitTypeId.ORBITALCOMMAND: 2.5,
    UnitTypeId.PLANETARYFORTRESS: 2.5,
    UnitTypeId.AUTOTURRET: 1.0,
}
"""Half the width of our structures in cells; 1.5 for all others, add-ons 1."""


class Placement:
    """Places for our structures, base by base. Layouts are made when a base first needs one."""

    def __init__(self, terrain: Terrain) -> None:
        self._terrain = terrain
        self._config = load("placement")
        self._layouts: dict[Point2, Layout] = {}
        self._taken = np.zeros(terrain.shape, dtype=bool)
        self._bad: dict[Point2, float] = {}

    def prepare(self, sites: Iterable[Site]) -> None:
        """Make the layouts of these sites now, in order: they cost tens of milliseconds each."""
        for site in sites:
            self.layout(site)

    def mark_bad(self, point: Point2, loop: int) -> None:
        """This place was refused; try others for a while."""
        self._bad[point] = loop + BAD_FOR

    def is_bad(self, point: Point2, loop: int) -> bool:
        """Whether this place was refused lately."""
        return self._bad.get(point, 0.0) > loop

    def layout(self, site: Site) -> Layout:
        """The slots round a site."""
        if site.position not in self._layouts:
            self._layouts[site.position], self._taken = plan_layout(self._terrain, site, self._taken, self._config)
        return self._layouts[site.position]

    def candidates(
        self,
        product: UnitTypeId,
        knowledge: Knowledge,
        reserved: Iterable[tuple[UnitTypeId, Point2]],
        near: Point2 | None = None,
    ) -> list[Point2]:
        """Free places, the best first. `reserved` are structures that were ordered but do not stand yet.

        `near` asks for a special place: a bunker in front of a base, a turret beside this mineral line.
        """
        if product is UnitTypeId.COMMANDCENTER:
            points: Iterable[Point2] = self._sites(knowledge)
        elif near is not None:
            points = self._near(product, near, knowledge)
        else:
            points = self._slots(product, knowledge)
        boxes = [_box(p.position, _half(p.type_id, p.name)) for p in knowledge.own.structures]
        boxes += [_box(place, HALF_SIZE.get(kind, 1.5), _room(kind)) for kind, place in reserved]
        loop = knowledge.loop
        return [p for p in points if not self.is_bad(p, loop) and not _overlaps(p, product, boxes)]

    def _slots(self, product: UnitTypeId, knowledge: Knowledge) -> list[Point2]:
        """Slots of our bases, main first; a base under attack comes last."""
        bases = sorted(knowledge.bases, key=lambda base: (knowledge.is_threatened(base), base.site.distance))
        sites = [base.site for base in bases] or [self._terrain.sites[0]]
        points = [point for site in sites for point in self.layout(site).of(product)]
        if not points:
            points = [p for site in sites for p in self._near(product, site.position, knowledge)]
        if KIND_OF.get(product) is Kind.TECH:
            points += [point for site in sites for point in self.layout(site).slots[Kind.PRODUCTION]][::-1]
        return points

    def _sites(self, knowledge: Knowledge) -> list[Point2]:
        """Town hall places that are neither ours nor the enemy's and that one can walk to, the nearest first."""
        enemies = [*knowledge.enemy.bases, *self._terrain.enemy_starts]
        threats = [unit.position for unit in knowledge.enemy.units if knowledge.facts[unit.type_id].is_fighter]
        return [
            site.position
            for site in self._terrain.sites
            if site.minerals
            and math.isfinite(self._terrain.from_start.to(site.position))
            and all(site.position.distance_to(p) > 8 for p in enemies)
            and all(site.position.distance_to(p) > 12 for p in threats)
        ]

    def _near(self, product: UnitTypeId, near: Point2, knowledge: Knowledge) -> list[Point2]:
        """Places round a point that block no mining lane, nearest first."""
        width, height = KIND_OF[product].value
        terrain = self._terrain
        free = terrain.buildable & disc(terrain.shape, near.x, near.y, 8.0) & ~self._taken
        for base in knowledge.bases:
            if base.site.position.distance_to(near) < 20:
                free &= ~_mining_lanes(terrain.shape, base)
        ys, xs = np.nonzero(fits(free, width, height))
        points = [Point2((x + width / 2, y + height / 2)) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]
        return sorted(points, key=near.distance_to)[:40]


def _mining_lanes(shape: tuple[int, int], base: Base) -> np.ndarray:
    """Where workers walk, and the town hall itself, narrower than slots keep it: a turret may stand close by."""
    site = base.site
    mask = np.zeros(shape, dtype=bool)
    mask[cells(site.position.x, site.position.y, 7, 7)] = True
    for point in (*site.minerals, *site.geysers):
        mask |= lane(shape, site.position, point, 1.2)
    for point in site.minerals:
        mask[cells(point.x, point.y, 2, 1)] = True
    for point in site.geysers:
        mask[cells(point.x, point.y, 3, 3)] = True
    return mask


def turret_spot(base: Base) -> Point2:
    """Beside the mineral line, between it and the town hall's back, where turrets guard the workers."""
    return base.site.position.towards(base.site.mineral_centre, 5.0)


def bunker_spot(base: Base, terrain: Terrain) -> Point2:
    """In front of a base, on the way the enemy comes."""
    return Point2(terrain.from_enemy.towards_source(base.site.position, BUNKER_AHEAD))


def _half(kind: UnitTypeId, name: str) -> float:
    if kind in HALF_SIZE:
        return HALF_SIZE[kind]
    return 1.0 if name.endswith(("TechLab", "Reactor")) else 1.5


def _room(kind: UnitTypeId) -> float:
    """Cells to the right of a structure that belong to its add-on."""
    return 2.0 if KIND_OF.get(kind) is Kind.PRODUCTION else 0.0


def _box(place: Point2, half: float, room: float = 0.0) -> tuple[float, float, float, float]:
    """(left, right, low, high) of a structure."""
    return place.x - half, place.x + half + room, place.y - half, place.y + half


def _overlaps(point: Point2, product: UnitTypeId, boxes: Sequence[tuple[float, float, float, float]]) -> bool:
    """Whether a structure here would overlap one of the boxes; the room of its add-on is part of it."""
    left, right, low, high = _box(point, HALF_SIZE.get(product, 1.5), _room(product))
    return any(left < x1 and x0 < right and low < y1 and y0 < high for x0, x1, y0, y1 in boxes)
