"""A rollout without the room for who is not there: the rows of all lanes laid flat, one moment after the other.

Battles lose units, and small ones stand beside large ones: of what the lanes hold for agents and their relations, three
quarters are empty. Every table ends with a row of zeros, which stands for nobody.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from train.ppo.batch import Batch

DEAD = 1 << 32  # rank of the dead: behind the living
PADDED = ("agents", "entities", "state", "pairs", "members", "first_pair")  # with a row for nobody


class Agents(NamedTuple):
    """What living agents had and did, R + 1 rows; names as in `Batch`."""

    verbs: Tensor
    """bool [R + 1, V]."""
    foes: Tensor
    logp: Tensor
    advantage: Tensor
    active: Tensor
    chosen: Tensor
    """i8 [R + 1, 2]: the agent's verb and its twin's, -1 without one."""
    target: Tensor
    """i8 [R + 1, 2]: their targets' places among the moment's entities, -1 without one."""
    chance: Tensor
    """f4 [R + 1, V]: how likely the twin was to choose each verb."""


class Pairs(NamedTuple):
    """Relations of living agents to the entities of their moment, Q + 1 rows: agent after agent."""

    values: Tensor
    """f4 [Q + 1, G]."""
    attends: Tensor
    """bool [Q + 1]."""
    legal: Tensor
    """bool [Q + 1, 2]: the entity is a legal target of the agent's verb; of its twin's."""


class Members(NamedTuple):
    """Agents that take part in their battle, dead or alive, X + 1 rows."""

    value: Tensor
    returns: Tensor
    rank: Tensor
    """i8: place among the moment's living agents, DEAD without one."""
    exists: Tensor
    """bool: false in the last row alone."""


class Columns(NamedTuple):
    """Agents that live at some time in their chunk, C rows: the memory's way through time."""

    chunk: Tensor
    """i8 [C]."""
    h: Tensor
    """f4 [C, memory]: before the chunk; `c` likewise."""
    c: Tensor
    rows: Tensor
    """i8 [C, L]: the agent's row in `Agents` at each moment, R while it is dead."""
    keep: Tensor
    """bool [C, L]: not the battle's first moment."""


class Counts(NamedTuple):
    """Which rows of a table each of G moments has, i8 [G]."""

    first: Tensor
    count: Tensor


class Packed(NamedTuple):
    """All lanes' moments. Of entities, and of those of the whole state, our living agents stand first."""

    agents: Agents
    entities: Tensor
    """f4 [E + 1, F]."""
    state: Tensor
    """f4 [E' + 1, F]."""
    pairs: Pairs
    members: Members
    columns: Columns
    of_agents: Counts
    of_entities: Counts
    of_state: Counts
    of_members: Counts
    first_pair: Tensor
    """i8 [R + 1]: each agent's first row in `pairs`."""
    moments: Tensor
    """i8 [chunks, L]: the moments of each chunk."""


def pack(batches: list[Batch], slot: Tensor) -> Packed:
    """The batches of all lanes; their chunks are numbered lane after lane. `slot` is the actor's."""
    lanes, chunks, moments, agents = [], 0, 0, 0
    for batch in batches:
        lane = _lane(batch, slot)
        columns, rows = lane.columns, lane.columns.rows
        columns = columns._replace(chunk=columns.chunk + chunks, rows=torch.where(rows < 0, rows, rows + agents))
        lanes.append(lane._replace(columns=columns, moments=lane.moments + moments))
        chunks, moments, agents = chunks + len(batch.h), moments + batch.fresh.numel(), agents + len(lane.first_pair)
    tables = zip(Packed._fields, zip(*lanes, strict=True), strict=True)
    whole = Packed(*(joined(list(parts), name in PADDED) for name, parts in tables))
    of = {name: Counts(before(c.count), c.count) for name, c in whole._asdict().items() if isinstance(c, Counts)}
    rows = torch.where(whole.columns.rows < 0, agents, whole.columns.rows)
    first_pair = before(whole.first_pair)
    return whole._replace(**of, columns=whole.columns._replace(rows=rows), first_pair=first_pair)


def _lane(batch: Batch, slot: Tensor) -> Packed:
    """One lane's rows, without those of nobody; `first_pair` and the counts' `first` say how many instead of which."""
    tables = batch.tables
    (length, count), (a, n) = batch.fresh.shape, tables.pairs.shape[-3:-1]
    alive, there = tables.alive.flatten(0, 1), tables.present.flatten(0, 1)
    whole = torch.cat((alive, batch.state.present.flatten(0, 1)[:, a:]), 1)
    exists, place = batch.exists.flatten(0, 1), there.cumsum(1) - 1
    moment, agent = alive.nonzero().unbind(1)
    row = moment * a + agent
    of, other = there[moment].nonzero().unbind(1)
    chosen, target = (
        torch.stack([picked(one, row, 3) for one in both], 1)
        for both in ((batch.verb, batch.teacher_verb), (batch.target, batch.teacher_target))
    )
    masks = picked(tables.targets, row, 3)
    legal = masks.gather(1, slot[chosen.clamp(min=0)].clamp(min=0)[..., None].expand(-1, -1, n))
    pair = row[of] * n + other
    chunk, mine = tables.alive.any(0).nonzero().unbind(1)
    number = torch.full((length, count, a), -1, device=row.device)
    number.view(-1)[row] = torch.arange(len(row), device=row.device)
    member = exists.flatten().nonzero().squeeze(1)
    return Packed(
        agents=Agents(
            picked(tables.verbs, row, 3),
            *(picked(one, row, 3) for one in (batch.foes, batch.logp, batch.advantage, batch.active)),
            chosen=chosen,
            target=torch.where(target >= 0, place[moment[:, None], target.clamp(min=0)], -1),
            chance=picked(batch.teacher_chance, row, 3),
        ),
        entities=picked(tables.entities, there.flatten().nonzero().squeeze(1), 3),
        state=picked(batch.state.entities, whole.flatten().nonzero().squeeze(1), 3),
        pairs=Pairs(picked(tables.pairs, pair, 4), picked(tables.attends, pair, 4), legal[of, :, other]),
        members=Members(
            picked(batch.value, member, 3),
            picked(batch.returns, member, 3),
            torch.where(alive, alive.cumsum(1) - 1, DEAD).flatten()[member],
            torch.ones_like(member, dtype=torch.bool),
        ),
        columns=Columns(
            chunk, batch.h[chunk, mine], batch.c[chunk, mine], number[:, chunk, mine].T, ~batch.fresh[:, chunk].T
        ),
        **{
            name: Counts(table.sum(1), table.sum(1))
            for name, table in (
                ("of_agents", alive),
                ("of_entities", there),
                ("of_state", whole),
                ("of_members", exists),
            )
        },
        first_pair=there.sum(1)[moment],
        moments=torch.arange(length * count, device=row.device).view(length, count).T,
    )


def joined(parts: list, nobody: bool) -> Any:
    """Equally built named tuples of tensors as one, row after row, with a row of zeros at the end if `nobody`."""
    if isinstance(parts[0], Tensor):
        return torch.cat([*parts, parts[0].new_zeros(int(nobody), *parts[0].shape[1:])])
    return type(parts[0])._make(joined(list(column), nobody) for column in zip(*parts, strict=True))


def padded(rows: Tensor) -> Tensor:
    """With a row of zeros at the end."""
    return torch.cat((rows, rows.new_zeros(1, *rows.shape[1:])))


def before(counts: Tensor) -> Tensor:
    """How many come before each."""
    return counts.cumsum(0) - counts


def picked(stored: Tensor, rows: Tensor, axes: int = 1) -> Tensor:
    """Rows i8 [...] of the first `axes` axes of a stored tensor, laid flat."""
    flat = stored.flatten(0, axes - 1)
    return flat.index_select(0, rows.flatten()).view(*rows.shape, *flat.shape[1:])
