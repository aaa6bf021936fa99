"""A value network that plays: the action of highest value, with a memory for every unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from bot.micro.network import Actor
from train.ppo.batch import tensors
from train.value import values


def holds_values(header: Mapping[str, Any]) -> bool:
    """Whether a model file with this header is of VDN or QMIX: its heads say values, and a verb's lacks its target's,
    so that a policy's player would misread it."""
    return "value" in header["about"].get("config", {})


class Greedy:
    """A player as `train.play` knows them."""

    advised = False

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        self._memory: Any = None

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Verb and target row i8 [B, A]; `fresh` bool [B] marks battles that have just begun."""
        with torch.inference_mode():
            seen = tensors(tables)
            if self._memory is None or self._memory[0].shape[:2] != seen.alive.shape:
                self._memory = self.actor.fresh(*seen.alive.shape)
            kept = torch.as_tensor(~fresh)[:, None, None]
            out, self._memory = self.actor(seen, (self._memory[0] * kept, self._memory[1] * kept))
            verb, target, _ = values.best(out)
        return verb.numpy(), target.numpy()
