"""What a battle was worth: rewards of each step, results, and the measures of its end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.battle import Battles
from sim.melee.game import Game
from train import armies
from train.armies import OURS, THEIRS
from train.scenario import Scenario
from train.worth import credit, tally

NAMES = (
    *("won", "steps", "own_value", "enemy_value", "own_value_lost", "enemy_value_killed", "stims", "stims_wasted"),
    *("overkill", "friendly_splash", "cloak_detected", "yamatos", "yamato_value", "casts", "casts_refused"),
    "departures",
)
"""Columns of the measures of a finished battle. Values are minerals and gas; overkill and splash are points of life;
cloak_detected counts the seconds that our units were cloaked and yet detected; departures are the share (%) of an
advised policy's decisions that are not what the scripted twin advised."""
STIMS, YAMATO = (380, 253), 401
STIM_NEAR = 9.0  # a stim with no enemy within so many cells is wasted
SECOND = 22.4  # loops
WIN, LOSS, OPEN = 1, -1, 0


class Settled(NamedTuple):
    """What a step brought, arrays [B]."""

    reward: np.ndarray
    """f4: the side's."""
    own: np.ndarray
    """f4 [B, slots]: each unit's own part of it, times the number of our units: what it shot (shared with others who
    fired at the same) and what it lost; the result counts for all. Its mean over our units is the side's reward."""
    done: np.ndarray
    timeout: np.ndarray
    won: np.ndarray


class Measures:
    """Books of all battles of one field."""

    def __init__(self, battles: Battles, variants: list[tuple[Scenario, Game]]) -> None:
        self.battles = battles
        slots, count = battles.slots, battles.count
        self._values = np.zeros((len(variants), slots), np.float32)
        self._fighters = np.zeros((len(variants), slots), bool)
        self._owners = np.zeros((len(variants), slots), np.int8)
        self._generations = np.zeros((len(variants), slots), np.uint32)
        self._worth = np.zeros((len(variants), slots, 2), np.float32)
        for index, (family, game) in enumerate(variants):
            used = int(game.world[0]["slots"])
            units = game.units[:slots]
            self._owners[index], self._generations[index] = units["owner"], units["generation"]
            self._values[index, :used] = armies.values(game)
            self._fighters[index, :used] = armies.fighters(game, family.targets if family.win_by == "target" else ())
            start = (self._generations, self._values, self._owners, self._fighters)
            self._worth[index] = self._tally(units[None], *(rows[index : index + 1] for rows in start))[0][0]
        self._weights = np.array(
            [[f.reward.win, f.reward.loss, f.reward.killed, f.reward.lost, f.reward.damage] for f, _ in variants],
            np.float32,
        )
        self._survive = np.array([family.win_by == "survive" for family, _ in variants])
        self._limit = np.array([family.limit for family, _ in variants], np.int32)
        self.value = np.zeros((count, slots), np.float32)  # of the units of the start
        self.owner = np.zeros((count, slots), np.int8)
        self._generation = np.zeros((count, slots), np.uint32)
        self._asked, self._left = np.zeros(count), np.zeros(count)
        self._fights = np.zeros((count, slots), bool)
        self._variant = np.zeros(count, np.int64)
        self._total = np.ones((count, 3), np.float32)
        self._before = np.zeros((count, slots, 2), np.float32)  # (value if alive, value by life) of each unit
        self._aim = np.full((count, slots), -1, np.int32)  # whom each unit fired at when the step began
        self.rows = np.zeros((count, len(NAMES)), np.float64)

    def start(self, which: np.ndarray, variant: np.ndarray) -> None:
        """These battles begin anew."""
        self._variant[which] = variant
        self.value[which], self._fights[which] = self._values[variant], self._fighters[variant]
        self.owner[which], self._generation[which] = self._owners[variant], self._generations[variant]
        self.rows[which] = 0.0
        self._asked[which] = self._left[which] = 0.0
        self._before[which] = self._worth[variant]
        self._aim[which] = -1
        for side in (OURS, THEIRS):
            mine = np.where(self._owners == side, self._worth[..., 0], 0.0).sum(axis=1)
            self._total[which, side] = np.maximum(mine, 1.0)[variant]

    def settle(self, age: np.ndarray) -> Settled:
        """After a step; age i4[B] in steps."""
        now, standing, betrayed = self._tally(
            self.battles.units, self._generation, self.value, self.owner, self._fights
        )
        win, loss, killed, lost, damage = self._weights[self._variant].T
        change = self._before - now
        fall = change[..., 0] * (1 - damage)[:, None] + change[..., 1] * damage[:, None]
        ours_fall = np.where(self.owner == OURS, fall, 0.0) * (lost / self._total[:, OURS])[:, None]
        their_fall = np.where(self.owner == THEIRS, fall, 0.0) * (killed / self._total[:, THEIRS])[:, None]
        each = self._credit(their_fall) - ours_fall
        reward = their_fall.sum(axis=1) - ours_fall.sum(axis=1)
        self._before = now
        ours, theirs = standing[:, 0] > 0, standing[:, 1] > 0
        won = np.select([ours & ~theirs, ~ours], [WIN, LOSS], OPEN).astype(np.int8)
        late = (won == OPEN) & (age >= self._limit[self._variant])
        held = late & self._survive[self._variant]
        won[held] = WIN
        timeout = late & ~held
        end = np.where(won == WIN, win, 0) - np.where((won == LOSS) | timeout, loss, 0)
        self._book(age, won, now[..., 0], betrayed)
        count = np.maximum(((self.owner == OURS) & (self.value > 0)).sum(axis=1), 1)
        own = each * count[:, None] + end[:, None]
        return Settled((reward + end).astype(np.float32), own.astype(np.float32), won != OPEN, timeout, won)

    def _credit(self, fall: np.ndarray) -> np.ndarray:
        """f4[B, slots]: see `worth.credit`."""
        paid = np.zeros(fall.shape, np.float32)
        shooters = np.zeros(fall.shape[1], np.float32)
        credit(self.battles.units, self.owner, fall.astype(np.float32), self._aim, shooters, paid)
        return paid

    @staticmethod
    def _tally(
        units: np.ndarray, generation: np.ndarray, value: np.ndarray, owner: np.ndarray, fights: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(worth, standing, betrayed) of `worth.tally`."""
        count = len(units)
        worth = np.zeros((*value.shape, 2), np.float32)
        found = worth, np.zeros((count, 2), np.uint8), np.zeros(count, np.int32)
        tally(units, generation, value, owner, fights, *found)
        return found

    def _book(self, age: np.ndarray, won: np.ndarray, now: np.ndarray, betrayed: np.ndarray) -> None:
        rows = self.rows
        rows[:, NAMES.index("won")] = won == WIN
        rows[:, NAMES.index("steps")] = age
        for side, name in ((OURS, "own"), (THEIRS, "enemy")):
            rows[:, NAMES.index(f"{name}_value")] = self._total[:, side]
        for side, name in ((OURS, "own_value_lost"), (THEIRS, "enemy_value_killed")):
            rows[:, NAMES.index(name)] = self._total[:, side] - np.where(self.owner == side, now, 0.0).sum(axis=1)
        rows[:, NAMES.index("cloak_detected")] += betrayed * 8 / SECOND
        damage = self.battles.damage
        rows[:, NAMES.index("overkill")] = damage[:, OURS, 0]
        rows[:, NAMES.index("friendly_splash")] = damage[:, OURS, 1]
        rows[:, NAMES.index("departures")] = 100.0 * self._left / np.maximum(self._asked, 1.0)

    def depart(self, asked: np.ndarray, left: np.ndarray) -> None:
        """How many of each battle's units [B] were advised in this step, and how many decided otherwise."""
        self._asked += asked
        self._left += left

    def cast(self, battle: int, slot: int, ability: int, target: int, accepted: bool) -> None:
        """One of our units was told to use an ability."""
        units = self.battles.units[battle]
        if units["owner"][slot] != OURS:
            return
        row = self.rows[battle]
        row[NAMES.index("casts")] += 1
        if not accepted:
            row[NAMES.index("casts_refused")] += 1
        elif ability in STIMS:
            row[NAMES.index("stims")] += 1
            foes = (units["alive"] == 1) & (units["owner"] == THEIRS)
            away = np.hypot(units["x"] - units["x"][slot], units["y"] - units["y"][slot])
            row[NAMES.index("stims_wasted")] += not (foes & (away <= STIM_NEAR)).any()
        elif ability == YAMATO and target >= 0:
            row[NAMES.index("yamatos")] += 1
            row[NAMES.index("yamato_value")] += self.value[battle, target]
