"""Random tables for tests of the network: any numbers of units, with dead ones and hidden ones; and what its logits say
of decisions."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from bot.micro.choice import Out, chances
from bot.micro.model import ActorConfig

CONFIG = ActorConfig(features=9, pairs=5, verbs=7, targeted=(2, 5))


class Tables(NamedTuple):
    entities: Tensor
    pairs: Tensor
    present: Tensor
    attends: Tensor
    alive: Tensor
    verbs: Tensor
    targets: Tensor


def random_tables(*lead: int, agents: int = 4, foes: int = 5, seed: int = 0, config: ActorConfig = CONFIG) -> Tables:
    """Tables [*lead, ...] in which some units are dead, some entities unseen and some verbs and targets illegal."""
    g = torch.Generator().manual_seed(seed)
    n = agents + foes

    def chance(*shape: int, p: float = 0.8) -> Tensor:
        return torch.rand(*lead, *shape, generator=g) < p

    present = chance(n)
    alive = present[..., :agents]
    entities = torch.randn(*lead, n, config.features, generator=g) * present[..., None]
    pairs = torch.randn(*lead, agents, n, config.pairs, generator=g)
    myself = torch.eye(agents, n, dtype=torch.bool)
    attends = alive[..., None] & present[..., None, :] & (chance(agents, n) | myself)
    targets = chance(agents, len(config.targeted), n, p=0.5) & attends[..., None, :]
    verbs = chance(agents, config.verbs, p=0.6) & alive[..., None]
    for row, verb in enumerate(config.targeted):
        verbs[..., verb] &= targets[..., row, :].any(-1)
    verbs[..., 0] = True
    return Tables(entities, pairs * attends[..., None], present, attends, alive, verbs, targets)


def pad(tables: Tables, agents: int, foes: int) -> Tables:
    """The same moment in larger arrays: rows of nobody after the own units and after the enemies."""
    old = tables.alive.shape[-1]
    n = tables.present.shape[-1]
    rows = [*range(old), *range(old + agents, n + agents)]

    def wide(value: Tensor, dim: int, size: int, where: list[int]) -> Tensor:
        shape = list(value.shape)
        shape[dim] = size
        return value.new_zeros(shape).index_copy_(dim, torch.tensor(where), value)

    size = n + agents + foes
    own = list(range(old))
    verbs = wide(tables.verbs, -2, old + agents, own)
    verbs[..., 0] = True
    return Tables(
        wide(tables.entities, -2, size, rows),
        wide(wide(tables.pairs, -2, size, rows), -3, old + agents, own),
        wide(tables.present, -1, size, rows),
        wide(wide(tables.attends, -1, size, rows), -2, old + agents, own),
        wide(tables.alive, -1, old + agents, own),
        verbs,
        wide(wide(tables.targets, -1, size, rows), -3, old + agents, own),
    )


def permute(tables: Tables, own: Tensor, foes: Tensor) -> Tables:
    """The same moment with own units and enemies in another order."""
    agents = len(own)
    order = torch.cat((own, foes + agents))
    return Tables(
        tables.entities[..., order, :],
        tables.pairs[..., own, :, :][..., order, :],
        tables.present[..., order],
        tables.attends[..., own, :][..., order],
        tables.alive[..., own],
        tables.verbs[..., own, :],
        tables.targets[..., own, :, :][..., order],
    )


def said(out: Out, verb: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Log-probability and entropy f4 [..., A] of actions that were chosen. The entropy is that of the verbs plus that
    of the chosen verb's targets: an unbiased sample of the joint entropy. What the learner does block by block must
    come to this."""
    logp, entropy = chances(out.verb, verb)
    aimed, spread = chances(out.target_of(verb), target.clamp(min=0))
    pointed = (target >= 0).to(logp.dtype)
    return logp + aimed * pointed, entropy + spread * pointed
