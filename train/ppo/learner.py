"""Actor and critic with their optimisers, and one update from the batches of a rollout."""

from __future__ import annotations

from itertools import accumulate, pairwise

import torch
from torch import Tensor

from bot.micro.choice import chances, points
from bot.micro.model import ILLEGAL
from bot.micro.network import Actor
from train.ppo import parallel
from train.ppo.batch import Batch
from train.ppo.blocks import Minibatch, minibatch
from train.ppo.config import Ppo
from train.ppo.critic import Critic, ValueNorm
from train.ppo.losses import policy_loss, value_loss
from train.ppo.packed import pack, padded

ADAM_EPS = 1e-5
RATE_END = 0.1  # of the rates, at the end of a run that anneals them


class DivergedError(RuntimeError):
    """A loss or a gradient stopped being a number."""


class Learner:
    """What learns. `progress` 0..1 of the run sets the schedules; `even`: see `Imitate`."""

    def __init__(self, actor: Actor, critic: Critic, ppo: Ppo, *, even: bool = False) -> None:
        self.actor, self.critic, self.ppo, self.even = actor, critic, ppo, even
        self.norm = ValueNorm()
        self.actor_adam = torch.optim.Adam(actor.parameters(), ppo.rate, eps=ADAM_EPS, fused=True)
        self.critic_adam = torch.optim.Adam(critic.parameters(), ppo.critic_rate, eps=ADAM_EPS, fused=True)

    def parameters(self) -> list[torch.nn.Parameter]:
        """The actor's, then the critic's."""
        return [*self.actor.parameters(), *self.critic.parameters()]

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

        Minibatches are of all lanes, and the n-th of all processes make one step.
        Raises DivergedError before anything is changed by a number that is not finite.
        """
        ppo = self.ppo
        self._schedule(progress)
        batches = self._normalised(batches)
        packed = pack(batches, self.actor.slot)
        ends = list(accumulate((len(batch.h) for batch in batches), initial=0))
        entropy = policy * (ppo.entropy + (ppo.entropy_end - ppo.entropy) * progress)
        logs: list[Tensor] = []
        for _ in range(ppo.epochs):
            # Dealt out one after the other: minibatches differ by one chunk, and each has some of every lane that can.
            order = torch.cat(
                [
                    torch.randperm(last - first, generator=generator, device=generator.device) + first
                    for first, last in pairwise(ends)
                ]
            )
            for number in range(ppo.minibatches):
                part = minibatch(packed, order[number :: ppo.minibatches], self.critic.config.local, ppo.block)
                logs.append(self._step(part, policy, entropy, teacher))
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

    def _step(self, part: Minibatch, policy: float, entropy: float, teacher: float) -> Tensor:
        """One step of both optimisers from one minibatch of every lane; the sums that were logged, as means."""
        for adam in (self.actor_adam, self.critic_adam):
            adam.zero_grad(set_to_none=False)
        acted, judged = self._act(part, policy, entropy, teacher), self._judge(part)
        sums = torch.stack([x.detach().to(torch.float32) for x in (*acted, *judged)])
        actor, critic = list(self.actor.parameters()), list(self.critic.parameters())
        for parameter in self.parameters():
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        if parallel.size() > 1:
            flat = torch.cat([p.grad.flatten() for p in self.parameters()] + [sums])
            parallel.add(flat)
            sums = flat[-len(sums) :]
            at = 0
            for parameter in self.parameters():
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

    def _act(self, part: Minibatch, policy: float, entropy: float, teacher: float) -> tuple[Tensor, ...]:
        """Add the gradients of the actor's summed losses; the policy's four sums and those from ACTIVE to AGREED."""
        mine, active = part.agents, part.agents.active
        zero = self.critic.value.bias.new_zeros(())
        parts, lesson, taught, agreed, loss = [zero] * 4, zero, zero, zero, zero
        if policy or teacher:
            verbs, aim, spread = self._chances(part, [bool(policy), bool(teacher)])
        if policy:
            of, also = chances(verbs, mine.chosen[:, 0])
            parts = policy_loss(of + aim[0], also + spread[0], mine.logp, mine.advantage, active, self.ppo.clip)
            loss = loss + policy * parts.loss - entropy * parts.entropy
        if teacher:
            known = (mine.chosen[:, 1] >= 0) & active
            # the whole of what it thinks of the verbs, and the target it chose: one draw of each would say far less
            said = (mine.chance * verbs.log_softmax(-1) + torch.special.entr(mine.chance)).sum(-1) + aim[-1]
            lessons, taught = -torch.where(known, said, 0.0), known.sum()
            agreed = ((verbs.argmax(-1) == mine.chosen[:, 1]) & known).sum()
            lesson = lessons.sum()
            loss = loss + teacher * ((lessons * _shares(part)).sum() if self.even else lesson)
        if loss.requires_grad:
            loss.backward()
        return *parts, active.sum(), lesson, taught, agreed

    def _chances(self, part: Minibatch, whose: list[bool]) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """(logits of the verbs f4 [S, V]; log-probabilities and entropies f4 [S] of the targets that the agents chose,
        and their twins would, as far as asked for). The actor sees block by block and remembers for all at once."""
        actor, mine, which = self.actor, part.agents, [row for row in range(2) if whose[row]]
        looks = [actor.see(block.shown) for block in part.blocks]
        seen = torch.cat([saw.flatten(0, 1) for saw, _, _ in looks])
        ways = part.columns
        h = actor.remember(rows_or_zeros(seen, ways.rows), (ways.h, ways.c), ways.keep, ways.rows < len(seen))
        core = actor.core(seen, rows_or_zeros(h.flatten(0, 1), part.back))
        verbs = actor.verbs(core, mine.verbs)
        chosen = mine.chosen.clamp(min=0)
        queries = torch.stack([actor.query_of(core, chosen[:, row]) for row in which], 1)
        sizes = [block.rows.numel() for block in part.blocks]
        aims = []
        for block, (_, key, near), query in zip(part.blocks, looks, queries.split(sizes), strict=True):
            logits = points(query.view(*block.rows.shape, *query.shape[1:]), key, near)
            logits = logits.masked_fill(~block.legal[:, :, which], ILLEGAL)
            found = chances(logits, block.target[:, :, which].clamp(min=0))
            aims.append(torch.stack([one.flatten(0, 1) for one in found]))
        pointed = mine.target[:, which] >= 0
        logp, spread = ((part * pointed).unbind(1) for part in torch.cat(aims, 1).unbind())
        return verbs, logp, spread

    def _judge(self, part: Minibatch) -> tuple[Tensor, Tensor]:
        """Add the gradients of the critic's summed loss; the sums VALUE and EXISTS."""
        said = [self.critic(*block.judged).gather(1, block.members.rank).flatten() for block in part.blocks]
        value, returns, _, exists = (
            torch.cat([column.flatten() for column in columns])
            for columns in zip(*(block.members for block in part.blocks), strict=True)
        )
        error = value_loss(torch.cat(said), value, returns, exists, self.ppo.value_clip, self.ppo.huber)
        error.backward()
        return error, exists.sum()


def rows_or_zeros(table: Tensor, rows: Tensor) -> Tensor:
    """Rows i8 [...] of a table f4 [n, w]; zeros for row n."""
    return padded(table).index_select(0, rows.flatten()).view(*rows.shape, -1)


def _shares(part: Minibatch) -> Tensor:
    """f4 [S]: one part of as many as the agent's moment has living ones."""
    alive = [block.shown.alive for block in part.blocks]
    return torch.cat([(one / one.sum(1, keepdim=True).clamp(min=1)).flatten() for one in alive])


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
