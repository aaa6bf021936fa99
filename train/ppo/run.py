"""One training run: lanes of battles, a learner, phases, seeds. What it does depends on its config and nothing else.

Randomness is drawn anew for every update from (seed, process, update), and all battles begin anew at every checkpoint;
so a run that is continued from a checkpoint goes the way it would have gone without the break.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from bot.micro import weights
from bot.micro.network import Actor, ActorConfig
from train.errors import TrainError
from train.ppo import parallel
from train.ppo.config import Fit
from train.ppo.critic import Critic, CriticConfig
from train.ppo.lane import Environment, Lane
from train.ppo.learner import Learner
from train.ppo.symmetry import Symmetry


@dataclass(frozen=True, slots=True)
class Names:
    """What the axes of the tables count."""

    features: Sequence[str]
    pairs: Sequence[str]
    verbs: Sequence[str]
    targeted: Sequence[str]

    def of_model(self) -> dict[str, Sequence[str]]:
        """What a model file stores and its reader checks."""
        return {"verbs": self.verbs, "features": self.features, "pairs": self.pairs}


Make = Callable[[tuple[str, ...], tuple[int, ...], int, int], Environment]
"""(scenarios, the level of each, battles, seed) -> an environment."""


def seed_of(*numbers: int) -> int:
    """One seed from several numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> np.uint64(1))


def groups_of(scenarios: Sequence[str], lanes: int) -> list[tuple[str, ...]]:
    """Scenarios in `lanes` groups of nearly one size, neighbours together."""
    edges = np.linspace(0, len(scenarios), min(lanes, len(scenarios)) + 1).round().astype(int).tolist()
    return [tuple(scenarios[first:last]) for first, last in pairwise(edges)]


class Run:
    """The state of a run between two updates."""

    def __init__(self, fit: Fit, make: Make, names: Names, device: torch.device) -> None:
        self.fit, self.names, self.device = fit, names, device
        self.update, self.steps, self.seconds = 0, 0, 0.0
        self.history: list[dict[str, float]] = []
        torch.manual_seed(fit.seed)
        self._make = make
        self.groups = groups_of(fit.battles.scenarios, fit.battles.lanes)
        self.levels = {name: fit.battles.level for group in self.groups for name in group}
        self.tally: dict[str, list[float]] = {name: [0.0, 0.0] for name in self.levels}
        environments = [self._environment(row) for row in range(len(self.groups))]
        state = environments[0].observe().state.entities.shape[-1]
        network, ppo = fit.network, fit.ppo
        targeted = tuple(list(names.verbs).index(name) for name in names.targeted)
        sizes = {"width": network.width, "heads": network.heads, "memory": network.memory}
        actor = Actor(ActorConfig(len(names.features), len(names.pairs), len(names.verbs), targeted, **sizes))
        seen = len(names.features) if ppo.local else state
        critic = Critic(CriticConfig(seen, len(names.pairs), network.critic, ppo.local))
        if fit.start:
            self._start_from(actor)
        self.learner = Learner(actor.to(device), critic.to(device), ppo)
        self._symmetry = Symmetry.of(names.features, names.pairs, names.verbs) if fit.battles.symmetry else None
        self.lanes = [self._lane(environment) for environment in environments]
        self.restart()

    @property
    def per_update(self) -> int:
        """Environment steps of one update in all processes."""
        return self.fit.battles.count * self.fit.ppo.rollout * parallel.size()

    @property
    def finished(self) -> bool:
        """All steps are done."""
        return self.steps >= self.fit.steps

    def restart(self) -> None:
        """All battles anew, with seeds of this update; scenarios that are won often enough at their next level."""
        raised = self._raise_levels()
        for row, group in enumerate(self.groups):
            if raised & set(group):
                self.lanes[row] = self._lane(self._environment(row))
            self.lanes[row].restart(self._seed(row))

    def advance(self) -> dict[str, float]:
        """One update; what to log."""
        began = time.perf_counter()
        generator = torch.Generator(self.device)
        generator.manual_seed(seed_of(self.fit.seed, parallel.rank(), self.update, 1_000_000))
        phase = self.phase()
        batches = [lane.collect(generator, teach=phase["teacher"] > 0, follow=phase["follow"]) for lane in self.lanes]
        played = time.perf_counter()
        progress = min(self.steps / max(self.fit.steps, 1), 1.0)
        weights_of = {"policy": phase["policy"], "teacher": phase["teacher"]}
        logs = self.learner.update(batches, generator, progress=progress, **weights_of)
        self.update += 1
        self.steps += self.per_update
        taken = time.perf_counter() - began
        self.seconds += taken
        return logs | phase | self._results() | {"rollout_share": (played - began) / taken, "seconds": self.seconds}

    def phase(self) -> dict[str, float]:
        """What is learned now: weights of PPO and of the twin's choices; the share of battles that the twin plays."""
        imitate, steps = self.fit.imitate, self.steps
        if steps < imitate.steps:
            return {"policy": 0.0, "teacher": 1.0, "follow": max(1.0 - 2.0 * steps / imitate.steps, 0.0)}
        if steps < imitate.steps + imitate.critic_only:
            return {"policy": 0.0, "teacher": 0.0, "follow": 0.0}
        behind = steps - imitate.steps - imitate.critic_only
        teacher = imitate.after * max(1.0 - behind / imitate.fade, 0.0) if imitate.steps else 0.0
        return {"policy": 1.0, "teacher": teacher, "follow": 0.0}

    def state(self) -> dict[str, Any]:
        """What `restore` takes, besides the learner's own."""
        progress = {"update": self.update, "steps": self.steps, "seconds": self.seconds, "history": self.history}
        return progress | {"levels": self.levels}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from `state()`."""
        self.update, self.steps = int(state["update"]), int(state["steps"])
        self.seconds, self.history = float(state["seconds"]), list(state["history"])
        for name, level in state["levels"].items():
            self.levels[name] = int(level)
        self.lanes = [self._lane(self._environment(row)) for row in range(len(self.groups))]
        self.restart()

    def _results(self) -> dict[str, float]:
        """Wins, time-outs and reward of the battles that ended in all processes."""
        total: Counter[str] = Counter()
        for lane in self.lanes:
            total.update(lane.take_results())
        names = ("battles", "won", "timeout", "reward")
        sums = parallel.add(torch.tensor([float(total[name]) for name in names], device=self.device)).tolist()
        battles, won, timeout, reward = sums
        share = max(battles, 1.0)
        return {"battles": battles, "won": won / share, "timeout": timeout / share, "reward": reward / self.per_update}

    def _seed(self, row: int) -> int:
        return seed_of(self.fit.seed, parallel.rank(), self.update, row)

    def _lane(self, environment: Environment) -> Lane:
        return Lane(environment, self.learner, self.fit.ppo, self.device, self._symmetry)

    def _environment(self, row: int) -> Environment:
        """A lane's battles: a share in proportion to its scenarios."""
        total, count = len(self.levels), self.fit.battles.count
        shares = [max(count * len(group) // total, len(group)) for group in self.groups]
        shares[0] = max(shares[0] + count - sum(shares), len(self.groups[0]))
        group = self.groups[row]
        return self._make(group, tuple(self.levels[name] for name in group), shares[row], self._seed(row))

    def _raise_levels(self) -> set[str]:
        """Scenarios whose battles since the last decision were won often enough rise by one level; their names."""
        curriculum = self.fit.curriculum
        for group, lane in zip(self.groups, self.lanes, strict=True):
            for index, (battles, won) in lane.take_scores().items():
                self.tally[group[index]][0] += battles
                self.tally[group[index]][1] += won
        if not curriculum.top:
            return set()
        names = list(self.levels)
        own = torch.tensor([self.tally[name] for name in names], device=self.device)
        raised = set()
        for name, (battles, won) in zip(names, parallel.add(own).tolist(), strict=True):
            if battles < curriculum.battles:
                continue
            self.tally[name] = [0.0, 0.0]
            if won >= curriculum.win * battles and self.levels[name] < curriculum.top:
                self.levels[name] += 1
                raised.add(name)
        return raised

    def _start_from(self, actor: Actor) -> None:
        try:
            model, _ = weights.load_actor(self.fit.start, self.names.of_model())
        except weights.WeightsError as error:
            raise TrainError(str(error)) from None
        if model.config != actor.config:
            raise TrainError(f"{self.fit.start}: another size of network than [network] asks for")
        actor.load_state_dict(model.state_dict())
