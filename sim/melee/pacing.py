"""SCVs at work walk about on their sites, from one of eight places to another.

The places are the corners and the middles of the sides of the square on which the worker's body just fits the site. Of
36 sightings of real ones, all 30 later than 34 loops after the command are there (14) or on the straight
line between two (16), to .01, and those on the way speed up and brake as on any move. A depot observed of 4.10: legs in
loops 28 to 53, 151 to 168, 273 to 291 and 405 to 419 after an order whose work begins in loop 27, 0.28 cells off the
middle at least, while the work goes on. Catalog: 5 to 10 normal seconds between them (notes of 5.0.14: 4.64 to 6.07
real ones). That all seven others are as likely is ours.

When the work is done they walk out of the structure, and only then are they free (docs/fidelity/mining.md, Builders
come out).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.engine.state import UNFINISHED
from sim.melee import grids, harvest, placement
from sim.melee.harm import is_dragged, same
from sim.melee.registry import AFTER

if TYPE_CHECKING:
    from sim.melee.game import Game

CORNERS = ((1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0))
CUT = 0.5  # catalog: by how much the corners of outlines are cut off, but of gas structures and town halls
REACH = 0.01  # cells by which it stays within touch of the outline: who harvests it need not come back
BEYOND = 0.25  # cells from where it is out, which may be above a corner of the cells of the structure, to open ground
THERE = 0.05  # cells
PAUSE = {"4.10.0": (80.0, 160.0), "5.0.14": (104.0, 136.0)}  # loops, by patch


def pace(game: Game, builder: int) -> None:
    """A builder has begun or taken over a structure: it sets out at once."""
    structure = int(game.units[builder]["builder"])
    numbers = builder, int(game.units[builder]["generation"]), structure, int(game.units[structure]["generation"])
    game.later(1, "builder sets out", *numbers)


def at_work(game: Game, builder: float, generation: float, structure: float, other: float) -> bool:
    """The builder still works on that structure, where it stands."""
    if not same(game, builder, generation) or not same(game, structure, other):
        return False
    works = game.units[int(builder)]["builder"] == structure and game.units[int(structure)]["builder"] == builder
    return bool(works and int(game.units[int(structure)]["flags"]) & UNFINISHED) and not is_dragged(game, int(builder))


def set_out(game: Game, builder: float, generation: float, structure: float, other: float) -> None:
    """Chooses another place on the site."""
    if not at_work(game, builder, generation, structure, other):
        return
    site, unit = game.units[int(structure)], game.units[int(builder)]
    row = game.type_of(int(builder))
    half = max(placement.side_of(game, int(site["type"])) / 2 - float(row["radius"]), 0.0)
    here = float(unit["x"]), float(unit["y"])
    places = [(float(site["x"]) + half * dx, float(site["y"]) + half * dy) for dx, dy in CORNERS]
    places = [place for place in places if math.dist(place, here) > THERE]
    x, y = places[int(game.random() * len(places))]
    unit["facing"] = math.atan2(y - here[1], x - here[0])
    step(game, builder, generation, structure, other, *here, x, y, 1)


def leg(way: float, top: float, pull: float) -> tuple[float, float, float]:
    """Loops of speeding up (and of braking), loops in all, and the speed between, of a way from rest to rest."""
    speed = min(top, math.sqrt(pull * way))
    return speed / pull, way / speed + speed / pull, speed


def put(unit: Any, start: tuple[float, float], end: tuple[float, float], share: float) -> None:
    """Places a builder so far on its way between two places, where it means to be."""
    unit["x"], unit["y"] = (here + share * (there - here) for here, there in zip(start, end, strict=True))
    unit["goal_x"], unit["goal_y"] = unit["x"], unit["y"]


def step(
    game: Game,
    builder: float,
    generation: float,
    structure: float,
    other: float,
    from_x: float,
    from_y: float,
    x: float,
    y: float,
    number: float,
) -> None:
    """One loop of a leg from one place to another; after the last one it stands for a while."""
    if not at_work(game, builder, generation, structure, other):
        return
    unit, row = game.units[int(builder)], game.type_of(int(builder))
    way, pull = math.dist((from_x, from_y), (x, y)), float(row["acceleration"])
    ramp, whole, speed = leg(way, float(row["speed"]), pull)
    left = max(whole - number, 0.0)
    if min(number, left) < ramp:
        gone = pull * number**2 / 2 if number < left else way - pull * left**2 / 2
    else:
        gone = speed * (number - ramp / 2)
    put(unit, (from_x, from_y), (x, y), gone / way)
    who = builder, generation, structure, other
    if left > 0:
        game.later(1, "builder walks", *who, from_x, from_y, x, y, number + 1)
    else:
        least, most = PAUSE[game.patch]
        game.later(round(least + (most - least) * game.random()), "builder sets out", *who)


def leave(game: Game, builder: int, structure: int) -> None:
    """The structure is complete: the builder walks out of its outline the nearest way that ends on ground."""
    site, unit = game.units[structure], game.units[builder]
    numbers = builder, int(unit["generation"]), structure, int(site["generation"])
    here = float(unit["x"]), float(unit["y"])
    side, cut = placement.side_of(game, int(site["type"])), float(game.harvest_table["cut"][site["type"]]) or CUT
    ends = []
    for dx, dy in CORNERS:
        inner = dx * (here[0] - float(site["x"])) + dy * (here[1] - float(site["y"]))
        edge = (side - cut) / math.sqrt(2) if dx and dy else side / 2
        norm = math.hypot(dx, dy)
        way = max(edge + float(game.type_of(builder)["radius"]) - REACH - inner / norm, 0.0)
        beyond = way + BEYOND * norm
        if grids.walkable(game, here[0] + beyond * dx / norm, here[1] + beyond * dy / norm):
            ends.append((way, here[0] + way * dx / norm, here[1] + way * dy / norm))
    _, x, y = min(ends, default=(0.0, *here))
    unit["facing"] = math.atan2(y - here[1], x - here[0])
    come_out(game, *numbers, *here, x, y, 0)


def come_out(
    game: Game,
    builder: float,
    generation: float,
    structure: float,
    other: float,
    from_x: float,
    from_y: float,
    x: float,
    y: float,
    number: float,
) -> None:
    """One loop of its way out of the structure; at the end of it the builder is free."""
    slot = int(builder)
    if not same(game, builder, generation) or game.units[slot]["builder"] != structure:
        return
    unit, row, way = game.units[slot], game.type_of(slot), math.dist((from_x, from_y), (x, y))
    pull, top = float(row["acceleration"]), float(row["speed"])
    ramp = min(number, top / pull)
    gone = pull * ramp**2 / 2 + top * (number - ramp)
    stands = same(game, structure, other) and not is_dragged(game, slot)
    if stands and way > 0:
        put(unit, (from_x, from_y), (x, y), min(gone / way, 1.0))
    if stands and gone < way:
        game.later(1, "builder comes out", builder, generation, structure, other, from_x, from_y, x, y, number + 1)
        return
    unit["builder"] = -1
    game.finish_order(slot)
    if stands and int(game.units[int(structure)]["type"]) in game.facts.gas_structures and not unit["order_count"]:
        harvest.go_harvest(game, slot, int(structure))


AFTER["builder sets out"] = set_out
AFTER["builder walks"] = step
AFTER["builder comes out"] = come_out
