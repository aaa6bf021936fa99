"""What an environment of battles shows, says and gives back: arrays, B battles of A agents and N entities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.micro.tables import Tables
from bot.micro.task import Tasks


class StateTables(NamedTuple):
    """The whole state for the critic: both sides, nothing hidden."""

    entities: np.ndarray
    """f4 [B, N, F + 1]: the columns of `Tables.entities`, and the share of the battle's time that is left, on which the
    worth of a moment depends."""
    present: np.ndarray
    """bool [B, N]."""


class View(NamedTuple):
    """One moment of all battles."""

    tables: Tables
    state: StateTables
    tasks: Tasks


class Step(NamedTuple):
    """What a step brought, arrays [B]."""

    reward: np.ndarray
    """f4."""
    own: np.ndarray
    """f4 [B, A]: each agent's own part of it, as `measures.Settled` says."""
    done: np.ndarray
    """bool: the battle ended by its result."""
    timeout: np.ndarray
    """bool: it was cut off at its limit (never together with done)."""
    won: np.ndarray
    """i1: 1 won, -1 lost, 0 not over or cut off."""
    scenario: np.ndarray
    """i8: place in the environment's scenarios of the battle that took the step."""
    ended: np.ndarray
    """i8 [E]: battles that are over, done or cut off."""
    final: np.ndarray
    """f8 [E, M]: their measures, columns of `measures.NAMES`."""


class Said(NamedTuple):
    """What a teacher would do in a moment."""

    verb: np.ndarray
    """i8 [B, A], -1 for those that are not there."""
    target: np.ndarray
    """i8 [B, A]: target row, -1 without one."""
    chance: np.ndarray | None = None
    """f4 [B, A, V]: how likely it was to choose each verb; None: it was sure."""
