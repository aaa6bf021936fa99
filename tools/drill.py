"""Small fights that measure micro: the same two armies, once with our rules and once with a plain attack-move.

python -m tools.drill [NAME ...]      plays on the embedded engine; --rounds N, --list
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from loguru import logger
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.player import Bot
from sc2.position import Point2

from bot.options import UsageError, pick, positive
from sim.arguments import examples

ROUND_LOOPS = 1400  # a fight that lasts longer than a minute is called off
DISTANCE = 16.0  # between the armies at the start, cells


@dataclass(frozen=True)
class Drill:
    """Two armies: unit types with their numbers."""

    own: dict[U, int]
    foe: dict[U, int]


# The trainer gets all upgrades (Stim is what is wanted), so its armies are the smaller ones.
DRILLS = {
    "marines-zerglings": Drill({U.MARINE: 16}, {U.ZERGLING: 60}),
    "marines-banelings": Drill({U.MARINE: 24}, {U.ZERGLING: 40, U.BANELING: 16}),
    "marines-roaches": Drill({U.MARINE: 18}, {U.ROACH: 18}),
    "bio-roaches": Drill({U.MARINE: 16, U.MARAUDER: 8, U.MEDIVAC: 3}, {U.ROACH: 40}),
    "bio-ling-bane": Drill({U.MARINE: 24, U.MARAUDER: 6, U.MEDIVAC: 4}, {U.ZERGLING: 80, U.BANELING: 28}),
    "tanks-roaches": Drill({U.MARINE: 10, U.SIEGETANK: 4}, {U.ROACH: 30}),
    "marines-hydralisks": Drill({U.MARINE: 20, U.MEDIVAC: 2}, {U.HYDRALISK: 28}),
    "vikings-mutalisks": Drill({U.VIKINGFIGHTER: 8}, {U.MUTALISK: 18}),
    "reapers-zerglings": Drill({U.REAPER: 5}, {U.ZERGLING: 24}),
    "hellions-zerglings": Drill({U.HELLION: 6}, {U.ZERGLING: 50}),
}


class Enemy(BotAI):
    """Attack-moves with everything it has at whatever it sees, else at the middle."""

    async def on_step(self, iteration: int) -> None:
        for unit in self.units.not_structure:
            if unit.type_id not in (U.DRONE, U.OVERLORD, U.LARVA) and self.enemy_units:
                unit.attack(self.enemy_units.closest_to(unit).position)


class Trainer(BotAI):
    """Sets the fights up, plays our side with or without micro, and keeps the scores."""

    def __init__(self, names: Sequence[str], rounds: int) -> None:
        super().__init__()
        self.todo = [(name, micro) for name in names for _ in range(rounds) for micro in (True, False)]
        self.scores: dict[tuple[str, bool], list[float]] = defaultdict(list)
        self.phase_loop = 0
        self.fighting = False

    async def on_start(self) -> None:
        from bot.guard import Guard
        from bot.knowledge.tracker import Tracker
        from bot.micro.step import Micro

        self.guard = Guard()
        self.tracker = Tracker(self)
        self.micro = Micro(self.guard)
        self.client.game_step = 4
        self.place = Point2(self.game_info.map_center)
        await self.client.debug_upgrade()
        await self.client.debug_show_map()

    async def on_step(self, iteration: int) -> None:
        age = self.state.game_loop - self.phase_loop
        own = self.units.exclude_type({U.SCV, U.MULE})
        foe = self.enemy_units.exclude_type({U.DRONE, U.OVERLORD, U.LARVA, U.BROODLING})
        if not self.fighting:
            if age > 8:
                await self.set_up()
            return
        if age < 8:
            return
        if not own or not foe or age > ROUND_LOOPS:
            name, micro = self.todo.pop(0)
            self.scores[name, micro].append(self.value(own) - self.value(foe))
            await self.clear((*own, *self.enemy_units.exclude_type({U.DRONE, U.OVERLORD, U.LARVA})))
            return
        await (self.fight(own, foe) if self.todo[0][1] else self.plain(own, foe))

    async def on_unit_destroyed(self, unit_tag: int) -> None:
        self.tracker.forget(unit_tag)

    async def set_up(self) -> None:
        if not self.todo:
            await self.client.leave()
            return
        drill = DRILLS[self.todo[0][0]]
        left, right = self.place.offset((-DISTANCE / 2, 0)), self.place.offset((DISTANCE / 2, 0))
        armies = [[kind, count, left, 1] for kind, count in drill.own.items()]
        armies += [[kind, count, right, 2] for kind, count in drill.foe.items()]
        await self.client.debug_create_unit(armies)
        self.fighting, self.phase_loop = True, self.state.game_loop

    async def clear(self, units: Sequence) -> None:
        if units:
            await self.client.debug_kill_unit({unit.tag for unit in units})
        self.fighting, self.phase_loop = False, self.state.game_loop

    async def fight(self, own: Sequence, foe: Sequence) -> None:
        from bot.micro.task import Mode, Task
        from bot.sending import send

        knowledge = self.tracker.update(self)
        field = self.micro.see(knowledge)
        home = tuple(self.place.offset((-30, 0)))
        fighters = [unit for unit in own if unit.type_id is not U.MEDIVAC] or own
        middle = (statistics.median(u.position.x for u in fighters), statistics.median(u.position.y for u in fighters))
        goal = min((unit.position for unit in foe), key=lambda p: p.distance_to(Point2(middle)))
        task = Task(Mode.FIGHT, (goal.x, goal.y), home, middle)
        await send([self.micro.act(field, {unit.tag: task for unit in own})], self)

    async def plain(self, own: Sequence, foe: Sequence) -> None:
        for unit in own:
            if unit.is_idle:
                unit.attack(foe.closest_to(unit).position)

    def value(self, units: Sequence) -> float:
        """Minerals and gas, by the share of life left."""
        total = 0.0
        for unit in units:
            data = self.game_data.units[unit.type_id.value]._proto
            total += (data.mineral_cost + data.vespene_cost) * unit.health / max(unit.health_max, 1)
        return total


def table(trainer: Trainer, names: Sequence[str]) -> str:
    """Mean value left (own minus enemy), with and without micro."""
    lines = [f"{'drill':<22}{'micro':>9}{'plain':>9}{'gain':>9}   rounds"]
    for name in names:
        micro, plain = trainer.scores[name, True], trainer.scores[name, False]
        if micro and plain:
            a, b = statistics.mean(micro), statistics.mean(plain)
            spread = statistics.pstdev(micro)
            lines.append(f"{name:<22}{a:9.0f}{b:9.0f}{a - b:9.0f}   {len(plain)} (spread {spread:.0f})")
    lines += [f"{site}: {times} times" for site, times in trainer.guard.errors.items()]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.drill",
        description="The same two armies, once with our micro and once with a plain attack-move: what each has left.",
        **examples("python -m tools.drill marines-banelings tanks-roaches --rounds 5"),
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="drills (default: all)")
    parser.add_argument("--rounds", type=positive, default=3, metavar="N", help="fights of each kind (default 3)")
    parser.add_argument("--map", default=None, metavar="NAME", help="map (default: the first)")
    parser.add_argument("--list", action="store_true", help="print the drills, and exit")
    chosen = parser.parse_args(list(arguments))
    unknown = [name for name in chosen.names if name not in DRILLS]
    if unknown:
        print(f"python -m tools.drill: unknown {unknown[0]!r}; there are: {', '.join(DRILLS)}", file=sys.stderr)
        return 2
    if chosen.list:
        print("\n".join(DRILLS))
        return 0
    try:
        trainer = play(chosen.names or list(DRILLS), chosen.rounds, chosen.map)
    except UsageError as error:
        print(f"python -m tools.drill: {error}", file=sys.stderr)
        return 2
    print(table(trainer, chosen.names or list(DRILLS)))
    return 0


def play(names: Sequence[str], rounds: int, map_name: str | None = None) -> Trainer:
    """All fights of these drills in one game on the embedded engine; the trainer holds the scores. UsageError: no such
    map."""
    from run import EmbeddedEngine

    engine = EmbeddedEngine()
    map_name = pick("map", map_name, engine.maps(None))
    os.environ["SC2PATH"] = str(engine.prepare(None))
    from sc2 import maps
    from sc2.main import run_game

    logger.remove()
    logger.add(sys.stderr, level="CRITICAL")
    trainer = Trainer(names, rounds)
    run_game(maps.get(map_name), [Bot(Race.Terran, trainer), Bot(Race.Zerg, Enemy())], realtime=False, random_seed=1)
    return trainer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
