"""Win rate and exchange of army value over many seeds: plays run.py again and again, and sums up its reports.

python -m tools.winrate --games 10 --opponent zerg:hard --map IronRidgeAIE
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

from bot.local import check_writable
from bot.options import UsageError, positive, seed
from bot.report import write_atomically
from sim.arguments import examples
from train.statistics import wilson

ROOT = Path(__file__).resolve().parent.parent
RESAMPLES = 2000
BAD_INPUT = 2  # exit code of run.py


def play(seed: int, arguments: Sequence[str], folder: Path) -> dict[str, Any]:
    """One game as a process of its own; its report, or one that says how the process failed.

    Raises:
        UsageError: run.py takes no such arguments, for any seed.
    """
    file = folder / f"{seed}.json"
    command = [sys.executable, str(ROOT / "run.py"), "--seed", str(seed), "--steady", "--report", str(file), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        if done.returncode == BAD_INPUT:
            raise UsageError(lines[-1]) from None
        return {"result": "Error", "seed": seed, "errors": [lines[-1]]}


def line(report: dict[str, Any]) -> str:
    """One game in one line."""
    if "step_ms" not in report:
        return f"seed {report['seed']:<6} {report['result']:<8} {'; '.join(report['errors'])}"
    steps = report["step_ms"]
    return (
        f"seed {report['seed']:<6} {report['result']:<8} {report['game_seconds'] / 60:5.1f} min  "
        f"wall {report['wall_seconds']:4.0f} s  step {steps['median']:.1f}/{steps['p99']:.1f}/{steps['max']:.0f} ms  "
        f"lost {report['units_lost']:<4} killed {report['enemy_killed']:<4} "
        f"army {report['army_value']['lost']} for {report['army_value']['killed']} {'; '.join(report['errors'])}"
    )


def summary(reports: Sequence[dict[str, Any]]) -> str:
    """Results, the win rate with its interval, and the spread of the games' lengths."""
    results = Counter(report["result"] for report in reports)
    wins, games = results["Victory"], len(reports)
    low, high = wilson(wins, games)
    text = [f"{wins} of {games} won: {wins / max(games, 1):.0%} (95 % interval {low:.0%} to {high:.0%})"]
    text.append("  " + ", ".join(f"{count} {name.lower()}" for name, count in results.most_common()))
    minutes = sorted(report["game_seconds"] / 60 for report in reports if "game_seconds" in report)
    if minutes:
        text.append(f"  length {minutes[0]:.1f} to {minutes[-1]:.1f} min, median {minutes[len(minutes) // 2]:.1f}")
    armies = np.array([[r["army_value"][what] for what in ("lost", "killed")] for r in reports if "army_value" in r])
    if len(armies) and armies[:, 1].sum():
        share, low, high = exchange(armies)
        text.append(
            f"  army value lost for 1,000 killed: {share:.0f} (95 % interval {low:.0f} to {high:.0f}, over games)"
        )
    faults = sum(bool(report["errors"]) for report in reports)
    text.append(f"  {faults} games with errors in their report")
    return "\n".join(text)


def exchange(armies: np.ndarray) -> tuple[float, float, float]:
    """(share, low, high) of army value lost for 1,000 killed, from [games, (lost, killed)]; 95 % by drawing whole games
    again, since what happens within one hangs together."""
    drawn = np.random.default_rng(0).integers(len(armies), size=(RESAMPLES, len(armies)))
    sums = armies[drawn].sum(axis=1)
    low, high = np.percentile(1000 * sums[:, 0] / np.maximum(sums[:, 1], 1), (2.5, 97.5))
    lost, killed = armies.sum(axis=0)
    return 1000 * lost / killed, low, high


def main(arguments: Sequence[str]) -> int:
    """Command line; exit code 0 when every game was played to a result, 2 for arguments that run.py does not take."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.winrate",
        description="Plays run.py over many seeds: win rate with its interval. Other options go to run.py.",
        **examples("python -m tools.winrate --games 10 --parallel 2 --opponent zerg:veryhard --map IronRidgeAIE"),
    )
    parser.add_argument("--games", type=positive, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument("--first-seed", type=seed, default=1, metavar="N", help="seeds are N, N+1, ... (default 1)")
    parser.add_argument("--parallel", type=positive, default=1, metavar="N", help="games at a time (default 1)")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="save all reports here")
    known, rest = parser.parse_known_args(list(arguments))
    try:
        check_writable(known.out)
    except UsageError as error:
        parser.error(str(error))
    reports: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(known.parallel) as pool:
        numbers = range(known.first_seed, known.first_seed + known.games)
        try:
            for future in as_completed([pool.submit(play, number, rest, Path(folder)) for number in numbers]):
                reports.append(future.result())
                print(line(reports[-1]), flush=True)
        except KeyboardInterrupt:  # the terminal has told the games too; those that still wait must not begin
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        except UsageError as error:
            pool.shutdown(wait=False, cancel_futures=True)
            print(error, file=sys.stderr)
            return BAD_INPUT
    print(summary(reports))
    if known.out:
        write_atomically(known.out, json.dumps(sorted(reports, key=lambda r: r["seed"]), indent=1))
    return 0 if all(report["result"] != "Error" for report in reports) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
