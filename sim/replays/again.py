"""One real game played again, from its first loop to its first fight, and the figures that come of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from sim.facts import load as load_facts
from sim.maps import Terrain, load, names
from sim.replays.drive import PATIENCE, Trace, check_starts, play
from sim.replays.effects import Effects, effects
from sim.replays.ground import FLAT, flat_ground
from sim.replays.metrics import Values, measure
from sim.replays.prompter import Known
from sim.replays.reader import PLAYERS, RealGame

PREFIXES = (800, 1600, 3200)
FIGHT, LAST = "fight", 1 << 30  # the prefix that ends with the first fight stands behind the others


class Grounds:
    """The maps of real games, each made once: as it was recorded or, if asked for, flat where nobody did."""

    def __init__(self, recordings: Path, flat: bool = False) -> None:
        self.recordings, self.flat = recordings, flat
        self.recorded = frozenset(names(recordings)) if recordings.is_dir() else frozenset()
        self._made: dict[str, Terrain] = {}

    def of(self, real: RealGame) -> Terrain:
        """The ground that the game is played on.

        Raises:
            ValueError: facts, map or starts of this game are not known; the text is one line.
        """
        facts = load_facts(real.patch)
        check_starts(real)
        if self.flat and real.terrain not in self.recorded:
            return flat_ground(real, facts)
        if real.terrain not in self._made:
            self._made[real.terrain] = load(real.terrain, self.recordings)
        return self._made[real.terrain]


class Again(NamedTuple):
    """What came of a game: compared up to loop `until`, played up to loop `last`, in so many seconds."""

    real: RealGame
    ground: str
    known: Effects
    trace: Trace
    until: int
    last: int
    seconds: float

    @property
    def fought(self) -> bool:
        """Whether it went on after the first fight, so that what each side killed can be compared."""
        return self.last > self.until

    def title(self, player: int) -> str:
        """What its figures stand under: the set, the balance and the race."""
        flat = ", flat ground" if self.ground == FLAT else ""
        return f"{self.real.set} {self.real.patch}, {self.real.races[player]}{flat}"

    def figures(self, player: int, more: Iterable[int] = ()) -> dict[str, Values]:
        """The figures of a player by prefix: those of `PREFIXES`, loops of `more`, and to the fight."""
        ends = {str(loop): loop for loop in (*PREFIXES, *more) if loop <= self.until}
        ends |= {FIGHT: self.until} if self.until == self.real.fight_loop else {}
        return {name: measure(self.real, self.trace, self.known, player, end) for name, end in ends.items()}


def again(
    real: RealGame,
    terrain: Terrain,
    until: int | None = None,
    past: int = 0,
    patience: int = PATIENCE,
    seed: int = 1,
    progress: Callable[[int, int], None] = lambda loop, last: None,
) -> Again:
    """Plays to loop `until`, or to the first fight; `past` loops more where both players' commands are known.

    `progress` is called with the loop and the last one now and then; the rest as for `drive.play`.
    """
    end = min(real.fight_loop, until or real.fight_loop)
    fights = bool(past) and end == real.fight_loop and len(real.sides) == len(PLAYERS)
    last = min(end + past, real.loops) if fights else end
    known = effects(real, load_facts(real.patch))
    told = Known(known.commands | known.gathers | known.casts, known.begun, known.done)
    begun = time.perf_counter()
    marks = (end, last) if fights else ()
    trace = play(real, terrain, last, told, patience, lambda loop: progress(loop, last), seed, marks)
    return Again(real, terrain.name, known, trace, end, last, time.perf_counter() - begun)


def by_loop(prefix: str) -> int:
    """Sorts prefixes."""
    return int(prefix) if prefix != FIGHT else LAST
