"""A minibatch as the networks take it: blocks of moments of nearly one size, whatever lanes they come from."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from train.ppo.batch import tree
from train.ppo.packed import Agents, Columns, Counts, Members, Packed, picked


class Shown(NamedTuple):
    """What the actor looks at: columns of `Tables` for b moments with A' agents and N' entities, the first of which are
    the agents and an empty row (which belongs to all dead agents)."""

    entities: Tensor
    pairs: Tensor
    attends: Tensor
    alive: Tensor


class Judged(NamedTuple):
    """What the critic looks at, names as its arguments; the last of its A' + 1 agents is dead."""

    entities: Tensor
    present: Tensor
    alive: Tensor
    foes: Tensor


class Block(NamedTuple):
    """Moments of nearly one size."""

    rows: Tensor
    """i8 [b, A']: its agents in `Packed.agents`."""
    shown: Shown
    legal: Tensor
    """bool [b, A', 2, N']: targets of the agent's verb, and of its twin's."""
    target: Tensor
    """i8 [b, A', 2]: those that were chosen, -1 without."""
    judged: Judged
    members: Members
    """Of [b, X]; the ranks of the dead are A'."""


class Minibatch(NamedTuple):
    """Some chunks of all lanes."""

    blocks: list[Block]
    agents: Agents
    """Of the blocks' agents, one after the other, S in all."""
    columns: Columns
    """Of the chunks' agents, C in all; `rows` and `keep` are [L, C], and rows places among the S, S for the dead."""
    back: Tensor
    """i8 [S]: places in [L * C], the last row behind them for nobody."""


def minibatch(packed: Packed, chunks: Tensor, local: bool, least: int) -> Minibatch:
    """These chunks; `local`: the critic sees what its agent sees; `least` moments in a block, where there are so many:
    smaller ones cost more in calls than they save in rows."""
    moments = packed.moments[chunks].flatten()
    blocks = [_block(packed, part, local) for part in _alike(packed, moments, least)]
    rows = torch.cat([block.rows.flatten() for block in blocks])
    asked = torch.zeros(len(packed.moments), dtype=torch.bool, device=rows.device)
    asked[chunks] = True
    mine = asked[packed.columns.chunk].nonzero().squeeze(1)
    columns = tree(lambda column: picked(column, mine), packed.columns)
    columns = columns._replace(rows=columns.rows.T, keep=columns.keep.T)
    nobody = len(packed.first_pair) - 1
    return Minibatch(
        blocks,
        tree(lambda column: picked(column, rows), packed.agents),
        columns._replace(rows=_where(rows, nobody)[columns.rows]),
        _where(columns.rows.flatten(), nobody)[rows],
    )


def _alike(packed: Packed, moments: Tensor, least: int) -> list[Tensor]:
    """The moments in parts of nearly one size: by their agents, and those of each part by their others."""
    agents, entities = packed.of_agents.count, packed.of_entities.count
    side = max(round((len(moments) / least) ** 0.5), 1)
    parts = moments[agents[moments].argsort()].tensor_split(side)
    return [
        some for part in parts for some in part[(entities - agents)[part].argsort()].tensor_split(side) if len(some)
    ]


def _where(rows: Tensor, nobody: int) -> Tensor:
    """i8 [nobody + 1]: the place of each number below `nobody` among the rows, len(rows) where it is not."""
    places = torch.full((nobody + 1,), len(rows), device=rows.device)
    places[rows] = torch.arange(len(rows), device=rows.device)
    places[nobody] = len(rows)
    return places


def _block(packed: Packed, moments: Tensor, local: bool) -> Block:
    nobody, end = len(packed.first_pair) - 1, len(packed.entities) - 1
    living = packed.of_agents.count[moments][:, None]
    agents = _places(packed.of_agents, moments, nobody)
    wide = torch.nn.functional.pad(agents, (0, 1), value=nobody)
    own = torch.arange(wide.shape[1], device=moments.device)

    def entities_of(counts: Counts, nothing: int) -> Tensor:
        first = counts.first[moments][:, None]
        return torch.cat(
            (torch.where(own < living, first + own, nothing), _places(counts, moments, nothing, living)), 1
        )

    entities = entities_of(packed.of_entities, end)
    place = entities - packed.of_entities.first[moments][:, None]
    related = (wide < nobody)[..., None] & (entities < end)[:, None, :]
    pairs = torch.where(related, packed.first_pair[wide][..., None] + place[:, None, :], len(packed.pairs.attends) - 1)
    seen, attends = pairs[:, :-1], picked(packed.pairs.attends, pairs)
    target = picked(packed.agents.target, agents)
    shown = Shown(
        picked(packed.entities, entities), picked(packed.pairs.values, seen), attends[:, :-1], agents < nobody
    )
    whole = entities_of(packed.of_state, len(packed.state) - 1)
    foes = picked(packed.agents.foes, wide)
    if local:
        judged = Judged(shown.entities, attends, wide < nobody, foes)
    else:
        judged = Judged(picked(packed.state, whole), whole < len(packed.state) - 1, wide < nobody, foes)
    members = tree(
        lambda column: picked(column, _places(packed.of_members, moments, len(packed.members.rank) - 1)), packed.members
    )
    return Block(
        agents,
        shown,
        picked(packed.pairs.legal, seen).transpose(-1, -2),
        torch.where(target >= living[..., None], target - living[..., None] + len(own), target),
        judged,
        members._replace(rank=members.rank.clamp(max=agents.shape[1])),
    )


def _places(counts: Counts, moments: Tensor, nobody: int, start: Tensor | int = 0) -> Tensor:
    """Rows i8 [b, n] of moments i8 [b] from the `start`-th (i8 [b, 1]) on, as many as any of them has and at least one;
    `nobody` where a moment has fewer."""
    left = counts.count[moments][:, None] - start
    k = torch.arange(max(int(left.max()), 1), device=moments.device)
    return torch.where(k < left, counts.first[moments][:, None] + start + k, nobody)
