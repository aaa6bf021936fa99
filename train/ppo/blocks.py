"""Moments of a batch laid out anew for the update: in blocks of nearly one size, without rows for who is not there.

Battles lose units, and small ones stand beside large ones: four fifths of what an agent could be related to are empty.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from train.ppo.batch import Batch, tree

MOMENTS = 48  # in a block, at least: smaller ones cost more in calls than they save in rows


class Order(NamedTuple):
    """Who stands where in a moment, i8 [L, M, ...]: those who are there first."""

    agents: Tensor
    """[L, M, A]: rows of the agents, the living first; `rank` is the way back."""
    rank: Tensor
    others: Tensor
    """[L, M, N - A]: rows (from A on) of the entities that the agents know; `hidden` those of the whole state."""
    hidden: Tensor
    sizes: Tensor
    """[L, M, 3]: living agents, others, others of the whole state."""


class Block(NamedTuple):
    """b moments with A' agents (one more than live, where there are so many) and N' entities; names as in `Batch`."""

    tables: Any
    """`Tables` [b, ...]; rows 0..A'-1 of the entities are its agents."""
    state: Any
    """`StateTables` [b, ...], with rows of its own behind the agents."""
    agents: Tensor
    """i8 [b, A']: rows of the batch's agents [L, M, A] laid flat; they order all that follows, up to `rank`."""
    foes: Tensor
    verb: Tensor
    target: Tensor
    logp: Tensor
    advantage: Tensor
    active: Tensor
    teacher_verb: Tensor
    teacher_target: Tensor
    rank: Tensor
    """i8 [b, A]: where each of the batch's agents stands here; the dead at the last place, where a dead one is."""
    value: Tensor
    """f4 [b, A], as `returns` and `exists`: of the dead too."""
    returns: Tensor
    exists: Tensor


class Piece(NamedTuple):
    """One lane's part of a minibatch."""

    batch: Batch
    chunks: Tensor
    """i8 [m]: its chunks."""
    blocks: list[Block]
    """Their moments."""


def order_of(batch: Batch) -> Order:
    """The order of a batch's moments."""
    alive = batch.tables.alive
    known, all_there = (there[..., alive.shape[-1] :] for there in (batch.tables.present, batch.state.present))
    agents = first(alive)
    sizes = torch.stack([there.sum(-1) for there in (alive, known, all_there)], -1)
    return Order(agents, agents.argsort(-1), first(known), first(all_there), sizes)


def first(there: Tensor) -> Tensor:
    """i8 [..., n]: the rows of bool [..., n], those that are there before the others."""
    return (~there).to(torch.uint8).argsort(dim=-1, stable=True)


def piece_of(batch: Batch, order: Order, chunks: Tensor) -> Piece:
    """These chunks i8 [m], their moments in blocks: the smallest battles first."""
    length, count = batch.fresh.shape
    moments = (torch.arange(length, device=chunks.device)[:, None] * count + chunks).flatten()
    sizes = order.sizes.flatten(0, 1)[moments]
    work = (sizes[:, 0] + 1) * (sizes[:, 0] + sizes[:, 1] + 1)
    parts = moments[work.argsort()].tensor_split(max(len(moments) // MOMENTS, 1))
    return Piece(batch, chunks, [_block(batch, order, part) for part in parts])


def _block(batch: Batch, order: Order, moment: Tensor) -> Block:
    tables = batch.tables
    a, n = tables.pairs.shape[-3:-1]
    living, known, hidden = order.sizes.flatten(0, 1)[moment].amax(0).tolist()
    wide = min(living + 1, a)
    first_agents = order.agents.flatten(0, 1)[moment, :wide]
    agents = moment[:, None] * a + first_agents

    def entities(others: Tensor, most: int) -> Tensor:
        return torch.cat((first_agents, others.flatten(0, 1)[moment, : max(most, 1)] + a), -1)

    rows = entities(order.others, known)
    by_entity, by_pair = moment[:, None] * n + rows, agents[..., None] * n + rows[:, None, :]
    by_state = moment[:, None] * n + entities(order.hidden, hidden)
    place = torch.zeros(len(moment), n, dtype=torch.long, device=rows.device)
    place.scatter_(1, rows, torch.arange(rows.shape[1], device=rows.device).expand_as(rows))

    def aim(target: Tensor) -> Tensor:
        given = picked(target, agents, 3)
        return torch.where(given >= 0, place.gather(1, given.clamp(min=0)), -1)

    targets = picked(tables.targets, agents, 3)
    mine = ("foes", "verb", "logp", "advantage", "active", "teacher_verb")
    return Block(
        tables=tables._replace(
            entities=picked(tables.entities, by_entity, 3),
            pairs=picked(tables.pairs, by_pair, 4),
            present=picked(tables.present, by_entity, 3),
            attends=picked(tables.attends, by_pair, 4),
            alive=picked(tables.alive, agents, 3),
            verbs=picked(tables.verbs, agents, 3),
            targets=targets.gather(-1, rows[:, None, None, :].expand(*targets.shape[:-1], -1)),
        ),
        state=tree(lambda stored: picked(stored, by_state, 3), batch.state),
        agents=agents,
        **{name: picked(getattr(batch, name), agents, 3) for name in mine},
        target=aim(batch.target),
        teacher_target=aim(batch.teacher_target),
        rank=picked(order.rank, moment, 2).clamp(max=wide - 1),
        **{name: picked(getattr(batch, name), moment, 2) for name in ("value", "returns", "exists")},
    )


def picked(stored: Tensor, rows: Tensor, axes: int) -> Tensor:
    """Rows [...] of the first `axes` axes of a stored tensor, laid flat."""
    flat = stored.flatten(0, axes - 1)
    return flat.index_select(0, rows.flatten()).view(*rows.shape, *flat.shape[1:])
