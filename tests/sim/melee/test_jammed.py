"""Who is jammed, lifted or in stasis: what he does by himself, what he is told, and who mends him."""

import numpy as np
import pytest

from sim.engine.bufftable import add_buff
from sim.engine.state import AUTOCAST, UNFINISHED
from sim.melee.records import Race, Result
from tests.sim.melee.field import FIELD, give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, duel, full, learn, lost

NEURAL = 249
JAMMED, HELD, LIFTED = 277, 129, 5  # buffs


@pytest.mark.parametrize(("patch", "harvest"), [("5.0.14", Result.SUCCESS), ("4.10.0", Result.ERROR)])
def test_who_is_in_stasis_is_told_where_to_go_afterwards(patch: str, harvest: int) -> None:
    """Catalog: the buff of a stasis ward leaves moving and stopping, in the newer patch mining, too."""
    game = duel(patch, Race.TERRAN, Race.PROTOSS)
    marine, scv, held = give(game, "Marine", 40.0, 40.0), give(game, "SCV", 40.0, 50.0), 60
    game.step(2)
    for slot in (marine, scv):
        add_buff(game.units[slot], game.state.buffs, 129, held)
    field = int(np.flatnonzero(game.units["type"] == FIELD)[0])
    assert order(game, scv, 295, field) == harvest
    for refused in (23, 380):  # attack, Stimpack
        assert order(game, marine, refused, (50.0, 40.0) if refused == 23 else None) == Result.ERROR
    assert order(game, marine, 16, (50.0, 40.0)) == Result.SUCCESS
    game.step(held - 5)
    assert game.units[marine]["x"] == 40.0, "not before"
    game.step(100)
    assert abs(game.units[marine]["x"] - 50.0) < 0.5


def test_a_stasis_that_outlasts_a_warp_in_holds_on() -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.PROTOSS)
    give(game, "Pylon", 40.0, 40.0)
    gate = give(game, "WarpGate", 45.5, 40.5)
    game.step(10)
    assert order(game, gate, 1413, (41.0, 36.0)) == Result.SUCCESS
    game.step(2)
    zealot = game.owned(1, "Zealot")[0]
    add_buff(game.units[zealot], game.state.buffs, 129)
    until(game, lambda: not int(game.units[zealot]["flags"]) & UNFINISHED, 300)
    assert order(game, zealot, 16, (41.0, 26.0)) == Result.SUCCESS
    game.step(40)
    assert game.units[zealot]["y"] == 36.0


@pytest.mark.parametrize("buff", [0, JAMMED, HELD])
@pytest.mark.parametrize(("race", "buried"), [(Race.TERRAN, "WidowMineBurrowed"), (Race.ZERG, "ZerglingBurrowed")])
def test_who_is_jammed_or_held_does_nothing_by_itself(race: int, buried: str, buff: int) -> None:
    game = duel("5.0.14", race, Race.PROTOSS)
    slot = give(game, buried, 40.0, 40.0)
    game.units[slot]["flags"] |= AUTOCAST
    game.step(10)
    if buff:
        add_buff(game.units[slot], game.state.buffs, buff)
    victim = give(game, "Immortal", 41.5, 40.0, 2)
    at_rest(game, victim)
    game.step(100)
    acted = lost(game, victim) > 0 or name_of(game, slot) == "Zergling" or not game.units[slot]["alive"]
    assert acted == (not buff)


@pytest.mark.parametrize("jammed", [False, True])
def test_who_is_jammed_on_the_way_to_a_cast_does_not_cast(jammed: bool) -> None:
    game = duel("5.0.14", Race.PROTOSS, Race.TERRAN)
    templar = give(game, "HighTemplar", 40.0, 40.0)
    learn(game, "PsiStormTech")
    full(game, templar)
    game.step(2)
    assert order(game, templar, 1036, (52.0, 40.0)) == Result.SUCCESS
    game.step(2)
    if jammed:
        add_buff(game.units[templar], game.state.buffs, JAMMED)
    game.step(100)
    assert (game.units[templar]["energy"] < 150) == (not jammed)
    assert game.units[templar]["order_count"] == 0


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("buff", [0, JAMMED, HELD, LIFTED])
@pytest.mark.parametrize(("mender", "patient", "ability"), [("Medivac", "Marine", 386), ("SCV", "SiegeTank", 316)])
def test_who_is_jammed_or_held_mends_nobody(mender: str, patient: str, ability: int, buff: int, ordered: bool) -> None:
    game = duel("5.0.14", Race.TERRAN, Race.ZERG)
    slot, hurt = give(game, mender, 40.0, 40.0), give(game, patient, 41.0, 40.0)
    full(game, slot)
    game.units[slot]["flags"] |= AUTOCAST
    game.units[hurt]["hp"] = 10
    game.step(2)
    if ordered:
        assert order(game, slot, ability, hurt) == Result.SUCCESS
    game.step(2)
    life = float(game.units[hurt]["hp"])
    assert life > 10
    if buff:
        add_buff(game.units[slot], game.state.buffs, buff, 60)
    game.step(20)
    assert (game.units[hurt]["hp"] > life) == (not buff)


@pytest.mark.parametrize("ordered", [False, True])
def test_nobody_mends_a_friend_who_was_taken_over(ordered: bool) -> None:
    game = duel(mine=Race.ZERG, enemy=Race.TERRAN)
    infestor, tank = give(game, "Infestor", 40.0, 40.0), give(game, "SiegeTank", 45.0, 40.0, 2)
    scv = give(game, "SCV", 46.5, 40.0, 2)
    full(game, infestor)
    learn(game, "NeuralParasite")
    game.units[tank]["hp"] = 20
    game.players[2]["minerals"] = game.players[2]["gas"] = 500
    game.step()
    if ordered:
        assert order(game, scv, 316, tank) == Result.SUCCESS
    else:
        assert order(game, scv, 316, autocast=True) == Result.SUCCESS
    assert order(game, infestor, NEURAL, tank) == Result.SUCCESS
    until(game, lambda: game.units[tank]["owner"] == 1, 40)
    game.step(2)
    life = float(game.units[tank]["hp"])
    assert life > 20
    at_rest(game, tank)
    game.step(30)
    assert game.units[tank]["hp"] == life


@pytest.mark.parametrize("already", [False, True], ids=["not begun", "begun"])
@pytest.mark.parametrize(("name", "by", "refused"), [("Marine", "Medivac", 161), ("Hellion", "SCV", 148)])
def test_nobody_mends_who_is_in_stasis(already: bool, name: str, by: str, refused: int) -> None:
    game = duel("5.0.14", Race.TERRAN, Race.PROTOSS)
    game.players[1]["minerals"] = 500
    patient, healer = give(game, name, 40.0, 40.0), give(game, by, 42.0, 40.0)
    full(game, healer)
    game.units[healer]["flags"] |= AUTOCAST
    game.units[patient]["hp"] = 10
    if already:
        until(game, lambda: game.units[patient]["hp"] > 11, 60)
    add_buff(game.units[patient], game.state.buffs, 129, 60.0)
    game.step(2)
    life = float(game.units[patient]["hp"])
    assert order(game, healer, 386 if by == "Medivac" else 316, patient) == refused
    game.step(40)
    assert float(game.units[patient]["hp"]) == life
    until(game, lambda: game.units[patient]["hp"] > life, 60)
