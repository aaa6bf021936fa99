"""Advantages and returns."""

from __future__ import annotations

import torch
from torch import Tensor


def gae(reward: Tensor, value: Tensor, after: Tensor, ended: Tensor, gamma: float, lam: float) -> tuple[Tensor, Tensor]:
    """Generalised advantage estimates and returns f4 [T, B, A].

    reward f4 [T, B, A], or [T, B, 1] where all share it, and `ended` bool [T, B] of a step; `value` f4 [T, B, A] of the
    moment before it and `after` of the moment it led to in the same battle: 0 where it was decided, an estimate where
    it goes on or ran out of time.
    Nothing flows back over the end of a battle.
    """
    delta = reward + gamma * after - value
    keep = gamma * lam * (~ended).to(value.dtype)[..., None]
    advantage = torch.empty_like(value)
    later = torch.zeros_like(value[0])
    for step in range(len(value) - 1, -1, -1):
        later = delta[step] + keep[step] * later
        advantage[step] = later
    return advantage, advantage + value


def values_after(value: Tensor, last: Tensor, done: Tensor, timeout: Tensor, bootstrap: bool) -> Tensor:
    """What each step led to, f4 [T, B, A]: the next moment's value; 0 after an end.

    The moment in which a battle ran out of time is not seen (a new battle stands in its place), so with `bootstrap` the
    value of the moment before it stands in; without, running out of time is an end like others.
    """
    after = torch.cat((value[1:], last[None]))
    over = done | timeout
    after = torch.where(over[..., None], torch.zeros_like(after), after)
    return torch.where(timeout[..., None], value, after) if bootstrap else after
