"""Real games again: the commands of recorded games, given to the engine, beside what those games tracked."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from sim.fidelity.workshop import RefusedError, Row
from sim.replays.again import Grounds, again, by_loop
from sim.replays.metrics import Values
from sim.replays.reader import RealGame, ReplayError, read_games, read_heads
from sim.replays.table import LINES, spread

Figures = dict[str, dict[str, list[Values]]]  # title -> prefix -> the figures of each side


def games(data: Path | None) -> list[Row]:
    """Plays all games whose map is recorded in `data` to their first fight, as `python -m sim resim` does. -> a row
    for each set, race, prefix and figure of which something is asked.

    The real side of a row is the best value that there is (0 off, or 100 %), its slack what is asked for.

    Raises:
        RefusedError: there are no such games.
    """
    if data is None:
        raise RefusedError("needs --data with replays and their maps")
    try:
        return rows(play_all(data))
    except ReplayError as error:
        raise RefusedError(str(error)) from error


def play_all(data: Path) -> Figures:
    """The figures of all sides, games side by side on all cores. Raises ReplayError where no game is found."""
    grounds = Grounds(data / "recordings")
    ids = {head["id"] for head in read_heads(data / "replays") if head["terrain"] in grounds.recorded}
    if not ids:
        raise ReplayError(f"no game in {data / 'replays'} is on a map of {data / 'recordings'}")
    figures: Figures = defaultdict(lambda: defaultdict(list))
    left_out: list[str] = []
    cores = len(os.sched_getaffinity(0))
    room = threading.Semaphore(2 * cores)  # games that are read and not yet played: all of them are a gigabyte

    def waiting() -> Iterator[RealGame]:
        for real in read_games(data / "replays", ids, left_out):
            room.acquire()
            yield real

    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        for number, found in enumerate(pool.imap(partial(play_one, grounds), waiting()), 1):
            room.release()
            print(f"measuring games: {number} of {len(ids)} ...", end="\r", file=sys.stderr, flush=True)
            if isinstance(found, str):
                left_out.append(found)
                continue
            for title, columns in found:
                for prefix, values in columns.items():
                    figures[title][prefix].append(values)
    for line in left_out:
        print(f"python -m sim fidelity: left out: {line}", file=sys.stderr)
    return figures


def play_one(grounds: Grounds, real: RealGame) -> list[tuple[str, dict[str, Values]]] | str:
    """-> (title, figures by prefix) of each side, or why the game cannot be played."""
    try:
        played = again(real, grounds.of(real))
    except ValueError as error:  # of its facts or starts
        return f"{real.id}: {error}"
    return [(played.title(player), played.figures(player)) for player in played.trace.sides]


def rows(figures: Figures) -> list[Row]:
    """The comparison: medians of the games, and the worse tail where that is asked for."""
    found = []
    for title, columns in figures.items():
        for line in LINES:
            for prefix in sorted(columns, key=by_loop):
                both = spread(line, columns[prefix])
                if both is None or line.median is None:
                    continue
                found.append(Row(f"{title}: {line.name} at {prefix}", both[0], line.best, line.median))
                if line.tail is not None:
                    found.append(Row(f"{title}: {line.name}, worst tenth at {prefix}", both[1], line.best, line.tail))
    return found
