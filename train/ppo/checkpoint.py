"""A training run on disk: everything that continuing needs, as tensors and JSON in one file."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from bot.micro import weights
from bot.micro.weights import WeightsError
from train.errors import TrainError
from train.ppo import config
from train.ppo.config import Fit
from train.ppo.learner import Learner

KIND = "run"
FIXED = ("seed", "start", "network", "ppo.local")  # what a run is; anything else may change when it is continued
# Changes that no result depends on. It does on the steps, over which rates and entropy fall, and on how often there are
# checkpoints, at which all battles begin anew.
UNTOLD = ("name", "watch.battles", "watch.win", "watch.kept", "battles.threads")


Frozen = list[dict[str, torch.Tensor]]
"""Weights of earlier policies: the opponents of self-play."""


def save(path: pathlib.Path, learner: Learner, fit: Fit, state: dict[str, Any], frozen: Frozen) -> None:
    """Write the run: networks, optimisers, value normalisation, `state` (whatever JSON can say) and the config."""
    arrays: dict[str, np.ndarray] = {}
    for name, module in (("actor", learner.actor), ("critic", learner.critic)):
        arrays |= {f"{name}/{key}": value.detach().cpu().numpy() for key, value in module.state_dict().items()}
    for name, adam in (("actor_adam", learner.actor_adam), ("critic_adam", learner.critic_adam)):
        for row, moments in adam.state_dict()["state"].items():
            arrays |= {f"{name}/{row}/{key}": torch.as_tensor(value).cpu().numpy() for key, value in moments.items()}
    for row, weights_of in enumerate(frozen):
        arrays |= {f"frozen/{row}/{key}": value.cpu().numpy() for key, value in weights_of.items()}
    header = {"kind": KIND, "config": dataclasses.asdict(fit), "norm": learner.norm.state(), "state": state}
    weights.save(path, arrays, header)


def load(path: pathlib.Path, learner: Learner, fit: Fit) -> tuple[dict[str, Any], Frozen]:
    """Put a saved run into the learner; its `state`, with every change of the config since, and its opponents.
    TrainError where the file is not of this run."""
    try:
        arrays, header = weights.load(path)
        if header.get("kind") != KIND:
            raise WeightsError(f"{path}: holds {header.get('kind')!r}, not a training run")
        saved = config.from_dict(header["config"], f"{path}: its config")  # what is new since then has its default
        changes = list(_changes(path, dataclasses.asdict(saved), dataclasses.asdict(fit)))
        for name, module in (("actor", learner.actor), ("critic", learner.critic)):
            weights.put(module, _under(arrays, name), str(path))
        for name, adam in (("actor_adam", learner.actor_adam), ("critic_adam", learner.critic_adam)):
            _put_adam(adam, _under(arrays, name))
        learner.norm.restore(header["norm"])
        frozen: dict[str, dict[str, torch.Tensor]] = {}
        for name, value in _under(arrays, "frozen").items():
            row, key = name.split("/")
            frozen.setdefault(row, {})[key] = torch.from_numpy(value)
        state = header["state"]
        now = [{"steps": state["steps"], **change} for change in changes]
        state["changes"] = [*state.get("changes", []), *now]
        return state, [frozen[str(row)] for row in range(len(frozen))]
    except WeightsError as error:
        raise TrainError(str(error)) from None
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise TrainError(f"{path}: a training run of another version ({error!r})") from None


def _under(arrays: dict[str, np.ndarray], name: str) -> dict[str, np.ndarray]:
    return {key[len(name) + 1 :]: value for key, value in arrays.items() if key.startswith(f"{name}/")}


def _put_adam(adam: torch.optim.Adam, arrays: dict[str, np.ndarray]) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in arrays.items():
        row, name = key.split("/")
        state.setdefault(int(row), {})[name] = torch.from_numpy(np.array(value))
    adam.load_state_dict({"state": state, "param_groups": adam.state_dict()["param_groups"]})


def _changes(path: pathlib.Path, saved: dict, wanted: dict, prefix: str = "") -> Iterator[dict[str, Any]]:
    """Settings that the config says otherwise than the run had them; refuses those that make it another run."""
    for key in sorted(saved.keys() | wanted.keys()):
        one, other = _plain(saved.get(key)), _plain(wanted.get(key))
        name = prefix + key
        if name not in FIXED and isinstance(one, dict) and isinstance(other, dict):
            yield from _changes(path, one, other, f"{name}.")
        elif one == other or name in UNTOLD:
            continue
        elif name in FIXED:
            raise TrainError(f"{path}: this run has {name} = {one!r}, the config says {other!r}")
        else:
            yield {"name": name, "was": one, "is": other}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
