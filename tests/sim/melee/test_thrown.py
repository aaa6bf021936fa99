"""What is thrown on the ground: KD8 charges, biles."""

import pytest

from sim.engine.bufftable import RECALLED, add_buff
from sim.engine.state import BURROWED, DISARMED, IMMOBILE, UNFINISHED
from sim.melee.records import Command, Result
from sim.melee.sight import Sight
from sim.melee.tech import available_abilities
from sim.melee.thrown import push
from tests.sim.melee.field import give, order, terran, until

KD8, BILE, HOLD = 2588, 2338, 18


def test_a_charge_hurts_and_pushes_after_its_fuse():
    game = terran()
    reaper, marine = give(game, "Reaper", facing=0.0), give(game, "Marauder", 52.5, 48.5, owner=2)
    order(game, marine, HOLD)
    assert KD8 in available_abilities(game, reaper)
    assert order(game, reaper, KD8, (52.0, 48.5)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "KD8Charge")) == 1, 5)
    assert KD8 not in available_abilities(game, reaper)
    sight = Sight(game, 2)
    assert sight.is_visible(game.owned(1, "KD8Charge")[0])
    before, place = float(game.units[marine]["hp"]), float(game.units[marine]["x"])
    for _ in range(20):
        game.step()
    order(game, reaper, HOLD)
    until(game, lambda: not game.owned(1, "KD8Charge"), 14)
    assert before - float(game.units[marine]["hp"]) >= 5
    assert game.facts.ids["KD8Charge"] not in sight.snapshots()["type"]
    game.step(7)
    assert place + 1.0 < float(game.units[marine]["x"]) < place + 2.0, "it is on its way"
    game.step(8)
    assert place + 2.5 < float(game.units[marine]["x"]) < place + 3.5, "three cells (catalog)"
    there = float(game.units[marine]["x"])
    assert order(game, marine, 16, (40.5, 48.5)) == Result.SUCCESS
    game.step(8)
    assert float(game.units[marine]["x"]) < there, "it walks again"


def test_who_is_pushed_fires_but_does_not_walk():
    """ReaperKD8Knockback suppresses nothing; the mover of UnitKnockback has the unit."""
    game = terran()
    marine, medivac = give(game, "Marine", 52.5, 48.5, owner=2), give(game, "Medivac", 50.5, 50.5)
    game.step(2)
    assert order(game, marine, 16, (40.5, 48.5)) == Result.SUCCESS
    place = float(game.units[marine]["x"])
    push(game, marine, 52.0, 48.5)
    game.step(7)
    assert float(game.units[marine]["x"]) == pytest.approx(place + 7 * 0.2, abs=0.02)
    game.step(8)
    assert float(game.units[marine]["x"]) == pytest.approx(place + 3.0, abs=0.02)
    order(game, marine, HOLD)
    push(game, marine, 52.0, 48.5)
    before = float(game.units[medivac]["hp"])
    game.step(14)
    assert float(game.units[medivac]["hp"]) < before


def test_the_last_push_counts():
    game = terran()
    marine = give(game, "Marine", 52.5, 48.5, owner=2)
    order(game, marine, HOLD)
    push(game, marine, 52.0, 48.5)
    game.step(5)
    turned = float(game.units[marine]["x"])
    assert turned == pytest.approx(53.5, abs=0.3)
    push(game, marine, 60.0, 48.5)
    game.step(16)
    assert float(game.units[marine]["x"]) == pytest.approx(turned - 3.0, abs=0.1)


def test_nobody_is_lifted_while_he_is_pushed():
    """NoReaperKD8Knockback of GravitonBeam."""
    game = terran()
    phoenix = game.spawn(game.facts.ids["Phoenix"], 1, 50.5, 52.5, energy=100.0)
    marine = give(game, "Marine", 52.5, 48.5, owner=2)
    order(game, marine, HOLD)
    push(game, marine, 52.0, 48.5)
    assert order(game, phoenix, 173, marine) == Result.ERROR
    game.step(17)
    assert order(game, phoenix, 173, marine) == Result.SUCCESS


def test_a_charge_is_in_nobodys_way():
    game = terran()
    reaper, thor = give(game, "Reaper", facing=0.0), give(game, "Thor", 52.5, 48.5, owner=2)
    game.units[thor]["flags"] |= DISARMED
    game.step()
    place = float(game.units[thor]["x"])
    order(game, reaper, KD8, (52.0, 48.5))
    until(game, lambda: len(game.owned(1, "KD8Charge")) == 1, 5)
    game.step(20)
    assert float(game.units[thor]["x"]) == place


def test_one_reaper_of_a_group_throws_at_each_command():
    game = terran()
    tags = tuple(game.tag(give(game, "Reaper", 48.5, 47.0 + k)) for k in range(3))
    for thrown in (1, 2):
        assert game.issue(Command(1, KD8, tags, 0, 51.0, 48.5, True)) == Result.SUCCESS
        game.step(6)
        assert len(game.owned(1, "KD8Charge")) == thrown


def test_a_bile_falls_on_all_that_is_still_there():
    game = terran()
    ravager = give(game, "Ravager", facing=0.0)
    own, flyer = give(game, "Marauder", 54.5, 48.5), give(game, "Medivac", 54.7, 48.5, owner=2)
    away = give(game, "Marauder", 58.5, 48.5)
    assert order(game, ravager, BILE, (54.5, 48.5)) == Result.SUCCESS
    until(game, lambda: any(effect.id == 11 for effect in game.memory.effects), 5)
    assert game.units[own]["hp"] == game.units[own]["hp_max"]
    game.step(46)
    assert game.units[own]["hp"] == game.units[own]["hp_max"], "it strikes 50 loops after the command"
    game.step(4)
    hurt = [float(game.units[slot]["hp_max"] - game.units[slot]["hp"]) for slot in (own, flyer, away)]
    assert hurt[0] == 60
    assert hurt[1] >= 60
    assert hurt[2] == 0
    assert not [effect for effect in game.memory.effects if effect.id == 11 and effect.until > game.loop]


@pytest.mark.parametrize(
    ("name", "fields", "buff", "pushed"),
    [
        ("Marauder", {}, 0, True),
        ("SiegeTankSieged", {}, 0, True),
        ("Marauder", {}, RECALLED, False),
        ("Thor", {}, 0, False),
        ("Ultralisk", {}, 0, False),
        ("RoachBurrowed", {"flags": BURROWED}, 0, False),
        ("BanelingCocoon", {}, 0, False),
        ("Zealot", {"flags": UNFINISHED, "build_left": 80, "build_total": 80}, 0, False),
    ],
)
def test_a_charge_hurts_but_does_not_push_some(name, fields, buff, pushed):
    """Who is massive, buried, in an egg, being warped in or recalled (validators of the catalog)."""
    game = terran()
    reaper = give(game, "Reaper", facing=0.0)
    order(game, reaper, HOLD)
    other = game.spawn(game.facts.ids[name], 2, 52.5, 48.5, **fields)
    if buff:
        add_buff(game.units[other], game.state.buffs, buff, 200.0)
    game.units[other]["flags"] |= DISARMED | IMMOBILE
    order(game, reaper, KD8, (52.0, 48.5))
    until(game, lambda: bool(game.owned(1, "KD8Charge")), 5)
    place = float(game.units[other]["x"])
    until(game, lambda: not game.owned(1, "KD8Charge"), 40)
    game.step(15)
    assert game.world[0]["dealt"][1].sum() >= 5
    assert (float(game.units[other]["x"]) > place + 0.7) == pushed


def test_a_queued_cast_that_still_cools_down_when_its_turn_comes_is_dropped():
    """Of four biles queued at once one falls."""
    game = terran()
    ravager = give(game, "Ravager", facing=0.0)
    for number in range(4):
        assert order(game, ravager, BILE, (54.5, 48.5), queued=number > 0) == Result.SUCCESS
    game.step(30)
    assert [name for _, _, name, _ in game.memory.later_heap].count("bile") == 1
    assert game.units[ravager]["order_count"] == 0
    assert not game.events(1).errors
