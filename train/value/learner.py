"""Q-learning of a team: a network, a mixer, frozen copies of both that give the targets (double Q-learning)."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from bot.micro.network import Actor
from train.ppo.learner import DivergedError
from train.value import values
from train.value.config import Value
from train.value.replay import Chunk


class Learner:
    """What learns; `update` takes one batch of chunks."""

    def __init__(self, actor: Actor, mixer: nn.Module, options: Value) -> None:
        self.actor, self.mixer, self.options = actor, mixer, options
        self.old_actor, self.old_mixer = copy.deepcopy(actor), copy.deepcopy(mixer)
        self.adam = torch.optim.Adam([*actor.parameters(), *mixer.parameters()], options.rate)
        self.updates = 0

    def update(self, chunk: Chunk) -> dict[str, float]:
        """One step. Raises DivergedError before anything is changed by a number that is not finite."""
        error, logs = self._error(chunk)
        loss = nn.functional.smooth_l1_loss(error, torch.zeros_like(error))
        self.adam.zero_grad(set_to_none=True)
        loss.backward()
        parameters = [*self.actor.parameters(), *self.mixer.parameters()]
        norm = nn.utils.clip_grad_norm_(parameters, self.options.gradient)
        if not torch.isfinite(norm) or not torch.isfinite(loss):
            raise DivergedError("the loss or its gradient is not a number")
        self.adam.step()
        self.updates += 1
        if self.updates % self.options.refresh == 0:
            self.old_actor.load_state_dict(self.actor.state_dict())
            self.old_mixer.load_state_dict(self.mixer.state_dict())
        return logs | {"loss": loss.item(), "gradient": float(norm)}

    def _error(self, chunk: Chunk) -> tuple[Tensor, dict[str, float]]:
        """Difference f4 [L, M] of the team's values and their targets."""
        out = self.actor.sequence(chunk.tables, (chunk.h, chunk.c), chunk.fresh)
        alive = chunk.tables.alive
        with torch.no_grad():
            verb, target, _ = values.best(out)
            old = self.old_actor.sequence(chunk.tables, (chunk.h, chunk.c), chunk.fresh)
            next_value = self._team(self.old_mixer, values.of(old, verb, target), chunk, alive)[1:]
            reward = chunk.reward * self.options.scale
            wanted = values.returns(reward, next_value, chunk.over, self.options.gamma, self.options.lam)
        played = values.of(out, _with_last(chunk.verb, 0), _with_last(chunk.target, -1))
        said = self._team(self.mixer, played, chunk, alive)[:-1]
        return said - wanted, {"value": said.mean().item(), "target": wanted.mean().item()}

    @staticmethod
    def _team(mixer: nn.Module, value: Tensor, chunk: Chunk, alive: Tensor) -> Tensor:
        return mixer(value, chunk.state.entities, chunk.state.present, alive.to(value.dtype))


def _with_last(choice: Tensor, what: int) -> Tensor:
    """Choices i8 [L, ...] with one for the moment behind them, so that the network's output need not be cut."""
    return torch.cat((choice, torch.full_like(choice[:1], what)))
