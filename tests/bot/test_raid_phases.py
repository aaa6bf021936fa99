"""How raids go on, phase by phase, without a game: when they strike, leave, and are over."""

from __future__ import annotations

import pytest
from sc2.ids.unit_typeid import UnitTypeId as U

from bot.army.raids import jump
from bot.army.raids.manager import STEPS
from bot.army.raids.raid import Phase, Raid
from bot.micro.task import DROP as DROP_BIT
from bot.micro.task import JUMP, Mode, Task
from tests.bot.own import START
from tests.bot.raiding import ARMY, CONFIG, moment, raid_of
from tests.bot.skirmish import Skirmish


@pytest.fixture
def fight() -> Skirmish:
    return Skirmish()


def ships(*places: tuple[float, float], phase: Phase, seconds: float = 0.0) -> tuple[Raid, dict[int, Task]]:
    """A raid of Battlecruisers at these places after a step in a phase that has lasted so long, and its tasks."""
    fight = Skirmish()
    for x, y in places:
        fight.own(U.BATTLECRUISER, x, y)
    raid, m, _ = raid_of(fight)
    raid.phase, raid.since = phase, fight.loop - int(seconds * 22.4)
    return raid, jump.step(raid, m, CONFIG["jump"], ARMY)


def test_ships_gather_jump_and_leave_together() -> None:
    home, line, off = (30.0, 30.0), (50.0, 80.0), (70.0, 30.0)
    raid, tasks = ships(home, (32.0, 32.0), phase=Phase.GATHER)
    assert (raid.phase, {task.allows for task in tasks.values()}) == (Phase.TRAVEL, {JUMP})
    raid, tasks = ships(home, off, phase=Phase.GATHER, seconds=CONFIG["jump"]["longest"])
    assert (raid.phase, {task.point for task in tasks.values()}) == (Phase.GATHER, {(START.x, START.y)})
    assert ships(home, off, phase=Phase.GATHER, seconds=CONFIG["jump"]["longest"] + 1)[0].phase is Phase.DONE
    assert ships(home, home, phase=Phase.TRAVEL, seconds=CONFIG["jump"]["jump"])[0].phase is Phase.TRAVEL
    assert ships(home, home, phase=Phase.TRAVEL, seconds=CONFIG["jump"]["jump"] + 1)[0].phase is Phase.DONE
    raid, tasks = ships(home, line, phase=Phase.TRAVEL)
    assert raid.phase is Phase.STRIKE
    assert [(tasks[tag].mode, tasks[tag].point, tasks[tag].allows) for tag in (1, 2)] == [
        (Mode.HOLD, raid.home, 0),
        (Mode.FIGHT, line, 0),
    ], "who has jumped home waits there"
    assert ships(line, line, phase=Phase.STRIKE, seconds=CONFIG["jump"]["stay"])[0].phase is Phase.STRIKE
    for places, seconds in (((home, home), 0.0), ((line, line), CONFIG["jump"]["stay"] + 1)):
        raid, tasks = ships(*places, phase=Phase.STRIKE, seconds=seconds)
        assert (raid.phase, {task.mode for task in tasks.values()}) == (Phase.LEAVE, {Mode.RETREAT})


@pytest.mark.parametrize(
    ("kind", "who", "place", "phase", "seconds", "foes", "then"),
    [
        ("infiltrate", U.BANSHEE, 30, Phase.TRAVEL, 0, [], Phase.TRAVEL),
        ("infiltrate", U.BANSHEE, 72, Phase.TRAVEL, 0, [], Phase.STRIKE),
        ("infiltrate", U.BANSHEE, 30, Phase.TRAVEL, 0, [(U.HYDRALISK, 34)] * 9, Phase.LEAVE),
        ("infiltrate", U.BANSHEE, 80, Phase.STRIKE, 0, [(U.HYDRALISK, 84)] * 9, Phase.LEAVE),
        ("infiltrate", U.BANSHEE, 80, Phase.STRIKE, 7, [], Phase.LEAVE),
        ("infiltrate", U.BANSHEE, 80, Phase.STRIKE, 7, [(U.DRONE, 82)], Phase.STRIKE),
        ("runby", U.HELLION, 30, Phase.TRAVEL, 59, [], Phase.TRAVEL),
        ("runby", U.HELLION, 30, Phase.TRAVEL, 61, [], Phase.LEAVE),
        ("runby", U.HELLION, 72, Phase.TRAVEL, 0, [(U.ROACH, 76)] * 9, Phase.LEAVE),
        ("runby", U.HELLION, 72, Phase.TRAVEL, 0, [(U.DRONE, 82)], Phase.STRIKE),
        ("runby", U.HELLION, 80, Phase.STRIKE, 6, [], Phase.LEAVE),
        ("runby", U.HELLION, 80, Phase.STRIKE, 6, [(U.DRONE, 82)], Phase.STRIKE),
        ("runby", U.HELLION, 80, Phase.STRIKE, 0, [(U.DRONE, 82), (U.ROACH, 84), (U.ROACH, 85)], Phase.LEAVE),
        ("nuke", U.GHOST, 30, Phase.TRAVEL, 89, [], Phase.TRAVEL),
        ("nuke", U.GHOST, 30, Phase.TRAVEL, 91, [], Phase.LEAVE),
        ("nuke", U.GHOST, 71, Phase.TRAVEL, 0, [], Phase.STRIKE),
        ("nuke", U.GHOST, 71, Phase.STRIKE, 7, [], Phase.STRIKE),
        ("nuke", U.GHOST, 71, Phase.STRIKE, 9, [], Phase.LEAVE),
        ("nuke", U.GHOST, 71, Phase.STRIKE, 0, [(U.ROACH, 73)] * 9, Phase.LEAVE),
    ],
)
def test_raids_turn_to_the_next_phase_when_it_is_time(
    fight: Skirmish, kind: str, who: U, place: float, phase: Phase, seconds: float, foes: list, then: Phase
) -> None:
    fight.own(who, 50, place, energy=20)
    for foe, y in foes:
        fight.foe(foe, 50, y)
    raid, m, _ = raid_of(fight)
    raid.phase, raid.since = phase, fight.loop - int(seconds * 22.4)
    raid.useful = raid.since
    m.may_plan = False
    tasks = STEPS[kind](raid, m, CONFIG[kind], ARMY)
    assert raid.phase is then
    assert (tasks[1].mode is Mode.RETREAT) is (then is not Phase.STRIKE)
    prey_there = [(50.0, float(y)) for foe, y in foes if foe is U.DRONE]
    if then is Phase.STRIKE and kind != "nuke":
        assert tasks[1].point == (*prey_there, raid.line)[0]


DROP = CONFIG["drop"]
FEET = [(U.MARINE, 0.5)] * 8


@pytest.mark.parametrize(
    ("place", "phase", "seconds", "cargo", "feet", "foes", "then"),
    [
        (8, Phase.GATHER, 0, 0, FEET, [], Phase.BOARD),
        (8, Phase.GATHER, DROP["longest_gather"] - 1, 0, [*FEET, (U.MARINE, 9.0)], [], Phase.GATHER),
        (8, Phase.GATHER, DROP["longest_gather"] + 1, 0, [*FEET, (U.MARINE, 9.0)], [], Phase.DONE),
        (40, Phase.GATHER, 0, 0, FEET, [], Phase.GATHER),
        (8, Phase.GATHER, 0, 8, [], [], Phase.GATHER),
        (8, Phase.BOARD, 0, 0, FEET, [], Phase.BOARD),
        (8, Phase.BOARD, 0, 8, [], [], Phase.TRAVEL),
        (8, Phase.BOARD, DROP["longest_board"] + 1, 4, FEET[:4], [], Phase.TRAVEL),
        (8, Phase.BOARD, DROP["longest_board"] + 1, 0, FEET, [], Phase.DONE),
        (40, Phase.TRAVEL, 0, 8, [], [], Phase.TRAVEL),
        (75, Phase.TRAVEL, 0, 8, [], [], Phase.STRIKE),
        (40, Phase.TRAVEL, 0, 8, [], [(U.HYDRALISK, 44)] * 9, Phase.LEAVE),
        (80, Phase.STRIKE, 0, 0, FEET, [], Phase.STRIKE),
        (80, Phase.STRIKE, DROP["patience"] + 1, 0, FEET, [], Phase.PICK_UP),
        (80, Phase.STRIKE, DROP["patience"] + 1, 0, FEET, [(U.DRONE, 82)], Phase.STRIKE),
        (80, Phase.STRIKE, 0, 0, FEET, [(U.ROACH, 84)] * 9, Phase.PICK_UP),
        (80, Phase.STRIKE, 0, 0, [], [], Phase.LEAVE),
        (80, Phase.STRIKE, DROP["longest_unload"] - 1, 8, [], [], Phase.STRIKE),
        (80, Phase.STRIKE, DROP["longest_unload"] + 1, 8, [], [], Phase.LEAVE),
        (80, Phase.PICK_UP, 0, 0, FEET, [], Phase.PICK_UP),
        (80, Phase.PICK_UP, 0, 8, [], [], Phase.LEAVE),
        (80, Phase.PICK_UP, DROP["longest_pick_up"] + 1, 0, FEET, [], Phase.LEAVE),
        (8, Phase.LEAVE, 0, 8, [], [], Phase.LEAVE),
        (8, Phase.LEAVE, 0, 0, [], [], Phase.DONE),
    ],
)
def test_drops_turn_to_the_next_phase_when_it_is_time(
    fight: Skirmish, place: float, phase: Phase, seconds: float, cargo: int, feet: list, foes: list, then: Phase
) -> None:
    carriers = [fight.own(U.MEDIVAC, 50 + k, place, cargo_space_max=8, cargo_space_taken=cargo // 2) for k in range(2)]
    soldiers = {fight.own(kind, 50, place + away) for kind, away in feet}
    for foe, y in foes:
        fight.foe(foe, 50, y)
    raid, m, _ = raid_of(fight)
    raid.kind, raid.phase, raid.since, raid.soldiers = "drop", phase, fight.loop - int(seconds * 22.4), soldiers
    raid.useful, m.may_plan = raid.since, False
    tasks = STEPS["drop"](raid, m, DROP, ARMY)
    assert raid.phase is then
    assert raid.phase is Phase.DONE or set(carriers) <= tasks.keys()
    assert raid.tags == {*carriers, *raid.soldiers}
    left_behind = phase is Phase.BOARD and then is not phase
    assert raid.soldiers == (set() if left_behind else soldiers)


def test_medivacs_and_soldiers_come_to_each_other(fight: Skirmish) -> None:
    empty = fight.own(U.MEDIVAC, 50, 80, cargo_space_max=8)
    full = fight.own(U.MEDIVAC, 60, 80, cargo_space_max=8, cargo_space_taken=8)
    near, far = fight.own(U.MARINE, 50, 90), fight.own(U.MARINE, 50, 98)
    raid, m, _ = raid_of(fight)
    raid.kind, raid.phase, raid.since, raid.soldiers = "drop", Phase.PICK_UP, fight.loop, {near, far}
    tasks = STEPS["drop"](raid, m, DROP, ARMY)
    assert [(tasks[tag].mode, tasks[tag].point) for tag in (empty, full, near, far)] == [
        (Mode.RETREAT, (50.0, 90.0)),
        (Mode.RETREAT, (60.0, 80.0)),
        (Mode.RETREAT, (50.0, 80.0)),
        (Mode.RETREAT, (50.0, 80.0)),
    ]
    fight.unit(near).pos.y = 84
    task = STEPS["drop"](raid, moment(fight.knowledge(), fight.field()), DROP, ARMY)[empty]
    assert (task.mode, task.point, task.allows) == (Mode.FIGHT, raid.home, DROP_BIT), "it takes in who is beside it"
