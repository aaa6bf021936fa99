"""A training run as a TOML file: what is trained where, for how long, with which numbers."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import tomllib
import types
import typing
from dataclasses import dataclass, field

from train.errors import TrainError


@dataclass(frozen=True, slots=True)
class Battles:
    """Where experience comes from."""

    scenarios: tuple[str, ...]
    """Names or paths of scenarios, or families (drills, smac, smacv2); battles are shared out among them."""
    lanes: int = 1
    """The scenarios are sorted by size into so many lanes, so that small battles are not padded to the largest."""
    count: int = 128
    """Battles at once, in each process."""
    level: int = 2
    """Difficulty at the start; the curriculum raises it."""
    threads: int = 1
    """Threads of the engine in each process."""
    variants: int = 0
    """Fights prepared of each scenario until the next checkpoint; 0: as many as suit it. Each takes time and memory."""
    stagger: int = 32
    """Decisions over which the starts of the battles are spread, so that an update sees all phases of a battle."""
    symmetry: bool = True
    """Show each battle mirrored and turned by a random quarter."""


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
    """Sizes of the policy and the critic."""

    width: int = 64
    heads: int = 4
    memory: int = 64
    critic: int = 64
    advised: bool = False
    """The policy is shown what the scripted twin would do and has the verb FOLLOW: to do just that."""
    trust: float = 0.0
    """Added to the logit of FOLLOW of the model that the run starts from; below 0 it explores more."""


@dataclass(frozen=True, slots=True)
class Ppo:
    """Multi-agent PPO. Defaults follow the published MAPPO settings where those are known to matter."""

    rollout: int = 32
    """Decisions of every battle between two updates."""
    chunk: int = 16
    """Decisions in a row that the memory is trained through."""
    epochs: int = 5
    minibatches: int = 4
    block: int = 48
    """Moments of nearly one size that an update looks at together, at least; more where battles are small: what the
    calls cost then outweighs the rows of the dead."""
    clip: float = 0.2
    rate: float = 5e-4
    critic_rate: float = 5e-4
    anneal: bool = False
    """Lower both rates linearly to a tenth over the run."""
    gamma: float = 0.99
    lam: float = 0.95
    entropy: float = 0.01
    entropy_end: float = 0.01
    value_clip: float = 0.2
    huber: float = 10.0
    gradient: float = 10.0
    """Greatest norm of a gradient."""
    kl: float = 0.0
    """Stop an update's epochs when the policy has moved this far; 0: never."""
    bootstrap: bool = False
    """Value what lies behind a time-out instead of counting it as an end."""
    spirit: float = 1.0
    """Part of the reward that all agents share; the rest goes to each for what it shot and lost (team spirit)."""
    local: bool = False
    """IPPO: the critic sees what its agent sees."""


@dataclass(frozen=True, slots=True)
class Imitate:
    """Warm start: learn what the scripted twin would do, first in its battles, then in the learner's own."""

    steps: int = 0
    """Environment steps; 0: none."""
    after: float = 0.0
    """Weight of the twin's choices in the policy's loss when PPO begins; falls linearly to 0 over `fade` steps."""
    fade: int = 1_000_000
    temperature: float = 1.0
    """The policy's logits (but for FOLLOW's) are divided by this when imitation ends, or at the start where there is
    none. Below 1 drawn choices are nearly as good as the likeliest ones, and PPO need not begin by making up for its
    own dice; above 1 it tries more besides what it imitated."""
    follow: float = 0.0
    """Share of the lessons that say FOLLOW instead of what the twin's orders come nearest to; for advised policies."""
    teachers: str = ""
    """Folder of runs, one named after each scenario, whose models give the lessons instead of the twin; scenarios
    without one are taught to follow the twin. For advised policies."""
    critic_only: int = 0
    """Environment steps between imitation and PPO in which only the critic learns."""


@dataclass(frozen=True, slots=True)
class Curriculum:
    """A scenario's level rises when its battles are won often enough."""

    top: int = 0
    """Highest level; 0: levels stay."""
    win: float = 0.8
    battles: int = 200
    """Battles between two decisions about a scenario's level."""


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Some battles are fought against frozen earlier selves."""

    share: float = 0.0
    every: int = 50
    """Updates between two frozen copies."""
    keep: int = 5


@dataclass(frozen=True, slots=True)
class Watch:
    """Evaluation and checkpoints while training."""

    every: int = 20
    """Updates between two evaluations and checkpoints."""
    battles: int = 64
    win: float = 0.0
    """Stop when an evaluation wins at least this share; 0: run on."""
    kept: bool = False
    """best.npz is of the evaluation that kept the most value, not of the one that won most."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One training run."""

    name: str
    steps: int
    """Environment steps (one decision of one battle) in all processes together."""
    battles: Battles
    seed: int = 1
    start: str = ""
    """Model file to start from instead of random weights."""
    reward: Reward = field(default_factory=Reward)
    network: Network = field(default_factory=Network)
    ppo: Ppo = field(default_factory=Ppo)
    imitate: Imitate = field(default_factory=Imitate)
    curriculum: Curriculum = field(default_factory=Curriculum)
    self_play: SelfPlay = field(default_factory=SelfPlay)
    watch: Watch = field(default_factory=Watch)


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
    "spirit": (0, 1), "follow": (0, 1), "temperature": (0.01, 10), "trust": (-20, 20),
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


def load(path: str | os.PathLike, **instead: object) -> Fit:
    """The run that a TOML file describes, `instead` as in `read`. Raises TrainError: one line, what is wrong and what
    is allowed."""
    return from_dict(read(path, **instead), str(path))


def from_dict(content: dict, where: str) -> Fit:
    """The run that a dictionary describes, checked; `where` names its source in errors."""
    fit = section(Fit, content, where, "")
    if fit.ppo.rollout % fit.ppo.chunk:
        raise TrainError(f"{where}: [ppo] rollout = {fit.ppo.rollout} is not a multiple of chunk = {fit.ppo.chunk}")
    chunks = fit.battles.count * (fit.ppo.rollout // fit.ppo.chunk)
    if fit.ppo.minibatches > chunks:
        raise TrainError(f"{where}: [ppo] minibatches = {fit.ppo.minibatches}, but there are only {chunks} chunks")
    if fit.network.width % fit.network.heads:
        raise TrainError(f"{where}: [network] width = {fit.network.width} is not a multiple of heads")
    if fit.imitate.follow and not fit.network.advised:
        raise TrainError(f"{where}: [imitate] follow = {fit.imitate.follow:g} needs [network] advised = true")
    if fit.imitate.teachers and not fit.network.advised:
        raise TrainError(f"{where}: [imitate] teachers needs [network] advised = true")
    if fit.network.trust and not (fit.network.advised and fit.start):
        raise TrainError(f"{where}: [network] trust = {fit.network.trust:g} needs advised = true and a start")
    if not fit.battles.scenarios:
        raise TrainError(f"{where}: [battles] scenarios is empty")
    if fit.battles.count < len(fit.battles.scenarios):
        raise TrainError(f"{where}: [battles] count = {fit.battles.count} is fewer than the scenarios")
    if not fit.name or not fit.name.replace("-", "").replace("_", "").isalnum():
        raise TrainError(f"{where}: name = {fit.name!r} must be letters, digits, '-' and '_'")
    return fit


def section(kind: type, content: object, where: str, title: str) -> typing.Any:
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
