"""Plays the trained network: weights from `models/`, one memory a unit, one forward pass for everyone in contact.

Without weights, or when the network is broken or too slow, the scripted twin plays on and the reason is given once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bot import memory
from bot.config import load
from bot.micro import advice, battlefield, skills
from bot.micro.advice import Advice
from bot.micro.battlefield import Battlefield
from bot.micro.inference import Network
from bot.micro.model import WeightsError, load_model
from bot.micro.scene import NOBODY, VALUES, Scene
from bot.micro.tables import ENTITY_FEATURES, PAIR_FEATURES, VIEW, Tables, tables
from bot.micro.task import DROP, MODES, NUKE, Mode, Tasks
from bot.micro.twin import Report, Twin

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
NAMES = {"verbs": skills.VERBS, "features": ENTITY_FEATURES, "pairs": PAIR_FEATURES}
PER_AGENT = ("order", "order_row", "aim", "ready_at")
"""Arrays of a scene with one entry an agent."""
OF_ENTITIES = (
    *("tag", "kind", "present", "targetable", "flying", "burrowed", "cloak", "buffs"),
    *VALUES,
)
"""Arrays of a scene with one entry an entity."""
PLAYED = (MODES.index(Mode.FIGHT), MODES.index(Mode.HOLD))
"""Missions that the network is trained for; the rules lead retreats."""


NEVER = -(1 << 40)
"""Instead of a loop that never was."""


class PolicyError(Exception):
    """Why there is no network to play with, in one line."""


class Decision(NamedTuple):
    """What the units in contact do: the scene and tasks that they were shown, with verb and target i8 [1, A], and the
    rules' advice if the policy takes any."""

    scene: Scene
    tasks: Tasks
    verb: np.ndarray
    target: np.ndarray
    advice: Advice | None

    def tags(self, chosen: np.ndarray | None = None) -> frozenset[int]:
        """Tags of these agents, bool [A]; by default of all."""
        tags = self.scene.tag[0, : self.scene.agents]
        return frozenset((tags if chosen is None else tags[chosen]).tolist())


class Memories:
    """The network's memory of each unit, by tag: `state` f4 [2, rows, size] (h and c), one row a unit."""

    def __init__(self, size: int, patience: int) -> None:
        """A unit that was not asked for during `patience` loops starts afresh."""
        self.state = np.zeros((2, 64, size), np.float32)
        self._patience = patience
        self._row: dict[int, int] = {}
        self._last = np.full(64, NEVER)
        self._free = list(range(64))

    def __contains__(self, tag: int) -> bool:
        return tag in self._row

    def rows(self, tags: Sequence[int], loop: int) -> np.ndarray:
        """The units' rows, made empty for new ones and for those who were long out of contact."""
        for tag in [tag for tag in tags if tag not in self._row]:
            self._row[tag] = self._take()
        rows = np.array(list(map(self._row.__getitem__, tags)), np.int64)
        anew = rows[loop - self._last[rows] > self._patience]
        if anew.size:
            self.state[:, anew] = 0.0
        self._last[rows] = loop
        return rows

    def _take(self) -> int:
        if not self._free:
            count = self.state.shape[1]
            self.state = np.concatenate((self.state, np.zeros_like(self.state)), axis=1)
            self._last = np.concatenate((self._last, np.full(count, NEVER)))
            self._free = list(range(count, 2 * count))
        row = self._free.pop()
        self._last[row] = NEVER
        return row

    def forget(self, alive: Container[int]) -> None:
        """Frees the rows of units that are not among these tags."""
        for tag in [tag for tag in self._row if tag not in alive]:
            self._free.append(self._row.pop(tag))


class Policy:
    """A loaded model with the memories of the units that it plays.

    Raises:
        PolicyError: no such file, or a model of other sizes or names.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.thread_time) -> None:
        try:
            arrays, config, self.header = load_model(path, NAMES)
        except WeightsError as error:
            raise PolicyError(str(error)) from error
        self._config = load("micro")["policy"]
        self.network, self._clock = Network(arrays, config, self._config["trust"]), clock
        memory.keep_freed()  # the tables of large fights take megabytes, in every decision
        self._generator = np.random.default_rng(0)
        self._memories = Memories(config.memory, self._config["forget"])
        self._times: deque[float] = deque(maxlen=self._config["recent"])

    def forget(self, alive: Container[int]) -> None:
        """Drops the memories of units that are not among these tags."""
        self._memories.forget(alive)

    def decide(
        self, scene: Scene, tasks: Tasks, twin: Twin, report: Report | None = None, field: Battlefield | None = None
    ) -> Decision | None:
        """What those in contact do; None where nobody is. One battle (B = 1). A policy that is advised asks the twin;
        `report` is told of faults in one unit's rule; `field` is this scene's, if it was made already.

        Raises:
            PolicyError: the network is too slow here, or gives no numbers.
        """
        begun = self._clock()
        chosen = contact(scene, tasks, self._config["least"], self._config["most"])
        if chosen is None:
            return None
        near, theirs = chosen
        if field is None or near is not scene:
            field = battlefield.battle(near)
        make = partial(tables, geo=field.relations.geometry)
        advised = self.network.config.advised
        given, told = advice.shown(twin, near, theirs, report, field, make) if advised else (make(near, theirs), None)
        verb, target = self._forward(near, given)
        self._times.append((self._clock() - begun) * 1000)
        mean = sum(self._times) / len(self._times)
        if len(self._times) == self._times.maxlen and mean > self._config["slow_ms"]:
            raise PolicyError(f"the network takes {mean:.0f} ms a decision")
        return Decision(near, theirs, verb, target, told)

    def _forward(self, scene: Scene, shown: Tables) -> tuple[np.ndarray, np.ndarray]:
        """The network's decisions; the memories go one step on."""
        rows = self._memories.rows(scene.tag[0, : scene.agents].tolist(), int(scene.loop[0]))
        thought = self.network.think(shown, tuple(self._memories.state.take(rows, axis=1)))
        if not np.isfinite(thought.verbs.sum() + thought.memory[0].sum()):
            raise PolicyError("the network gives no numbers")
        for state, after in zip(self._memories.state, thought.memory, strict=True):
            state[rows] = after
        verb, target = self.network.choose(thought, shown.targets[0], self._generator)
        return verb[None], target[None]


def contact(scene: Scene, tasks: Tasks, least: float = 0.0, most: float = float("inf")) -> tuple[Scene, Tasks] | None:
    """The part of a one-battle scene that is in a fight: units that fight or hold and have an enemy in view, their like
    in view of them, and the enemies in view of the first. None where there is nobody. Who comes up behind belongs to
    the fight: a vanguard that does not see its army takes itself for all there is. Drops and nuclear strikes are led by
    the rules: what the drills teach does not bring a raid home in time; so are groups of ours that cost less than
    `least` together (such fights are about a bunker, or a scout's), and those worth more than `most` times the enemies:
    with the odds on our side the rules lose less."""
    a = scene.agents
    here, tasked = scene.present[0], (tasks.mode[0] == PLAYED[0]) | (tasks.mode[0] == PLAYED[1])
    tasked &= tasks.allows[0] & (DROP | NUKE) == 0
    tasked &= here[:a]
    dx, dy = scene.x - scene.x[0, :a, None], scene.y - scene.y[0, :a, None]
    sees = (dx * dx + dy * dy <= VIEW * VIEW) & here
    van = tasked & sees[:, a:].any(axis=1)
    if not van.any():
        return None
    taking = sees[van].any(axis=0)
    taking[:a] &= tasked
    force = scene.kinds.force[scene.kind[0]]
    ours = force[:a][taking[:a]].sum()
    if ours < least or ours > most * force[a:][taking[a:]].sum():
        return None
    if taking.all():
        return scene, tasks
    rows = taking.nonzero()[0]
    agents = rows[rows < a]
    return part(scene, rows, len(agents)), Tasks(*(array.take(agents, axis=1) for array in tasks))


def part(scene: Scene, rows: np.ndarray, agents: int) -> Scene:
    """These rows of a scene, the first of which are its agents."""
    where = np.full(scene.tag.shape[1] + 1, NOBODY, np.int32)
    where[rows] = np.arange(len(rows))
    own = rows[:agents]
    changed: dict[str, Any] = {"agents": agents}
    for name in PER_AGENT:
        changed[name] = getattr(scene, name).take(own, axis=1)  # a third of value[:, own]
    for name in OF_ENTITIES:
        changed[name] = getattr(scene, name).take(rows, axis=1)
    for name in ("order_row", "aim"):
        changed[name] = where[changed[name]]
    return replace(scene, **changed)
