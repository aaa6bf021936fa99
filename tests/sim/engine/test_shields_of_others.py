"""Guardian Shields: whose damage they weaken."""

from __future__ import annotations

import pytest

from sim.engine.state import ATTACK, IMMOBILE
from tests.sim.engine.worlds import arena, order, put, step

GUARDIAN = 18  # buff


@pytest.mark.parametrize(
    ("name", "distance", "less", "beside"),
    [
        ("SiegeTankSieged", 9.0, 2.0, 0.0),
        ("Archon", 3.5, 2.0, 0.0),
        ("PlanetaryFortress", 6.0, 2.0, 0.0),
        ("Hellion", 4.0, 2.0, 2.0),
        ("HellionTank", 1.2, 2.0, 2.0),
        ("Ultralisk", 1.4, 0.0, 0.0),
    ],
)
def test_a_guardian_shield_weakens_shots_and_no_bursts(name: str, distance: float, less: float, beside: float) -> None:
    """Catalog: the hit of a splashing weapon is of the kind Ranged, what it does round it of the kind Splash; the
    shield weakens neither that nor blades. Flames are of the kind Ranged wherever they burn."""
    lost = []
    for buff in (0, GUARDIAN):
        world = arena()
        world.types["armor"] = world.types["hp_regen"] = world.types["speed"][2] = 0
        world.weapons["random_min"] = world.weapons["random_max"] = 0
        shooter, victim = put(world, name, 1, 10, 20), put(world, "Marine", 2, 10 + distance, 20)
        behind = put(world, "Marine", 2, 10.7 + distance, 20)
        for slot in (victim, behind):
            world.units["hp"][slot] = world.units["hp_max"][slot] = 1000
            world.units["buff"][slot, 0] = buff
            world.units["buff_left"][slot, 0] = 1000
            world.units["flags"][slot] |= IMMOBILE
        order(world, shooter, ATTACK, target=victim)
        while world.units["hp"][victim] == 1000:
            step(world)
        lost.append([1000 - float(world.units["hp"][slot]) for slot in (victim, behind)])
    assert lost[0][1] > 0
    assert [round(before - after, 3) for before, after in zip(*lost, strict=True)] == [less, beside]
