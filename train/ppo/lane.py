"""Battles of one size, played by the policy: what happened becomes a batch.

A lane is an environment with a memory for every agent. Scenarios of very different sizes go into lanes of their own, so
that small battles are not padded to the largest.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from bot.micro.choice import sample
from train.ppo.batch import Batch, tree, trees
from train.ppo.config import Ppo
from train.ppo.critic import extremes
from train.ppo.learner import Learner
from train.ppo.lessons import followed, heard, nothing
from train.ppo.returns import gae, values_after
from train.ppo.symmetry import VIEWS, Symmetry


class Environment(Protocol):
    """What a lane asks of `train.battles.Environment` (and of the toys in the tests)."""

    count: int

    def observe(self) -> Any:
        """The moment: `.tables` and `.state`, named tuples of arrays [B, ...]."""

    def step(self, verb: np.ndarray, target: np.ndarray) -> Any:
        """Act: `.reward` f4 [B], `.own` f4 [B, A] (each agent's part; asked for where spirit < 1), `.done`, `.timeout`
        bool [B], `.won` i1 [B], `.scenario` i8 [B]; ended battles start anew in place."""

    def teacher(self) -> Any:
        """What the teacher would do in this moment: `.verb`, `.target` i8 [B, A], verb -1 where it has no choice to
        show, and `.chance` f4 [B, A, V] of its verbs or None."""

    def restart(self, seed: int) -> None:
        """Start every battle anew, as an environment made with this seed."""

    def begin(self, battles: np.ndarray) -> None:
        """Break off these battles i8 [E] and begin them anew."""


class Moment(NamedTuple):
    """What is seen of all battles at once."""

    tables: Any
    state: Any


class Lane:
    """One environment, its agents' memories, and the room for one rollout."""

    def __init__(
        self,
        environment: Environment,
        learner: Learner,
        ppo: Ppo,
        device: torch.device,
        symmetry: Symmetry | None = None,
        follow: float = 0.0,
    ) -> None:
        """`follow`: share of the twin's lessons that say FOLLOW, where that is legal."""
        self.environment, self.learner, self.ppo = environment, learner, ppo
        self.device, self.symmetry, self.follow = device, symmetry, follow
        self.results: Counter[str] = Counter()
        self.scores: dict[int, list[float]] = {}
        self.reward = 0.0
        self._shape: tuple[int, ...] = ()
        self._fit_room()

    def _skip(self, generator: torch.Generator, anew: np.ndarray) -> None:
        """One decision of which nothing is kept; then the battles `anew` begin again."""
        with torch.inference_mode():
            out, self._memory = self.learner.actor(self._spare.tables, self._memory)
            verb, target, _ = sample(out, generator)
            real = self.symmetry.real(verb, self._view) if self.symmetry else verb
        result = self.environment.step(real.cpu().numpy(), target.cpu().numpy())
        self.environment.begin(anew)
        over = torch.from_numpy(np.asarray(result.done, bool) | np.asarray(result.timeout, bool))
        over[anew] = True
        self._forget(over)
        self._look(self._spare)

    def begin(self, seed: int, stagger: int = 0) -> None:
        """Battles that have just begun: memories are empty. `seed` draws the views and the decisions of the first
        `stagger` steps, of which nothing is kept and over which the battles' starts are spread."""
        self._fit_room()
        self._draw = torch.Generator().manual_seed(seed)
        count = self.environment.count
        self._view = torch.zeros(count, dtype=torch.long, device=self.device)
        self._memory = self.learner.actor.fresh(count, self._agents)
        self._fresh = torch.ones(count, dtype=torch.bool, device=self.device)
        self._exists = torch.zeros(count, self._agents, dtype=torch.bool, device=self.device)
        self._look(self._spare)
        generator = torch.Generator(self.device).manual_seed(seed)
        for step in range(stagger):
            self._skip(generator, np.flatnonzero(np.arange(count) * stagger // count == step))

    def collect(self, generator: torch.Generator, *, teach: bool = False, follow: float = 0.0) -> Batch:
        """Play `rollout` decisions. `teach` notes the twin's choices; a share `follow` of battles is played by them."""
        count, steps = self.environment.count, self.ppo.rollout
        team, spirit = torch.zeros(steps, count), self.ppo.spirit
        own = torch.zeros(steps, count, self._agents if spirit < 1.0 else 1)
        done, timeout = torch.zeros(steps, count, dtype=torch.bool), torch.zeros(steps, count, dtype=torch.bool)
        led = torch.rand(count, generator=generator, device=self.device) < follow
        trees(lambda place, tensor: place.copy_(tensor), self._place(0), self._spare)
        for step in range(steps):
            moment = self._place(step)
            with torch.inference_mode():
                verb, target = self._choose(step, moment, generator, teach, led)
            result = self.environment.step(verb.cpu().numpy(), target.cpu().numpy())
            team[step] = torch.from_numpy(np.asarray(result.reward, np.float32))
            if spirit < 1.0:
                own[step] = torch.from_numpy(result.own)
            done[step] = torch.from_numpy(np.asarray(result.done, bool))
            timeout[step] = torch.from_numpy(np.asarray(result.timeout, bool))
            self._after(result, done[step] | timeout[step])
            self._look(self._spare if step + 1 == steps else self._place(step + 1))
        self.reward += float(team.sum())
        reward = spirit * team[..., None] + (1.0 - spirit) * own
        return self._finish(reward.to(self.device), done.to(self.device), timeout.to(self.device))

    def take_results(self) -> Counter[str]:
        """Battles won, lost and timed out, and the reward, since the last call."""
        results, self.results = self.results, Counter()
        results["reward"], self.reward = self.reward, 0.0
        return results

    def take_scores(self) -> dict[int, list[float]]:
        """[battles, won] of each of the environment's scenarios since the last call."""
        scores, self.scores = self.scores, {}
        return scores

    def _place(self, step: int) -> Moment:
        """Where the moment of a step is stored."""
        chunk, row = divmod(step, self.ppo.chunk)
        return tree(lambda tensor: tensor[row, chunk], Moment(self._room.tables, self._room.state))

    def _look(self, place: Moment) -> None:
        """See the present moment, each battle in its view, and keep it in `place`."""
        view = self.environment.observe()
        trees(lambda to, array: to.copy_(torch.as_tensor(array)), place, Moment(view.tables, view.state))
        tables = place.tables
        if self.symmetry:
            drawn = torch.randint(VIEWS, self._view.shape, generator=self._draw).to(self.device)
            self._view = torch.where(self._fresh, drawn, self._view)
            self.symmetry.turn(tables.entities, tables.pairs, tables.verbs, self._view)
            self.symmetry.turn_entities(place.state.entities, self._view)
        self._exists = torch.where(self._fresh[:, None], tables.alive, self._exists | tables.alive)

    def _choose(
        self, step: int, moment: Moment, generator: torch.Generator, teach: bool, led: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Decide, store what was decided, and return the real verbs and targets."""
        room, tables = self._room, moment.tables
        chunk, row = divmod(step, self.ppo.chunk)
        if row == 0:
            room.h[chunk].copy_(self._memory[0])
            room.c[chunk].copy_(self._memory[1])
        out, self._memory = self.learner.actor(tables, self._memory)
        verb, target, logp = sample(out, generator)
        lesson = nothing(verb, out.verb.shape[-1])
        if teach:
            said = self.environment.teacher()
            lesson = heard(said, tables, self.learner.actor.slot, self.symmetry and (self.symmetry, self._view))
            lesson = followed(lesson, tables, self.follow, generator) if self.follow else lesson
        taken = led[:, None] & (lesson.verb >= 0)
        verb, target = torch.where(taken, lesson.verb, verb), torch.where(taken, lesson.target, target)
        active = tables.alive & (tables.verbs.sum(-1) > 1)
        chosen = (self._fresh, self._exists, verb, target, logp, active, *lesson)
        for name, value in zip(STORED, chosen, strict=True):
            getattr(room, name)[row, chunk].copy_(value)
        return (self.symmetry.real(verb, self._view) if self.symmetry else verb), target

    def _after(self, result: Any, over: Tensor) -> None:
        """Battles that began anew have empty memories; count how the old ones ended."""
        self._forget(over)
        if not over.any():
            return
        won, late = np.asarray(result.won)[over.numpy()], np.asarray(result.timeout, bool)[over.numpy()]
        ends = {"battles": len(won), "won": int((won > 0).sum()), "lost": int((won < 0).sum())}
        self.results.update(ends | {"timeout": int(late.sum())})
        for scenario, one in zip(np.asarray(result.scenario)[over.numpy()].tolist(), won.tolist(), strict=True):
            score = self.scores.setdefault(scenario, [0.0, 0.0])
            score[0] += 1.0
            score[1] += one > 0

    def _forget(self, over: Tensor) -> None:
        """These battles, bool [B], have begun anew."""
        self._fresh = over.to(self.device)
        kept = (~self._fresh)[:, None, None]
        self._memory = (self._memory[0] * kept, self._memory[1] * kept)

    def _fit_room(self) -> None:
        """Storage for the tables as they are now: random fights may be of other sizes after a restart."""
        view = self.environment.observe()
        if view.tables.pairs.shape != self._shape:
            self._shape, self._agents = view.tables.pairs.shape, view.tables.alive.shape[1]
            self._make_room(Moment(view.tables, view.state))

    def _make_room(self, moment: Moment) -> None:
        """Storage [L, K, B, ...]: decision k * L + l of battle b lies at [l, k, b], so a chunk is one row of K * B."""
        length, chunks, count = self.ppo.chunk, self.ppo.rollout // self.ppo.chunk, self.environment.count

        def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(length, chunks, count, *shape, dtype=dtype, device=self.device)

        one = tree(torch.as_tensor, moment)
        self._spare: Moment = tree(lambda t: torch.zeros(t.shape, dtype=t.dtype, device=self.device), one)
        memory = torch.zeros(chunks, count, self._agents, self.learner.actor.config.memory, device=self.device)
        stored = tree(lambda tensor: room(*tensor.shape[1:], dtype=tensor.dtype), one)
        self._room = Batch(
            tables=stored.tables,
            state=stored.state,
            foes=room(self._agents, 2 * one.tables.pairs.shape[-1]),
            fresh=room(dtype=torch.bool),
            h=memory,
            c=memory.clone(),
            **{name: room(self._agents) for name in ("value", "advantage", "returns", "logp")},
            **{name: room(self._agents, dtype=torch.bool) for name in ("active", "exists")},
            **{name: room(self._agents, dtype=torch.long) for name in ACTIONS},
            teacher_chance=room(*one.tables.verbs.shape[1:]),
        )

    def _finish(self, reward: Tensor, done: Tensor, timeout: Tensor) -> Batch:
        """Values, advantages and returns; the batch over the storage."""
        room, norm, ppo = self._room, self.learner.norm, self.ppo
        with torch.no_grad():
            for row in range(ppo.chunk):
                at = tree(lambda tensor, row=row: tensor[row], Moment(room.tables, room.state))
                room.foes[row].copy_(extremes(at.tables.pairs, at.tables.attends))
                room.value[row].copy_(norm.back(self.learner.values(*at, room.foes[row])))
            last = norm.back(
                self.learner.values(*self._spare, extremes(self._spare.tables.pairs, self._spare.tables.attends))
            )
            value = in_time(room.value)
            after = values_after(value, last, done, timeout, ppo.bootstrap)
            advantage, returns = gae(reward, value, after, done | timeout, ppo.gamma, ppo.lam)
            room.advantage.copy_(in_chunks(advantage, ppo.chunk))
            room.returns.copy_(in_chunks(returns, ppo.chunk))
        whole = {n: tree(lambda t: t.flatten(1, 2), v) for n, v in room._asdict().items() if n not in ("h", "c")}
        return Batch(**whole, h=room.h.flatten(0, 1), c=room.c.flatten(0, 1))


ACTIONS = ("verb", "target", "teacher_verb", "teacher_target")
STORED = ("fresh", "exists", "verb", "target", "logp", "active", "teacher_verb", "teacher_target", "teacher_chance")


def in_time(stored: Tensor) -> Tensor:
    """[L, K, B, ...] -> [T, B, ...]."""
    return stored.transpose(0, 1).flatten(0, 1)


def in_chunks(ordered: Tensor, length: int) -> Tensor:
    """[T, B, ...] -> [L, K, B, ...]."""
    return ordered.unflatten(0, (-1, length)).transpose(0, 1)
