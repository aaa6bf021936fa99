"""A value network that plays: the action of highest value, with a memory for every unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from train.play import Remembering
from train.value import values


def holds_values(header: Mapping[str, Any]) -> bool:
    """Whether a model file with this header is of VDN or QMIX: its heads say values, and a verb's lacks its target's,
    so that a policy's player would misread it."""
    return "value" in header["about"].get("config", {})


class Greedy(Remembering):
    """A player as `train.play` knows them."""

    def __call__(self, tables: Any, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `train.play.Player`."""
        with torch.inference_mode():
            verb, target, _ = values.best(self.think(tables, fresh))
        return verb.cpu().numpy(), target.cpu().numpy()
