"""`python -m train fit CONFIG.toml`: train a policy; several processes with `torchrun -m train fit CONFIG.toml`."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import pathlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from bot import memory
from bot.micro import weights
from sim.arguments import natural
from train import arguments
from train.arguments import write
from train.errors import TrainError
from train.ppo import checkpoint, config, parallel
from train.ppo.config import Fit
from train.ppo.learner import DivergedError
from train.ppo.run import Make, Names, Run

FOLDER = pathlib.Path("data/runs")
DIVERGED = 3  # exit status
Evaluate = Callable[[Run], dict[str, float]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("config", metavar="CONFIG.toml", help="what to train; see train/configs/")
    parser.add_argument("--resume", action="store_true", help="continue the run in its folder")
    parser.add_argument("--out", type=pathlib.Path, help=f"the run's folder (default: {FOLDER}/NAME)")
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="instead of the config's")
    parser.add_argument("--steps", type=natural, help="environment steps in all, instead of the config's")
    parser.add_argument("--seed", type=natural, help="instead of the config's")
    parser.add_argument("--start", metavar="MODEL.npz", help="model to begin with, instead of the config's")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")


def run(args: argparse.Namespace) -> int:
    """The command. 0: all steps done; 3: stopped because the numbers went wrong; 130: interrupted."""
    fit = config.load(args.config, steps=args.steps, seed=args.seed, start=args.start)
    from train import arena

    if args.scenarios:
        fit = dataclasses.replace(fit, battles=dataclasses.replace(fit.battles, scenarios=tuple(args.scenarios)))
    fit = arena.expanded(fit)
    folder = arguments.folder(args.out or FOLDER / (fit.name if args.seed is None else f"{fit.name}-{args.seed}"))
    torch.set_num_threads(1)
    memory.keep_all_freed()
    with parallel.group(args.device) as device:
        return train(fit, arena.make(fit), arena.NAMES, folder, device, resume=args.resume, evaluate=arena.evaluate)


def train(
    fit: Fit,
    make: Make,
    names: Names,
    folder: pathlib.Path,
    device: torch.device,
    *,
    resume: bool = False,
    evaluate: Evaluate | None = None,
) -> int:
    """Train in `folder`: checkpoint.npz, model.npz, log.jsonl and TensorBoard's events. The exit status."""
    path = folder / "checkpoint.npz"
    if path.exists() and not resume:
        raise TrainError(f"{path} exists: --resume continues it, --out takes another folder")
    if resume and not path.exists():
        raise TrainError(f"{path}: nothing to resume")
    job = Run(fit, make, names, device)
    if resume:
        job.restore(*checkpoint.load(path, job.learner, fit))
        for change in job.changes:
            if change["steps"] == job.steps and parallel.rank() == 0:
                print(f"from step {job.steps:,} on: {change['name']} = {change['is']} (was {change['was']})")
    try:
        with Journal(folder, fit, job.steps) if parallel.rank() == 0 else contextlib.nullcontext() as journal:
            return _loop(job, folder, journal, evaluate)
    except DivergedError as error:
        if parallel.rank() == 0:
            last = f"the last good one is {path}" if path.exists() else "there is none yet"
            print(f"python -m train fit: update {job.update}: {error}; no checkpoint written, {last}", flush=True)
        return DIVERGED


def _loop(job: Run, folder: pathlib.Path, journal: Journal | None, evaluate: Evaluate | None) -> int:
    if job.update == 0 and job.fit.start and not job.history:  # what the run has to beat
        _keep(job, folder, journal, evaluate)
    while not job.finished:
        logs = job.advance()
        if journal:
            journal.note(job, logs)
        if job.update % job.fit.watch.every and not job.finished:
            continue
        _keep(job, folder, journal, evaluate)
        if not job.finished:
            job.restart()
    return 0


def _keep(job: Run, folder: pathlib.Path, journal: Journal | None, evaluate: Evaluate | None) -> None:
    """Evaluate, and write what there is."""
    found = {} if evaluate is None else evaluate(job)
    if found:
        levels = sum(job.levels.values())
        job.history.append({"steps": job.steps, "seconds": round(job.seconds, 1), "levels": levels, **found})
    if journal:
        journal.note(job, {f"evaluation/{name}": value for name, value in found.items()})
        save(job, folder)


def save(job: Run, folder: pathlib.Path) -> None:
    """Write checkpoint.npz and model.npz, and best.npz where no earlier evaluation of as high levels won more (or kept
    more at equal wins; `[watch] kept` asks the other way round): a policy may get worse again. `[watch]
    snapshots` keeps the model of this evaluation too."""
    checkpoint.save(folder / "checkpoint.npz", job.learner, job.fit, job.state(), job.frozen)
    about = {"config": dataclasses.asdict(job.fit), "processes": parallel.size(), **job.state()}
    order = ("levels", *(("kept", "won") if job.fit.watch.kept else ("won", "kept")))
    found = [tuple(row.get(name, 0.0) for name in order) for row in job.history]
    names = ["model.npz"]
    if found and found[-1] == max(found):
        names.append("best.npz")
    if job.fit.watch.snapshots:
        names.append(f"model-{job.steps:09}.npz")
    for name in names:
        weights.save_actor(folder / name, job.learner.actor, job.names.of_model(), about)


class Journal:
    """Progress bar, TensorBoard and log.jsonl of one run."""

    def __init__(self, folder: pathlib.Path, fit: Fit, steps: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._fit, self._steps = folder, fit, steps

    def __enter__(self) -> Journal:
        from torch.utils.tensorboard import SummaryWriter
        from tqdm import tqdm

        path = self._folder / "log.jsonl"
        if path.exists():
            write(path, "".join(rows_until(path, self._steps)))
        self._log = path.open("a", encoding="utf-8")
        self._board = SummaryWriter(str(self._folder), purge_step=self._steps)
        self._bar = tqdm(total=self._fit.steps, initial=self._steps, unit="step", unit_scale=True, desc=self._fit.name)
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
        self._board.close()
        self._log.close()

    def note(self, job: Run, values: dict[str, Any]) -> None:
        """Write these values for the job's present step."""
        if not values:
            return
        for name, value in values.items():
            self._board.add_scalar(name, value, job.steps)
        short = {name: float(f"{value:.5g}") for name, value in values.items()}
        record = {"time": round(time.time(), 1), "update": job.update, "steps": job.steps, **short}
        self._log.write(json.dumps(record) + "\n")
        self._log.flush()
        self._bar.update(job.steps - self._bar.n)
        if "won" in values:
            self._bar.set_postfix(won=f"{values['won']:.2f}", reward=f"{values['reward']:.3f}")


def rows_until(path: pathlib.Path, steps: int) -> Iterator[str]:
    """The lines of a log up to a checkpoint's step: what came after it is played again."""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        try:
            if json.loads(line)["steps"] > steps:
                return
        except ValueError:  # half a line, of a process that was killed
            return
        yield line
