"""When raids begin, whom they take, where they go, and what makes them leave, without a game."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.army.raids import infiltrate, targets
from bot.army.raids.manager import Raids
from bot.army.raids.raid import Phase, Raid, pressure, prey, seen_through
from bot.guard import Guard
from bot.knowledge.model import Sighting
from bot.micro.step import Micro
from bot.strategy.plan import Plan, Stance
from tests.bot.own import CENTRE, ENEMY_START, START, fake_bot, make_knowledge, structure, unit
from tests.bot.raiding import ARMY, CONFIG, PLAN, moment, raid_of
from tests.bot.skirmish import Skirmish, crowd

RULES = CONFIG["infiltrate"]
SOON = 16 * 14 * 25  # loops: four minutes and ten seconds, and a step in which raids are looked for


def banshees(count: int, first: int = 100, **fields: Any) -> list[Unit]:
    usual = {"is_flying": True, "energy": 100.0, "energy_max": 200.0, "health": 140.0, "health_max": 140.0, "cloak": 3}
    return [unit(U.BANSHEE, START.x + i, START.y, first + i, BOT, **(usual | fields)) for i in range(count)]


BOT = fake_bot(state=SimpleNamespace(effects=[], alerts=[], action_errors=[], game_loop=0))


class Theatre:
    """One step of the raids after another."""

    def __init__(self) -> None:
        self.guard = Guard()
        self.raids = Raids(self.guard, ARMY)
        self.micro = Micro(self.guard, "scripted")

    def step(self, units: list[Unit], loop: int, plan: Plan = PLAN, *, calm: bool = True, **fields: Any) -> list[Raid]:
        """The raids that run after a step; everybody may be taken."""
        values = {"upgrades": frozenset({UpgradeId.BANSHEECLOAK}), "loop": loop} | fields
        knowledge = make_knowledge([structure(CENTRE, *START, 1, BOT), *units], bot=BOT, **values)
        field = self.micro.see(knowledge)
        tasks = self.raids.step(knowledge, plan, field, np.arange(len(field.own)), calm=calm)
        assert not self.guard.errors
        assert tasks.keys() == self.raids.tags & set(field.own.tags)
        return self.raids.raids


def test_a_raid_takes_who_is_fit_and_goes_for_the_enemys_base() -> None:
    worn = [*banshees(1, 200, health=120.0), *banshees(1, 300, energy=74.0)]
    (raid,) = Theatre().step([*worn, *banshees(3)], SOON)
    assert (raid.kind, raid.phase, raid.base) == ("infiltrate", Phase.TRAVEL, ENEMY_START)
    assert raid.tags == {100, 101, 102}
    assert raid.home == START
    (raid,) = Theatre().step(banshees(5), SOON)
    assert len(raid.tags) == 4, "at most"
    assert Theatre().step(worn, SOON) == []


@pytest.mark.parametrize(("marines", "marauders", "aboard"), [(26, 0, 16), (25, 0, 0), (3, 16, 9), (0, 18, 8)])
def test_a_drop_fills_its_medivacs_and_leaves_enough_at_home(marines: int, marauders: int, aboard: int) -> None:
    loop = 16 * 14 * 44
    flyers = {"is_flying": True, "health": 150.0, "health_max": 150.0, "cargo_space_max": 8, "cloak": 3}
    team = [unit(U.MEDIVAC, 30 + i, 30, 100 + i, BOT, **flyers) for i in range(2)]
    team += [unit(U.MARINE, 31, 31, 200 + i, BOT) for i in range(marines)]
    team += [unit(U.MARAUDER, 31, 31, 300 + i, BOT) for i in range(marauders)]
    raids = Theatre().step(team, loop, supply_used=120)
    assert sum(len(raid.soldiers) for raid in raids) == aboard
    assert Theatre().step(team, loop, supply_used=100) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"calm": False},
        {"upgrades": frozenset()},
        {"loop": 16 * 14 * 23},
        {"loop": SOON + 4},
        {"plan": dataclasses.replace(PLAN, stance=Stance.HUNT)},
    ],
)
def test_no_raid_before_its_time_nor_while_everybody_is_needed(fields: dict[str, Any]) -> None:
    assert Theatre().step(banshees(2), **({"loop": SOON} | fields)) == []


def test_a_kind_of_raid_rests_and_a_base_that_was_raided_is_left_alone() -> None:
    theatre = Theatre()
    theatre.step(banshees(1), SOON)
    assert len(theatre.step(banshees(3), SOON + 16)) == 1, "one of a kind at a time"
    lost = SOON + 160
    soldier = [unit(U.MARINE, 30, 30, 7, BOT)]
    assert theatre.step(soldier, lost) == []
    for loop, started in ((lost + 16, 0), (lost + 320, 0), (lost + 16 * 85, 1)):
        assert len(theatre.step(banshees(1, 500), loop)) == started
    short = Theatre()
    short.step(banshees(1), SOON)
    short.step(soldier, SOON + 16)
    assert not short.step(banshees(1, 500), SOON + 32), "it rests"
    assert short.step(banshees(1, 500), SOON + 16 * 10), "so short a raid was none: the base may be chosen again"


def test_when_everybody_searches_raids_end() -> None:
    theatre = Theatre()
    assert theatre.step(banshees(1), SOON)
    assert theatre.step(banshees(1), SOON + 4, dataclasses.replace(PLAN, stance=Stance.HUNT)) == []


NEAR, FAR = Point2((62.5, 34.5)), ENEMY_START


def seen(kind: U, count: int, at: Point2, loop: int, *, is_structure: bool = False) -> dict[int, Sighting]:
    tags = range(int(at.x) * 100, int(at.x) * 100 + count)
    return {tag: Sighting(tag, kind, at, loop, 100.0, is_structure, False, loop) for tag in tags}


@pytest.mark.parametrize(
    ("memory", "raided", "chosen"),
    [
        ({}, {}, NEAR),
        (seen(U.ROACH, 3, NEAR, SOON), {}, FAR),
        (seen(U.ROACH, 3, NEAR, SOON), {FAR: SOON}, NEAR),
        (seen(U.ROACH, 9, NEAR, SOON), {FAR: SOON}, None),
        (seen(U.SPINECRAWLER, 9, NEAR, 0, is_structure=True), {FAR: SOON}, None),
        (seen(U.CORRUPTOR, 3, NEAR, SOON), {FAR: SOON}, NEAR),
        (seen(U.CORRUPTOR, 4, NEAR, SOON), {FAR: SOON}, None),
        (seen(U.CORRUPTOR, 4, NEAR, SOON - 31 * 23), {FAR: SOON}, NEAR),
        ({}, {NEAR: SOON - 50 * 22}, FAR),
        ({}, {NEAR: SOON - 70 * 23}, NEAR),
    ],
)
def test_the_nearest_base_is_raided_unless_too_many_stand_there(
    memory: dict, raided: dict, chosen: Point2 | None
) -> None:
    knowledge = make_knowledge([], memory=memory, loop=SOON)
    knowledge = dataclasses.replace(knowledge, enemy=dataclasses.replace(knowledge.enemy, bases=(NEAR, FAR)))
    found = targets.choose(moment(knowledge), raided, CONFIG["runby"])
    assert (found and found[0]) == chosen
    if found:
        assert Point2(found[1]).distance_to(chosen) < 8


def test_until_its_bases_are_known_the_enemy_is_where_it_must_have_begun() -> None:
    knowledge = make_knowledge([])
    assert targets.bases(knowledge) == [ENEMY_START]
    known = dataclasses.replace(knowledge.enemy, bases=(NEAR, ENEMY_START.offset((1, 0))))
    assert targets.bases(dataclasses.replace(knowledge, enemy=known)) == list(known.bases)
    knowledge.visibility[97, 97] = 2
    assert targets.bases(knowledge) == [], "there is nothing"


@pytest.fixture
def fight() -> Skirmish:
    return Skirmish()


def test_pressure_is_the_fire_of_fighters_in_reach(fight: Skirmish) -> None:
    fight.own(U.BANSHEE, 50, 50)
    fight.own(U.BANSHEE, 51, 50)
    for kind, y in ((U.DRONE, 50.5), (U.ROACH, 51.0), (U.HYDRALISK, 70.0)):
        fight.foe(kind, 50, y)
    assert pressure(raid_of(fight)[2], raid_of(fight)[1], 1.0) == 0
    fight.foe(U.HYDRALISK, 50, 50 + 5 + 0.75 + 0.9)
    _, m, rows = raid_of(fight)
    assert pressure(rows, m, 1.0) == pytest.approx(m.field.foe_dps[0, -1]), "once, though it reaches both"
    assert pressure(rows, m, 0.5) == 0
    assert pressure(rows[:0], m, 1.0) == 0


def test_the_nearest_worker_about_the_line_is_the_prey(fight: Skirmish) -> None:
    fight.own(U.HELLION, 50, 70)
    for y in (60, 72, 85):
        fight.foe(U.DRONE, 50, y)
    fight.foe(U.ROACH, 50, 71)
    raid, m, _ = raid_of(fight)
    assert prey(raid, (50.0, 70.0), m, 10.0) == (50.0, 72.0)
    assert prey(raid, (50.0, 84.0), m, 10.0) == (50.0, 85.0)
    assert prey(raid, (50.0, 70.0), m, 2.0) is None


def test_cloak_is_seen_through_by_detectors_scans_and_lost_life(fight: Skirmish) -> None:
    banshee = fight.own(U.BANSHEE, 50, 50, cloak=4, health=100)
    eye = fight.foe(U.OVERSEER, 50, 70, detect_range=11.0)
    raid, m, rows = raid_of(fight)
    assert not seen_through(raid, rows, m)
    fight.unit(eye).pos.y = 60
    assert seen_through(raid, rows, raid_of(fight)[1])
    fight.unit(eye).pos.y = 70
    for mine, away, found in ((True, 0.0, False), (False, 14.0, False), (False, 12.0, True)):
        effect = SimpleNamespace(effect_id=EffectId.SCANNERSWEEP.value)
        fight.effects[:] = [
            SimpleNamespace(
                id=EffectId.SCANNERSWEEP, _proto=effect, is_mine=mine, positions={Point2((50 + away, 50))}, radius=13
            )
        ]
        assert seen_through(raid, rows, raid_of(fight)[1]) is found
    fight.effects.clear()
    fight.unit(banshee).health = 90
    assert seen_through(raid, rows, raid_of(fight)[1])
    fight.loop += int(CONFIG["forget_hit"] * 22.4) + 2
    assert not seen_through(raid, rows, raid_of(fight)[1])


@pytest.mark.parametrize(
    ("fields", "queens", "detector", "reason"),
    [
        ({}, 0, False, ""),
        ({"health": 60, "health_max": 140}, 0, False, "one is badly hurt"),
        ({"cloak": 4, "energy": 6}, 0, False, "the energy for cloak runs out"),
        ({"energy": 6}, 0, False, ""),
        ({"cloak": 4, "energy": 60}, 9, False, ""),
        ({"energy": 60}, 9, False, ""),
        ({"energy": 20}, 9, False, "too much fire"),
        ({"energy": 20}, 1, False, ""),
        ({"cloak": 4, "energy": 60}, 9, True, "discovered"),
        ({"energy": 60}, 9, True, "too much fire"),
        ({"cloak": 4, "energy": 60}, 1, True, ""),
    ],
)
def test_infiltrators_leave_hurt_tired_or_seen_by_too_many(
    fight: Skirmish, fields: dict[str, Any], queens: int, detector: bool, reason: str
) -> None:
    fight.own(U.BANSHEE, 50, 50, **({"health": 140, "health_max": 140} | fields))
    for x, y in crowd(queens, 49, 52):
        fight.foe(U.QUEEN, x, y)
    if detector:
        fight.foe(U.OVERSEER, 50, 55, detect_range=11.0)
    raid, m, rows = raid_of(fight)
    assert infiltrate.must_leave(raid, rows, m, RULES) == reason
