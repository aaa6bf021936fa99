"""Infestors: what they cast, under both patches."""

from __future__ import annotations

import pytest

from sim.engine.bufftable import add_buff
from sim.engine.state import BURROWED, DETECTED
from sim.melee.game import Game
from sim.melee.records import Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, full, learn, lost

FUNGAL, NEURAL, CANCEL_NEURAL, TERRANS, SHROUD, BLINK, STRIDE = 74, 249, 250, 247, 4111, 1442, 2700
SHADE, BURROW_UP = 2544, 1446
FUNGUS = 17
SMART, MOVE, ATTACK, UNLOAD_AT = 1, 16, 23, 396


@pytest.mark.parametrize(("patch", "damage"), [("5.0.14", 25.0), ("4.10.0", 30.0)])
def test_fungal_growth_flies_slows_shows_and_deals_the_damage_of_its_patch(patch: str, damage: float) -> None:
    game = duel(patch)
    infestor = give(game, "Infestor", 40.0, 40.0)
    full(game, infestor)
    tank = give(game, "SiegeTankSieged", 48.0, 40.0, 2)
    buried = give(game, "InfestorBurrowed", 48.5, 41.5, 2)
    own = give(game, "Roach", 47.0, 40.0)
    at_rest(game, tank, buried, own)
    game.step(4)
    assert order(game, infestor, FUNGAL, (48.0, 40.0)) == Result.SUCCESS
    game.step(3)
    assert 17 not in game.units[tank]["buff"], "it flies for eight cells at 0.75 a loop"
    until(game, lambda: 17 in game.units[tank]["buff"], 12)
    assert game.units[tank]["speed_factor"] == pytest.approx(0.25)
    game.step(5)
    assert int(game.units[buried]["flags"]) & DETECTED
    game.step(58)
    assert 17 in game.units[tank]["buff"]
    game.step(1)
    assert 17 not in game.units[tank]["buff"], "gone 64 loops after it showed (observed of 5.0.15)"
    game.step(16)
    assert lost(game, tank) == pytest.approx(damage, abs=0.01), "it works on shields and life without armour"
    assert lost(game, own) == 0


def test_a_second_fungus_starts_the_time_anew_but_does_not_add_up() -> None:
    game = duel()
    infestors = [give(game, "Infestor", 40.0, 40.0 + k) for k in (0, 2)]
    full(game, *infestors)
    tank = give(game, "SiegeTankSieged", 46.0, 41.0, 2)
    at_rest(game, tank)
    game.step(4)
    order(game, infestors[0], FUNGAL, (46.0, 41.0))
    until(game, lambda: 17 in game.units[tank]["buff"], 20)
    game.step(32)
    order(game, infestors[1], FUNGAL, (46.0, 41.0))
    game.step(120)
    assert 25 + 8 * 1.5625 <= lost(game, tank) <= 25 + 12 * 1.5625


def test_who_is_in_a_fungus_does_not_blink() -> None:
    game = duel(mine=Race.PROTOSS, enemy=Race.ZERG)
    learn(game, "BlinkTech")
    stalker, infestor = give(game, "Stalker", 46.0, 40.0), give(game, "Infestor", 40.0, 40.0, 2)
    full(game, infestor)
    game.step(4)
    order(game, infestor, FUNGAL, (46.0, 40.0))
    until(game, lambda: 17 in game.units[stalker]["buff"], 30)
    assert order(game, stalker, BLINK, (50.0, 40.0)) == Result.ERROR
    templar = give(game, "DarkTemplar", 46.0, 42.0)
    learn(game, "DarkTemplarBlinkUpgrade")
    add_buff(game.units[templar], game.state.buffs, FUNGUS, 40.0)
    assert order(game, templar, STRIDE, (50.0, 40.0)) == Result.ERROR
    game.step(70)
    assert order(game, stalker, BLINK, (50.0, 40.0)) == Result.SUCCESS
    assert order(game, templar, STRIDE, (50.0, 40.0)) == Result.SUCCESS


def neural(game: Game) -> tuple[int, int]:
    """An infestor that holds a Marauder."""
    learn(game, "NeuralParasite")
    infestor, marauder = give(game, "Infestor", 40.0, 40.0), give(game, "Marauder", 45.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, marauder)
    game.step(4)
    assert order(game, infestor, NEURAL, marauder) == Result.SUCCESS
    until(game, lambda: game.units[marauder]["owner"] == 1, 30)
    return infestor, marauder


def test_neural_parasite_changes_the_owner_for_fifteen_seconds() -> None:
    game = duel()
    tag_before = None
    infestor, marauder = neural(game)
    tag_before = game.tag(marauder)
    assert 22 in game.units[marauder]["buff"]
    assert order(game, marauder, MOVE, (48.0, 44.0)) == Result.SUCCESS, "its new player commands it"
    assert order(game, infestor, MOVE, (30.0, 40.0)) == Result.SUCCESS
    game.step(225)
    assert away(game, infestor, 40.0, 40.0) < 0.1, "who holds on can do nothing else: the order waits"
    assert game.units[marauder]["owner"] == 1
    game.step(20)
    assert game.units[marauder]["owner"] == 2
    assert game.tag(marauder) == tag_before
    assert 22 not in game.units[marauder]["buff"]
    game.step(20)
    assert away(game, infestor, 40.0, 40.0) > 1


def test_a_buried_infestor_comes_up_only_when_it_has_let_go() -> None:
    game = duel()
    learn(game, "NeuralParasite", "Burrow")
    infestor, marauder = give(game, "InfestorBurrowed", 40.0, 40.0), give(game, "Marauder", 46.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, marauder)
    game.step(4)
    assert order(game, infestor, NEURAL, marauder) == Result.SUCCESS
    until(game, lambda: game.units[marauder]["owner"] == 1, 30)
    assert order(game, infestor, BURROW_UP) == Result.SUCCESS
    game.step(100)
    assert game.units[marauder]["owner"] == 1
    assert game.facts.names[game.units[infestor]["type"]] == "InfestorBurrowed"
    game.step(160)
    assert game.units[marauder]["owner"] == 2
    assert game.facts.names[game.units[infestor]["type"]] == "Infestor"


@pytest.mark.parametrize(("way", "loops"), [(3.0, 9), (6.0, 13), (8.5, 16)])
def test_a_tentacle_gets_faster_on_its_way(way: float, loops: int) -> None:
    """20 cells a normal second in each, but no faster than 12 in the first 4.5 cells (InfestorNeuralParasite)."""
    game = duel()
    learn(game, "NeuralParasite")
    infestor, marauder = give(game, "Infestor", 40.0, 40.0), give(game, "Marauder", 40.0 + way, 40.0, 2)
    full(game, infestor)
    at_rest(game, infestor, marauder)
    assert order(game, infestor, NEURAL, marauder) == Result.SUCCESS
    until(game, lambda: game.units[infestor]["energy"] < 150, 20)
    game.step(loops - 1)
    assert game.units[marauder]["owner"] == 2
    game.step(2)
    assert game.units[marauder]["owner"] == 1


@pytest.mark.parametrize("how", ["cancel", "death", "distance"])
def test_neural_parasite_ends_early(how: str) -> None:
    game = duel()
    infestor, marauder = neural(game)
    if how == "cancel":
        assert CANCEL_NEURAL in available_abilities(game, infestor)
        assert order(game, infestor, CANCEL_NEURAL) == Result.SUCCESS
        game.step()
    elif how == "death":
        game.kill(infestor)
    else:
        order(game, marauder, MOVE, (70.0, 40.0))
        until(game, lambda: away(game, marauder, 40.0, 40.0) > 12.5, 120)
        assert game.units[marauder]["owner"] == 1
        until(game, lambda: away(game, marauder, 40.0, 40.0) > 14.5 or game.units[marauder]["owner"] == 2, 60)
        game.step(4)
    assert game.units[marauder]["owner"] == 2


@pytest.mark.parametrize("thief_sends_it", [False, True], ids=["sent before", "sent by the thief"])
def test_an_adept_that_takes_its_shades_place_is_its_own_players_again(thief_sends_it: bool) -> None:
    game = duel()
    learn(game, "NeuralParasite")
    infestor, adept = give(game, "Infestor", 40.0, 40.0), give(game, "Adept", 45.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, adept)
    game.step(4)
    if not thief_sends_it:
        order(game, adept, SHADE, (48.0, 40.0))
    order(game, infestor, NEURAL, adept)
    until(game, lambda: game.units[adept]["owner"] == 1, 30)
    if thief_sends_it:
        order(game, adept, SHADE, (48.0, 40.0))
    game.step(4)
    assert bool(game.owned(1, "AdeptPhaseShift")) == thief_sends_it, "a shade stays whose it was"
    until(game, lambda: not game.owned(1, "AdeptPhaseShift") and not game.owned(2, "AdeptPhaseShift"), 170)
    assert away(game, adept, 48.0, 40.0) < 0.5
    assert (game.units[adept]["owner"], game.units[infestor]["order_count"]) == (2, 0)
    assert 22 not in game.units[adept]["buff"]


@pytest.mark.parametrize(("patch", "lasts"), [("5.0.14", False), ("4.10.0", True)])
def test_a_shade_that_a_thief_sent_ends_when_he_loses_the_adept(patch: str, lasts: bool) -> None:
    game = duel(patch)
    learn(game, "NeuralParasite")
    infestor, adept = give(game, "Infestor", 40.0, 40.0), give(game, "Adept", 45.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, adept)
    game.step(4)
    order(game, infestor, NEURAL, adept)
    until(game, lambda: game.units[adept]["owner"] == 1, 30)
    order(game, adept, SHADE, (48.0, 40.0))
    game.step(40)
    assert game.owned(1, "AdeptPhaseShift")
    order(game, infestor, CANCEL_NEURAL)
    until(game, lambda: game.units[adept]["owner"] == 2, 4)
    assert bool(game.owned(1, "AdeptPhaseShift")) == lasts
    game.step(140)
    assert (away(game, adept, 48.0, 40.0) < 0.5) == lasts


def test_infested_terrans_belong_to_the_older_patch() -> None:
    game = duel("4.10.0")
    infestor = give(game, "Infestor", 40.0, 40.0)
    full(game, infestor)
    game.step(4)
    assert order(game, infestor, TERRANS, (46.0, 40.0)) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "InfestedTerransEgg")), 15)
    assert until(game, lambda: bool(game.owned(1, "InfestorTerran")), 100) == 78
    terran = game.owned(1, "InfestorTerran")[0]
    assert away(game, terran, 46.0, 40.0) < 1
    assert 480 <= until(game, lambda: not game.owned(1, "InfestorTerran"), 500) + 1 <= 482
    assert order(duel(), 0, TERRANS, (46.0, 40.0)) != Result.SUCCESS


def test_a_shroud_halves_what_comes_from_the_air() -> None:
    losses = []
    for covered in (False, True):
        game = duel()
        learn(game, "MicrobialShroud")
        infestor, queen = give(game, "Infestor", 40.0, 40.0), give(game, "Ultralisk", 46.0, 40.0)
        full(game, infestor)
        at_rest(game, queen)
        game.step(4)
        if covered:
            assert order(game, infestor, SHROUD, (46.0, 40.0)) == Result.SUCCESS
            game.step(4)
            assert 297 in game.units[queen]["buff"]
        cruiser = give(game, "Battlecruiser", 50.0, 40.0, 2)
        order(game, cruiser, ATTACK, queen)
        game.step(60)
        losses.append(lost(game, queen))
    armor = 2
    assert losses[0] > 30
    assert losses[1] / losses[0] == pytest.approx((8 / 2 - armor) / (8 - armor), abs=0.05)


def test_buried_infestors_walk_and_are_not_seen() -> None:
    game = duel()
    learn(game, "Burrow")
    infestor = give(game, "Infestor", 40.0, 40.0)
    game.step()
    order(game, infestor, 1444)
    until(game, lambda: bool(int(game.units[infestor]["flags"]) & BURROWED), 30)
    order(game, infestor, MOVE, (44.0, 40.0))
    game.step(40)
    assert away(game, infestor, 40.0, 40.0) > 3
    assert int(game.units[infestor]["flags"]) & BURROWED


def test_an_infestor_whose_energy_is_gone_when_it_comes_takes_nobody_over() -> None:
    game = duel()
    infestor, marauder = give(game, "Infestor", 40.0, 40.0), give(game, "Marauder", 52.0, 40.0, 2)
    learn(game, "NeuralParasite")
    full(game, infestor)
    at_rest(game, marauder)
    game.step(4)
    assert order(game, infestor, NEURAL, marauder) == Result.SUCCESS
    game.step(4)
    game.units[infestor]["energy"] = 20
    until(game, lambda: not game.units[infestor]["order_count"], 200)
    game.step(30)
    assert game.units[marauder]["owner"] == 2
    assert game.units[infestor]["energy"] > 20


def test_of_two_tentacles_at_one_victim_the_first_holds_it_and_the_other_lets_go() -> None:
    game = duel()
    first, second = give(game, "Infestor", 40.0, 40.0), give(game, "Infestor", 38.0, 44.0)
    victim = give(game, "Marauder", 45.0, 40.0, 2)
    learn(game, "NeuralParasite")
    full(game, first, second)
    at_rest(game, victim)
    game.step(4)
    for infestor in (first, second):
        assert order(game, infestor, NEURAL, victim) == Result.SUCCESS
    until(game, lambda: game.units[victim]["owner"] == 1, 40)
    until(game, lambda: not game.units[second]["order_count"], 40)
    assert game.units[victim]["owner"] == 1
    assert game.units[first]["order_count"] == 1
    assert order(game, second, MOVE, (30.0, 44.0)) == Result.SUCCESS
    until(game, lambda: away(game, second, 30.0, 44.0) < 1, 200)
    assert game.units[victim]["owner"] == 1
    until(game, lambda: game.units[victim]["owner"] == 2, 260)


def test_an_adept_that_takes_its_shades_place_leaves_the_fungus_behind() -> None:
    """Its buff goes (protoss_blink.HOLDS), and with it the damage."""
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    infestor, adept = give(game, "Infestor", 40.0, 40.0), give(game, "Adept", 47.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, adept)
    game.step(2)
    assert order(game, adept, SHADE, (60.0, 40.0)) == Result.SUCCESS
    game.step(118)
    assert order(game, infestor, FUNGAL, (47.0, 40.0)) == Result.SUCCESS
    until(game, lambda: FUNGUS in game.units[adept]["buff"], 40)
    until(game, lambda: float(game.units[adept]["x"]) > 52, 60)
    assert FUNGUS not in game.units[adept]["buff"]
    hurt = lost(game, adept) + float(game.units[adept]["shield_max"] - game.units[adept]["shield"])
    assert hurt > 0
    game.step(12)
    assert lost(game, adept) + float(game.units[adept]["shield_max"] - game.units[adept]["shield"]) == hurt
