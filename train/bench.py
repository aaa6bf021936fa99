"""`python -m train bench`: speed of the battles and of the environment, with the spread of several runs."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from bot.micro.skills import TARGET_ROW
from sim.arguments import natural, positive
from sim.engine import state
from train import catalog
from train.arguments import duration
from train.battles import Environment
from train.field import Field
from train.scenario import LOOPS

SCENARIOS = ("3m", "MMM2", "27m_vs_30m")
COUNTS = {"3m": 1024, "MMM2": 256, "27m_vs_30m": 96}
Play = Callable[[], np.ndarray]  # does one step and returns the time of it that does not count, see `_now`


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("scenarios", nargs="*", metavar="NAME", help=f"default: {' '.join(SCENARIOS)}")
    parser.add_argument("--threads", type=positive, default=2, help="threads of the battles (default %(default)s)")
    parser.add_argument("--runs", type=positive, default=5, help="runs a figure (default %(default)s)")
    parser.add_argument("--seconds", type=duration, default=1.0, help="length of a run (default %(default)s)")
    parser.add_argument("--count", type=natural, default=0, help="battles at once (default: suits the scenario)")


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    print(f"environment steps of {LOOPS} loops a second, random legal actions, {options.threads} threads, ", end="")
    print(f"{options.runs} runs of {options.seconds:g} s: min / median / max; us = processor time a step, all threads")
    print(f"{'scenario':<16} {'battles':>7}  {'the engine alone':<40} {'with tables and masks':<40}")
    for name in options.scenarios or SCENARIOS:
        scenario = catalog.load(name)
        count = options.count or COUNTS.get(name, 128)
        env = Environment([scenario], count, seed=1, threads=options.threads)
        figures = [_measure(play, count, options) for play in (engine_steps(env), whole_steps(env))]
        print(f"{name:<16} {count:>7}  {figures[0]:<40} {figures[1]:<40}", flush=True)
    return 0


def _now() -> np.ndarray:
    """f8 [2]: seconds on the clock and of processor time, all threads."""
    return np.array((time.perf_counter(), time.process_time()))


def _measure(play: Play, count: int, options: argparse.Namespace) -> str:
    """Several runs of a step."""
    play()
    rates, busy = [], []
    for _ in range(options.runs):
        steps, start = 0, _now()
        apart = np.zeros(2)
        while time.perf_counter() - start[0] < options.seconds:
            apart += play()
            steps += count
        clock, processor = _now() - start - apart
        rates.append(steps / clock)
        busy.append(1e6 * processor / steps)
    rates.sort()
    low, middle, high = rates[0], rates[len(rates) // 2], rates[-1]
    return f"{low:>9,.0f} / {middle:>9,.0f} / {high:>9,.0f} {np.median(busy):>6.1f} us"


def engine_steps(env: Environment) -> Play:
    """A step of the battles alone: orders for all our units (half attack, half move), the enemies' behaviour, 8 loops,
    results, and new starts. Drawing the random numbers does not count."""
    rng = np.random.default_rng(0)
    slots = np.arange(env.agents)

    def orders(field: Field) -> tuple[np.ndarray, ...]:
        units = field.battles.units
        b, s = np.nonzero(units["alive"][:, slots])
        steps = np.array(((2, 0), (0, 2), (-2, 0), (0, -2)), np.float32)[rng.integers(0, 4, len(b))]
        verbs = np.where(rng.random(len(b)) < 0.5, state.MOVE, state.ATTACK)
        x, y = units["x"][b, s] + steps[:, 0], units["y"][b, s] + steps[:, 1]
        return b, s, verbs, env.agents + rng.integers(0, env.entities - env.agents, len(b)), x, y

    def step(field: Field, given: tuple[np.ndarray, ...]) -> None:
        field.battles.issue(*given)
        field.advance()
        found = field.measures.settle(field.age)
        over = np.flatnonzero(found.done | found.timeout)
        if len(over):
            field.begin(over)

    def play() -> np.ndarray:
        start = _now()
        drawn = [orders(field) for field in env.fields]
        apart = _now() - start
        env.each(step, drawn)
        return apart

    return play


def whole_steps(env: Environment) -> Play:
    """A step with everything that a learner gets: tables, masks, state; decisions drawn from the legal ones."""
    rng = np.random.default_rng(0)

    def play() -> np.ndarray:
        view = env.observe()
        start = _now()
        tables = view.tables
        verb = (rng.random(tables.verbs.shape, np.float32) * tables.verbs).argmax(-1)
        row = TARGET_ROW[verb]
        masks = np.take_along_axis(tables.targets, np.maximum(row, 0)[..., None, None], 2)[:, :, 0]
        target = np.where(row >= 0, (rng.random(masks.shape, np.float32) * masks).argmax(-1), -1)
        apart = _now() - start
        env.step(verb, target)
        return apart

    return play
