"""Small environments with the learner's interface, in which the right choice is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.micro.network import Actor
from bot.micro.tables import Tables
from train.ppo.run import Names
from train.views import Said, StateTables


class ToyView(NamedTuple):
    tables: Tables
    state: StateTables


class ToyStep(NamedTuple):
    reward: np.ndarray
    done: np.ndarray
    timeout: np.ndarray
    won: np.ndarray
    scenario: np.ndarray


FEATURES, PAIRS, VERBS, TARGETED = 6, 2, 4, (2,)


class Weakest:
    """Every agent should attack (verb 2) the weakest enemy: one that feature 1 marks. `length` decisions a battle.

    With `recall` the mark shows only in a battle's first moment, so later choices need the memory.
    Agents die as the battle goes on, and one row of the agents and one of the enemies is never used.
    """

    def __init__(self, count: int, seed: int = 0, *, recall: bool = False, length: int = 4, first: int = 0) -> None:
        self.count, self.recall, self.length, self.first = count, recall, length, first
        self.agents, self.foes = 3, 4
        self.restart(seed)

    def restart(self, seed: int) -> None:
        self._rngs = [np.random.default_rng((seed, self.first + row)) for row in range(self.count)]
        self._age = np.zeros(self.count, int)
        self._weak = np.zeros(self.count, int)
        self._alive = np.zeros((self.count, self.agents), bool)
        for row in range(self.count):
            self._begin(row)
            self._age[row] = self._rngs[row].integers(self.length)

    def begin(self, battles: np.ndarray) -> None:
        for row in battles:
            self._begin(int(row))

    def _begin(self, row: int) -> None:
        self._age[row] = 0
        self._weak[row] = self._rngs[row].integers(self.foes - 1)
        self._alive[row] = [True, True, False]

    def observe(self) -> ToyView:
        count, agents, foes = self.count, self.agents, self.foes
        n = agents + foes
        rows = np.arange(count)
        entities = np.zeros((count, n, FEATURES), np.float32)
        entities[:, :agents, 0] = self._alive
        entities[:, agents:-1, 2] = 1.0
        entities[:, agents:-1, 3:] = np.eye(foes - 1)
        shown = (self._age == 0) | (not self.recall)
        entities[rows, agents + self._weak, 1] = shown
        present = np.zeros((count, n), bool)
        present[:, :agents] = self._alive
        present[:, agents:-1] = True
        attends = present[:, None, :] & self._alive[:, :, None]
        targets = np.zeros((count, agents, 1, n), bool)
        targets[:, :, 0, agents:-1] = self._alive[:, :, None]
        verbs = np.zeros((count, agents, VERBS), bool)
        verbs[..., 0] = True
        verbs[..., 1:] = self._alive[..., None]
        pairs = np.zeros((count, agents, n, PAIRS), np.float32)
        pairs[..., agents:-1, 0] = np.linspace(-1, 1, foes - 1, dtype=np.float32)
        tables = Tables(entities, pairs * attends[..., None], present, attends, self._alive.copy(), verbs, targets)
        left = np.broadcast_to((1.0 - self._age / self.length)[:, None, None], (count, n, 1))
        return ToyView(tables, StateTables(np.concatenate((entities, left), -1, dtype=np.float32), present.copy()))

    def teacher(self) -> Said:
        right = np.broadcast_to((self.agents + self._weak)[:, None], self._alive.shape)
        return Said(np.where(self._alive, 2, -1), np.where(self._alive, right, -1))

    def step(self, verb: np.ndarray, target: np.ndarray) -> ToyStep:
        hit = (verb == 2) & (target == (self.agents + self._weak)[:, None]) & self._alive
        reward = (hit.sum(-1) / self._alive.sum(-1)).astype(np.float32)
        self._age += 1
        over = self._age >= self.length
        won = np.where(over, np.where(reward == 1.0, 1, -1), 0).astype(np.int8)
        timeout = over & (self._weak == 2)
        for row in np.flatnonzero(over):
            self._begin(row)
        self._alive[self._age == 2, 1] = False
        return ToyStep(reward, over & ~timeout, timeout, won, np.zeros(self.count, int))


NAMES = Names(
    features=["alive", "weak", "foe", "id_a", "id_b", "id_c"],
    pairs=["place", "nothing"],
    verbs=["NOTHING", "STOP", "ATTACK", "WAIT"],
    targeted=["ATTACK"],
)


def make(
    scenarios: tuple[str, ...], levels: tuple[int, ...], count: int, seed: int, opponent: Actor | None = None
) -> Weakest:
    """A toy for the scenario "weakest" or "recall"."""
    return Weakest(count, seed, recall="recall" in scenarios)
