"""The built-in opponents' growth against that of the real ones."""

from __future__ import annotations

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
BUILDS = (2, 3, 4, 5, 6)  # rush, timing, power, macro, air: the real games had builds by chance
NEAR = 0.15  # what the curves of single real games differ by, and more


def growth(terrain: Terrain, race: str, level: str, patch: str = "4.10.0") -> list[Row]:
    """Workers and army value of an undisturbed opponent (median over its builds) at the checkpoints."""
    curve = levels.curves(RACES[race], LEVELS[level])
    found = np.array([_game(terrain, race, level, build, patch) for build in BUILDS])
    rows = []
    for k, loop in enumerate(CHECKPOINTS):
        workers, army = np.median(found[:, k], axis=0)
        real = float(np.interp(loop, curve.loops, curve.workers)), float(np.interp(loop, curve.loops, curve.army))
        what = f"{race} {level} at {loop}"
        rows.append(Row(f"{what}: workers", float(workers), real[0], max(2.0, NEAR * real[0])))
        rows.append(Row(f"{what}: army value", float(army), real[1], max(150.0, NEAR * real[1])))
    return rows


def _game(terrain: Terrain, race: str, level: str, build: int, patch: str) -> list[tuple[int, float]]:
    """Workers and value of finished fighting units of one game at the checkpoints."""
    setups = [PlayerSetup(RACES[race], start=0), PlayerSetup(1, start=1)]
    game = Game(terrain, setups, seed=build, patch=patch)
    computer = Computer(game, 1, RACES[race], LEVELS[level], build, seed=build)
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
