"""Several processes that train one network: PyTorch's own process group, as `torchrun` sets it up."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import torch
import torch.distributed as dist
from torch import Tensor

from train.errors import TrainError


def rank() -> int:
    """This process's number, 0 when alone."""
    return dist.get_rank() if dist.is_initialized() else 0


def size() -> int:
    """How many processes train together."""
    return dist.get_world_size() if dist.is_initialized() else 1


def add(values: Tensor) -> Tensor:
    """The sum over all processes, in place."""
    if dist.is_initialized():
        dist.all_reduce(values)
    return values


def device_of(asked: str) -> torch.device:
    """The device of this process for "auto", "cpu" or "cuda": a card of its own by LOCAL_RANK. Where the machine's
    processes outnumber its cards, "auto" means the CPU, which plays most of a step anyway (docs/training.md).

    Raises:
        TrainError: "cuda" where there is no card, or too few.
    """
    cards = torch.cuda.device_count() if torch.cuda.is_available() else 0
    processes = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    if asked == "cuda" and not cards:
        raise TrainError("--device cuda: PyTorch finds no CUDA card here")
    if asked == "cuda" and processes > cards:
        raise TrainError(f"--device cuda: {processes} processes, but {cards} card(s) here; each needs its own")
    if asked == "cpu" or not cards or processes > cards:
        return torch.device("cpu")
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))


@contextlib.contextmanager
def group(device: str) -> Iterator[torch.device]:
    """The device to train on, inside the process group that `torchrun` announces (none when it did not start us).

    Raises TrainError, see `device_of`.
    """
    chosen = device_of(device)
    cuda = chosen.type == "cuda"
    if cuda:
        torch.cuda.set_device(chosen)
    if int(os.environ.get("WORLD_SIZE", "1")) < 2:
        yield chosen
        return
    dist.init_process_group("nccl" if cuda else "gloo")
    try:
        yield chosen
    finally:
        dist.destroy_process_group()
