"""Counters: regeneration, burning, construction, production, timed life, energy, buffs."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.bufftable import add_buff, remove_buff
from sim.engine.state import BUILT, CLOAKED, DEATH, EXPIRED, JOB_DONE, REACTOR, UNFINISHED
from tests.sim.engine.worlds import arena, facts, put, step

BANSHEE_CLOAK, STIMPACK = 7, 27


def test_shields_wait_after_a_hit_and_zerg_always_heal() -> None:
    world = arena()
    zealot, roach = put(world, "Zealot", 1, 10, 10), put(world, "Roach", 1, 20, 20)
    world.units["shield"][zealot] = 10
    world.units["hp"][roach] = 100
    world.units["last_hit"][zealot] = 0
    step(world, 160)
    assert world.units["shield"][zealot] == 10
    step(world, 32)
    assert world.units["shield"][zealot] == pytest.approx(14, abs=0.2)
    rate = facts().types["hp_regen"][facts().ids["Roach"]]
    assert world.units["hp"][roach] == pytest.approx(100 + 192 * rate, rel=1e-3)


def test_a_reaper_heals_when_nobody_has_hit_it_for_a_while() -> None:
    world = arena()
    reaper = put(world, "Reaper", 1, 10, 10)
    world.units["hp"][reaper], world.units["last_hit"][reaper] = 20, 0
    step(world, 159)
    assert world.units["hp"][reaper] == 20
    step(world, 33)
    assert world.units["hp"][reaper] == pytest.approx(24, abs=0.3)


def test_terran_structures_burn_below_a_third() -> None:
    world = arena()
    hurt, well = put(world, "Barracks", 1, 10, 10), put(world, "Barracks", 1, 20, 20)
    hatchery = put(world, "Hatchery", 2, 30, 30)
    world.units["hp"][hurt], world.units["hp"][well], world.units["hp"][hatchery] = 300, 350, 300
    step(world, 160)
    assert world.units["hp"][hurt] < 280
    assert world.units["hp"][well] == 350
    assert world.units["hp"][hatchery] > 300
    deaths = [event for event in step(world, 2000) if event[1] == DEATH]
    assert [event[2] for event in deaths] == [hurt]


def test_construction_grows_life_and_ends_to_the_loop() -> None:
    world = arena()
    site = put(world, "SupplyDepot", 1, 10, 10)
    unit = world.units[site]
    unit["flags"] |= UNFINISHED
    unit["hp"] = 0.1 * unit["hp_max"]
    unit["build_left"] = unit["build_total"] = 480
    step(world, 240)
    assert world.units["hp"][site] == pytest.approx(0.55 * unit["hp_max"], rel=1e-3)
    world.units["build_rate"][site] = 0  # the builder left
    step(world, 50)
    world.units["build_rate"][site] = 1
    built = [event for event in step(world, 400) if event[1] == BUILT]
    assert [event[0] for event in built] == [480 + 50]
    assert world.units["hp"][site] == pytest.approx(world.units["hp_max"][site], rel=1e-3)
    assert not world.units["flags"][site] & UNFINISHED


def test_a_reactor_makes_two_at_a_time() -> None:
    world = arena()
    plain, double = put(world, "Barracks", 1, 10, 10), put(world, "Barracks", 1, 20, 20)
    world.units["flags"][double] |= REACTOR
    for slot in (plain, double):
        for k in range(2):
            world.jobs["started"][slot, k] = 1
            world.jobs["left"][slot, k] = 30
        world.units["job_count"][slot] = 2
    done = [(loop, unit, other) for loop, kind, unit, other, _ in step(world, 40) if kind == JOB_DONE]
    assert done == [(30, plain, 0), (30, double, 1), (30, double, 0)]


def test_timed_life_ends_in_death() -> None:
    world = arena()
    mule = put(world, "MULE", 1, 10, 10)
    world.units["life_left"][mule] = 25
    events = [(loop, kind) for loop, kind, *_ in step(world, 40) if kind in (EXPIRED, DEATH)]
    assert events == [(25, EXPIRED), (25, DEATH)]


def test_energy_fills_to_its_limit() -> None:
    world = arena()
    medivac = put(world, "Medivac", 1, 10, 10)
    step(world, 1000)
    assert world.units["energy"][medivac] == pytest.approx(50 + 1000 * 0.7875 / 22.4, rel=1e-3)
    world.units["energy"][medivac] = 199.99
    step(world, 10)
    assert world.units["energy"][medivac] == 200


def test_cloak_drains_energy_and_falls_with_it() -> None:
    world = arena()
    banshee = put(world, "Banshee", 1, 10, 10)
    world.units["energy"][banshee] = 10
    assert add_buff(world.units[banshee], world.buffs, BANSHEE_CLOAK)
    assert world.units["flags"][banshee] & CLOAKED
    drain = (1.4765 - 0.5625) / 16
    step(world, 100)
    assert world.units["energy"][banshee] == pytest.approx(10 - 100 * drain, rel=0.02)
    step(world, 120)
    assert not world.units["flags"][banshee] & CLOAKED
    assert not world.units["buff"][banshee].any()


def test_buffs_share_flags_and_places() -> None:
    world = arena()
    unit = world.units[put(world, "Marine", 1, 10, 10)]
    for buff in (STIMPACK, 6, 7, 33, 89, 30):
        assert add_buff(unit, world.buffs, buff)
    assert not add_buff(unit, world.buffs, 122)
    assert add_buff(unit, world.buffs, STIMPACK)
    remove_buff(unit, world.buffs, 6)
    assert unit["flags"] & CLOAKED
    remove_buff(unit, world.buffs, 7)
    assert not unit["flags"] & CLOAKED
    assert unit["speed_factor"] == pytest.approx(np.prod([1.5, 0.5, 1.7, 2.2]))


@pytest.mark.parametrize(("name", "life", "shields"), [("Zealot", False, True), ("Marine", True, False)])
def test_what_shields_take_is_booked_apart(name: str, life: bool, shields: bool) -> None:
    world = arena()
    put(world, "Marine", 1, 10, 10)
    put(world, name, 2, 14, 10)
    world.types["speed"][:] = 0
    world.types["weapons"][2] = -1
    step(world, 40)
    assert [bool(done > 0) for done in world.world["dealt"][0, 1][:2]] == [life, shields]
