"""Macro can make all there is: every Terran structure, add-on, unit and upgrade is asked for once, and seen made."""

from __future__ import annotations

import pytest
from sc2.bot_ai import BotAI
from sc2.data import Alert
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.ids.upgrade_id import UpgradeId

from bot.guard import Guard
from bot.knowledge.tracker import Tracker
from bot.macro.needs import complete, structures_for
from bot.macro.production import RECIPES
from bot.macro.step import Macro
from bot.macro.tech import ADDONS, RESEARCHED_AT
from bot.macro.techtree import CONSTRUCTED
from bot.sending import send
from bot.strategy.plan import Plan, Stance
from tests.bot.alone import play_alone

UNITS = {recipe.unit for row in RECIPES.values() for recipe in row}
STRUCTURES = (CONSTRUCTED | {addon for pair in ADDONS.values() for addon in pair}) - {U.COMMANDCENTER}
MORPHED = {U.ORBITALCOMMAND, U.PLANETARYFORTRESS}
SECONDS = 600


class Maker(BotAI):
    """Macro alone, with a plan that wants everything, money, and quick construction."""

    async def on_start(self) -> None:
        self.client.game_step = 4
        self.guard = Guard()
        self.tracker, self.macro = Tracker(self), Macro(self.guard)
        self.made: set[U] = set()
        self.missiles = 0
        rally = self.start_location.towards(self.game_info.map_center, 10)
        self.wish = Plan(
            stance=Stance.DEFEND,
            rally=rally,
            target=None,
            units=dict.fromkeys(UNITS, 1),
            structures=dict.fromkeys(STRUCTURES, 1) | {U.MISSILETURRET: 1},
            upgrades=tuple(RESEARCHED_AT),
            workers=30,
            bases=3,  # the opening makes Orbital Commands of two
            refineries=2,
            gas_workers=6,
            orbitals=1,
            fortresses=1,
        )
        await self.client.debug_fast_build()

    async def on_step(self, iteration: int) -> None:
        if iteration % 40 == 0:
            await self.client.debug_all_resources()
        knowledge = self.tracker.update(self)
        self.made |= {unit.type_id for unit in self.all_own_units if unit.is_ready}
        self.missiles += sum(alert == Alert.NukeComplete.value for alert in self.state.alerts)
        await send([await self.macro.step(knowledge, self.wish)], self)
        if self.missing() == set() or knowledge.seconds > SECONDS:
            await self.client.leave()

    def missing(self) -> set:
        units = (UNITS - {U.NUKE}) | STRUCTURES | MORPHED
        return (units - self.made) | (set(RESEARCHED_AT) - self.state.upgrades) | (set() if self.missiles else {U.NUKE})


@pytest.fixture(scope="module")
def maker() -> Maker:
    ai = Maker()
    play_alone(ai)
    return ai


def test_everything_is_made(maker: Maker) -> None:
    assert maker.missing() == set()
    assert not maker.guard.errors


def test_wishes_bring_what_stands_behind_them() -> None:
    assert structures_for([U.BATTLECRUISER]).keys() == {
        *(U.BARRACKS, U.FACTORY, U.STARPORT, U.STARPORTTECHLAB, U.FUSIONCORE),
    }
    assert U.GHOSTACADEMY in structures_for([U.NUKE])
    plan = Plan(Stance.DEFEND, None, None, units={U.BANSHEE: 1}, structures={U.STARPORT: 1, U.STARPORTREACTOR: 1})
    assert complete(plan).structures[U.STARPORT] == 2, "the one has a reactor"


def test_every_upgrade_of_ours_has_a_place() -> None:
    from sim.facts import load

    ours = {structure.value for structure in RESEARCHED_AT.values()}
    facts = load("5.0.14")
    known = {a.product or a.upgrade for a in facts.abilities.values() if a.kind == "research" and set(a.casters) & ours}
    assert {upgrade.value for upgrade in RESEARCHED_AT} == known
    assert len(known) == len(RESEARCHED_AT)
    assert all(UpgradeId(number) in RESEARCHED_AT for number in known)
