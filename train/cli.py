"""The command line of `train`. Each command is a module with `add_arguments(parser)` and `run(args) -> int`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from bot import memory
from train.errors import TrainError

OWN = ("bot", "sim", "train")
COMMANDS: dict[str, tuple[str, str]] = {
    "scenarios": ("train.listing", "list all scenarios, or show some"),
    "bench": ("train.bench", "measure the speed of the battles and of the environment"),
    "card": ("train.card", "put a model into models/ with a card of its training and evaluation"),
    "evaluate": ("train.evaluate", "measure policies in the same fights, with intervals"),
    "fit": ("train.fit", "train a policy by PPO as a TOML file says"),
    "specialists": ("train.specialists", "train one policy for each scenario, to teach a general one"),
    "watch": ("train.watch", "write a page that plays one battle"),
    "value": ("train.value.command", "train VDN or QMIX on the same battles, to compare"),
}
"""Command -> (module, what it does in one line). Modules are imported only when they are asked for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status. A user's mistake is one line on stderr and status 2."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="python -m train", description="Train and measure Ironsight's micro policy.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, line) in COMMANDS.items():
        command = commands.add_parser(name, help=line, description=line)
        if arguments[:1] == [name]:
            try:
                importlib.import_module(module).add_arguments(command)
            except ModuleNotFoundError as error:
                return _lacking(error)
    options = parser.parse_args(arguments)
    memory.keep_freed()
    try:
        return importlib.import_module(COMMANDS[options.command][0]).run(options)
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
