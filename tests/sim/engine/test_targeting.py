"""Whom units fight: who is no target, who is chased and who is let go; `test_target_rank.py`: who comes first."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine.state import (
    ATTACK,
    ATTACK_MOVE,
    BLINDED,
    CLOAKED,
    DEATH,
    DETECTED,
    HOLD,
    INSIDE,
    MOVE,
)
from sim.engine.world import World
from tests.sim.engine.worlds import arena, facts, order, place, put, step


@pytest.mark.parametrize(("name", "reaches"), [("Ultralisk", True), ("HellionTank", False)])
def test_a_blinding_cloud_leaves_blades_their_reach(name: str, reaches: bool) -> None:
    """Catalog: it takes the range of ranged weapons."""
    world = arena()
    fighter = put(world, name, 1, 20, 20)
    victim = put(world, "SiegeTank", 2, 20.8 + sum(facts().types["radius"][[facts().ids[name], 33]]), 20)
    world.types["speed"][2] = 0
    world.units["flags"][fighter] |= BLINDED
    order(world, fighter, HOLD)
    step(world, 24)
    assert (world.units["hp"][victim] < world.units["hp_max"][victim]) == reaches


def test_workers_do_not_fight_by_themselves() -> None:
    world = arena()
    scv = put(world, "SCV", 1, 10, 10)
    put(world, "SCV", 2, 12, 10)
    step(world, 40)
    assert world.units["target"][scv] == -1
    assert place(world, scv) == (10, 10)


def test_an_idle_unit_answers_an_attacker_out_of_its_search() -> None:
    world = arena()
    victim, tank = put(world, "Marine", 1, 10, 10), put(world, "Marauder", 2, 18, 10)
    world.types["speed"][2] = 0
    world.weapons["range"][2] = 9
    order(world, tank, ATTACK, target=victim)
    step(world, 40)
    assert place(world, victim)[0] > 11


def under_fire(world: World, victim: int, *enemies: int) -> None:
    """Enemies that stand shoot from 9 cells at a unit that outlives it."""
    world.types["speed"][2] = 0
    world.weapons["range"][2] = 9
    world.units["hp"][victim] = world.units["hp_max"][victim] = 1000
    for enemy in enemies:
        order(world, enemy, ATTACK, target=victim)


def test_who_is_hit_calls_idle_friends_near_by() -> None:
    world = arena()
    victim, tank = put(world, "Marine", 1, 10, 10), put(world, "Marauder", 2, 18, 10)
    near, far = put(world, "Marine", 1, 9, 13), put(world, "Marine", 1, 9, 16)
    busy = put(world, "Marine", 1, 9, 8)
    order(world, busy, HOLD)
    under_fire(world, victim, tank)
    step(world, 12)
    assert world.units["target"][near] == tank
    assert world.units["target"][far] == world.units["target"][busy] == -1
    step(world, 12)
    assert place(world, near)[0] > 9.5


@pytest.mark.parametrize("salt", range(4))
def test_a_call_is_answered_in_the_next_loop_by_all_with_the_same_enemy(salt: int) -> None:
    """Observed of 4.10: who helps has its target in the loop of the damage, whenever it would have looked round."""
    world = arena()
    world.world["salt"] = salt
    victim = put(world, "Marine", 1, 10, 10)
    helpers = [put(world, "Marine", 1, 9, y) for y in (8, 12, 13)]
    enemies = [put(world, "Marauder", 2, 18, y) for y in (12, 10)]
    under_fire(world, victim, *enemies)
    while world.units["hp"][victim] == 1000:
        step(world, 1)
    step(world, 1)
    assert {int(world.units["target"][helper]) for helper in helpers} == {enemies[0]}


def test_who_was_hit_calls_again_only_after_two_seconds() -> None:
    """Catalog: CallForHelpPeriod. Who comes to rest in between does not hear of it."""
    world = arena()
    victim, enemy = put(world, "SCV", 1, 10, 10), put(world, "Marine", 2, 17, 10)
    late = put(world, "Marine", 1, 9, 13)
    order(world, victim, HOLD)
    order(world, late, HOLD)
    under_fire(world, victim, enemy)
    while world.units["hp"][victim] == 1000:
        step(world, 1)
    step(world, 2)
    world.units["order_count"][late] = 0
    step(world, 24)
    assert world.units["hp"][victim] < 990  # hit again meanwhile
    assert world.units["target"][late] == -1
    step(world, 24)
    assert world.units["target"][late] == enemy


def test_a_hidden_enemy_is_no_target_until_it_is_detected() -> None:
    world = arena()
    marine, banshee = put(world, "Marine", 1, 10, 10), put(world, "Banshee", 2, 13, 10)
    world.types["weapons"][2] = -1
    world.units["flags"][banshee] |= CLOAKED
    step(world, 20)
    assert world.units["target"][marine] == -1
    raven = put(world, "Raven", 1, 10, 12)
    step(world, 12)
    assert world.units["flags"][banshee] & DETECTED
    assert world.units["target"][marine] == banshee
    world.units["hp"][raven] = 0
    step(world, 12)
    assert not world.units["flags"][banshee] & DETECTED
    assert world.units["target"][marine] == -1


def test_an_ordered_target_out_of_sight_is_sought_where_it_was_seen() -> None:
    world = arena()
    world.visibility[:] = 0
    marine, depot = put(world, "Marine", 1, 5, 20), put(world, "SupplyDepot", 2, 30, 20)
    order(world, marine, ATTACK, 30, 20, target=depot)
    deaths = [event for event in step(world, 2500) if event[1] == DEATH]
    assert [event[2] for event in deaths] == [depot]


def test_units_inside_something_do_nothing_and_are_nobodys_target() -> None:
    world = arena()
    marine, rider = put(world, "Marine", 1, 10, 10), put(world, "Marine", 2, 12, 10)
    world.units["flags"][rider] |= INSIDE
    order(world, rider, MOVE, 30, 30)
    step(world, 30)
    assert place(world, rider) == (12, 10)
    assert world.units["target"][marine] == -1


def test_a_dead_slot_reused_is_not_the_old_target() -> None:
    world = arena()
    marine, ling = put(world, "Marine", 1, 10, 10), put(world, "Drone", 2, 14, 10)
    order(world, marine, ATTACK, target=ling)
    step(world, 2)
    world.units["generation"][ling] += 1
    step(world, 2)
    assert world.units["order_count"][marine] == 0


def test_air_and_ground_weapons() -> None:
    world = arena()
    tank, flyer = put(world, "SiegeTank", 1, 10, 10), put(world, "Medivac", 2, 14, 10)
    order(world, tank, ATTACK, target=flyer)
    step(world, 30)
    assert world.units["order_count"][tank] == 0
    assert world.units["hp"][flyer] == world.units["hp_max"][flyer]
    thor = put(world, "Thor", 1, 10, 14)
    step(world, 60)
    assert world.units["hp"][flyer] < world.units["hp_max"][flyer]
    assert world.units["alive"][thor]


def test_battlecruisers_fire_on_the_move() -> None:
    world = arena()
    cruiser, enemy = put(world, "Battlecruiser", 1, 10, 10), put(world, "CommandCenter", 2, 20, 12)
    order(world, cruiser, MOVE, 35, 10)
    step(world, 150)
    assert world.units["hp"][enemy] < world.units["hp_max"][enemy]
    assert place(world, cruiser)[0] > 17
    assert np.isfinite(world.units["x"][cruiser])


@pytest.mark.parametrize(("name", "fires"), [("Battlecruiser", True), ("VoidRay", False)])
def test_who_fires_on_its_way_to_an_ordered_target(name: str, fires: bool) -> None:
    """Catalog: OnlyFireAtAttackOrderTarget is off for Battlecruisers, Phoenixes and Motherships."""
    world = arena()
    flyer, bystander = put(world, name, 1, 5, 20), put(world, "Roach", 2, 9, 22)
    depot = put(world, "SupplyDepot", 2, 20, 20)
    world.units["hp"][depot] = 2000
    world.types["speed"][2] = 0
    order(world, flyer, ATTACK, 20, 20, target=depot)
    step(world, 30)
    assert (world.units["hp"][bystander] < world.units["hp_max"][bystander]) == fires
    assert world.units["order_count"][flyer] == 1
    world.units["x"][depot], world.units["y"][depot] = 16, 27  # it goes where its target is now
    step(world, 150)
    assert world.units["target"][flyer] == depot
    assert place(world, flyer)[1] > 20.3


def test_who_is_in_a_bunker_keeps_its_target_while_another_comes_nearer() -> None:
    world = arena()
    bunker, marine = put(world, "Bunker", 1, 20.5, 20.5), put(world, "Marine", 1, 20.5, 20.5)
    world.units["flags"][marine] |= INSIDE
    world.units["inside"][marine] = bunker
    world.units["hp"][bunker] = world.units["hp_max"][bunker] = 10000
    world.types["speed"][2] = 0
    first = put(world, "Roach", 2, 26, 20.5)
    world.units["hp"][first] = 1000
    step(world, 12)
    assert world.units["target"][marine] == first
    put(world, "Roach", 2, 20.5, 24)
    step(world, 30)
    assert world.units["target"][marine] == first


def test_who_is_in_a_bunker_shoots_out_of_it_one_farther() -> None:
    world = arena()
    bunker, marine = put(world, "Bunker", 1, 20.5, 20.5), put(world, "Marine", 1, 20.5, 20.5)
    hull = float(facts().types["radius"][facts().ids["Bunker"]])
    world.units["flags"][marine] |= INSIDE
    world.units["inside"][marine] = bunker
    near = put(world, "SupplyDepot", 2, 20.5 + hull + 6 + 1.0, 20.5)
    far = put(world, "SupplyDepot", 2, 20.5 - hull - 6.3 - 1.25, 20.5)
    step(world, 40)
    radius = float(facts().types["radius"][facts().ids["SupplyDepot"]])
    assert radius > 1.0
    assert world.units["hp"][near] < world.units["hp_max"][near]
    assert world.units["hp"][far] == world.units["hp_max"][far]
    roach = put(world, "Roach", 2, 20.5, 20.5 + hull + 6.3)
    step(world, 60)
    assert world.units["target"][roach] == bunker  # it turns on the Bunker, not on who is inside
    world.units["type"][bunker] = facts().ids["CommandCenter"]
    life = world.units["hp"][near]
    step(world, 40)
    assert world.units["hp"][near] == life


@pytest.mark.parametrize(("name", "shoots"), [("Marine", True), ("SCV", False)])
def test_blades_do_not_reach_out_of_a_bunker(name: str, shoots: bool) -> None:
    world = arena()
    bunker, rider = put(world, "Bunker", 1, 20.5, 20.5), put(world, name, 1, 20.5, 20.5)
    world.units["flags"][rider] |= INSIDE
    world.units["inside"][rider] = bunker
    ling = put(world, "Zergling", 2, 20.5, 22.9)
    world.units["hp"][ling] = world.units["hp_max"][ling] = 1000
    step(world, 40)
    assert (world.units["hp"][ling] < 1000) == shoots


@pytest.mark.parametrize(("owner", "runs"), [(1, True), (2, False)])
def test_who_rests_does_not_run_from_a_friends_shot(owner: int, runs: bool) -> None:
    world = arena()
    tank, resting = put(world, "SiegeTankSieged", owner, 12, 20), put(world, "Overlord", 2, 15, 20)
    world.types["weapons"][1] = -1
    world.units["last_attacker"][resting], world.units["last_hit"][resting] = tank, world.world["loop"][0]
    world.units["attacker_generation"][resting] = world.units["generation"][tank]
    step(world, 30)
    assert (place(world, resting)[0] > 15.2) == runs


def test_resting_units_that_cannot_hit_back_run() -> None:
    world = arena()
    marine, overlord, marauder = (
        put(world, "Marine", 1, 10, 20),
        put(world, "Overlord", 2, 14, 20),
        put(world, "Marauder", 2, 14, 22),
    )
    order(world, marine, ATTACK, target=overlord)
    step(world, 60)
    assert place(world, overlord)[0] > 14.5
    order(world, marine, MOVE, 1, 1)
    step(world, 120)
    rest = place(world, overlord)
    step(world, 20)
    assert place(world, overlord) == rest
    assert world.units["alive"][marauder]


@pytest.mark.parametrize("name", ["Barracks", "SupplyDepot", "CommandCenter"])
def test_a_pack_of_zerglings_gets_at_a_structure_from_all_sides(name: str) -> None:
    world = arena()
    half = {"Barracks": 1.5, "SupplyDepot": 1.0, "CommandCenter": 2.5}[name]
    centre = 20.5 if half % 1 else 20.0
    target = put(world, name, 2, centre, centre)
    low, high = int(centre - half), int(centre + half)
    world.walk[low:high, low:high] = 0
    lings = [put(world, "Zergling", 1, 8 + k % 4 * 0.8, 8 + k // 4 * 0.8) for k in range(12)]
    for slot in lings:
        order(world, slot, ATTACK, centre, centre, target=target)
    step(world, 160)
    fighting = (world.units["cooldown"][lings, 0] > 0) & (world.units["target"][lings] == target)
    assert fighting.sum() >= 8


@pytest.mark.parametrize("seen", [True, False])
def test_who_rests_runs_from_what_it_does_not_see(seen: bool) -> None:
    """Responses to damage: engage its source, and flee only where that cannot be; nobody who has orders does either."""
    world = arena()
    templar = put(world, "DarkTemplar", 1, 13, 20)
    resting, holding = put(world, "Marauder", 2, 14.2, 20), put(world, "Marauder", 2, 13, 22)
    world.types["weapons"][1, facts().ids["DarkTemplar"]] = -1
    world.units["flags"][templar] |= 0 if seen else CLOAKED
    order(world, holding, HOLD)
    for slot in (resting, holding):
        world.units["last_attacker"][slot], world.units["last_hit"][slot] = templar, world.world["loop"][0]
        world.units["attacker_generation"][slot] = world.units["generation"][templar]
    step(world, 8)
    assert world.units["target"][resting] == (templar if seen else -1)
    assert (place(world, resting)[0] > 14.4) != seen
    assert place(world, holding) == (13, 22)


def test_attackers_let_go_of_what_outruns_them() -> None:
    world = arena(90, 40)
    zealot, ling = put(world, "Zealot", 1, 10, 20), put(world, "Zergling", 2, 13, 20)
    world.types["weapons"][2] = -1
    order(world, zealot, ATTACK_MOVE, 10, 38)
    order(world, ling, MOVE, 85, 20)
    step(world, 700)
    assert place(world, zealot) == pytest.approx((10, 38), abs=0.1)
    assert world.units["alive"][ling]


def test_ground_units_follow_a_flyer_over_a_chasm_along_its_edge() -> None:
    walk = np.ones((40, 60), np.uint8)
    walk[12:30, 8:50] = 0
    world = arena(walk=walk, slots=8)
    marine, overlord = put(world, "Marine", 1, 5, 8), put(world, "Overlord", 2, 20, 18)
    order(world, marine, ATTACK, target=overlord)
    order(world, overlord, MOVE, 45, 18)
    filled = 0
    for _ in range(300):
        step(world)
        filled += int(world.world["fields_filled"][0])
    x, y = place(world, marine)
    assert abs(x - place(world, overlord)[0]) < 4
    assert walk[int(y), int(x)]
    assert filled < 30
