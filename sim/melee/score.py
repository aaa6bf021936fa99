"""Score: what was gathered, spent, killed and lost, in the protocol's terms (amounts in minerals and gas).

What counts where is what the players' statistics of 127 real games say, type by type.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import DELIVERED, HALLUCINATION, MORPHING, PLAYERS, STRUCTURE, UNFINISHED
from sim.facts import load
from sim.melee import harvest
from sim.melee.registry import EVERY, on_event

if TYPE_CHECKING:
    from typing import Any

    from sim.melee.game import Game

RATE_WINDOW = 240  # loops over which the collection rate is taken (measured in replays)
LOOPS_A_MINUTE = 1344  # a Faster minute
FIXED = 4096  # steps of the game's fixed-point numbers
CATEGORIES = ("army", "economy", "technology")
GROWN = {  # what it was before, which counts as economy, and where its change counts
    "Lair": ("Hatchery", "technology"),
    "Hive": ("Hatchery", "technology"),
    "Overseer": ("Overlord", "army"),
    "OverseerSiegeMode": ("Overlord", "army"),
}


def split() -> dict[str, list[float]]:
    """Minerals and gas by category."""
    return {category: [0.0, 0.0] for category in CATEGORIES}


@dataclass(slots=True)
class Score:
    """Running sums of one player; pairs are [minerals, gas]."""

    deliveries: tuple[deque[tuple[int, int]], deque[tuple[int, int]]] = field(
        default_factory=lambda: (deque(), deque())
    )
    lost_value: dict[str, list[float]] = field(default_factory=split)
    killed_value: dict[str, list[float]] = field(default_factory=split)
    killed_units: float = 0.0  # value of units killed
    killed_structures: float = 0.0
    friendly_fire: dict[str, list[float]] = field(default_factory=split)
    back: dict[str, list[float]] = field(default_factory=split)  # refunds of structures that were cancelled
    given: list[float] = field(default_factory=lambda: [0.0, 0.0])  # by cheats
    idle_production: float = 0.0  # loops, summed over structures
    idle_workers: float = 0.0  # loops, summed over workers

    def lost(self, game: Game, slot: int, by: int) -> None:
        """Books a unit of the player that died; `by` is the killer's player or 0.

        Who fell to its own side is friendly fire and no loss (139 Marines in splash of real tanks, 36 Banelings that
        burst: every entry of friendly fire agrees with the deaths); who burnt down is the enemy's.
        """
        minerals, gas, category = worth(game, slot)
        kept = kept_of_morph(game, slot)
        own = by == game.units[slot]["owner"] and by > 0
        pair = (self.friendly_fire if own else self.lost_value)[category]
        pair[0] += minerals + kept[0]
        pair[1] += gas + kept[1]

    def cancelled(self, game: Game, slot: int, minerals: float, gas: float) -> None:
        """Books what the player is about to give up for this refund (with a drone that comes back): it is friendly
        fire and no loss, and the game takes the refund off what was lost (so it does for structures, add-ons and units
        that were warped in; a Hatchery's 225 with its drone's 50)."""
        *worths, category = worth(game, slot)
        for k, refund in enumerate((minerals, gas)):
            self.lost_value[category][k] -= worths[k]
            self.friendly_fire[category][k] += worths[k]
            self.back[category][k] += refund

    def paid_back(self, game: Game, slot: int, minerals: float, gas: float) -> None:
        """Books what a structure that is salvaged gives back: no loss, and no friendly fire (one Bunker of real games:
        25 lost)."""
        *_, category = worth(game, slot)
        self.back[category][0] += minerals
        self.back[category][1] += gas

    def killed(self, game: Game, slot: int) -> None:
        """Books an enemy unit that the player killed."""
        minerals, gas, category = worth(game, slot)
        if game.units[slot]["owner"] == 0:
            return
        pair = self.killed_value[category]
        pair[0] += minerals
        pair[1] += gas
        if int(game.units[slot]["flags"]) & STRUCTURE:
            self.killed_structures += minerals + gas
            game.progress = game.loop
        else:
            self.killed_units += minerals + gas

    def rate(self, loop: int, gas: bool) -> int:
        """Collection rate a Faster minute: what came in the last loops (at first, since the beginning) times a
        fixed-point factor, cut down (46,948 of 46,967 numbers in statistics of real games)."""
        entries = self.deliveries[gas]
        while entries and entries[0][0] <= loop - RATE_WINDOW:
            entries.popleft()
        factor = LOOPS_A_MINUTE * FIXED // min(max(loop, 1), RATE_WINDOW)
        return sum(amount for _, amount in entries) * factor // FIXED


@cache
def categories(patch: str) -> np.ndarray:
    """int [types]: where what dies of each type counts, an index of CATEGORIES."""
    facts = load(patch)
    rows = facts.types
    gas = np.isin(np.arange(len(rows)), list(facts.gas_structures))
    home = rows["worker"].astype(bool) | (rows["food"] > 0) | gas
    home[facts.ids["DroneBurrowed"]] = True
    found = np.where(
        home, CATEGORIES.index("economy"), np.where(rows["structure"] == 1, CATEGORIES.index("technology"), 0)
    )
    for name, (_, category) in GROWN.items():
        found[facts.ids[name]] = CATEGORIES.index(category)
    return found


@cache
def values(patch: str) -> np.ndarray:
    """float64 [types, 2, CATEGORIES]: minerals and gas of a living unit of each type, by where they count.

    What a Lair or an Overseer was before counts as economy, what was paid for the change does not. A cocoon counts as
    what went into it, a Lurker Den not at all (630 numbers of real statistics with one or the other: army agrees in 459
    of them for 234 otherwise, technology in 628 for 462).
    """
    facts = load(patch)
    rows = facts.types
    found = np.zeros((len(rows), 2, len(CATEGORIES)))
    every = np.arange(len(rows))
    for k, name in enumerate(("minerals", "gas")):
        found[every, k, categories(patch)] = np.where(rows["score"] > 0, rows[name], 0)
    for name, (before, category) in GROWN.items():
        old = found[facts.ids[before]].sum(axis=1)
        found[facts.ids[name], :, CATEGORIES.index(category)] -= old
        found[facts.ids[name], :, CATEGORIES.index("economy")] += old
    for ability in facts.abilities.values():
        if ability.cocoon:
            found[ability.cocoon] = found[next(caster for caster in ability.casters if caster != ability.cocoon)]
    found[facts.ids["LurkerDenMP"]] = 0
    return found


def worth(game: Game, slot: int) -> tuple[float, float, str]:
    """Minerals, gas and category of a unit; images are worth nothing, nor is what is in a cocoon (nine of real games,
    which neither counted among their owner's losses nor among what the killer had killed)."""
    unit = game.units[slot]
    row = game.type_of(slot)
    category = CATEGORIES[categories(game.patch)[unit["type"]]]
    if row["score"] == 0 or int(unit["flags"]) & HALLUCINATION or int(unit["type"]) in cocoons(game.patch):
        return 0.0, 0.0, category
    return float(row["minerals"]), float(row["gas"]), category


@cache
def cocoons(patch: str) -> frozenset[int]:
    """Types that only lie in their cocoon."""
    return frozenset(ability.cocoon for ability in load(patch).abilities.values() if ability.cocoon)


def kept_of_morph(game: Game, slot: int) -> tuple[float, float]:
    """Minerals and gas of the price of a unit's morph that do not come back where it dies: those count as lost."""
    unit = game.units[slot]
    paid = game.jobs[slot, 0] if int(unit["type"]) in cocoons(game.patch) and unit["job_count"] else None
    if paid is None and int(unit["flags"]) & MORPHING and unit["order_count"]:
        paid = game.orders[slot, 0]
    ability = game.facts.abilities.get(int(paid["ability"])) if paid is not None else None
    if ability is None or not paid["minerals"] + paid["gas"]:
        return 0.0, 0.0
    return ability.minerals - float(paid["minerals"]), ability.gas - float(paid["gas"])


def delivered(game: Game, event: Any) -> None:
    """A worker brought something home."""
    unit = game.units[int(event["unit"])]
    owner = int(unit["owner"])
    gas = bool(unit["carry_gas"])  # keeps its value until the worker takes the next load
    game.scores[owner].deliveries[gas].append((game.loop, abs(int(event["value"]))))
    game.progress = game.loop


def count_idle(game: Game) -> None:
    """Adds up idle workers and idle producers once a normal second."""
    used = int(game.world[0]["slots"])
    units = game.units[:used]
    for player in range(1, PLAYERS):
        mine = (units["alive"] == 1) & (units["owner"] == player) & (units["flags"] & HALLUCINATION == 0)
        rows = game.types[player]["worker"][units["type"]] == 1
        idle = mine & harvest.idlers(game)
        score = game.scores[player]
        mending = (units["target"] >= 0) & (units["weapon"] < 0)
        score.idle_workers += 16.0 * int((idle & rows & ~mending).sum())
        producers = (
            idle & (units["flags"] & UNFINISHED == 0) & (units["job_count"] == 0) & game.producer_types[units["type"]]
        )
        score.idle_production += 16.0 * int(producers.sum())


on_event(DELIVERED, delivered)
EVERY.append((16, count_idle))
