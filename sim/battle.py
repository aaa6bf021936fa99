"""Many battles stepped together: arrays in, arrays out, no Python per unit.

All battles share one ground and one set of facts; everything else is per battle, so results depend neither on how many
there are nor on the number of threads. A battle's start is a `World` that serves as template.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses

import numpy as np

from sim.engine import state
from sim.engine.jit import rule
from sim.engine.step import step_world
from sim.engine.world import World, first_rng

_SHARED = ("types", "weapons", "buffs", "walk", "levels", "creep")
_SCRATCH = ("spots", "buckets", "queue", "near")
ORDER_DEPTH = 4  # orders a unit can hold here
# rows that one battle keeps of tables which are longer in a whole game
_ROWS = {"eyes": 64, "missiles": 128, "events": 256}
UNDECIDED, NOBODY = 0, -1


@rule
def step_range(
    first,
    last,
    loops,
    worlds,
    units,
    orders,
    jobs,
    players,
    types,
    weapons,
    buffs,
    walk,
    levels,
    creep,
    visibility,
    eyes,
    missiles,
    events,
    spots,
    buckets,
    fields,
    distance,
    corner,
    queue,
    near,
):
    """Play so many loops of the battles first..last-1. Arrays as `World.arrays` with the battle as first axis, but for
    the shared ones and the scratch memory."""
    for k in range(first, last):
        for _ in range(loops):
            worlds[k, 0].event_count = 0
            step_world(
                worlds[k],
                units[k],
                orders[k],
                jobs[k],
                players[k],
                types,
                weapons,
                buffs,
                walk,
                levels,
                creep,
                visibility[k],
                eyes[k],
                missiles[k],
                events[k],
                spots,
                buckets,
                fields[k],
                distance[k],
                corner[k],
                queue,
                near,
            )


class Battles:
    """`count` battles on the template's ground.

    `units` UNIT[count, slots], `orders` ORDER[count, slots, ORDER_DEPTH] and `worlds` WORLD[count, 1] may be read and
    written between steps.
    """

    def __init__(self, template: World, count: int, *, seed: int, threads: int = 1) -> None:
        self.count = count
        self.threads = max(1, min(threads, count))
        self._first = _trimmed(template)
        self._arrays: dict[str, np.ndarray] = {}
        for field in dataclasses.fields(World):
            array = self._first[field.name]
            if field.name in _SHARED or field.name in _SCRATCH:
                self._arrays[field.name] = array
            else:
                self._arrays[field.name] = np.zeros((count, *array.shape), array.dtype)
        self.worlds = self._arrays["world"]
        self.units = self._arrays["units"]
        self.orders = self._arrays["orders"]
        self._scratch = [{name: self._first[name].copy() for name in _SCRATCH} for _ in range(self.threads)]
        self._pool = concurrent.futures.ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(np.arange(count), seed + np.arange(count))

    def reset(self, battles: np.ndarray, seeds: np.ndarray, template: World | None = None) -> None:
        """Start battles anew in place, from another template of the same shapes if one is given."""
        source = self._first if template is None else _trimmed(template)
        for name, array in self._arrays.items():
            if name not in _SHARED and name not in _SCRATCH:
                array[battles] = source[name]
        starts = [first_rng(int(seed)) for seed in seeds]
        self.worlds["rng"][battles, 0] = starts
        self.worlds["salt"][battles, 0] = [start & 0xFFFFFFFF for start in starts]

    def issue(
        self,
        battles: np.ndarray,
        slots: np.ndarray,
        verbs: np.ndarray,
        targets: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
    ) -> None:
        """Give one order to each of m units, all arrays [m]: `state` verb, target slot or -1, point in cells.

        An order that equals the present one changes nothing; any other replaces all orders of the unit.
        """
        rows = np.zeros(len(battles), state.ORDER)
        rows["ability"], rows["timer"] = 1, -1
        rows["verb"], rows["target"], rows["x"], rows["y"] = verbs, targets, x, y
        rows["x2"], rows["y2"] = self.units["x"][battles, slots], self.units["y"][battles, slots]
        rows["target_generation"] = np.where(targets >= 0, self.units["generation"][battles, targets], 0)
        now = self.orders[battles, slots, 0]
        same = (self.units["order_count"][battles, slots] > 0) & (now["verb"] == rows["verb"])
        same &= now["target"] == rows["target"]
        same &= (rows["target"] >= 0) | ((now["x"] == rows["x"]) & (now["y"] == rows["y"]))
        new = ~same & (self.units["alive"][battles, slots] == 1)
        self.orders[battles[new], slots[new], 0] = rows[new]
        self.units["order_count"][battles[new], slots[new]] = 1

    def step(self, loops: int = 8) -> None:
        """Play loops of all battles."""
        edges = np.linspace(0, self.count, self.threads + 1).astype(int)
        parts = list(zip(edges[:-1].tolist(), edges[1:].tolist(), self._scratch, strict=True))
        if self._pool is None:
            self._play(loops, *parts[0])
        else:
            list(self._pool.map(lambda part: self._play(loops, *part), parts))

    def _play(self, loops: int, first: int, last: int, scratch: dict[str, np.ndarray]) -> None:
        arrays = {**self._arrays, **scratch}
        step_range(first, last, loops, *(arrays[field.name] for field in dataclasses.fields(World)))

    def winners(self) -> np.ndarray:
        """i1[count]: the owner who alone has units left that are no structures, UNDECIDED, or NOBODY."""
        fighting = (self.units["alive"] == 1) & (self.units["flags"] & state.STRUCTURE == 0)
        one = (fighting & (self.units["owner"] == 1)).any(axis=1)
        two = (fighting & (self.units["owner"] == 2)).any(axis=1)
        return np.select([one & two, one, two], [UNDECIDED, 1, 2], NOBODY).astype(np.int8)


def _trimmed(template: World) -> dict[str, np.ndarray]:
    """Copies of a template's arrays with the shorter tables of battles; shared arrays stay the template's own."""
    arrays = {}
    for field in dataclasses.fields(World):
        array = getattr(template, field.name)
        if field.name in _SHARED:
            arrays[field.name] = array
        elif field.name == "orders":
            arrays[field.name] = array[:, :ORDER_DEPTH].copy()
        else:
            arrays[field.name] = array[: _ROWS.get(field.name, len(array))].copy()
    return arrays
