"""Actor and critic with their optimisers, and one update from the batches of a rollout."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from bot.micro.network import Actor, Out, evaluate
from train.ppo import parallel
from train.ppo.batch import Batch
from train.ppo.blocks import Block, Piece, order_of, piece_of
from train.ppo.columns import columns
from train.ppo.config import Ppo
from train.ppo.critic import Critic, ValueNorm
from train.ppo.losses import policy_loss, value_loss

ADAM_EPS = 1e-5
RATE_END = 0.1  # of the rates, at the end of a run that anneals them


class DivergedError(RuntimeError):
    """A loss or a gradient stopped being a number."""


class Learner:
    """What learns. `progress` 0..1 of the run sets the schedules."""

    def __init__(self, actor: Actor, critic: Critic, ppo: Ppo) -> None:
        self.actor, self.critic, self.ppo = actor, critic, ppo
        self.norm = ValueNorm()
        self.actor_adam = torch.optim.Adam(actor.parameters(), ppo.rate, eps=ADAM_EPS)
        self.critic_adam = torch.optim.Adam(critic.parameters(), ppo.critic_rate, eps=ADAM_EPS)

    def values(self, tables: object, state: object, foes: Tensor) -> Tensor:
        """The critic's normalised values [..., A]; `foes` are the `extremes` of the tables' pairs."""
        if self.critic.config.local:
            return self.critic(tables.entities, tables.attends, tables.alive, foes)
        return self.critic(state.entities, state.present, tables.alive, foes)

    def update(
        self,
        batches: list[Batch],
        generator: torch.Generator,
        *,
        progress: float = 0.0,
        policy: float = 1.0,
        teacher: float = 0.0,
    ) -> dict[str, float]:
        """Learn from the batches of all lanes; weights of PPO's loss and of the twin's choices. Returns what to log.

        Every lane is cut into the same number of minibatches, and the n-th of all lanes and processes make one step.
        Raises DivergedError before anything is changed by a number that is not finite.
        """
        ppo = self.ppo
        self._schedule(progress)
        batches = self._normalised(batches)
        placed = [order_of(batch) for batch in batches]
        entropy = policy * (ppo.entropy + (ppo.entropy_end - ppo.entropy) * progress)
        logs: list[Tensor] = []
        for _ in range(ppo.epochs):
            orders = [torch.randperm(len(b.h), generator=generator, device=generator.device) for b in batches]
            parts = [order.tensor_split(ppo.minibatches) for order in orders]
            for row in range(ppo.minibatches):
                pieces = [
                    piece_of(batch, order, part[row])
                    for batch, order, part in zip(batches, placed, parts, strict=True)
                    if len(part[row])
                ]
                logs.append(self._step(pieces, policy, entropy, teacher))
            if ppo.kl and policy and logs[-1][KL] > ppo.kl:
                break
        mean = torch.stack(logs).mean(0).tolist()
        return dict(zip(LOGS, mean, strict=True)) | {"scale": self.norm.scale, "steps_of_adam": float(len(logs))}

    def _schedule(self, progress: float) -> None:
        factor = 1.0 - (1.0 - RATE_END) * progress if self.ppo.anneal else 1.0
        for adam, rate in ((self.actor_adam, self.ppo.rate), (self.critic_adam, self.ppo.critic_rate)):
            for group in adam.param_groups:
                group["lr"] = rate * factor

    def _normalised(self, batches: list[Batch]) -> list[Batch]:
        """Advantages with mean 0 and deviation 1 over the active samples of all lanes and processes; values and returns
        as the critic counts them."""
        sums = torch.zeros(6, dtype=torch.float64)
        for batch in batches:
            advantage, returns = batch.advantage[batch.active].double(), batch.returns[batch.exists].double()
            sums += torch.stack([f for x in (advantage, returns) for f in moments(x)]).cpu()
        if parallel.size() > 1:
            sums = parallel.add(sums.to(batches[0].h.device)).cpu()
        n, total, square, m, mean, mean_square = sums.tolist()
        if not torch.isfinite(sums).all():
            raise DivergedError("returns are not finite")
        center = total / max(n, 1.0)
        scale = max(square / max(n, 1.0) - center**2, 0.0) ** 0.5 + 1e-5
        if m:
            self.norm.update(mean / m, mean_square / m, self.critic)
        return [
            batch._replace(
                advantage=(batch.advantage - center) / scale,
                value=self.norm.to(batch.value),
                returns=self.norm.to(batch.returns),
            )
            for batch in batches
        ]

    def _step(self, pieces: list[Piece], policy: float, entropy: float, teacher: float) -> Tensor:
        """One step of both optimisers from one minibatch of every lane; the sums that were logged, as means."""
        for adam in (self.actor_adam, self.critic_adam):
            adam.zero_grad(set_to_none=False)
        acted, judged = self._act(pieces, policy, entropy, teacher), self._judge(pieces)
        sums = torch.stack([x.detach().to(torch.float32) for x in (*acted, *judged)])
        actor, critic = list(self.actor.parameters()), list(self.critic.parameters())
        for parameter in (*actor, *critic):
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        if parallel.size() > 1:
            flat = torch.cat([p.grad.flatten() for p in (*actor, *critic)] + [sums])
            parallel.add(flat)
            sums = flat[-len(sums) :]
            at = 0
            for parameter in (*actor, *critic):
                parameter.grad.copy_(flat[at : at + parameter.numel()].view_as(parameter))
                at += parameter.numel()
        active, exists = sums[ACTIVE].clamp(min=1.0), sums[EXISTS].clamp(min=1.0)
        norms = []
        for parameters, count in ((actor, active), (critic, exists)):
            for parameter in parameters:
                parameter.grad.div_(count)
            norms.append(torch.nn.utils.clip_grad_norm_(parameters, self.ppo.gradient))
        if not torch.isfinite(torch.stack(norms)).all() or not torch.isfinite(sums).all():
            raise DivergedError("the loss or its gradient is not a number")
        if policy or teacher:
            self.actor_adam.step()
        self.critic_adam.step()
        taught = sums[TAUGHT].clamp(min=1.0)
        return torch.stack(
            [*(sums[:4] / active), sums[VALUE] / exists, sums[TEACHER] / taught, sums[AGREED] / taught, *norms]
        )

    def _act(self, pieces: list[Piece], policy: float, entropy: float, teacher: float) -> tuple[Tensor, ...]:
        """Add the gradients of the actor's summed losses; the policy's four sums and those from ACTIVE to AGREED."""
        blocks = [block for piece in pieces for block in piece.blocks]
        active = joined(block.active for block in blocks)
        zero = self.critic.value.bias.new_zeros(())
        if not (policy or teacher):
            return *[zero] * 4, active.sum(), zero, zero, zero
        outs = self._decide(pieces, blocks)
        parts, lesson, taught, agreed, loss = [zero] * 4, zero, zero, zero, zero
        if policy:
            found = [evaluate(out, block.verb, block.target) for out, block in zip(outs, blocks, strict=True)]
            logp, spread = (joined(parts) for parts in zip(*found, strict=True))
            old, advantage = joined(block.logp for block in blocks), joined(block.advantage for block in blocks)
            parts = policy_loss(logp, spread, old, advantage, active, self.ppo.clip)
            loss = loss + policy * parts.loss - entropy * parts.entropy
        if teacher:
            says = joined(block.teacher_verb for block in blocks)
            known = (says >= 0) & active
            logp = joined(
                evaluate(out, block.teacher_verb.clamp(min=0), block.teacher_target)[0]
                for out, block in zip(outs, blocks, strict=True)
            )
            lesson, taught = -torch.where(known, logp, 0.0).sum(), known.sum()
            agreed = ((joined(out.verb.argmax(-1) for out in outs) == says) & known).sum()
            loss = loss + teacher * lesson
        if loss.requires_grad:
            loss.backward()
        return *parts, active.sum(), lesson, taught, agreed

    def _decide(self, pieces: list[Piece], blocks: list[Block]) -> list[Out]:
        """What the actor decides in each block: it sees block by block, and remembers for all agents at once."""
        looks = [self.actor.see(block.tables) for block in blocks]
        ways = columns(pieces)
        seen = ways.through_time(torch.cat([saw.flatten(0, 1) for saw, _, _ in looks]))
        h = ways.back(self.actor.remember(seen, ways.memory, ways.keep, ways.alive))
        hs = h.split([len(rows) for rows in ways.rows])
        return [
            self.actor.decide(saw, mine.view(*saw.shape[:-1], -1), key, near, block.tables)
            for (saw, key, near), mine, block in zip(looks, hs, blocks, strict=True)
        ]

    def _judge(self, pieces: list[Piece]) -> tuple[Tensor, Tensor]:
        """Add the gradients of the critic's summed loss; the sums VALUE and EXISTS."""
        blocks = [block for piece in pieces for block in piece.blocks]
        said = joined(self.values(block.tables, block.state, block.foes).gather(1, block.rank) for block in blocks)
        value, returns, exists = (
            joined(getattr(block, name) for block in blocks) for name in ("value", "returns", "exists")
        )
        error = value_loss(said, value, returns, exists, self.ppo.value_clip, self.ppo.huber)
        error.backward()
        return error, exists.sum()


def joined(parts: Iterable[Tensor]) -> Tensor:
    """Tensors of the blocks as one, laid flat."""
    return torch.cat([part.flatten() for part in parts])


LOGS = (
    *("policy_loss", "entropy", "kl", "clipped", "value_loss", "teacher_loss", "teacher_agreed"),
    *("actor_gradient", "critic_gradient"),
)
KL = LOGS.index("kl")
# rows of the sums; the first four are the policy's
ACTIVE, TEACHER, TAUGHT, AGREED, VALUE, EXISTS = 4, 5, 6, 7, 8, 9


def moments(values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """How many, their sum, the sum of their squares."""
    return values.new_tensor(float(values.numel())), values.sum(), (values * values).sum()
