"""Finds the engine's unit for each unit of a real game.

Start units and the map's own: by owner, type and cell. Structures: by owner, type and cell. Produced units: the k-th
of a type that a producer makes is the k-th that its counterpart makes; if that one made no more, what another one made
and is longest overdue. Everything else: the k-th of its owner and type.
"""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np

from sim.engine.state import UNFINISHED
from sim.melee.effects_terran import MULE_FALL
from sim.melee.game import Game
from sim.replays.reader import RealEvent, RealGame

NEAR = 1.6  # cells between the whole cell of a tracked structure and the engine's place
FALLS = {"MULE": MULE_FALL}  # loops between the birth of a unit in replays and its landing
HALLS = ("Hatchery", "Lair", "Hive")  # make larvae, without an ability


class Binding:
    """Keys of real units <-> slots of the engine, kept up to date by `update` after every loop.

    happened: (kind, key) -> loop at which the engine did it (kinds B, I, D as in `RealEvent`)
    changed: key -> [(loop, type name)]
    """

    def __init__(self, game: Game, real: RealGame, sides: tuple[int, ...]) -> None:
        self.game, self.sides = game, sides
        self.owners = real.owners | {event.key: event.player for event in real.events if event.kind in "BI"}
        self.keys: dict[int, tuple[int, int]] = {}  # key -> (slot, generation)
        self.slots: dict[int, int] = {}  # slot -> key
        self.happened: dict[tuple[str, int], int] = {}
        self.changed: dict[int, list[tuple[int, str]]] = defaultdict(list)
        self.extra: list[tuple[int, str, int, float, float]] = []  # loop, type, owner, place: without a counterpart
        self.aside: set[int] = set()  # structures whose counterparts stand on other cells
        self.started: list[int] = []  # structures begun in the last loop
        self.makers = _makers(game)
        self.seen = np.zeros(len(game.units), np.uint32)
        self.types = np.zeros(len(game.units), np.int32)
        self.unfinished = np.zeros(len(game.units), bool)
        self.jobs = np.zeros(len(game.units), np.int16)  # items in each queue after the last loop
        self.placed: dict[tuple[int, str], list[RealEvent]] = defaultdict(list)
        self.made: dict[tuple[int, str], deque[RealEvent]] = defaultdict(deque)  # (creator key, type)
        self.loose: dict[tuple[int, str], deque[RealEvent]] = defaultdict(deque)  # (owner, type)
        for event in real.events:
            if event.kind == "I" or (event.kind == "B" and event.loop == 0):
                self.placed[event.player, event.type if event.player else ""].append(event)
            elif event.kind == "B" and event.creator >= 0 and event.type in self.makers:
                self.made[event.creator, event.type].append(event)
            elif event.kind == "B":
                self.loose[event.player, event.type].append(event)
        self.update(frozenset())

    def slot(self, key: int) -> int:
        """Slot of the living counterpart of a real unit, -1 = none."""
        slot, generation = self.keys.get(key, (-1, 0))
        if slot < 0:
            return -1
        unit = self.game.units[slot]
        return slot if unit["alive"] and unit["generation"] == generation else -1

    def exchange(self, key: int, slot: int) -> None:
        """The unit in this slot is the counterpart of `key` from now on; whose it was gets the other one."""
        other, before = self.slots.get(slot), self.slot(key)
        self.keys[key] = slot, int(self.game.units["generation"][slot])
        self.slots[slot] = key
        if other is None or other == key:
            return
        if before >= 0:
            self.keys[other] = before, int(self.game.units["generation"][before])
            self.slots[before] = other
        else:
            self.keys.pop(other, None)

    def update(self, commanded: frozenset[int]) -> None:
        """Books what the last loop brought.

        commanded: slots that got a command in it; what they change at once counts for the loop of the command, as in
        replays.
        """
        game = self.game
        self.started = []
        units = game.units[: int(game.world[0]["slots"])]
        count, loop = len(units), game.loop
        fresh = (units["alive"] == 1) & (units["generation"] != self.seen[:count])
        for slot in np.flatnonzero(fresh):
            if int(units["owner"][slot]) in (0, *self.sides):
                self._arrived(int(slot), loop)
        self.seen[:count][fresh] = units["generation"][fresh]
        unfinished = units["flags"] & UNFINISHED != 0
        done = self.unfinished[:count] & ~unfinished & (units["alive"] == 1) & ~fresh
        for slot in np.flatnonzero(done):
            if int(slot) in self.slots:
                self.happened["D", self.slots[int(slot)]] = loop
        turned = (units["type"] != self.types[:count]) & ~fresh & (units["alive"] == 1)
        for slot in np.flatnonzero(turned):
            if int(slot) in self.slots:
                name = game.facts.names[int(units["type"][slot])]
                self.changed[self.slots[int(slot)]].append((loop - (int(slot) in commanded), name))
        self.unfinished[:count] = unfinished
        self.jobs[:count] = np.where(units["alive"] == 1, units["job_count"], 0)
        self.types[:count] = units["type"]

    def _arrived(self, slot: int, loop: int) -> None:
        unit = self.game.units[slot]
        name, owner = self.game.facts.names[int(unit["type"])], int(unit["owner"])
        event = self._counterpart(slot, name, owner, loop)
        self.slots.pop(slot, None)
        if event is None:
            if owner:
                self.extra.append((loop, name, owner, float(unit["x"]), float(unit["y"])))
            return
        self.keys[event.key] = slot, int(unit["generation"])
        self.slots[slot] = event.key
        # replays stamp the start of a structure with the loop that is being played, births with the one
        # that follows, those of MULEs with the loop of the call
        self.started += [event.key] if event.kind == "I" else []
        early = 1 if event.kind == "I" else FALLS.get(name, 0)
        self.happened[event.kind, event.key] = loop - early

    def _counterpart(self, slot: int, name: str, owner: int, loop: int) -> RealEvent | None:
        unit = self.game.units[slot]
        structure = bool(int(unit["flags"]) & UNFINISHED) or loop == 0
        if structure:
            options = self.placed[owner, name if owner else ""]
            x, y = float(unit["x"]) - 0.5, float(unit["y"]) - 0.5
            near = [event for event in options if abs(event.x - x) <= NEAR and abs(event.y - y) <= NEAR]
            if not near:
                return None
            found = min(near, key=lambda e: (max(abs(e.x - x), abs(e.y - y)), abs(e.loop - loop)))
            options.remove(found)
            if max(abs(found.x - x), abs(found.y - y)) > 0.5:
                self.aside.add(found.key)
            return found
        producer = self._producer(slot, name, owner)
        queue = self._due(producer, name)
        if not queue:
            queue = self.loose.get((owner, name)) or self._overdue(name, owner, loop)
        return queue.popleft() if queue else None

    def _due(self, producer: int, name: str) -> deque[RealEvent] | None:
        """What the counterpart of a producer made of a type and ours has not made yet."""
        return self.made.get((self.slots.get(producer, -1), name))

    def _overdue(self, name: str, owner: int, loop: int) -> deque[RealEvent] | None:
        """What some other producer made longest ago of what ours has not made yet: two have exchanged their work."""
        queues = (queue for (_, made), queue in self.made.items() if made == name and queue)
        late = [queue for queue in queues if queue[0].player == owner and queue[0].loop <= loop]
        return min(late, key=lambda queue: queue[0].loop, default=None)

    def _producer(self, slot: int, name: str, owner: int) -> int:
        """The nearest unit that makes this type and has just got something done (eggs vanish then), if there is any
        one whose counterpart made another of them; -1 = none."""
        units = self.game.units[: int(self.game.world[0]["slots"])]
        makers = self.makers.get(name)
        if makers is None:
            return -1
        known = (units["alive"] == 1) | (self.types[: len(units)] == units["type"])
        able = np.flatnonzero(known & (units["owner"] == owner) & np.isin(units["type"], makers))
        able = able[able != slot]
        if not len(able):
            return -1
        queued = np.where(units["alive"][able] == 1, units["job_count"][able], 0)
        done = able[self.jobs[able] > queued]
        able = done if len(done) else able
        due = [producer for producer in able if self._due(int(producer), name)]
        able = np.array(due) if due else able
        distance = (units["x"][able] - units["x"][slot]) ** 2 + (units["y"][able] - units["y"][slot]) ** 2
        return int(able[np.argmin(distance)])


def _makers(game: Game) -> dict[str, tuple[int, ...]]:
    """Unit type name -> ids of the types that make it."""
    facts = game.facts
    makers: dict[str, set[int]] = defaultdict(set)
    for ability in facts.abilities.values():
        if ability.kind == "train" and ability.product:
            names = {facts.names[caster] for caster in ability.casters}
            casters = {facts.ids["Egg"]} if "Larva" in names else set(ability.casters)
            makers[facts.names[ability.product]] |= casters
    makers["Larva"] = {facts.ids[name] for name in HALLS}
    return {name: tuple(sorted(ids)) for name, ids in makers.items()}
