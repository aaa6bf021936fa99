"""Gaps between kills of one unit, against those of real games: how soon a weapon is at work again.

In the trackers of 148 real games each death names the unit that dealt it. Where two kills of one unit lie about one
cooldown apart, no other shot came between: how long the weapon rests, turns, its missile flies, and (of blades) how its
owner walks to the next. Pairs with less or more between them are left out on both sides alike.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sim.engine import state
from sim.facts import Facts, load
from sim.fidelity.workshop import Row
from sim.maps import arena
from sim.melee.game import Command, Game, PlayerSetup

EARLY, LATE = 2.0, 6.0  # loops by which a gap may be shorter or longer than the cooldown, to be of one shot
NEAR = 2.3  # whole cells between two victims of a blade, at most
SEEDS, LOOPS = 4, 600
AT = (50.0, 50.0)
DEVIATIONS, STEP = 2.5, 1.0  # of both means together; loops that a crowd which moves may cost more or less


class Real(NamedTuple):
    """Gaps of one type: their mean and its standard error in loops, the number, and whom it mostly killed."""

    mean: float
    error: float
    count: int
    victim: str


# Both patches, as far as the weapon is the same in 5.0.14. Left out: Marines (stimmed or not, no tracker tells), and
# who flies from one victim to the next.
REAL = {
    "SiegeTankSieged": Real(49.00, 0.04, 1000, "Zergling"),
    "Stalker": Real(31.24, 0.10, 278, "Marine"),
    "Marauder": Real(24.94, 0.21, 80, "Marine"),
    "LiberatorAG": Real(26.51, 0.15, 71, "SCV"),
    "DarkTemplar": Real(28.49, 0.19, 63, "Marine"),
    "Banshee": Real(21.28, 0.26, 54, "Marine"),
    "Archon": Real(29.17, 0.19, 47, "Marine"),
    "Roach": Real(33.43, 0.29, 46, "Zergling"),
    "Cyclone": Real(17.27, 0.39, 33, "Probe"),
    "Adept": Real(36.67, 0.25, 24, "Probe"),
    "PhotonCannon": Real(20.87, 0.37, 23, "Marine"),
    "Immortal": Real(26.09, 0.33, 22, "Zergling"),
    "ThorAP": Real(22.18, 0.40, 22, "Marine"),
    "SpineCrawler": Real(30.90, 0.38, 21, "Marine"),
    "Zealot": Real(21.29, 0.47, 21, "Zergling"),
    "Hydralisk": Real(14.05, 0.26, 20, "Marine"),
    "Hellion": Real(41.90, 0.44, 20, "SCV"),
    "VikingAssault": Real(17.22, 0.30, 18, "SCV"),
    "SiegeTank": Real(18.50, 0.36, 16, "Marine"),
    "Ultralisk": Real(15.50, 0.35, 16, "Probe"),
    "HellionTank": Real(33.93, 0.49, 15, "Marine"),
    "Ravager": Real(26.54, 0.34, 13, "Marine"),
}


def kills(patch: str = "5.0.14", only: tuple[str, ...] = ()) -> list[Row]:
    """The mean gap of every type (or those of `only`) whose weapon is as in 5.0.14."""
    facts, later = load(patch), load("5.0.14")
    rows = []
    for name, real in REAL.items():
        period = _period(facts, name)
        if period != _period(later, name) or (only and name not in only):
            continue
        near = NEAR if _weapon(facts, name)["melee"] else math.inf
        pairs = [pair for seed in range(SEEDS) for pair in gaps(facts, patch, name, real.victim, seed)]
        found = [gap for gap, cells in pairs if period - EARLY <= gap <= period + LATE and cells <= near]
        if len(found) < 2:
            rows.append(Row(name, -1, real.mean))
            continue
        error = math.hypot(real.error, float(np.std(found)) / math.sqrt(len(found)))
        rows.append(Row(name, float(np.mean(found)), real.mean, max(DEVIATIONS * error, STEP)))
    return rows


def gaps(facts: Facts, patch: str, name: str, victim: str, seed: int) -> list[tuple[int, float]]:
    """Loops, and whole cells between the victims, of one kill after another by each of a few units that are sent into
    a crowd which neither moves nor fights."""
    game = Game(arena(112, 112), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=seed, patch=patch)
    chance = np.random.default_rng(seed)
    few = 3 if facts.types[facts.ids[name]]["speed"] == 0 else 5
    killers = [game.spawn(facts.ids[name], 1, AT[0] + chance.random(), AT[1] + 2.5 * n) for n in range(few)]
    crowd = []
    for n in range(36):
        x, y = AT[0] + 4 + 1.2 * (n // 6) + chance.random() / 3, AT[1] + 1.2 * (n % 6) + chance.random() / 3
        crowd.append(game.spawn(facts.ids[victim], 2, x, y))
        game.units[crowd[-1]]["flags"] |= state.DISARMED | state.IMMOBILE
    for slot in killers:
        game.units[slot]["flags"] = (int(game.units[slot]["flags"]) | state.POWERED) & ~state.AUTOCAST
    game.spawn(facts.ids["Observer"], 1, AT[0] + 6, AT[1] + 3)
    game.spawn(facts.ids["Pylon"], 1, AT[0] - 3, AT[1] + 3)
    game.step(2)
    if facts.types[facts.ids[name]]["speed"] > 0:
        tags = tuple(game.tag(slot) for slot in killers)
        game.issue(Command(1, game.abilities_of(facts.ids[name])["attack"][0], tags, 0, AT[0] + 7, AT[1] + 3, True))
    last: dict[int, tuple[int, int, int]] = {}
    found = []
    for _ in range(LOOPS):
        game.step()
        for slot in [slot for slot in crowd if not game.units[slot]["alive"]]:
            crowd.remove(slot)
            unit = game.units[slot]
            killer, kill = int(unit["last_attacker"]), (game.loop, int(unit["x"]), int(unit["y"]))
            if killer in last:
                found.append((kill[0] - last[killer][0], math.dist(kill[1:], last[killer][1:])))
            last[killer] = kill
    return found


def _weapon(facts: Facts, name: str) -> np.void:
    return facts.weapons[facts.types[facts.ids[name]]["weapons"][0]]


def _period(facts: Facts, name: str) -> float:
    return float(_weapon(facts, name)["period"])
