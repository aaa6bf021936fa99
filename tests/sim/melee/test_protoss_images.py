"""Images of a Sentry, and an Adept's shade: what they are not."""

from __future__ import annotations

from sim.engine.bufftable import MATRIX, add_buff
from sim.melee.harm import hurt
from sim.melee.protoss_sentry import SHIELD_BUFF
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import full
from tests.sim.melee.protoss_world import enemy, protoss, research


def test_hallucinations_hurt_nobody_and_fade() -> None:
    game = protoss()
    research(game, 1, "Charge")
    sentry = give(game, "Sentry", 40.0, 40.0)
    full(game, sentry)
    game.step()
    supply = float(game.players[1]["supply_used"])
    assert order(game, sentry, 164) == 1
    game.step(2)
    images = game.owned(1, "Zealot")
    assert len(images) == 2
    assert game.players[1]["supply_used"] == supply
    real = give(game, "Zealot", 30.0, 40.0)
    assert 1819 in available_abilities(game, real)
    game.kill(real)
    assert available_abilities(game, images[0]) == [1, 4, 16, 17, 18, 23], "an image moves and attacks, and no more"
    game.kill(sentry)
    bunker = enemy(game, "SupplyDepot", 44.0, 40.0)
    order(game, images[0], 23, bunker)
    game.step(150)
    assert game.units[bunker]["hp"] == 400
    game.step(900)
    assert not game.owned(1, "Zealot")


def test_images_shades_and_who_is_in_a_fungus_are_no_passengers() -> None:
    game = protoss()
    prism, sentry, adept, zealot = (
        give(game, name, 40.0, 40.0 + k) for k, name in enumerate(("WarpPrism", "Sentry", "Adept", "Zealot"))
    )
    full(game, sentry)
    game.step()
    assert order(game, sentry, 158) == order(game, adept, 2544, (42.0, 42.0)) == 1
    game.step(2)
    image, shade = game.owned(1, "Stalker")[0], game.owned(1, "AdeptPhaseShift")[0]
    assert [order(game, prism, 911, unit) for unit in (image, shade, adept, zealot)] == [3, 3, 1, 1]
    add_buff(game.units[zealot], game.state.buffs, 17, 64.0)
    assert order(game, prism, 911, zealot) == 3
    assert order(game, image, 1, prism) == 1, "it follows"
    game.step(20)
    assert game.units[adept]["inside"] == prism
    assert game.units[prism]["cargo"] == 2, "the Adept alone"


def test_an_image_takes_twice_as_much_of_a_spell() -> None:
    game = protoss()
    sentry, templar = give(game, "Sentry", 40.0, 40.0), give(game, "HighTemplar", 44.0, 40.0)
    full(game, sentry)
    game.step()
    assert order(game, sentry, 164) == 1
    game.step(2)
    image, real = game.owned(1, "Zealot")[0], give(game, "Zealot", 60.0, 60.0)
    game.kill(templar)
    for slot in (image, real):
        hurt(game, slot, 20.0, 0)
    assert [150 - float(lost) for lost in (game.units["hp"] + game.units["shield"])[[image, real]]] == [40, 20]


def test_a_shade_fades_when_its_adept_is_recalled() -> None:
    game = protoss()
    nexus, adept, other = game.owned(1, "Nexus")[0], give(game, "Adept", 60.0, 60.0), give(game, "Adept", 75.0, 75.0)
    full(game, nexus)
    game.step(2)
    for slot in (adept, other):
        assert order(game, slot, 2544, (70.0, 60.0)) == 1
    game.step(4)
    assert len(game.owned(1, "AdeptPhaseShift")) == 2
    assert order(game, nexus, 3757, (60.0, 60.0)) == 1
    game.step(20)
    assert len(game.owned(1, "AdeptPhaseShift")) == 1


def test_a_jammed_sentrys_shield_ends() -> None:
    game = protoss()
    sentry, zealot = give(game, "Sentry", 40.0, 40.0), give(game, "Zealot", 41.5, 40.0)
    full(game, sentry)
    game.step()
    assert order(game, sentry, 76) == 1
    until(game, lambda: SHIELD_BUFF in game.units[zealot]["buff"], 30)
    add_buff(game.units[sentry], game.state.buffs, MATRIX, 100.0)
    game.step(20)
    assert SHIELD_BUFF not in game.units[zealot]["buff"]
