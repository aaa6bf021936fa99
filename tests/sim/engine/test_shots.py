"""Missiles, splash, bounces, suicide, slow."""

from __future__ import annotations

import itertools
import math

import pytest

from sim.engine.state import ATTACK, BURROWED, DEATH, DISARMED, HALLUCINATION, HOLD, IMMOBILE, INVULNERABLE, MOVE
from tests.sim.engine.worlds import arena, facts, order, place, put, steady, step


def weapon_row(name: str, k: int = 0) -> int:
    """Row of a type's weapon in the table."""
    return int(facts().types["weapons"][facts().ids[name], k])


def lost(world, slot: int) -> float:
    """Life and shields a unit has lost."""
    unit = world.units[slot]
    return float(unit["hp_max"] - unit["hp"] + unit["shield_max"] - unit["shield"])


def test_a_missile_takes_its_time_and_follows() -> None:
    world = arena()
    world.weapons["missile_speed"][1, weapon_row("Marauder")] = 0.5
    world.weapons["missile_acceleration"][1, weapon_row("Marauder")] = 0
    shooter, victim = put(world, "Marauder", 1, 10, 10), put(world, "Roach", 2, 16, 10)
    world.types["hp_regen"] = 0
    order(world, shooter, ATTACK, target=victim)
    order(world, victim, MOVE, 16, 35)
    step(world, 2)
    assert world.missiles["alive"].sum() == 1
    assert lost(world, victim) == 0
    order(world, shooter, MOVE, 10, 10.2)
    step(world, 6)
    assert lost(world, victim) == 0
    step(world, 12)
    assert lost(world, victim) == 19  # 10 +10 armored, armor 1: it hit although the victim walked on
    assert world.missiles["alive"].sum() == 0


@pytest.mark.parametrize(
    ("shooter", "victim", "seconds"),
    [
        (
            "Banshee",
            "Roach",
            (-10 + math.sqrt(100 + 2 * 20 * 5)) / 20,
        ),  # from 10 cells a normal second, 20 faster in each
        ("Cyclone", "Roach", (-20 + math.sqrt(400 + 2 * 5 * 5)) / 5),
        ("VikingFighter", "Banshee", 0.6875 / 2 + (-2 + math.sqrt(4 + 2 * 56 * 4.3125)) / 56),  # 0.7 cells at 2 first
        ("Phoenix", "Banshee", 1.25 / 6 + (-6 + math.sqrt(36 + 2 * 60 * 3.75)) / 60),
        ("Liberator", "Banshee", 3 / 8 + 2 / 16),
        ("MissileTurret", "Banshee", 1 / 10 + 4 / 20),  # slow until 4 cells before its target
        ("BroodLord", "Roach", 3 / 5.8 + (-6.6 + math.sqrt(6.6**2 + 2 * 20 * 2)) / 20),
        ("SpineCrawler", "Roach", (-12 + math.sqrt(144 + 2 * 140 * 5)) / 140),
        ("Marauder", "Roach", 5 / 20),
    ],
)
def test_flights_take_the_catalogs_time(shooter: str, victim: str, seconds: float) -> None:
    """Five cells from edge to edge; normal seconds by the stages of the public catalog's movers."""
    world = arena()
    known = facts()
    apart = float(known.types["radius"][known.ids[shooter]] + known.types["radius"][known.ids[victim]])
    killer, target = put(world, shooter, 1, 10, 20), put(world, victim, 2, 15 + apart, 20)
    world.types["weapons"][2] = -1
    world.types["speed"] = world.types["hp_regen"] = 0
    world.units["facing"][killer] = world.units["turret"][killer] = 0
    order(world, target, HOLD)
    order(world, killer, ATTACK, target=target)
    left = hit = 0
    for loop in range(1, 80):
        step(world)
        left = left or loop * bool(world.missiles["alive"].any())
        hit = hit or loop * (lost(world, target) > 0)
    assert hit - left == pytest.approx(16 * seconds, abs=1.6)


def test_a_missile_whose_target_dies_is_lost() -> None:
    world = arena()
    world.weapons["missile_speed"][1, weapon_row("Marauder")] = 0.3
    world.weapons["missile_acceleration"][1, weapon_row("Marauder")] = 0
    shooter, victim = put(world, "Marauder", 1, 10, 10), put(world, "Roach", 2, 16, 10)
    order(world, shooter, ATTACK, target=victim)
    step(world, 4)
    world.units["hp"][victim] = 0
    deaths = [event for event in step(world, 3) if event[1] == DEATH]
    assert [event[2] for event in deaths] == [victim]
    assert world.missiles["alive"].sum() == 0


def test_rings_of_the_sieged_tank() -> None:
    world = arena()
    tank, target = put(world, "SiegeTankSieged", 1, 10, 20), put(world, "Marine", 2, 20, 20)
    world.types["weapons"][2] = world.types["weapons"][1, facts().ids["Marine"]] = -1
    world.units["turret"][tank] = 0
    radius = 0.375
    inner = put(world, "Marine", 2, 20 + radius + 0.45, 20)
    middle = put(world, "Marine", 2, 20, 20 + radius + 0.75)
    outer = put(world, "Marine", 2, 20, 20 - radius - 1.2)
    outside = put(world, "Marine", 2, 20 - radius - 1.3, 20)
    friend = put(world, "Marine", 1, 20 + 0.55, 20 - 0.55)
    flyer = put(world, "Banshee", 2, 20.2, 20)
    world.types["separation"] = 0
    order(world, tank, ATTACK, target=target)
    step(world, 6)
    assert [lost(world, s) for s in (target, inner, middle, outer, outside, flyer)] == [40, 40, 20, 10, 0, 0]
    assert lost(world, friend) == 40  # tanks hit friends
    assert lost(world, tank) == 0


@pytest.mark.parametrize(("shooter", "x", "hurt"), [("SiegeTankSieged", 10, True), ("Ultralisk", 18, False)])
def test_splash_hurts_rocks_but_for_an_ultralisks(shooter: str, x: float, hurt: bool) -> None:
    """The catalog's filters: an Ultralisk's spares what is neutral, a tank's does not."""
    world = arena()
    slot, target = put(world, shooter, 1, x, 20), put(world, "Roach", 2, 20, 20)
    rock, minerals = put(world, "DestructibleRock6x6", 0, 20, 21.2), put(world, "MineralField", 0, 20, 18.8)
    world.units["flags"][minerals] |= INVULNERABLE
    world.units["turret"][slot] = 0
    order(world, target, HOLD)
    order(world, slot, ATTACK, target=target)
    step(world, 8)
    assert lost(world, target) > 0
    assert (lost(world, rock) > 0) == hurt
    assert lost(world, minerals) == 0


@pytest.mark.parametrize(
    ("target", "hurt"),
    [("MissileTurret", True), ("Bunker", False), ("SupplyDepot", False), ("SupplyDepotLowered", True)],
)
def test_a_sieged_tank_splashes_round_small_targets_and_lowered_depots_only(target: str, hurt: bool) -> None:
    world = arena()
    tank, structure = put(world, "SiegeTankSieged", 1, 10, 20), put(world, target, 2, 20, 20)
    worker = put(world, "SCV", 2, 20.0, 21.5)
    world.units["turret"][tank] = 0
    order(world, worker, HOLD)
    order(world, tank, ATTACK, target=structure)
    step(world, 6)
    assert lost(world, structure) > 0
    assert (lost(world, worker) > 0) == hurt


def test_sieged_tanks_do_not_fire_below_their_minimum_range() -> None:
    world = arena()
    tank, close = put(world, "SiegeTankSieged", 1, 10, 20), put(world, "Roach", 2, 12.5, 20)
    order(world, close, HOLD)
    order(world, tank, ATTACK, target=close)
    step(world, 60)
    assert lost(world, close) == 0
    assert world.units["order_count"][tank] == 0


def test_a_baneling_blows_up_with_all_around_it() -> None:
    world = arena()
    bane = put(world, "Baneling", 2, 20, 20)
    marines = [put(world, "Marine", 1, 20.9 + 0.8 * k, 20) for k in range(3)]
    far, tough = put(world, "Marine", 1, 23.4, 22), put(world, "Marauder", 1, 20, 21.3)
    world.types["weapons"][1] = -1
    world.types["separation"] = 0
    order(world, bane, ATTACK, target=marines[0])
    events = step(world, 5)
    assert [event[2] for event in events if event[1] == DEATH] == [bane]
    assert [lost(world, s) for s in (*marines, far, tough)] == [35, 35, 35, 0, 15]


def test_a_baneling_hurts_structures_more_and_friends_not_at_all() -> None:
    world = arena()
    bane, ling = put(world, "Baneling", 2, 18.2, 20), put(world, "Zergling", 2, 18, 20.8)
    depot = put(world, "SupplyDepot", 1, 20, 20)
    world.types["weapons"][2, facts().ids["Zergling"]] = -1
    order(world, bane, ATTACK, target=depot)
    step(world, 10)
    assert lost(world, depot) == 80, "without regard to its armour"
    assert lost(world, ling) == 0
    assert not world.units["alive"][bane]


def test_mutalisk_bounces_hit_three_with_a_third_each_time() -> None:
    world = arena()
    muta = put(world, "Mutalisk", 2, 10, 10)
    marines = [put(world, "Marine", 1, 13 + 1.5 * k, 10) for k in range(4)]
    world.types["weapons"][1] = -1
    order(world, muta, ATTACK, target=marines[0])
    loops = 0
    while lost(world, marines[0]) == 0 and loops < 60:
        step(world)
        loops += 1
    for expected in ([9, 0, 0, 0], [9, 3, 0, 0], [9, 3, 1, 0], [9, 3, 1, 0]):
        assert [lost(world, s) for s in marines] == pytest.approx(expected, abs=0.01)
        step(world)


def test_a_glaive_is_lost_whose_next_target_dies_on_its_way() -> None:
    world = arena()
    muta = put(world, "Mutalisk", 2, 10, 10)
    marines = [put(world, "Marine", 1, 13 + 1.5 * k, 10) for k in range(3)]
    world.types["weapons"][1] = -1
    order(world, muta, ATTACK, target=marines[0])
    while lost(world, marines[0]) == 0:
        step(world)
    world.units["alive"][marines[1]] = 0
    step(world, 4)
    assert lost(world, marines[2]) == 0


def test_a_mothership_strikes_its_target_and_the_four_nearest_around_it() -> None:
    world = arena()
    mothership = put(world, "Mothership", 1, 20, 20)
    world.types["weapons"][2] = -1
    world.types["hp_regen"] = 0
    far, *near = [put(world, "Marine", 2, 20 + away, 20) for away in (7.7, 2, 3, 4, 5, 6)]
    order(world, mothership, ATTACK, target=far)
    loops = 0
    while lost(world, far) == 0 and loops < 40:
        step(world)
        loops += 1
    assert [lost(world, slot) for slot in (far, *near)] == [24, 24, 24, 24, 24, 0]


def test_a_colossus_burns_what_stands_across_its_line_of_fire() -> None:
    world = arena()
    colossus, target = put(world, "Colossus", 1, 10, 20), put(world, "Zergling", 2, 16, 20)
    radius = facts().types["radius"][facts().ids["Zergling"]]
    world.types["separation"] = world.types["hp_regen"] = 0
    world.types["weapons"][2] = world.types["weapons"][1, facts().ids["Zergling"]] = -1
    beside, end = put(world, "Zergling", 2, 16, 21), put(world, "Zergling", 2, 16, 20 - 1.3 - radius)
    beyond, before = put(world, "Zergling", 2, 16, 20 + 1.5 + radius), put(world, "Zergling", 2, 13, 20)
    behind, friend = put(world, "Zergling", 2, 17, 20), put(world, "Zergling", 1, 16, 20.5)
    order(world, colossus, ATTACK, target=target)
    for zergling in (target, beside, end, beyond, before, behind, friend):
        world.units["hp"][zergling] = world.units["hp_max"][zergling] = 100
    step(world, 8)
    assert [lost(world, slot) for slot in (target, beside, end)] == [30, 30, 30], "two lances of 10 +5 light"
    assert [lost(world, slot) for slot in (beyond, before, behind, friend)] == [0, 0, 0, 0]


@pytest.mark.parametrize(("name", "across"), [("Hellion", False), ("Colossus", True)])
def test_splash_reaches_the_buried_and_bounces_the_seen_only(name: str, across: bool) -> None:
    world = arena()
    shooter, target = put(world, name, 1, 10, 20), put(world, "Roach", 2, 14, 20)
    buried = put(world, "RoachBurrowed", 2, 14 if across else 15, 21 if across else 20)
    world.units["flags"][buried] |= BURROWED
    world.types["weapons"][2] = -1
    world.types["separation"] = 0
    order(world, shooter, ATTACK, target=target)
    step(world, 12)
    assert lost(world, target) > 0
    assert lost(world, buried) > 0
    mutalisk, marine = put(world, "Mutalisk", 1, 24, 30), put(world, "Marine", 2, 26, 30)
    hidden = put(world, "RoachBurrowed", 2, 27, 30)
    world.units["flags"][hidden] |= BURROWED
    order(world, mutalisk, ATTACK, target=marine)
    step(world, 20)
    assert lost(world, marine) > 0
    assert lost(world, hidden) == 0


def test_a_sentry_hurts_shields_more_than_life() -> None:
    world = arena()
    steady(world, "Sentry")
    sentry, zealot = put(world, "Sentry", 1, 10, 10), put(world, "Zealot", 2, 14, 10)
    world.types["weapons"][2] = -1
    world.types["shield_regen"] = 0
    world.units["shield"][zealot] = 15
    order(world, zealot, HOLD)
    order(world, sentry, ATTACK, target=zealot)
    hits = []
    for _ in range(60):
        before = float(world.units["hp"][zealot]), float(world.units["shield"][zealot])
        step(world)
        loss = before[0] - float(world.units["hp"][zealot]), before[1] - float(world.units["shield"][zealot])
        hits += [loss] if max(loss) > 0 else []
    assert hits[0] == pytest.approx((0, 10)), "6, and 4 more of it against shields"
    assert hits[1] == pytest.approx((4, 5)), "10 - 5 of it are left, and armour takes one"
    assert hits[2] == pytest.approx((5, 0))


@pytest.mark.parametrize(("name", "period"), [("VoidRay", 8), ("Sentry", 16)])
def test_beams_strike_in_even_intervals(name: str, period: int) -> None:
    world = arena()
    shooter, victim = put(world, name, 1, 10, 10), put(world, "Ultralisk", 2, 14, 10)
    world.types["weapons"][2] = -1
    world.types["hp_regen"] = 0
    order(world, victim, HOLD)
    order(world, shooter, ATTACK, target=victim)
    strikes, before = [], 0.0
    for loop in range(120):
        step(world)
        if lost(world, victim) > before:
            strikes.append(loop)
            before = lost(world, victim)
    assert {b - a for a, b in itertools.pairwise(strikes)} == {period}


def test_an_image_has_no_armour_and_takes_twice_as_much() -> None:
    world = arena()
    marine, image = put(world, "Marine", 1, 10, 10), put(world, "Immortal", 2, 14, 10)
    world.types["weapons"][2] = -1
    world.units["flags"][image] |= HALLUCINATION
    world.types["shield_regen"] = world.units["shield"][image] = 0
    order(world, marine, ATTACK, target=image)
    step(world, 6)
    assert lost(world, image) - float(world.units["shield_max"][image]) == 12


def test_hellion_flames_hit_the_whole_line() -> None:
    world = arena()
    hellion = put(world, "Hellion", 1, 10, 10)
    lings = [put(world, "Zergling", 2, 12 + k, 10) for k in range(3)]
    beside = put(world, "Zergling", 2, 13, 11.5)
    world.types["weapons"][2] = -1
    world.types["hp_regen"] = 0
    world.types["separation"] = 0
    order(world, hellion, ATTACK, target=lings[0])
    loops = 0
    while lost(world, lings[0]) == 0 and loops < 60:
        step(world)
        loops += 1
    assert [lost(world, s) for s in lings] == [14, 14, 14]
    assert lost(world, beside) == 0


@pytest.mark.parametrize(("name", "hurt"), [("HellionTank", (0, 30, 330)), ("Ultralisk", (0, 60, 90, 270, 300))])
def test_blades_and_flames_hit_who_stands_before_them(name: str, hurt: tuple[int, ...]) -> None:
    """Catalog: a cone of 45 degrees, or of 180; who reaches into it with his body is hit."""
    world = arena()
    shooter = put(world, name, 1, 20, 20)
    away = float(facts().types["radius"][facts().ids[name]]) + 1.0
    ring = {}
    for angle in (0, 30, 60, 90, 130, 180, 230, 270, 300, 330):
        turned = math.radians(angle)
        ring[angle] = put(world, "Roach", 2, 20 + away * math.cos(turned), 20 + away * math.sin(turned))
        world.units["flags"][ring[angle]] |= DISARMED | IMMOBILE
    order(world, shooter, ATTACK, target=ring[0])
    step(world, 8)
    assert lost(world, ring[0]) > 0
    assert set(hurt) <= {angle for angle, slot in ring.items() if lost(world, slot)}
    assert not any(lost(world, ring[angle]) for angle in (130, 180, 230))
    assert name == "Ultralisk" or not lost(world, ring[90])


def test_concussive_shells_slow_all_but_the_massive() -> None:
    world = arena()
    world.weapons["slow_buff"][1, weapon_row("Marauder")] = 33
    shooters = [put(world, "Marauder", 1, 10, y) for y in (10, 30)]
    roach, ultra = put(world, "Roach", 2, 14, 10), put(world, "Ultralisk", 2, 15, 30)
    for shooter, target in zip(shooters, (roach, ultra), strict=True):
        steady(world, "Marauder")
        order(world, shooter, ATTACK, target=target)
    step(world, 12)
    assert world.units["speed_factor"][roach] == 0.5
    assert world.units["speed_factor"][ultra] == 1
    for shooter in shooters:
        order(world, shooter, HOLD)
        world.units["flags"][shooter] |= 1 << 7
    step(world, 40)
    assert world.units["speed_factor"][roach] == 1


def test_zealots_hit_twice_and_armour_counts_twice() -> None:
    world = arena()
    zealot, marauder = put(world, "Zealot", 1, 10, 10), put(world, "Marauder", 2, 11, 10)
    order(world, zealot, ATTACK, target=marauder)
    step(world, 5)
    assert lost(world, marauder) == 2 * (8 - 1)


def test_turrets_turn_by_themselves() -> None:
    world = arena()
    tank, target = put(world, "SiegeTankSieged", 1, 10, 20, facing=math.pi), put(world, "Roach", 2, 20, 20)
    order(world, tank, ATTACK, target=target)
    step(world, 30)
    assert lost(world, target) > 0
    assert abs(world.units["facing"][tank]) == pytest.approx(math.pi, abs=1e-6)
    assert place(world, tank) == (10, 20)


@pytest.mark.parametrize(("name", "crosses"), [("SiegeTankSieged", False), ("Archon", True)])
@pytest.mark.parametrize("step_down", [0, 8, 16])
def test_splash_of_some_weapons_stays_on_its_side_of_a_cliff(name: str, crosses: bool, step_down: int) -> None:
    """A cliff is two cells high (16 levels); a ramp rises one at most within the reach of a splash."""
    world = arena()
    world.levels[:, 20:] -= step_down
    shooter = put(world, name, 1, 12 if name == "SiegeTankSieged" else 18, 20)
    target, other = put(world, "Marauder", 2, 19.6, 20), put(world, "Marauder", 2, 20.4, 20)
    for slot in (target, other):
        order(world, slot, HOLD)
        world.units["flags"][slot] |= DISARMED
    order(world, shooter, ATTACK, target=target)
    step(world, 40)
    assert lost(world, target) > 0
    assert (lost(world, other) > 0) == (crosses or step_down < 16)
