"""Where each kind of structure goes: slots computed from the terrain before the first one is built.

Slots never overlap one another, town hall sites, mining lanes, ramps or the way out of the base, and production slots
keep the room of their add-on; so no structure can block another, whatever is built in whatever order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2

from bot.knowledge.terrain import Site, Terrain
from bot.macro.grid import cells, disc, fits, inflate, lane, large_parts, reachable, wide


class Kind(Enum):
    """Sorts of slots: (cells wide, cells high) of what is reserved."""

    PRODUCTION = (5, 3)
    TECH = (3, 3)
    DEPOT = (2, 2)


KIND_OF: Mapping[UnitTypeId, Kind] = {
    UnitTypeId.BARRACKS: Kind.PRODUCTION,
    UnitTypeId.FACTORY: Kind.PRODUCTION,
    UnitTypeId.STARPORT: Kind.PRODUCTION,
    UnitTypeId.ENGINEERINGBAY: Kind.TECH,
    UnitTypeId.ARMORY: Kind.TECH,
    UnitTypeId.FUSIONCORE: Kind.TECH,
    UnitTypeId.GHOSTACADEMY: Kind.TECH,
    UnitTypeId.BUNKER: Kind.TECH,
    UnitTypeId.SUPPLYDEPOT: Kind.DEPOT,
    UnitTypeId.MISSILETURRET: Kind.DEPOT,
    UnitTypeId.SENSORTOWER: Kind.DEPOT,
}
SAME_LEVEL = 1.0
"""Cells of height: slots of a base lie on its own level."""
VIEW = 36
"""Cells to each side of a town hall within which its slots lie, and the ground that they could close off."""
POCKET = 6
"""Fewer cells than this may be closed off by slots: nobody walks there."""
ROUNDS = 4
"""How often slots at the edges are looked for again where some would close ground off."""
RAMP_CELLS = 12
"""Fewer walkable but unbuildable cells in one piece are decoration, not a ramp."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Slot centres of one base by kind, the preferred first."""

    slots: Mapping[Kind, tuple[Point2, ...]]

    def of(self, product: UnitTypeId) -> tuple[Point2, ...]:
        """Slots for a structure of this type; none for those that stand elsewhere (town halls, refineries, add-ons)."""
        kind = KIND_OF.get(product)
        return self.slots.get(kind, ()) if kind else ()


def plan_layout(
    terrain: Terrain, site: Site, taken: np.ndarray, config: Mapping[str, Any]
) -> tuple[Layout, np.ndarray]:
    """Slots round one site, and the grid of cells taken (bool [h, w]) with theirs added.

    `taken` holds the cells of other bases' slots. `config` is `placement.toml`.
    """
    allowed = buildable_region(terrain, site, config) & ~taken
    slots: dict[Kind, tuple[Point2, ...]] = {}
    free = allowed
    for kind in (Kind.PRODUCTION, Kind.TECH, Kind.DEPOT):
        if kind is Kind.PRODUCTION:
            points = _keep_open(terrain, site, _production_slots(site, free, config["production"]), kind, taken)
        else:
            points = _open_edge_slots(terrain, site, free, kind, config[kind.name.lower()]["most"], taken)
        slots[kind] = points
        covered = _covered(terrain.shape, points, kind)
        taken = taken | covered
        # One cell of lane beside production stays clear of smaller structures.
        free = free & ~inflate(covered, 1 if kind is Kind.PRODUCTION else 0)
    return Layout(slots), taken


def buildable_region(terrain: Terrain, site: Site, config: Mapping[str, Any]) -> np.ndarray:
    """Cells round a site on which slots may lie: its level, in reach, outside of every lane."""
    lanes = config["lanes"]
    shape = terrain.shape
    x, y = site.position
    level = terrain.height[int(y), int(x)]
    region = terrain.buildable & (np.abs(terrain.height - level) < SAME_LEVEL)
    region &= disc(shape, x, y, config["production"]["reach"])
    x0, y0, x1, y1 = terrain.playable
    inside = np.zeros(shape, dtype=bool)
    inside[y0 + 1 : y1 - 1, x0 + 1 : x1 - 1] = True
    region &= inside
    ramps = large_parts(terrain.walkable & ~terrain.buildable, RAMP_CELLS)
    region &= ~inflate(ramps, lanes["ramp"])
    for other in terrain.sites:
        if other.position.distance_to(site.position) < 2 * config["production"]["reach"]:
            # A neighbour's way out may cross this base: soldiers of both walk it.
            region &= ~_site_lanes(shape, other, lanes) & ~_way_out(terrain, other, lanes["path"])
    return region


def _site_lanes(shape: tuple[int, int], site: Site, lanes: Mapping[str, float]) -> np.ndarray:
    """The town hall with its ring, the resources, and the lanes between them."""
    x, y = site.position
    mask = np.zeros(shape, dtype=bool)
    ring = int(lanes["townhall"])
    mask[cells(x, y, 5 + 2 * ring, 5 + 2 * ring)] = True
    for point in site.minerals:
        mask |= lane(shape, site.position, point, lanes["mining"])
        mask[cells(point[0], point[1], 2, 1)] = True
    for point in site.geysers:
        mask |= lane(shape, site.position, point, lanes["mining"])
        mask[cells(point[0], point[1], 3, 3)] = True
    return mask


def _way_out(terrain: Terrain, site: Site, half_width: float) -> np.ndarray:
    """A lane along the shortest way from the site towards the enemy, as far as slots may lie."""
    mask = np.zeros(terrain.shape, dtype=bool)
    here = terrain.from_enemy.towards_source(site.position, 4.0)
    mask |= lane(terrain.shape, site.position, here, half_width)
    for _ in range(9):
        ahead = terrain.from_enemy.towards_source(here, 4.0)
        if ahead == here:
            break
        mask |= lane(terrain.shape, here, ahead, half_width)
        here = ahead
    return mask


def _production_slots(site: Site, allowed: np.ndarray, config: Mapping[str, int]) -> tuple[Point2, ...]:
    """The regular pattern of columns with lanes between, shifted to where most slots fit."""
    width, height = Kind.PRODUCTION.value
    room = fits(allowed, width, height)
    period_x = config["pitch_x"]
    period_y = height * config["stack"] + config["stack_gap"]
    rows = np.array([height * i for i in range(config["stack"])])
    most, chosen = 0, np.zeros_like(room)
    for shift_y in range(period_y):
        in_rows = np.isin((np.arange(room.shape[0]) - shift_y) % period_y, rows)
        for shift_x in range(period_x):
            pattern = np.s_[in_rows, shift_x::period_x]
            count = np.count_nonzero(room[pattern])
            if count > most:
                most, chosen = count, np.zeros_like(room)
                chosen[pattern] = room[pattern]
    points = [Point2((x + 1.5, y + 1.5)) for y, x in np.argwhere(chosen).tolist()]
    return tuple(sorted(points, key=site.position.distance_to)[: config["most"]])


def _keep_open(
    terrain: Terrain, site: Site, points: Sequence[Point2], kind: Kind, taken: np.ndarray
) -> tuple[Point2, ...]:
    """The slots without those that would close off ground, or be closed off themselves, once everything is built.

    `taken` are the cells of all other slots. The far ones are given up first.
    """
    kept = list(points)
    window = _window(site)
    corner = Point2((window[1].start, window[0].start))
    walkable, others = terrain.walkable[window], taken[window]
    outside = Point2(terrain.from_enemy.towards_source(site.position, 8.0)) - corner
    before, before_wide = reachable(walkable, *outside), reachable(wide(walkable), *outside)
    while kept:
        own = [point - corner for point in kept]
        filled = others | _covered(walkable.shape, own, kind)
        ground = reachable(walkable & ~filled, *outside)
        cut_off = inflate(large_parts(before & ~filled & ~ground, POCKET), 1)
        # Finished depots are lowered: they bar nobody's way to the next one.
        barred = others if kind is Kind.DEPOT else filled
        passages = wide(walkable & ~barred)
        passed = reachable(passages, *outside)
        cut_off |= inflate(large_parts(before_wide & passages & ~passed, POCKET), 1)  # tanks would be walled in there
        beside = inflate(passed, 1)
        bad = [
            point
            for point, place in zip(kept, own, strict=True)
            if cut_off[_rectangle(place, kind)].any() or not beside[_rectangle(place, kind)].any()
        ]
        if not bad:
            break
        kept.remove(max(bad, key=site.position.distance_to))
    return tuple(kept)


def _window(site: Site) -> tuple[slice, slice]:
    """Rows and columns round a site that hold all its slots: small grids are quick to search."""
    x, y = int(site.position.x), int(site.position.y)
    return slice(max(0, y - VIEW), y + VIEW + 1), slice(max(0, x - VIEW), x + VIEW + 1)


def _open_edge_slots(
    terrain: Terrain, site: Site, free: np.ndarray, kind: Kind, most: int, taken: np.ndarray
) -> tuple[Point2, ...]:
    """Slots at the edges that close nothing off; instead of those that would, the next best."""
    points: tuple[Point2, ...] = ()
    for _ in range(ROUNDS):
        offered = _edge_slots(terrain, site, free, kind, most - len(points))
        points = _keep_open(terrain, site, (*points, *offered), kind, taken)
        free = free & ~_covered(terrain.shape, offered, kind)
        if not offered or len(points) == most:
            break
    return points


def _edge_slots(terrain: Terrain, site: Site, free: np.ndarray, kind: Kind, most: int) -> tuple[Point2, ...]:
    """Slots along cliffs, map borders and the backs of mineral lines: where nobody walks."""
    width, height = kind.value
    room = fits(free, width, height)
    wall = inflate(~terrain.walkable, 1)
    ys, xs = np.nonzero(room)
    top, right = ys + height - 1, xs + width - 1
    touching = wall[ys, xs].astype(int) + wall[top, xs] + wall[ys, right] + wall[top, right]
    far = np.hypot(xs - site.position.x, ys - site.position.y)
    # Three cells of distance are as good as one more side at the wall: near enough to be guarded, yet out of the way.
    order = np.argsort(far / 3.0 - 2.0 * touching, kind="stable")
    return _greedy(free, [(int(xs[i]), int(ys[i])) for i in order], kind, most)


def _greedy(free: np.ndarray, corners: Sequence[tuple[int, int]], kind: Kind, most: int) -> tuple[Point2, ...]:
    """Take lower left corners in order as long as their rectangle is still free."""
    width, height = kind.value
    left = free.copy()
    chosen = []
    for x, y in corners:
        if len(chosen) == most:
            break
        if left[y : y + height, x : x + width].all():
            left[y : y + height, x : x + width] = False
            chosen.append(Point2((x + width / 2.0, y + height / 2.0)))
    return tuple(chosen)


def _rectangle(point: Point2, kind: Kind) -> tuple[slice, slice]:
    """Rows and columns of a slot; a production slot's centre is that of the structure, its add-on lies to the right."""
    width, height = kind.value
    return cells(point.x + (width - 3) / 2 if kind is Kind.PRODUCTION else point.x, point.y, width, height)


def _covered(shape: tuple[int, int], points: Sequence[Point2], kind: Kind) -> np.ndarray:
    mask = np.zeros(shape, dtype=bool)
    for point in points:
        mask[_rectangle(point, kind)] = True
    return mask
