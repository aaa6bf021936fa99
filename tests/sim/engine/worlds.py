"""Small worlds for tests of the kernel: flat or walled ground, a few units, orders as a player would give them."""

from __future__ import annotations

import functools

import numpy as np

from sim.engine import state
from sim.engine.step import step_world
from sim.engine.world import World, new_world, put_unit
from sim.facts import Facts, load


@functools.cache
def facts() -> Facts:
    """Facts of the newest patch."""
    return load("5.0.14")


def arena(width: int = 40, height: int = 40, slots: int = 64, seed: int = 1, walk: np.ndarray | None = None) -> World:
    """A flat world without units in which both players see everything; `walk` replaces the ground."""
    ground = np.ones((height, width), np.uint8) if walk is None else walk
    known = facts()
    world = new_world(
        slots,
        ground,
        np.full(ground.shape, 191, np.uint8),
        np.stack([known.types] * state.PLAYERS),
        np.stack([known.weapons] * state.PLAYERS),
        seed=seed,
    )
    world.visibility[1:] = 2
    return world


def put(world: World, name: str, owner: int, x: float, y: float, facing: float = 0.0) -> int:
    """Place a unit in the next free slot and return the slot."""
    slot = int(world.world["slots"][0])
    put_unit(world, slot, facts().ids[name], owner, x, y, facing)
    return slot


def order(world: World, slot: int, verb: int, x: float = 0.0, y: float = 0.0, target: int = -1, **fields) -> None:
    """Replace all orders of a unit by one."""
    world.units["order_count"][slot] = 0
    queue(world, slot, verb, x, y, target, **fields)


def queue(world: World, slot: int, verb: int, x: float = 0.0, y: float = 0.0, target: int = -1, **fields) -> None:
    """Append an order."""
    place = int(world.units["order_count"][slot])
    row = np.zeros((), state.ORDER)
    row["ability"], row["verb"], row["x"], row["y"], row["target"], row["timer"] = 1, verb, x, y, target, -1
    if target >= 0:
        row["target_generation"] = world.units["generation"][target]
    for name, value in fields.items():
        row[name] = value
    world.orders[slot, place] = row
    world.units["order_count"][slot] = place + 1


def step(world: World, loops: int = 1) -> list[tuple[int, int, int, int, float]]:
    """Play loops; returns the events as (loop, kind, unit, other, value), the loop counted as the one played."""
    found = []
    for _ in range(loops):
        world.world["event_count"] = 0
        step_world(world)
        loop = int(world.world["loop"][0])
        for row in world.events[: int(world.world["event_count"][0])]:
            found.append((loop, int(row["kind"]), int(row["unit"]), int(row["other"]), float(row["value"])))
    return found


def steady(world: World, name: str) -> None:
    """Take chance out of a type's weapons: cooldowns are the period exactly."""
    for row in facts().types["weapons"][facts().ids[name]]:
        if row >= 0:
            world.weapons["random_min"][:, row] = world.weapons["random_max"][:, row] = 0


def place(world: World, slot: int) -> tuple[float, float]:
    """Where a unit is."""
    return float(world.units["x"][slot]), float(world.units["y"][slot])


def walk_home(world: World, slots: list[int], limit: int = 3000) -> int:
    """Loops until none of the units has an order left."""
    for loop in range(1, limit + 1):
        step(world)
        if not world.units["order_count"][slots].any():
            return loop
    raise AssertionError(f"not arrived after {limit} loops: {[place(world, s) for s in slots]}")
