"""Fog of war: discs, cliffs, what lingers, scans, detection, structures under construction."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import BLINDED, BURROWED, DETECTED, INSIDE, MOVE, TALL, UNFINISHED
from sim.engine.vision import see
from sim.engine.world import World
from tests.sim.engine.worlds import arena, facts, order, put, step


def dark(**fields) -> World:
    """An arena that nobody has seen yet."""
    world = arena(**fields)
    world.visibility[:] = 0
    return world


def look(world: World) -> None:
    """Fills the grids."""
    see(world)


def test_a_unit_sees_the_disc_of_its_sight() -> None:
    world = dark()
    put(world, "Marine", 1, 20.5, 20.5)
    look(world)
    rows, columns = np.indices((40, 40)) + 0.5
    inside = np.hypot(columns - 20.5, rows - 20.5) <= 9.5
    assert (world.visibility[1] == np.where(inside, 2, 0)).all()
    assert not world.visibility[2].any()


def test_what_was_seen_stays_known() -> None:
    world = dark(width=60)
    marine = put(world, "Marine", 1, 15, 20)
    order(world, marine, MOVE, 50, 20)
    step(world, 4)
    assert world.visibility[1, 20, 10] == 2
    step(world, 250)
    assert world.visibility[1, 20, 10] == 1
    assert world.visibility[1, 20, 50] == 2


def test_ground_units_do_not_see_up_a_cliff_but_flyers_and_units_above_do() -> None:
    world = dark()
    world.levels[:, 20:] += 16
    low = put(world, "Marine", 1, 17, 20)
    look(world)
    assert world.visibility[1, 20, 15] == 2
    assert world.visibility[1, 20, 22] == 0
    put(world, "Marine", 2, 23, 20)
    look(world)
    assert world.visibility[2, 20, 17] == 2  # from above one sees down
    assert world.units["alive"][low]
    put(world, "Medivac", 1, 16, 20)
    look(world)
    assert world.visibility[1, 20, 22] == 2


def test_a_colossus_sees_up_a_cliff() -> None:
    world = dark()
    world.levels[:, 20:] += 16
    colossus = put(world, "Colossus", 1, 17, 20)
    world.units["flags"][colossus] |= TALL
    look(world)
    assert world.visibility[1, 20, 22] == 2


def test_nobody_shoots_up_a_cliff_that_he_cannot_see() -> None:
    world = dark()
    world.levels[:, 20:] += 16
    low, high = put(world, "Marine", 1, 18, 20), put(world, "Marine", 2, 21.5, 20)
    world.types["speed"][:] = 0
    step(world, 40)
    assert world.units["hp"][low] < 45
    assert world.units["hp"][high] == 45


def test_sight_of_the_dead_lingers_and_ends() -> None:
    world = dark()
    marine = put(world, "Marine", 1, 20, 20)
    step(world, 4)
    assert world.visibility[1, 20, 27] == 2
    world.units["hp"][marine] = 0
    step(world, 52)
    assert world.visibility[1, 20, 20] == world.visibility[1, 20, 22] == 2
    assert world.visibility[1, 20, 24] == 1, "three cells round the place where it fell"
    step(world, 16)
    assert world.visibility[1, 20, 20] == 1


def test_a_dead_mine_reveals_more_cells_for_less_time() -> None:
    world = dark()
    mine = put(world, "WidowMine", 1, 20, 20)
    step(world, 4)
    world.units["hp"][mine] = 0
    step(world, 36)
    assert world.visibility[1, 20, 26] == 2
    step(world, 16)
    assert world.visibility[1, 20, 20] == 1


def test_a_scan_sees_everything_and_detects() -> None:
    world = dark()
    world.levels[:, 20:] += 16
    roach = put(world, "Roach", 2, 25, 20)
    world.units["flags"][roach] |= BURROWED
    eye = world.eyes[7:8]
    eye["owner"], eye["flying"], eye["x"], eye["y"], eye["radius"], eye["detect"], eye["left"] = (
        1,
        1,
        22,
        20,
        13,
        13,
        20,
    )
    step(world, 4)
    assert world.visibility[1, 20, 30] == 2
    assert world.units["flags"][roach] & DETECTED
    step(world, 24)
    assert world.visibility[1, 20, 30] == 1
    assert not world.units["flags"][roach] & DETECTED


@pytest.mark.parametrize(
    ("name", "owner", "flags", "detects"),
    [
        ("MissileTurret", 1, 0, True),
        ("MissileTurret", 1, BLINDED, False),
        ("MissileTurret", 1, UNFINISHED, False),
        ("Raven", 1, BLINDED, True),
        ("Raven", 1, INSIDE, False),
        ("Marine", 1, 0, False),
        ("Raven", 2, 0, False),
    ],
)
def test_who_detects(name: str, owner: int, flags: int, detects: bool) -> None:
    """Catalog: BlindingCloudStructure takes detection, the cloud over units does not."""
    world = arena()
    detector, roach = put(world, name, owner, 20, 20), put(world, "Roach", 2, 26, 20)
    world.units["flags"][detector] |= flags
    world.units["flags"][roach] |= BURROWED
    look(world)
    assert bool(world.units["flags"][roach] & DETECTED) == detects


@pytest.mark.parametrize(("name", "seen"), [("Medivac", 2), ("Marine", 0)])
def test_what_lingers_of_a_dead_flyer_sees_up_a_cliff(name: str, seen: int) -> None:
    world = dark()
    world.levels[:, 20:] += 16
    fallen = put(world, name, 1, 18.5, 20)
    world.units["hp"][fallen] = 0
    step(world, 8)
    assert world.visibility[1, 20, 17] == 2
    assert world.visibility[1, 20, 21] == seen


def test_what_lingers_of_the_dead_detects_nobody_below_it() -> None:
    world = dark()
    marine, roach = put(world, "Marine", 1, 20, 20), put(world, "Roach", 2, 20, 20)
    world.units["flags"][roach] |= BURROWED
    world.units["hp"][marine] = 0
    step(world, 8)
    assert world.visibility[1, 20, 20] == 2
    assert not world.units["flags"][roach] & DETECTED


def test_passengers_see_nothing_and_sites_little() -> None:
    world = dark(width=60)
    rider, site = put(world, "Marine", 1, 10, 20), put(world, "Barracks", 1, 40.5, 20.5)
    world.units["flags"][rider] |= INSIDE
    world.units["flags"][site] |= UNFINISHED
    look(world)
    assert world.visibility[1, 20, 10] == 0
    sight = facts().types["sight"][facts().ids["Barracks"]]
    assert world.visibility[1, 20, 42] == 2
    assert world.visibility[1, 20, int(40.5 + sight) - 1] == 0
