"""Time to kill to the loop, armour, shields, bonus, stim, facing, range."""

from __future__ import annotations

import itertools
import math

import pytest

from sim.engine.bufftable import add_buff
from sim.engine.catalog import AIR, GROUND
from sim.engine.parameters import READY
from sim.engine.state import ATTACK, ATTACK_MOVE, DEATH, DISARMED, HIT, HOLD, MOVE, UNFINISHED
from tests.sim.engine.worlds import arena, facts, order, place, put, steady, step

STIMPACK = 27


def row_of(name: str, k: int = 0):
    """A type's weapon row as the facts have it."""
    known = facts()
    return known.weapons[known.types["weapons"][known.ids[name], k]]


def expected_death(shooter: str, victim: str, rate: float = 1.0) -> int:
    """Loop of death by the book: whole attacks, each a whole number of loops, the last at its damage point, or with a
    later hit of its."""
    known = facts()
    weapon, kind = row_of(shooter), known.types[known.ids[victim]]
    hit = weapon["damage"]
    if kind["attributes"] & weapon["bonus_attribute"]:
        hit += weapon["bonus"]
    shield, life, attacks, later = float(kind["shield"]), float(kind["hp"]), 0, 0
    while life > 0:
        attacks += 1
        for number in range(weapon["attacks"]):
            if life <= 0:
                break
            later = round(number * float(weapon["apart"]))
            through = max(hit - kind["shield_armor"], 0.5)
            if shield >= through:
                shield -= through
                continue
            rest = through - shield if shield > 0 else hit
            shield = 0.0
            life -= max(rest - kind["armor"], 0.5)
    cycle = math.ceil(weapon["period"] / rate - READY)
    wind_up = math.ceil(weapon["damage_point"] / rate - 1e-4)
    return 1 + (attacks - 1) * cycle + wind_up + later


@pytest.mark.parametrize(
    ("shooter", "victim"),
    [
        ("Marine", "Marauder"),
        ("Marine", "SCV"),
        ("Marine", "Stalker"),
        ("SiegeTank", "Roach"),
        ("SiegeTank", "Zergling"),
        ("Zealot", "Marine"),
        ("Zergling", "Marauder"),
        ("Roach", "Marine"),
        ("Banshee", "SiegeTank"),
    ],
)
def test_time_to_kill_is_the_books(shooter: str, victim: str) -> None:
    world = arena()
    steady(world, shooter)
    world.types["hp_regen"] = 0
    world.weapons["missile_speed"] = 0
    world.types["weapons"][2, facts().ids[victim]] = -1
    killer = put(world, shooter, 1, 10, 10)
    dead = put(world, victim, 2, 10.95, 10)
    world.units["facing"][killer] = world.units["turret"][killer] = 0
    order(world, killer, ATTACK, target=dead)
    order(world, dead, HOLD)
    deaths = [event for event in step(world, 2000) if event[1] == DEATH]
    assert [(loop, unit, by) for loop, _, unit, by, _ in deaths] == [(expected_death(shooter, victim), dead, 1)]


@pytest.mark.parametrize(
    ("shooter", "loops", "mean"),
    [("Marine", (13, 14, 15, 16), 14.4), ("SiegeTankSieged", (47, 48, 49, 50), 48.7)],
)
def test_gaps_of_shots_are_those_of_real_kills(shooter: str, loops: tuple[int, ...], mean: float) -> None:
    """172 and 949 gaps between kills of one unit in real games."""
    world = arena()
    gunner, dummy = put(world, shooter, 1, 10, 10), put(world, "CommandCenter", 2, 17, 10)
    world.types["armor"][2, facts().ids["CommandCenter"]] = 0
    world.units["hp"][dummy] = world.units["hp_max"][dummy] = 20000
    order(world, gunner, ATTACK, target=dummy)
    shots, life = [], world.units["hp"][dummy]
    for loop in range(7000):
        step(world)
        if world.units["hp"][dummy] < life:
            life = world.units["hp"][dummy]
            shots.append(loop)
    gaps = [b - a for a, b in itertools.pairwise(shots)]
    assert set(gaps) == set(loops)
    assert sum(gaps) / len(gaps) == pytest.approx(mean, abs=0.2)


def test_stim_multiplies_speed_and_attack_and_ends_after_its_time() -> None:
    world = arena()
    steady(world, "Marine")
    plain, stimmed = put(world, "Marine", 1, 5, 5), put(world, "Marine", 1, 5, 15)
    add_buff(world.units[stimmed], world.buffs, STIMPACK)
    for slot in (plain, stimmed):
        order(world, slot, MOVE, 38, place(world, slot)[1])
    step(world, 100)
    gone = [place(world, slot)[0] - 5 for slot in (plain, stimmed)]
    assert gone[1] / gone[0] == pytest.approx(1.5, rel=0.02)
    assert world.units["buff_left"][stimmed][0] == 140
    step(world, 140)
    assert world.units["speed_factor"][stimmed] == 1
    assert not world.units["buff"][stimmed].any()


def test_stimmed_marine_kills_as_fast_as_the_factor_says() -> None:
    world = arena()
    steady(world, "Marine")
    marine, dead = put(world, "Marine", 1, 10, 10), put(world, "SCV", 2, 14, 10)
    add_buff(world.units[marine], world.buffs, STIMPACK)
    order(world, dead, HOLD)
    order(world, marine, ATTACK, target=dead)
    deaths = [event for event in step(world, 300) if event[1] == DEATH]
    assert deaths[0][0] == expected_death("Marine", "SCV", 1.5)


def test_at_least_half_a_point_comes_through() -> None:
    world = arena()
    marine, tower = put(world, "Marine", 1, 10, 10), put(world, "Bunker", 2, 15, 10)
    world.types["armor"][2, facts().ids["Bunker"]] = 50
    full = world.units["hp"][tower]
    order(world, marine, ATTACK, target=tower)
    step(world, 3)
    assert full - world.units["hp"][tower] == 0.5


def test_structures_have_no_armour_before_they_are_complete() -> None:
    world = arena()
    world.weapons["random_min"] = world.weapons["random_max"] = 0
    sites = [put(world, "SupplyDepot", 2, 13, 10), put(world, "SupplyDepot", 2, 13, 20)]
    world.units["flags"][sites[0]] |= UNFINISHED
    for k, site in enumerate(sites):
        order(world, put(world, "Marine", 1, 10, 10 + 10 * k), ATTACK, target=site)
    step(world, 8)
    lost = [float(world.units["hp_max"][site] - world.units["hp"][site]) for site in sites]
    assert lost == [6, 5]


def test_a_unit_must_turn_before_it_fires() -> None:
    world = arena()
    ready, turned = put(world, "Marine", 1, 10, 10), put(world, "Marine", 1, 10, 20, facing=math.pi)
    targets = [put(world, "CommandCenter", 2, 16, y) for y in (10, 20)]
    for slot, target in zip((ready, turned), targets, strict=True):
        order(world, slot, ATTACK, target=target)
    first = {event[2]: event[0] for event in step(world, 12) if event[1] == HIT}
    assert first[targets[1]] - first[targets[0]] == 2  # half a turn at 62.5 degrees a loop, to within the arc


@pytest.mark.parametrize(("shooter", "loops"), [("Zealot", 4), ("Reaper", 2), ("Thor", 6), ("Queen", 5)])
def test_later_hits_of_an_attack_come_on_who_is_still_in_range(shooter: str, loops: int) -> None:
    """Between kills of real Zealots lie 14 to 16, 19 to 21 and 23 to 25 loops: the last hit is one or the other."""
    world = arena()
    world.weapons["missile_speed"] = 0
    weapon = next(row for k in range(2) if (row := row_of(shooter, k))["targets"] & GROUND)
    away = float(weapon["range"]) + float(facts().types[facts().ids[shooter]]["radius"]) + 2.4
    killer, victim = put(world, shooter, 1, 10, 10), put(world, "CommandCenter", 2, 10 + away, 10)
    each = float(weapon["damage"]) - 1  # of armour
    order(world, killer, HOLD)
    life, hits = float(world.units["hp"][victim]), []
    while len(hits) < 3:
        step(world)
        if (left := float(world.units["hp"][victim])) < life:
            hits.append(int(world.world["loop"][0]))
            assert life - left == pytest.approx(each)
            life = left
    assert hits[1] - hits[0] == loops
    world.units["x"][victim] += 3  # out of range after the first hit of the second attack
    step(world, 10)
    assert float(world.units["hp"][victim]) == life


def test_who_has_killed_walks_to_the_next_at_once() -> None:
    """Between kills of one Dark Templar lie 26 to 30 loops for 56 of 63 real pairs of victims up to two cells apart,
    though its backswing lasts 21: it walks to the next meanwhile."""
    world = arena()
    templar = put(world, "DarkTemplar", 1, 10, 10)
    victims = [put(world, "Marine", 2, 10.8 + 2.0 * k, 10) for k in range(4)]
    world.units["flags"][victims] |= DISARMED
    order(world, templar, ATTACK_MOVE, 30, 10)
    deaths = [event[0] for event in step(world, 200) if event[1] == DEATH]
    assert len(deaths) == 4
    assert all(26 <= b - a <= 30 for a, b in itertools.pairwise(deaths))


def test_who_has_lost_its_target_looks_for_the_next_at_once() -> None:
    """Not when its turn to look comes, once in four loops."""
    world = arena()
    marines = [put(world, "Marine", 1, 5 + 3 * (k % 10), 5 + 12 * (k // 10)) for k in range(20)]
    first = [put(world, "SCV", 2, world.units["x"][slot], world.units["y"][slot] + 2) for slot in marines]
    second = [put(world, "SCV", 2, world.units["x"][slot], world.units["y"][slot] + 4) for slot in marines]
    for slot in marines:
        order(world, slot, HOLD)
    step(world, 8)
    assert set(world.units["target"][marines]) <= set(first)
    world.units["hp"][first] = 0
    step(world, 2)
    assert not world.units["alive"][first].any()
    assert set(world.units["target"][marines]) == set(second)


def test_a_turret_at_rest_stays_as_it_is() -> None:
    world = arena()
    tank, target = put(world, "SiegeTank", 1, 10, 10), put(world, "SCV", 2, 10, 15)
    order(world, tank, HOLD)
    order(world, target, HOLD)
    step(world, 40)
    assert not world.units["alive"][target]
    assert world.units["turret"][tank] == pytest.approx(math.pi / 2, abs=0.2)
    order(world, tank, MOVE, 20, 10)
    step(world, 20)
    assert world.units["turret"][tank] == world.units["facing"][tank]


def test_range_counts_from_edge_to_edge() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 10, 10)
    inside, outside = put(world, "CommandCenter", 2, 10 + 5 + 0.375 + 2.5 - 0.02, 10), put(world, "Marine", 2, 30, 30)
    order(world, marine, HOLD)
    step(world, 40)
    assert world.units["target"][marine] == inside
    assert place(world, marine) == (10, 10)
    world.units["x"][inside] += 0.1
    step(world, 40)
    assert world.units["target"][marine] == -1
    assert world.units["alive"][outside]


def test_a_started_shot_may_be_outrun_by_the_slop_only() -> None:
    world = arena()
    tank, runner = put(world, "Marine", 1, 10, 10), put(world, "Marine", 2, 15.7, 10)
    world.weapons["damage_point"] = 6
    order(world, tank, ATTACK, target=runner)
    step(world, 2)
    assert world.units["windup"][tank] > 0
    world.units["x"][runner] += 0.9
    step(world, 6)
    assert world.units["hp"][runner] < 45
    hp = world.units["hp"][runner]
    world.units["cooldown"][tank] = 0
    world.units["x"][runner] = world.units["x"][tank] + 5.6
    step(world, 2)
    world.units["x"][runner] += 3
    step(world, 2)
    assert world.units["windup"][tank] < 0
    assert world.units["hp"][runner] == hp


def test_kiting_shoots_without_loss_of_rate() -> None:
    """A marauder that steps back while its weapon cools down fires as often as one that stands."""
    world = arena()
    steady(world, "Marauder")
    runner, still = put(world, "Marauder", 1, 15, 10), put(world, "Marauder", 1, 15, 30)
    world.weapons["missile_speed"] = 0
    world.weapons["range"][1] += 4  # so that it stays in reach while it steps back
    dummies = [put(world, "CommandCenter", 2, 21, y) for y in (10, 30)]
    order(world, still, ATTACK, target=dummies[1])
    for loop in range(24 * 5):
        if loop % 24 == 0:
            order(world, runner, ATTACK, target=dummies[0])
        elif loop % 24 == 3:
            order(world, runner, MOVE, 5, 10)
        elif loop % 24 == 12:
            order(world, runner, MOVE, 25, 10)
        step(world)
    hits = [(world.units["hp_max"][d] - world.units["hp"][d]) / 19 for d in dummies]
    assert hits[0] == hits[1] == 5


@pytest.mark.parametrize("name", ["Tempest", "Queen", "Thor"])
def test_all_weapons_of_a_unit_cool_down_together(name: str) -> None:
    """Catalog: LinkedCooldown. Who turns on a flyer after its shot at the ground waits for the whole of its period."""
    world = arena()
    rows = sorted((row_of(name, k) for k in range(2)), key=lambda row: int(row["targets"]))
    assert [int(row["targets"]) for row in rows] == [GROUND, AIR]
    wait = float(rows[0]["period"] - rows[0]["damage_point"] + rows[1]["damage_point"])
    steady(world, name)
    fighter, ground = put(world, name, 1, 10, 20), put(world, "Ultralisk", 2, 14.5, 20)
    flyer = put(world, "Battlecruiser", 2, 14.5, 20.5)
    world.types["speed"][2] = world.weapons["damage"][2] = world.weapons["missile_speed"] = 0
    order(world, fighter, ATTACK, target=ground)
    first = 0
    while world.units["hp"][ground] == world.units["hp_max"][ground]:
        step(world)
        first += 1
    order(world, fighter, ATTACK, target=flyer)
    second = 0
    while world.units["hp"][flyer] == world.units["hp_max"][flyer]:
        step(world)
        second += 1
    assert second == pytest.approx(wait, abs=2)


def test_who_chases_sets_out_when_its_backswing_is_over() -> None:
    """As observed of 4.10: a Marine that fires in the second loop and whose target walks out of its range in the ninth
    takes its first step in the fourteenth, twelve loops of backswing after the shot."""
    world = arena(80, 40)
    marine, runner = put(world, "Marine", 1, 10, 20), put(world, "Marine", 2, 14.56, 20)
    order(world, marine, ATTACK, target=runner)
    order(world, runner, MOVE, 70, 20)
    left, set_out = [], []
    for loop in range(1, 20):
        step(world)
        if place(world, runner)[0] - place(world, marine)[0] - 0.75 > 5.0:
            left.append(loop)
        if place(world, marine)[0] > 10.0:
            set_out.append(loop)
    assert world.units["hp"][runner] == world.units["hp_max"][runner] - 6
    assert (left[0], set_out[0]) == (9, 14)


def test_a_move_order_before_the_damage_point_breaks_the_shot_off() -> None:
    world = arena()
    tank, dummy = put(world, "SiegeTank", 1, 10, 10), put(world, "CommandCenter", 2, 17, 10)
    order(world, tank, ATTACK, target=dummy)
    step(world, 2)
    assert world.units["windup"][tank] > 0
    order(world, tank, MOVE, 5, 10)
    step(world, 5)
    assert world.units["hp"][dummy] == world.units["hp_max"][dummy]
    assert world.units["cooldown"][tank].max() == 0


def test_nobody_shoots_at_who_was_killed_in_the_same_loop() -> None:
    world = arena()
    tanks = [put(world, "SiegeTankSieged", 1, 4 + 3 * k, 8) for k in range(4)]
    victim = put(world, "Zergling", 2, 10, 16)
    world.types["speed"][2] = 0
    for tank in tanks:
        world.units["turret"][tank] = math.atan2(16 - 8, 10 - world.units["x"][tank])
        order(world, tank, ATTACK, target=victim)
    step(world, 5)
    assert not world.units["alive"][victim]
    assert sorted((world.units["cooldown"][tanks].max(axis=1) > 20).tolist()) == [False, False, False, True]
    put(world, "Zergling", 2, 10, 16)
    step(world, 8)
    assert (world.units["cooldown"][tanks].max(axis=1) > 20).sum() == 2, "the others are ready for the next"


def test_both_die_when_both_shoot_in_the_same_loop() -> None:
    world = arena()
    a, b = put(world, "Marine", 1, 10, 10), put(world, "Marine", 2, 14, 10, facing=math.pi)
    steady(world, "Marine")
    world.units["hp"][[a, b]] = 6
    order(world, a, ATTACK, target=b)
    order(world, b, ATTACK, target=a)
    step(world, 4)
    assert not world.units["alive"][[a, b]].any()
