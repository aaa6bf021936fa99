"""`python -m train card`: models/NAME.npz and its card, which says how it was trained and measured."""

from __future__ import annotations

import argparse
import json
import pathlib
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from bot.micro import weights
from train import statistics
from train.arguments import write
from train.errors import TrainError
from train.value.play import holds_values

MODELS = pathlib.Path("models")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", type=pathlib.Path, help="model.npz of a run")
    parser.add_argument("--name", required=True, help="of the model in models/")
    parser.add_argument("--evaluation", type=pathlib.Path, nargs="+", default=[], help="JSON files of `evaluate`")
    parser.add_argument("--notes", type=pathlib.Path, help="text for the card: what was tried, what is not reached")
    parser.add_argument("--folder", type=pathlib.Path, default=MODELS, help=f"default: {MODELS}/")


def run(args: argparse.Namespace) -> int:
    """The command."""
    try:
        actor, header = weights.load_actor(args.model)
    except weights.WeightsError as error:
        raise TrainError(str(error)) from None
    if holds_values(header):
        raise TrainError(f"{args.model}: learned by VDN or QMIX; only policies can be played in a game")
    reports = [read(path) for path in args.evaluation]
    notes = _text(args.notes) if args.notes else ""
    size = sum(parameter.numel() for parameter in actor.parameters())
    target = args.folder / f"{args.name}.npz"
    write(args.folder / f"{args.name}.md", card(args.name, header, size, reports, notes))
    if args.model.resolve() != target.resolve():
        partial = target.with_name(f".{target.name}.part")
        shutil.copyfile(args.model, partial)
        partial.replace(target)
    print(f"{target} and {target.with_suffix('.md')} written")
    return 0


def read(path: pathlib.Path) -> dict[str, Any]:
    """A report that `evaluate --json` wrote. Raises TrainError."""
    try:
        report = json.loads(_text(path))
        report["results"], report["episodes"], report["seed"], report["against"], report["command"]
    except (ValueError, KeyError, TypeError) as error:
        raise TrainError(f"{path}: not a report of `python -m train evaluate --json` ({error!r})") from None
    return report


def card(name: str, header: Mapping[str, Any], size: int, reports: Sequence[Mapping[str, Any]], notes: str) -> str:
    """The card's text."""
    about, config = header["about"], header["config"]
    lines = [f"# {name}", "", f"A policy network of {size:,} parameters (width {config['width']}, {config['heads']} "
             f"heads, memory {config['memory']}); see docs/micro.md for what it sees and decides.", ""]  # fmt: skip
    if notes:
        lines += [notes.strip(), ""]
    lines += ["## Training", "", *_training(about), ""]
    for report in reports:
        lines += ["## Evaluation", "", f"`{report['command']}`", "", statistics.markdown(report)]
    return "\n".join(lines).rstrip() + "\n"


def _training(about: Mapping[str, Any]) -> list[str]:
    """How the model came to be, from the record in its file."""
    fit = about.get("config")
    if fit is None:
        return ["No record."]
    minutes, cpu = about["seconds"] / 60, about.get("cpu_seconds", 0.0) / 60
    lines = [
        f"- {about['steps']:,} environment steps (8 game loops each) in {about['update']} updates, "
        f"{minutes:.0f} minutes ({cpu:.0f} of CPU each) on {about['processes']} process(es), seed {fit['seed']}"
        + (f", started from `{fit['start']}`" if fit["start"] else ""),
        f"- scenarios: {', '.join(fit['battles']['scenarios'])}",
    ]
    for run in about.get("before", []):
        minutes, cpu = run["seconds"] / 60, run["cpu_seconds"] / 60
        lines.append(f"- before that {run['steps']:,} steps, {minutes:.0f} minutes ({cpu:.0f} of CPU each) on "
                     f"{run['processes']} process(es)")  # fmt: skip
    for change in about.get("changes", []):
        lines.append(f"- from step {change['steps']:,} on {change['name']} = {change['is']} instead of {change['was']}")
    taught = fit["imitate"]["steps"]
    if taught:
        whom = "one specialist a scenario" if fit["imitate"].get("teachers") else "the scripted twin"
        ended = min(about["steps"], fit["steps"]) > taught  # the last update goes beyond what was asked for
        lines.append(f"- the first {taught:,} steps imitated {whom}, then PPO" if ended else f"- all imitated {whom}")
    if about.get("averaged", 1) > 1:
        lines.append(f"- the mean of the weights of its last {about['averaged']} evaluations")
    if about.get("trust"):
        lines.append(f"- then {about['trust']:+g} on the logit of FOLLOW (`train average --trust`)")
    if len(set(about["levels"].values())) > 1 or fit["curriculum"]["top"]:
        lines.append(f"- levels reached: {', '.join(f'{name} {level}' for name, level in about['levels'].items())}")
    lines.append(f"- PPO: {', '.join(f'{key} {value}' for key, value in fit['ppo'].items())}")
    if about["history"]:
        lines += ["", "| steps | minutes | won in training's own evaluation |", "| ---: | ---: | ---: |"]
        every = max(len(about["history"]) // 12, 1)
        rows = [*about["history"][:-1][::every], about["history"][-1]]
        lines += [f"| {row['steps']:,} | {row['seconds'] / 60:.0f} | {100 * row['won']:.1f} % |" for row in rows]
    return lines


def _text(path: pathlib.Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TrainError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
