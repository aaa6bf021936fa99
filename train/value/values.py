"""Values of joint (verb, target) actions from the policy network's two heads: a verb's value plus its target's."""

from __future__ import annotations

import torch
from torch import Tensor

from bot.micro.choice import Out
from bot.micro.model import ILLEGAL


def best(out: Out) -> tuple[Tensor, Tensor, Tensor]:
    """The best legal action of each agent: verb and target i8 [..., A] (-1 without) and its value f4 [..., A]."""
    target = out.target  # [..., A, T, N]
    height, place = target.max(-1)
    pointed = out.slot >= 0
    rows = out.slot.clamp(min=0)
    add = torch.where(pointed, height[..., rows], torch.zeros_like(out.verb))
    value, verb = torch.where(out.verb <= ILLEGAL, out.verb, out.verb + add).max(-1)
    row = out.slot[verb]
    at = place.gather(-1, row.clamp(min=0)[..., None]).squeeze(-1)
    return verb, torch.where(row >= 0, at, -1), value


def of(out: Out, verb: Tensor, target: Tensor) -> Tensor:
    """Values f4 [..., A] of chosen actions."""
    value = out.verb.gather(-1, verb[..., None]).squeeze(-1)
    aimed = out.target_of(verb).gather(-1, target.clamp(min=0)[..., None]).squeeze(-1)
    return value + torch.where(target >= 0, aimed, torch.zeros_like(aimed))


def explore(verbs: Tensor, targets: Tensor, slot: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Actions drawn evenly from all legal ones, of verbs bool [..., A, V] and their targets bool [..., A, T, N]: a verb
    at another target is another action. Were the verb drawn first, an attack would be as rare as one of eight ways."""
    width = targets.shape[-1]
    once = torch.arange(width) == 0
    at = torch.where(slot[:, None] >= 0, targets[..., slot.clamp(min=0), :], once)
    legal = (verbs[..., None] & at).flatten(-2)
    chosen = torch.where(legal, torch.rand(legal.shape, generator=generator), -1.0).argmax(-1)
    verb, target = chosen // width, chosen % width
    return verb, torch.where(slot[verb] >= 0, target, -1)


def returns(reward: Tensor, after: Tensor, over: Tensor, gamma: float, lam: float) -> Tensor:
    """Lambda returns f4 [L, M] of steps with rewards, team values `after` them and ends; the last step bootstraps."""
    found = torch.empty_like(reward)
    later = after[-1]
    for step in range(len(reward) - 1, -1, -1):
        mixed = (1 - lam) * after[step] + lam * later
        later = reward[step] + gamma * torch.where(over[step], torch.zeros_like(mixed), mixed)
        found[step] = later
    return found
