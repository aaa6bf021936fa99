"""A run of VDN or QMIX as a TOML file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from train.errors import TrainError
from train.settings import Battles, Network, Watch, check, read, section

MIXERS = ("vdn", "qmix")


@dataclass(frozen=True, slots=True)
class Value:
    """Numbers of the learner."""

    mixer: str = "qmix"
    """`qmix` or `vdn`."""
    chunk: int = 16
    """Decisions of every battle between two updates, and in one stored chunk."""
    room: int = 2048
    """Chunks that are kept to learn from."""
    batch: int = 64
    """Chunks of one update."""
    updates: int = 4
    """Updates after each rollout."""
    rate: float = 1e-3
    scale: float = 0.1
    """Of the reward: battles that are worth about 2 are learned sooner than the challenge's 20."""
    gamma: float = 0.99
    lam: float = 0.6
    """Of the lambda returns."""
    gradient: float = 10.0
    refresh: int = 50
    """Updates between two copies of the networks that give the targets."""
    explore: float = 1.0
    """Share of chance actions at the start."""
    explore_end: float = 0.05
    explore_steps: int = 60_000
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
