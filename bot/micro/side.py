"""One side's units in one battle, each of their numbers as an array that is made when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bot.micro.scene import HASTE, PER_LEVEL, STIM_SPEED, UNSEEN_HP

if TYPE_CHECKING:
    from bot.micro.battlefield import Relations

PLAIN = frozenset(
    {
        *("radius", "shield", "energy", "energy_max", "cooldown", "detect"),
        *("flying", "targetable", "cloak", "buffs", "cargo", "cargo_max"),
    }
)
"""What a `Side` shows as its scene does."""


class Side:
    """One side's units in one battle; every array has one row a unit, in the order of `tags`, and is read when first
    asked for."""

    radius: np.ndarray
    shield: np.ndarray
    energy: np.ndarray
    energy_max: np.ndarray
    cooldown: np.ndarray
    """Loops until the weapon is ready; 0 for enemies, whose cooldown nobody sees."""
    detect: np.ndarray
    flying: np.ndarray
    targetable: np.ndarray
    """Not hidden by cloak or burrow."""
    cloak: np.ndarray
    buffs: np.ndarray
    cargo: np.ndarray
    cargo_max: np.ndarray

    def __init__(self, relations: Relations, place: int, rows: np.ndarray) -> None:
        """Of the battle at this place of `relations`; `rows` int: rows of the scene, rising."""
        self._relations, self._place, self.rows = relations, place, rows
        self.scene, self.b = relations.scene, relations.battles[place]
        first, count = (int(rows[0]), len(rows)) if len(rows) else (0, 0)
        unbroken = bool(count) and int(rows[-1]) - first + 1 == count  # nobody is missing: no need to copy
        self._part = slice(first, first + count) if unbroken else None

    def __len__(self) -> int:
        return len(self.rows)

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in PLAIN:
            raise AttributeError(name)
        found = self.__dict__[name] = self.of(getattr(self.scene, name))
        return found

    def of(self, array: np.ndarray) -> np.ndarray:
        """These units' part of an array [B, N]."""
        return self._among(array[self.b])

    def _among(self, mine: np.ndarray) -> np.ndarray:
        """Their part of an array [N]."""
        return mine.take(self.rows) if self._part is None else mine[self._part]  # a third of array[b, rows]

    @cached_property
    def tags(self) -> list[int]:
        """The client's tags."""
        return self.of(self.scene.tag).tolist()

    @cached_property
    def kind(self) -> np.ndarray:
        """i8 [n]: numbers of `Kinds`."""
        return self.of(self.scene.kind)

    @cached_property
    def xy(self) -> np.ndarray:
        """f4 [n, 2]: positions in cells."""
        xy = np.empty((len(self), 2), np.float32)
        xy[:, 0], xy[:, 1] = self.of(self.scene.x), self.of(self.scene.y)
        return xy

    @cached_property
    def _life(self) -> tuple[np.ndarray, ...]:
        return tuple(self._among(array[self._place]) for array in self._relations.life)

    @property
    def hp(self) -> np.ndarray:
        """f4 [n]: life and shields."""
        return self._life[0]

    @property
    def hp_max(self) -> np.ndarray:
        """f4 [n]: the same when nothing is lost."""
        return self._life[1]

    @cached_property
    def level(self) -> np.ndarray:
        """f4 [n]: factor on damage from weapon upgrades."""
        return level(self.of(self.scene.attack_level))

    @cached_property
    def armor(self) -> np.ndarray:
        """[n]: armour added by upgrades, points a hit."""
        return self.of(self.scene.armor_level)

    @cached_property
    def stimmed(self) -> np.ndarray:
        """bool."""
        return (self.buffs & HASTE) != 0


def level(upgrades: np.ndarray) -> np.ndarray:
    """f4: factor on damage from so many levels of weapon upgrades."""
    return np.float32(1.0) + np.float32(PER_LEVEL) * upgrades


def haste(stimmed: np.ndarray) -> np.ndarray:
    """f4: factor on speed and attack rate."""
    return np.where(stimmed, np.float32(STIM_SPEED), np.float32(1.0))


def life(hp: np.ndarray, hp_max: np.ndarray, shield: np.ndarray, shield_max: np.ndarray) -> tuple[np.ndarray, ...]:
    """f4: (life and shields, the same when nothing is lost)."""
    most = hp_max + shield_max
    known = most > 0
    left = np.maximum(np.where(known, hp + shield, np.float32(UNSEEN_HP)), np.float32(1.0))
    return left, np.where(known, most, np.float32(UNSEEN_HP))
