"""Which fights are prepared of each scenario, and which battle is fought where: on one ground, in one thread's part."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Hashable, Sequence

import numpy as np

from train.scenario import Fight, Scenario
from train.variants import Variant

VARIANTS = 16  # fights drawn of a scenario that varies a little
RANDOM_VARIANTS = 96  # of one in which everything is random
FEW = 32  # battles that one thread plays faster than several share
GOLDEN = 0.6180339887498949  # its multiples fall evenly between 0 and 1, however many are taken


def draw(scenarios: Sequence[Scenario], seed: int, variants: int, enemy: str) -> list[tuple[int, Scenario, Fight]]:
    """(scenario, family, fight) of every prepared fight: `variants` of each scenario, 0: as many as suit it; `enemy`
    plays the other side where it is named."""
    drawn = []
    for index, scenario in enumerate(scenarios):
        varies = scenario.jitter > 0 or scenario.mirror
        usual = RANDOM_VARIANTS if scenario.make else VARIANTS if varies else 1
        for k in range(variants or usual):
            family, fight = scenario.draw(np.random.default_rng((seed, 77, index, k)))
            drawn.append((index, family, dataclasses.replace(fight, behaviour=enemy) if enemy else fight))
    return drawn


def fields_of(
    made: Sequence[Variant], scenarios: int, count: int, first: int, threads: int
) -> list[tuple[list[Variant], list[tuple[int, np.ndarray]]]]:
    """Fields: variants of one ground, and (battle's number, its variants) of the battles fought there, in as many parts
    as there are threads. Battles of a scenario with several grounds are shared among them by their numbers of variants;
    the first of `count` battles has the number `first`."""
    places: dict[tuple[int, Hashable], list[int]] = {}
    for number, variant in enumerate(made):
        places.setdefault((variant.scenario, ground_of(variant)), []).append(number)
    battles: dict[Hashable, list[tuple[int, list[int]]]] = {}
    for number in range(count):
        turn, scenario = divmod(first + number, scenarios)
        options = [key for key in places if key[0] == scenario]
        weights = np.array([len(places[key]) for key in options], float)
        spread = np.floor((turn * GOLDEN % 1.0) * weights.sum())
        key = options[int(np.searchsorted(np.cumsum(weights), spread, side="right"))]
        battles.setdefault(key[1], []).append((number, places[key]))
    result = []
    for shared in battles.values():
        used = sorted({index for _, own in shared for index in own})
        place = {index: k for k, index in enumerate(used)}
        rows = [(number, np.array([place[index] for index in own])) for number, own in shared]
        parts = max(1, min(threads, len(rows) // FEW))
        edges = np.linspace(0, len(rows), parts + 1).astype(int).tolist()
        chosen = [made[index] for index in used]
        result += [(chosen, rows[low:high]) for low, high in itertools.pairwise(edges)]
    return result


def ground_of(variant: Variant) -> Hashable:
    """A key of the ground: battles on equal grounds of one fog setting are stepped together."""
    ground = variant.family.ground
    return ground.name, ground.walkable.shape, ground.walkable.tobytes(), ground.levels.tobytes(), variant.family.fog
