"""Raids on the engine, over the socket: whole missions from home to home, with the real army and its scripted micro."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army.raids import targets
from bot.config import load
from tests.bot.stage import Scene, Stage, play


async def missile(stage: Stage) -> None:
    """A Ghost Academy, which the stage lets build a missile."""
    place = stage.start_location.towards(stage.game_info.map_center, -7)
    await stage.client.debug_create_unit([[U.FACTORY, 1, stage.rally, 1], [U.GHOSTACADEMY, 1, place, 1]])
    await stage.client.debug_all_resources()
    await stage.client.debug_fast_build()


SCENES = {
    "run-by": Scene([(U.HELLION, 6)], [], 120, "runby", [(U.ROACH, 8, 6)]),
    "workers": Scene([(U.BANSHEE, 2)], [(U.QUEEN, 1, 4)], 125, "infiltrate"),
    "discovered": Scene(
        [(U.BANSHEE, 2)], [(U.QUEEN, 1, 4)], 190, "infiltrate", [(U.SPORECRAWLER, 2, 3), (U.QUEEN, 3, 3)]
    ),
    "drop": Scene([(U.MEDIVAC, 2), (U.MARINE, 28)], [(U.QUEEN, 1, 4)], 220, "drop"),
    "outnumbered": Scene([(U.MEDIVAC, 2), (U.MARINE, 28)], [], 200, "drop", [(U.ROACH, 14, 8)]),
    "odd": Scene([(U.MEDIVAC, 2), (U.MARINE, 1), (U.MARAUDER, 20)], [], 20, "drop"),
    "few at home": Scene([(U.MEDIVAC, 2), (U.MARINE, 20)], [], 20, "drop"),
    "nuke": Scene([(U.GHOST, 1)], [(U.SPINECRAWLER, 2, 3)], 170, "nuke", setup=missile),
    "guarded": Scene([(U.BANSHEE, 2)], [(U.SPORECRAWLER, 4, 0)], 20, "infiltrate"),
    "alone": Scene([(U.BATTLECRUISER, 1)], [], 15, "jump"),
    "jump": Scene([(U.BATTLECRUISER, 3)], [(U.QUEEN, 2, 4)], 150, "jump"),
}


@pytest.fixture(scope="module")
def stage(root: Path) -> Stage:
    before = os.environ.get("SC2PATH")
    try:
        return play(SCENES)
    finally:
        os.environ.pop("SC2PATH")
        if before is not None:
            os.environ["SC2PATH"] = before


def phases(stage: Stage, name: str) -> list[str]:
    return [phase.split()[1] for phase in stage.outcomes[name].phases]


def test_no_raid_failed(stage: Stage) -> None:
    assert not stage.guard.errors
    assert not stage.todo


def test_banshees_kill_the_workers_under_cloak(stage: Stage) -> None:
    seen = stage.outcomes["workers"]
    assert phases(stage, "workers")[:2] == ["travel", "strike"]
    assert seen.casts[A.BEHAVIOR_CLOAKON_BANSHEE] >= 1, "a Queen guards them"
    assert seen.killed[U.DRONE] >= 8
    assert not seen.lost


def test_discovered_banshees_go_home(stage: Stage) -> None:
    seen = stage.outcomes["discovered"]
    assert phases(stage, "discovered") == ["travel", "strike", "leave", "done"]
    assert not seen.lost
    assert seen.casts[A.BEHAVIOR_CLOAKOFF_BANSHEE] >= 1, "energy is for the next time"


def test_ways_keep_to_the_edge(stage: Stage) -> None:
    terrain = stage.tracker.terrain
    x0, y0, x1, y1 = terrain.playable
    places = stage.outcomes["discovered"].places
    inside = [min(x - x0, x1 - x, y - y0, y1 - y) for x, y in places]
    middle = stage.game_info.map_center
    assert min(((x - middle.x) ** 2 + (y - middle.y) ** 2) ** 0.5 for x, y in places) > 15, "not across the middle"
    assert sum(d < 20 for d in inside) > 0.6 * len(inside)


def test_no_raid_where_many_shoot_and_detect(stage: Stage) -> None:
    assert stage.outcomes["guarded"].phases == []


def test_a_drop_flies_in_kills_and_brings_everyone_home(stage: Stage) -> None:
    seen = stage.outcomes["drop"]
    assert phases(stage, "drop") == ["gather", "board", "travel", "strike", "pick_up", "leave", "done"]
    assert seen.cargo == 8
    assert seen.killed[U.DRONE] >= 8
    assert seen.left == {U.MEDIVAC: 2, U.MARINE: 28}


def test_a_drop_that_meets_an_army_is_fetched(stage: Stage) -> None:
    seen = stage.outcomes["outnumbered"]
    assert phases(stage, "outnumbered")[-3:] == ["pick_up", "leave", "done"]
    assert seen.left[U.MEDIVAC] == 2
    assert seen.left[U.MARINE] >= 22


def test_soldiers_land_beside_the_fields_not_on_them(stage: Stage) -> None:
    rules = load("army")["raids"]["targets"]
    knowledge = SimpleNamespace(terrain=stage.tracker.terrain, enemy=SimpleNamespace(memory={}))
    for site in stage.tracker.terrain.sites:
        place = Point2(targets.landing(site.position, knowledge, rules))
        assert place.distance_to(site.position) <= rules["landing_far"]
        assert min(place.distance_to(field) for field in site.minerals) >= rules["landing_fields"]


def test_no_drop_where_too_few_would_stay(stage: Stage) -> None:
    assert stage.outcomes["few at home"].phases == []


def test_a_drop_starts_though_one_place_stays_free(stage: Stage) -> None:
    assert phases(stage, "odd")[:2] == ["gather", "board"]


def test_hellions_run_by_and_away(stage: Stage) -> None:
    seen = stage.outcomes["run-by"]
    assert phases(stage, "run-by") == ["travel", "strike", "leave", "done"]
    assert seen.killed[U.DRONE] >= 1
    assert seen.left[U.HELLION] >= 4


def test_a_ghost_calls_a_missile_and_comes_home(stage: Stage) -> None:
    seen = stage.outcomes["nuke"]
    assert phases(stage, "nuke") == ["travel", "strike", "leave", "done"]
    assert seen.casts[A.TACNUKESTRIKE_NUKECALLDOWN] >= 1
    assert seen.killed[U.DRONE] >= 8, "the mineral line"
    assert seen.left == {U.GHOST: 1}


def test_battlecruisers_jump_together_and_never_alone(stage: Stage) -> None:
    assert stage.outcomes["alone"].casts[A.EFFECT_TACTICALJUMP] == 0
    seen = stage.outcomes["jump"]
    assert phases(stage, "jump") == ["travel", "strike", "leave", "done"]
    assert seen.casts[A.EFFECT_TACTICALJUMP] == 3
    assert seen.casts[A.YAMATO_YAMATOGUN] >= 1
    assert seen.killed[U.DRONE] >= 8
    assert seen.left == {U.BATTLECRUISER: 3}
