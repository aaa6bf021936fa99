"""The comparison as text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sim.facts import patches
from sim.fidelity.economy import gas, mining, mule
from sim.fidelity.production import production, structures, travel
from sim.fidelity.real import MINERALS
from sim.fidelity.workshop import RefusedError, Row
from sim.maps import MapError, load, names


def table(title: str, rows: Sequence[Row]) -> str:
    """The rows as text, worst difference last."""
    lines = [f"{title:<34} {'ours':>8} {'real':>8} {'diff':>7}"]
    lines += [f"  {row.what:<32} {row.ours:>8.0f} {row.real:>8.0f} {row.percent:>+6.1f}%" for row in rows]
    worst = max(rows, key=lambda row: abs(row.percent))
    return "\n".join([*lines, f"  {'worst':<32} {'':>8} {'':>8} {worst.percent:>+6.1f}%", ""])


def curve_header() -> str:
    """The real mining curve, above those of ours."""
    loops = "".join(f"{loop:>6}" for loop in MINERALS)
    real = "".join(f"{amount:>6}" for amount in MINERALS.values())
    return f"{'minerals gathered at loop':<34}{loops}   worst\n  {'real':<32}{real}"


def curve(name: str, rows: Sequence[Row]) -> str:
    """One map's mining curve in a line."""
    worst = max(rows, key=lambda row: abs(row.percent))
    return f"  {name:<32}" + "".join(f"{row.ours:>6.0f}" for row in rows) + f"  {worst.percent:>+5.1f}%"


def main(argv: Sequence[str]) -> int:
    """Prints the comparison. -> exit code."""
    parser = argparse.ArgumentParser(prog="python -m sim fidelity", description="Compare with the real game.")
    default = Path("../shared") if Path("../shared/recordings").is_dir() else None
    parser.add_argument("--data", type=Path, default=default, help="folder with recordings/ of real maps")
    parser.add_argument("--patch", default="5.0.14", help="balance to play by (default: %(default)s)")
    options = parser.parse_args(argv)
    recordings = options.data / "recordings" if options.data else None
    if recordings and not recordings.is_dir():
        print(f"sim fidelity: no recordings in {options.data}", file=sys.stderr)
        return 2
    if options.patch not in patches():
        print(f"sim fidelity: no patch {options.patch}; there are {', '.join(patches())}", file=sys.stderr)
        return 2
    patch = options.patch
    parts: list[tuple[str, Callable[[], list[Row]]]] = [
        ("structures, loops", lambda: structures(patch)),
        ("production gaps, loops", lambda: production(patch)),
        ("travel, loops", lambda: travel(patch)),
        ("gas", lambda: gas(load(names()[0]), patch)),
        ("MULE, loops", lambda: mule(load(names()[0]), patch)),
    ]
    for title, measure in parts:
        try:
            print(table(title, measure()))
        except RefusedError as error:
            print(f"{title}: {error}\n")
    print(curve_header())
    for name in names(recordings):
        try:
            print(curve(name, mining(load(name, recordings), patch=patch)))
        except (MapError, RefusedError) as error:
            print(f"  {name}: {error}")
    return 0
