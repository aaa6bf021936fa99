"""Predicted outcomes of fights, without a game."""

from __future__ import annotations

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army import predict
from bot.config import load
from bot.knowledge.facts import Facts
from bot.knowledge.model import Sighting
from bot.micro.kinds import Kinds
from tests.bot.skirmish import Skirmish, crowd, game_data, kinds

CONFIG = load("army")
FOES = ((1, U.MARINE), (2, U.LARVA))


@pytest.fixture
def fight() -> Skirmish:
    return Skirmish()


def outcome(own: dict[U, int], foe: dict[U, int], **fields: float) -> float:
    """Predicted ratio of two armies that stand face to face."""
    scene = Skirmish()
    for kind, count in own.items():
        for x, y in crowd(count, 45, 45):
            scene.own(kind, x, y, **fields)
    for kind, count in foe.items():
        for x, y in crowd(count, 45, 55):
            scene.foe(kind, x, y)
    field = scene.field()
    ours = predict.own_force(field, np.arange(len(field.own)), CONFIG["predict"])
    theirs = predict.seen_force(scene.knowledge().enemy.memory.values(), kinds(), scene.loop, CONFIG["predict"])
    return predict.ratio(ours, theirs, kinds(), CONFIG["predict"])


def test_equal_armies_are_even_and_numbers_count_squared() -> None:
    assert outcome({U.MARINE: 10}, {U.MARINE: 10}) == pytest.approx(1.0, abs=0.01)
    assert outcome({U.MARINE: 20}, {U.MARINE: 10}) == pytest.approx(2.0, abs=0.02)


def test_prediction_knows_who_beats_whom() -> None:
    assert outcome({U.MARINE: 10}, {U.ZERGLING: 10}) > 1.2
    assert outcome({U.MARINE: 10}, {U.ROACH: 10}) < 0.8
    assert outcome({U.MARAUDER: 8}, {U.ROACH: 8}) > 1.1 > outcome({U.MARINE: 8}, {U.ROACH: 8}) * 1.5
    assert outcome({U.MARINE: 12, U.MEDIVAC: 3}, {U.ROACH: 8}) > outcome({U.MARINE: 12}, {U.ROACH: 8})


def test_who_cannot_shoot_up_cannot_win_against_flyers() -> None:
    assert outcome({U.MARAUDER: 10}, {U.MUTALISK: 3}) == 0.0
    assert outcome({U.MEDIVAC: 5}, {U.ROACH: 1}) == 0.0
    assert outcome({U.MARINE: 1}, {U.OVERLORD: 9}) == predict.CERTAIN_WIN
    assert outcome({}, {U.ROACH: 1}) == 0.0


def test_upgrades_and_wounds_count() -> None:
    assert outcome({U.MARINE: 10}, {U.MARINE: 10}, attack_upgrade_level=2) > 1.05
    assert outcome({U.MARINE: 10}, {U.MARINE: 10}, health=20) < 0.8
    weak_hits = [outcome({U.MARINE: 10}, {U.ZERGLING: 20}, armor_upgrade_level=level) for level in (0, 2)]
    strong_hits = [outcome({U.MARINE: 10}, {U.ROACH: 10}, armor_upgrade_level=level) for level in (0, 2)]
    assert weak_hits[1] / weak_hits[0] > strong_hits[1] / strong_hits[0] > 1.0, (
        "armour counts most against many small hits"
    )


def test_who_is_no_part_of_fights_leaves_the_tables_as_they_are(fight: Skirmish) -> None:
    own = Kinds(Facts(game_data()), game_data())
    marine, larva = (Sighting(tag, kind, Point2((50, 50)), 0, 45.0, False, False, 0.0) for tag, kind in FOES)
    assert len(predict.seen_force([marine, larva], own, 0, CONFIG["predict"])) == 1
    assert len(own.speed) == 1


def test_stim_counts_for_those_who_have_it(fight: Skirmish) -> None:
    rows = np.arange(2)
    fight.own(U.MARINE, 50, 50)
    fight.own(U.SIEGETANK, 50, 50)
    with_stim = predict.own_force(fight.field(), rows, CONFIG["predict"], stim=True)
    without = predict.own_force(fight.field(), rows, CONFIG["predict"])
    assert (with_stim.level / without.level).tolist() == [pytest.approx(CONFIG["predict"]["stim"]), 1.0]


@pytest.mark.parametrize(
    ("energy", "marines", "healing"), [(100, 9, 100.8), (10, 9, 10 / 0.33), (100, 2, 90), (100, 0, 0)]
)
def test_healers_add_life_as_long_as_their_energy_and_their_patients_last(
    fight: Skirmish, energy: float, marines: int, healing: float
) -> None:
    fight.own(U.MEDIVAC, 50, 50, energy=energy)
    for x, y in crowd(marines, 50, 50):
        fight.own(U.MARINE, x, y)
    force = predict.own_force(fight.field(), np.arange(1 + marines), CONFIG["predict"])
    assert force.healing == pytest.approx(healing)


def test_unfinished_buildings_and_workers_are_no_army(fight: Skirmish) -> None:
    fight.foe(U.SPINECRAWLER, 50, 50, build_progress=0.5)
    fight.foe(U.DRONE, 50, 50)
    memory = fight.knowledge().enemy.memory.values()
    assert len(predict.seen_force(memory, kinds(), fight.loop, CONFIG["predict"])) == 0
