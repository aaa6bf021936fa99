"""Where the computer puts its structures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sim.computer import economy, room
from sim.melee import placement, protoss_power
from sim.melee.moving import walking_distance
from sim.melee.records import Result

if TYPE_CHECKING:
    from sim.computer.catalog import Recipe
    from sim.computer.computer import Computer
    from sim.computer.view import View

RING = (5.0, 13.0)  # structures stand between these distances from their town hall
CREEP_RING = (4.5, 10.0)
POWER_RING = (2.5, 6.0)  # from a structure to the pylon that powers it
STEP = 2.0  # spacing of the candidates
ADDON_SIDE = 2  # cells
MINERAL_LINE = 3.2  # distance kept from resources, and from the way to them
ROOMY = 12  # of the candidates within its power, so many have to be free round a source of power


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
    anchors = [near] if near else [view.place(int(slot)) for slot in places]
    ring = CREEP_RING if computer.on_creep else RING
    ring = POWER_RING if near and recipe.name in protoss_power.RADIUS else ring
    for fits in (room.roomy, room.passable):
        for anchor in anchors[:3]:
            spot = _round(computer, view, recipe, anchor, ring, fits)
            if spot is not None:
                return spot[0], spot[1], -1
    return None


def _round(
    computer: Computer,
    view: View,
    recipe: Recipe,
    anchor: tuple[float, float],
    ring: tuple[float, float],
    fits: Callable[[Computer, int, float, float], bool],
) -> tuple[float, float] | None:
    """A free place in the ring round an anchor that `fits`."""
    units = view.units
    steps = np.arange(-ring[1], ring[1] + 0.1, STEP)
    grid_x, grid_y = (part.ravel() for part in np.meshgrid(steps, steps))
    far = np.hypot(grid_x, grid_y)
    good = (far >= ring[0]) & (far <= ring[1])
    grid_x, grid_y = grid_x[good] + anchor[0], grid_y[good] + anchor[1]
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
    if not len(grid_x):
        return None
    order = computer.rng.permutation(len(grid_x))
    if recipe.name in protoss_power.RADIUS:
        # Behind the mineral line nothing else would fit into its power.
        free_round = _free_round(computer, grid_x, grid_y, protoss_power.RADIUS[recipe.name])
        order = order[np.argsort(-np.minimum(free_round[order], ROOMY), kind="stable")]
    addon = computer.addon_room.get(recipe.product)
    for index in order:
        x, y = placement.snap(computer.game, recipe.product, float(grid_x[index]), float(grid_y[index]))
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


def _free_round(computer: Computer, x: np.ndarray, y: np.ndarray, radius: float) -> np.ndarray:
    """For each place, how many of them within the radius have room for a structure of three cells; int [n]."""
    place = computer.game.place
    height, width = place.shape
    rows, columns = np.clip(y.astype(int), 1, height - 2), np.clip(x.astype(int), 1, width - 2)
    free = np.ones(len(x), bool)
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            free &= place[rows + row, columns + column] == 1
    near = np.hypot(x[:, None] - x[None, :], y[:, None] - y[None, :]) < radius
    return (near & free[None, :]).sum(axis=1)
