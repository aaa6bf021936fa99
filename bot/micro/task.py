"""What a mission asks of one unit. Micro decides how; it never decides whether to fight a battle at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

Point = tuple[float, float]


class Mode(Enum):
    """How a unit treats enemies on its way."""

    FIGHT = "fight"
    """Go to the point and fight what is met."""
    HOLD = "hold"
    """Stay about the point, fight what comes into reach."""
    RETREAT = "retreat"
    """Get to the point; shoot only where that costs nothing."""


MODES: tuple[Mode, ...] = tuple(Mode)
"""A mode's place here is its number in `Tasks.mode`."""
NO_TASK = -1
CLOAK, NUKE, JUMP, DROP = 1, 2, 4, 8
"""Bits of `Task.allows`: going under cloak, calling down a nuke, jumping in, taking units aboard."""


@dataclass(frozen=True, slots=True)
class Task:
    """One unit's part in a mission.

    `point` is where it should be going, `home` where safety lies, `middle` the middle of its squad's ground fighters.
    `allows` names what only some missions want (bits CLOAK, NUKE, JUMP, DROP); everything else is always allowed.
    """

    mode: Mode
    point: Point
    home: Point
    middle: Point
    allows: int = 0


class Tasks(NamedTuple):
    """The tasks of all agents of a scene, as arrays."""

    mode: np.ndarray
    """i1 [B, A]: places in `MODES`, NO_TASK for who has none (and gets no orders)."""
    point: np.ndarray
    """f4 [B, A, 2], as `home` and `middle`."""
    home: np.ndarray
    middle: np.ndarray
    allows: np.ndarray
    """u1 [B, A]: bits."""

    def lists(self) -> list[list[Task | None]]:
        """The tasks as values, by battle."""
        count, agents = self.mode.shape
        if not agents:
            return [[] for _ in range(count)]
        numbers = np.concatenate(
            (self.point, self.home, self.middle, self.mode[..., None], self.allows[..., None]), axis=-1
        )
        alike = (numbers == numbers[:, :1]).all(axis=(1, 2)).tolist()  # mostly: everybody goes for the same thing
        return [
            [_task(*numbers[k, 0].tolist())] * agents if same else [_task(*row) for row in numbers[k].tolist()]
            for k, same in enumerate(alike)
        ]


DTYPES = (np.int8, np.float32, np.float32, np.float32, np.uint8)
"""Of the arrays of `Tasks`."""


def _task(*numbers: float) -> Task | None:
    *places, mode, allows = numbers
    if mode == NO_TASK:
        return None
    point, home, middle = zip(places[::2], places[1::2], strict=True)
    return Task(MODES[int(mode)], point, home, middle, int(allows))


def gather(tags: Sequence[int], tasks: Mapping[int, Task]) -> Tasks:
    """The tasks of one battle's agents, by tag; arrays with B = 1."""
    given = list(map(tasks.get, tags))
    ids = list(map(id, given))
    listed = dict(zip(ids, given, strict=True)) or {id(None): None}  # mostly few: a squad shares one
    place = dict(zip(listed, range(len(listed)), strict=True))
    rows = np.array([list(map(place.__getitem__, ids))], np.int64)
    columns = zip(*map(_numbers, listed.values()), strict=True)
    return Tasks(*(np.array(c, dtype).take(rows, axis=0) for c, dtype in zip(columns, DTYPES, strict=True)))


def _numbers(task: Task | None) -> tuple[int, Point, Point, Point, int]:
    """A task's row in the arrays of `Tasks`."""
    if task is None:
        return NO_TASK, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), 0
    return MODES.index(task.mode), task.point, task.home, task.middle, task.allows


def same(shape: tuple[int, int], task: Task) -> Tasks:
    """Everybody has the same task; arrays of this shape (B, A)."""
    places = (np.broadcast_to(np.array(p, np.float32), (*shape, 2)) for p in (task.point, task.home, task.middle))
    mode = np.full(shape, MODES.index(task.mode), np.int8)
    point, home, middle = places
    return Tasks(mode, point, home, middle, np.full(shape, task.allows, np.uint8))
