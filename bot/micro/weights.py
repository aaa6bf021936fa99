"""Files of weights (model.py) and torch: what training saves and loads."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from bot.micro.model import WeightsError, check, load, load_model, save
from bot.micro.network import Actor

__all__ = ["WeightsError", "load", "load_actor", "put", "save", "save_actor"]


def save_actor(path: str | os.PathLike, actor: Actor, names: Mapping[str, Sequence[str]], about: Mapping) -> None:
    """Write a model. `names`: what the sizes count ("verbs", "features", "pairs"); `about`: how it came to be."""
    arrays = {name: value.detach().cpu().numpy() for name, value in actor.state_dict().items()}
    header = {"kind": "actor", "config": dataclasses.asdict(actor.config), "about": dict(about)}
    save(path, arrays, header | {"names": {key: list(value) for key, value in names.items()}})


def load_actor(path: str | os.PathLike, names: Mapping[str, Sequence[str]] | None = None) -> tuple[Actor, dict]:
    """The model of a file and its header; WeightsError where it is broken or its names are not these `names`."""
    arrays, config, header = load_model(path, names)
    try:
        actor = Actor(config)
    except (TypeError, ValueError, IndexError, RuntimeError) as error:
        raise WeightsError(f"{path}: holds another network ({error})") from None
    put(actor, arrays, str(path))
    return actor.eval(), header


def put(module: torch.nn.Module, arrays: Mapping[str, np.ndarray], where: str) -> None:
    """Copy arrays into a module's tensors of the same names and shapes; nothing is changed when one does not fit.

    Raises:
        WeightsError: other names or shapes, or numbers that are not finite; `where` names the source.
    """
    check(arrays, {name: tuple(value.shape) for name, value in module.state_dict().items()}, where)
    module.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()})
