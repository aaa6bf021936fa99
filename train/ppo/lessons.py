"""What a teacher says of a moment, as the learner can take it: legal for the policy and in the view it is shown."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from bot.micro.skills import FOLLOW
from train.ppo.symmetry import Symmetry


class Lesson(NamedTuple):
    """One moment's, of all agents."""

    verb: Tensor
    """i8 [B, A]: what the teacher chose, -1 where there is nothing to learn."""
    target: Tensor
    """i8 [B, A], -1 without one."""
    chance: Tensor
    """f4 [B, A, V]: how likely it was to choose each verb, zeros where there is nothing to learn."""


def nothing(verb: Tensor, verbs: int) -> Lesson:
    """No lesson for agents with verbs i8 [B, A]."""
    none = torch.full_like(verb, -1)
    return Lesson(none, none, torch.zeros(*verb.shape, verbs, device=verb.device))


def heard(said: Any, tables: Any, slot: Tensor, shown: tuple[Symmetry, Tensor] | None = None) -> Lesson:
    """The lesson in what an environment's teacher `said`; `slot` is the actor's, `shown` the view i8 [B] of the tables
    and what turns it. What is not legal for the policy is no lesson."""
    verb, target = (torch.as_tensor(value, dtype=torch.long, device=slot.device) for value in said[:2])
    if said.chance is None:
        chance = one_hot(verb, tables.verbs.shape[-1])
    else:
        chance = torch.as_tensor(said.chance, device=slot.device)
    if shown:
        symmetry, view = shown
        verb = symmetry.shown(verb, view)
        symmetry.turn_verbs(chance, view)
    legal = (verb >= 0) & tables.verbs.gather(-1, verb.clamp(min=0)[..., None]).squeeze(-1)
    row = slot[verb.clamp(min=0)]
    rows = row.clamp(min=0)[..., None, None].expand(*row.shape, 1, tables.targets.shape[-1])
    aim = tables.targets.gather(-2, rows).squeeze(-2).gather(-1, target.clamp(min=0)[..., None]).squeeze(-1)
    legal &= (row < 0) | (aim & (target >= 0))
    return Lesson(torch.where(legal, verb, -1), torch.where(legal & (row >= 0), target, -1), chance * legal[..., None])


def followed(lesson: Lesson, tables: Any, share: float, generator: torch.Generator) -> Lesson:
    """The same, with a share of the lessons that say FOLLOW instead, where that is legal."""
    drawn = torch.rand(lesson.verb.shape, generator=generator, device=lesson.verb.device) < share
    drawn &= tables.verbs[..., FOLLOW]
    verb, target = torch.where(drawn, FOLLOW, lesson.verb), torch.where(drawn, -1, lesson.target)
    return Lesson(verb, target, torch.where(drawn[..., None], one_hot(verb, lesson.chance.shape[-1]), lesson.chance))


def one_hot(verb: Tensor, count: int) -> Tensor:
    """f4 [..., count]: 1 for the verb i8 [...], zeros for -1."""
    return (verb[..., None] == torch.arange(count, device=verb.device)).float()
