"""The concrete fights that battles start from, and what a start needs of each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.micro.task import MODES, Mode
from sim.melee.game import Game
from train.foes import NUMBER
from train.scenario import Fight, Scenario

MODE = {mode.value: MODES.index(mode) for mode in (Mode.FIGHT, Mode.HOLD, Mode.RETREAT)}


class Variant(NamedTuple):
    """One concrete fight, ready to start from."""

    scenario: int
    family: Scenario
    fight: Fight
    game: Game


class Briefs(NamedTuple):
    """What the starts of battles need of each variant, arrays [V] and [V, 2]."""

    scenario: np.ndarray
    behaviour: np.ndarray
    aims: np.ndarray
    point: np.ndarray
    """Where the enemies go, as `home` where they come from."""
    home: np.ndarray
    mode: np.ndarray
    """Our mission's, as `own_point`, `own_home` and `allows`."""
    own_point: np.ndarray
    own_home: np.ndarray
    allows: np.ndarray

    @classmethod
    def of(cls, variants: list[Variant]) -> Briefs:
        """Read off the variants' fights."""
        fights = [variant.fight for variant in variants]
        points = [v.family.enemy_point or v.fight.own[0][1] for v in variants]
        return cls(
            np.array([variant.scenario for variant in variants], np.int64),
            np.array([NUMBER.get(fight.behaviour, -1) for fight in fights], np.int8),
            np.array([variant.family.aims for variant in variants], bool),
            np.array(points, np.float32),
            np.array([fight.enemy[0][1] for fight in fights], np.float32),
            np.array([MODE[fight.mission.mode] for fight in fights], np.int8),
            np.array([fight.mission.point for fight in fights], np.float32),
            np.array([fight.mission.home for fight in fights], np.float32),
            np.array([fight.mission.bits for fight in fights], np.uint8),
        )
