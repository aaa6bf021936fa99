"""Lessons from models that each know a few scenarios: what many specialists found becomes one policy.

A specialist is an advised policy that was trained on one scenario alone, where it may find what training on all at once
would forget again. The learner plays, and in every moment it is told what the scenario's specialist would do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bot.micro import weights
from bot.micro.network import Actor
from bot.micro.skills import FOLLOW
from train.battles import Environment
from train.errors import TrainError
from train.opponent import Beside
from train.play import Learned
from train.ppo.batch import tree
from train.views import Said, Step, View


class Taught(Beside):
    """An environment whose `teacher` asks a model where the battle's scenario has one; elsewhere it says FOLLOW."""

    def __init__(self, environment: Environment, scenario: np.ndarray, teachers: Mapping[int, Actor]) -> None:
        """`scenario` i8 [B]: which scenario each battle is of; `teachers`: the models by scenario."""
        super().__init__(environment)
        self._teachers = [(np.flatnonzero(scenario == index), actor) for index, actor in teachers.items()]
        self._call(0)

    def _call(self, seed: int) -> None:
        """Teachers that remember nothing yet; where they depart from the rules they draw, by this seed."""
        self._lessons = [(rows, Learned(actor, seed)) for rows, actor in self._teachers]

    def restart(self, seed: int) -> None:
        """See Environment."""
        super().restart(seed)
        self._call(seed)

    def observe(self) -> View:
        """See Environment."""
        view = super().observe()
        self._tables = view.tables
        return view

    def teacher(self) -> Said:
        """See Environment; once in a moment, since the teachers remember."""
        verb, target, _ = super().teacher()
        known = verb >= 0
        verb = np.where(known & self._tables.verbs[..., FOLLOW], FOLLOW, verb)
        chance = (verb[..., None] == np.arange(self._tables.verbs.shape[-1])).astype(np.float32)
        for rows, player in self._lessons:
            tables = tree(lambda array, rows=rows: array[rows], self._tables)
            says, target[rows], likely = player.explain(tables, self._fresh[rows])
            verb[rows], chance[rows] = np.where(known[rows], says, -1), likely * known[rows, :, None]
        self._fresh[:] = False
        return Said(verb, target, chance)

    def step(self, verb: np.ndarray | None = None, target: np.ndarray | None = None) -> Step:
        """See Environment."""
        found = self.environment.step(verb, target)
        self._fresh |= found.done | found.timeout
        return found


def folder_of(scenario: str) -> str:
    """Name of the folder of a scenario's specialist: the scenario's, without its level."""
    return Path(scenario.partition("@")[0]).stem


def load(folder: str, scenarios: Sequence[str], header: Mapping[str, Sequence[str]]) -> dict[str, Actor]:
    """The specialists in a folder of runs (`FOLDER/SCENARIO/best.npz`, the scenario without its level) for these
    scenarios; who has none is left out.

    Raises:
        TrainError: a model is broken or of other tables, is not advised, or there is none at all.
    """
    found: dict[str, Actor] = {}
    for name in scenarios:
        path = Path(folder) / folder_of(name) / "best.npz"
        if not path.exists():
            continue
        try:
            actor, _ = weights.load_actor(str(path), dict(header))
        except weights.WeightsError as error:
            raise TrainError(str(error)) from None
        if not actor.config.advised:
            raise TrainError(f"{path}: a teacher must be advised ([network] advised = true)")
        found[name] = actor.eval()
    if not found:
        raise TrainError(f"[imitate] teachers = {folder!r}: no SCENARIO/best.npz there for any scenario of this run")
    return found
