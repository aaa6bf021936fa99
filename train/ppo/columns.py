"""The memory's way through time in an update: one column for every agent that lives at some time in its chunk."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from train.ppo.blocks import Piece


class Columns(NamedTuple):
    """The agents of a minibatch that live at some time in their chunk, C in all, for the memory's way through time."""

    rows: list[Tensor]
    """i8 [b * A'] of each block: where its agents stand in [L * C], or L * C: nowhere."""
    memory: tuple[Tensor, Tensor]
    """f4 [C, memory]: (h, c) before the chunk."""
    keep: Tensor
    """bool [L, C]: not the battle's first moment."""
    alive: Tensor
    """bool [L, C]."""

    def through_time(self, seen: Tensor) -> Tensor:
        """What the agents of all blocks saw f4 [S, w] as [L, C, w]; zeros where an agent is dead."""
        source = seen.new_full((self.alive.numel() + 1,), len(seen), dtype=torch.long)
        rows = torch.cat(self.rows)
        source[rows] = torch.arange(len(rows), device=rows.device)
        return padded(seen).index_select(0, source[:-1]).view(*self.alive.shape, -1)

    def back(self, h: Tensor) -> Tensor:
        """f4 [L, C, ...] as the agents of all blocks stand, [S, ...]."""
        return padded(h.flatten(0, 1)).index_select(0, torch.cat(self.rows))


def padded(rows: Tensor) -> Tensor:
    """With a row of zeros at the end."""
    return torch.cat((rows, rows.new_zeros(1, rows.shape[1])))


def columns(pieces: list[Piece]) -> Columns:
    """The columns of a minibatch's pieces."""
    found, start = [], 0
    for batch, chunks, _ in pieces:
        alive = batch.tables.alive.index_select(1, chunks)
        of, agent = alive.any(0).nonzero().unbind(1)
        chunk = chunks[of]
        number = torch.full(batch.h.shape[:2], -1, device=chunk.device)
        number[chunk, agent] = torch.arange(start, start + len(chunk), device=chunk.device)
        start += len(chunk)
        memory = batch.h[chunk, agent], batch.c[chunk, agent]
        found.append((number, *memory, ~batch.fresh[:, chunk], alive[:, of, agent]))
    numbers, h, c, keep, alive = zip(*found, strict=True)
    rows = []
    for number, (batch, _, blocks) in zip(numbers, pieces, strict=True):
        count, agents = number.shape
        for block in blocks:
            moment, agent = block.agents // agents, block.agents % agents
            column = number[moment % count, agent]
            rows.append(torch.where(column < 0, len(batch.fresh) * start, moment // count * start + column).flatten())
    return Columns(rows, (torch.cat(h), torch.cat(c)), torch.cat(keep, 1), torch.cat(alive, 1))
