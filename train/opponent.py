"""Enemies that are played by a policy: an environment whose other side a player decides for, with its own eyes only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from train.battles import Environment
from train.play import Player
from train.views import Said, Step, View


class Beside:
    """An environment beside which somebody plays or teaches who remembers: `_fresh` bool [B] marks the battles that are
    new to him."""

    def __init__(self, environment: Environment) -> None:
        self.environment, self.count = environment, environment.count
        self._fresh = np.ones(self.count, bool)

    def observe(self) -> View:
        """See Environment."""
        return self.environment.observe()

    def teacher(self) -> Said:
        """See Environment."""
        return self.environment.teacher()

    def begin(self, battles: np.ndarray) -> None:
        """See Environment."""
        self.environment.begin(battles)
        self._fresh[battles] = True

    def restart(self, seed: int) -> None:
        """See Environment."""
        self.environment.restart(seed)
        self._fresh[:] = True


class Opposed(Beside):
    """An environment made with `enemy="learned"`, and who plays that side: `player` makes him from a seed."""

    def __init__(self, environment: Environment, player: Callable[[int], Player], seed: int = 0) -> None:
        super().__init__(environment)
        self._make, self.player = player, player(seed)

    def restart(self, seed: int) -> None:
        """See Environment."""
        super().restart(seed)
        self.player = self._make(seed)

    def step(self, verb: np.ndarray | None = None, target: np.ndarray | None = None) -> Step:
        """See Environment. Both sides decide on the same moment."""
        theirs = self.player(self.environment.observe_enemy()[0], self._fresh)
        found = self.environment.step(verb, target, theirs)
        self._fresh = found.done | found.timeout
        return found
