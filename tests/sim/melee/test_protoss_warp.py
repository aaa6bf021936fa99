"""Warp gates, warp-ins, chrono boost, recall."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sim.engine.bufftable import add_buff
from sim.engine.state import AUTOCAST, DISARMED, IMMOBILE
from sim.melee import construction
from sim.melee.game import Game
from sim.melee.placement import can_place
from sim.melee.records import Alert, Command, Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import finished, give, name_of, order, until
from tests.sim.melee.powers_world import duel
from tests.sim.melee.protoss_world import protoss, research

ZEALOT, STALKER, CHRONO, PHASING, RALLY_MORPHING, TO_GATEWAY = 1413, 1414, 3755, 1528, 199, 1520
PYLON = 881


def gates(count: int = 1) -> tuple[Game, list[int]]:
    """A game with warp gates round a pylon at (48, 48)."""
    game = protoss()
    for k in range(4):
        give(game, "Pylon", 20.0 + 2 * k, 60.0)
    give(game, "Pylon", 48.0, 48.0)
    give(game, "CyberneticsCore", 44.5, 44.5)
    research(game, 1, "WarpGateResearch")
    slots = [give(game, "WarpGate", 44.5 + 7 * k, 48.5) for k in range(count)]
    game.step(20)
    return game, slots


def test_a_warp_in_without_power_is_called_off() -> None:
    """Its price comes back and its gate is ready at once."""
    game, (gate,) = gates()
    prism = give(game, "WarpPrismPhasing", 60.0, 60.0)
    game.step(10)
    bank, food = int(game.players[1]["minerals"]), int(game.players[1]["supply_used"])
    assert order(game, gate, ZEALOT, (62.0, 60.0)) == 1
    game.step(20)
    (zealot,) = game.owned(1, "Zealot")
    game.kill(prism)
    game.step(6)
    assert not game.units[zealot]["alive"]
    assert game.players[1]["minerals"] >= bank
    assert game.players[1]["supply_used"] < food + 2
    assert ZEALOT in available_abilities(game, gate)


@pytest.mark.parametrize(("first", "then", "least", "most"), [(True, False, 160, 200), (False, True, 50, 62)])
def test_a_warp_in_goes_on_as_fast_as_its_power_is(first: bool, then: bool, least: int, most: int) -> None:
    """A third of it was done at one speed, the rest goes at the other."""
    game, (gate,) = gates()
    give(game, "Pylon", 60.0, 30.0)
    beside = give(game, "WarpGate", 64.5, 30.5) if first else -1
    game.step(10)
    assert order(game, gate, ZEALOT, (58.0, 30.0)) == 1
    game.step(27 if first else 85)
    (zealot,) = game.owned(1, "Zealot")
    if then:
        give(game, "WarpGate", 64.5, 30.5)
    else:
        game.kill(beside)
    assert least <= until(game, lambda: finished(game, zealot), 300) <= most
    assert game.units[zealot]["hp"] == 100


def test_gateways_become_warp_gates_by_themselves() -> None:
    game = protoss()
    give(game, "Pylon", 48.0, 48.0)
    gate, dark = give(game, "Gateway", 44.5, 48.5), give(game, "Gateway", 70.5, 48.5)
    game.step(20)
    assert not game.units[gate]["order_count"], "not before the research"
    research(game, 1, "WarpGateResearch")
    game.events(1)
    took = until(game, lambda: name_of(game, gate) == "WarpGate", 200)
    assert 158 <= took <= 170
    assert Alert.TRANSFORMATION_COMPLETE in game.events(1).alerts
    assert not game.units[dark]["order_count"], "nor without power"
    assert order(game, gate, 1520) == 1
    until(game, lambda: name_of(game, gate) == "Gateway", 200)
    game.step(200)
    assert name_of(game, gate) == "Gateway", "turned back by hand, it stays"
    assert order(game, gate, 916) == 1


def test_a_fast_warp_in_takes_81_loops_and_the_gate_cools_down() -> None:
    game, (gate,) = gates()
    before = game.players[1]["supply_used"], int(game.players[1]["minerals"])
    assert order(game, gate, ZEALOT, (50.0, 50.0)) == 1
    game.step()
    zealot = game.owned(1, "Zealot")[0]
    assert (game.units[zealot]["x"], game.units[zealot]["y"]) == (50.0, 50.0)
    assert game.players[1]["supply_used"] == before[0] + 2
    assert before[1] - game.players[1]["minerals"] in range(90, 101), "minus what was mined meanwhile"
    assert order(game, zealot, 16, (40.0, 40.0)) != 1, "it cannot act yet"
    assert 8 in game.units[zealot]["buff"], "it draws on power"
    assert order(game, gate, STALKER, (46.0, 52.0)) == 6
    assert STALKER not in available_abilities(game, gate)
    assert until(game, lambda: finished(game, zealot), 300) == 80, "81 after the command"
    assert Alert.WARP_IN_COMPLETE in game.events(1).alerts
    assert game.units[zealot]["hp"] == 100
    assert not int(game.units[zealot]["flags"]) & IMMOBILE
    assert order(game, zealot, 16, (40.0, 40.0)) == 1
    took = until(game, lambda: STALKER in available_abilities(game, gate), 600)
    assert 8 not in game.units[zealot]["buff"]
    assert 82 + took == pytest.approx(448, abs=2)


def test_far_from_gates_it_takes_256() -> None:
    game, (gate,) = gates()
    give(game, "Pylon", 70.0, 70.0)
    game.step(20)
    assert order(game, gate, ZEALOT, (70.0, 66.0)) == 1
    game.step()
    zealot = game.owned(1, "Zealot")[0]
    assert until(game, lambda: finished(game, zealot), 300) == 255


def test_a_gateway_makes_warp_ins_fast_only_while_it_becomes_a_warp_gate() -> None:
    game, (gate,) = gates()
    give(game, "Pylon", 70.0, 70.0)
    beside = give(game, "Gateway", 73.5, 70.5)
    game.units[beside]["flags"] &= ~np.uint32(AUTOCAST)
    game.step(20)
    assert order(game, gate, ZEALOT, (70.0, 66.0)) == 1
    game.step()
    (zealot,) = game.owned(1, "Zealot")
    game.step(8)
    assert game.units[zealot]["build_total"] == 256
    assert order(game, beside, 1518) == 1
    game.step(8)
    assert game.units[zealot]["build_total"] == 81


def loops_beside(game: Game, gate: int) -> int:
    """Loops of a warp-in by the pylon at (70, 70)."""
    assert order(game, gate, ZEALOT, (70.0, 66.0)) == 1
    game.step()
    return int(game.units[game.owned(1, "Zealot")[0]]["build_total"])


def test_a_nexus_that_is_being_warped_in_makes_warp_ins_fast() -> None:
    game, (gate,) = gates()
    give(game, "Pylon", 70.0, 70.0)
    construction.start_structure(game, 1, game.facts.ids["Nexus"], 76.5, 70.5, loops=1000)
    game.step(20)
    assert loops_beside(game, gate) == 81


@pytest.mark.parametrize(("raised", "loops"), [(slice(73, 96), 256), (slice(60, 73), 81)])
def test_a_warp_gate_makes_no_pylon_below_it_a_fast_one(raised: slice, loops: int) -> None:
    """The ground of the gate, or that of the pylon, lies a level higher than the other."""
    game, (gate,) = gates()
    levels = game.terrain.levels.copy()
    levels[:, raised] += np.uint8(16)
    game.terrain = dataclasses.replace(game.terrain, levels=levels)
    give(game, "Pylon", 70.0, 70.0)
    give(game, "WarpGate", 75.5, 70.5)
    game.step(20)
    assert loops_beside(game, gate) == loops


def test_where_units_may_be_warped_in() -> None:
    game, (gate,) = gates()
    assert can_place(game, 1, ZEALOT, 30.0, 30.0) != 1, "out of power or sight"
    assert can_place(game, 1, ZEALOT, 48.0, 48.0) != 1, "on the pylon"
    assert can_place(game, 1, ZEALOT, 50.0, 50.0) == 1
    give(game, "Probe", 50.0, 50.0)
    assert can_place(game, 1, ZEALOT, 50.0, 50.0) == 69
    assert order(game, gate, ZEALOT, (50.0, 50.0)) == 69


def test_two_warp_ins_may_begin_as_near_to_each_other_as_in_real_games() -> None:
    pairs = (  # (type that was warped in first, cells from it to the next one, whether that was taken)
        (STALKER, 1.0148, True),
        (ZEALOT, 0.7971, True),
        (STALKER, 0.55, False),
        (ZEALOT, 0.46, False),
    )
    for first, cells, taken in pairs:
        game, (gate, other) = gates(2)
        assert order(game, gate, first, (49.0, 52.0)) == 1
        game.step()
        verdict = order(game, other, first, (49.0 + cells, 52.0))
        assert verdict == (1 if taken else 69), (first, cells)
        game.step()
        assert len(game.owned(1, "Stalker", "Zealot")) == (2 if taken else 1), "and the next step carries it out"


@pytest.mark.parametrize(
    ("complete", "first", "then", "cell"),
    [
        (False, (STALKER, 49.3877, 52.03125), (STALKER, 50.11133, 52.00098), (50, 51)),
        (True, (STALKER, 49.653, 51.988), (ZEALOT, 49.902, 52.922), (49, 53)),
    ],
)
def test_a_warp_in_gives_way_to_who_stands_too_near(
    complete: bool, first: tuple[int, float, float], then: tuple[int, float, float], cell: tuple[int, int]
) -> None:
    """Two of real games: in which cell they began, beside one being warped in and beside one that had just been."""
    game, (gate, other) = gates(2)
    assert order(game, gate, first[0], first[1:]) == 1
    game.step()
    (before,) = game.owned(1, "Stalker")
    if complete:
        until(game, lambda: finished(game, before), 300)
    assert order(game, other, then[0], then[1:]) == 1
    game.step()
    (made,) = (slot for slot in game.owned(1, "Stalker", "Zealot") if slot != before)
    unit, neighbour = game.units[made], game.units[before]
    assert (int(unit["x"]), int(unit["y"])) == cell
    gap = np.hypot(unit["x"] - neighbour["x"], unit["y"] - neighbour["y"])
    assert gap == pytest.approx(1.25 if then[0] == STALKER else 1.125, abs=0.01), "edge to edge"


def test_a_phasing_prism_is_a_fast_source() -> None:
    game, (gate,) = gates()
    prism = give(game, "WarpPrism", 70.0, 30.0)
    game.step(20)
    assert order(game, gate, ZEALOT, (71.0, 31.0)) == 52
    assert order(game, prism, PHASING) == 1
    until(game, lambda: name_of(game, prism) == "WarpPrismPhasing", 60)
    assert order(game, gate, ZEALOT, (71.0, 31.0)) == 52, "not before it is set up"
    assert until(game, lambda: order(game, gate, ZEALOT, (71.0, 31.0)) == 1, 40) >= 22
    assert order(game, gate, ZEALOT, (71.0, 31.0)) == 1
    game.step()
    zealot = game.owned(1, "Zealot")[0]
    assert until(game, lambda: finished(game, zealot), 100) == 80


def test_one_command_to_several_gates_warps_one_in() -> None:
    game, slots = gates(2)
    tags = tuple(game.tag(slot) for slot in slots)
    assert game.issue(Command(1, ZEALOT, tags, 0, 50.0, 50.0, True)) == 1
    assert game.issue(Command(1, ZEALOT, tags, 0, 46.0, 52.0, True)) == 1
    game.step()
    assert len(game.owned(1, "Zealot")) == 2


def test_chrono_boost_makes_a_probe_in_two_thirds_of_the_time() -> None:
    game = protoss()
    nexus = game.owned(1, "Nexus")[0]
    game.units[nexus]["energy"] = 60
    assert order(game, nexus, 1006) == 1
    assert order(game, nexus, CHRONO, nexus) == 1
    game.step()
    assert game.units[nexus]["energy"] < 11
    assert 281 in game.units[nexus]["buff"]
    assert until(game, lambda: len(game.owned(1, "Probe")) == 13, 272) == pytest.approx(272 / 1.5, abs=3)
    assert order(game, nexus, CHRONO, nexus) == 17


def test_recall_brings_units_home() -> None:
    game = protoss()
    nexus = game.owned(1, "Nexus")[0]
    game.units[nexus]["energy"] = 60
    near, far = give(game, "Zealot", 60.0, 60.0), give(game, "Zealot", 66.0, 60.0)
    assert order(game, nexus, 3757, (60.0, 60.0)) == 1
    game.step(10)
    assert order(game, near, 16, (40.0, 40.0)) != 1
    game.step(69)
    assert game.units[near]["x"] == pytest.approx(60, abs=0.1)
    game.step(2)
    hall = game.units[nexus]
    assert abs(game.units[near]["x"] - hall["x"]) + abs(game.units[near]["y"] - hall["y"]) < 8
    assert game.units[far]["x"] > 60
    assert order(game, near, 16, (40.0, 40.0)) != 1
    game.step(16)
    assert order(game, near, 16, (40.0, 40.0)) == 1
    game.units[nexus]["energy"] = 60
    assert order(game, nexus, 3757, (66.0, 60.0)) == 6


def test_who_is_recalled_boards_nothing_and_keeps_what_else_binds_it() -> None:
    game, _ = gates()
    nexus, prism = game.owned(1, "Nexus")[0], give(game, "WarpPrism", 60.0, 42.0)
    zealot, colossus = give(game, "Zealot", 60.0, 40.0), give(game, "Colossus", 60.0, 41.5)
    game.units[nexus]["energy"] = 50
    game.step(4)
    add_buff(game.units[colossus], game.state.buffs, 277, 240.0)  # Interference Matrix
    assert order(game, nexus, 3757, (60.0, 40.0)) == 1
    game.step(2)
    assert order(game, prism, 911, zealot) == 3
    assert order(game, zealot, 16, (50.0, 50.0)) == 3
    game.step(100)
    assert order(game, zealot, 16, (50.0, 50.0)) == 1
    assert int(game.units[colossus]["flags"]) & DISARMED
    assert not int(game.units[colossus]["flags"]) & IMMOBILE


def test_a_unit_goes_where_it_was_sent_while_it_was_warped_in() -> None:
    game, (gate,) = gates()
    order(game, gate, ZEALOT, (50.0, 50.0))
    game.step()
    zealot = game.owned(1, "Zealot")[0]
    assert order(game, zealot, 199, (56.0, 56.0)) == 1
    until(game, lambda: finished(game, zealot), 100)
    game.step(60)
    assert abs(game.units[zealot]["x"] - 56) < 1


def test_only_who_is_being_warped_in_has_a_rally_point() -> None:
    game, (gate,) = gates()
    assert order(game, gate, ZEALOT, (50.0, 50.0)) == Result.SUCCESS
    game.step(2)
    (zealot,) = game.owned(1, "Zealot")
    assert order(game, zealot, RALLY_MORPHING, (40.0, 60.0)) == Result.SUCCESS
    until(game, lambda: finished(game, zealot), 300)
    assert order(game, zealot, RALLY_MORPHING, (40.0, 60.0)) == Result.NOT_SUPPORTED


def test_a_gate_that_becomes_a_gateway_offers_no_warp_in_and_takes_none() -> None:
    game, (gate,) = gates()
    assert ZEALOT in available_abilities(game, gate)
    assert order(game, gate, TO_GATEWAY) == Result.SUCCESS
    game.step(4)
    assert ZEALOT not in available_abilities(game, gate)
    assert order(game, gate, ZEALOT, (50.0, 50.0)) == Result.NOT_SUPPORTED


def test_who_is_being_warped_in_boards_nothing() -> None:
    game, (gate,) = gates()
    prism = give(game, "WarpPrism", 50.0, 51.0)
    assert order(game, gate, ZEALOT, (50.0, 50.0)) == Result.SUCCESS
    game.step(2)
    (zealot,) = game.owned(1, "Zealot")
    assert order(game, prism, 911, zealot) == Result.ERROR
    until(game, lambda: finished(game, zealot), 300)
    assert order(game, prism, 911, zealot) == Result.SUCCESS


def test_nothing_is_built_on_who_is_being_warped_in() -> None:
    """He cannot make room: the probe waits beside the site until he is there and walks aside. A computer's Gateway was
    placed over two High Templar, who stood in it until they were complete."""
    game, (gate,) = gates()
    x, y = 52.0, 46.0
    assert order(game, gate, ZEALOT, (x, y)) == Result.SUCCESS
    game.step(2)
    (zealot,) = game.owned(1, "Zealot")
    probe, pylons = give(game, "Probe", 55.0, 46.0), len(game.owned(1, "Pylon"))
    assert order(game, probe, PYLON, (x, y)) == Result.SUCCESS
    game.step(60)
    assert not finished(game, zealot)
    assert (len(game.owned(1, "Pylon")), int(game.units[probe]["order_count"])) == (pylons, 1)
    until(game, lambda: len(game.owned(1, "Pylon")) > pylons, 60)
    assert finished(game, zealot)
    game.step(40)
    assert game.walk[int(game.units[zealot]["y"]), int(game.units[zealot]["x"])]


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_prism_on_its_way_comes_to_rest_before_it_sets_up(patch: str) -> None:
    game = duel(patch, Race.PROTOSS)
    prism = give(game, "WarpPrism", 20.0, 40.0)
    unit = game.units[prism]

    def set_up() -> tuple[int, float]:
        x = float(unit["x"])
        assert order(game, prism, PHASING) == 1
        return until(game, lambda: name_of(game, prism) == "WarpPrismPhasing", 60), float(unit["x"]) - x

    loops, way = set_up()
    assert way == 0
    order(game, prism, 1530)
    until(game, lambda: name_of(game, prism) == "WarpPrism" and not unit["order_count"], 80)
    order(game, prism, 16, (80.0, 40.0))
    game.step(60)
    later, way = set_up()
    assert (later - loops, way) == (16, pytest.approx(1.57, abs=0.05))


def test_chrono_boost_hastens_a_gateway_that_becomes_a_warp_gate() -> None:
    game = protoss()
    give(game, "Pylon", 48.0, 48.0)
    gate, nexus = give(game, "Gateway", 44.5, 48.5), game.owned(1, "Nexus")[0]
    game.units[nexus]["energy"] = 60
    research(game, 1, "WarpGateResearch")
    until(game, lambda: game.units[gate]["order_count"] > 0, 20)
    assert order(game, nexus, CHRONO, gate) == 1
    assert until(game, lambda: name_of(game, gate) == "WarpGate", 200) == pytest.approx(160 / 1.5, abs=5)
