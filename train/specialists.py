"""`python -m train specialists CONFIG.toml`: one run for each scenario of the config, each in a folder of its name.

Training on many scenarios at once forgets in one what it learned in another; so each is learned alone, and a general
policy is then taught by all (`[imitate] teachers`).
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from sim.arguments import positive
from train import arguments
from train.errors import TrainError
from train.ppo import config
from train.teachers import folder_of

INTERRUPTED = 130  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("config", metavar="CONFIG.toml", help="how each is trained, and the scenarios")
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="instead of the config's")
    parser.add_argument("--levels", nargs="+", type=int, choices=(1, 2, 3), default=[1, 2], help="of drills and files")
    parser.add_argument("--out", type=pathlib.Path, help="folder of the runs (default: data/runs/NAME)")
    parser.add_argument("--jobs", type=positive, default=1, help="runs at once")


def run(args: argparse.Namespace) -> int:
    """The command. Runs that were begun are continued, finished ones are left as they are. 1: some failed."""
    from tqdm import tqdm

    from train import arena
    from train.fit import FOLDER

    fit = config.load(args.config)
    if fit.start and not pathlib.Path(fit.start).exists():
        raise TrainError(f"{args.config}: start = {fit.start!r}: no such file; train it first (docs/training.md)")
    chosen = arena.listed(args.scenarios or fit.battles.scenarios)
    arena.scenarios(chosen, [2] * len(chosen))  # complains of unknown ones before hours have passed
    folder = arguments.folder(args.out or FOLDER / fit.name)
    failed = []

    def one(name: str) -> str:
        bar.set_postfix_str(f"last begun: {name}")
        return train(args.config, name, leveled(name, args.levels), folder)

    with ThreadPoolExecutor(args.jobs) as pool, tqdm(total=len(chosen), unit="run", desc=fit.name) as bar:
        try:
            jobs = {pool.submit(one, name): name for name in chosen}
            for job in as_completed(jobs):
                bar.update()
                if job.result():
                    failed.append(jobs[job])
                    bar.write(f"{jobs[job]}: {job.result()}")
        except KeyboardInterrupt:  # the terminal has told the runs too; those that still wait must not begin
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failed:
        print(f"python -m train specialists: {len(failed)} of {len(chosen)} failed: {', '.join(failed)}")
    return bool(failed)


def leveled(name: str, levels: Sequence[int]) -> list[str]:
    """The scenario at each level, where it has levels and its name says none."""
    from train import catalog

    has = name in catalog.drills() or name.endswith(".toml")
    return [f"{name}@{level}" for level in levels] if has else [name]


def train(path: str, name: str, scenarios: Sequence[str], folder: pathlib.Path) -> str:
    """One run to its end, in a process of its own; "" or what went wrong."""
    own = folder / folder_of(name)
    own.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "train", "fit", path, "--scenarios", *scenarios, "--out", str(own)]
    if (own / "checkpoint.npz").exists():
        command.append("--resume")
    with (own / "fit.log").open("a", encoding="utf-8") as log:
        status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode
    if status in (0, INTERRUPTED):
        return ""
    said = (own / "fit.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    return f"exit status {status}: {''.join(said)} (all of it in {own / 'fit.log'})"
