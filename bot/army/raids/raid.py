"""What all raids share: their state, what they know of the moment, and the judgements they have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from loguru import logger
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId

from bot.army import predict
from bot.army.raids import danger, route
from bot.army.raids.danger import Danger
from bot.knowledge.model import LOOPS_PER_SECOND
from bot.micro.scene import ALLIED_CLOAK, CASTING, NEEDS
from bot.micro.task import Mode, Task

if TYPE_CHECKING:
    from bot.knowledge.model import Knowledge
    from bot.micro.battlefield import Battlefield
    from bot.strategy.plan import Plan

Point = tuple[float, float]
SCANNED = 13.0
"""Radius of a scan (cells, 5.0.14 effect tables)."""
SCAN = EffectId.SCANNERSWEEP.value
HAS_NUKE = NEEDS.index("NUKE")
SNAP = 8.0
"""A new way is planned when the goal has moved by this (cells)."""


class Phase(Enum):
    """Where a raid stands."""

    GATHER = "gathers"
    BOARD = "boards"
    TRAVEL = "goes"
    STRIKE = "strikes"
    PICK_UP = "picks up"
    LEAVE = "leaves"
    DONE = "is over"


@dataclass(slots=True)
class Raid:
    """One group on its way to one place. `line` is what it strikes, `base` the town hall beside it."""

    kind: str
    tags: set[int]
    base: Point
    line: Point
    home: Point
    begun: int
    phase: Phase = Phase.GATHER
    since: int = 0
    """Loop in which the phase began."""
    useful: int = 0
    """Loop in which there was last something to strike."""
    hit: int = -10_000
    """Loop in which it last lost life under cloak: somebody sees it."""
    life: float = 0.0
    way: list[Point] = field(default_factory=list)
    planned: int = -10_000
    soldiers: set[int] = field(default_factory=set)
    """Those who ride, in a drop; `tags` holds them too."""

    def turn(self, phase: Phase, loop: int, reason: str) -> None:
        """To another phase; the reason is for the log."""
        if phase is not self.phase:
            minutes, seconds = divmod(int(loop / LOOPS_PER_SECOND), 60)
            logger.info("{:02d}:{:02d} {} {}: {}", minutes, seconds, self.kind, phase.value, reason)
            self.phase, self.since = phase, loop
            self.useful = max(self.useful, loop)

    def lasted(self, loop: int) -> float:
        """Seconds in this phase."""
        return (loop - self.since) / LOOPS_PER_SECOND


@dataclass(slots=True)
class Moment:
    """What raids see in one step. Grids of danger are made when first asked for."""

    knowledge: Knowledge
    plan: Plan
    field: Battlefield
    config: Mapping[str, Any]
    """The table `raids` of army.toml."""
    rows: dict[int, int]
    """Row of each own unit by tag."""
    grids: dict[int, Danger] = field(default_factory=dict)
    may_plan: bool = True
    """One way is planned a step at most: they take a few milliseconds."""

    @property
    def loop(self) -> int:
        """The game loop of this step."""
        return self.knowledge.loop

    def danger(self, cell: int) -> Danger:
        """The grid with squares of this size."""
        if cell not in self.grids:
            self.grids[cell] = danger.look(self.knowledge, self.config["danger"], cell)
        return self.grids[cell]

    def rows_of(self, tags: Sequence[int] | set[int]) -> np.ndarray:
        """int [k]: rows of those of these units that are on the map."""
        return np.array(sorted(self.rows[tag] for tag in tags if tag in self.rows), np.int64)

    def centre(self, rows: np.ndarray) -> Point:
        """The mean place (cells) of these rows; there must be one at least."""
        x, y = self.field.own.xy[rows].mean(axis=0).tolist()
        return x, y

    def kind_of(self, row: int) -> UnitTypeId:
        """The type of one of our units by its row."""
        return self.field.kinds.type_of(int(self.field.own.kind[row]))


def present(raid: Raid, m: Moment, rules: Mapping[str, Any], tags: set[int]) -> tuple[np.ndarray, Point] | None:
    """(rows, mean place) of those of `tags` who are on the map; None where the raid is over: nobody is left of them, or
    they are home again and carry nobody."""
    rows = m.rows_of(tags)
    if not rows.size:
        raid.turn(Phase.DONE, m.loop, "nobody is left")
        return None
    place = m.centre(rows)
    back = raid.phase is Phase.LEAVE and apart(place, raid.home) <= rules["back"]
    if back and not m.field.own.cargo[rows].any():
        raid.turn(Phase.DONE, m.loop, "home again")
        return None
    return rows, place


def apart(a: Point, b: Point) -> float:
    """Cells between two points."""
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def follow(raid: Raid, m: Moment, place: Point, goal: Point, *, flying: bool, cloaked: bool = False) -> Point:
    """The next point on the way to the goal, planned anew every `replan` seconds or when the goal moves; `place` itself
    while the way is not planned yet. It avoids fire and sight; for who is `cloaked` fire counts little
    where nobody detects."""
    rules = m.config["route"]
    old = m.loop - raid.planned >= rules["replan"] * LOOPS_PER_SECOND
    new_goal = not raid.way or apart(raid.way[-1], goal) > SNAP
    if (old or new_goal) and m.may_plan:
        m.may_plan = False
        known = m.danger(rules["cell"] if flying else rules["ground_cell"])
        make = route.air_cost if flying else route.ground_cost
        raid.way = route.find(place, goal, make(known, m.knowledge.terrain, rules, cloaked=cloaked), known.cell)
        raid.planned = m.loop
    if not raid.way or apart(raid.way[-1], goal) > SNAP:
        return place  # the way comes with the next steps
    return route.ahead(raid.way, place, rules["ahead"])


def travel(tags: Sequence[int] | set[int], point: Point, allows: int = 0) -> dict[int, Task]:
    """To the point without looking for a fight: who shoots does it on the run."""
    return dict.fromkeys(tags, Task(Mode.RETREAT, point, point, point, allows))


def pressure(rows: np.ndarray, m: Moment, margin: float) -> float:
    """Damage a second of all enemies (workers aside) that reach one of these rows, or lack at most `margin` cells."""
    if not rows.size or not len(m.field.foe):
        return 0.0
    reach = m.field.foe_reach[rows]
    near = (reach >= 0) & (m.field.gap[rows] <= reach + margin)
    worst = np.where(near, m.field.foe_dps[rows], 0.0).max(axis=0)
    return float((worst * ~m.field.kinds.worker[m.field.foe.kind]).sum())


def seen_through(raid: Raid, rows: np.ndarray, m: Moment) -> bool:
    """Whether cloak hides these rows no more: a detector or a scan covers them, or they lose life all the same."""
    own, foe = m.field.own, m.field.foe
    cloaked = rows[own.cloak[rows] == ALLIED_CLOAK]
    life = float(own.hp[cloaked].sum())
    if cloaked.size and life < raid.life - 1.0 and cloaked.size == rows.size:
        raid.hit = m.loop
    raid.life = life
    if (m.loop - raid.hit) / LOOPS_PER_SECOND < m.config["forget_hit"]:
        return True
    eyes = np.flatnonzero(foe.detect > 0)
    if eyes.size and rows.size:
        gap = np.hypot(*(own.xy[rows][:, None, :] - foe.xy[None, eyes, :]).transpose(2, 0, 1))
        if (gap <= foe.detect[eyes] + 1.0).any():
            return True
    effects = m.knowledge.bot.state.effects  # by number: the client's enum lacks some
    scans = [e for e in effects if getattr(e._proto, "effect_id", 0) == SCAN and not e.is_mine]
    place = m.centre(rows)
    return any(apart(place, (p.x, p.y)) <= SCANNED for scan in scans for p in scan.positions)


def prey(raid: Raid, place: Point, m: Moment, radius: float) -> Point | None:
    """The worker nearest to `place` among those so near to the raid's line; None without any."""
    foe = m.field.foe
    workers = foe.xy[m.field.kinds.worker[foe.kind]]
    workers = workers[np.hypot(workers[:, 0] - raid.line[0], workers[:, 1] - raid.line[1]) <= radius]
    if not len(workers):
        return None
    x, y = workers[np.hypot(workers[:, 0] - place[0], workers[:, 1] - place[1]).argmin()].tolist()
    return x, y


def odds(rows: np.ndarray, place: Point, m: Moment, army: Mapping[str, Any], radius: float) -> float:
    """Predicted outcome (`predict.ratio`) of a fight of these rows against the enemies remembered within `radius` cells
    of the place; those that move are remembered for `engage.memory` seconds."""
    oldest = m.loop - army["engage"]["memory"] * LOOPS_PER_SECOND
    near = [
        s
        for s in m.knowledge.enemy.memory.values()
        if (s.is_structure or s.loop >= oldest) and apart((s.position[0], s.position[1]), place) <= radius
    ]
    own = predict.own_force(m.field, rows, army["predict"])
    foe = predict.seen_force(near, m.field.kinds, m.loop, army["predict"])
    return predict.ratio(own, foe, m.field.kinds, army["predict"])


def has_missile(m: Moment) -> bool:
    """Whether a nuclear missile is ready."""
    return bool(m.field.scene.researched[m.field.b, HAS_NUKE])


def aiming(rows: np.ndarray, m: Moment) -> bool:
    """Whether one of these rows carries out a cast that a new order would break off (an aimed shot, a jump)."""
    scene = m.field.scene
    return bool((scene.order[m.field.b, m.field.own.rows[rows]] == CASTING).any())


Step = Callable[[Raid, Moment, Mapping[str, Any], Mapping[str, Any]], dict[int, Task]]
"""A kind of raid: (raid, moment, its own table, the whole army table) -> tasks by tag."""
