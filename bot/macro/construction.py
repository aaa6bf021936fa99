"""Raising structures: one job each, from the wish to the laid foundation, and what keeps it going after that."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.facts import NORMAL_TO_FASTER, Cost
from bot.knowledge.model import LOOPS_PER_SECOND, Knowledge
from bot.macro.bank import Bank
from bot.macro.layout import KIND_OF, Kind
from bot.macro.placement import Placement
from bot.macro.techtree import ALIASES, REQUIRES
from bot.orders import Build, Move, Order, Stop

ADDON_OFFSET = Point2((2.5, -0.5))
DETOUR = 1.3
"""Ways are so much longer than the straight line: round corners, down ramps."""
URGENT = frozenset({UnitTypeId.SUPPLYDEPOT, UnitTypeId.BUNKER, UnitTypeId.COMMANDCENTER})
"""Structures that come before units even while the army is behind."""
QUERY_AT_ONCE = 8
"""Places asked about in one query; the first free one is taken."""


@dataclass(slots=True)
class Job:
    """One structure to be raised."""

    product: UnitTypeId
    near: Point2 | None = None
    place: Point2 | None = None
    geyser: int | None = None
    """Tag of the geyser for a refinery."""
    builder: int | None = None
    ordered: int | None = None
    """The loop in which the builder was first told to build."""
    at: Point2 | None = None
    """Where the builder was when it last moved, and `since` when."""
    since: int = 0
    paid: bool = False
    """The builder carries the order: the game takes the price when it is given, before the structure stands."""


class Construction:
    """Keeps the jobs; the only part that hands SCVs to structures."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self.jobs: list[Job] = []
        self._config = load("macro")["construction"]

    def pending(self, product: UnitTypeId) -> int:
        """Jobs whose structure does not stand yet."""
        return sum(job.product is product for job in self.jobs)

    def builders(self) -> set[int]:
        """Tags of SCVs on their way to a place."""
        return {job.builder for job in self.jobs if job.builder is not None}

    def request(self, product: UnitTypeId, near: Point2 | None = None) -> None:
        """Ask for one more structure; it gets a place, a builder and its money in the next steps.

        Depots are paid for before everything else: without supply the rest is of no use.
        """
        first = 0 if product is UnitTypeId.SUPPLYDEPOT else len(self.jobs)
        self.jobs.insert(first, Job(product, near=near))

    def drop(self, product: UnitTypeId) -> None:
        """Give up jobs for a structure that are not paid for; their builders are free again."""
        self.jobs = [job for job in self.jobs if job.product is not product or job.paid]

    def reserve(self, bank: Bank, knowledge: Knowledge, income: float, *, urgent: bool | None = None) -> Bank:
        """Set aside the money of jobs that are not paid for: the urgent ones, the others, or (None) all.

        `income` is minerals per loop.
        """
        for job in self.jobs:
            if not job.paid and urgent in (None, job.product in URGENT):
                bank = bank.pay(self._kept(job, knowledge, income))
        return bank

    def _kept(self, job: Job, knowledge: Knowledge, income: float) -> Cost:
        """What has to be set aside now: what will not come in by itself until the structure's requirement stands."""
        cost = knowledge.facts.cost(job.product)
        wait = until_allowed(job.product, knowledge)
        if wait <= 0.0:
            return Cost(cost.minerals, cost.gas)
        share = max(0.0, 1.0 - self._config["earned"] * income * wait / max(cost.minerals, 1))
        return Cost(int(share * cost.minerals), int(share * cost.gas))

    async def step(self, knowledge: Knowledge, free_workers: list[Unit], income: float) -> list[Order]:
        """Orders that carry the jobs on. `free_workers` may be taken; `income` is minerals per loop."""
        orders: list[Order] = self._settle(knowledge)
        for job in self.jobs:
            if job.place is None:
                await self._find_place(job, knowledge)
        self.jobs = [job for job in self.jobs if job.place is not None]
        bank = Bank(knowledge.minerals, knowledge.gas, 0.0)
        free = {worker.tag: worker for worker in free_workers}
        for job in self.jobs:
            if job.paid:
                continue
            cost = knowledge.facts.cost(job.product)
            price = Cost(cost.minerals, cost.gas)
            orders += self._carry_on(job, knowledge, free, bank, price, income)
            bank = bank.pay(self._kept(job, knowledge, income))
        return orders

    def _settle(self, knowledge: Knowledge) -> list[Order]:
        """Drop the jobs whose structure stands; those that failed look for another place, their builder stops."""
        orders: list[Order] = []
        if not self.jobs:
            return orders
        wanted = {job.product for job in self.jobs}
        standing = {
            (kind, unit.position.rounded)
            for unit in knowledge.own.structures
            if (kind := ALIASES.get(unit.type_id, unit.type_id)) in wanted and not unit.is_flying
        }
        refused = {error.unit_tag for error in knowledge.bot.state.action_errors}
        left = []
        for job in self.jobs:
            if job.place is not None and (job.product, job.place.rounded) in standing:
                continue
            builder = knowledge.own.by_tag.get(job.builder) if job.builder is not None else None
            if builder is None:
                job.builder = job.ordered = None
            job.paid = builder is not None and job.ordered is not None and builder.is_constructing_scv
            if job.product is UnitTypeId.REFINERY and job.place is not None:
                job.geyser = _geyser_at(job.place, knowledge)
            if job.place is not None and builder is not None and self._has_failed(job, builder, knowledge, refused):
                self.placement.mark_bad(job.place, knowledge.loop)
                orders.append(Stop(builder.tag))
                job.place = job.builder = job.ordered = job.geyser = job.at = None
                job.paid = False
            left.append(job)
        self.jobs = left
        return orders

    def _has_failed(self, job: Job, builder: Unit, knowledge: Knowledge, refused: set[int]) -> bool:
        """The builder was told to build but does something else, and nothing stands."""
        if job.ordered is None:
            return False
        if job.paid:
            if job.at is None or builder.position.distance_to(job.at) > 1.0:
                job.at, job.since = builder.position, knowledge.loop
            return knowledge.loop - job.since > self._config["give_up"] * LOOPS_PER_SECOND
        late = knowledge.loop - job.ordered > self._config["patience"] * LOOPS_PER_SECOND
        return late or builder.tag in refused

    async def _find_place(self, job: Job, knowledge: Knowledge) -> None:
        if job.product is UnitTypeId.REFINERY:
            self._find_geyser(job, knowledge)
            return
        reserved = [(other.product, other.place) for other in self.jobs if other.place is not None]
        points = self.placement.candidates(job.product, knowledge, reserved, job.near)[:QUERY_AT_ONCE]
        if not points:
            return
        data = knowledge.bot.game_data.units[job.product.value].creation_ability
        client = knowledge.bot.client
        good = await client._query_building_placement_fast(data.exact_id, points)
        if KIND_OF.get(job.product) is Kind.PRODUCTION and any(good):
            depot = knowledge.bot.game_data.units[UnitTypeId.SUPPLYDEPOT.value].creation_ability
            room = await client._query_building_placement_fast(depot.exact_id, [p + ADDON_OFFSET for p in points])
            good = [a and b for a, b in zip(good, room, strict=True)]
        for point, free in zip(points, good, strict=True):
            if free:
                job.place = Point2(point)
                return
            if not (job.product is UnitTypeId.COMMANDCENTER and knowledge.minerals < 300):
                self.placement.mark_bad(point, knowledge.loop)

    def _find_geyser(self, job: Job, knowledge: Knowledge) -> None:
        """The next free geyser of a finished base without enemies."""
        used = {job.place for job in self.jobs}
        for base in knowledge.bases:
            if base.townhall.build_progress < self._config["gas_at_townhall"] or knowledge.is_threatened(base):
                continue
            taken = used | {refinery.position for refinery in base.refineries}
            for geyser in base.geysers:
                empty = geyser.is_visible and geyser.vespene_contents <= 0
                refused = self.placement.is_bad(geyser.position, knowledge.loop)
                if not (empty or refused or geyser.position in taken):
                    job.place, job.geyser = geyser.position, geyser.tag
                    return

    def _carry_on(
        self, job: Job, knowledge: Knowledge, free: dict[int, Unit], bank: Bank, price: Cost, income: float
    ) -> list[Order]:
        assert job.place is not None
        affordable = bank.affords(price) and until_allowed(job.product, knowledge) <= 0.0
        if job.builder is None:
            walk = nearest(free.values(), job.place)
            if walk is None:
                return []
            worker, distance = walk[0], walk[1] * DETOUR
            loops = distance / (worker.movement_speed * NORMAL_TO_FASTER / LOOPS_PER_SECOND)
            soon = (price.minerals - bank.minerals) <= income * loops and bank.gas >= price.gas * 0.8
            if not affordable and not (soon and until_allowed(job.product, knowledge) <= loops):
                return []
            job.builder = worker.tag
            del free[worker.tag]
        if affordable:
            job.ordered = job.ordered if job.ordered is not None else knowledge.loop
            target = job.geyser if job.geyser is not None else (job.place.x, job.place.y)
            return [Build(job.builder, target, product=job.product)]
        return [Move(job.builder, (job.place.x, job.place.y))]


def _geyser_at(place: Point2, knowledge: Knowledge) -> int | None:
    """The geyser's tag now: it changes when the geyser comes into sight."""
    return next((g.tag for base in knowledge.bases for g in base.geysers if g.position == place), None)


def nearest(workers: Iterable[Unit], place: Point2) -> tuple[Unit, float] | None:
    """(worker, distance) of the nearest; carrying something counts as a few cells more."""
    best: tuple[Unit, float] | None = None
    for worker in workers:
        distance = worker.position.distance_to(place) + (3.0 if worker.is_carrying_resource else 0.0)
        if best is None or distance < best[1]:
            best = (worker, distance)
    return best


def until_allowed(product: UnitTypeId, knowledge: Knowledge) -> float:
    """Loops until a structure's tech requirement stands: 0 once it does, infinite while nobody builds it."""
    need = REQUIRES.get(product)
    if need is None:
        return 0.0
    progress = max(
        (
            unit.build_progress
            for kind, units in knowledge.own.by_type.items()
            if ALIASES.get(kind, kind) is need
            for unit in units
        ),
        default=None,
    )
    return math.inf if progress is None else (1.0 - progress) * knowledge.facts[need].build_loops
