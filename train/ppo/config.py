"""A training run as a TOML file: what is trained where, for how long, with which numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from train import settings
from train.errors import TrainError


@dataclass(frozen=True, slots=True)
class Battles(settings.Battles):
    """Where experience comes from; the curriculum raises the level."""

    lanes: int = 1
    """The scenarios are sorted by size into so many lanes, so that small battles are not padded to the largest."""
    variants: int = 0
    """Fights prepared of each scenario until the next checkpoint; 0: as many as suit it. Each takes time and memory."""
    stagger: int = 32
    """Decisions over which the starts of the battles are spread, so that an update sees all phases of a battle."""
    symmetry: bool = True
    """Show each battle mirrored and turned by a random quarter."""


@dataclass(frozen=True, slots=True)
class Network(settings.Network):
    """Sizes of the policy and the critic."""

    critic: int = 64
    advised: bool = False
    """The policy is shown what the scripted twin would do and has the verb FOLLOW: to do just that."""
    trust: float = 0.0
    """Added to the logit of FOLLOW of the model that the run starts from; below 0 it explores more."""
    soft: float = 1.0
    """The logits of all verbs of the model that the run starts from are multiplied by this. One that was taught is so
    sure of everything that it tries little; see docs/training-log.md."""


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
    even: bool = False
    """The lessons of one moment weigh as much as those of any other, however many units it has: otherwise scenarios of
    a few units are hardly learned beside those of many."""
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
    """Updates between two frozen copies, at least: they are made at checkpoints."""
    keep: int = 5


@dataclass(frozen=True, slots=True)
class Watch(settings.Watch):
    """Evaluation and checkpoints while training, every so many updates."""

    kept: bool = False
    """best.npz is of the evaluation that kept the most value, not of the one that won most."""
    snapshots: bool = False
    """The model of each evaluation is kept, as model-STEPS.npz: for `python -m train average`."""


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
    reward: settings.Reward = field(default_factory=settings.Reward)
    network: Network = field(default_factory=Network)
    ppo: Ppo = field(default_factory=Ppo)
    imitate: Imitate = field(default_factory=Imitate)
    curriculum: Curriculum = field(default_factory=Curriculum)
    self_play: SelfPlay = field(default_factory=SelfPlay)
    watch: Watch = field(default_factory=Watch)


def load(path: str | os.PathLike, **instead: object) -> Fit:
    """The run that a TOML file describes, `instead` as in `settings.read`. Raises TrainError: one line, what is wrong
    and what is allowed."""
    return from_dict(settings.read(path, **instead), str(path))


def from_dict(content: dict, where: str) -> Fit:
    """The run that a dictionary describes, checked; `where` names its source in errors."""
    fit = settings.section(Fit, content, where)
    settings.check(fit, where)
    if fit.ppo.rollout % fit.ppo.chunk:
        raise TrainError(f"{where}: [ppo] rollout = {fit.ppo.rollout} is not a multiple of chunk = {fit.ppo.chunk}")
    chunks = fit.battles.count * (fit.ppo.rollout // fit.ppo.chunk)
    if fit.ppo.minibatches > chunks:
        raise TrainError(f"{where}: [ppo] minibatches = {fit.ppo.minibatches}, but there are only {chunks} chunks")
    if fit.imitate.follow and not fit.network.advised:
        raise TrainError(f"{where}: [imitate] follow = {fit.imitate.follow:g} needs [network] advised = true")
    if fit.imitate.teachers and not fit.network.advised:
        raise TrainError(f"{where}: [imitate] teachers needs [network] advised = true")
    if fit.network.trust and not (fit.network.advised and fit.start):
        raise TrainError(f"{where}: [network] trust = {fit.network.trust:g} needs advised = true and a start")
    if fit.network.soft != 1.0 and not fit.start:
        raise TrainError(f"{where}: [network] soft = {fit.network.soft:g} needs a start")
    if fit.battles.count < len(fit.battles.scenarios):
        raise TrainError(f"{where}: [battles] count = {fit.battles.count} is fewer than the scenarios")
    if not fit.name.replace("-", "").replace("_", "").isalnum():
        raise TrainError(f"{where}: name = {fit.name!r} must be letters, digits, '-' and '_'")
    return fit
