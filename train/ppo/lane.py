"""Battles of one size, played by the policy: what happened becomes a batch.

A lane is an environment with a memory for every agent. Scenarios of very different sizes go into lanes of their own, so
that small battles are not padded to the largest.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from bot.micro.network import sample
from train.ppo.batch import Batch, tensors, tree, trees
from train.ppo.config import Ppo
from train.ppo.learner import Learner
from train.ppo.returns import gae, values_after


class Environment(Protocol):
    """What a lane asks of `train.battles.Environment` (and of the toys in the tests)."""

    count: int

    def observe(self) -> Any:
        """The moment: `.tables` and `.state`, named tuples of arrays [B, ...]."""

    def step(self, verb: np.ndarray, target: np.ndarray) -> Any:
        """Act: `.reward` f4 [B], `.done`, `.timeout` bool [B], `.won` i1 [B]; ended battles start anew in place."""

    def teacher(self) -> tuple[np.ndarray, np.ndarray]:
        """The scripted twin's verb and target i8 [B, A] in this moment, verb -1 where it has no choice to show."""

    def restart(self, seed: int) -> None:
        """Start every battle anew, as an environment made with this seed."""


class Lane:
    """One environment, its agents' memories, and the room for one rollout."""

    def __init__(self, environment: Environment, learner: Learner, ppo: Ppo, device: torch.device) -> None:
        self.environment, self.learner, self.ppo, self.device = environment, learner, ppo, device
        self.results: Counter[str] = Counter()
        self.reward = 0.0
        self._room: Any = None
        self.begin()

    def begin(self) -> None:
        """Empty memories for battles that have just begun."""
        self._view = self._look()
        alive = self._view.tables.alive
        self._memory = self.learner.actor.fresh(*alive.shape)
        self._fresh = torch.ones(alive.shape[0], dtype=torch.bool, device=self.device)
        self._exists = alive.clone()

    def restart(self, seed: int) -> None:
        """All battles anew from this seed."""
        self.environment.restart(seed)
        self.begin()

    def collect(self, generator: torch.Generator, *, teach: bool = False, follow: float = 0.0) -> Batch:
        """Play `rollout` decisions. `teach` notes the twin's choices; a share `follow` of battles is played by them."""
        length, chunks = self.ppo.chunk, self.ppo.rollout // self.ppo.chunk
        count = len(self._exists)
        if self._room is None:
            self._make_room(length, chunks)
        room = self._room
        reward = torch.zeros(self.ppo.rollout, count)
        done, timeout = torch.zeros_like(reward, dtype=torch.bool), torch.zeros_like(reward, dtype=torch.bool)
        led = torch.rand(count, generator=generator, device=self.device) < follow
        for step in range(self.ppo.rollout):
            chunk, row = divmod(step, length)
            view = self._view
            with torch.inference_mode():
                if row == 0:
                    room.h[chunk].copy_(self._memory[0])
                    room.c[chunk].copy_(self._memory[1])
                out, self._memory = self.learner.actor(view.tables, self._memory)
                verb, target, logp = sample(out, generator)
                lesson = self._lesson(view.tables, verb) if teach else (torch.full_like(verb, -1),) * 2
                if follow:
                    taken = led[:, None] & (lesson[0] >= 0)
                    verb, target = torch.where(taken, lesson[0], verb), torch.where(taken, lesson[1], target)
                active = view.tables.alive & (view.tables.verbs.sum(-1) > 1)
                self._store((row, chunk), (verb, target, logp, active, *lesson))
            result = self.environment.step(verb.cpu().numpy(), target.cpu().numpy())
            reward[step] = torch.from_numpy(np.asarray(result.reward, np.float32))
            done[step] = torch.from_numpy(np.asarray(result.done, bool))
            timeout[step] = torch.from_numpy(np.asarray(result.timeout, bool))
            self._after(result, done[step] | timeout[step])
        self.reward += float(reward.sum())
        return self._finish(reward.to(self.device), done.to(self.device), timeout.to(self.device))

    def take_results(self) -> Counter[str]:
        """Battles won, lost, drawn and timed out, and the reward, since the last call."""
        results, self.results = self.results, Counter()
        results["reward"], self.reward = self.reward, 0.0
        return results

    def _look(self) -> Any:
        view = self.environment.observe()
        return view._replace(tables=tensors(view.tables, self.device), state=tensors(view.state, self.device))

    def _after(self, result: Any, over: Tensor) -> None:
        """The next moment; memories of battles that began anew are empty."""
        self._view = self._look()
        self._fresh = over.to(self.device)
        if over.any():
            kept = (~self._fresh)[:, None, None]
            self._memory = (self._memory[0] * kept, self._memory[1] * kept)
            won = np.asarray(result.won)[over.numpy()]
            late = np.asarray(result.timeout, bool)[over.numpy()]
            self.results.update(battles=len(won), won=int((won > 0).sum()), lost=int((won < 0).sum()))
            self.results.update(timeout=int(late.sum()))
        alive = self._view.tables.alive
        self._exists = torch.where(self._fresh[:, None], alive, self._exists | alive)

    def _store(self, at: tuple[int, int], chosen: tuple[Tensor, ...]) -> None:
        """Put the moment and what was chosen in it at its place (decision of the chunk, chunk)."""
        room, view = self._room, self._view
        kept = (view.tables, view.state, self._fresh, self._exists, *chosen)
        places = (room.tables, room.state, *(getattr(room, name) for name in STORED))
        trees(lambda place, tensor: place[at].copy_(tensor), places, kept)

    def _lesson(self, tables: Any, verb: Tensor) -> tuple[Tensor, Tensor]:
        """The twin's choices, -1 where they are not legal for the policy."""
        found = self.environment.teacher()
        says, at = (torch.as_tensor(value).to(verb) for value in found)
        legal = (says >= 0) & tables.verbs.gather(-1, says.clamp(min=0)[..., None]).squeeze(-1)
        slot = self.learner.actor.slot[says.clamp(min=0)]
        rows = slot.clamp(min=0)[..., None, None].expand(*slot.shape, 1, tables.targets.shape[-1])
        aim = tables.targets.gather(-2, rows).squeeze(-2).gather(-1, at.clamp(min=0)[..., None]).squeeze(-1)
        legal &= (slot < 0) | (aim & (at >= 0))
        return torch.where(legal, says, -1), torch.where(legal & (slot >= 0), at, -1)

    def _make_room(self, length: int, chunks: int) -> None:
        """Storage [L, K, B, ...]: decision k * L + l of battle b lies at [l, k, b], so a chunk is one row of K * B."""
        count, agents = self._exists.shape

        def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(length, chunks, count, *shape, dtype=dtype, device=self.device)

        def like(tensor: Tensor) -> Tensor:
            return room(*tensor.shape[1:], dtype=tensor.dtype)

        memory = torch.zeros(chunks, count, agents, self.learner.actor.config.memory, device=self.device)
        self._room = Batch(
            tables=tree(like, self._view.tables),
            state=tree(like, self._view.state),
            fresh=room(dtype=torch.bool),
            h=memory,
            c=memory.clone(),
            **{name: room(agents) for name in ("value", "advantage", "returns", "logp")},
            **{name: room(agents, dtype=torch.bool) for name in ("active", "exists")},
            **{name: room(agents, dtype=torch.long) for name in ACTIONS},
        )

    def _finish(self, reward: Tensor, done: Tensor, timeout: Tensor) -> Batch:
        """Values, advantages and returns; the batch over the storage."""
        room, norm = self._room, self.learner.norm
        with torch.no_grad():
            for row in range(self.ppo.chunk):
                tables, state = (
                    tree(lambda t, row=row: t[row], room.tables),
                    tree(lambda t, row=row: t[row], room.state),
                )
                room.value[row].copy_(norm.back(self.learner.values(tables, state)))
            last = norm.back(self.learner.values(self._view.tables, self._view.state))
            value = in_time(room.value)
            after = values_after(value, last, done, timeout, self.ppo.bootstrap)
            advantage, returns = gae(reward, value, after, done | timeout, self.ppo.gamma, self.ppo.lam)
            room.advantage.copy_(in_chunks(advantage, self.ppo.chunk))
            room.returns.copy_(in_chunks(returns, self.ppo.chunk))
        whole = {n: tree(lambda t: t.flatten(1, 2), v) for n, v in room._asdict().items() if n not in ("h", "c")}
        return Batch(**whole, h=room.h.flatten(0, 1), c=room.c.flatten(0, 1))


ACTIONS = ("verb", "target", "teacher_verb", "teacher_target")
STORED = ("fresh", "exists", "verb", "target", "logp", "active", "teacher_verb", "teacher_target")


def in_time(stored: Tensor) -> Tensor:
    """[L, K, B, ...] -> [T, B, ...]."""
    return stored.transpose(0, 1).flatten(0, 1)


def in_chunks(ordered: Tensor, length: int) -> Tensor:
    """[T, B, ...] -> [L, K, B, ...]."""
    return ordered.unflatten(0, (-1, length)).transpose(0, 1)
