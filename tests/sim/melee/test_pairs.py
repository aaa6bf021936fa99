"""Powers that meet: what ends one when another takes hold (validators of the catalog)."""

from __future__ import annotations

import pytest

from sim.engine.bufftable import MATRIX, RECALLED, add_buff
from sim.engine.state import INSIDE
from sim.melee.game import Game
from sim.melee.records import Race, Result
from sim.melee.thrown import push
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import at_rest, duel, full, learn, lost

NOVA, ABDUCT, LOAD, NEURAL, BURST, SHADE = 2346, 2067, 911, 249, 2536, 2544
RECALL, MOTHERSHIP_RECALL, JAM, INJECT = 3757, 142, 3747, 251
BARRIER, CONTAMINATED = 299, 36  # buffs
HELD = 129  # buff of who is in stasis


# -- a Disruptor's ball -----------------------------------------------------------------------------------------------
def kill(game: Game, disruptor: int) -> None:
    """It falls."""
    game.kill(disruptor)


def pick_up(game: Game, disruptor: int) -> None:
    """A prism takes it in."""
    prism = give(game, "WarpPrism", 41.0, 40.0, int(game.units[disruptor]["owner"]))
    game.step()
    assert order(game, prism, LOAD, disruptor) == Result.SUCCESS
    until(game, lambda: bool(game.units[disruptor]["flags"] & INSIDE), 20)


def abduct(game: Game, disruptor: int) -> None:
    """A Viper draws it away."""
    viper = give(game, "Viper", 40.0, 44.0)
    full(game, viper)
    game.step()
    assert order(game, viper, ABDUCT, disruptor) == Result.SUCCESS
    until(game, lambda: game.units[disruptor]["y"] > 40.2, 20)


@pytest.mark.parametrize("end", [kill, pick_up, abduct])
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_ball_goes_out_with_its_disruptor(patch, end) -> None:
    game = duel(patch, Race.ZERG, Race.PROTOSS)
    disruptor, hydralisk = give(game, "Disruptor", 40.0, 40.0, 2), give(game, "Hydralisk", 52.0, 40.0)
    at_rest(game, hydralisk)
    game.step(4)
    assert order(game, disruptor, NOVA, (52.0, 40.0)) == Result.SUCCESS
    game.step(4)
    assert game.owned(2, "DisruptorPhased")
    end(game, disruptor)
    game.step(3)
    assert not game.owned(2, "DisruptorPhased")
    game.step(60)
    assert lost(game, hydralisk) == 0


# -- an Adept's shade -------------------------------------------------------------------------------------------------
def test_an_abducted_adept_gets_away_by_its_shade() -> None:
    """While a tongue draws it the shade's clock stands still (CasterNotAbducted); then it takes its place."""
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    viper, adept = give(game, "Viper", 40.0, 48.0), give(game, "Adept", 40.0, 40.0, 2)
    full(game, viper)
    game.step(4)
    assert order(game, adept, SHADE, (60.0, 40.0)) == Result.SUCCESS
    game.step(148)
    assert order(game, viper, ABDUCT, adept) == Result.SUCCESS
    until(game, lambda: game.units[adept]["y"] > 46.0, 30)
    assert game.owned(2, "AdeptPhaseShift"), "its time is over by now"
    until(game, lambda: not game.owned(2, "AdeptPhaseShift"), 12)
    game.step(8)
    assert game.units[adept]["x"] > 58.0
    assert game.units[adept]["y"] < 41.0


def test_a_shade_waits_for_an_adept_that_a_charge_pushes() -> None:
    """KD8CasterKnockingBack."""
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    adept = give(game, "Adept", 40.0, 40.0, 2)
    game.step(4)
    assert order(game, adept, SHADE, (60.0, 40.0)) == Result.SUCCESS
    until(game, lambda: bool(game.owned(2, "AdeptPhaseShift")), 8)
    shade = int(game.owned(2, "AdeptPhaseShift")[0])
    until(game, lambda: game.units[shade]["life_left"] < 6, 160)
    push(game, adept, 40.0, 39.0)
    game.step(14)
    assert game.owned(2, "AdeptPhaseShift"), "its time is over by now"
    until(game, lambda: not game.owned(2, "AdeptPhaseShift"), 4)
    game.step(8)
    assert game.units[adept]["x"] > 58.0
    assert game.units[adept]["y"] < 41.0


# -- stasis wards -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("buff", [17, 49, 277, 280, 298, 300])
def test_a_stasis_ends_what_its_victim_wears(buff: int) -> None:
    """Fungus, revelation, matrices, anti-armour missiles."""
    game = duel("5.0.14", Race.PROTOSS, Race.ZERG)
    give(game, "OracleStasisTrap", 40.5, 40.5)
    hydralisk = give(game, "Hydralisk", 43.0, 40.5, 2)
    add_buff(game.units[hydralisk], game.state.buffs, buff)
    until(game, lambda: HELD in game.units[hydralisk]["buff"], 20)
    assert set(game.units[hydralisk]["buff"]) == {0, HELD}


def test_a_stasis_ends_a_neural_parasite() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    infestor, victim = give(game, "Infestor", 40.0, 40.0, facing=0.0), give(game, "Immortal", 46.0, 40.0, 2)
    ward = give(game, "OracleStasisTrap", 48.5, 40.5, 2)
    learn(game, "NeuralParasite")
    at_rest(game, victim)
    full(game, infestor)
    game.step(4)
    assert order(game, infestor, NEURAL, victim) == Result.SUCCESS
    until(game, lambda: game.units[victim]["owner"] == 1, 40)
    assert order(game, ward, BURST) == Result.SUCCESS
    until(game, lambda: HELD in game.units[victim]["buff"], 20)
    assert game.units[victim]["owner"] == 2
    assert not game.units[infestor]["order_count"]


@pytest.mark.parametrize(
    ("name", "waits", "holds"),
    [
        ("Zergling", False, True),
        ("ZerglingBurrowed", True, True),
        ("ChangelingZealot", True, True),
        ("Ultralisk", True, False),
        ("Larva", True, False),
    ],
)
def test_whom_a_ward_waits_for_and_whom_it_holds(name: str, waits: bool, holds: bool) -> None:
    """By itself it bursts for who is seen and taken for an enemy, and the frenzied escape it altogether."""
    game = duel("5.0.14", Race.PROTOSS, Race.ZERG)
    ward, walker = give(game, "OracleStasisTrap", 40.5, 40.5), give(game, name, 42.5, 40.5, 2)
    at_rest(game, walker)
    game.step(20)
    assert (HELD not in game.units[walker]["buff"]) is waits
    order(game, ward, BURST)
    game.step(12)
    assert (HELD in game.units[walker]["buff"]) is holds


@pytest.mark.parametrize(("ability", "goes_on"), [(16, True), (23, True), (319, False)])
def test_what_a_stasis_stops(ability: int, goes_on: bool) -> None:
    """A walk and an attack go on after it, who is on his way to build gives up (OracleStasisTrapBuildingSet)."""
    game = duel("5.0.14", Race.TERRAN, Race.PROTOSS)
    scv, ward = give(game, "SCV", 40.5, 40.5), give(game, "OracleStasisTrap", 41.5, 40.5, 2)
    assert order(game, scv, ability, (70.0, 40.0)) == Result.SUCCESS
    order(game, ward, BURST)
    until(game, lambda: HELD in game.units[scv]["buff"], 20)
    assert bool(game.units[scv]["order_count"]) is goes_on
    held = float(game.units[scv]["x"])
    game.step(470)
    assert float(game.units[scv]["x"]) == held
    game.step(40)
    assert (float(game.units[scv]["x"]) > held + 2) is goes_on


def test_a_ward_shows_whom_it_holds_for_a_while() -> None:
    """Four cells for four normal seconds, longer than the ward stands (OracleStasisTrapReveal)."""
    game = duel("5.0.14", Race.TERRAN, Race.PROTOSS)
    marine, ward = give(game, "Marine", 40.5, 40.5), give(game, "OracleStasisTrap", 41.5, 40.5, 2)
    order(game, ward, BURST)
    until(game, lambda: HELD in game.units[marine]["buff"], 20)
    game.step(58)
    assert not game.owned(2, "OracleStasisTrap")
    assert game.visibility[2, 40, 45] == 2, "farther than the dead see"
    game.step(10)
    assert game.visibility[2, 40, 45] != 2


# -- recalls ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_recall_leaves_who_is_being_abducted(patch: str) -> None:
    game = duel(patch, Race.ZERG, Race.PROTOSS)
    viper, zealots = give(game, "Viper", 40.0, 48.0), [give(game, "Zealot", 40.0, y, 2) for y in (39.0, 40.0)]
    nexus = game.owned(2, "Nexus")[0]
    full(game, viper, nexus)
    at_rest(game, *zealots)
    game.step(4)
    assert order(game, viper, ABDUCT, zealots[1]) == Result.SUCCESS
    until(game, lambda: game.units[zealots[1]]["y"] > 40.2, 20)
    assert order(game, nexus, RECALL, (40.0, 40.0)) == Result.SUCCESS
    game.step(4)
    assert [RECALLED in game.units[slot]["buff"] for slot in zealots] == [True, False]


@pytest.mark.parametrize("jammed", [False, True])
def test_a_matrix_on_the_mothership_undoes_her_recall(jammed: bool) -> None:
    game = duel("5.0.14", Race.TERRAN, Race.PROTOSS)
    mothership, zealot = give(game, "Mothership", 60.0, 60.0, 2), give(game, "Zealot", 40.0, 40.0, 2)
    full(game, mothership)
    game.step(4)
    assert order(game, mothership, MOTHERSHIP_RECALL, (40.0, 40.0)) == Result.SUCCESS
    game.step(40)
    if jammed:
        add_buff(game.units[mothership], game.state.buffs, MATRIX)
    game.step(60)
    assert bool(game.units[zealot]["x"] < 45) is jammed
    assert RECALLED not in game.units[zealot]["buff"]


# -- matrices, contamination ----------------------------------------------------------------------------------
def test_a_matrix_takes_a_barrier_down() -> None:
    game = duel("5.0.14", Race.TERRAN, Race.PROTOSS)
    raven, immortal = give(game, "Raven", 34.0, 40.0), give(game, "Immortal", 40.0, 40.0, 2)
    learn(game, "InterferenceMatrix")
    full(game, raven)
    give(game, "Marauder", 35.0, 42.0)
    at_rest(game, immortal)
    game.units[immortal]["shield"] = 50
    until(game, lambda: BARRIER in game.units[immortal]["buff"], 60)
    assert order(game, raven, JAM, immortal) == Result.SUCCESS
    until(game, lambda: MATRIX in game.units[immortal]["buff"], 20)
    assert BARRIER not in game.units[immortal]["buff"]
    assert game.units[immortal]["shield"] < 60
    game.units[immortal]["shield"] = 100
    at_rest(game, *game.owned(1, "Marauder"))
    game.step(60)
    assert game.units[immortal]["shield"] == 100, "its end is not reckoned twice"


def test_no_queen_injects_a_contaminated_hall() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    hall = game.owned(1, "Hatchery")[0]
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    queen = give(game, "Queen", x + 12.0, y)
    full(game, queen)
    assert order(game, queen, INJECT, hall) == Result.SUCCESS
    add_buff(game.units[hall], game.state.buffs, CONTAMINATED, 480.0)
    until(game, lambda: not game.units[queen]["order_count"], 200)
    assert 11 not in game.units[hall]["buff"]
    assert game.units[queen]["energy"] == 200
    assert order(game, queen, INJECT, hall) == Result.CANT_TARGET_THAT_UNIT
