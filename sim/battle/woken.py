"""The rules' view of one battle: a `Game` whose arrays are views into the rows of that battle.

Rules and clients' commands act on it exactly as on a game of its own. Its small tables start as the template's and are
thrown away when the battle starts anew.
"""

from __future__ import annotations

import contextlib
import heapq
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.battle.quiet import next_due, wanted_rules
from sim.engine import state
from sim.engine.world import World
from sim.melee import commands
from sim.melee.game import Game
from sim.melee.lifecycle import REUSE_AFTER, NoRoomError
from sim.melee.records import PlayerEvents
from sim.melee.registry import AFTER, ON_EVENT, ON_REMOVE
from sim.melee.score import Score

if TYPE_CHECKING:
    from sim.battle.battles import Battles

VIEWS = ("world", "units", "orders", "jobs", "players", "walk", "creep", "visibility")
# what all battles of a template share: facts and tables that no rule changes during a battle
SHARED = (
    "terrain",
    "arena",
    "setups",
    "patch",
    "facts",
    "harvest_table",
    "producer_types",
    "counting_structures",
    "hall_types",
    "zone",
)
TABLES = ("types", "weapons")  # shared as well, by all templates of equal upgrades
BOOKS = ("scores", "inbox", "pending")  # start empty


def memory_of(game: Game) -> bytes:
    """Everything that a game remembers outside its arrays, ready to be copied: reading it is several times faster than
    a deep copy."""
    apart = {*VIEWS, *SHARED, *TABLES, *BOOKS, "state", "run_kernel", "seed", "_battles"}
    return pickle.dumps({name: value for name, value in game.__dict__.items() if name not in apart})


def shared_of(game: Game) -> dict[str, Any]:
    """What `Woken` needs of a template besides: its arrays may go."""
    return {name: getattr(game, name) for name in SHARED}


class Woken(Game):
    """One battle as the rules see it; see `Game`."""

    def __init__(self, battles: Battles, battle: int) -> None:
        which = int(battles.which[battle])
        arrays = battles.rows_of(battle)
        self.state = World(**arrays)
        for name in (*VIEWS, *TABLES):
            setattr(self, name, arrays[name])
        self.__dict__.update(battles.shared[which])
        self.seed = int(battles.seeds[battle])
        self.scores = [Score() for _ in range(state.PLAYERS)]
        self.inbox = [PlayerEvents() for _ in range(state.PLAYERS)]
        self.pending = [[] for _ in range(state.PLAYERS)]
        self._battles = battles
        self.__dict__.update(pickle.loads(battles.memories[which]))

    def book_deaths(self, died: np.ndarray) -> None:
        """Tells the rules of deaths that the compiled part has settled; died i4[slots]: their loops, then cleared."""
        for slot in map(int, sorted(np.flatnonzero(died), key=lambda slot: died[slot])):  # who died last is last
            self.units[slot]["alive"] = 1
            for handler in ON_REMOVE:
                handler(self, slot)
            self.units[slot]["alive"] = 0
            self.memory.free_slots.append((int(died[slot]) + REUSE_AFTER, slot))
            self.mark_supply(int(self.units[slot]["owner"]))
        died[:] = 0

    def spawn(self, type_id: int, owner: int, x: float, y: float, **fields: Any) -> int:
        """See `Game.spawn`; the leading `kept` slots stay free."""
        if self._battles.kept and self.memory.free_slots:
            self.memory.free_slots[:] = [entry for entry in self.memory.free_slots if entry[1] >= self._battles.kept]
        return super().spawn(type_id, owner, x, y, **fields)

    def begin(self, both_spoke: bool) -> None:
        """Carries out what was commanded since the last loop. `both_spoke`: both players gave orders, so that a game
        would have drawn who is first."""
        if both_spoke and not all(self.pending[1:]):
            self.random()
        if any(self.pending):
            commands.apply_pending(self)

    def act(self) -> int:
        """Does what `Game.step` does after the kernel: events, delayed effects, periodic rules. -> loop of the next
        time that the rules have something to do by themselves."""
        head, events = self.world[0], self.state.events
        for index in range(int(head["event_count"])):
            event = events[index]
            for handler in ON_EVENT.get(int(event["kind"]), ()):
                self._try(handler, event)
        loop = self.loop
        while self.memory.later_heap and self.memory.later_heap[0][0] <= loop:
            _, _, name, numbers = heapq.heappop(self.memory.later_heap)
            self._try(AFTER[name], *numbers)
        for every, rule in wanted_rules(self):
            if loop % every == 0:
                self._try(rule)
        return next_due(self)

    def _try(self, rule: Callable[..., None], *arguments: Any) -> None:
        """Runs a rule; what would appear in a battle without a free slot does not."""
        with contextlib.suppress(NoRoomError):
            rule(self, *arguments)
