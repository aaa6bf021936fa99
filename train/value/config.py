"""A run of VDN or QMIX as a TOML file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from train.errors import TrainError
from train.settings import Battles, Network, Reward, Watch, check, read, section

MIXERS = ("vdn", "qmix")


@dataclass(frozen=True, slots=True)
class Value:
    """Numbers of the learner."""

    mixer: str = "qmix"
    """`qmix` or `vdn`."""
    chunk: int = 32
    """Decisions of every battle between two updates, and in one stored chunk."""
    room: int = 512
    """Chunks that are kept to learn from."""
    batch: int = 16
    """Chunks of one update."""
    updates: int = 16
    """Updates after each rollout."""
    rate: float = 5e-4
    scale: float = 0.1
    """Of the reward: battles that are worth about 2 are learned sooner than the challenge's 20."""
    gamma: float = 0.99
    lam: float = 0.9
    """Of the lambda returns. A win must be heard of 60 decisions before it, and each copy of the networks carries it
    about 1 / (1 - lam) of them further."""
    gradient: float = 10.0
    refresh: int = 10
    """Updates between two copies of the networks that give the targets."""
    explore: float = 1.0
    """Share of chance actions at the start."""
    explore_end: float = 0.05
    explore_steps: int = 20_000
    """Environment steps over which it falls."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One training run."""

    name: str
    steps: int
    """Environment steps in all."""
    battles: Battles
    seed: int = 1
    network: Network = field(default_factory=Network)
    value: Value = field(default_factory=Value)
    reward: Reward = field(default_factory=Reward)
    watch: Watch = field(default_factory=Watch)


def load(path: str | os.PathLike, **instead: int | None) -> Fit:
    """The run that a TOML file describes; `instead` stands in for its values. Raises TrainError: one line."""
    fit = section(Fit, read(path, **instead), str(path))
    check(fit, str(path))
    if fit.value.mixer not in MIXERS:
        raise TrainError(f"{path}: [value] mixer = {fit.value.mixer!r} must be one of {', '.join(MIXERS)}")
    if fit.value.room < fit.battles.count:
        raise TrainError(f"{path}: [value] room = {fit.value.room} is less than the {fit.battles.count} of one rollout")
    return fit
