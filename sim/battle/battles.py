"""Many battles stepped together: arrays in, arrays out.

Everything but the facts is per battle, so that results depend neither on how many battles there are nor on the number
of threads. A battle's start is a `Game` that serves as template; the rules of `sim/melee` run only for battles in which
something happens that the kernel leaves to them.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterable, Sequence

import numpy as np

from sim.battle import quiet, template
from sim.battle.casting import Casts
from sim.battle.issue import Orders
from sim.battle.kernel import Books, Loud, play
from sim.battle.starts import Starts, first_states
from sim.battle.woken import Woken, memory_of, shared_of
from sim.engine import state
from sim.engine.world import World
from sim.melee.game import Game
from sim.melee.records import Command

FEW = 32  # battles that one thread steps alone faster than several share


class Battles:
    """`count` battles, each on one of the templates.

    `units` UNIT[count, slots], `orders` ORDER[count, slots, depth], `players` PLAYER[count, PLAYERS] and `worlds`
    WORLD[count, 1] may be read and written between steps. `which` i4[count] is each battle's template. `visibility` is
    u1[count, PLAYERS, h, w]. `damage` f4[count, PLAYERS, 2] adds up the life that a player's hits took beyond a
    victim's last, and what they took from its own units (of hits that were reported). Slots below `kept` are not used
    again for units that appear later.

    Args:
        templates: one game or several of the same map size (see `template.empty_game`).
        reserve: slots beyond those of the largest template, for units that appear during a battle.
        threads: the battles are shared among so many.

    Raises:
        ValueError: templates of different map size or patch.
    """

    def __init__(
        self,
        templates: Game | Sequence[Game],
        count: int,
        *,
        seed: int,
        threads: int = 1,
        reserve: int = 16,
        which: np.ndarray | None = None,
    ) -> None:
        games = [templates] if isinstance(templates, Game) else list(templates)
        first = games[0]
        if any(game.walk.shape != first.walk.shape or game.patch != first.patch for game in games):
            raise ValueError("battles stepped together need maps of one size and one patch")
        self.count, self.facts, self.patch, self.buffs = count, first.facts, first.patch, first.state.buffs
        self.slots = max(int(game.world[0]["slots"]) for game in games) + reserve
        firsts = [template.trimmed(game, self.slots) for game in games]
        self._first_due = np.array([quiet.next_due(game) for game in games], np.int32)
        self.memories, self.shared = [memory_of(game) for game in games], [shared_of(game) for game in games]
        self._share_tables(games)
        eyes = max(len(arrays["eyes"]) for arrays in firsts)
        self._arrays: dict[str, np.ndarray] = {}
        for name, array in firsts[0].items():
            shape = (eyes, *array.shape[1:]) if name == "eyes" else array.shape
            self._arrays[name] = np.zeros((count, *shape), array.dtype)
        self._starts = Starts(firsts, self._arrays)
        self.worlds, self.units = self._arrays["world"], self._arrays["units"]
        self.orders, self.players = self._arrays["orders"], self._arrays["players"]
        self.visibility = self._arrays["visibility"]
        self.which = np.zeros(count, np.int32)
        self.seeds = np.zeros(count, np.int64)
        self.spoke = np.zeros((count, state.PLAYERS), np.uint8)  # players that gave orders since the last loop
        self._left, self._due = np.zeros(count, np.int32), np.zeros(count, np.int32)
        self._stopped = np.zeros(count, np.uint8)
        self._died = np.zeros((count, self.slots), np.int32)
        self.damage = np.zeros((count, state.PLAYERS, 2), np.float32)
        self.kept = 0
        self._loud = Loud(quiet.loud_kinds(), quiet.loud_types(first.patch, self.types.shape[2]))
        self._games: dict[int, Woken] = {}
        self._pending: dict[int, None] = {}  # battles whose game holds commands for the next loop
        self._orders, self._casts = Orders(self), Casts(self, games)
        self.threads = max(1, min(threads, count))
        self._scratch = [
            {name: getattr(first.state, name).copy() for name in template.SCRATCH} for _ in range(self.threads)
        ]
        self._pool = concurrent.futures.ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(np.arange(count), seed + np.arange(count), which)

    def _share_tables(self, games: list[Game]) -> None:
        """One copy of each different set of type tables and of each ground's levels."""
        tables: dict[bytes, int] = {}
        grounds: dict[bytes, int] = {}
        rows, levels = [], []
        self._table_of, self._ground_of = [], []
        for game in games:
            key = game.types.tobytes() + game.weapons.tobytes()
            if key not in tables:
                tables[key] = len(rows)
                rows.append(game)
            self._table_of.append(tables[key])
            ground = game.state.levels.tobytes()
            if ground not in grounds:
                grounds[ground] = len(levels)
                levels.append(game.state.levels)
            self._ground_of.append(grounds[ground])
        self.types = np.stack([game.types for game in rows])  # TYPE[tables, PLAYERS, types]
        self.weapons = np.stack([game.weapons for game in rows])
        self.levels = np.stack(levels)
        self._table_of = np.array(self._table_of, np.int32)
        self._ground_of = np.array(self._ground_of, np.int32)
        self.tables = self._grounds = np.zeros(0, np.int32)  # by battle, filled by `reset`

    # -- time -------------------------------------------------------------------------------------------------------
    def reset(self, battles: np.ndarray, seeds: np.ndarray, which: np.ndarray | None = None) -> None:
        """Start battles (i8 [m], their numbers) anew in place, each from its seed (u8 [m]); `which` i8 [m] picks their
        templates (default: as before)."""
        battles = np.asarray(battles, np.int64)
        if which is not None:
            self.which[battles] = which
        self._starts.put(battles, self.which[battles])
        starts = first_states(seeds)
        self.seeds[battles] = seeds
        self.worlds["rng"][battles, 0] = starts
        self.worlds["salt"][battles, 0] = starts & np.uint64(0xFFFFFFFF)
        self._due[battles] = self._first_due[self.which[battles]]
        self._died[battles] = 0
        self.damage[battles] = 0
        self.spoke[battles] = 0
        self._casts.forget(battles)
        self.tables, self._grounds = self._table_of[self.which], self._ground_of[self.which]
        if self._games or self._pending:
            for battle in battles.tolist():
                self._games.pop(battle, None)
                self._pending.pop(battle, None)

    def step(self, loops: int = 8) -> None:
        """Play loops of all battles."""
        self._left[:] = loops
        self._casts.carry_out()
        for battle in self._pending:
            self.game(battle).begin(bool(self.spoke[battle, 1:].all()))
            self._due[battle] = quiet.next_due(self._games[battle])
            self.spoke[battle] = 0
        self._pending.clear()
        chosen = np.arange(self.count)
        while len(chosen):
            self._play(chosen)
            stopped = chosen[self._stopped[chosen] == 1]
            for battle in stopped.tolist():
                self._due[battle] = self.game(battle).act()
            chosen = stopped[self._left[stopped] > 0]

    def _play(self, chosen: np.ndarray) -> None:
        parts = 1 if len(chosen) <= FEW else self.threads
        edges = np.linspace(0, len(chosen), parts + 1).astype(int).tolist()
        jobs = list(zip(edges[:-1], edges[1:], self._scratch, strict=False))
        if parts == 1 or self._pool is None:
            for job in jobs:
                self._run(chosen, *job)
        else:
            list(self._pool.map(lambda job: self._run(chosen, *job), jobs))

    def _run(self, chosen: np.ndarray, first: int, last: int, scratch: dict[str, np.ndarray]) -> None:
        books = Books(
            left=self._left,
            due=self._due,
            stopped=self._stopped,
            spoke=self.spoke,
            died=self._died,
            damage=self.damage,
            grounds=self._grounds,
            tables=self.tables,
        )
        shared = {name: getattr(self, name) for name in template.SHARED}
        play(chosen, first, last, books, self._loud, World(**self._arrays, **scratch, **shared))

    # -- commands ---------------------------------------------------------------------------------------------------
    def issue(
        self,
        battles: np.ndarray,
        slots: np.ndarray,
        verbs: np.ndarray,
        targets: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
    ) -> np.ndarray:
        """Give one order to each of m units, all arrays [m]: `state` verb (IDLE stops), target slot or -1, point in
        cells. Same outcome as the command of a client. -> bool[m]: the order is possible.

        An order that equals the present one changes nothing; any other replaces all orders of the unit.
        """
        return self._orders.issue(battles, slots, verbs, targets, x, y)

    def use(self, battles: np.ndarray, slots: np.ndarray, abilities: np.ndarray) -> np.ndarray:
        """Command each of m units to use an ability of SWIFT, all arrays [m]: what comes of `cast`, but no
        battle wakes. -> bool[m]: it is possible."""
        return self._casts.issue(battles, slots, abilities)

    def cast(
        self,
        battle: int,
        slot: int,
        ability: int,
        target: int = -1,
        x: float | None = None,
        y: float | None = None,
        queued: bool = False,
    ) -> int:
        """Command one unit to use any ability by its API id (exact or general), as a client would. -> ActionResult;
        the next step carries it out."""
        game = self.game(battle)
        owner = int(self.units["owner"][battle, slot])
        given = x is not None and y is not None
        command = Command(
            player=owner,
            ability=int(ability),
            tags=(game.tag(slot),),
            target_tag=game.tag(target) if target >= 0 else 0,
            x=float(x) if given else 0.0,
            y=float(y) if given else 0.0,
            has_point=given and target < 0,
            queued=queued,
        )
        result = int(game.issue(command))
        if result == 1:
            self.spoke[battle, owner] = 1
            self._pending[battle] = None
        return result

    def game(self, battle: int) -> Woken:
        """The rules' view of one battle, up to date; valid until the battle is reset."""
        battle = int(battle)
        game = self._games.get(battle)
        if game is None:
            game = self._games[battle] = Woken(self, battle)
            self._casts.wake(battle, game)
        if self._died[battle].any():
            game.book_deaths(self._died[battle])
        return game

    def awake(self) -> Iterable[tuple[int, Woken]]:
        """(battle, the rules' view of it) of those in which the rules have had something to do since their start."""
        return self._games.items()

    def rows_of(self, battle: int) -> dict[str, np.ndarray]:
        """The arrays of one battle as `World` names them: views, but for what all battles share."""
        arrays = {name: array[battle] for name, array in self._arrays.items()}
        arrays.update(self._scratch[0])
        arrays["buffs"] = self.buffs
        table = int(self.tables[battle])
        arrays.update(types=self.types[table], weapons=self.weapons[table])
        arrays["levels"] = self.levels[int(self._grounds[battle])]
        return arrays
