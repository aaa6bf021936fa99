"""How long the bot thinks at 200 supply against 200, in contact: python -m tools.bench_bot [--steps N].

Milliseconds of one thread's processor time a step, by stage; the client's own work (parsing, preparing) is not in it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from loguru import logger
from sc2.data import Difficulty, Race
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.player import Bot, Computer
from sc2.position import Point2

from bot.guard import Guard
from bot.main import Ironsight
from bot.options import positive

OWN = {U.MARINE: 70, U.MARAUDER: 15, U.MEDIVAC: 8, U.SIEGETANK: 8, U.SCV: 44, U.SUPPLYDEPOT: 4}
FOE = {U.ZERGLING: 100, U.ROACH: 40, U.HYDRALISK: 20, U.BANELING: 20, U.MUTALISK: 10}
SETTLE_LOOPS = 200  # the first contact fills tables, which happens once a game
REFILL_LOOPS = 160  # armies are topped up so often that the fight goes on


class StageClock(Guard):
    """A guard that also times each stage."""

    def __init__(self) -> None:
        super().__init__()
        self.stages: dict[str, list[float]] = defaultdict(list)

    def call(self, label: str, function: Callable[..., Any], *args: Any, default: Any) -> Any:
        begun = time.thread_time()
        try:
            return super().call(label, function, *args, default=default)
        finally:
            self.stages[label].append((time.thread_time() - begun) * 1000)

    async def wait(self, label: str, function: Callable[..., Any], *args: Any, default: Any) -> Any:
        begun = time.thread_time()
        try:
            return await super().wait(label, function, *args, default=default)
        finally:
            self.stages[label].append((time.thread_time() - begun) * 1000)


class Benched(Ironsight):
    """Our bot in a big battle that never ends."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.guard = StageClock()
        self.left = steps
        self.sizes: list[tuple[int, int]] = []
        self.filled = -REFILL_LOOPS

    async def on_step(self, iteration: int) -> None:
        if self.state.game_loop - self.filled >= REFILL_LOOPS:
            self.filled = self.state.game_loop
            await self.refill()
        if self.state.game_loop == SETTLE_LOOPS:
            self.guard.stages.clear()
        await super().on_step(iteration)
        if self.state.game_loop > SETTLE_LOOPS:
            self.sizes.append((len(self.all_own_units), len(self.all_enemy_units)))
            self.left -= 1
        if self.left <= 0:
            await self.client.leave()

    async def refill(self) -> None:
        """Brings both armies up to their numbers, in front of our base."""
        place = self.start_location.towards(self.game_info.map_center, 22)
        have = {kind: len(self.all_own_units(kind)) for kind in OWN}
        theirs = {kind: len(self.enemy_units(kind)) for kind in FOE}
        near = Point2(self.start_location.towards(self.game_info.map_center, 10))
        missing = [[kind, count - have[kind], near, 1] for kind, count in OWN.items() if count > have[kind]]
        missing += [[kind, count - theirs[kind], place, 2] for kind, count in FOE.items() if count > theirs[kind]]
        if missing:
            await self.client.debug_create_unit(missing)


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench_bot", description="The bot's thinking time.")
    parser.add_argument("--steps", type=positive, default=300, metavar="N", help="steps measured (default 300)")
    chosen = parser.parse_args(list(arguments))
    from run import EmbeddedEngine

    engine = EmbeddedEngine()
    os.environ["SC2PATH"] = str(engine.prepare(None))
    from sc2 import maps
    from sc2.main import run_game

    logger.remove()
    logger.add(sys.stderr, level="ERROR")
    bot = Benched(chosen.steps)
    opponent = Computer(Race.Zerg, Difficulty.VeryEasy)
    run_game(maps.get(engine.maps(None)[0]), [Bot(Race.Terran, bot), opponent], realtime=False, random_seed=1)
    own, foe = (round(statistics.mean(size[side] for size in bot.sizes)) for side in (0, 1))
    print(f"{len(bot.sizes)} steps with {own} own and {foe} enemy units and structures on average")
    print(f"{'stage':<24}{'median':>8}{'p99':>8}{'max':>8}  ms")
    for stage, times in sorted(bot.guard.stages.items(), key=lambda item: -statistics.median(item[1])):
        times = sorted(times)
        p99 = times[min(int(len(times) * 0.99), len(times) - 1)]
        if times[-1] >= 0.2:
            print(f"{stage:<24}{statistics.median(times):8.2f}{p99:8.2f}{times[-1]:8.2f}")
    for site, count in bot.errors.items():
        print(f"{site}: {count} times")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
