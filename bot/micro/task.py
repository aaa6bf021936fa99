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

    def of(self, b: int, agents: Sequence[int]) -> list[Task | None]:
        """The tasks of a battle's agents as values."""
        if not len(agents):
            return []
        mine = [array[b].take(agents, axis=0) for array in self]
        if all(array.tobytes() == array[:1].tobytes() * len(array) for array in mine):
            mine = [array[:1] for array in mine]  # mostly: everybody goes for the same thing
        given = zip(*(array.tolist() for array in mine), strict=True)
        tasks = [Task(MODES[m], (*p,), (*h,), (*c,), bits) if m != NO_TASK else None for m, p, h, c, bits in given]
        return tasks * (len(agents) // len(tasks))


def gather(tags: Sequence[int], tasks: Mapping[int, Task]) -> Tasks:
    """The tasks of one battle's agents, by tag; arrays with B = 1."""
    listed = list({id(task): task for task in tasks.values()}.values())  # mostly few: a squad shares one
    place = {id(task): row for row, task in enumerate(listed)}
    rows = [[place[id(tasks[tag])] if tag in tasks else len(listed) for tag in tags]]
    nowhere = (0.0, 0.0)
    columns = (
        np.array([*(MODES.index(task.mode) for task in listed), NO_TASK], np.int8),
        *(
            np.array([*(getattr(task, name) for task in listed), nowhere], np.float32)
            for name in ("point", "home", "middle")
        ),
        np.array([*(task.allows for task in listed), 0], np.uint8),
    )
    return Tasks(*(column.take(rows, axis=0) for column in columns))


def same(shape: tuple[int, int], task: Task) -> Tasks:
    """Everybody has the same task; arrays of this shape (B, A)."""
    places = (np.broadcast_to(np.array(p, np.float32), (*shape, 2)) for p in (task.point, task.home, task.middle))
    mode = np.full(shape, MODES.index(task.mode), np.int8)
    point, home, middle = places
    return Tasks(mode, point, home, middle, np.full(shape, task.allows, np.uint8))
