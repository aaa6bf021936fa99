"""A fight's first moment as text and as SVG."""

from __future__ import annotations

import itertools
from html import escape

import numpy as np

from sim.facts import load as load_facts
from train.scenario import PATCH, Fight, Group, Point, Scenario

LOW = 191  # height byte of the lower ground
SCALE = 14  # pixels a cell
COLOURS = {"ground": "#6d7f62", "high": "#97a07c", "ramp": "#b08048", "wall": "#2b2622"}
OURS, THEIRS = "#3a86e0", "#d04545"


def letters(fight: Fight) -> dict[tuple[bool, str], str]:
    """One letter for each type of each side: capitals are ours."""
    found: dict[tuple[bool, str], str] = {}
    for own, units in ((True, fight.own), (False, fight.enemy)):
        taken: set[str] = set()
        for group, _ in units:
            key = (own, group.unit)
            if key not in found:
                choices = [*group.unit.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
                letter = next((c for c in choices if c.isalpha() and c not in taken), "?")
                taken.add(letter)
                found[key] = letter if own else letter.lower()
    return found


def ascii_art(family: Scenario, fight: Fight) -> str:
    """The ground, one character a cell: # closed, : high, / ramp, . open; capitals ours, small letters theirs."""
    ground = family.ground
    grid = np.full((ground.height, ground.width), ".", "<U1")
    grid[ground.levels > LOW] = ":"
    grid[(ground.walkable == 1) & (ground.buildable == 0)] = "/"
    grid[ground.walkable == 0] = "#"
    signs = letters(fight)
    for own, units in ((False, fight.enemy), (True, fight.own)):
        for group, (x, y) in units:
            grid[min(int(y), ground.height - 1), min(int(x), ground.width - 1)] = signs[own, group.unit]
    lines = ["".join(row) for row in grid[::-1]]
    counts: dict[tuple[bool, str], int] = {}
    for own, units in ((True, fight.own), (False, fight.enemy)):
        for group, _ in units:
            counts[own, group.unit] = counts.get((own, group.unit), 0) + 1
    legend = ", ".join(f"{signs[key]} {count} {key[1]}" for key, count in counts.items())
    return "\n".join([*lines, legend])


def svg(family: Scenario, fight: Fight) -> str:
    """A picture of its own, without anything from elsewhere."""
    ground = family.ground
    width, height = ground.width * SCALE, ground.height * SCALE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{escape(family.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{COLOURS["ground"]}"/>',
    ]
    for y in range(ground.height):
        parts += _runs(family, y)
    for own, units in ((False, fight.enemy), (True, fight.own)):
        parts += [_dot(group, at, own, ground.height) for group, at in units]
    for name, (x, y) in (("goal", fight.mission.point), ("home", fight.mission.home)):
        parts.append(
            f'<text x="{x * SCALE:.0f}" y="{(ground.height - y) * SCALE:.0f}" fill="#fff" font-size="12" '
            f'text-anchor="middle">{name}</text>'
        )
    return "\n".join([*parts, "</svg>"])


def _runs(family: Scenario, y: int) -> list[str]:
    """One row of cells, equal neighbours as one rectangle."""
    ground = family.ground
    names = np.full(ground.width, "ground", "<U6")
    names[ground.levels[y] > LOW] = "high"
    names[(ground.walkable[y] == 1) & (ground.buildable[y] == 0)] = "ramp"
    names[ground.walkable[y] == 0] = "wall"
    edges = [0, *(np.flatnonzero(names[1:] != names[:-1]) + 1).tolist(), ground.width]
    top = (ground.height - 1 - y) * SCALE
    return [
        f'<rect x="{a * SCALE}" y="{top}" width="{(b - a) * SCALE}" height="{SCALE}" fill="{COLOURS[str(names[a])]}"/>'
        for a, b in itertools.pairwise(edges)
        if names[a] != "ground"
    ]


def _dot(group: Group, at: Point, own: bool, height: int) -> str:
    facts = load_facts(PATCH)
    radius = max(float(facts.types[facts.ids[group.unit]]["radius"]), 0.3) * SCALE
    return (
        f'<circle cx="{at[0] * SCALE:.1f}" cy="{(height - at[1]) * SCALE:.1f}" r="{radius:.1f}" '
        f'fill="{OURS if own else THEIRS}" stroke="#111"><title>{group.unit}</title></circle>'
    )
