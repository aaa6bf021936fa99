"""`python -m train average`: one model of several of one run, its weights the means of theirs.

Late checkpoints of a run differ by noise that their mean lacks (stochastic weight averaging, Izmailov et al. 2018).
"""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from bot.micro import weights
from bot.micro.network import Actor
from train.arguments import check_writable, finite
from train.errors import TrainError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("models", type=pathlib.Path, nargs="+", help="model files of one network, the latest last")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FILE.npz", help="the mean")
    parser.add_argument(
        "--trust", type=finite, default=0.0, metavar="LOGITS",
        help="added to the logit of FOLLOW of an advised policy: below 0 it departs from the twin on weaker grounds",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """The command."""
    check_writable(args.out)
    actor, header = mean(args.models)
    if args.trust:
        if not actor.config.advised:
            raise TrainError(f"--trust {args.trust:g}: {args.models[-1]} is not advised, it has no FOLLOW")
        actor.trust(args.trust)
    earlier = header["about"]
    counts = {
        "averaged": len(args.models) * earlier.get("averaged", 1),
        "trust": args.trust + earlier.get("trust", 0.0),
    }
    about = earlier | counts
    weights.save_actor(args.out, actor, header["names"], about)
    print(f"{args.out}: the mean of {len(args.models)} model(s)")
    return 0


def mean(paths: Sequence[pathlib.Path]) -> tuple[Actor, Mapping[str, Any]]:
    """The actor whose weights are the means, and the header of the last file. Raises TrainError where a file is broken
    or holds another network than the last."""
    try:
        last, header = weights.load_actor(paths[-1])
        others = [weights.load_actor(path, header["names"])[0] for path in paths[:-1]]
    except weights.WeightsError as error:
        raise TrainError(str(error)) from None
    for path, other in zip(paths, others, strict=False):
        if other.config != last.config:
            raise TrainError(f"{path}: holds another network than {paths[-1]}")
    with torch.no_grad():
        for name, value in last.state_dict().items():
            value.copy_(torch.stack([value, *(other.state_dict()[name] for other in others)]).mean(0))
    return last, header
