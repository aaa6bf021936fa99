"""`python -m train value CONFIG.toml`: train VDN or QMIX, to compare with PPO on the same battles."""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from typing import TYPE_CHECKING

import torch

from bot import memory
from bot.micro import weights
from sim.arguments import natural
from train import arguments
from train.errors import TrainError
from train.ppo.learner import DivergedError
from train.value import config
from train.value.config import Fit

if TYPE_CHECKING:
    from train.scenario import Scenario
    from train.value.run import Run

FOLDER = pathlib.Path("data/runs")
DIVERGED = 3  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("config", metavar="CONFIG.toml", help="what to train; see train/configs/qmix-3m.toml")
    parser.add_argument("--out", type=pathlib.Path, help=f"the run's folder (default: {FOLDER}/NAME)")
    parser.add_argument("--steps", type=natural, help="environment steps in all, instead of the config's")
    parser.add_argument("--seed", type=natural, help="instead of the config's")


def run(args: argparse.Namespace) -> int:
    """The command. 0: all steps done; 3: stopped because the numbers went wrong."""
    fit = config.load(args.config, steps=args.steps, seed=args.seed)
    folder = arguments.folder(args.out or FOLDER / (fit.name if args.seed is None else f"{fit.name}-{args.seed}"))
    if (folder / "model.npz").exists():
        raise TrainError(f"{folder / 'model.npz'} exists: --out takes another folder")
    torch.set_num_threads(1)
    memory.keep_all_freed()
    return train(fit, folder)


def train(fit: Fit, folder: pathlib.Path) -> int:
    """Train in `folder`: log.jsonl, model.npz as it was at the last evaluation, best.npz at the one that won most."""
    from tqdm import tqdm

    from train import arena
    from train.battles import Environment
    from train.ppo.run import seed_of
    from train.value.run import Run

    count, threads = fit.battles.count, fit.battles.threads
    job = Run(fit, Environment(_scenarios(fit), count, seed=seed_of(fit.seed, 0), threads=threads), arena.NAMES)
    folder.mkdir(parents=True, exist_ok=True)
    update, best = 0, -1.0
    with tqdm(total=fit.steps, unit="step", unit_scale=True, desc=fit.name) as bar:
        while not job.finished:
            try:
                logs = job.advance()
            except DivergedError as error:
                bar.write(f"python -m train value: {error}; the last model is kept")
                return DIVERGED
            update += 1
            bar.update(job.steps - bar.n)
            if update % fit.watch.every and not job.finished:
                continue
            logs["evaluation/won"] = _evaluate(fit, job)
            bar.set_postfix(won=f"{logs['evaluation/won']:.2f}")
            _note(folder, job.steps, {"seconds": job.seconds, "cpu_seconds": job.cpu, **logs})
            about = {"config": dataclasses.asdict(fit), "steps": job.steps, "seconds": job.seconds}
            about |= {"cpu_seconds": job.cpu}
            won = logs["evaluation/won"]
            for name in ("model.npz", "best.npz") if won >= best else ("model.npz",):
                weights.save_actor(folder / name, job.learner.actor, arena.NAMES.of_model(), about)
            best = max(won, best)
            if fit.watch.win and won >= fit.watch.win:
                break
    return 0


def _scenarios(fit: Fit) -> list[Scenario]:
    from train import arena

    names = arena.listed(fit.battles.scenarios)
    found = arena.scenarios(names, [fit.battles.level] * len(names))
    arena.check_driven(found)
    return [arena.weighed(scenario, fit.reward) for scenario in found]


def _evaluate(fit: Fit, job: Run) -> float:
    """Share of battles won without chance, in fights that are not trained on."""
    from train import arena
    from train.battles import Environment
    from train.play import play
    from train.ppo.run import seed_of
    from train.value.play import Greedy

    chosen = _scenarios(fit)
    count = max(fit.watch.battles, len(chosen))
    seed = seed_of(fit.seed, arena.EVALUATION)
    environment = Environment(chosen, count, seed=seed, threads=fit.battles.threads, first=arena.EVALUATION)
    ends = play(environment, Greedy(job.learner.actor), 1)
    return float((ends.won > 0).mean())


def _note(folder: pathlib.Path, steps: int, values: dict[str, float]) -> None:
    short = {name: float(f"{value:.5g}") for name, value in values.items()}
    with (folder / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"steps": steps, **short}) + "\n")
