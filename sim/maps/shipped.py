"""The maps that come with Ironsight: one small text each in `data/`, from which the whole map is made."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import numpy as np

from . import ground, practice
from .footprints import placement_cells
from .resources import base
from .terrain import MapError, Neutral, Terrain

DATA = Path(__file__).parent / "data"
NAMES = ("IronRidgeAIE", "AmberFordAIE")  # the first one is the default
BASE_RADIUS = 11.5  # cells around a town hall that are level


def shipped() -> tuple[str, ...]:
    """Names of the shipped maps; the first one is the default."""
    return NAMES


@cache
def build(name: str) -> Terrain:
    """The shipped or practice map of this exact name."""
    if name in practice.names():
        return practice.lowered(_from_table(practice.table(name), name))
    return from_text((DATA / f"{name}.toml").read_text(encoding="utf-8"), name)


def from_text(text: str, name: str) -> Terrain:
    """The map that a text describes; everything in it is given for one player and turned for the other.

    Keys: title, size, playable (x0, y0, x1, y1), seed, roughness; area[] = {level, points} or {level, circle (x, y,
    radius)}, painted in order; base[] = {at, level, minerals (corner of the base)}, the first one is the start;
    ramp[] = {at, uphill, low, width}; rock[] = {type, at}. Levels count from 1 (height 8) to 4 (height 14), 0 is
    nothing. MapError for a bad text.
    """
    try:
        return _from_table(tomllib.loads(text), name)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise MapError(f"map {name}: {type(error).__name__}: {error}") from None


def _polygon(area: dict) -> list[tuple[float, float]]:
    if "circle" not in area:
        return [(x, y) for x, y in area["points"]]
    x, y, radius = area["circle"]
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return [(x + radius * float(np.cos(angle)), y + radius * float(np.sin(angle))) for angle in angles]


def _from_table(table: dict, name: str) -> Terrain:
    width, height = table["size"]
    playable = tuple(table["playable"])
    rng = np.random.default_rng(table["seed"])
    areas = [(area["level"], _polygon(area)) for area in table["area"]]
    corners = ground.paint(width, height, areas, rng, table["roughness"])
    neutrals: list[Neutral] = []
    for site in table["base"]:
        x, y = site["at"]
        for at_x, at_y in ((x, y), (width - x, height - y)):
            ground.flatten(corners, at_x, at_y, BASE_RADIUS, site["level"])
        if not table.get("bare"):
            neutrals += base(x, y, site["minerals"])
    ramps = [ground.Ramp(*ramp["at"], ramp["uphill"], ramp["low"], ramp.get("width", 6)) for ramp in table["ramp"]]
    ramps += [ramp.turned(width, height) for ramp in ramps]
    walkable, buildable, levels = ground.finish(corners, ramps, playable)
    neutrals += [Neutral(rock["type"], *rock["at"]) for rock in table.get("rock", [])]
    neutrals += [Neutral(thing.type_id, width - thing.x, height - thing.y) for thing in neutrals]
    for thing in neutrals:
        cells = placement_cells(thing.type_id, thing.x, thing.y)
        if not cells or not all(0 <= x < width and 0 <= y < height for x, y in cells):
            raise MapError(f"map {name}: neutral {thing} does not fit")
    x, y = table["base"][0]["at"]
    return Terrain(
        name=name,
        title=table["title"],
        width=width,
        height=height,
        playable=playable,
        walkable=walkable,
        buildable=buildable,
        levels=levels,
        starts=((x, y), (width - x, height - y)),
        neutrals=tuple(sorted(neutrals, key=lambda thing: (thing.y, thing.x))),
        bare=bool(table.get("bare")),
    )
