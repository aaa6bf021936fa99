"""What Protoss ground units and structures can do."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from sim.engine.state import CLOAKED, DETECTED, HALLUCINATION, REVEALED, UNFINISHED
from sim.melee.protoss_robotics import BARRIER_COOLDOWN
from sim.melee.records import Command, Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import away, duel, full
from tests.sim.melee.protoss_world import enemy, protoss, research


def test_blink_goes_eight_cells_and_cools_down() -> None:
    game = protoss()
    stalker = give(game, "Stalker", 40.0, 40.0)
    game.step(20)
    assert order(game, stalker, 1442, (46.0, 40.0)) == 40, "not before the research"
    research(game, 1, "BlinkTech")
    assert order(game, stalker, 1442, (49.9, 40.0)) == 1
    game.step()
    assert away(game, stalker, 48.0, 40.0) < 0.3
    assert order(game, stalker, 1442, (42.0, 40.0)) == 6
    assert 1442 not in available_abilities(game, stalker)
    game.step(160)
    assert order(game, stalker, 1442, (42.0, 40.0)) == 1


def test_a_blink_needs_sight_of_where_it_lands_only() -> None:
    game = protoss()
    research(game, 1, "BlinkTech")
    stalker = give(game, "Stalker", 40.0, 40.0)
    game.step(20)
    far = (90.0, 40.0)
    assert game.visibility[1, 40, 90] != 2
    assert order(game, stalker, 1442, far) == 1
    game.step()
    assert away(game, stalker, 48.0, 40.0) < 0.3
    game.step(160)
    game.visibility[1, 40, 56] = 1
    assert order(game, stalker, 1442, far) == 45
    assert order(game, stalker, 1442, far, queued=True) == 1, "nobody knows yet where it will stand"


def test_who_blinks_to_one_point_stands_side_by_side_there() -> None:
    game = protoss()
    research(game, 1, "BlinkTech")
    stalkers = [give(game, "Stalker", 38.0 + 1.3 * (k // 3), 38.0 + 1.3 * (k % 3)) for k in range(9)]
    game.step(5)
    assert game.issue(Command(1, 1442, tuple(game.tag(slot) for slot in stalkers), 0, 45.0, 39.0, True)) == 1
    game.step()
    units = game.units[stalkers]
    apart = [math.hypot(float(a["x"] - b["x"]), float(a["y"] - b["y"])) for n, a in enumerate(units) for b in units[:n]]
    assert min(apart) > 1.18, "they touch at 1.1875"
    assert all(away(game, slot, 45.0, 39.0) < 3.5 for slot in stalkers)


def test_a_short_blink_is_not_in_its_own_way() -> None:
    game = protoss()
    research(game, 1, "BlinkTech")
    stalker = give(game, "Stalker", 40.0, 40.0)
    game.step(20)
    order(game, stalker, 1442, (40.5, 40.0))
    game.step()
    assert away(game, stalker, 40.5, 40.0) < 0.1


def test_zealots_charge() -> None:
    game = protoss()
    research(game, 1, "Charge")
    zealot, marine = give(game, "Zealot", 40.0, 40.0), enemy(game, "Marauder", 44.5, 40.0)
    order(game, zealot, 23, marine)
    until(game, lambda: 30 in game.units[zealot]["buff"], 40)
    until(game, lambda: 30 not in game.units[zealot]["buff"], 40)
    until(game, lambda: game.units[marine]["hp"] < 125, 40)


def test_feedback() -> None:
    game = protoss()
    templar, ghost = give(game, "HighTemplar", 40.0, 40.0), enemy(game, "Ghost", 46.0, 40.0)
    full(game, templar)
    game.units[ghost]["energy"] = 80
    game.step(10)
    before, energy = float(game.units[ghost]["hp"]), float(game.units[ghost]["energy"])
    assert order(game, templar, 140, ghost) == 1
    game.step(3)
    assert before - game.units[ghost]["hp"] >= energy / 2
    assert game.units[ghost]["energy"] < 1


def test_two_templar_become_an_archon() -> None:
    game = protoss()
    pair = [give(game, "HighTemplar", 40.0, 40.0), give(game, "DarkTemplar", 44.0, 40.0)]
    game.step()
    supply = float(game.players[1]["supply_used"])
    assert game.issue(Command(1, 1766, tuple(game.tag(slot) for slot in pair))) == 1
    until(game, lambda: bool(game.owned(1, "Archon")), 60)
    archon = game.owned(1, "Archon")[0]
    until(game, lambda: not int(game.units[archon]["flags"]) & UNFINISHED, 300)
    begun = int(game.units[archon]["born"]) - 1
    assert game.loop - begun == 192, "as in all 74 merges of replays, from the loop in which it begins"
    game.step(10)
    assert game.units[archon]["shield"] == 350
    assert game.players[1]["supply_used"] == supply
    assert not game.owned(1, "HighTemplar", "DarkTemplar")
    assert order(game, archon, 16, (50.0, 50.0)) == 1


def test_guardian_shield_takes_two_off_ranged_hits() -> None:
    game = protoss()
    sentry, zealot = give(game, "Sentry", 40.0, 40.0), give(game, "Zealot", 41.5, 40.0)
    full(game, sentry)
    assert order(game, sentry, 76) == 1
    game.step(2)
    assert 18 in game.units[zealot]["buff"]
    order(game, zealot, 18)
    marine = enemy(game, "Marine", 46.0, 40.0)
    order(game, marine, 23, zealot)
    until(game, lambda: game.units[zealot]["shield"] < 50, 60)
    assert game.units[zealot]["shield"] == pytest.approx(46, abs=0.01)
    game.kill(marine)
    game.step(300)
    assert 18 not in game.units[zealot]["buff"]


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_one_sentry_of_a_group_casts_a_guardian_shield_at_each_command(patch: str) -> None:
    game = duel(patch, Race.PROTOSS)
    sentries = [give(game, "Sentry", 40.0 + k, 40.0) for k in range(3)]
    full(game, *sentries)
    game.step(2)
    for cast in (1, 2):
        assert game.issue(Command(1, 76, tuple(game.tag(slot) for slot in sentries))) == 1
        game.step(2)
        assert sum(float(game.units[slot]["energy"]) < 150 for slot in sentries) == cast


def test_a_guardian_shield_goes_where_its_sentry_is_carried_and_each_is_told() -> None:
    game = protoss()
    sentries = [give(game, "Sentry", 40.0, 40.0), give(game, "Sentry", 41.0, 40.0)]
    prism, left, there = (
        give(game, "WarpPrism", 40.0, 42.0),
        give(game, "Zealot", 39.0, 39.0),
        give(game, "Zealot", 60.0, 40.0),
    )
    full(game, *sentries)
    game.step()
    for sentry in sentries:
        order(game, sentry, 76)
    game.step(4)
    assert [effect.id for effect in game.memory.effects] == [2, 2]
    for sentry in sentries:
        order(game, prism, 911, sentry, queued=True)
    order(game, prism, 16, (60.0, 40.0), queued=True)
    until(game, lambda: away(game, prism, 60.0, 40.0) < 2, 200)
    game.step(20)
    assert 18 in game.units[there]["buff"]
    assert 18 not in game.units[left]["buff"]


def test_a_force_field_blocks_until_it_ends_or_is_trampled() -> None:
    game = protoss()
    sentry = give(game, "Sentry", 40.0, 40.0)
    full(game, sentry)
    game.step(10)
    assert order(game, sentry, 1526, (45.0, 40.0)) == 1
    until(game, lambda: not game.walk[40, 45], 20)
    assert 239 <= until(game, lambda: bool(game.walk[40, 45]), 250) <= 246
    assert not game.owned(0, "ForceField")
    full(game, sentry)
    order(game, sentry, 1526, (45.0, 40.0))
    until(game, lambda: not game.walk[40, 45], 20)
    colossus = enemy(game, "Thor", 52.0, 40.0)
    order(game, colossus, 16, (40.0, 44.0))
    until(game, lambda: bool(game.walk[40, 45]), 150)


def test_no_image_tramples_a_force_field() -> None:
    game = protoss()
    sentry = give(game, "Sentry", 40.0, 40.0)
    full(game, sentry)
    archon = give(game, "Archon", 46.0, 40.0)
    game.units[archon]["flags"] |= HALLUCINATION
    order(game, sentry, 1526, (44.0, 40.0))
    until(game, lambda: len(game.owned(0, "ForceField")) == 1, 20)
    order(game, archon, 16, (42.0, 40.0))
    game.step(60)
    assert len(game.owned(0, "ForceField")) == 1


def test_an_immortal_has_a_barrier() -> None:
    game = protoss()
    immortal = give(game, "Immortal", 40.0, 40.0)
    order(game, immortal, 18)
    tank = enemy(game, "Marauder", 46.0, 40.0)
    order(game, tank, 23, immortal)
    until(game, lambda: 299 in game.units[immortal]["buff"], 60)
    assert game.units[immortal]["shield"] > 150
    game.kill(tank)
    game.step(60)
    assert game.units[immortal]["shield"] == 100
    assert 299 not in game.units[immortal]["buff"]


def test_an_immortal_under_constant_fire_raises_its_barrier_again() -> None:
    game = protoss()
    immortal = give(game, "Immortal", 40.0, 40.0)
    order(game, immortal, 18)
    marines = [enemy(game, "Marine", 44.0, y) for y in (37.0, 39.0, 41.0, 43.0)]
    for marine in marines:
        order(game, marine, 23, immortal)
    raised, hits = [], []
    for loop in range(1600):
        game.units["hp"][[immortal, *marines]] = (200, 45, 45, 45, 45)
        worn = 299 in game.units[immortal]["buff"]
        game.step()
        if game.units[immortal]["last_hit"] >= game.loop - 1:
            hits.append(loop)
        if 299 in game.units[immortal]["buff"] and not worn:
            raised.append(loop)
    assert len(raised) >= 2
    for before, later in pairwise(raised):
        assert later == min(hit for hit in hits if hit >= before + BARRIER_COOLDOWN), "by the first hit that it can"


def test_one_disruptor_of_a_group_fires_at_each_command() -> None:
    game = protoss()
    group = [give(game, "Disruptor", 40.0, 40.0 + 2 * k) for k in range(3)]
    game.step()
    for count in (1, 2, 3):
        assert game.issue(Command(1, 2346, tuple(map(game.tag, group)), 0, 50.0, 42.0, True)) == 1
        game.step(2)
        assert len(game.owned(1, "DisruptorPhased")) == count
    assert game.issue(Command(1, 2346, tuple(map(game.tag, group)), 0, 50.0, 42.0, True)) == Result.COOLDOWN


def test_a_nova_bursts_after_three_seconds() -> None:
    game = protoss()
    disruptor = give(game, "Disruptor", 40.0, 40.0)
    game.step(5)
    supply = float(game.players[1]["supply_used"])
    tank = enemy(game, "SiegeTankSieged", 48.0, 40.0)
    assert order(game, disruptor, 2346, (48.0, 40.0)) == 1
    game.step(40)
    assert game.owned(1, "DisruptorPhased")
    assert game.players[1]["supply_used"] == supply
    before = float(game.units[tank]["hp"])
    game.step(10)
    assert before - game.units[tank]["hp"] >= 99
    assert not game.owned(1, "DisruptorPhased")
    assert order(game, disruptor, 2346, (48.0, 40.0)) == 6


def test_a_ward_bursts_when_told_and_not_by_itself_when_its_autocast_is_off() -> None:
    game = protoss()
    ward = give(game, "OracleStasisTrap", 44.5, 40.5)
    marine = enemy(game, "Marine", 46.0, 40.5)
    assert game.issue(Command(1, 2536, (game.tag(ward),), autocast=True)) == 1
    game.step(40)
    assert 129 not in game.units[marine]["buff"]
    assert order(game, ward, 2536) == 1
    game.step(4)
    assert 129 not in game.units[marine]["buff"]
    game.step(6)
    assert 129 in game.units[marine]["buff"]
    assert order(game, ward, 2536) != 1


def test_a_beam_takes_the_cloak_of_what_it_lifts() -> None:
    game = protoss()
    phoenix, templar = give(game, "Phoenix", 40.0, 40.0), enemy(game, "DarkTemplar", 43.0, 40.0)
    give(game, "Observer", 43.0, 42.0)
    full(game, phoenix)
    game.step(8)
    assert order(game, phoenix, 173, templar) == 1
    until(game, lambda: 5 in game.units[templar]["buff"], 40)
    game.step(4)
    assert int(game.units[templar]["flags"]) & REVEALED


def test_a_templar_that_is_sent_elsewhere_calls_the_merge_off_and_one_left_over_rests() -> None:
    game = protoss()
    pair = [give(game, "HighTemplar", 30.0, 40.0), give(game, "HighTemplar", 50.0, 40.0)]
    game.step()
    game.issue(Command(1, 1766, tuple(game.tag(slot) for slot in pair)))
    game.step(10)
    order(game, pair[1], 16, (60.0, 40.0))
    game.step(600)
    assert not game.owned(1, "Archon")
    assert game.units[pair[0]]["order_count"] == 0
    third = give(game, "HighTemplar", 61.0, 41.0)
    game.issue(Command(1, 1766, tuple(game.tag(slot) for slot in (third, *pair))))
    until(game, lambda: bool(game.owned(1, "Archon")), 300)
    assert [int(game.units[slot]["order_count"]) for slot in game.owned(1, "HighTemplar")] == [0]


def test_of_three_templar_the_nearest_two_become_an_archon() -> None:
    """Places of a real game, whose command named them in this order."""
    game = protoss()
    far, one, other = (give(game, "HighTemplar", x, y) for x, y in ((39.7, 40.35), (42.0, 45.6), (44.3, 48.9)))
    game.step()
    game.issue(Command(1, 1766, tuple(game.tag(slot) for slot in (far, one, other))))
    until(game, lambda: bool(game.owned(1, "Archon")), 60)
    assert game.owned(1, "HighTemplar") == [far]
    assert game.units[far]["order_count"] == 0
    archon = game.units[game.owned(1, "Archon")[0]]
    assert math.hypot(float(archon["x"]) - 43.2, float(archon["y"]) - 47.3) < 0.5


def test_templar_that_are_told_to_merge_again_go_on() -> None:
    """A bot that says it every second loop gets its Archon as soon as one that says it once."""
    taken = []
    for again in (False, True):
        game = protoss()
        pair = [give(game, "HighTemplar", 40.0, 40.0), give(game, "HighTemplar", 50.0, 40.0)]
        game.step()
        begun = game.loop
        while not game.owned(1, "Archon"):
            if game.loop == begun or (again and game.loop % 2):
                assert game.issue(Command(1, 1766, tuple(game.tag(slot) for slot in pair))) == 1
            game.step()
            assert game.loop < begun + 100
        taken.append(game.loop - begun)
    assert taken[0] == taken[1]


def test_dark_templar_are_hidden_from_whom_nobody_shows_them() -> None:
    game = protoss()
    templar = give(game, "DarkTemplar", 40.0, 40.0)
    enemy(game, "Marine", 44.0, 40.0)
    game.step(20)
    assert int(game.units[templar]["flags"]) & CLOAKED
    assert game.units[templar]["shield"] == 80
    enemy(game, "Raven", 46.0, 40.0)
    game.step(20)
    assert int(game.units[templar]["flags"]) & DETECTED


def test_an_adept_follows_its_shade() -> None:
    game = protoss()
    adept = give(game, "Adept", 30.0, 40.0)
    game.step(5)
    supply = float(game.players[1]["supply_used"])
    assert order(game, adept, 2544, (60.0, 40.0)) == 1
    game.step(100)
    assert game.owned(1, "AdeptPhaseShift")
    assert game.players[1]["supply_used"] == supply
    assert away(game, adept, 30.0, 40.0) < 1
    game.step(62)
    assert not game.owned(1, "AdeptPhaseShift")
    assert away(game, adept, 60.0, 40.0) < 2
    game.step(120)
    assert order(game, adept, 2544, (40.0, 40.0)) == 1
    game.step(20)
    assert order(game, adept, 2594) == 1
    game.step(180)
    assert away(game, adept, 60.0, 40.0) < 2


def test_a_nexus_recharges_a_sentry() -> None:
    game = protoss()
    nexus = game.owned(1, "Nexus")[0]
    x, y = float(game.units[nexus]["x"]), float(game.units[nexus]["y"])
    sentry = give(game, "Sentry", x + 8.0, y)
    full(game, nexus)
    before = float(game.units[sentry]["energy"])
    assert order(game, nexus, 4126, sentry) == 1
    game.step(30)
    assert game.units[sentry]["energy"] - before == pytest.approx(101, abs=1)
    assert order(game, nexus, 4126, sentry) == 6


@pytest.mark.parametrize(
    ("name", "off", "energy", "verdict"),
    [
        ("HighTemplar", 12.0, 50.0, Result.SUCCESS),
        ("HighTemplar", 16.0, 50.0, Result.TARGET_IS_OUT_OF_RANGE),
        ("HighTemplar", 8.0, 200.0, Result.CANT_TARGET_THAT_UNIT),
        ("Nexus", 10.0, 50.0, Result.CANT_TARGET_THAT_UNIT),
    ],
)
def test_whom_a_nexus_recharges(name: str, off: float, energy: float, verdict: int) -> None:
    """Whoever lacks energy near a Nexus (validators of the catalog), but none of these."""
    game = protoss()
    nexus = game.owned(1, "Nexus")[0]
    other = give(game, name, float(game.units[nexus]["x"]) + off, float(game.units[nexus]["y"]))
    full(game, nexus)
    game.units[other]["energy"] = energy
    assert order(game, nexus, 4126, other) == verdict
