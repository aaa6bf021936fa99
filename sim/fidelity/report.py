"""The comparison as text: on the screen, and as the table that a page keeps."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from sim.arguments import examples
from sim.facts import patches
from sim.fidelity import casts, duels, kills, makes, opponents, setups, sight
from sim.fidelity.economy import gas, gas_trips, mining, mules
from sim.fidelity.games import games
from sim.fidelity.plain import plain
from sim.fidelity.production import production, structures, travel
from sim.fidelity.trips import led_home, trips
from sim.fidelity.workshop import RefusedError, Row
from sim.files import write_whole
from sim.maps import MapError, load, names

BEGIN, END = "<!-- fidelity: begin -->", "<!-- fidelity: end -->"
KAIROS = "KairosJunctionLE"  # where the real opponents' curves were measured


class Part(NamedTuple):
    """One group of rows: its name on the command line, what it compares, and what the real side is."""

    name: str
    title: str
    real: str
    measure: Callable[[str, Path | None], list[Row]]


def _mining(patch: str, recordings: Path | None) -> list[Row]:
    rows = []
    for name in names(recordings):
        try:
            rows += mining(load(name, recordings), patch=patch)
        except (MapError, RefusedError) as error:
            print(f"  {name}: {error}", file=sys.stderr)
    return rows


def _plain(recordings: Path | None) -> list[Row]:
    if recordings is None or KAIROS not in names(recordings):
        raise RefusedError("needs --data with replays and their map")
    return plain(recordings.parent / "replays", load(KAIROS, recordings))


def _opponents(patch: str, recordings: Path | None) -> list[Row]:
    terrain = load(KAIROS if KAIROS in names(recordings) else names()[0], recordings)
    return [
        row
        for race in opponents.RACES
        for level in opponents.LEVELS
        for row in opponents.growth(terrain, race, level, patch)
    ]


PARTS = (
    Part("structures", "Terran structures, loops", "replays", lambda p, _: structures(p)),
    Part("made", "everything made by three races, loops", "replays, facts", lambda p, _: makes.everything(p)),
    Part("queues", "gaps of full queues, loops", "replays", lambda p, _: production(p)),
    Part("duels", "first hit to death, loops", "facts: span with random delays", lambda p, _: duels.duels(p)),
    Part("kills", "gaps between kills of one unit, loops", "replays", lambda p, _: kills.kills(p)),
    Part("setups", "new form to first kill, loops", "replays", lambda p, _: setups.setups(p)),
    Part("casts", "energy and cooldowns of casts", "facts", lambda p, _: casts.casts(p)),
    Part("sight", "sight, cells", "facts, recordings", lambda p, _: sight.sight(p)),
    Part("detection", "detection, cells", "facts", lambda p, _: sight.detection(p)),
    Part("travel", "40 cells of open ground, loops", "facts", lambda p, _: travel(p)),
    Part("gas", "gas a minute", "replays", lambda p, _: gas(load(names()[0]), p)),
    Part("gastrips", "trips of gas workers that nobody steers, loops", "replays", lambda p, _: gas_trips(p)),
    Part(
        "trips",
        "trips of steered workers, loops",
        "4 bots of the ladder",
        lambda p, _: trips(load(names()[0]), patch=p),
    ),
    Part(
        "led",
        "trips of workers led home, loops",
        "2 games of a bot that looks in every loop",
        lambda p, _: led_home(load(names()[0]), patch=p),
    ),
    Part("mules", "interval and trips of MULEs, loops", "replays", lambda p, _: mules(load(names()[0]), p)),
    Part("mining", "minerals gathered, by map and loop", "medians of 156 replays", _mining),
    Part("plain", "trips of workers without orders, in 240 loops", "built-in sides", lambda _, r: _plain(r)),
    Part(
        "games",
        "real games again: commands, gathering, starts, births, counts, places",
        "games whose commands are known",
        lambda _, r: games(r.parent if r else None),
    ),
    Part("opponents", "built-in opponents, workers and army value", "medians of 71 replays", _opponents),
)


def table(title: str, rows: Sequence[Row], whole: bool = True) -> str:
    """The rows as text, and how many agree; without `whole` only those that differ."""
    shown = [row for row in rows if whole or row.verdict == "differs"]
    width = max([48, *(len(row.what) for row in shown)])
    lines = [f"{title:<{width + 2}} {'ours':>8} {'real':>8} {'diff':>7}"]
    lines += [f"  {row.what:<{width}} {row.ours:>8.5g} {row.real:>8.5g} {row.off:>7}  {row.verdict}" for row in shown]
    return "\n".join([*lines, f"  {summary(rows)}", ""])


def summary(rows: Sequence[Row]) -> str:
    """How many rows agree, in words."""
    count = {name: sum(row.verdict == name for row in rows) for name in ("equal", "within", "differs")}
    worst = max(rows, key=lambda row: row.apart, default=None)
    text = f"{len(rows)} compared: {count['equal']} equal, {count['within']} within what is allowed, "
    return text + f"{count['differs']} differ" + (f"; worst {worst.what}: {worst.off}" if worst else "")


def markdown(results: Sequence[tuple[Part, Sequence[Row]]], patch: str) -> str:
    """The table for a page: a line a part, then every row that differs."""
    lines = [f"Patch {patch}, `python -m sim fidelity`:", ""]
    lines += ["| what | real side | compared | equal | within | differ |", "| --- | --- | --- | --- | --- | --- |"]
    for part, rows in results:
        count = [sum(row.verdict == name for row in rows) for name in ("equal", "within", "differs")]
        lines.append(f"| {part.title} | {part.real} | {len(rows)} | " + " | ".join(map(str, count)) + " |")
    differing = [(part, row) for part, rows in results for row in _worst(rows)]
    if differing:
        lines += ["", "| differs (of several loops the worst) | ours | real |", "| --- | --- | --- |"]
        lines += [f"| {part.name}: {row.what} | {row.ours:.5g} | {row.real:.5g} |" for part, row in differing]
    return "\n".join(lines)


def _worst(rows: Sequence[Row]) -> list[Row]:
    """Of the rows that differ, the worst of each thing that was read at several loops ("name at loop")."""
    found: dict[str, Row] = {}
    for row in rows:
        name = row.what.rsplit(" at ", 1)[0]
        if row.verdict == "differs" and (name not in found or row.apart > found[name].apart):
            found[name] = row
    return list(found.values())


def keep(page: Path, text: str) -> None:
    """Puts the table between the marks of a page; the page is replaced at once or not at all.

    Raises:
        OSError: the page cannot be read or written.
        ValueError: it has no marks.
    """
    before, after = around(page)
    write_whole(page, f"{before}{text}\n{after}")


def around(page: Path) -> tuple[str, str]:
    """What a page says before and after the table, the marks included; raises as `keep` does."""
    text = page.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise ValueError(f"{page} has no lines {BEGIN} and {END}")
    return f"{text[: text.index(BEGIN)]}{BEGIN}\n", text[text.index(END) :]


def main(argv: Sequence[str]) -> int:
    """Prints the comparison. -> exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m sim fidelity",
        description="Compare the engine with measurements of the real game. Parts:\n"
        + "\n".join(f"  {part.name:<12}{part.title}" for part in PARTS),
        **examples(
            "python -m sim fidelity gas mules --all   # every row of two parts",
            "python -m sim fidelity --data ../shared --keep docs/fidelity.md   # the whole table, into the page",
        ),
    )
    default = Path("../shared") if Path("../shared/recordings").is_dir() else None
    parser.add_argument("parts", nargs="*", metavar="PART", help="only these (default: all; minutes, longest games)")
    parser.add_argument("--data", type=Path, default=default, help="folder with recordings/ of real maps")
    parser.add_argument("--patch", default="5.0.14", help="balance to play by (default: %(default)s)")
    parser.add_argument("--all", action="store_true", help="print every row, not only those that differ")
    parser.add_argument(
        "--keep", type=Path, metavar="PAGE", help="also put the table into this page (docs/fidelity.md)"
    )
    options = parser.parse_args(argv)
    recordings = options.data / "recordings" if options.data else None
    unknown = sorted(set(options.parts) - {part.name for part in PARTS})
    problem = ""
    if recordings and not recordings.is_dir():
        problem = f"no recordings in {options.data}"
    elif options.patch not in patches():
        problem = f"no patch {options.patch}; there are {', '.join(patches())}"
    elif unknown:
        problem = f"no part {unknown[0]}; there are {', '.join(part.name for part in PARTS)}"
    elif options.keep and options.parts:
        problem = "--keep takes the whole table: name no parts"
    elif options.keep:
        try:
            around(options.keep)  # says before the work, not after it, that the page is none
        except (OSError, ValueError) as error:
            problem = str(error)
    if problem:
        print(f"python -m sim fidelity: {problem}", file=sys.stderr)
        return 2
    results = []
    for part in PARTS:
        if options.parts and part.name not in options.parts:
            continue
        print(f"measuring {part.name} ...", end="\r", file=sys.stderr, flush=True)
        try:
            rows = part.measure(options.patch, recordings)
        except RefusedError as error:
            print(f"{part.title}: {error}\n")
            continue
        results.append((part, rows))
        print(table(part.title, rows, options.all))
    if options.keep is not None:
        try:
            keep(options.keep, markdown(results, options.patch))
        except (OSError, ValueError) as error:
            print(f"python -m sim fidelity: {error}", file=sys.stderr)
            return 2
    return 0
