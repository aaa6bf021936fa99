"""Every armed type of the facts fires at the rate and with the damage of its row; who may not fire comes near."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.engine.catalog import AIR, GROUND, NO_SPLASH, SPLASH_AT_TARGET
from sim.engine.parameters import READY
from sim.engine.state import ATTACK, ATTACK_MOVE, DISARMED, IMMOBILE, STRUCTURE
from sim.engine.world import put_unit
from tests.sim.engine.worlds import arena, facts, order, place, put, step

LOOPS = 400
DUMMIES = {GROUND: "Nexus", AIR: "Battlecruiser"}


def damage_dealt(type_id: int, plane: int, row: int) -> float:
    """What one unit does in LOOPS loops to a dummy without armour, attributes and weapons."""
    world = arena(40, 40, slots=4)
    dummy = facts().ids[DUMMIES[plane]]
    target = world.types[2, dummy]
    for name in ("armor", "attributes", "structure", "shield", "speed"):
        target[name] = 0
    target["weapons"] = -1
    world.types["hp_regen"] = 0
    world.types["sight"][1] = 30
    weapon = world.weapons[1, row]
    world.weapons["random_min"] = world.weapons["random_max"] = 0
    radii = float(world.types["radius"][1, type_id] + target["radius"])
    put_unit(world, 0, type_id, 1, 5, 20)
    put_unit(world, 1, dummy, 2, 5 + radii + max(weapon["min_range"] + 0.5, weapon["range"] - 0.2), 20)
    world.units["flags"][1] &= ~np.uint32(STRUCTURE)
    world.units["hp"][1] = world.units["hp_max"][1] = 30000
    order(world, 0, ATTACK, target=1)
    step(world, LOOPS)
    return 30000 - float(world.units["hp"][1])


@pytest.mark.parametrize("plane", [GROUND, AIR])
def test_every_armed_type_deals_its_damage(plane: int) -> None:
    known, checked = facts(), 0
    for type_id in np.flatnonzero((known.types["exists"] == 1) & (known.types["weapons"][:, 0] >= 0)):
        rows = [row for row in known.types["weapons"][type_id] if row >= 0 and known.weapons["targets"][row] & plane]
        if not rows:
            continue
        weapon = known.weapons[rows[0]]
        attacks = 1 if weapon["suicide"] else LOOPS / np.ceil(weapon["period"] - READY)
        each = float(weapon["damage"] * weapon["attacks"])
        dealt = damage_dealt(int(type_id), plane, rows[0])
        # turning, wind-up and flight cost up to one attack, the first comes at once
        assert (attacks - 1.5) * each <= dealt <= (attacks + 1.5) * each, known.names[type_id]
        checked += 1
    assert checked > 15


def test_what_flies_needs_nothing_of_its_shooter() -> None:
    """Who fired may be gone when a missile strikes: lines, sweeps, beams and splash round the shooter have none."""
    weapons = facts().weapons
    flying = weapons[(weapons["exists"] == 1) & (weapons["missile_speed"] > 0)]
    assert len(flying) > 20
    assert set(flying["splash"].tolist()) <= {NO_SPLASH, SPLASH_AT_TARGET}
    assert not flying["beams"].any()
    assert not flying["suicide"].any()


@pytest.mark.parametrize("verb", [ATTACK, ATTACK_MOVE])
@pytest.mark.parametrize("victim", ["Egg", "SpineCrawlerUprooted", "SporeCrawlerUprooted"])
@pytest.mark.parametrize("attacker", ["Zergling", "Zealot", "DarkTemplar", "Drone", "Broodling", "Baneling"])
def test_who_touches_a_body_that_is_wider_than_its_edge_reaches_it(attacker: str, victim: str, verb: int) -> None:
    world = arena()
    claw, target = put(world, attacker, 1, 18, 20), put(world, victim, 2, 24, 20.4)
    world.units["hp"][target] = 5000
    world.types["hp_regen"] = 0
    order(world, claw, verb, 34, 20, target=target if verb == ATTACK else -1)
    step(world, 160)
    assert world.units["hp"][target] < 5000


@pytest.mark.parametrize(("fixed", "goes"), [(0, True), (IMMOBILE, False)])
def test_whose_weapon_is_off_goes_up_to_whom_it_is_to_attack(fixed: int, goes: bool) -> None:
    """An Oracle that was sent at an SCV without its beam stood where it was as long as it saw it."""
    world = arena()
    victim = put(world, "Drone", 2, 30, 20)
    sent = put(world, "Marine", 1, 10, 20)
    world.units["flags"][sent] |= DISARMED | fixed
    order(world, sent, ATTACK, 30, 20, target=victim)
    step(world, 200)
    gap = math.dist(place(world, sent), place(world, victim))
    assert (gap < 6) == goes, "as near as it has to be to shoot"
    assert gap > 5
    assert world.units["hp"][victim] == 40
    world.units["flags"][sent] &= ~np.uint32(DISARMED)
    step(world, 40)
    assert (world.units["hp"][victim] < 40) == goes
