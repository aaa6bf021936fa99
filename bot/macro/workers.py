"""Who mines what: workers spread over fields and refineries, new bases filled, danger left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND, Base, Knowledge
from bot.macro.mining import Steering, Trip, trip_of
from bot.orders import Gather, Order, Return

INSIDE = 3 * LOOPS_PER_SECOND
"""Loops for which a gas worker that is not seen counts as inside its refinery: it stays for less than two seconds."""


@dataclass(frozen=True, slots=True)
class Post:
    """A place to work at: a mineral field, or a refinery."""

    position: Point2
    base: Point2
    is_gas: bool
    room: int
    """How many workers it takes."""


class Workers:
    """Keeps each worker's post by tag; posts are named by their position, which outlives changing tags."""

    def __init__(self) -> None:
        self._config = load("macro")["workers"]
        self._post: dict[int, Post] = {}
        self._seen: dict[int, int] = {}
        """Loop in which each gas worker was last in the observation, which leaves out who is inside a refinery."""
        self._unsafe: dict[Point2, int] = {}
        """Bases that workers have left, and the loop until which they stay away."""
        self._steering = Steering()

    def release(self, tags: Iterable[int]) -> None:
        """These workers do something else now."""
        for tag in tags:
            self._post.pop(tag, None)

    def miners(self, knowledge: Knowledge) -> list[Unit]:
        """Workers that others may take: on minerals or idle."""
        result = []
        for worker in knowledge.own.workers:
            post = self._post.get(worker.tag)
            if (post is None or not post.is_gas) and not worker.is_constructing_scv:
                result.append(worker)
        return result

    def step(self, knowledge: Knowledge, gas_wanted: int, busy: set[int]) -> list[Order]:
        """Posts for everyone who is not in `busy`; `gas_wanted` workers go to refineries."""
        bases = self._working_bases(knowledge)
        posts = self._posts(bases, gas_wanted)
        tags = _resource_tags(bases)
        workers = [w for w in knowledge.own.workers if w.tag not in busy and not w.is_constructing_scv]
        self._keep(workers, posts, knowledge)
        load_of = Counter(post.position for post in self._post.values())
        self._fill_gas(workers, posts, load_of)
        for worker in workers:
            if worker.tag not in self._post:
                self._assign(worker, posts, load_of)
        self._even_out(workers, posts, load_of)
        on_gas = [tag for tag, post in self._post.items() if post.is_gas]
        self._seen = {tag: knowledge.loop if tag in knowledge.own.by_tag else self._seen[tag] for tag in on_gas}
        return self._orders(workers, posts, tags, knowledge)

    def steer(self, knowledge: Knowledge, busy: set[int]) -> list[Order]:
        """The last cells of the way for those who mine minerals; cheap enough for every step."""
        orders: list[Order] = []
        fields = {field.position: field for base in knowledge.bases for field in base.minerals}
        self._steering.prepare(knowledge.bases)
        for worker in knowledge.own.workers:
            post = self._post.get(worker.tag)
            if post is not None and not post.is_gas and worker.tag not in busy and post.position in fields:
                orders += self._steering.step(worker, fields[post.position])
        return orders

    def _working_bases(self, knowledge: Knowledge) -> list[Base]:
        """Finished bases where it is safe to work; all finished ones if none is."""
        ready = [base for base in knowledge.bases if base.townhall.is_ready]
        for base in ready:
            if self._in_danger(base, knowledge):
                self._unsafe[base.site.position] = knowledge.loop + int(self._config["stay_away"] * LOOPS_PER_SECOND)
        safe = [base for base in ready if self._unsafe.get(base.site.position, 0) <= knowledge.loop]
        return safe or ready

    def _in_danger(self, base: Base, knowledge: Knowledge) -> bool:
        """Whether attackers stand among the workers of a base and our army there cannot hold them."""
        for threat in knowledge.threats:
            if threat.fighting_value < self._config["flee_from"]:
                continue
            middle = base.site.position.towards(base.site.mineral_centre, 3.0)
            if threat.position.distance_to(middle) > self._config["flee_radius"]:
                continue
            guards = sum(
                knowledge.facts[unit.type_id].cost.value
                for unit in knowledge.own.army
                if unit.position.distance_to(threat.position) < self._config["guard_radius"]
            )
            if guards < threat.fighting_value:
                return True
        return False

    def _posts(self, bases: Sequence[Base], gas_wanted: int) -> dict[Point2, Post]:
        posts: dict[Point2, Post] = {}
        left = gas_wanted
        for base in bases:
            for refinery in base.refineries:
                if not refinery.is_ready or refinery.vespene_contents <= 0:
                    continue
                room = min(self._config["per_refinery"], left)
                left -= room
                if room > 0:
                    posts[refinery.position] = Post(refinery.position, base.site.position, True, room)
        for base in bases:
            for field in base.minerals:
                room = self._config["per_field"]
                posts[field.position] = Post(field.position, base.site.position, False, room)
        return posts

    def _keep(self, workers: Sequence[Unit], posts: dict[Point2, Post], knowledge: Knowledge) -> None:
        """Forget posts that are gone, workers that are gone or busy, and gas workers beyond what is wanted."""
        oldest = knowledge.loop - INSIDE
        inside = {tag for tag, loop in self._seen.items() if loop >= oldest and tag not in knowledge.own.by_tag}
        here = {worker.tag for worker in workers} | inside
        load_of: Counter[Point2] = Counter()
        for tag, post in list(self._post.items()):
            now = posts.get(post.position)
            if tag not in here or now is None or (now.is_gas and load_of[post.position] >= now.room):
                del self._post[tag]
                continue
            load_of[post.position] += 1
            self._post[tag] = now

    def _fill_gas(self, workers: Sequence[Unit], posts: dict[Point2, Post], load_of: Counter[Point2]) -> None:
        """Take the nearest mineral workers for refineries that lack some."""
        for post in posts.values():
            missing = post.room - load_of[post.position] if post.is_gas else 0
            for _ in range(missing):
                candidates = [w for w in workers if (p := self._post.get(w.tag)) is None or not p.is_gas]
                if not candidates:
                    return
                worker = min(
                    candidates, key=lambda w: w.position.distance_to(post.position) + 5 * w.is_carrying_resource
                )
                self._move(worker, post, load_of)

    def _assign(self, worker: Unit, posts: dict[Point2, Post], load_of: Counter[Point2]) -> None:
        """The post with room that is nearest; without any room, the least loaded near one."""
        best: Post | None = None
        best_cost = float("inf")
        for post in posts.values():
            crowd = load_of[post.position]
            if post.is_gas:
                continue
            # Near fields bring more; a first worker on a field more than a second, a third hardly any.
            cost = worker.position.distance_to(post.position) * 0.1 + 1.5 * post.position.distance_to(post.base)
            cost += 4.0 * crowd if crowd < post.room else 60.0 + 20.0 * crowd
            if cost < best_cost:
                best, best_cost = post, cost
        if best is not None:
            self._move(worker, best, load_of)

    def _even_out(self, workers: Sequence[Unit], posts: dict[Point2, Post], load_of: Counter[Point2]) -> None:
        """Send a few surplus workers per step to posts with room elsewhere."""
        free = [post for post in posts.values() if not post.is_gas and load_of[post.position] < post.room]
        if not free:
            return
        crowded = [
            worker
            for worker in workers
            if (post := self._post.get(worker.tag)) is not None
            and not post.is_gas
            and load_of[post.position] > post.room
            and not worker.is_carrying_resource
        ]
        for worker in crowded[:4]:
            if not free:
                return
            if load_of[self._post[worker.tag].position] <= self._post[worker.tag].room:
                continue
            post = min(free, key=lambda p: worker.position.distance_to(p.position))
            self._move(worker, post, load_of)
            if load_of[post.position] >= post.room:
                free.remove(post)

    def _move(self, worker: Unit, post: Post, load_of: Counter[Point2]) -> None:
        old = self._post.get(worker.tag)
        if old is not None:
            load_of[old.position] -= 1
        self._post[worker.tag] = post
        load_of[post.position] += 1

    def _orders(
        self, workers: Sequence[Unit], posts: dict[Point2, Post], tags: dict[Point2, int], knowledge: Knowledge
    ) -> list[Order]:
        """Orders for those who do not do what their post wants."""
        orders: list[Order] = []
        fields = {tags[position] for position, post in posts.items() if not post.is_gas}
        for worker in workers:
            post = self._post.get(worker.tag)
            if post is None:
                orders += _long_distance(worker, knowledge)
                continue
            target = tags[post.position]
            trip, aim = trip_of(worker)
            if worker.is_carrying_resource:
                if trip is not Trip.HOME:
                    orders.append(Return(worker.tag))
                    orders.append(Gather(worker.tag, target, queue=True))
                continue
            elsewhere = aim != target and (post.is_gas or aim not in fields or not _near(worker, post))
            if trip is not Trip.OUT or elsewhere:
                orders.append(Gather(worker.tag, target))
        return orders


def _near(worker: Unit, post: Post) -> bool:
    """Whether the worker is at its post's base: which field of it the game gave it there does not matter."""
    return worker.position.distance_to(post.base) < 12


def _resource_tags(bases: Sequence[Base]) -> dict[Point2, int]:
    """Tag of what to gather at each post's position."""
    tags = {field.position: field.tag for base in bases for field in base.minerals}
    tags |= {refinery.position: refinery.tag for base in bases for refinery in base.refineries}
    return tags


def _long_distance(worker: Unit, knowledge: Knowledge) -> list[Order]:
    """Nothing is left at our bases: mine the nearest field anywhere."""
    if not worker.is_idle:
        return []
    fields = knowledge.bot.mineral_field
    if not fields:
        return []
    field = min(fields, key=lambda f: worker.position.distance_to(f.position))
    return [Gather(worker.tag, field.tag)]
