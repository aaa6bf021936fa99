"""The `BotAI`: wires the five stages, keeps the time budget and isolates faults. No game logic here.

One step is one pass through the stages, and data flows one way:

    Tracker.update(bot)             -> Knowledge      bot/knowledge/tracker.py   (Knowledge: bot/knowledge/model.py)
    Strategy.decide(knowledge)      -> Plan           bot/strategy/decide.py     (Plan: bot/strategy/plan.py)
    Macro.step(knowledge, plan)     -> list[Order]    bot/macro/step.py          (may be a coroutine)
    Army.step(knowledge, plan)      -> list[Order]    bot/army/step.py           (micro included; may be a coroutine)
    send([macro, army], bot)                          bot/sending.py             (the army wins over macro per unit)

`Macro(guard)` and `Army(guard)` are made once in `on_start`; inside them each manager runs through the guard, so that
one broken manager stops nothing else. Units that macro uses (workers pulled to fight, the scouting worker) are macro's;
`knowledge.own.army` is the army's.
"""

from __future__ import annotations

import time
from collections import Counter

from loguru import logger
from sc2.bot_ai import BotAI
from sc2.ids.upgrade_id import UpgradeId

from bot import memory
from bot.army.step import Army
from bot.guard import Guard
from bot.knowledge.model import Knowledge
from bot.knowledge.tracker import Tracker
from bot.macro.step import Macro
from bot.orders import Order
from bot.sending import send
from bot.strategy.decide import Strategy
from bot.strategy.plan import Plan

GAME_STEP = 4
"""Loops between two steps: often enough for micro, seldom enough for the time budget."""
SLOW_STEP = 8
"""Loops between two steps while our own code is too slow."""
BUDGET_MS, LOOK_EVERY = 10.0, 50
"""Our own code is too slow while it has taken more than this for each loop of the game so far, which is looked at every
so many steps. AI Arena has no limit for a step (only 30 s of silence lose the game), but it breaks games off after an
hour: 44 ms for each loop of the longest, which both bots and the game share. So what quiet minutes have left over is
there for the great fights, where stepping less often would cost most."""


class Ironsight(BotAI):
    """A Terran bot.

    Its report reads `errors` (site -> times) and `plan`; `step_ms` are our own code's milliseconds, step by step.
    """

    def __init__(self, game_step: int = GAME_STEP, micro: str | None = None, *, steady: bool = False) -> None:
        """`micro`: "scripted" or "learned"; by default what micro.toml says. `steady`: however slow the machine, so
        that a game follows from its seed alone."""
        super().__init__()
        self.wanted_micro = micro
        self.distance_calculation_method = 0
        self.wanted_game_step, self._steady = game_step, steady
        self.guard = Guard()
        self.tracker: Tracker | None = None
        self.strategy: Strategy | None = None
        self.macro: Macro | None = None
        self.army: Army | None = None
        self.knowledge: Knowledge | None = None
        self.plan: Plan | None = None
        self.step_ms: list[float] = []

    @property
    def opening(self) -> str:
        """The name of the build order we follow; empty before the start."""
        return self.strategy.opening if self.strategy is not None else ""

    @property
    def errors(self) -> Counter[str]:
        """Faults that were caught, by site."""
        return self.guard.errors

    async def on_start(self) -> None:
        self.client.game_step = self.wanted_game_step
        self._make_stages()
        memory.settle()  # the client's unit data and modules

    def _make_stages(self) -> None:
        """Make the stages that are missing; one that fails is tried again in the next step."""
        if self.tracker is None:
            self.tracker = self.guard.call("knowledge.start", Tracker, self, default=None)
        if self.strategy is None:
            self.strategy = self.guard.call("strategy.start", Strategy, default=None)
        if self.macro is None:
            self.macro = self.guard.call("macro.start", Macro, self.guard, default=None)
        if self.army is None:
            self.army = self.guard.call("army.start", Army, self.guard, self.wanted_micro, default=None)

    async def on_step(self, iteration: int) -> None:
        started = time.perf_counter()
        await self.guard.wait("step", self._step, default=None)
        self.step_ms.append((time.perf_counter() - started) * 1000.0)
        self._keep_budget()

    def _keep_budget(self) -> None:
        """Step less often while our own code is slow; the choice holds until the next look."""
        if len(self.step_ms) % LOOK_EVERY == 0 and not (self.realtime or self._steady):
            slow = sum(self.step_ms) > BUDGET_MS * self.state.game_loop
            self.client.game_step = max(SLOW_STEP, self.wanted_game_step) if slow else self.wanted_game_step

    def _prepare_first_step(self) -> None:
        """The client's own search for expansions and ramps; it raises on unusual maps, and we can do without."""
        self.guard.call("client.first_step", super()._prepare_first_step, default=None)

    async def issue_events(self) -> None:
        """The client's events, whose handlers run outside of `on_step`."""
        await self.guard.wait("client.events", super().issue_events, default=None)

    async def _step(self) -> None:
        self._make_stages()
        if self.tracker is None:
            return
        knowledge = self.guard.call("knowledge", self.tracker.update, self, default=None)
        if knowledge is None:
            return
        self.knowledge = knowledge
        if self.strategy is not None:
            self.plan = self.guard.call("strategy", self.strategy.decide, knowledge, default=self.plan)
        if self.plan is None:
            return
        macro: list[Order] = []
        army: list[Order] = []
        if self.macro is not None:
            macro = await self.guard.wait("macro", self.macro.step, knowledge, self.plan, default=[])
        if self.army is not None:
            army = await self.guard.wait("army", self.army.step, knowledge, self.plan, default=[])
        await self.guard.wait("send", send, [macro, army], self, default=None)

    async def on_unit_destroyed(self, unit_tag: int) -> None:
        if self.tracker is not None:
            self.guard.call("event.destroyed", self.tracker.forget, unit_tag, default=None)

    async def on_upgrade_complete(self, upgrade: UpgradeId) -> None:
        logger.info("{} {} is done", self.time_formatted, upgrade.name)
