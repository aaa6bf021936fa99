"""Hidden units and ghosts: cloak, infiltration, aimed skills, nukes."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from sc2.data import Alert
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId as U

from bot.micro import reader
from bot.micro.task import Mode
from bot.orders import Attack, Cast, Move
from tests.bot.skirmish import FORWARD, INFILTRATE, SPECIALS, Skirmish, casts, crowd


@pytest.fixture
def fight() -> Skirmish:
    skirmish = Skirmish()
    skirmish.upgrades = SPECIALS
    return skirmish


def test_cloak_only_on_infiltration_where_nobody_detects(fight: Skirmish) -> None:
    banshee = fight.own(U.BANSHEE, 50, 50)
    fight.foe(U.HYDRALISK, 50, 58)
    fight.foe(U.OVERSEER, 50, 90, detect_range=11.0)
    assert A.BEHAVIOR_CLOAKON_BANSHEE not in casts(fight.orders(FORWARD)[banshee])
    assert A.BEHAVIOR_CLOAKON_BANSHEE in casts(fight.orders(INFILTRATE)[banshee])
    fight.foe(U.OVERSEER, 50, 57, detect_range=11.0)
    assert A.BEHAVIOR_CLOAKON_BANSHEE not in casts(fight.orders(INFILTRATE)[banshee])


def test_cloak_needs_research_energy_and_ends_in_safety(fight: Skirmish) -> None:
    tired = fight.own(U.BANSHEE, 50, 50, energy=20)
    fight.foe(U.HYDRALISK, 50, 58)
    assert casts(fight.orders(INFILTRATE)[tired]) == []
    fight.upgrades = frozenset()
    fresh = fight.own(U.BANSHEE, 51, 50)
    assert casts(fight.orders(INFILTRATE)[fresh]) == []
    calm = Skirmish()
    cloaked = calm.own(U.BANSHEE, 50, 50, cloak=4)
    assert A.BEHAVIOR_CLOAKOFF_BANSHEE in casts(calm.orders(INFILTRATE)[cloaked])


@pytest.mark.parametrize(
    ("energy", "away", "cloaks"), [(60, 7.8, True), (40, 7.8, False), (40, 7.0, True), (60, 8.5, False)]
)
def test_cloak_begins_shortly_before_an_enemys_range_and_under_fire_with_little_energy(
    fight: Skirmish, energy: float, away: float, cloaks: bool
) -> None:
    banshee = fight.own(U.BANSHEE, 50, 50, energy=energy)
    fight.foe(U.HYDRALISK, 50, 50 + away + 0.75)
    assert (A.BEHAVIOR_CLOAKON_BANSHEE in casts(fight.orders(INFILTRATE)[banshee])) is cloaks


@pytest.mark.parametrize(("away", "shows"), [(15.0, False), (20.0, True)])
def test_cloak_stays_on_while_an_enemy_is_near(fight: Skirmish, away: float, shows: bool) -> None:
    banshee = fight.own(U.BANSHEE, 50, 50, cloak=4)
    fight.foe(U.HYDRALISK, 50, 50 + away)
    fight.foe(U.HYDRALISK, 50, 95)
    assert (A.BEHAVIOR_CLOAKOFF_BANSHEE in casts(fight.orders(INFILTRATE)[banshee])) is shows


def test_discovered_infiltrators_leave_unless_they_strike(fight: Skirmish) -> None:
    banshee = fight.own(U.BANSHEE, 50, 50, cloak=4)
    waiting = dataclasses.replace(INFILTRATE, mode=Mode.HOLD)
    fight.foe(U.HYDRALISK, 50, 54)
    assert isinstance(fight.only(banshee, waiting), Attack)
    fight.foe(U.SPORECRAWLER, 50, 56, detect_range=11.0)
    assert fight.only(banshee, waiting) == Move(banshee, INFILTRATE.home)
    assert isinstance(fight.only(banshee, INFILTRATE), Attack)  # its raid leaves when so many shoot that it must


def test_ghosts_snipe_what_is_worth_it_and_never_twice(fight: Skirmish) -> None:
    ghosts = [fight.own(U.GHOST, 50 + k, 50) for k in range(3)]
    for k in range(4):
        fight.foe(U.ZERGLING, 49 + k, 58)
    infestor = fight.foe(U.INFESTOR, 50, 59, health=90, health_max=90)
    snipes = [o.target for orders in fight.orders().values() for o in orders if isinstance(o, Cast)]
    assert snipes == [infestor], "one shot kills it; zerglings are not worth one"
    fight.own(U.MARINE, 40, 50)
    aiming = Skirmish()
    aiming.own(U.GHOST, 50, 50)
    second = aiming.own(U.GHOST, 51, 50)
    foe = aiming.foe(U.INFESTOR, 50, 59, health=90, health_max=90)
    order = aiming._units[0]._proto.orders.add()
    order.ability_id, order.target_unit_tag = A.EFFECT_GHOSTSNIPE.value, foe
    given = aiming.orders()
    assert given[1] == [], "it aims"
    assert casts(given[second]) == [], "the shot on its way counts"
    assert len(ghosts) == 3


def test_emp_goes_where_shields_and_energy_are(fight: Skirmish) -> None:
    ghost = fight.own(U.GHOST, 50, 50)
    fight.foe(U.ROACH, 50, 57)
    assert A.EMP_EMP not in casts(fight.orders()[ghost])
    for k in range(3):
        fight.foe(U.STALKER, 52 + 0.8 * k, 57, shield=80, shield_max=80, health=80, health_max=80, energy=0)
    (order,) = fight.orders()[ghost]
    assert order.cast is A.EMP_EMP
    assert np.hypot(order.target[0] - 52.8, order.target[1] - 57) < 1.0


def test_nukes_need_the_mission_and_stay_clear_of_friends(fight: Skirmish) -> None:
    ghost = fight.own(U.GHOST, 50, 50)
    for x, y in crowd(9, 49, 60):
        fight.foe(U.ROACH, x, y)
    assert A.TACNUKESTRIKE_NUKECALLDOWN not in casts(fight.orders(INFILTRATE)[ghost]), "there is none"
    fight.nuke = True
    assert A.TACNUKESTRIKE_NUKECALLDOWN not in casts(fight.orders(FORWARD)[ghost])
    assert A.TACNUKESTRIKE_NUKECALLDOWN in casts(fight.orders(INFILTRATE)[ghost])
    fight.own(U.MARINE, 50, 60)
    assert A.TACNUKESTRIKE_NUKECALLDOWN not in casts(fight.orders(INFILTRATE)[ghost])


def test_nukes_fall_where_they_kill_most_of_what_the_ghost_sees(fight: Skirmish) -> None:
    fight.nuke = True
    ghost = fight.own(U.GHOST, 50, 50)
    fight.foe(U.HATCHERY, 50, 60, health=1500, health_max=1500, radius=2.0)
    drones = [fight.foe(U.DRONE, x, y) for x, y in crowd(9, 41, 55)]
    for x, y in crowd(9, 60, 58):
        fight.foe(U.DRONE, x, y)  # as many, but too far to be seen
    (order,) = [o for o in fight.orders(INFILTRATE)[ghost] if o.cast is A.TACNUKESTRIKE_NUKECALLDOWN]
    near = [unit.position for unit in fight._units if unit.tag in drones]
    assert order.target in [(p.x, p.y) for p in near]


def test_the_rim_of_a_blast_only_wounds(fight: Skirmish) -> None:
    fight.nuke = True
    ghost = fight.own(U.GHOST, 50, 50)
    close = [(42.0, 56.0), (43.0, 56.0), (42.0, 57.0)]
    for x, y in [(58.0, 56.0), (58.0, 63.0), (65.0, 56.0), (63.0, 61.0), *close]:
        fight.foe(U.ROACH, x, y)
    (order,) = [o for o in fight.orders(INFILTRATE)[ghost] if o.cast is A.TACNUKESTRIKE_NUKECALLDOWN]
    assert order.target in close, "of the four others one would be killed"


def test_two_missiles_do_not_fall_on_one_place(fight: Skirmish) -> None:
    fight.nuke = True
    for k in range(2):
        fight.own(U.GHOST, 50 + k, 50)
    for x, y in crowd(9, 49, 60):
        fight.foe(U.ROACH, x, y)
    assert sum(casts(orders) == [A.TACNUKESTRIKE_NUKECALLDOWN] for orders in fight.orders(INFILTRATE).values()) == 1


def test_who_is_hidden_is_calm(fight: Skirmish) -> None:
    fight.nuke = True
    ghost = fight.own(U.GHOST, 50, 50, cloak=4)
    for x, y in crowd(9, 49, 60):
        fight.foe(U.DRONE, x, y)
    fight.foe(U.SPINECRAWLER, 50, 56)
    assert A.TACNUKESTRIKE_NUKECALLDOWN in casts(fight.orders(INFILTRATE)[ghost])
    fight.foe(U.OVERSEER, 50, 55, detect_range=11.0)
    assert A.TACNUKESTRIKE_NUKECALLDOWN not in casts(fight.orders(INFILTRATE)[ghost])


def test_nukes_are_counted_by_alerts_and_launches() -> None:
    silos, quiet = reader.Silos(), SimpleNamespace(state=SimpleNamespace(alerts=[], effects=[]))
    dot = SimpleNamespace(id=EffectId.NUKEPERSISTENT, is_mine=True)
    theirs = SimpleNamespace(id=EffectId.NUKEPERSISTENT, is_mine=False)
    scan = SimpleNamespace(id=EffectId.SCANNERSWEEP, is_mine=True)
    made = SimpleNamespace(state=SimpleNamespace(alerts=[Alert.NukeComplete.value], effects=[theirs, scan]))
    launched = SimpleNamespace(state=SimpleNamespace(alerts=[], effects=[dot, theirs]))
    counts = []
    for moment in (quiet, made, quiet, launched, launched, quiet, launched):
        silos.hear(moment, 1)
        counts.append(silos.nukes)
    assert counts == [0, 1, 1, 0, 0, 0, 0]
    silos.hear(made, 1)
    silos.hear(quiet, 0)
    silos.hear(quiet, 1)
    assert silos.nukes == 0, "lost with its academy"
