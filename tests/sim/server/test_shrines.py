"""Healing shrines on the empty map: who gets life back, how much, how often."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from s2clientprotocol import debug_pb2

from sim.maps import names
from tests.sim.server.client import Client
from tests.sim.server.screens import create
from tests.sim.server.test_actions import MOVE, SUCCESS, debug
from tests.sim.server.test_neutrals import NOBODY, X, Y, unit

SHRINE = "XelNagaHealingShrine"
HURT = 20.0
REST = 16  # loops from one cast to the next
LIFE = debug_pb2.DebugSetUnitValue.Life


def hurt(game: Client, name: str, x: float, y: float = Y, owner: int = 1, life: float = HURT) -> None:
    """A unit that has lost most of its life."""
    create(game, name, x, y, owner)
    debug(game, unit_value={"unit_value": LIFE, "value": life, "unit_tag": unit(game, name).tag})
    game.step(2)


def next_life(game: Client, name: str, life: float) -> float:
    """The unit's life as soon as it is another one, or after two casts."""
    for _ in range(2 * REST):
        if unit(game, name).health != life:
            break
        game.step(1)
    return unit(game, name).health


@pytest.mark.parametrize(
    ("name", "away", "heals"),
    [
        ("Marine", 0, True),
        ("Marine", 2.8, True),  # 2.5 cells from its middle to the edge of who is 0.375 cells wide
        ("Marine", 3.0, False),
        ("SiegeTankSieged", 2, True),
        ("Banshee", 2, True),
        ("WidowMineBurrowed", 2, True),  # it detects
        ("DarkTemplar", 2, True),
        ("BarracksFlying", 0, False),
        ("AutoTurret", 2, False),
    ],
)
def test_who_is_healed(empty: Client, name: str, away: float, heals: bool) -> None:
    create(empty, SHRINE, X, Y, NOBODY)
    hurt(empty, name, X - away, life={"BarracksFlying": 900, "AutoTurret": 60}.get(name, HURT))  # these do not burn
    before = unit(empty, name)
    empty.step(2 * REST)
    after = unit(empty, name)
    assert after.health - before.health == pytest.approx(20 if heals else 0, abs=0.01)
    assert not after.buff_ids


def test_shields_and_energy_come_back_no_faster(empty: Client) -> None:
    create(empty, SHRINE, X, Y, NOBODY)
    hurt(empty, "Sentry", X)
    value = debug_pb2.DebugSetUnitValue
    for kind in (value.Shields, value.Energy):
        debug(empty, unit_value={"unit_value": kind, "value": 1, "unit_tag": unit(empty, "Sentry").tag})
    empty.step(1 + 2 * REST)
    sentry = unit(empty, "Sentry")
    assert sentry.health == sentry.health_max
    assert 1 < sentry.shield <= 5.2  # two a normal second, by themselves
    assert 1 < sentry.energy < 3


def test_ten_life_a_normal_second_to_both_players_until_they_are_full(empty: Client) -> None:
    create(empty, SHRINE, X, Y, NOBODY)
    create(empty, "SCV", X - 1, Y)
    hurt(empty, "Probe", X + 1, owner=2, life=1)
    debug(empty, unit_value={"unit_value": LIFE, "value": 1, "unit_tag": unit(empty, "SCV").tag})
    empty.step(2)
    assert next_life(empty, "SCV", 1) == 11
    lives = []
    for _ in range(3):
        lives.append(unit(empty, "SCV").health)
        empty.step(REST - 1)
        assert unit(empty, "SCV").health == lives[-1]
        empty.step(1)
    assert lives == [11, 21, 31]
    empty.step(REST)
    assert (unit(empty, "SCV").health, unit(empty, "Probe").health) == (45, 20)


def test_it_casts_for_who_is_near_and_rests(empty: Client) -> None:
    """Somebody hurt four cells off its edge keeps it casting, so who steps on it waits for the next cast."""
    create(empty, SHRINE, X, Y, NOBODY)
    hurt(empty, "Marine", X - 6)
    create(empty, "Zealot", X, Y)
    zealot = unit(empty, "Zealot").tag
    empty.step(3 * REST)
    begun = []
    for _ in range(4):
        debug(empty, unit_value={"unit_value": LIFE, "value": 50, "unit_tag": zealot})
        empty.step(2)
        assert next_life(empty, "Zealot", 50) == 60
        begun.append(empty.observe().observation.game_loop)
    assert {later - before for before, later in pairwise(begun)} == {REST}
    assert unit(empty, "Marine").health == HURT


def test_units_walk_over_it_and_it_shows_itself(empty: Client) -> None:
    create(empty, SHRINE, X, Y, NOBODY)
    create(empty, "Marine", X - 6, Y)
    assert empty.command(MOVE, unit(empty, "Marine").tag, at=(X, Y)) == SUCCESS
    empty.step(60)
    marine, shrine = unit(empty, "Marine"), unit(empty, SHRINE)
    assert (marine.pos.x, marine.pos.y) == pytest.approx((X, Y), abs=0.1)
    assert (shrine.radius, shrine.owner, shrine.detect_range) == (2.5, NOBODY, 3.5)
    assert not shrine.orders


def test_it_heals_nobody_after_it_is_gone(empty: Client) -> None:
    create(empty, SHRINE, X, Y, NOBODY)
    hurt(empty, "Marine", X - 1)
    debug(empty, kill_unit={"tag": [unit(empty, SHRINE).tag]})
    empty.step(2)
    before = unit(empty, "Marine").health
    empty.step(3 * REST)
    assert unit(empty, "Marine").health == before


BOT = f"""
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Difficulty, Race
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.main import run_game
from sc2.player import Bot, Computer

class Pilgrim(BotAI):
    async def on_step(self, iteration):
        worker = self.workers.closest_to(self.start_location)
        shrines = self.all_units(U.XELNAGAHEALINGSHRINE)
        if iteration == 0:
            self.tag, self.lowest = worker.tag, 45
            place = self.start_location.towards(self.game_info.map_center, 8)
            await self.client.debug_create_unit([[U.XELNAGAHEALINGSHRINE, 1, place, {NOBODY}]])
        elif shrines:
            worker = self.workers.by_tag(self.tag)
            if self.lowest == 45:
                worker.move(shrines.first.position)
                await self.client.debug_set_unit_value([worker.tag], 2, 5)
            self.lowest = min(self.lowest, worker.health)
            if self.lowest == 5 and worker.health == worker.health_max:
                assert worker.distance_to(shrines.first) < 3 and not worker.buffs
                print("healed")
                await self.client.leave()

run_game(
    maps.get("{names()[0]}"), [Bot(Race.Terran, Pilgrim()), Computer(Race.Zerg, Difficulty.VeryEasy)],
    realtime=False, random_seed=3, game_time_limit=60,
)
"""


def test_a_bot_heals_a_worker(run_script: Callable[[str], str]) -> None:
    assert "healed" in run_script(BOT)
