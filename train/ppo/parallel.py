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


@contextlib.contextmanager
def group(device: str) -> Iterator[torch.device]:
    """The device to train on, inside the process group that `torchrun` announces (none when it did not start us).

    `device` is "auto", "cpu" or "cuda"; several processes share out the machine's cards by LOCAL_RANK.

    Raises:
        TrainError: "cuda" where there is no card.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise TrainError("--device cuda: PyTorch finds no CUDA card here")
    cuda = device == "cuda" or (device == "auto" and torch.cuda.is_available())
    chosen = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if cuda else torch.device("cpu")
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
