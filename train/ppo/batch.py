"""What a rollout leaves for the update, as tensors [L, M, ...]: M chunks of L decisions in a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor


class Batch(NamedTuple):
    """M chunks of L decisions; every agent's row means the same unit throughout a battle."""

    tables: Any
    """`Tables` of tensors [L, M, ...], as the policy saw them."""
    state: Any
    """`StateTables` of tensors [L, M, ...]: the whole state, for the critic."""
    foes: Tensor
    """f4 [L, M, A, 2 G]: the `extremes` of the tables' pairs, for the critic."""
    fresh: Tensor
    """bool [L, M]: the battle's first moment."""
    h: Tensor
    """f4 [M, A, memory]: memories as they stood at the chunk's start in the rollout; `c` likewise."""
    c: Tensor
    verb: Tensor
    """i8 [L, M, A] what was done; `target`, `logp` likewise."""
    target: Tensor
    logp: Tensor
    active: Tensor
    """bool [L, M, A]: alive and with more than one legal verb: counts in the policy's loss."""
    exists: Tensor
    """bool [L, M, A]: takes part in this battle, dead or alive: counts in the critic's loss."""
    value: Tensor
    """f4 [L, M, A]: what the critic said, in returns; `advantage`, `returns` likewise."""
    advantage: Tensor
    returns: Tensor
    teacher_verb: Tensor
    """i8 [L, M, A] the teacher's choice, -1 where there is none or it is not legal; `teacher_target` likewise."""
    teacher_target: Tensor
    teacher_chance: Tensor
    """f4 [L, M, A, V]: how likely the teacher was to choose each verb; zeros where it has none."""


def tree(change: Callable[[Any], Any], value: Any) -> Any:
    """`change` applied to every leaf of nested named tuples."""
    if isinstance(value, tuple):
        return type(value)._make(tree(change, item) for item in value)
    return change(value)


def trees(change: Callable[..., Any], value: Any, *others: Any) -> Any:
    """As `tree`, with the leaves of equally built tuples beside each other; gives plain tuples."""
    if isinstance(value, tuple):
        return tuple(trees(change, *row) for row in zip(value, *others, strict=True))
    return change(value, *others)


def tensors(view: Any, device: torch.device | str = "cpu") -> Any:
    """Tensors over the same memory as a view's arrays, on the device."""
    return tree(lambda array: torch.as_tensor(array).to(device), view)
