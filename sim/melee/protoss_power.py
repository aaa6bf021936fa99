"""Power: what pylons and phasing warp prisms (set up and not jammed) supply, and what structures do without it.

A structure is powered while its centre is within a source's radius. A pylon powers no ground above its own, a prism
any (since Heart of the Swarm: Liquipedia, "Psionic Matrix"). Without power a structure neither trains nor researches
(what has begun stands still), cannons neither fire nor detect (Liquipedia, "Photon Cannon"), and nothing new may be
placed. Radii: catalog 5.0.14.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import MATRIX
from sim.engine.state import DISARMED, FLYING, MORPHING, PLAYERS, POWERED, UNFINISHED, UNPOWERED
from sim.facts import load
from sim.melee.active import every
from sim.melee.lifecycle import ground_height
from sim.melee.records import Race, Result
from sim.melee.registry import FORBID, SITE, Cells

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

RADIUS = {"Pylon": 6.5, "WarpPrismPhasing": 3.75}
UNEVEN = 1.0  # cells by which ground of one level differs at most; levels are two apart
UNPOWERED_TYPES = ("Nexus", "Pylon", "Assimilator", "AssimilatorRich")  # need none
NO_BUILD_POWER, NO_TRAIN_POWER = 50, 52  # ActionResult ids
NEEDS_POWER_KINDS = ("train", "research", "warp", "morph", "effect")


@dataclass(frozen=True, slots=True)
class Source:
    """A finished source of power: slot, centre, radius in cells, the height of the highest ground that it powers."""

    slot: int
    x: float
    y: float
    radius: float
    top: float

    def reaches(self, x: float, y: float, height: float) -> bool:
        """The point on ground of this height lies in its power."""
        return height <= self.top and (self.x - x) ** 2 + (self.y - y) ** 2 <= self.radius * self.radius


@dataclass(slots=True)
class Power:
    """Power of one game: the sources of each player, and the structures that lack it, with the `game.counts_version`
    of both. Whoever asks may look for sources; structures are marked by the rule alone, so that nothing hangs on when
    somebody asks."""

    version: int = -1
    marked: int = -1
    sources: list[list[Source]] = field(default_factory=lambda: [[] for _ in range(PLAYERS)])
    without: list[int] = field(default_factory=list)


@cache
def users(patch: str) -> frozenset[int]:
    """Unit types that work with power only."""
    facts = load(patch)
    made = {a.product for a in facts.abilities.values() if a.name == "ProtossBuild" and a.kind == "build"}
    return frozenset(made | {facts.ids["WarpGate"]}) - {facts.ids[name] for name in UNPOWERED_TYPES}


def of(game: Game) -> Power:
    """The game's power with its sources as units are now."""
    power = game.power_state = game.power_state or Power()
    if power.version != game.counts_version:
        power.version = game.counts_version
        units = game.units[: int(game.world[0]["slots"])]
        finished = (units["alive"] == 1) & (units["flags"] & (UNFINISHED | MORPHING) == 0)
        finished &= ~(units["buff"] == MATRIX).any(axis=1)
        for player in range(1, PLAYERS):
            power.sources[player] = [
                source_at(game, int(slot), radius)
                for name, radius in RADIUS.items()
                for slot in np.flatnonzero(
                    finished & (units["owner"] == player) & (units["type"] == game.facts.ids[name])
                )
            ]
    return power


def mark(game: Game) -> Power:
    """Marks which structures have power, if that may have changed."""
    power = of(game)
    if power.marked == power.version:
        return power
    power.marked = power.version
    power.without.clear()
    units = game.units[: int(game.world[0]["slots"])]
    for slot in np.flatnonzero((units["alive"] == 1) & np.isin(units["type"], list(users(game.patch)))):
        unit = units[slot]
        armed = game.type_of(int(slot))["weapons"][0] >= 0
        if covered(game, power, int(unit["owner"]), float(unit["x"]), float(unit["y"])):
            unit["flags"] = (int(unit["flags"]) | POWERED) & ~UNPOWERED
            if armed:
                unit["flags"] &= ~np.uint32(DISARMED)
        else:
            unit["flags"] = (int(unit["flags"]) | UNPOWERED) & ~POWERED
            if armed:
                unit["flags"] |= DISARMED
            power.without.append(int(slot))
    return power


def source_at(game: Game, slot: int, radius: float) -> Source:
    """The power of a pylon or a prism."""
    unit = game.units[slot]
    x, y = float(unit["x"]), float(unit["y"])
    return Source(slot, x, y, radius, inf if int(unit["flags"]) & FLYING else ground_height(game, x, y) + UNEVEN)


def covered(game: Game, power: Power, player: int, x: float, y: float) -> bool:
    """Some source of the player reaches the point."""
    height = ground_height(game, x, y)
    return any(source.reaches(x, y, height) for source in power.sources[player])


def is_due(game: Game) -> bool:
    """True if `refresh` would do anything now."""
    power = game.power_state
    if power is None or power.marked != game.counts_version:
        return Race.PROTOSS in game.memory.races
    return any(game.units[slot]["job_count"] for slot in power.without)


def refresh(game: Game) -> None:
    """Keeps power up to date; the work of structures without it stands still."""
    for slot in mark(game).without:
        unit = game.units[slot]
        if unit["job_count"] and not int(unit["flags"]) & UNFINISHED:
            job = game.jobs[slot, 0]
            if job["started"] and job["left"] < job["total"]:
                job["left"] += 1  # the kernel has counted it down


def site_powered(game: Game, player: int, type_id: int, x: float, y: float, dark: Cells) -> int:
    """The site lies in power."""
    return Result.SUCCESS if covered(game, of(game), player, x, y) else NO_BUILD_POWER


def forbid(game: Game, slot: int, ability: Ability) -> int:
    """A structure without power does not work."""
    unit = game.units[slot]
    if int(unit["flags"]) & POWERED or int(unit["type"]) not in users(game.patch):
        return Result.SUCCESS
    powered = covered(game, of(game), int(unit["owner"]), float(unit["x"]), float(unit["y"]))
    return Result.SUCCESS if powered or ability.kind not in NEEDS_POWER_KINDS else NO_TRAIN_POWER


for _patch in ("5.0.14", "4.10.0"):
    for _type in users(_patch):
        SITE[_type] = site_powered
FORBID.append(forbid)
every(1, refresh, Race.PROTOSS)
