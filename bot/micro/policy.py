"""Plays the trained network: weights from `models/`, one memory a unit, one forward pass for everyone in contact.

Torch is imported only here and only when a model is loaded: without it, without weights, or when the network is broken
or too slow, the scripted twin plays on and the reason is given once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Container
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bot.config import load
from bot.micro import skills
from bot.micro.battlefield import NOBODY, VALUES, Scene
from bot.micro.tables import ENTITY_FEATURES, PAIR_FEATURES, VIEW, Tables, tables
from bot.micro.task import MODES, Mode, Tasks

if TYPE_CHECKING:
    from bot.micro.network import Actor

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


class PolicyError(Exception):
    """Why there is no network to play with, in one line."""


class Decision(NamedTuple):
    """What the units in contact do: the scene and tasks that they were shown, with verb and target i8 [1, A]."""

    scene: Scene
    tasks: Tasks
    verb: np.ndarray
    target: np.ndarray


class Policy:
    """A loaded model with the memories of the units that it plays.

    Raises:
        PolicyError: no torch, no such file, or a model of other sizes or names.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.thread_time) -> None:
        try:
            import torch

            from bot.micro import weights
        except ImportError as error:
            raise PolicyError(f"torch cannot be imported ({error})") from error
        torch.set_num_threads(1)
        try:
            actor, self.header = weights.load_actor(path, NAMES)
        except weights.WeightsError as error:
            raise PolicyError(str(error)) from error
        self._torch, self._actor, self._clock = torch, actor, clock
        self._config = load("micro")["policy"]
        self._memory: dict[int, tuple[int, Any]] = {}
        self._times: deque[float] = deque(maxlen=self._config["recent"])

    @property
    def actor(self) -> Actor:
        """The network."""
        return self._actor

    def forget(self, alive: Container[int]) -> None:
        """Drops the memories of units that are not among these tags."""
        for tag in [tag for tag in self._memory if tag not in alive]:
            del self._memory[tag]

    def decide(self, scene: Scene, tasks: Tasks) -> Decision | None:
        """What those in contact do; None where nobody is. One battle (B = 1).

        Raises:
            PolicyError: the network is too slow here, or gives no numbers.
        """
        begun = self._clock()
        chosen = contact(scene, tasks)
        if chosen is None:
            return None
        near, theirs = chosen
        verb, target = self._forward(near, tables(near, theirs))
        self._times.append((self._clock() - begun) * 1000)
        mean = sum(self._times) / len(self._times)
        if len(self._times) == self._times.maxlen and mean > self._config["slow_ms"]:
            raise PolicyError(f"the network takes {mean:.0f} ms a decision")
        return Decision(near, theirs, verb, target)

    def _forward(self, scene: Scene, shown: Tables) -> tuple[np.ndarray, np.ndarray]:
        """Greedy decisions; the memories go one step on."""
        torch = self._torch
        tags, loop = scene.tag[0, : scene.agents].tolist(), int(scene.loop[0])
        with torch.inference_mode():
            given = Tables(*(torch.from_numpy(np.ascontiguousarray(array)) for array in shown))
            out, memory = self._actor(given, self._remember(tags, loop))
            verb = out.verb.argmax(-1)
            target = torch.where(out.slot[verb] >= 0, out.target_of(verb).argmax(-1), NOBODY)
            if not torch.isfinite(out.verb.sum() + memory[0].sum()):
                raise PolicyError("the network gives no numbers")
            both = torch.stack(memory)[:, 0]
        for row, tag in enumerate(tags):
            self._memory[tag] = loop, both[:, row]
        return verb.numpy(), target.numpy()

    def _remember(self, tags: list[int], loop: int) -> Any:
        """(h, c) [1, A, memory] of these units: fresh for new ones and for those who were long out of contact."""
        torch = self._torch
        oldest = loop - self._config["forget"]
        fresh = torch.zeros(2, self._actor.config.memory)
        known = [self._memory.get(tag, (oldest - 1, fresh)) for tag in tags]
        rows = torch.stack([state if last >= oldest else fresh for last, state in known], dim=1)
        return rows[0][None], rows[1][None]


def contact(scene: Scene, tasks: Tasks) -> tuple[Scene, Tasks] | None:
    """The part of a one-battle scene that is in a fight: units that fight or hold and have an enemy in view, and
    the enemies in view of them. None where there is nobody."""
    a = scene.agents
    here, tasked = scene.present[0], (tasks.mode[0] == PLAYED[0]) | (tasks.mode[0] == PLAYED[1])
    x, y = scene.x[0], scene.y[0]
    apart = np.hypot(x[:a, None] - x[None, a:], y[:a, None] - y[None, a:])
    seen = (apart <= VIEW) & here[None, a:] & (here[:a] & tasked)[:, None]
    agents = np.flatnonzero(seen.any(axis=1))
    if not agents.size:
        return None
    rows = np.concatenate((agents, a + np.flatnonzero(seen.any(axis=0))))
    return part(scene, rows, len(agents)), Tasks(*(array[:, agents] for array in tasks))


def part(scene: Scene, rows: np.ndarray, agents: int) -> Scene:
    """These rows of a scene, the first of which are its agents."""
    where = np.full(scene.tag.shape[1] + 1, NOBODY, np.int32)
    where[rows] = np.arange(len(rows))
    own = rows[:agents]
    changed: dict[str, Any] = {"agents": agents}
    for field in fields(scene):
        value = getattr(scene, field.name)
        if field.name in PER_AGENT:
            value = value[:, own]
            changed[field.name] = where[value] if field.name in ("order_row", "aim") else value
        elif field.name in OF_ENTITIES:
            changed[field.name] = value[:, rows]
    return replace(scene, **changed)
