"""What Orbital Commands spend their energy on."""

from __future__ import annotations

import pytest
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.unit_typeid import UnitTypeId as U

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.macro.orbital import Orbital
from tests.bot.own import make_knowledge, structure

FROM = load("macro")["orbital"]["reserve_from"]


@pytest.mark.parametrize(
    ("energies", "seconds", "mules"),
    [
        ([60, 55], FROM - 60, 2),
        ([60, 55], FROM + 1, 1),
        ([110, 55], FROM + 1, 2),
        ([60], FROM + 1, 1),
    ],
)
def test_one_of_several_keeps_energy_for_a_scan(energies: list[float], seconds: float, mules: int) -> None:
    """Cloaked Banshees killed fifteen Marines in a game in which every Orbital Command had just called a MULE."""
    places = [(30.5, 30.5), (60.5, 30.5)]
    halls = [
        structure(U.ORBITALCOMMAND, *places[number], tag=number + 1, energy=energy)
        for number, energy in enumerate(energies)
    ]
    orbital = Orbital()
    knowledge = make_knowledge(halls, loop=int(seconds * LOOPS_PER_SECOND))
    orbital.step(knowledge)  # with much energy it looks at the enemy's main first, once a minute
    orders = orbital.step(knowledge)
    assert sum(order.cast is A.CALLDOWNMULE_CALLDOWNMULE for order in orders) == mules
