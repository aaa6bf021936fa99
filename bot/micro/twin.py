"""The scripted twin: Scene and tasks in, orders out, one battle at a time. It plays, teaches, and is the fallback."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from bot.config import load
from bot.micro import masks
from bot.micro.battlefield import Battlefield, Relations
from bot.micro.geometry import geometry
from bot.micro.moment import Memory, Moment, look
from bot.micro.scene import MORPHING, Scene
from bot.micro.scripted import rules_of
from bot.micro.task import Tasks
from bot.orders import Order

Report = Callable[[Exception], object]
PART = 1 << 16  # pairs of units that are surveyed at once: so many fit into the processor's cache


class Twin:
    """Keeps what the rules remember between steps: `memories[b]` for each battle of the scenes it sees."""

    def __init__(self, count: int = 1, config: Mapping[str, Any] | None = None) -> None:
        self.config = load("micro") if config is None else config
        self.memories = [Memory() for _ in range(count)]

    def reset(self, battles: Sequence[int]) -> None:
        """These battles begin anew."""
        for b in battles:
            self.memories[b] = Memory()

    def orders(
        self,
        scene: Scene,
        tasks: Tasks,
        verbs: np.ndarray,
        targets: np.ndarray,
        battles: Sequence[int] | None = None,
        report: Report | None = None,
        field: Battlefield | None = None,
    ) -> list[dict[int, list[Order]]]:
        """For each of these battles (default: all) the orders of every agent with a task, by its row.

        `verbs`, `targets` are the scene's masks (`masks.legal`, or the columns of its `Tables`). `report` is told of a
        fault in one unit's rule, which stops only that unit; the default lets faults through. `field` is that of the
        scene's only battle, if it was made already.
        """
        chosen = list(range(len(scene)) if battles is None else battles)
        if field:
            parts = [field.relations]
        else:
            size = max(PART // max(scene.agents * (scene.tag.shape[1] - scene.agents), 1), 1)
            parts = [Relations(scene, chosen[low : low + size]) for low in range(0, len(chosen), size)]
        for b in chosen:
            self.memories[b].forget(frozenset(scene.tag[b, : scene.agents].tolist()))
        moments = (look(part, tasks, verbs, targets, self.config, self.memories) for part in parts)
        return [orders(moment, report) for found in moments for moment in found]

    def decide(self, scene: Scene, tasks: Tasks, battles: Sequence[int] | None = None) -> list[dict[int, list[Order]]]:
        """`orders` with masks of its own."""
        verbs, targets, _ = masks.legal(scene, tasks, geometry(scene))
        return self.orders(scene, tasks, verbs, targets, battles)


def orders(moment: Moment, report: Report | None = None) -> dict[int, list[Order]]:
    """One battle's orders; see `Twin.orders`."""
    given: dict[int, list[Order]] = {}
    rules, rows = rules_of(moment.field.kinds), moment.field.own.rows.tolist()
    for i, (row, task, kind, order) in enumerate(zip(rows, moment.tasks, moment.kinds, moment.order, strict=True)):
        if task is None:
            continue
        try:  # who changes its shape gets no orders: they would only wait
            given[row] = [] if order == MORPHING else rules[kind](moment, i, task)
        except Exception as error:
            if report is None:
                raise
            report(error)
            given[row] = []
    return given
