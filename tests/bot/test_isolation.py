"""A broken part never stops the rest, and never the game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sc2.ids.unit_typeid import UnitTypeId

from bot.guard import Guard
from bot.macro.context import AbilityIndex
from bot.macro.placement import Placement
from bot.macro.step import Macro
from bot.main import Ironsight
from bot.orders import Gather, Order, Train
from bot.strategy.decide import Strategy
from tests.bot.own import START, fake_bot, flat_terrain, make_knowledge, structure, unit
from tests.bot.recorded import prepare

T = UnitTypeId


def broken(*_: Any) -> Any:
    raise RuntimeError("broken on purpose")


class Client:
    game_step = 4

    async def _query_building_placement_fast(self, _: Any, places: list[Any], **__: Any) -> list[bool]:
        return [True] * len(places)


def macro_orders(break_what: str) -> tuple[list[Order], Guard]:
    """One step of macro with one of its managers broken."""
    bot = fake_bot(client=Client())
    workers = [unit(T.SCV, START.x + 3, START.y + 3, 100 + i, bot) for i in range(12)]
    knowledge = make_knowledge(
        [structure(T.COMMANDCENTER, *START, 1, bot), *workers], bot=bot, terrain=flat_terrain(), minerals=500
    )
    plan = Strategy().decide(knowledge)
    guard = Guard()
    macro = Macro(guard)
    macro._prepare(knowledge, plan)
    if break_what:
        getattr(macro, break_what).step = broken
    return asyncio.run(macro.step(knowledge, plan)), guard


@pytest.mark.parametrize("part", ["_militia", "_scout", "_construction", "_repair", "_orbital"])
def test_a_broken_manager_leaves_mining_and_training_alone(part: str) -> None:
    orders, guard = macro_orders(part)
    whole, none = macro_orders("")
    assert sum(guard.errors.values()) == 1
    assert not none.errors
    for kind in (Train, Gather):
        assert sum(isinstance(o, kind) for o in orders) == sum(isinstance(o, kind) for o in whole) > 0


def test_broken_mining_leaves_training_alone() -> None:
    orders, guard = macro_orders("_workers")
    assert sum(guard.errors.values()) >= 1
    assert any(isinstance(order, Train) for order in orders)


def test_a_map_without_a_layout_leaves_the_rest_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Placement, "prepare", broken)
    orders, guard = macro_orders("")
    assert [site.partition(":")[0] for site in guard.errors] == ["macro.layouts"]
    assert any(isinstance(order, Train) for order in orders)
    assert any(isinstance(order, Gather) for order in orders)


def test_types_and_upgrades_without_a_name_are_left_out() -> None:
    def made_by(ability: int) -> SimpleNamespace:
        return SimpleNamespace(_proto=SimpleNamespace(ability_id=ability, race=1))

    units = {T.MARINE.value: made_by(560), 999_999: made_by(561)}
    data = SimpleNamespace(units=units, upgrades={999_998: made_by(562)})
    index = AbilityIndex(SimpleNamespace(bot=fake_bot(game_data=data)))
    assert index.products == {560: T.MARINE}
    assert 562 not in index.upgrades


@pytest.mark.parametrize("stage", ["tracker", "strategy", "macro", "army"])
def test_a_broken_stage_does_not_leave_the_bot(shared: Path, stage: str) -> None:
    bot, client = prepare(shared / "recordings", "PersephoneAIE")

    async def play() -> None:
        await bot.on_start()
        part = SimpleNamespace(update=broken, decide=broken, step=broken, forget=broken)
        setattr(bot, stage, part)
        await bot.issue_events()
        await bot.on_step(0)
        await bot.on_unit_destroyed(bot.workers.first.tag)

    asyncio.run(play())
    assert bot.errors
    if stage in ("army",):
        assert client.sent, "macro plays on"


def test_the_first_steps_on_a_recorded_map_are_without_fault(shared: Path) -> None:
    bot, client = prepare(shared / "recordings", "TorchesAIE")

    async def play() -> None:
        await bot.on_start()
        for iteration in range(3):
            await bot.issue_events()
            await bot.on_step(iteration)
            await bot._after_step()

    asyncio.run(play())
    assert not bot.errors
    assert None not in (bot.tracker, bot.strategy, bot.macro, bot.army)
    assert any(command.ability.name == "COMMANDCENTERTRAIN_SCV" for command in client.sent)


def test_the_dead_are_forgotten() -> None:
    bot, dead = Ironsight(), []
    asyncio.run(bot.on_unit_destroyed(4))  # before there is anything to remember them
    bot.tracker = SimpleNamespace(forget=dead.append)
    asyncio.run(bot.on_unit_destroyed(5))
    assert (dead, bot.errors) == ([5], {})


def test_a_start_that_fails_is_tried_again() -> None:
    bot = Ironsight()
    bot.client = SimpleNamespace(game_step=4)
    asyncio.run(bot.on_start())  # there is no game: nothing can be made but strategy and macro
    asyncio.run(bot.on_step(0))
    assert bot.tracker is None
    assert any("knowledge.start" in site for site in bot.errors)
