"""Whom units choose to fight: who can hit back, by priority, the nearest; each weapon as far as it reaches."""

from __future__ import annotations

import pytest

from sim.engine.state import DISARMED, HOLD, MOVE, REPAIR, TALL, UNPOWERED
from tests.sim.engine.worlds import arena, facts, order, put, step


def test_fighters_come_before_structures_and_before_harmless_ones() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 20, 20)
    put(world, "SupplyDepot", 2, 21.5, 20)
    put(world, "Medivac", 2, 19, 20)
    zealot = put(world, "Zealot", 2, 20, 24)
    world.types["speed"][2] = 0
    step(world, 5)
    assert world.units["target"][marine] == zealot


@pytest.mark.parametrize(("name", "flags", "y"), [("Banshee", 0, 25), ("Colossus", TALL, 26)])
def test_who_can_hit_back_comes_before_those_of_higher_priority(name: str, flags: int, y: float) -> None:
    """A turret has a lower target priority than an SCV, but it is the one that threatens a flyer, or a Colossus."""
    world = arena()
    fighter = put(world, name, 1, 20, 20)
    world.units["flags"][fighter] |= flags
    put(world, "SCV", 2, 22, 20)
    turret = put(world, "MissileTurret", 2, 20, y)
    world.types["speed"][2] = 0
    step(world, 5)
    assert world.units["target"][fighter] == turret


@pytest.mark.parametrize(("first", "stays"), [("Roach", True), ("Overlord", False)])
def test_who_is_idle_leaves_no_threat_out_of_reach_for_somebody_harmless_in_reach(first: str, stays: bool) -> None:
    world = arena()
    world.types["speed"][2] = 0
    world.weapons["range"][2] = 0
    marine, far = put(world, "Marine", 1, 20, 20), put(world, first, 2, 29, 20)
    put(world, "Overlord", 2, 20, 23)
    world.units["target"][marine], world.units["weapon"][marine] = far, 0
    world.units["target_generation"][marine] = world.units["generation"][far]
    step(world, 12)
    assert (world.units["target"][marine] == far) == stays


@pytest.mark.parametrize("harmless", ["Overlord", "SCV"])
def test_a_harmless_target_is_left_for_who_can_hit_back(harmless: str) -> None:
    """All of them have the same target priority."""
    world = arena()
    marine, first = put(world, "Marine", 1, 20, 20), put(world, harmless, 2, 23, 20)
    world.units["hp"][first] = 1000
    world.types["speed"][2] = 0
    step(world, 12)
    assert world.units["target"][marine] == first
    roach = put(world, "Roach", 2, 20, 24.5)
    world.weapons["range"][2] = 0
    step(world, 20)
    assert world.units["target"][marine] == roach


@pytest.mark.parametrize("caster", ["Infestor", "Raven", "Disruptor", "Viper"])
def test_casters_count_as_who_can_hit_back(caster: str) -> None:
    """The catalog's flag AlwaysThreatens, which Medivacs and the like do not have."""
    world = arena()
    marine = put(world, "Marine", 1, 20, 20)
    near = put(world, caster, 2, 20, 23.5)
    put(world, "Zealot", 2, 20, 15.5)
    world.types["speed"][2] = 0
    step(world, 5)
    assert world.units["target"][marine] == near


@pytest.mark.parametrize(
    ("fighter", "patient", "rival", "chosen"),
    [("Marine", "SupplyDepot", "Zealot", "Zealot"), ("Mutalisk", "MissileTurret", "Hellion", "SCV")],
)
def test_who_repairs_counts_as_its_patient(fighter: str, patient: str, rival: str, chosen: str) -> None:
    """SCVs at a depot are left for who fights; those at a turret are as good as the turret for a flyer."""
    world = arena()
    world.players["minerals"][2] = 1000
    slot = put(world, fighter, 1, 20, 20)
    structure, worker = put(world, patient, 2, 24.5, 20), put(world, "SCV", 2, 22.8, 20)
    world.units["hp"][structure] = 100
    order(world, worker, REPAIR, target=structure)
    put(world, rival, 2, 20, 23.6)
    world.types["speed"][2] = 0
    world.weapons["range"][2] = 0
    step(world, 1)
    world.units["target"][slot] = world.units["weapon"][slot] = -1
    step(world, 5)
    assert facts().names[int(world.units["type"][world.units["target"][slot]])] == chosen


def test_the_nearest_among_equals() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 20, 20)
    put(world, "Roach", 2, 20, 25)
    near = put(world, "Roach", 2, 24, 20)
    world.types["speed"][:] = 0
    step(world, 5)
    assert world.units["target"][marine] == near


@pytest.mark.parametrize("name", ["Queen", "Thor", "Tempest"])
def test_the_first_weapon_of_several_has_its_targets_first(name: str) -> None:
    """The one against flyers (Liquipedia; the order is that of the real game's data)."""
    world = arena()
    fighter = put(world, name, 1, 20, 20)
    near = put(world, "Stalker", 2, 23, 20)
    world.units["hp"][near] = 1000
    world.types["speed"][2] = 0
    step(world, 5)
    assert world.units["target"][fighter] == near
    flyer = put(world, "VoidRay", 2, 20, 24.5)
    step(world, 30)
    assert world.units["target"][fighter] == flyer


@pytest.mark.parametrize("name", ["Thor", "HellionTank", "Ultralisk"])
def test_some_take_who_needs_the_least_turn(name: str) -> None:
    """Catalog: they acquire by angle, all others the nearest."""
    world = arena()
    fighter, marine = put(world, name, 1, 20, 20), put(world, "Marine", 1, 20, 20)
    ahead, beside = put(world, "Roach", 2, 23.8, 20), put(world, "Roach", 2, 20, 22.5)
    world.types["speed"][2] = 0
    order(world, fighter, HOLD)
    order(world, marine, HOLD)
    world.weapons["range"][1] = 5
    step(world, 4)
    assert world.units["target"][fighter] == ahead
    assert world.units["target"][marine] == beside


def test_each_weapon_looks_as_far_as_it_reaches_itself() -> None:
    """A Thor's Javelins reach ten cells into the air, its Hammers seven on the ground."""
    world = arena()
    thor, marine = put(world, "Thor", 1, 10, 20), put(world, "Marine", 2, 19.8, 20)
    world.types["speed"][2] = 0
    step(world, 12)
    assert world.units["target"][thor] == -1
    order(world, thor, HOLD)
    flyer = put(world, "VikingFighter", 2, 20.5, 20)
    world.weapons["range"][2] = 0
    step(world, 12)
    assert world.units["target"][thor] == flyer
    world.units["hp"][flyer] = 0
    world.units["x"][marine] = 18
    step(world, 12)
    assert world.units["target"][thor] == marine


def test_javelins_do_not_hit_a_colossus() -> None:
    """The catalog's filter of a Thor's Javelins excludes the ground, that of other weapons against flyers does not."""
    world = arena()
    thor, viking = put(world, "Thor", 1, 10, 20), put(world, "VikingFighter", 1, 10, 24)
    colossus = put(world, "Colossus", 2, 20.5, 20)
    world.units["flags"][colossus] |= TALL
    world.types["speed"][2] = 0
    for slot in (thor, viking):
        order(world, slot, HOLD)
    step(world, 12)
    assert world.units["target"][thor] == -1
    assert world.units["target"][viking] == -1
    world.units["x"][colossus] = 18
    step(world, 12)
    assert world.units["target"][thor] == colossus
    assert world.units["weapon"][thor] == 1
    assert world.units["target"][viking] == colossus


@pytest.mark.parametrize("ordered", [False, True])
def test_a_battlecruiser_takes_who_threatens_it_then_who_is_on_the_ground(ordered: bool) -> None:
    """The sorts of its weapon in the catalog, standing and on its way: ThreatenBattlecruiser, PriorityDesc, its present
    target, GroundTarget."""
    world = arena()
    cruiser = put(world, "Battlecruiser", 1, 20, 20)
    put(world, "SupplyDepot", 2, 22, 20)
    put(world, "Zealot", 2, 21, 22)
    put(world, "VikingFighter", 2, 22, 17)
    marine = put(world, "Marine", 2, 20, 25.5)
    world.types["speed"][2] = world.weapons["damage"] = 0
    if ordered:
        order(world, cruiser, MOVE, 21, 20)
    step(world, 6)
    assert world.units["target"][cruiser] == marine


def test_a_battlecruiser_keeps_its_target_though_another_stands_on_the_ground() -> None:
    world = arena()
    cruiser, viking = put(world, "Battlecruiser", 1, 20, 20), put(world, "VikingFighter", 2, 22, 17)
    world.types["speed"][2] = world.weapons["damage"] = 0
    step(world, 8)
    assert world.units["target"][cruiser] == viking
    put(world, "Marine", 2, 20, 24)
    step(world, 20)
    assert world.units["target"][cruiser] == viking


@pytest.mark.parametrize(
    ("name", "flags", "counts"),
    [
        ("Cyclone", DISARMED, True),  # its turret holds somebody
        ("SiegeTankSieged", DISARMED, True),  # it digs in
        ("PhotonCannon", DISARMED | UNPOWERED, False),
    ],
)
def test_whose_weapon_is_off_for_now_counts_as_who_can_hit_back(name: str, flags: int, counts: bool) -> None:
    """In the catalog what takes a structure's power suppresses the threat, what takes a weapon alone does not."""
    world = arena()
    marine, idle = put(world, "Marine", 1, 20, 20), put(world, name, 2, 20, 22.5)
    world.units["flags"][idle] |= flags
    far = put(world, "Zealot", 2, 20, 14.6)
    world.types["speed"][2] = 0
    step(world, 5)
    assert world.units["target"][marine] == (idle if counts else far)
