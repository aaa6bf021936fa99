"""What a training battle is: the ground, who fights, what each side is told, how long, and what it is worth.

A scenario describes a family of fights; `draw` makes one of them (places vary a little, random scenarios vary in
everything). Lengths are cells, times environment steps of 8 game loops unless they say otherwise.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sim.facts import load as load_facts
from sim.maps import Terrain
from train.errors import TrainError

if TYPE_CHECKING:
    from collections.abc import Iterable

PATCH = "5.0.14"
LOOPS = 8  # of one environment step
RACES = {"Terran": 1, "Zerg": 2, "Protoss": 3}
BEHAVIOURS = ("attack", "hold", "raid", "hunt", "none", "scripted", "learned")
"""What the other side does: attack-move to our point, stand and fire, attack and run home when it loses and come again,
each attack our nearest unit, nothing, be played by the scripted twin, or by a frozen policy."""
MODES = ("fight", "hold", "retreat")
ALLOWS = {"cloak": 1, "nuke": 2, "jump": 4, "drop": 8}
"""What a mission may allow beyond the usual, and the bit of `bot.micro.task.Task.allows` that says so."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Group:
    """Units of one type that start about one point."""

    unit: str
    count: int
    at: Point
    energy: float | None = None
    """Points; None: what the type starts with."""
    life: float = 1.0
    """Share of life."""
    aboard: str = ""
    """Type of the own carrier that holds them at the start."""


@dataclass(frozen=True, slots=True)
class Mission:
    """What our side is told."""

    mode: str = "fight"
    point: Point = (0.0, 0.0)
    home: Point = (0.0, 0.0)
    allows: tuple[str, ...] = ()

    @property
    def bits(self) -> int:
        """The same as bits."""
        return sum(ALLOWS[name] for name in self.allows)


@dataclass(frozen=True, slots=True)
class Reward:
    """Weights of the reward: win and loss at the end; the rest are shares of the two armies' value."""

    win: float = 1.0
    loss: float = 0.0
    time: float = 0.0
    """What all the time up to the limit costs, in equal parts step by step; nothing where to survive is to win."""
    killed: float = 1.0
    lost: float = 1.0
    damage: float = 0.0
    """Part of killed and lost that is paid for life taken instead of for deaths."""


@dataclass(frozen=True, slots=True)
class Fight:
    """One concrete fight: (type name, place, group) of every unit, our own first."""

    own: tuple[tuple[Group, Point], ...]
    enemy: tuple[tuple[Group, Point], ...]
    upgrades: tuple[tuple[int, ...], tuple[int, ...]]
    behaviour: str
    mission: Mission


@dataclass(frozen=True, slots=True)
class Scenario:
    """A family of fights on one ground."""

    name: str
    title: str
    ground: Terrain
    own: tuple[Group, ...]
    enemy: tuple[Group, ...]
    limit: int
    family: str = "user"
    level: int = 2
    races: tuple[int, int] = (1, 1)
    upgrades: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    behaviour: str = "attack"
    aims: bool = False
    """The enemies turn to the best targets round them, as the built-in opponent's fighters do (VeryHard)."""
    enemy_point: Point | None = None
    """Where the enemies go; None: to our first group's start."""
    mission: Mission = field(default_factory=Mission)
    fog: bool = True
    passive: bool = False
    """Our units do nothing by themselves (as the agents of the StarCraft Multi-Agent Challenge)."""
    jitter: float = 1.0
    """Cells by which each group's start varies."""
    mirror: bool = False
    """Half of the fights are mirrored top to bottom."""
    skills: tuple[str, ...] = ()
    reward: Reward = field(default_factory=Reward)
    bank: int = 0
    """Minerals and gas at the start (repair)."""
    win_by: str = "kill"
    """kill: no enemy fights any more; survive: some of us live at the end; target: the enemies in `targets` die."""
    targets: tuple[str, ...] = ()
    make: Callable[[np.random.Generator], Scenario] | None = None
    """Random scenarios: makes the family from which one fight is drawn."""
    reserve: int = 0
    """Slots for units that appear during the battle."""

    @property
    def sizes(self) -> tuple[int, int]:
        """Most units of both sides."""
        return sum(g.count for g in self.own), sum(g.count for g in self.enemy)

    def draw(self, rng: np.random.Generator) -> tuple[Scenario, Fight]:
        """(the concrete family, one fight of it)."""
        family = self if self.make is None else self.make(rng)
        flip = family.mirror and rng.random() < 0.5
        sides = [_placed(family, groups, rng, flip) for groups in (family.own, family.enemy)]
        mission = family.mission
        if flip:
            mission = replace(mission, point=_flip(family, mission.point), home=_flip(family, mission.home))
        return family, Fight(tuple(sides[0]), tuple(sides[1]), family.upgrades, family.behaviour, mission)


def _flip(family: Scenario, point: Point) -> Point:
    return point[0], family.ground.height - point[1]


def _placed(
    family: Scenario, groups: Iterable[Group], rng: np.random.Generator, flip: bool
) -> list[tuple[Group, Point]]:
    """Every unit of these groups with its place, varied, each in free room."""
    from sim.melee.spread import spread

    facts = load_facts(PATCH)
    found: list[tuple[Group, Point]] = []
    rows: list[tuple[Group, tuple[float, float, float]]] = []
    for group in groups:
        dx, dy = rng.uniform(-family.jitter, family.jitter, 2) if family.jitter > 0 else (0.0, 0.0)
        x, y = _flip(family, group.at) if flip else group.at
        kind = facts.types[facts.ids[group.unit]]
        if kind["structure"]:
            dx, dy = 0.0, 0.0
        radius = float(kind["separation"]) or float(kind["radius"])
        rows += [(group, (x + dx, y + dy, radius))] * group.count
    for flying in (0, 1):
        chosen = [row for row in rows if facts.types[facts.ids[row[0].unit]]["flying"] == flying]
        ground = np.ones_like(family.ground.walkable) if flying else family.ground.walkable
        places = spread([place for _, place in chosen], ground)
        found += [(group, place) for (group, _), place in zip(chosen, places, strict=True)]
    order = {id(group): index for index, group in enumerate(groups)}
    return sorted(found, key=lambda pair: order[id(pair[0])])


def near(word: str, known: Iterable[str]) -> str:
    """A hint at the known words nearest to a wrong one, "" without any."""
    lower = {one.lower(): one for one in known}
    found = difflib.get_close_matches(word.lower(), lower, n=4, cutoff=0.5)
    return f"; near it: {', '.join(lower[one] for one in found)}" if found else ""


def upgrade_ids(names: Iterable[str], where: str) -> tuple[int, ...]:
    """API ids of upgrades by name; TrainError names the unknown one."""
    facts = load_facts(PATCH)
    known = {upgrade.name.lower(): number for number, upgrade in facts.upgrades.items()}
    found = []
    for name in names:
        if name.lower() not in known:
            raise TrainError(f"{where}: unknown upgrade {name!r}{near(name, known)}")
        found.append(known[name.lower()])
    return tuple(found)


def check_unit(name: str, where: str) -> str:
    """The name of a unit type, as the facts spell it; TrainError for an unknown one."""
    facts = load_facts(PATCH)
    if name in facts.ids and facts.types[facts.ids[name]]["exists"]:
        return name
    lower = {known.lower(): known for known in facts.ids if facts.types[facts.ids[known]]["exists"]}
    if name.lower() in lower:
        return lower[name.lower()]
    raise TrainError(f"{where}: unknown unit {name!r}{near(name, lower.values())}")
