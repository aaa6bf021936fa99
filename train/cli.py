"""The command line of `train`. Each command is a module with `add_arguments(parser)` and `run(args) -> int`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

from bot import memory
from sim.arguments import examples
from train.errors import TrainError

OWN = ("bot", "sim", "train")


class Command(NamedTuple):
    """A command; its module is imported only when it is asked for."""

    module: str
    line: str
    """What it does, as the list of commands says it."""
    examples: tuple[str, ...]
    """Command lines without `python -m train`."""


COMMANDS: dict[str, Command] = {
    "scenarios": Command(
        "train.listing",
        "list all scenarios, or show some",
        (
            "scenarios --family drill   # all drills",
            "scenarios siege_line --svg siege_line.svg   # one in full, with a picture",
        ),
    ),
    "watch": Command(
        "train.watch",
        "write a page that plays one battle",
        (
            "watch siege_line   # writes watch-siege_line.html: open it in a browser",
            "watch 3m --policy models/micro.npz --seed 7 --out model.html",
        ),
    ),
    "fit": Command(
        "train.fit",
        "train a policy by PPO as a TOML file says",
        (
            "fit train/configs/3m.toml   # ends by itself in data/runs/3m",
            "fit train/configs/3m.toml --resume   # goes on where it was interrupted",
            "fit train/configs/3m.toml --seed 2 --steps 100000 --out data/runs/short",
        ),
    ),
    "specialists": Command(
        "train.specialists",
        "train one policy for each scenario, to teach a general one",
        ("specialists train/configs/specialist.toml --scenarios siege_line --levels 2   # docs/training.md",),
    ),
    "value": Command(
        "train.value.command",
        "train VDN or QMIX on the same battles, to compare",
        ("value train/configs/qmix-3m.toml", "value train/configs/vdn-8m.toml --seed 2"),
    ),
    "evaluate": Command(
        "train.evaluate",
        "measure policies in the same fights, with intervals",
        (
            "evaluate --policy models/micro.npz scripted --scenarios siege_line --episodes 100",
            "evaluate --policy data/runs/3m/best.npz --scenarios 3m --episodes 200 --json 3m.json",
        ),
    ),
    "average": Command(
        "train.average",
        "make one model of several of a run",
        ("average data/runs/terran/model-*.npz --trust -1 --out data/terran.npz   # kept by [watch] snapshots",),
    ),
    "card": Command(
        "train.card",
        "put a model into models/ with a card of its training and evaluation",
        ("card data/runs/general/best.npz --name micro --evaluation drills.json --notes notes.md",),
    ),
    "bench": Command(
        "train.bench",
        "measure the speed of the battles and of the environment",
        ("bench 3m --count 128 --threads 2",),
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status. A user's mistake is one line on stderr and status 2."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="python -m train",
        description="Train and measure Ironsight's micro policy.",
        **examples(
            "python -m train scenarios                         # what there is to learn",
            "python -m train watch siege_line                  # a page that plays one battle",
            "python -m train fit train/configs/3m.toml         # learn one map by PPO",
            "python -m train evaluate --policy data/runs/3m/best.npz scripted --scenarios 3m",
            "python -m train COMMAND --help                    # the options of one command, with examples",
        ),
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, line, shown) in COMMANDS.items():
        lines = (f"python -m train {text}" for text in shown)
        command = commands.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}.", **examples(*lines))
        if arguments[:1] == [name]:
            try:
                importlib.import_module(module).add_arguments(command)
            except ModuleNotFoundError as error:
                return _lacking(error)
    options = parser.parse_args(arguments)
    memory.keep_freed()
    try:
        return importlib.import_module(COMMANDS[options.command].module).run(options)
    except ModuleNotFoundError as error:
        return _lacking(error)
    except TrainError as error:
        print(f"python -m train {options.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever reads has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


def _lacking(error: ModuleNotFoundError) -> int:
    """Says which package is missing and how to get it; a missing module of ours is a fault and raised."""
    package = (error.name or "").partition(".")[0]
    if package in ("", *OWN):
        raise error
    print(f'python -m train: {package} is not installed; pip install -e ".[train]" installs it', file=sys.stderr)
    return 2
