"""What was played, as chunks of decisions in a row with the memories that stood at their start."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from train.ppo.batch import tree, trees


class Chunk(NamedTuple):
    """M chunks of L decisions and the moment behind the last one: tensors [L + 1, M, ...] of what was seen."""

    tables: Any
    state: Any
    fresh: Tensor
    """bool [L + 1, M]: a battle's first moment."""
    h: Tensor
    """f4 [M, A, memory]: memories before the first moment; `c` likewise."""
    c: Tensor
    verb: Tensor
    """i8 [L, M, A]; `target` likewise."""
    target: Tensor
    reward: Tensor
    """f4 [L, M]."""
    over: Tensor
    """bool [L, M]: the battle ended with this step."""


class Replay:
    """The newest `room` chunks; old ones give way."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._store: Chunk | None = None
        self._at = self._filled = 0

    def __len__(self) -> int:
        return self._filled

    def add(self, chunk: Chunk) -> None:
        """Keep these chunks."""
        count = chunk.h.shape[0]
        if self._store is None:
            self._store = _map(chunk, lambda t, axis: t.new_zeros(_sized(t.shape, axis, self.room)))
        places = (torch.arange(count) + self._at) % self.room
        for axis, to, what in _leaves(self._store, chunk):
            to.index_copy_(axis, places, what)
        self._at = int((self._at + count) % self.room)
        self._filled = min(self._filled + count, self.room)

    def draw(self, count: int, generator: torch.Generator) -> Chunk:
        """So many chunks by chance."""
        rows = torch.randint(self._filled, (count,), generator=generator)
        return _map(self._store, lambda t, axis: t.index_select(axis, rows))


def _axis(name: str) -> int:
    return 0 if name in ("h", "c") else 1


def _map(chunk: Chunk, change: Any) -> Chunk:
    """`change(tensor, axis of the chunks)` of every tensor."""
    return Chunk(**{name: tree(partial(change, axis=_axis(name)), value) for name, value in chunk._asdict().items()})


def _leaves(to: Chunk, what: Chunk) -> list[tuple[int, Tensor, Tensor]]:
    found: list[tuple[int, Tensor, Tensor]] = []
    for name in Chunk._fields:
        trees(lambda a, b, n=name: found.append((_axis(n), a, b)), getattr(to, name), getattr(what, name))
    return found


def _sized(shape: torch.Size, axis: int, size: int) -> tuple[int, ...]:
    return (*shape[:axis], size, *shape[axis + 1 :])
