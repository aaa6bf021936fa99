"""Prints figures of many games: rows are metrics, columns prefixes of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

Column = Sequence[Mapping[str, float]]  # the figures of each game

# What a column shows in each row, and what is asked for.
ROWS = (
    ("binding %", ">= 99"),
    ("refused at first, effective %", "<= 1"),
    ("the same, but for money, %", ""),
    ("refused, effective %", ""),
    ("minerals gathered, %", "<= 2 / 5"),
    ("minerals gathered, %, signed", ""),
    ("gas gathered, %", "<= 2 / 5"),
    ("gas gathered, %, signed", ""),
    ("supply used", "<= 1"),
    ("supply made", "0"),
    ("structures at their place %", "100"),
    ("structure start, loops", "<= 4"),
    ("structure start, loops, p90", "<= 24"),
    ("structure start, loops, signed", ""),
    ("birth of idle producers, loops", "0"),
    ("birth, loops", ""),
    ("birth, loops, p90", "<= 16"),
    ("unit count, %", "<= 2"),
    ("position, cells", "<= 0.5"),
    ("position, cells, p90", "<= 2"),
    ("way between two sightings, cells", ""),
    ("change of type, loops", "0"),
    ("change of type, loops, p90", "<= 16"),
)
LOW_IS_BAD = ("binding %", "structures at their place %")


def cell(name: str, column: Column) -> str:
    """Median and the worse tail (90th percentile, or the 10th where low is bad) over games; "-" without figures."""
    values = [game[name] for game in column if name in game]
    if not values:
        return "-"
    tail = np.percentile(values, 10 if name in LOW_IS_BAD else 90)
    return f"{np.median(values):.1f} / {tail:.1f}"


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
    for name, asked in ROWS:
        cells = [cell(name, column) for column in columns.values()]
        if any(text != "-" for text in cells):
            lines.append(f"  {name:<32}" + "".join(f"{text:>{width}}" for text in cells) + f"  {asked}")
    return "\n".join(lines)
