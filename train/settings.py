"""What the TOML files of all training runs have in common: their reader, the sections that every learner has, and what
numbers may be."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import tomllib
import types
import typing
from dataclasses import dataclass

from train.errors import TrainError


@dataclass(frozen=True, slots=True)
class Battles:
    """Where experience comes from."""

    scenarios: tuple[str, ...]
    """Names or paths of scenarios, or families (drills, smac, smacv2); battles are shared out among them, a name
    given twice counts twice."""
    count: int = 128
    """Battles at once, in each process."""
    level: int = 2
    """Difficulty at the start."""
    threads: int = 1
    """Threads of the engine in each process."""


@dataclass(frozen=True, slots=True)
class Reward:
    """Weights of the reward instead of the scenarios' own; negative: the scenario's."""

    win: float = -1.0
    loss: float = -1.0
    time: float = -1.0
    killed: float = -1.0
    lost: float = -1.0
    damage: float = -1.0
    """Part of killed and lost that is paid for life taken instead of for deaths, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Network:
    """Sizes of the network."""

    width: int = 64
    heads: int = 4
    memory: int = 64


@dataclass(frozen=True, slots=True)
class Watch:
    """Evaluation while training."""

    every: int = 20
    """Rollouts between two evaluations."""
    battles: int = 64
    win: float = 0.0
    """Stop when an evaluation wins at least this share; 0: run on."""


class Fit(typing.Protocol):
    """A run of any learner."""

    battles: Battles
    network: Network


RANGES: dict[str, tuple[float, float]] = {
    "seed": (0, 2**63 - 1), "lanes": (1, 64), "stagger": (0, 10_000), "variants": (0, 1000), "steps": (0, 1e12),
    "count": (1, 65536), "level": (1, 3), "threads": (1, 256), "width": (8, 512), "heads": (1, 16),
    "killed": (-1, 100), "lost": (-1, 100), "loss": (-1, 100), "time": (-1, 100), "damage": (-1, 1),
    "reward.win": (-1, 100),
    "memory": (8, 512), "critic": (8, 1024), "rollout": (1, 4096), "chunk": (1, 4096), "epochs": (1, 100),
    "minibatches": (1, 1024), "block": (1, 1e6), "clip": (1e-3, 1.0),
    "rate": (0, 1.0), "critic_rate": (0, 1.0), "gamma": (0, 1),
    "lam": (0, 1), "entropy": (0, 1), "entropy_end": (0, 1), "value_clip": (1e-3, 1e6), "huber": (1e-3, 1e6),
    "gradient": (1e-6, 1e6), "kl": (0, 10), "after": (0, 10), "fade": (1, 1e12), "critic_only": (0, 1e12),
    "top": (0, 3), "win": (0, 1), "battles": (1, 100_000), "share": (0, 1), "every": (1, 1e6), "keep": (1, 100),
    "spirit": (0, 1), "follow": (0, 1), "temperature": (0.01, 10), "trust": (-20, 20), "soft": (0.01, 1),
    "room": (1, 1e7), "batch": (1, 1e6), "updates": (1, 1000), "refresh": (1, 1e6), "explore": (0, 1),
    "explore_end": (0, 1), "explore_steps": (1, 1e12), "scale": (1e-6, 1e6),
}  # fmt: skip
"""What a number of that name may be, in whichever section; a section's own range goes before."""


def read(path: str | os.PathLike, **instead: object) -> dict:
    """What a TOML file says, with values that stand in for the file's own (None where the file's holds).

    Raises TrainError: one line."""
    try:
        content = tomllib.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise TrainError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TrainError(f"{path}: not TOML ({error})") from None
    return content | {name: value for name, value in instead.items() if value is not None}


def check(fit: Fit, where: str) -> None:
    """What must hold in every learner's runs; `where` names the source in errors. Raises TrainError."""
    if not fit.battles.scenarios:
        raise TrainError(f"{where}: [battles] scenarios is empty")
    if fit.network.width % fit.network.heads:
        raise TrainError(f"{where}: [network] width = {fit.network.width} is not a multiple of heads")


def section(kind: type, content: object, where: str, title: str = "") -> typing.Any:
    """One dataclass from one TOML table, with every key known and every value of its type and range."""
    head = f"{where}: [{title}]" if title else f"{where}:"
    if not isinstance(content, dict):
        raise TrainError(f"{head} must be a table")
    hints = typing.get_type_hints(kind)
    fields = {item.name: item for item in dataclasses.fields(kind)}
    for key in content:
        if key not in fields:
            raise TrainError(f"{head} {key!r} is unknown; known are {', '.join(fields)}")
    values = {}
    for name, item in fields.items():
        if name in content:
            values[name] = _value(hints[name], content[name], where, title, name)
        elif item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING:
            raise TrainError(f"{head} {name} is missing")
    return kind(**values)


def _value(hint: type, value: object, where: str, title: str, name: str) -> object:
    head = f"{where}: [{title}]" if title else f"{where}:"
    if dataclasses.is_dataclass(hint):
        return section(hint, value, where, name)
    if isinstance(hint, types.GenericAlias):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise TrainError(f"{head} {name} = {value!r} must be a list of strings")
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not hint:
        raise TrainError(f"{head} {name} = {value!r} must be of type {hint.__name__}")
    low, high = RANGES.get(f"{title}.{name}") or RANGES.get(name, (float("-inf"), float("inf")))
    if hint in (int, float) and not low <= value <= high:
        raise TrainError(f"{head} {name} = {value!r} must be between {low:g} and {high:g}")
    return value
