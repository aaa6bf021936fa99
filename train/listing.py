"""`python -m train scenarios [NAME ...]`: the list of all scenarios, or some of them shown with a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from sim.arguments import natural
from train import catalog, picture
from train.arguments import write
from train.errors import TrainError
from train.scenario import Scenario

RACE_LETTERS = {1: "T", 2: "Z", 3: "P"}
SEED = 1  # of the fight that is shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios or TOML files to show; none: the list")
    parser.add_argument("--family", choices=catalog.FAMILIES, help="list only this family")
    parser.add_argument("--find", default="", metavar="TEXT", help="list only names, titles and skills that hold this")
    parser.add_argument("--svg", metavar="FILE", help="write the picture of one scenario as SVG")
    parser.add_argument(
        "--seed", type=natural, default=SEED, help="which fight of a scenario is drawn (default %(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """List, or show."""
    if options.svg and len(options.names) != 1:
        raise TrainError("--svg needs exactly one scenario")
    if not options.names:
        print(table(options.family or "", options.find))
        return 0
    for name in options.names:
        scenario = catalog.load(name)
        family, fight = scenario.draw(np.random.default_rng(options.seed))
        print(describe(scenario))
        print()
        print(picture.ascii_art(family, fight))
        if options.svg:
            write(Path(options.svg), picture.svg(family, fight))
    return 0


def table(family: str = "", find: str = "") -> str:
    """All scenarios, one line each; drills once, with the sizes of their three levels."""
    rows: list[tuple[str, ...]] = []
    for name in catalog.names(family):
        head, _, level = name.partition("@")
        if level not in ("", "2"):
            continue
        scenario = catalog.load(name)
        if find.lower() not in f"{name} {scenario.title} {' '.join(scenario.skills)}".lower():
            continue
        sizes = [sizes_of(catalog.load(f"{head}@{k}")) for k in (1, 2, 3)] if level else [sizes_of(scenario)]
        races = "".join(RACE_LETTERS[race] for race in scenario.races)
        rows.append((head, scenario.family, races, " / ".join(sizes), str(scenario.limit), scenario.title))
    if not rows:
        raise TrainError(f"no scenario holds {find!r}")
    header = ("name", "family", "races", "units (levels 1 / 2 / 3)", "steps", "title")
    widths = [max(len(row[k]) for row in (*rows, header)) for k in range(5)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True)).rstrip()
        for row in (header, *rows)
    ]
    lines.append(f"{len(rows)} scenarios; drills are asked for by level as NAME@1 to NAME@3 (2 without)")
    return "\n".join(lines)


def sizes_of(scenario: Scenario) -> str:
    """Units of ours and theirs."""
    ours, theirs = scenario.sizes
    return f"{ours}v{theirs}"


def describe(scenario: Scenario) -> str:
    """Everything that a scenario says, as lines."""
    mission = scenario.mission
    lines = [
        f"{scenario.name}: {scenario.title}",
        f"  family {scenario.family}, level {scenario.level}, at most {scenario.limit} steps of 8 loops",
        f"  won by {_won(scenario)}",
        f"  ground {scenario.ground.name} {scenario.ground.width}x{scenario.ground.height}, fog {_yes(scenario.fog)}",
        f"  ours   {_army(scenario.own)}",
        f"  theirs {_army(scenario.enemy)}; {scenario.behaviour}",
        f"  mission {mission.mode} at ({mission.point[0]:g}, {mission.point[1]:g}), home ({mission.home[0]:g}, "
        f"{mission.home[1]:g}), allows {', '.join(mission.allows) or 'nothing special'}",
    ]
    if scenario.skills:
        lines.append(f"  teaches {', '.join(scenario.skills)}")
    if scenario.make:
        lines.append("  every fight is drawn anew; one of them:")
    return "\n".join(lines)


def _won(scenario: Scenario) -> str:
    if scenario.win_by == "target":
        return f"killing every {' and '.join(scenario.targets)}"
    return {"kill": "killing all that fight", "survive": "being alive at the end"}[scenario.win_by]


def _army(groups: tuple) -> str:
    counts: dict[str, int] = {}
    for group in groups:
        counts[group.unit] = counts.get(group.unit, 0) + group.count
    return ", ".join(f"{count} {unit}" for unit, count in counts.items() if count)


def _yes(value: bool) -> str:
    return "on" if value else "off"
