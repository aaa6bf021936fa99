"""The built-in opponents' growth against that of the real ones."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np

from sim.computer import levels
from sim.computer.computer import Computer
from sim.engine.state import INVULNERABLE
from sim.fidelity.workshop import Row
from sim.maps import Terrain
from sim.melee.game import Game, PlayerSetup

RACES = {"terran": 1, "zerg": 2, "protoss": 3}
LEVELS = {"Medium": 3, "Hard": 5, "VeryHard": 7}
CHECKPOINTS = (1600, 3200, 4800, 6400)  # loops
SEEDS = (1, 2, 3)  # of each build style
NEAR = 0.15  # what the curves of single real games differ by, and more


def growth(terrain: Terrain, race: str, level: str, patch: str = "4.10.0") -> list[Row]:
    """Workers and army value of an undisturbed opponent at the checkpoints: medians over its build styles, each as
    often as RandomBuild, which the real games had, takes it."""
    curve = [row for row in _curves() if row["race"] == race and int(row["level"]) == LEVELS[level]]
    loops, *real_values = (np.array([float(row[key]) for row in curve]) for key in ("loop", "workers", "army"))
    chances = levels.race_table(RACES[race])["openings"][levels.level(LEVELS[level]).plan]["random"]
    weights = np.repeat(list(chances.values()), len(SEEDS))
    builds = [levels.STYLES.index(style) + 2 for style in chances]
    found = np.array([_game(terrain, race, level, build, seed, patch) for build in builds for seed in SEEDS])
    rows = []
    for k, loop in enumerate(CHECKPOINTS):
        workers, army = (_median(values, weights) for values in found[:, k].T)
        real = [float(np.interp(loop, loops, values)) for values in real_values]
        what = f"{race} {level} at {loop}"
        rows.append(Row(f"{what}: workers", float(workers), real[0], max(2.0, NEAR * real[0])))
        rows.append(Row(f"{what}: army value", float(army), real[1], max(150.0, NEAR * real[1])))
    return rows


def _median(values: np.ndarray, weights: np.ndarray) -> float:
    """The value at which half of the weight is reached."""
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][np.searchsorted(reached, 0.5)])


@cache
def _curves() -> list[dict[str, str]]:
    with Path(__file__).with_name("opponents.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def _game(terrain: Terrain, race: str, level: str, build: int, seed: int, patch: str) -> list[tuple[int, float]]:
    """Workers and value of finished fighting units of one game at the checkpoints."""
    setups = [PlayerSetup(RACES[race], start=0), PlayerSetup(1, start=1)]
    game = Game(terrain, setups, seed=seed, patch=patch)
    computer = Computer(game, 1, RACES[race], LEVELS[level], build, seed=seed, asked=False)
    game.units["flags"][game.owned(2)] |= INVULNERABLE  # an early attack ends nothing
    rows = []
    while game.loop < CHECKPOINTS[-1] and not game.ended:
        computer.step()
        game.step()
        if game.loop in CHECKPOINTS:
            units = game.units[: int(game.world[0]["slots"])]
            types = units["type"][(units["alive"] == 1) & (units["owner"] == 1)]
            sheet = computer.sheet
            rows.append((int(sheet.worker[types].sum()), float(sheet.value[types][sheet.fighter[types]].sum())))
    return rows
