"""Small helpers of the converter: reading, units of measure, writing."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

NORMAL = 16.0  # loops in a normal second, the catalog's unit
FASTER = 22.4  # loops in a second at Faster
FIXED = 4096  # steps of the game's fixed-point numbers
INSTANT = 1000.0  # accelerations from here up mean "at once"


def columns(text: str) -> list[str]:
    """Column names written as one text."""
    return text.split()


def rows(path: Path) -> list[dict[str, str]]:
    """All rows of a csv file as dictionaries."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text: str, default: float = 0.0) -> float:
    """A catalog number, or `default` for an empty cell. The game keeps 1/4096; the source shows four digits of it."""
    return round(float(text) * FIXED) / FIXED if text not in ("", None, "None") else default


def loops(text: str) -> float:
    """Normal seconds as game loops."""
    return number(text) * NORMAL


def show(value: object) -> str:
    """Shortest text of a value: integers without a point, floats with seven significant digits."""
    if isinstance(value, bool):
        return "1" if value else ""
    if isinstance(value, float):
        return "" if value == 0 else f"{value:.7g}"
    return "" if value in (0, None) else str(value)


def write(path: Path, columns: Sequence[str], lines: Iterable[Mapping[str, object]]) -> int:
    """Write one table; zero and empty cells are left blank. Returns the number of rows."""
    count = 0
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        for line in lines:
            out.writerow([show(line.get(column)) for column in columns])
            count += 1
    return count


def first(text: str) -> str:
    """The first of several values divided by `|`."""
    return text.split("|")[0] if text else ""


def found(pattern: str, text: str, default: float = 0.0) -> float:
    """The number that the first group of `pattern` catches in `text`."""
    match = re.search(pattern, text)
    return number(match.group(1)) if match else default
