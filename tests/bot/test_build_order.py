"""Openings: parsed from TOML, walked in order, possible with the tech they themselves build."""

from __future__ import annotations

import pytest
from sc2.ids.unit_typeid import UnitTypeId

from bot.macro.build_order import BuildOrderError, Step, Verb, is_over, open_steps, openings, parse
from bot.macro.tech import ADDONS, RESEARCHED_AT
from bot.macro.techtree import REQUIRES


def test_numbers_count_each_product() -> None:
    steps = parse("x", {"steps": [{"at": 14, "build": "SUPPLYDEPOT"}, {"at": 20, "build": "SUPPLYDEPOT"}]})
    assert [step.number for step in steps] == [1, 2]


@pytest.mark.parametrize(
    "row",
    [
        {"at": 14},
        {"at": 14, "build": "SUPPLYDEPOT", "train": "MARINE"},
        {"at": 14, "build": "NOSUCHTHING"},
        {"at": 14, "research": "NOSUCHTHING"},
        {"build": "SUPPLYDEPOT"},
        {"at": 14, "build": "MARINE"},
        {"at": 14, "train": "SIEGETANK"},
        {"at": 14, "morph": "PLANETARYFORTRESS"},
        {"at": 14, "research": "ZERGLINGMOVEMENTSPEED"},
        {"at": 14, "addon": "BARRACKSREACTOR"},
        {"at": 14, "addon": "BARRACKSREACTOR", "on": "FACTORY"},
        {"at": 14, "build": "BUNKER", "near": "main"},
    ],
)
def test_a_bad_step_is_one_clear_line(row: dict) -> None:
    with pytest.raises(BuildOrderError, match=r"^build order x, step 1: [^\n]+$"):
        parse("x", {"steps": [row]})


def test_steps_open_with_supply_and_close_when_begun() -> None:
    steps = parse(
        "x",
        {
            "steps": [
                {"at": 14, "build": "SUPPLYDEPOT"},
                {"at": 16, "build": "BARRACKS"},
                {"at": 20, "build": "SUPPLYDEPOT"},
            ]
        },
    )
    begun: dict[UnitTypeId, int] = {}

    def count(step: Step) -> int:
        return begun.get(step.product, 0)

    assert open_steps(steps, 13, count) == ()
    assert [s.product.name for s in open_steps(steps, 16, count)] == ["SUPPLYDEPOT", "BARRACKS"]
    begun[UnitTypeId.SUPPLYDEPOT] = 1
    assert [s.number for s in open_steps(steps, 30, count)] == [1, 2]
    begun |= {UnitTypeId.SUPPLYDEPOT: 2, UnitTypeId.BARRACKS: 1}
    assert open_steps(steps, 30, count) == ()
    assert is_over(steps, count)


@pytest.mark.parametrize("name", sorted(openings()))
def test_shipped_openings_build_what_they_need_first(name: str) -> None:
    built = [UnitTypeId.COMMANDCENTER]
    supply = 0
    for step in openings()[name]:
        assert step.at >= supply, f"{step} comes after a later supply"
        supply = step.at
        if step.verb is Verb.BUILD and step.product in REQUIRES:
            assert REQUIRES[step.product] in built, step
        if step.verb is Verb.ADDON:
            assert step.product in ADDONS[step.on], step
            assert built.count(step.on) > sum(addon in built for addon in ADDONS[step.on]), step
        if step.verb is Verb.RESEARCH:
            assert RESEARCHED_AT[step.product] in built, step
        built.append(step.product)
