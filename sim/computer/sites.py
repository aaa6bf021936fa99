"""Where the computer puts its structures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import economy, room
from sim.melee import placement, protoss_power
from sim.melee.lifecycle import ground_height
from sim.melee.moving import walking_distance
from sim.melee.protoss_power import UNEVEN
from sim.melee.records import Result

if TYPE_CHECKING:
    from sim.computer.catalog import Recipe
    from sim.computer.computer import Computer
    from sim.computer.view import View

RING = (5.0, 13.0)  # structures stand between these distances from their town hall
FAR_RING = (13.0, 17.5)  # and here where those are full (real: docs/fidelity/opponents.md)
FAR_STEPS = 30  # by which the ways to the enemy from there and from the town hall differ at most
CREEP_RING = (4.5, 10.0)
POWER_RING = (2.5, 6.0)  # from a structure to the pylon that powers it
HALLS = 3  # that are tried, the oldest first
STEP = 2.0  # spacing of the candidates
ADDON_SIDE = 2  # cells
MINERAL_LINE = 3.2  # distance kept from resources, and from the way to them
FREE_SIDE = 3  # cells of the structures for which power is
ROOMY = 6  # more free candidates in power than without it make a pylon's place as good as any


def geyser(computer: Computer, view: View) -> tuple[float, float, int] | None:
    """A free geyser at an own finished town hall: (x, y, slot)."""
    units = view.units
    known = computer.ground.geyser_slots
    known = known[(units["alive"][known] == 1) & (units["contents"][known] > 0)]
    taken = view.slots[view.sheet.gas_structure[view.type]]
    ordered = {int(computer.game.orders[slot, 0]["target"]) for slot in view.slots[view.product > 0]}
    for hall in view.halls:
        x, y = view.place(int(hall))
        for slot in known[np.hypot(units["x"][known] - x, units["y"][known] - y) < economy.NEAR]:
            at_x, at_y = view.place(int(slot))
            occupied = len(taken) and (np.hypot(units["x"][taken] - at_x, units["y"][taken] - at_y) < 1).any()
            if not occupied and int(slot) not in ordered:
                return at_x, at_y, int(slot)
    return None


def hall(computer: Computer, view: View) -> tuple[float, float, int] | None:
    """The next free base that one can walk to: nobody's town hall stands there, no enemy is seen there."""
    units, sheet = view.units, view.sheet
    own = view.slots[sheet.hall[view.type]]
    enemies = view.enemies
    ability = computer.recipes[computer.names["hall"]].ability
    for index in computer.ground.base_order:
        base = computer.ground.bases[index]
        if len(own) and (np.hypot(units["x"][own] - base.x, units["y"][own] - base.y) < 6).any():
            continue
        if len(enemies) and (np.hypot(units["x"][enemies] - base.x, units["y"][enemies] - base.y) < 12).any():
            continue
        if any(abs(x - base.x) + abs(y - base.y) < 12 for _, x, y in computer.known_structures(view)):
            continue
        if not any(units["alive"][slot] and units["contents"][slot] > 0 for slot in base.minerals):
            continue
        home, there = computer.ground.home, (base.x, base.y)
        if there != home and not walking_distance(computer.game, home, there):
            continue  # behind rocks or a wall of mineral fields
        if placement.can_place(computer.game, computer.player, ability, base.x, base.y) == Result.SUCCESS:
            return base.x, base.y, -1
    return None


def find(
    computer: Computer, view: View, recipe: Recipe, near: tuple[float, float] | None
) -> tuple[float, float, int] | None:
    """A place for a structure: (x, y, -1), or None. `near` is the point it should protect or serve."""
    if view.sheet.hall[recipe.product]:
        return hall(computer, view)
    places = view.halls
    if not len(places):
        return None
    anchors = [near] if near else [view.place(int(slot)) for slot in places[:HALLS]]
    source = recipe.name in protoss_power.RADIUS
    rings = (CREEP_RING,) if computer.on_creep else (POWER_RING,) if near and source else (RING, FAR_RING)
    if source:
        groups = [_places(computer, view, recipe, anchor, ring) for ring in rings for anchor in anchors]
        places = _by_new_room(computer, view, recipe, np.concatenate(groups))
        tries = ((places, fits) for fits in (room.roomy, room.passable))
    else:
        tries = (
            (_places(computer, view, recipe, anchor, ring), fits)
            for ring in rings
            for fits in (room.roomy, room.passable)
            for anchor in anchors
        )
    spots = (_first(computer, recipe, places, fits) for places, fits in tries)
    spot = next((spot for spot in spots if spot is not None), None)
    return (*spot, -1) if spot is not None else None


def _places(
    computer: Computer, view: View, recipe: Recipe, anchor: tuple[float, float], ring: tuple[float, float]
) -> np.ndarray:
    """Candidates in the ring round an anchor by what can be told without a look at each, shuffled; (x, y) [n, 2]."""
    units = view.units
    steps = np.arange(-ring[1], ring[1] + 0.1, STEP)
    grid_x, grid_y = (part.ravel() for part in np.meshgrid(steps, steps))
    far = np.hypot(grid_x, grid_y)
    good = (far >= ring[0]) & (far <= ring[1])
    grid_x, grid_y = grid_x[good] + anchor[0], grid_y[good] + anchor[1]
    if ring == FAR_RING:
        near = _at_the_base(computer, anchor, grid_x, grid_y)
        grid_x, grid_y = grid_x[near], grid_y[near]
    resources = np.concatenate([computer.ground.mineral_slots, computer.ground.geyser_slots])
    resources = resources[np.hypot(units["x"][resources] - anchor[0], units["y"][resources] - anchor[1]) < economy.NEAR]
    if len(resources):
        # Keeps out of the triangle between the town hall and its resources, where the workers walk.
        to_x, to_y = units["x"][resources], units["y"][resources]
        for share in (1.0, 0.66, 0.33):
            line_x, line_y = anchor[0] + (to_x - anchor[0]) * share, anchor[1] + (to_y - anchor[1]) * share
            away = np.hypot(grid_x[:, None] - line_x[None, :], grid_y[:, None] - line_y[None, :]).min(axis=1)
            keep = away > MINERAL_LINE
            grid_x, grid_y = grid_x[keep], grid_y[keep]
    if recipe.product in protoss_power.users(computer.game.patch):
        sources = protoss_power.of(computer.game).sources[computer.player]
        powered = np.zeros(len(grid_x), bool)
        for source in sources:
            powered |= np.hypot(grid_x - source.x, grid_y - source.y) < source.radius - 0.5
        grid_x, grid_y = grid_x[powered], grid_y[powered]
    free = ~_beside_hosts(computer, view, recipe.product, grid_x, grid_y)
    grid_x, grid_y = grid_x[free], grid_y[free]
    order = computer.rng.permutation(len(grid_x))
    return np.stack([grid_x[order], grid_y[order]], axis=1)


def _at_the_base(computer: Computer, anchor: tuple[float, float], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether places in the outer ring round an anchor belong to its base: on its level, not across a gap, not on the
    site of another town hall or among its resources; bool [n]."""
    units, ground = computer.game.units, computer.ground
    height, width = ground.to_enemy.shape
    steps = ground.to_enemy[np.clip(y.astype(int), 0, height - 1), np.clip(x.astype(int), 0, width - 1)]
    keep = np.abs(_heights(computer, x, y) - ground_height(computer.game, *anchor)) < UNEVEN
    keep &= np.abs(steps - ground.steps_from(anchor)) < FAR_STEPS
    for base in ground.bases:
        resources = list(base.minerals + base.geysers)
        keep &= np.hypot(x - base.x, y - base.y) >= RING[0]
        for share in (1.0, 0.5):
            line_x = base.x + (units["x"][resources] - base.x) * share
            line_y = base.y + (units["y"][resources] - base.y) * share
            keep &= (np.hypot(x[:, None] - line_x, y[:, None] - line_y) > MINERAL_LINE).all(axis=1)
    return keep


def _first(
    computer: Computer, recipe: Recipe, group: np.ndarray, fits: Callable[[Computer, int, float, float], bool]
) -> tuple[float, float] | None:
    """The first of the places (x, y) [n, 2], snapped, at which the structure may stand and that `fits`."""
    addon = computer.addon_room.get(recipe.product)
    for place in group:
        x, y = placement.snap(computer.game, recipe.product, float(place[0]), float(place[1]))
        if placement.can_place(computer.game, computer.player, recipe.ability, x, y) != Result.SUCCESS:
            continue
        beside = x + placement.ADDON_X, y + placement.ADDON_Y
        if addon and placement.site_free(computer.game, computer.player, addon, *beside) != Result.SUCCESS:
            continue
        if fits(computer, recipe.product, x, y):
            return x, y
    return None


def _beside_hosts(computer: Computer, view: View, product: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether a structure there would cover the room that an own one still needs for its add-on; bool [n]."""
    units = view.units
    hosts = view.slots[np.isin(view.type, list(computer.addon_room)) & (units["addon"][view.slots] < 0)]
    apart = (placement.side_of(computer.game, product) + ADDON_SIDE) / 2 + 0.5  # a site snaps by so much
    near_x = np.abs(x[:, None] - units["x"][hosts] - placement.ADDON_X) < apart
    near_y = np.abs(y[:, None] - units["y"][hosts] - placement.ADDON_Y) < apart
    return (near_x & near_y).any(axis=1)


def _by_new_room(computer: Computer, view: View, recipe: Recipe, places: np.ndarray) -> np.ndarray:
    """The places (x, y) [n, 2] for a source of power: first those with which much more free ground is in power, of
    these the first. Elsewhere it would power only what others do, or nothing free, and take up what is left."""
    x, y = places[:, 0], places[:, 1]
    radius, height = protoss_power.RADIUS[recipe.name], _heights(computer, x, y)
    free = _free(computer, x, y)
    dark = free.copy()
    for slot in view.slots[view.mask(recipe.product)]:  # those going up too
        at_x, at_y = view.place(int(slot))
        top = ground_height(computer.game, at_x, at_y) + UNEVEN
        dark &= (np.hypot(x - at_x, y - at_y) >= radius) | (height > top)
    near = np.hypot(x[:, None] - x[dark], y[:, None] - y[dark]) < radius
    opened = (near & (height[dark] <= height[:, None] + UNEVEN)).sum(axis=1)
    apart = (placement.side_of(computer.game, recipe.product) + FREE_SIDE) / 2
    taken = (np.abs(x[:, None] - x[free]) < apart) & (np.abs(y[:, None] - y[free]) < apart)
    return places[np.argsort(-np.minimum(opened - taken.sum(axis=1), ROOMY), kind="stable")]


def _heights(computer: Computer, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Height of the ground at each place; f8 [n]."""
    return np.array([ground_height(computer.game, *place) for place in zip(x, y, strict=True)])


def _free(computer: Computer, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Whether each place has room for a structure of three cells; bool [n]."""
    place = computer.game.place
    height, width = place.shape
    rows, columns = np.clip(y.astype(int), 1, height - 2), np.clip(x.astype(int), 1, width - 2)
    free = np.ones(len(x), bool)
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            free &= place[rows + row, columns + column] == 1
    return free
