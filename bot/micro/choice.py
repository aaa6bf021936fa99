"""From the network's logits to decisions, and back to their chances: play, training's draws, and learning from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from bot.micro.model import ILLEGAL, SURE


class Out(NamedTuple):
    """Logits of one decision (illegal ones are -1e10) and the table that finds a verb's row among the targets."""

    verb: Tensor
    """f4 [..., A, V]."""
    query: Tensor
    """f4 [..., A, T, K + P]: what each targeted verb looks for."""
    key: Tensor
    """f4 [..., N, K]."""
    near: Tensor
    """f4 [..., A, N, P]: the relation of agent and entity."""
    legal: Tensor
    """bool [..., A, T, N]."""
    slot: Tensor
    """i8 [V]: a verb's row on axis T, -1 where it has no target."""
    advised: bool = False
    """The last verb is FOLLOW."""

    @property
    def target(self) -> Tensor:
        """f4 [..., A, T, N]: logits of every targeted verb's targets."""
        return points(self.query, self.key, self.near).masked_fill(~self.legal, ILLEGAL)

    def target_of(self, verb: Tensor) -> Tensor:
        """f4 [..., A, N]: target logits of the chosen verbs i8 [..., A]; those of row 0 for verbs without target."""
        row = self.slot[verb].clamp(min=0)[..., None, None]
        query = self.query.gather(-2, row.expand(*row.shape[:-1], self.query.shape[-1]))
        legal = self.legal.gather(-2, row.expand(*row.shape[:-1], self.legal.shape[-1]))
        return points(query, self.key, self.near).masked_fill(~legal, ILLEGAL).squeeze(-2)

    def of(self, agents: Tensor) -> Out:
        """The same for some agents, i8 [k]."""
        verb, near, legal = self.verb[..., agents, :], self.near[..., agents, :, :], self.legal[..., agents, :, :]
        return self._replace(verb=verb, query=self.query[..., agents, :, :], near=near, legal=legal)


def points(query: Tensor, key: Tensor, near: Tensor) -> Tensor:
    """Dot products of queries [..., A, T, K + P] with the entities' keys and with the relations to them, scaled."""
    wide = key.shape[-1]
    flat = query[..., :wide].flatten(-3, -2) @ key.transpose(-1, -2)
    by_key = flat.unflatten(-2, query.shape[-3:-1])
    by_relation = (near @ query[..., wide:].transpose(-1, -2)).transpose(-1, -2)  # its gradient lies as `near`
    return (by_key + by_relation) / math.sqrt(query.shape[-1])


def decide(out: Out, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """What is done in play: verb i8 [..., A] and target i8 [..., A], -1 without. It is the likeliest; but who is
    advised follows where that is likelier than SURE, and else draws among all other verbs: when all did the likeliest,
    trained policies that win half of their fights ran away from each."""
    if not out.advised:
        verb = out.verb.argmax(-1)
        return verb, torch.where(out.slot[verb] >= 0, out.target_of(verb).argmax(-1), -1)
    others, follow = out.verb[..., :-1], out.verb[..., -1]
    sure = follow - torch.logaddexp(follow, others.logsumexp(-1)) > math.log(SURE)
    verb = torch.where(sure, others.shape[-1], (others + _noise(others.shape, others.device, generator)).argmax(-1))
    noise = _noise((*verb.shape, out.key.shape[-2]), others.device, generator)
    points = out.slot[verb] >= 0
    who = points.flatten(0, -2).any(0).nonzero().squeeze(1)  # mostly few: whoever follows has no target of its own
    target = torch.full_like(verb, -1)
    if not len(who):
        return verb, target
    drawn = (out.of(who).target_of(verb[..., who]) + noise[..., who, :]).argmax(-1)
    target[..., who] = torch.where(points[..., who], drawn, -1)
    return verb, target


def sample(out: Out, generator: torch.Generator | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Draw verb i8 [..., A] and target i8 [..., A] (-1 without), with their joint log-probability f4 [..., A]."""
    verb = _pick(out.verb, generator)
    logits = out.target_of(verb)
    target = _pick(logits, generator)
    pointed = out.slot[verb] >= 0
    logp = _logp(out.verb, verb) + _logp(logits, target) * pointed
    return verb, torch.where(pointed, target, -1), logp


def chances(logits: Tensor, choice: Tensor) -> tuple[Tensor, Tensor]:
    """Log-probability f4 [...] of what was chosen among logits [..., n], and their entropy."""
    logs = logits.log_softmax(-1)
    return _take(logs, choice), -(logs.exp() * logs).sum(-1)


def _pick(logits: Tensor, generator: torch.Generator | None) -> Tensor:
    return (logits + _noise(logits.shape, logits.device, generator)).argmax(-1)


def _noise(shape: Sequence[int], device: torch.device, generator: torch.Generator | None) -> Tensor:
    """What, added to logits, makes the greatest of them a draw by their chances."""
    chance = torch.rand(shape, generator=generator, device=device).clamp(min=1e-20)
    return chance.log_().neg_().log_().neg_()


def _logp(logits: Tensor, choice: Tensor) -> Tensor:
    return _take(logits, choice) - logits.logsumexp(-1)


def _take(values: Tensor, index: Tensor) -> Tensor:
    return values.gather(-1, index[..., None]).squeeze(-1)
