"""How long micro thinks in one big fight: python -m tools.bench_micro [--sizes 50 100] [--model FILE] [--micro WHO].

Milliseconds of one thread's processor time, for the whole decision: reading the client's units, features and masks, the
network, orders. Without a model the network has random weights of the usual size, which costs the same.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from loguru import logger
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.player import Bot
from sc2.position import Point2

from bot import memory
from bot.guard import Guard
from bot.knowledge.tracker import Tracker
from bot.micro import policy, skills
from bot.micro.step import Micro
from bot.micro.task import Mode, Task
from bot.options import positive

SHARES = {U.MARINE: 0.6, U.MARAUDER: 0.2, U.MEDIVAC: 0.1, U.SIEGETANK: 0.1}
FOES = {U.ROACH: 0.4, U.HYDRALISK: 0.6}  # worth more, or the rules would lead
FORMS = {U.SIEGETANK: U.SIEGETANKSIEGED}
"""Other types that count as one of our kinds."""
WARM_UP = 10


class Foe(BotAI):
    """Attacks what it sees."""

    async def on_step(self, iteration: int) -> None:
        if self.enemy_units and iteration % 4 == 0:
            for unit in self.units.exclude_type({U.DRONE, U.OVERLORD, U.LARVA}).idle:
                unit.attack(self.enemy_units.closest_to(unit).position)


class Benched(BotAI):
    """Two armies of each size in turn, topped up in every step; `times[size]` has (read, decide, units, enemies)."""

    def __init__(self, sizes: Sequence[int], steps: int, who: str, model: Path | None) -> None:
        super().__init__()
        self.sizes, self.steps, self.who, self.model = list(sizes), steps, who, model
        self.times: dict[int, list[tuple[float, float, int, int]]] = {size: [] for size in sizes}
        self.failed = ""

    async def on_start(self) -> None:
        self.guard = Guard()
        self.tracker, self.micro = Tracker(self), Micro(self.guard, self.who, self.model)
        self.client.game_step = 4
        memory.settle()  # as the bot does
        await self.client.debug_upgrade()

    async def on_step(self, iteration: int) -> None:
        from bot.sending import send

        size = self.sizes[0]
        await self.refill(size)
        knowledge = self.tracker.update(self)
        middle = self.game_info.map_center
        task = Task(Mode.FIGHT, (middle.x + 6, middle.y), (middle.x - 20, middle.y), (middle.x, middle.y))
        begun = time.thread_time()
        field = self.micro.see(knowledge)
        read = time.thread_time()
        orders = self.micro.act(field, dict.fromkeys(field.own.tags, task))
        done = time.thread_time()
        if self.who == "learned" and self.micro.policy is None:
            self.failed = "the network could not be used"
        decided = self.who == "scripted" or self.micro.decided_at == self.state.game_loop
        if len(field.own) and len(field.foe) and decided:
            self.times[size].append((read - begun, done - read, len(field.own), len(field.foe)))
        await send([orders], self)
        if len(self.times[size]) >= self.steps + WARM_UP or self.failed:
            self.sizes.pop(0)
        if not self.sizes or self.failed:
            await self.client.leave()

    async def refill(self, size: int) -> None:
        """Both armies at the size that is measured, face to face: who fell is replaced at once."""
        middle = self.game_info.map_center
        wanted = []
        for owner, shares, units, x in ((1, SHARES, self.units, -5), (2, FOES, self.enemy_units, 5)):
            for kind, share in shares.items():
                missing = round(share * size) - len(units({kind, FORMS.get(kind, kind)}))
                if missing > 0:
                    wanted.append([kind, missing, Point2((middle.x + x, middle.y)), owner])
        if wanted:
            await self.client.debug_create_unit(wanted)


def random_model(folder: Path) -> Path:
    """A network of the usual size that has learned nothing."""
    from bot.micro import model, network, weights

    targeted = tuple(skills.VERB[name] for name in skills.TARGETED)
    config = model.ActorConfig(
        len(policy.ENTITY_FEATURES), len(policy.PAIR_FEATURES), len(skills.VERBS), targeted, advised=True
    )
    weights.save_actor(folder / "random.npz", network.Actor(config), policy.NAMES, {})
    return folder / "random.npz"


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench_micro", description="Micro's thinking time.")
    parser.add_argument("--sizes", type=positive, nargs="+", default=[50, 100], metavar="N", help="units a side")
    parser.add_argument("--steps", type=positive, default=100, metavar="N", help="decisions measured (default 100)")
    parser.add_argument("--model", type=Path, metavar="FILE", help="network (default: random weights)")
    parser.add_argument("--micro", choices=("learned", "scripted"), default="learned", help="who decides")
    chosen = parser.parse_args(list(arguments))
    if chosen.model is None and chosen.micro == "learned" and find_spec("torch") is None:
        print(
            "python -m tools.bench_micro: without torch there are no random weights; --model names a file of them",
            file=sys.stderr,
        )
        return 2
    if chosen.model is not None and not chosen.model.is_file():
        print(f"python -m tools.bench_micro: {chosen.model}: no such file", file=sys.stderr)
        return 2
    from run import EmbeddedEngine

    engine = EmbeddedEngine()
    os.environ["SC2PATH"] = str(engine.prepare(None))
    from sc2 import maps
    from sc2.main import run_game

    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    with tempfile.TemporaryDirectory() as folder:
        model = chosen.model or (random_model(Path(folder)) if chosen.micro == "learned" else None)
        bot = Benched(chosen.sizes, chosen.steps, chosen.micro, model)
        players = [Bot(Race.Terran, bot), Bot(Race.Zerg, Foe())]
        run_game(maps.get(engine.maps(None)[0]), players, realtime=False, random_seed=1)
    if bot.failed:
        print(f"python -m tools.bench_micro: {bot.failed}", file=sys.stderr)
        return 1
    print(f"{'units':>9}{'median':>9}{'p99':>9}{'read':>9}{'decide':>9}  ms ({chosen.micro})")
    for size, times in bot.times.items():
        times = times[WARM_UP:]
        whole = sorted(1000 * (read + decide) for read, decide, _, _ in times)
        shown = [statistics.median(whole), whole[min(int(len(whole) * 0.99), len(whole) - 1)]]
        shown += [1000 * statistics.median(t[k] for t in times) for k in (0, 1)]
        mean = "/".join(str(round(statistics.mean(t[k] for t in times))) for k in (2, 3))
        print(f"{mean:>9}" + "".join(f"{value:9.2f}" for value in shown) + f"   ({size} a side wanted)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
