"""What a battle was worth: rewards of each step, results, and the measures of its end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.battle import Battles
from sim.melee.game import Game
from train import armies
from train.armies import OURS, THEIRS
from train.scenario import LOOPS, Scenario
from train.worth import account, credit, tally

NAMES = (
    *("won", "steps", "own_value", "enemy_value", "own_value_lost", "enemy_value_killed", "stims", "stims_wasted"),
    *("overkill", "friendly_splash", "cloak_detected", "yamatos", "yamato_value", "casts", "casts_refused"),
    "departures",
)
"""Columns of the measures of a finished battle. Values are minerals and gas; overkill and splash are points of life;
cloak_detected counts the seconds that our units were cloaked and yet detected; departures are the share (%) of an
advised policy's decisions that are not what the scripted twin advised."""
WEIGHTS = ("win", "loss", "time", "killed", "lost", "damage")  # of the reward
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
            start = (self._generations, self._values, self._owners)
            tally(units, *(rows[index] for rows in start), self._worth[index])
        ours = (self._owners == OURS) & (self._values > 0)
        self._sizes = np.maximum(ours.sum(axis=1), 1)
        self._totals = np.ones((len(variants), 3), np.float32)
        for side in (OURS, THEIRS):
            mine = np.where(self._owners == side, self._worth[..., 0], 0.0).sum(axis=1)
            self._totals[:, side] = np.maximum(mine, 1.0)
        self._weights = np.array(
            [[getattr(family.reward, weight) for weight in WEIGHTS] for family, _ in variants], np.float32
        )
        self._survive = np.array([family.win_by == "survive" for family, _ in variants])
        self._limit = np.array([family.limit for family, _ in variants], np.int32)
        self._weights[:, WEIGHTS.index("time")] *= np.where(self._survive, 0, 1 / self._limit)  # of one step
        self.value = np.zeros((count, slots), np.float32)  # of the units of the start
        self.owner = np.zeros((count, slots), np.int8)
        self._generation = np.zeros((count, slots), np.uint32)
        self._asked, self._left = np.zeros(count), np.zeros(count)
        self._fights = np.zeros((count, slots), bool)
        self._variant = np.zeros(count, np.int64)
        self._total = np.ones((count, 3), np.float32)
        self._size = np.ones(count)  # our units
        self._before = np.zeros((count, slots, 2), np.float32)  # (value if alive, value by life) of each unit
        self._aim = np.full((count, slots), -1, np.int32)  # whom each unit fired at when the step began
        self.rows = np.zeros((count, len(NAMES)), np.float64)

    def start(self, which: np.ndarray, variant: np.ndarray) -> None:
        """These battles (i8 [m], their numbers) begin anew from these variants (i8 [m])."""
        self._variant[which] = variant
        self.value[which], self._fights[which] = self._values[variant], self._fighters[variant]
        self.owner[which], self._generation[which] = self._owners[variant], self._generations[variant]
        self.rows[which] = 0.0
        self._asked[which] = self._left[which] = 0.0
        self._before[which] = self._worth[variant]
        self._aim[which] = -1
        self._size[which], self._total[which] = self._sizes[variant], self._totals[variant]

    def left(self, age: np.ndarray) -> np.ndarray:
        """f4 [B]: share of each battle's time that is left; age i4 [B] in steps."""
        return (1.0 - age / self._limit[self._variant]).astype(np.float32)

    def settle(self, age: np.ndarray) -> Settled:
        """After a step; age i4[B] in steps."""
        count, slots = self.value.shape
        weights = dict(zip(WEIGHTS, self._weights[self._variant].T, strict=True))
        price = np.empty((count, 3), np.float32)
        price[:, 0] = weights["lost"] / self._total[:, OURS]
        price[:, 1] = weights["killed"] / self._total[:, THEIRS]
        price[:, 2] = weights["damage"]
        fall, left = np.empty((count, 2, slots), np.float32), np.empty((count, 2), np.float32)
        standing, betrayed = np.empty((count, 2), np.uint8), np.empty(count, np.int32)
        units, start = self.battles.units, (self._generation, self.value, self.owner, self._fights)
        account(units, *start, price, self._before, fall, standing, left, betrayed)
        paid, shooters = np.empty((count, slots), np.float32), np.empty(slots, np.float32)
        credit(units, self.owner, fall, self._aim, shooters, paid)
        won, timeout = self._results(standing, age)
        end = weights["win"] * (won == WIN) - weights["loss"] * (won == LOSS) - weights["time"]
        self._book(age, won, left, betrayed)
        lost = fall.sum(axis=2)
        paid -= fall[:, 0]
        own = paid * self._size[:, None] + end[:, None]
        return Settled(lost[:, 1] - lost[:, 0] + end, own.astype(np.float32), won != OPEN, timeout, won)

    def _results(self, standing: np.ndarray, age: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(won i1[B], timeout bool[B]); standing u1[B, 2]: whether each side has fighters left."""
        ours, theirs = standing[:, 0] > 0, standing[:, 1] > 0
        won = np.where(ours, np.where(theirs, OPEN, WIN), LOSS).astype(np.int8)
        late = (won == OPEN) & (age >= self._limit[self._variant])
        held = late & self._survive[self._variant]
        won[held] = WIN
        return won, late & ~held

    def _book(self, age: np.ndarray, won: np.ndarray, left: np.ndarray, betrayed: np.ndarray) -> None:
        rows, total, damage = self.rows, self._total[:, OURS:], self.battles.damage
        rows[:, 0], rows[:, 1] = won == WIN, age
        rows[:, 2:4], rows[:, 4:6] = total, total - left
        rows[:, NAMES.index("cloak_detected")] += betrayed * LOOPS / SECOND
        rows[:, NAMES.index("overkill")] = damage[:, OURS, 0]
        rows[:, NAMES.index("friendly_splash")] = damage[:, OURS, 1]
        rows[:, NAMES.index("departures")] = 100.0 * self._left / np.maximum(self._asked, 1.0)

    def depart(self, asked: np.ndarray, left: np.ndarray) -> None:
        """How many of each battle's units [B] were advised in this step, and how many decided otherwise."""
        self._asked += asked
        self._left += left

    def used(self, battles: np.ndarray, slots: np.ndarray, abilities: np.ndarray, accepted: np.ndarray) -> None:
        """Units were told to use abilities that act on themselves; all arrays [m]."""
        ours = self.battles.units["owner"][battles, slots] == OURS
        battles, slots, accepted = battles[ours], slots[ours], accepted[ours]
        stims = accepted & np.isin(abilities[ours], STIMS)
        np.add.at(self.rows[:, NAMES.index("casts")], battles, 1)
        np.add.at(self.rows[:, NAMES.index("casts_refused")], battles[~accepted], 1)
        battles, slots = battles[stims], slots[stims]
        units = self.battles.units[battles]
        one = units[np.arange(len(slots)), slots]
        foes = (units["alive"] == 1) & (units["owner"] == THEIRS)
        away = np.hypot(units["x"] - one["x"][:, None], units["y"] - one["y"][:, None])
        wasted = ~(foes & (away <= STIM_NEAR)).any(axis=1)
        np.add.at(self.rows[:, NAMES.index("stims")], battles, 1)
        np.add.at(self.rows[:, NAMES.index("stims_wasted")], battles[wasted], 1)

    def cast(self, battle: int, slot: int, ability: int, target: int, accepted: bool) -> None:
        """One of our units was told to use an ability."""
        units = self.battles.units[battle]
        if units["owner"][slot] != OURS:
            return
        row = self.rows[battle]
        row[NAMES.index("casts")] += 1
        if not accepted:
            row[NAMES.index("casts_refused")] += 1
        elif ability == YAMATO and target >= 0:
            row[NAMES.index("yamatos")] += 1
            row[NAMES.index("yamato_value")] += self.value[battle, target]
