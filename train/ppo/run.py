"""One training run: lanes of battles, a learner, phases, seeds. What it does depends on its config and nothing else.

Randomness is drawn anew for every update from (seed, process, update), and all battles begin anew at every checkpoint;
so a run that is continued from a checkpoint goes the way it would have gone without the break.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bot.micro import weights
from bot.micro.model import ActorConfig
from bot.micro.network import Actor
from train.errors import TrainError
from train.ppo import parallel
from train.ppo.config import Fit
from train.ppo.critic import Critic, CriticConfig
from train.ppo.lane import Environment, Lane
from train.ppo.learner import Learner
from train.ppo.symmetry import Symmetry
from train.value.play import holds_values


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


Make = Callable[[tuple[str, ...], tuple[int, ...], int, int, Actor | None], Environment]
"""(scenarios, the level of each, battles, seed, who plays the enemies) -> an environment. Without an actor the enemies
do what the scenarios say; weights put into it later count."""


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
        self.update, self.steps, self.seconds, self.cpu = 0, 0, 0.0, 0.0
        self.history: list[dict[str, float]] = []
        self.changes: list[dict[str, Any]] = []
        self.sharp = False
        self.before: list[dict[str, Any]] = []
        torch.manual_seed(fit.seed)
        self._make = make
        self.groups = groups_of(fit.battles.scenarios, fit.battles.lanes)
        self.levels = {name: fit.battles.level for group in self.groups for name in group}
        self.tally: dict[str, list[float]] = {name: [0.0, 0.0] for name in self.levels}
        self.frozen: list[dict[str, Tensor]] = []
        self.frozen_at = 0
        environments = [self._environment(row) for row in range(len(self.groups))]
        state = environments[0].observe().state.entities.shape[-1]
        network, ppo = fit.network, fit.ppo
        targeted = tuple(list(names.verbs).index(name) for name in names.targeted)
        sizes = {name: getattr(network, name) for name in ("width", "heads", "memory", "advised")}
        actor = Actor(ActorConfig(len(names.features), len(names.pairs), len(names.verbs), targeted, **sizes))
        seen = len(names.features) if ppo.local else state
        critic = Critic(CriticConfig(seen, len(names.pairs), network.critic, ppo.local))
        if fit.start:
            self._start_from(actor)
        self.learner = Learner(actor.to(device), critic.to(device), ppo, even=fit.imitate.even)
        self._symmetry = Symmetry.of(names.features, names.pairs, names.verbs) if fit.battles.symmetry else None
        self._freeze()
        self._make_lanes(environments)
        self._begin()

    @property
    def per_update(self) -> int:
        """Environment steps of one update in all processes."""
        return sum(lane.environment.count for lane in self.lanes) * self.fit.ppo.rollout * parallel.size()

    @property
    def finished(self) -> bool:
        """All steps are done, or the last evaluation won as much as was asked for at the curriculum's highest level."""
        enough, last = self.fit.watch.win, self.history[-1] if self.history else {}
        top = last.get("levels", 0) >= self.fit.curriculum.top * len(self.levels)
        return self.steps >= self.fit.steps or (enough > 0 and top and last.get("won", 0.0) >= enough)

    def restart(self) -> None:
        """All battles anew, with seeds of this update; scenarios that are won often enough at their next level."""
        raised = self._raise_levels()
        if raised:
            self._make_lanes([self._environment(row) for row in range(len(self.groups))])
        if self.fit.self_play.share and self.update - self.frozen_at >= self.fit.self_play.every:
            self._freeze()
        if not raised:
            for row, lane in enumerate(self.lanes):
                lane.environment.restart(self._seed(row))
        self._begin()

    def advance(self) -> dict[str, float]:
        """One update; what to log."""
        began, worked = time.perf_counter(), time.process_time()
        generator = torch.Generator(self.device)
        generator.manual_seed(seed_of(self.fit.seed, parallel.rank(), self.update, 1_000_000))
        phase = self.phase()
        self._sharpen()
        batches = [lane.collect(generator, teach=phase["teacher"] > 0, follow=phase["follow"]) for lane in self.lanes]
        played = time.perf_counter()
        progress = min(self.steps / max(self.fit.steps, 1), 1.0)
        weights_of = {"policy": phase["policy"], "teacher": phase["teacher"]}
        logs = self.learner.update(batches, generator, progress=progress, **weights_of)
        self._count()
        self.update += 1
        self.steps += self.per_update
        taken = time.perf_counter() - began
        self.seconds += taken
        self.cpu += time.process_time() - worked
        times = {"rollout_share": (played - began) / taken, "seconds": self.seconds, "cpu_seconds": self.cpu}
        return logs | phase | self._results() | times

    def phase(self) -> dict[str, float]:
        """What is learned now: weights of PPO and of the twin's choices; the share of battles that the twin plays."""
        imitate, steps = self.fit.imitate, self.steps
        if steps < imitate.steps:
            return {"policy": 0.0, "teacher": 1.0, "follow": max(1.0 - 2.0 * steps / imitate.steps, 0.0)}
        if steps < imitate.steps + imitate.critic_only:
            return {"policy": 0.0, "teacher": 0.0, "follow": 0.0}
        behind = steps - imitate.steps - imitate.critic_only
        teacher = imitate.after * max(1.0 - behind / imitate.fade, 0.0)
        return {"policy": 1.0, "teacher": teacher, "follow": 0.0}

    def state(self) -> dict[str, Any]:
        """What `restore` takes, besides the learner's own."""
        progress = {"update": self.update, "steps": self.steps, "seconds": self.seconds}
        progress |= {"cpu_seconds": self.cpu, "history": self.history, "changes": self.changes, "before": self.before}
        progress |= {"levels": self.levels, "tally": self.tally}
        return progress | {"sharp": self.sharp, "frozen_at": self.frozen_at}

    def restore(self, state: dict[str, Any], frozen: list[dict[str, Tensor]]) -> None:
        """Continue from `state()` and `frozen`."""
        self.frozen = frozen
        self.update, self.steps = int(state["update"]), int(state["steps"])
        self.seconds, self.history = float(state["seconds"]), list(state["history"])
        self.cpu = float(state.get("cpu_seconds", 0.0))
        self.sharp = bool(state.get("sharp", True))
        self.frozen_at = int(state.get("frozen_at", self.update))
        self.changes, self.before = list(state.get("changes", [])), list(state.get("before", []))
        for name in self.levels.keys() & state["levels"].keys():
            self.levels[name] = int(state["levels"][name])
            self.tally[name] = list(state.get("tally", self.tally)[name])
        self._make_lanes([self._environment(row) for row in range(len(self.groups))])
        self.restart()

    def _sharpen(self) -> None:
        """Once, when imitation ends, or at once where there is none."""
        if not self.sharp and self.steps >= self.fit.imitate.steps:
            self.sharp = True
            self.learner.actor.sharpen(self.fit.imitate.temperature)

    def _count(self) -> None:
        """Add to the tally what the battles that ended in all processes came to: the checkpoint is one process's."""
        names = list(self.tally)
        found = torch.zeros(len(names), 2, device=self.device)
        for group, lane in zip(self.groups, self.lanes, strict=False):  # lanes of self-play stand behind the others
            for index, score in lane.take_scores().items():
                found[names.index(group[index])] += torch.tensor(score, device=self.device)
        for name, (battles, won) in zip(names, parallel.add(found).tolist(), strict=True):
            self.tally[name][0] += battles
            self.tally[name][1] += won

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

    def _make_lanes(self, environments: list[Environment]) -> None:
        """One lane for each of these environments, and one of self-play for each group where that is asked for."""
        actor = self.learner.actor
        shared = range(len(self.groups) if self.fit.self_play.share else 0)
        self._opponents = [Actor(actor.config).to(self.device) for _ in shared]
        more = [self._environment(row, self._opponents[row]) for row in shared]
        lane = partial(
            Lane,
            learner=self.learner,
            ppo=self.fit.ppo,
            device=self.device,
            symmetry=self._symmetry,
            follow=self.fit.imitate.follow,
        )
        self.lanes = [lane(environment) for environment in (*environments, *more)]

    def _environment(self, row: int, opponent: Actor | None = None) -> Environment:
        """The battles of one group of scenarios: a share in proportion to their number. All groups together have the
        config's count, or more where each scenario needs one."""
        group, count = self.groups[row], self.fit.battles.count
        against_self = round(count * self.fit.self_play.share)
        part = against_self if opponent else count - against_self
        before, every = (sum(map(len, groups)) for groups in (self.groups[:row], self.groups))
        first, last = (round(part * place / every) for place in (before, before + len(group)))
        battles = max(last - first, len(group))
        seed = self._seed(row + len(self.groups) if opponent else row)
        return self._make(group, tuple(self.levels[name] for name in group), battles, seed, opponent)

    def _freeze(self) -> None:
        """Keep a copy of the policy as an opponent."""
        copy = {name: value.detach().clone() for name, value in self.learner.actor.state_dict().items()}
        self.frozen = [*self.frozen, copy][-self.fit.self_play.keep :]
        self.frozen_at = self.update

    def _begin(self) -> None:
        """The first decisions of battles that have just been made or restarted, against an earlier self where asked."""
        for row, opponent in enumerate(self._opponents):
            opponent.load_state_dict(self.frozen[self._seed(row) % len(self.frozen)])
        for row, lane in enumerate(self.lanes):
            lane.begin(self._seed(row), self.fit.battles.stagger)

    def _raise_levels(self) -> set[str]:
        """Scenarios whose battles since the last decision were won often enough rise by one level; their names."""
        curriculum = self.fit.curriculum
        if not curriculum.top:
            return set()
        raised = set()
        for name, (battles, won) in self.tally.items():
            if battles < curriculum.battles:
                continue
            self.tally[name] = [0.0, 0.0]
            if won >= curriculum.win * battles and self.levels[name] < curriculum.top:
                self.levels[name] += 1
                raised.add(name)
        return raised

    def _start_from(self, actor: Actor) -> None:
        try:
            model, header = weights.load_actor(self.fit.start, self.names.of_model())
        except weights.WeightsError as error:
            raise TrainError(str(error)) from None
        if holds_values(header):
            raise TrainError(f"{self.fit.start}: learned by VDN or QMIX; PPO starts from policies")
        if model.config != actor.config:
            raise TrainError(f"{self.fit.start}: another size of network than [network] asks for")
        actor.load_state_dict(model.state_dict())
        with torch.no_grad():
            actor.verb.weight *= self.fit.network.soft
            actor.verb.bias *= self.fit.network.soft
        if self.fit.network.trust:
            actor.trust(self.fit.network.trust)
        about = header["about"]
        if "config" in about:
            mine = {name: about[name] for name in ("steps", "seconds", "cpu_seconds", "processes")}
            self.before = [*about.get("before", []), mine]
