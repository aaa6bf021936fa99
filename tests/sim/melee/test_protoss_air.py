"""Protoss flyers: Phoenix, Void Ray, Oracle, Mothership, Warp Prism."""

from __future__ import annotations

import itertools

import pytest

from sim.engine.bufftable import MATRIX, add_buff
from sim.engine.state import CLOAKED, FLYING
from sim.melee import construction
from sim.melee.barred import STASIS_TRAP
from sim.melee.harm import is_dragged
from sim.melee.records import Race, Result
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import away, duel, full
from tests.sim.melee.protoss_world import enemy, protoss, research


def test_a_beam_ends_with_what_it_holds() -> None:
    game = protoss()
    phoenix, marine = give(game, "Phoenix", 40.0, 40.0), enemy(game, "Marine", 42.0, 40.0)
    full(game, phoenix)
    assert order(game, phoenix, 173, marine) == 1
    until(game, lambda: 5 in game.units[marine]["buff"], 40)
    game.kill(marine)
    game.step()
    assert not game.units[phoenix]["order_count"]


def test_graviton_beam_lifts_and_lets_down() -> None:
    game = protoss()
    phoenix, marine = give(game, "Phoenix", 40.0, 40.0), enemy(game, "Marine", 44.0, 40.0)
    full(game, phoenix)
    game.step(5)
    assert order(game, phoenix, 173, marine) == 1
    until(game, lambda: bool(int(game.units[marine]["flags"]) & FLYING), 30)
    where, energy = float(game.units[marine]["x"]), float(game.units[phoenix]["energy"])
    order(game, marine, 16, (60.0, 40.0))
    game.step(30)
    assert game.units[marine]["x"] == where
    assert game.units[phoenix]["energy"] == pytest.approx(energy, abs=0.05), "the beam takes what would come back"
    order(game, phoenix, 16, (30.0, 40.0))
    game.step(4)
    assert int(game.units[marine]["flags"]) & FLYING, "what it is told meanwhile waits"
    assert order(game, phoenix, 174) == Result.SUCCESS
    game.step(1)
    assert not int(game.units[marine]["flags"]) & FLYING
    assert order(game, marine, 16, (60.0, 40.0)) == Result.ERROR, "it is dazed by its fall"
    game.step(8)
    assert order(game, marine, 16, (60.0, 40.0)) == Result.SUCCESS
    game.step(24)
    assert game.units[marine]["x"] > where + 1
    assert game.units[phoenix]["energy"] > energy + 1


def test_one_beam_lifts_a_unit_and_who_comes_later_keeps_its_energy() -> None:
    game = protoss()
    phoenixes, marine = [give(game, "Phoenix", 30.0, 40.0 + k) for k in range(2)], enemy(game, "Marine", 44.0, 40.0)
    full(game, *phoenixes)
    game.step(5)
    assert [order(game, phoenix, 173, marine) for phoenix in phoenixes] == [Result.SUCCESS] * 2
    until(game, lambda: bool(int(game.units[marine]["flags"]) & FLYING), 60)
    game.step(20)
    assert sorted(float(game.units[phoenix]["energy"]) for phoenix in phoenixes) == pytest.approx([150, 200], abs=1)
    assert sorted(int(game.units[phoenix]["order_count"]) for phoenix in phoenixes) == [0, 1]
    assert int(game.units[marine]["flags"]) & FLYING, "who came in the same loop does not let it down"


def test_a_tongue_takes_a_unit_out_of_a_beam_and_no_beam_takes_it_from_a_tongue() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    viper, marine = give(game, "Viper", 40.0, 40.0), give(game, "Marine", 46.0, 40.0)
    phoenixes = [give(game, "Phoenix", 44.0, y, 2) for y in (42.0, 44.0)]
    full(game, viper, *phoenixes)
    game.step(2)
    assert order(game, phoenixes[0], 173, marine) == Result.SUCCESS
    until(game, lambda: 5 in game.units[marine]["buff"], 40)
    assert order(game, viper, 2067, marine) == Result.SUCCESS
    until(game, lambda: is_dragged(game, marine), 20)
    game.step(4)
    assert 5 not in game.units[marine]["buff"]
    assert order(game, phoenixes[1], 173, marine) == Result.ERROR
    assert not game.units[phoenixes[0]]["order_count"]
    until(game, lambda: not is_dragged(game, marine), 20)
    assert away(game, marine, 40.0, 40.0) < 1.5


def test_a_beam_ends_when_its_target_is_in_stasis() -> None:
    game = protoss()
    phoenix, marine = give(game, "Phoenix", 40.0, 40.0), enemy(game, "Marine", 42.0, 40.0)
    full(game, phoenix)
    order(game, phoenix, 173, marine)
    until(game, lambda: 5 in game.units[marine]["buff"], 40)
    add_buff(game.units[marine], game.state.buffs, STASIS_TRAP)
    game.step(4)
    assert 5 not in game.units[marine]["buff"]
    assert not game.units[phoenix]["order_count"]


def test_prismatic_alignment_hurts_armoured_targets_more() -> None:
    losses = []
    for aligned in (False, True):
        game = protoss()
        ray, depot = give(game, "VoidRay", 40.0, 40.0), enemy(game, "SupplyDepot", 44.0, 40.0)
        if aligned:
            assert order(game, ray, 2393) == 1
        order(game, ray, 23, depot)
        game.step(100)
        losses.append(400 - float(game.units[depot]["hp"]))
    assert losses[1] / losses[0] == pytest.approx(15 / 9, abs=0.15)


def test_flux_vanes_do_not_speed_up_an_alignment() -> None:
    speeds = []
    for vanes in (False, True):
        game = protoss()
        if vanes:
            research(game, 1, "VoidRaySpeedUpgrade")
        ray = give(game, "VoidRay", 40.0, 40.0)
        game.step()
        assert order(game, ray, 2393) == 1
        game.step()
        speeds.append(float(game.type_of(ray)["speed"] * game.units[ray]["speed_factor"]))
        assert order(game, ray, 3707) == 1
        game.step()
        assert game.units[ray]["speed_factor"] == 1
    assert speeds[1] == pytest.approx(3.3203 * 0.621 / 16, rel=1e-3)
    assert speeds[0] == pytest.approx(speeds[1], rel=0.02)


@pytest.mark.parametrize("cover", [18, 297])
def test_neither_guardian_shield_nor_shroud_helps_against_an_oracle(cover: int) -> None:
    """Its beam is a spell (catalog: kind)."""
    game = protoss()
    oracle, marine = give(game, "Oracle", 40.0, 40.0), enemy(game, "Marine", 42.0, 40.0)
    full(game, oracle)
    add_buff(game.units[marine], game.state.buffs, cover, 200.0)
    order(game, oracle, 2375)
    order(game, oracle, 23, marine)
    until(game, lambda: game.units[marine]["hp"] < 45, 30)
    assert game.units[marine]["hp"] == pytest.approx(45 - 22)


def test_an_oracle_does_not_wait_between_its_victims() -> None:
    """Between Probes that real ones killed lie 18 or 19 loops, 14 where one was hurt already (30 of 51)."""
    game = protoss()
    oracle = give(game, "Oracle", 40.0, 40.0)
    probes = [enemy(game, "Probe", 41.0 + 0.8 * k, 40.5) for k in range(5)]
    full(game, oracle)
    for probe in probes:
        order(game, probe, 18)
    order(game, oracle, 2375)
    order(game, oracle, 3674, (43.0, 40.0))
    deaths: list[int] = []
    for _ in range(140):
        game.step()
        if 5 - len(game.owned(2, "Probe")) > len(deaths):
            deaths.append(game.loop)
    gaps = [b - a for a, b in itertools.pairwise(deaths)]
    assert len(gaps) == 4
    assert all(16 <= gap <= 24 for gap in gaps), "28 with a cooldown for all of them"


def test_an_oracle_fires_while_its_beam_is_on() -> None:
    game = protoss()
    oracle, probe = give(game, "Oracle", 40.0, 40.0), enemy(game, "SCV", 42.0, 40.0)
    full(game, oracle)
    game.step(30)
    assert game.units[probe]["hp"] == 45
    assert order(game, oracle, 2375) == 1
    order(game, oracle, 23, probe)
    game.step(40)
    assert game.units[probe]["hp"] < 45
    assert game.units[oracle]["energy"] < 175
    assert order(game, oracle, 2376) == 1


def test_a_stasis_ward_holds_who_comes_near() -> None:
    game = protoss()
    oracle = give(game, "Oracle", 40.0, 40.0)
    full(game, oracle)
    game.step(10)
    assert order(game, oracle, 2505, (44.5, 40.5)) == 1
    until(game, lambda: bool(game.owned(1, "OracleStasisTrap")), 60)
    game.step(90)
    marine = enemy(game, "Marine", 50.0, 40.0)
    game.memory.ready[marine, 2588] = due = game.loop + 600
    game.units["cooldown"][marine, 0] = 600.0
    order(game, marine, 16, (40.0, 40.0))
    until(game, lambda: 129 in game.units[marine]["buff"], 120)
    assert game.memory.ready[marine, 2588] == due + 480, "nothing cools down meanwhile"
    assert game.units["cooldown"][marine, 0] == pytest.approx(due + 480 - game.loop, abs=1)
    assert game.owned(1, "OracleStasisTrap"), "it goes on for a moment, and nothing harms it"
    game.step(30)
    assert not game.owned(1, "OracleStasisTrap")
    zealot = enemy(game, "Zealot", 70.0, 40.0)
    add_buff(game.units[zealot], game.state.buffs, 129)
    game.units[zealot]["shield"] = 10
    game.step(64)
    assert game.units[zealot]["shield"] == 10, "in stasis nothing comes back"


def test_time_warp_and_cloak_of_the_mothership() -> None:
    game = protoss()
    mother, zealot = give(game, "Mothership", 40.0, 40.0), give(game, "Zealot", 42.0, 40.0)
    marine = enemy(game, "SupplyDepot", 46.0, 40.0)
    tank = enemy(game, "SiegeTankSieged", 47.5, 42.0)
    game.step(5)
    assert order(game, mother, 4124) == 1
    game.step(8)
    assert int(game.units[zealot]["flags"]) & CLOAKED
    assert not int(game.units[mother]["flags"]) & CLOAKED
    assert order(game, mother, 2244, (47.0, 41.0)) == 1
    game.step(24)
    assert game.units[tank]["speed_factor"] == pytest.approx(0.6)
    assert name_of(game, marine) == "SupplyDepot"


def test_a_field_hides_what_is_not_complete_or_cannot_be_hurt() -> None:
    game = protoss()
    mother, disruptor = give(game, "Mothership", 40.0, 40.0), give(game, "Disruptor", 39.0, 41.0)
    site = construction.start_structure(game, 1, game.facts.ids["Pylon"], 42.0, 38.0, loops=400)
    game.step(5)
    order(game, mother, 4124)
    order(game, disruptor, 2346, (41.0, 41.0))
    gate = give(game, "WarpGate", 30.5, 30.5)
    for name, x, y in (("Pylon", 36.0, 38.0), ("Pylon", 30.0, 34.0), ("DarkShrine", 26.5, 30.5)):
        give(game, name, x, y)
    game.step(2)
    assert order(game, gate, 1417, (38.0, 40.0)) == 1
    game.step(6)
    (ball,), (templar,) = game.owned(1, "DisruptorPhased"), game.owned(1, "DarkTemplar")
    assert all(int(game.units[slot]["flags"]) & CLOAKED for slot in (site, ball, templar))
    for _ in range(300):
        game.step()
        assert int(game.units[templar]["flags"]) & CLOAKED


def test_who_is_always_cloaked_stays_so_where_a_field_ends() -> None:
    game = protoss()
    mother, templar = give(game, "Mothership", 40.0, 40.0), give(game, "DarkTemplar", 42.0, 40.0)
    game.step(5)
    order(game, mother, 4124)
    game.step(20)
    order(game, templar, 16, (60.0, 40.0))
    for _ in range(150):
        game.step()
        assert int(game.units[templar]["flags"]) & CLOAKED
    assert game.units[templar]["x"] > 50


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_jammed_mothership_hides_nobody(patch: str) -> None:
    """Catalogs of 5.0.11 and 5.0.13: CloakField is off while its bearer has RavenScramblerMissile."""
    game = duel(patch, Race.PROTOSS, Race.TERRAN)
    mother, zealot = give(game, "Mothership", 40.0, 40.0), give(game, "Zealot", 42.0, 40.0)
    game.step(5)
    order(game, mother, 4124)
    game.step(20)
    assert int(game.units[zealot]["flags"]) & CLOAKED
    add_buff(game.units[mother], game.state.buffs, MATRIX, 60)
    game.step(16)
    assert not int(game.units[zealot]["flags"]) & CLOAKED
    game.step(60)
    assert int(game.units[zealot]["flags"]) & CLOAKED, "the field lasts on"


def test_there_is_one_mothership_at_most() -> None:
    game = protoss()
    nexus = game.owned(1, "Nexus")[0]
    give(game, "FleetBeacon", 30.5, 60.5)
    give(game, "Pylon", 30.0, 56.0)
    game.step(2)
    assert order(game, nexus, 110) == 1
    game.step()
    assert order(game, nexus, 110) == 40
    assert order(game, nexus, 1831) == 1
    game.step()
    assert order(game, nexus, 110) == 1


def test_a_warp_prism_picks_up_from_five_cells_away() -> None:
    game = protoss()
    prism, zealot = give(game, "WarpPrism", 40.0, 40.0), give(game, "Zealot", 46.0, 40.0)
    assert order(game, prism, 911, zealot) == 1
    game.step(4)
    assert game.units[prism]["cargo"] == 2
    assert away(game, prism, 40.0, 40.0) < 1
    assert order(game, prism, 913, (50.0, 40.0)) == 1
    until(game, lambda: game.units[prism]["cargo"] == 0, 100)
    assert away(game, zealot, 50.0, 40.0) < 2


@pytest.mark.parametrize("how", ["dies", "is abducted"])
def test_a_beam_ends_with_the_phoenix_that_holds_it_or_lets_go(how: str) -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.ZERG)
    phoenix, marine, viper = (
        give(game, "Phoenix", 40.0, 40.0),
        give(game, "Marine", 43.0, 40.0, 2),
        give(game, "Viper", 34.0, 40.0, 2),
    )
    full(game, phoenix, viper)
    assert order(game, phoenix, 173, marine) == Result.SUCCESS
    until(game, lambda: bool(int(game.units[marine]["flags"]) & FLYING), 30)
    if how == "dies":
        game.kill(phoenix)
    else:
        assert order(game, viper, 2067, phoenix) == Result.SUCCESS
        until(game, lambda: is_dragged(game, phoenix), 30)
    assert 5 not in game.units[marine]["buff"]
    game.step(20)
    assert not int(game.units[marine]["flags"]) & FLYING
    assert order(game, marine, 16, (60.0, 40.0)) == Result.SUCCESS
    until(game, lambda: away(game, marine, 60.0, 40.0) < 1, 300)
