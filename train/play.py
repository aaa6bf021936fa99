"""Battles played to their ends by a policy, to be counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch

from bot.micro.choice import Out, decide, sample
from bot.micro.network import Actor
from train.ppo.batch import tensors


class Player(Protocol):
    """Decides for all own units of all battles; `fresh` bool [B] marks battles that have just begun."""

    advised: bool
    """Its tables show what the scripted twin would do, which it may follow."""

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Verb and target row i8 [B, A]."""


class Remembering:
    """A network with a memory for every unit: what its players have in common."""

    def __init__(self, actor: Actor) -> None:
        self.actor, self.advised = actor, actor.config.advised
        self._memory: Any = None

    def think(self, tables: Any, fresh: np.ndarray) -> Out:
        """The network's answer to one moment, with which the memories go on; call it in inference mode."""
        device = self.actor.slot.device
        seen = tensors(tables, device)
        if self._memory is None or self._memory[0].shape[:2] != seen.alive.shape:
            self._memory = self.actor.fresh(*seen.alive.shape)
        kept = torch.as_tensor(~fresh, device=device)[:, None, None]
        out, self._memory = self.actor(seen, (self._memory[0] * kept, self._memory[1] * kept))
        return out


class Learned(Remembering):
    """The policy network. It decides as in a game, or `sampled` as in training."""

    def __init__(self, actor: Actor, seed: int = 0, sampled: bool = False) -> None:
        super().__init__(actor)
        self._sampled, self._generator = sampled, torch.Generator(actor.slot.device).manual_seed(seed)

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Player."""
        return self.explain(tables, fresh)[:2]

    def explain(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As a call, and how likely each verb f4 [B, A, V] is to be drawn."""
        with torch.inference_mode():
            out = self.think(tables, fresh)
            verb, target = (sample if self._sampled else decide)(out, self._generator)[:2]
        return verb.cpu().numpy(), target.cpu().numpy(), out.verb.softmax(-1).cpu().numpy()


class Random:
    """Any legal verb and target, all equally likely."""

    advised = False

    def __init__(self, seed: int, slot: np.ndarray) -> None:
        """`slot` i8 [V]: a verb's row among the targets, -1 without."""
        self._rng, self._slot = np.random.default_rng(seed), slot

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Player."""
        verb = (self._rng.random(tables.verbs.shape) * tables.verbs).argmax(-1)
        slot = self._slot[verb]
        legal = np.take_along_axis(tables.targets, np.maximum(slot, 0)[..., None, None], axis=-2).squeeze(-2)
        target = (self._rng.random(legal.shape) * legal).argmax(-1)
        return verb, np.where(slot >= 0, target, -1)


class Always:
    """The same verb wherever it is legal, else the first legal one: attack-move, stand, do nothing."""

    def __init__(self, verb: int, advised: bool = False) -> None:
        self._verb, self.advised = verb, advised

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Player."""
        legal = tables.verbs[..., self._verb]
        verb = np.where(legal, self._verb, 0)
        return verb, np.full_like(verb, -1)


class Ends(NamedTuple):
    """Finished battles, one row each, in the order (battle's number, round)."""

    scenario: np.ndarray
    """i8 [E]: place among the environment's scenarios."""
    won: np.ndarray
    """i1 [E]: 1 won, -1 lost, 0 cut off."""
    final: np.ndarray
    """f8 [E, M]: the environment's measures."""


def play(environment: Any, player: Player | None, rounds: int, progress: Callable[[int], object] | None = None) -> Ends:
    """Play `rounds` battles in every place of the environment; None where it plays our side itself.

    Every place counts its first battles only, so that quick battles do not count more often than long ones.
    """
    count = environment.count
    fresh = np.ones(count, bool)
    found: list[dict[int, tuple[int, int, np.ndarray]]] = [{} for _ in range(count)]
    fought = np.zeros(count, np.int64)
    while (fought < rounds).any():
        if player is None:
            result = environment.step()
        else:
            result = environment.step(*player(environment.observe().tables, fresh))
        fresh = np.asarray(result.done) | np.asarray(result.timeout)
        for b, final in zip(result.ended.tolist(), result.final, strict=True):
            if fought[b] < rounds:
                found[b][int(fought[b])] = (int(result.scenario[b]), int(result.won[b]), np.array(final))
                if progress:
                    progress(1)
            fought[b] += 1
    rows = [found[b][k] for b in range(count) for k in range(rounds)]
    scenario, won, final = zip(*rows, strict=True)
    return Ends(np.array(scenario), np.array(won), np.array(final))
