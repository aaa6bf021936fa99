"""Play, keep, learn: one run of VDN or QMIX."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import numpy as np
import torch

from bot.micro.model import ActorConfig
from bot.micro.network import Actor
from train.ppo.batch import tensors, tree
from train.ppo.lane import Environment, Moment
from train.ppo.run import Names, seed_of
from train.value import values
from train.value.config import Fit
from train.value.learner import Learner
from train.value.mixer import mixer
from train.value.replay import Chunk, Replay


class Run:
    """The state of a run between two rollouts."""

    def __init__(self, fit: Fit, environment: Environment, names: Names) -> None:
        self.fit, self.names, self.environment = fit, names, environment
        self.steps, self.seconds, self.cpu = 0, 0.0, 0.0
        torch.manual_seed(fit.seed)
        targeted = tuple(list(names.verbs).index(name) for name in names.targeted)
        network = fit.network
        sizes = {"width": network.width, "heads": network.heads, "memory": network.memory}
        actor = Actor(ActorConfig(len(names.features), len(names.pairs), len(names.verbs), targeted, **sizes))
        view = environment.observe()
        features = view.state.entities.shape[-1]
        self.learner = Learner(actor, mixer(fit.value.mixer, features), fit.value)
        self.replay = Replay(fit.value.room)
        self.generator = torch.Generator().manual_seed(seed_of(fit.seed, 1))
        self._memory = actor.fresh(environment.count, view.tables.alive.shape[1])
        self._fresh = torch.ones(environment.count, dtype=torch.bool)

    @property
    def finished(self) -> bool:
        """All steps are done."""
        return self.steps >= self.fit.steps

    @property
    def chance(self) -> float:
        """Share of chance actions now."""
        value = self.fit.value
        done = min(self.steps / value.explore_steps, 1.0)
        return value.explore + (value.explore_end - value.explore) * done

    def advance(self) -> dict[str, float]:
        """One rollout and its updates; what to log."""
        began, worked = time.perf_counter(), time.process_time()
        chunk, results = self._collect()
        self.replay.add(chunk)
        logs: Counter[str] = Counter()
        updates = self.fit.value.updates
        for _ in range(updates):
            logs.update(self.learner.update(self.replay.draw(self.fit.value.batch, self.generator)))
        self.steps += self.fit.value.chunk * self.environment.count
        self.seconds += time.perf_counter() - began
        self.cpu += time.process_time() - worked
        share = max(results["battles"], 1)
        found = {"won": results["won"] / share, "battles": float(results["battles"]), "chance": self.chance}
        found["reward"] = float(chunk.reward.mean())
        return found | {name: value / updates for name, value in logs.items()}

    def _collect(self) -> tuple[Chunk, Counter[str]]:
        """Play one chunk of all battles."""
        memory, seen, done = self._memory, [], []
        results: Counter[str] = Counter()
        for _ in range(self.fit.value.chunk):
            view = _copied(self.environment.observe())
            fresh = self._fresh
            verb, target = self._act(view.tables)
            step = self.environment.step(verb.numpy(), target.numpy())
            over = torch.from_numpy(np.asarray(step.done, bool) | np.asarray(step.timeout, bool))
            seen.append((view.tables, view.state, fresh))
            done.append((verb, target, torch.from_numpy(np.asarray(step.reward, np.float32)), over))
            kept = (~over)[:, None, None]
            self._memory, self._fresh = (self._memory[0] * kept, self._memory[1] * kept), over
            results.update(battles=int(over.sum()), won=int((np.asarray(step.won) > 0).sum()))
        view = _copied(self.environment.observe())
        seen.append((view.tables, view.state, self._fresh))
        tables, state, fresh = (_stacked([row[k] for row in seen]) for k in range(3))
        verb, target, reward, over = (torch.stack([row[k] for row in done]) for k in range(4))
        return Chunk(tables, state, fresh, *memory, verb, target, reward, over), results

    def _act(self, tables: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """The best action, or a chance one with probability `chance`, agent by agent."""
        actor = self.learner.actor
        with torch.inference_mode():
            out, self._memory = actor(tables, self._memory)
            verb, target, _ = values.best(out)
            other = values.explore(tables.verbs, tables.targets, actor.slot, self.generator)
            free = torch.rand(verb.shape, generator=self.generator) < self.chance
            return torch.where(free, other[0], verb), torch.where(free, other[1], target)


def _copied(view: Any) -> Moment:
    """Tensors of what is seen, apart from the environment's own memory."""
    return tree(lambda tensor: tensor.clone(), tensors(Moment(view.tables, view.state)))


def _stacked(moments: list[Any]) -> Any:
    """Named tuples of tensors [...] -> the same of tensors [L, ...]."""
    if isinstance(moments[0], tuple):
        return type(moments[0])._make(_stacked([moment[k] for moment in moments]) for k in range(len(moments[0])))
    return torch.stack(moments)
