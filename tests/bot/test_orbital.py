"""What Orbital Commands spend their energy on."""

from __future__ import annotations

import pytest
from sc2.bot_ai import BotAI
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.unit_typeid import UnitTypeId as U

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.knowledge.tracker import Tracker
from bot.macro.orbital import Orbital
from bot.sending import send
from tests.bot.alone import play_alone
from tests.bot.own import make_knowledge, structure, unit

FROM = load("macro")["orbital"]["reserve_from"]
PLACES = [(30.5, 30.5), (60.5, 30.5)]
ENERGY = 1
"""Unit value of the debug command."""


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
    halls = [
        structure(U.ORBITALCOMMAND, *PLACES[number], tag=number + 1, energy=energy)
        for number, energy in enumerate(energies)
    ]
    orbital = Orbital()
    knowledge = make_knowledge(halls, loop=int(seconds * LOOPS_PER_SECOND))
    orbital.step(knowledge)  # with much energy it looks at the enemy's main first, once a minute
    orders = orbital.step(knowledge)
    called = [order for order in orders if order.cast is A.CALLDOWNMULE_CALLDOWNMULE]
    assert len({order.tag for order in called} & {hall.tag for hall in halls}) == len(called) == mules
    assert {order.target for order in called} <= {field.tag for base in knowledge.bases for field in base.minerals}


@pytest.mark.parametrize(("second", "scans"), [(60.0, 1), (110.0, 2)])
def test_what_is_kept_for_a_scan_is_not_spent_on_a_look_at_the_enemy(second: float, scans: int) -> None:
    """The fullest scans for who hides; a look at the enemy's main then needs another one that has energy to spare."""
    halls = [structure(U.ORBITALCOMMAND, *PLACES[i], tag=i + 1, energy=e) for i, e in enumerate((120.0, second))]
    marines = [unit(U.MARINE, 50 + i, 50, 10 + i) for i in range(3)]
    hidden = unit(U.DARKTEMPLAR, 52, 52, 90, alliance=4, owner=2, cloak=1)
    knowledge = make_knowledge([*halls, *marines], enemies=[hidden], loop=int((FROM + 1) * LOOPS_PER_SECOND))
    orders = Orbital().step(knowledge)
    assert sum(order.cast is A.SCANNERSWEEP_SCAN for order in orders) == scans


@pytest.mark.parametrize(("cloak", "soldiers", "scans"), [(1, 3, 1), (1, 2, 0), (2, 3, 0), (3, 3, 0)])
def test_scans_fall_only_on_who_is_among_our_fighters_and_seen_by_nobody(cloak: int, soldiers: int, scans: int) -> None:
    """Whom a turret or a Raven detects can be shot at without one."""
    hall = structure(U.ORBITALCOMMAND, *PLACES[0], tag=1, energy=60.0)
    marines = [unit(U.MARINE, 50 + i, 50, 10 + i) for i in range(soldiers)]
    hidden = unit(U.DARKTEMPLAR, 52, 52, 90, alliance=4, owner=2, cloak=cloak)
    orbital = Orbital()
    for loop in (0, 4):
        orders = orbital.step(make_knowledge([hall, *marines], enemies=[hidden], loop=loop))
        looks = [(order.tag, order.target) for order in orders if order.cast is A.SCANNERSWEEP_SCAN]
        assert looks == ([(1, (52.0, 52.0))] * scans if loop == 0 else [])


class Blocked(BotAI):
    """Two Orbital Commands with energy, and an army that always fills the supply."""

    async def on_start(self) -> None:
        self.client.game_step = 4
        self.tracker, self.orbital = Tracker(self), Orbital()
        self.cap = 0
        self.targets: list[int] = []
        x, y = self.start_location.towards(self.game_info.map_center, 9)
        await self.client.debug_create_unit([[U.ORBITALCOMMAND, 2, self.start_location.towards((x, y), 16), 1]])
        await self.client.debug_create_unit([[U.SUPPLYDEPOT, 2, self.start_location.towards((x, y), 8), 1]])

    async def on_step(self, iteration: int) -> None:
        if iteration < 4:
            return
        if self.structures(U.ORBITALCOMMAND):
            await self.client.debug_set_unit_value(self.structures(U.ORBITALCOMMAND), ENERGY, 120)
        if self.minerals < 1000:
            await self.client.debug_all_resources()
        if self.supply_left > 1 and iteration % 10 == 0:
            await self.client.debug_create_unit([[U.MARINE, int(self.supply_left), self.start_location, 1]])
        self.cap = self.cap or self.supply_cap
        orders = self.orbital.step(self.tracker.update(self))
        self.targets += [order.target for order in orders if order.cast is A.SUPPLYDROP_SUPPLYDROP]
        await send([orders], self)
        if self.supply_cap >= self.cap + 16 or self.time > 60:
            await self.client.leave()


def test_every_supply_drop_falls_on_a_depot_that_had_none() -> None:
    """A depot takes extra supplies once: the game refuses a second drop on it."""
    blocked = Blocked()
    play_alone(blocked)
    assert len(set(blocked.targets)) == 2
    assert blocked.supply_cap == blocked.cap + 16
