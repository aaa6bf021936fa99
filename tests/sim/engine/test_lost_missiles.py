"""Missiles on their way are lost when their weapon could not be aimed at the target any more."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import ATTACK, BURROWED, CLOAKED, DETECTED, DISARMED, FLYING, INSIDE, INVULNERABLE, REVEALED
from tests.sim.engine.worlds import arena, order, put, step
from tests.sim.melee.field import give
from tests.sim.melee.field import order as command
from tests.sim.melee.protoss_world import enemy, protoss, research


@pytest.mark.parametrize(
    ("flags", "owner", "hits"),
    [
        (0, 2, True),
        (BURROWED, 2, False),
        (CLOAKED, 2, False),
        (CLOAKED | REVEALED, 2, True),
        (CLOAKED, 1, True),  # an own unit is no secret
        (INVULNERABLE, 2, False),
        (FLYING, 2, False),  # lifted: a Marauder cannot shoot up
    ],
)
def test_a_missile_hits_only_whom_its_weapon_could_be_aimed_at(flags: int, owner: int, hits: bool) -> None:
    world = arena()
    world.weapons["missile_speed"][1] = 0.4
    world.weapons["missile_acceleration"][1] = 0
    shooter, victim = put(world, "Marauder", 1, 10, 10), put(world, "Roach", owner, 16, 10)
    order(world, shooter, ATTACK, target=victim)
    step(world, 4)
    assert world.missiles["alive"].sum() == 1
    world.units["cooldown"][shooter] = 500  # no second shot
    world.units["flags"][victim] |= flags
    step(world, 20)
    assert world.missiles["alive"].sum() == 0
    assert (world.units["hp"][victim] < world.units["hp_max"][victim]) == hits


@pytest.mark.parametrize(
    ("detector", "flags", "hits"), [("Raven", 0, True), ("Raven", INSIDE, False), ("Medivac", 0, False)]
)
def test_a_missile_hits_whom_a_detector_sees_hide(detector: str, flags: int, hits: bool) -> None:
    """In the loop in which he hides: nobody is marked as detected before the next look."""
    world = arena()
    world.weapons["missile_speed"][1] = 0.4
    world.weapons["missile_acceleration"][1] = 0
    shooter, victim, eye = (
        put(world, "Marauder", 1, 10, 10),
        put(world, "Roach", 2, 16, 10),
        put(world, detector, 1, 12, 15),
    )
    order(world, shooter, ATTACK, target=victim)
    step(world, 4)
    world.units["cooldown"][shooter] = 500
    world.units["flags"][eye] |= flags
    while world.missiles["alive"].any():
        world.units["flags"][victim] |= CLOAKED
        world.units["flags"][victim] &= ~np.uint32(DETECTED)
        step(world)
    assert (world.units["hp"][victim] < world.units["hp_max"][victim]) == hits


@pytest.mark.parametrize(("cells", "lost"), [(38, False), (42, True)])
def test_a_missile_is_lost_when_its_target_is_carried_off_too_far(cells: float, lost: bool) -> None:
    world = arena(width=80)
    world.weapons["missile_speed"][1] = 0.4
    world.weapons["missile_acceleration"][1] = 0
    shooter, victim = put(world, "Marauder", 1, 10, 10), put(world, "Roach", 2, 16, 10)
    order(world, shooter, ATTACK, target=victim)
    step(world, 4)
    world.units["cooldown"][shooter] = 500
    world.units["x"][victim] = float(world.missiles["x"][0]) + cells
    step(world)
    assert (world.missiles["alive"].sum() == 0) == lost


@pytest.mark.parametrize(
    ("name", "prey", "distance", "hits"),
    [
        ("VikingFighter", "Mutalisk", 14.5, 2),
        ("VikingFighter", "Mutalisk", 15.5, 1),
        ("Banshee", "Roach", 14.5, 2),
        ("MissileTurret", "Mutalisk", 14.5, 2),
        ("Thor", "Mutalisk", 14.5, 4),
        ("Thor", "Mutalisk", 15.5, 1),
    ],
)
def test_a_later_missile_starts_at_who_is_within_fifteen_cells(
    name: str, prey: str, distance: float, hits: int
) -> None:
    """Catalog: RangeCheckLE15, from edge to edge."""
    world = arena()
    shooter, victim = put(world, name, 1, 10, 20), put(world, prey, 2, 14.5, 20)
    world.units["hp"][victim] = world.units["hp_max"][victim] = 1000
    world.types["hp_regen"] = world.types["speed"] = 0
    world.types["armor"] = world.types["attributes"] = 0
    world.units["flags"][victim] |= DISARMED
    order(world, shooter, ATTACK, target=victim)
    while not world.missiles["alive"].any():
        step(world)
    radii = world.types["radius"][1, world.units["type"][[shooter, victim]]]
    world.units["x"][victim] = 10 + radii.sum() + distance
    world.units["cooldown"][shooter] = 500  # no second attack
    step(world, 150)
    each = {"VikingFighter": 10, "Thor": 6}.get(name, 12)
    assert 1000 - float(world.units["hp"][victim]) == hits * each


def test_who_blinks_leaves_missiles_behind() -> None:
    lost = []
    for blinks in (False, True):
        game = protoss()
        research(game, 1, "BlinkTech")
        stalker, foe = give(game, "Stalker", 40.0, 40.0), enemy(game, "Stalker", 45.0, 40.0)
        game.step(2)
        game.weapons["missile_speed"][2] = 0.2
        while not game.state.missiles["alive"].any():
            game.step()
        game.units["cooldown"][foe] = 500
        before = float(game.units["shield"][stalker])
        if blinks:
            assert command(game, stalker, 1442, (36.0, 40.0)) == 1
        game.step(40)
        lost.append(before - float(game.units["shield"][stalker]))
    assert lost[0] > 0
    assert lost[1] == 0
