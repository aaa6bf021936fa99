"""Prints figures of many games: rows are metrics, columns prefixes of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

Column = Sequence[Mapping[str, float]]  # the figures of each game


class Line(NamedTuple):
    """A figure of a side, and what is asked for: how far from the best value the median of the games may be, and the
    worse tail. None: it is shown only."""

    name: str
    best: float = 0.0
    median: float | None = None
    tail: float | None = None

    @property
    def low_is_bad(self) -> bool:
        """Whether the worse tail is the low one."""
        return self.best > 0

    @property
    def asked(self) -> str:
        """What is asked for, in words."""
        if self.median is None:
            return ""
        if self.low_is_bad:
            return f"{'>= ' if self.median else ''}{self.best - self.median:g}"
        return f"{'<= ' if self.median else ''}{self.median:g}" + (f" / {self.tail:g}" if self.tail is not None else "")


LINES = (
    Line("binding %", 100, 1),
    Line("refused at first, effective %", 0, 1),
    Line("the same, but for money, %"),
    Line("refused, effective %"),
    Line("minerals gathered, %", 0, 2, 5),
    Line("minerals gathered, %, signed"),
    Line("gas gathered, %", 0, 2, 5),
    Line("gas gathered, %, signed"),
    Line("supply used", 0, 1),
    Line("supply made", 0, 0),
    Line("structures at their place %", 100, 0),
    Line("structure start, loops", 0, 4),
    Line("structure start, loops, p90", 0, 24),
    Line("structure start, loops, signed"),
    Line("birth of idle producers, loops", 0, 0),
    Line("birth, loops"),
    Line("birth, loops, p90", 0, 16),
    Line("unit count, %", 0, 2),
    Line("position, cells", 0, 0.5),
    Line("position, cells, p90", 0, 2),
    Line("way between two sightings, cells"),
    Line("change of type, loops", 0, 0),
    Line("change of type, loops, p90", 0, 16),
)


def spread(line: Line, column: Column) -> tuple[float, float] | None:
    """Median and the worse tail (90th percentile, or the 10th where low is bad) over games; None without figures."""
    values = [game[line.name] for game in column if line.name in game]
    if not values:
        return None
    return float(np.median(values)), float(np.percentile(values, 10 if line.low_is_bad else 90))


def cell(line: Line, column: Column) -> str:
    """Both as text; "-" without figures."""
    found = spread(line, column)
    return "-" if found is None else f"{found[0]:.1f} / {found[1]:.1f}"


def reasons(title: str, counts: Mapping[tuple[str, bool], int]) -> str:
    """Why effective commands were refused: (reason, for good) -> count, as text."""
    if not counts:
        return f"{title}: no effective command was refused"
    lines = [f"{title + ', refused because':<42}{'in time again':>16}{'for good':>16}"]
    names = {name for name, _ in counts}
    for name in sorted(names, key=lambda name: (-counts.get((name, False), 0) - counts.get((name, True), 0), name)):
        lines.append(f"  {name:<40}{counts.get((name, False), 0):>16}{counts.get((name, True), 0):>16}")
    return "\n".join(lines)


def table(title: str, columns: Mapping[str, Column]) -> str:
    """The figures as text; `columns` by the name of the prefix."""
    width = 16
    lines = [f"{title:<34}" + "".join(f"{name:>{width}}" for name in columns) + "  asked for"]
    lines.append(f"{'  games':<34}" + "".join(f"{len(column):>{width}}" for column in columns.values()))
    for line in LINES:
        cells = [cell(line, column) for column in columns.values()]
        if any(text != "-" for text in cells):
            lines.append(f"  {line.name:<32}" + "".join(f"{text:>{width}}" for text in cells) + f"  {line.asked}")
    return "\n".join(lines)
