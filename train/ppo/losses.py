"""The losses of one minibatch. All are sums over samples; the caller divides by the number of samples everywhere."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class PolicyLoss(NamedTuple):
    """Sums over active samples."""

    loss: Tensor
    entropy: Tensor
    kl: Tensor
    """Estimate of the divergence from the policy that played (no gradient)."""
    clipped: Tensor
    """Samples whose ratio left the clip range."""


def policy_loss(
    logp: Tensor, entropy: Tensor, old: Tensor, advantage: Tensor, active: Tensor, clip: float
) -> PolicyLoss:
    """Clipped surrogate; all f4 [..., A], `active` bool: living agents that had a choice."""
    step = torch.where(active, logp - old, 0.0)
    ratio = step.exp()
    gain = torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage)
    weight = active.to(logp.dtype)
    with torch.no_grad():
        kl = ((ratio - 1 - step) * weight).sum()
        clipped = (((ratio - 1).abs() > clip) * weight).sum()
    return PolicyLoss(-(gain * weight).sum(), (entropy * weight).sum(), kl, clipped)


def value_loss(value: Tensor, old: Tensor, target: Tensor, exists: Tensor, clip: float, delta: float) -> Tensor:
    """Huber loss of normalised values f4 [..., A] against returns, the worse of clipped and plain, over `exists`."""
    near = old + (value - old).clamp(-clip, clip)
    plain, bounded = huber(value - target, delta), huber(near - target, delta)
    return (torch.maximum(plain, bounded) * exists).sum()


def huber(error: Tensor, delta: float) -> Tensor:
    """Quadratic within `delta`, linear beyond."""
    size = error.abs()
    return torch.where(size <= delta, 0.5 * error * error, delta * (size - 0.5 * delta))
