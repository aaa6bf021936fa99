"""Who is hit by a spell: whether his idle friends come to his help."""

from __future__ import annotations

import pytest

from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import duel, full, learn

HOLD = 18


@pytest.mark.parametrize(
    ("race", "name", "spell", "x", "called"),
    [
        (Race.ZERG, "Ravager", 2338, 39.5, False),  # Corrosive Bile
        (Race.TERRAN, "Ghost", 2714, 39.5, False),  # Steady Targeting
        (Race.PROTOSS, "HighTemplar", 1036, 40.5, True),  # Psionic Storm
    ],
)
def test_idle_friends_of_who_is_hit_by_a_spell_come_where_it_calls(race, name, spell, x, called) -> None:
    """Catalog: the damage of biles and snipes has no CallForHelp, that of weapons and the search of a storm have it."""
    game = duel("5.0.14", race, Race.TERRAN)
    learn(game, "PsiStormTech")
    caster, victim = give(game, name, x, 48.0), give(game, "Marauder", 48.0, 48.0, 2)
    friend = give(game, "Marauder", 51.5, 48.0, 2)
    full(game, caster)
    game.units[victim]["hp"] = game.units[victim]["hp_max"] = 1000
    for slot in (caster, victim):
        order(game, slot, HOLD)
    game.step(4)
    on_unit = game.facts.abilities[spell].target == "Unit"
    assert order(game, caster, spell, victim if on_unit else (48.0, 48.0)) == Result.SUCCESS
    until(game, lambda: game.units[victim]["hp"] < 1000, 120)
    assert game.units[friend]["hp"] == 125
    game.step(4)
    assert bool(game.units[friend]["target"] == caster) is called
