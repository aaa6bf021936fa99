"""The environment: many battles of mixed scenarios, seen and commanded through the same tables as a game.

Battles that end start anew in place. What a battle does follows from the environment's seed and the battle's number
alone, however many there are and whatever the number of threads.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from bot.micro.advice import ask, heard
from bot.micro.tables import Tables
from bot.micro.task import Tasks
from train import armies, shares
from train.armies import OURS, THEIRS
from train.errors import TrainError
from train.field import Field
from train.scenario import Scenario
from train.tables import Room, entities
from train.variants import Variant
from train.views import Said, StateTables, Step, View

T = TypeVar("T")
SIDES = ("learned", "scripted")


class Environment:
    """`count` battles of the scenarios, in equal shares; agents, entities and slots are padded to the largest.

    The battles of one ground are a `Field`, or one for each of the threads.

    Attributes: `agents` A, `entities` N, `scenarios`, `foes` E (most units of the other side).
    """

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        count: int,
        *,
        seed: int,
        threads: int = 1,
        own: str = "learned",
        enemy: str = "",
        variants: int = 0,
        first: int = 0,
        advised: bool = False,
        enemy_advised: bool = False,
    ) -> None:
        """`own`: who plays our side, "learned" (by `step`) or "scripted". `enemy`: the same for the other side
        (learned: `observe_enemy`, and what `step` gets for it), "" as the scenarios say. `variants`: different fights
        prepared of each scenario (0: a number that suits it). `first`: number of the first battle, for environments
        that share a seed. `advised`, `enemy_advised`: the policy of that side is shown what the twin would do and may
        follow it.

        Raises:
            TrainError: no scenarios, or fewer battles than scenarios.
        """
        if not scenarios or count < len(scenarios):
            raise TrainError(
                f"{count} battles for {len(scenarios)} scenarios: at least one battle a scenario is needed"
            )
        if own not in SIDES or enemy not in ("", *SIDES):
            raise TrainError(f"sides are played by {' or '.join(SIDES)}, not by {own!r} and {enemy!r}")
        self.scenarios, self.count, self.threads, self.first = list(scenarios), count, threads, first
        self.own, self.enemy = own, enemy
        self.advised = {OURS: advised, THEIRS: enemy_advised}
        self._variants_asked = variants
        self._build(seed)

    def _build(self, seed: int) -> None:
        self.seed = seed
        self.fields: list[Field] = []  # those of before make room first
        drawn = shares.draw(self.scenarios, seed, self._variants_asked, self.enemy)
        self.agents = max(armies.agents_of(fight) for _, _, fight in drawn)
        made = [
            Variant(index, family, fight, armies.template(family, fight, self.agents)) for index, family, fight in drawn
        ]
        reserve = max(family.reserve for _, family, _ in drawn)
        slots = max(int(variant.game.world[0]["slots"]) for variant in made) + reserve
        self.entities = slots
        self.foes = max(len(fight.enemy) for _, _, fight in drawn)
        self._rows: list[np.ndarray] = []
        mirror = self.enemy != "" or any(s.behaviour in SIDES for s in self.scenarios)
        for variants, battles in shares.fields_of(made, len(self.scenarios), self.count, self.first, self.threads):
            self.fields.append(
                Field(
                    variants,
                    [own for _, own in battles],
                    agents=self.agents,
                    foes=self.foes,
                    slots=slots,
                    seed=seed,
                    first=self.first,
                    numbers=np.array([number for number, _ in battles]),
                    mirror_side=mirror,
                )
            )
            self._rows.append(np.array([number for number, _ in battles]))
        self._room = Room.of(self.count, self.agents, self.entities)
        self._rooms = [self._room_of(rows) for rows in self._rows]
        several = min(self.threads, len(self.fields)) > 1
        self._pool = concurrent.futures.ThreadPoolExecutor(self.threads) if several else None
        self._scenes: list = []
        self._tables: list = []
        self._advice: list = []
        self._enemy_scenes: list = []
        self.each(lambda field: field.begin(np.arange(field.count)))

    def _room_of(self, rows: np.ndarray) -> Room:
        """Part of the whole room for the battles of a field, or their own where others lie between them."""
        if rows[-1] - rows[0] + 1 == len(rows):
            return Room(*(part[rows[0] : rows[-1] + 1] for part in self._room))
        return Room.of(len(rows), self.agents, self.entities)

    def each(self, task: Callable[..., T], *columns: Sequence) -> list[T]:
        """task(field, a value of each column) for every field, shared among the threads."""
        if self._pool is None:
            return list(map(task, self.fields, *columns))
        return list(self._pool.map(task, self.fields, *columns))

    # -- the moment -------------------------------------------------------------------------------------------------
    def observe(self) -> View:
        """The tables of this moment; valid until the next step."""
        views = self.each(self._observe, self._rooms)
        self._scenes = [view[:2] for view in views]
        self._tables = [tables for _, _, tables, _, _ in views]
        self._advice = [advice for _, _, _, _, advice in views]
        states = [state for _, _, _, state, _ in views]
        room = self._room
        nothing_hidden = all(np.may_share_memory(state.entities, room.entities) for state in states)
        return View(
            self._join(self._tables, entities=room.entities[..., :-1], pairs=room.pairs),
            self._join(states, **({"entities": room.entities} if nothing_hidden else {})),
            self._join([tasks for _, tasks, _, _, _ in views]),
        )

    def observe_enemy(self) -> tuple[Tables, Tasks]:
        """The same moment as the other side's policy sees it: its E units are the agents. For self-play and frozen
        policies; call it after `observe`."""
        views = self.each(self._observe_enemy)
        self._enemy_scenes = [(scene, tasks, advice) for scene, tasks, _, advice in views]
        return self._join([tables for _, _, tables, _ in views]), self._join([tasks for _, tasks, _, _ in views])

    def _observe_enemy(self, field: Field) -> tuple:
        scene = field.scene(THEIRS)
        tasks = field.tasks(scene, THEIRS)
        return scene, tasks, *field.tables(scene, tasks, THEIRS, self.advised[THEIRS])

    def _observe(self, field: Field, room: Room) -> tuple:
        scene = field.scene()
        tasks = field.tasks(scene)
        tables, advice = field.tables(scene, tasks, OURS, self.advised[OURS], room)
        units, present = room.entities, tables.present
        if not field.fogless or field.secrets():
            whole = field.scene(everything=True)
            units, present = np.empty_like(room.entities), whole.present
            entities(whole, tasks, tables.verbs, advice and advice.verb, units)
        units[..., -1] = field.measures.left(field.age)[:, None]
        return scene, tasks, tables, StateTables(units, present), advice

    def _join(self, parts: list, **wholes: np.ndarray) -> tuple:
        """Named tuples of arrays of the fields as one, in the order of the battles' numbers; wholes: where a column's
        parts lie together already, but for those of fields with a room of their own."""
        if len(parts) == 1:
            return parts[0]
        columns = []
        for name, arrays in zip(parts[0]._fields, zip(*parts, strict=True), strict=True):
            whole = wholes.get(name)
            if whole is None:
                whole = np.zeros((self.count, *arrays[0].shape[1:]), arrays[0].dtype)
            for rows, array in zip(self._rows, arrays, strict=True):
                if not np.may_share_memory(whole, array):
                    whole[rows] = array
            columns.append(whole)
        return type(parts[0])(*columns)

    def teacher(self) -> Said:
        """What the scripted twin would decide in the moment of the last `observe`."""
        verb = np.full((self.count, self.agents), -1, np.int64)
        target = np.full((self.count, self.agents), -1, np.int64)
        moments = zip(self.fields, self._scenes, self._tables, self._advice, strict=True)
        for rows, (field, (scene, tasks), tables, advice) in zip(self._rows, moments, strict=True):
            asked = advice or ask(field.sides[OURS].twin, scene, tasks, tables.verbs, tables.targets)
            verb[rows], target[rows] = asked.verb, asked.target
        return Said(verb, target)

    # -- time -------------------------------------------------------------------------------------------------------
    def step(
        self,
        verb: np.ndarray | None = None,
        target: np.ndarray | None = None,
        enemy: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Step:
        """Our side decides (verb and target row i8 [B, A]; not needed where it is scripted), 8 loops pass, battles that
        are over start anew. `enemy` are the other side's decisions i8 [B, E] after `observe_enemy`; they count in the
        battles whose enemies are learned."""
        if not self._scenes and self.own == "learned":
            self.observe()
        ours = None if verb is None else (np.asarray(verb), np.asarray(target))
        theirs = None if enemy is None else tuple(map(np.asarray, enemy))
        parts = self.each(lambda field, index: self._step(field, index, ours, theirs), range(len(self.fields)))
        self._scenes, self._tables, self._enemy_scenes = [], [], []
        columns = [np.zeros((self.count, *part.shape[1:]), part.dtype) for part in parts[0][:6]]
        for rows, part in zip(self._rows, parts, strict=True):
            for column, values in zip(columns, part[:6], strict=True):
                column[rows] = values
        return Step(*columns, *(np.concatenate([part[index] for part in parts]) for index in (6, 7)))

    def _step(self, field: Field, index: int, ours: tuple | None, theirs: tuple | None) -> tuple[np.ndarray, ...]:
        rows = self._rows[index]
        if self.own == "scripted":
            field.play_twin(OURS, list(range(field.count)))
        elif ours is not None:
            scene, tasks = self._scenes[index]
            verb, target = (part[rows] for part in ours)
            advice = self._advice[index]
            if advice:
                found = heard(advice, verb, target, self._tables[index].verbs)
                field.measures.depart(*(some.sum(axis=1) for some in found))
            field.decide(scene, tasks, verb, target, advice=advice)
        field.play_others()
        if theirs is not None:
            scene, tasks, advice = self._enemy_scenes[index]
            verb, target = (part[rows] for part in theirs)
            field.decide(scene, tasks, np.where(field.learned()[:, None], verb, 0), target, THEIRS, advice)
        field.advance()
        found = field.measures.settle(field.age)
        over = np.flatnonzero(found.done | found.timeout)
        scenario = field.scenario.copy()
        final = field.measures.rows[over].copy()
        if len(over):
            field.begin(over)
        own = found.own[:, : field.agents]
        return found.reward, own, found.done, found.timeout, found.won, scenario, rows[over], final

    def begin(self, battles: np.ndarray) -> None:
        """Break off these battles i8 [E] and begin them anew."""
        for rows, field in zip(self._rows, self.fields, strict=True):
            which = np.flatnonzero(np.isin(rows, battles))
            if len(which):
                field.begin(which)
        self._scenes, self._tables, self._enemy_scenes = [], [], []

    def restart(self, seed: int) -> None:
        """Every battle anew, as an environment made with this seed."""
        self.fields, self._scenes, self._tables, self._advice = [], [], [], []  # gigabytes: gone before others come
        self._build(seed)
